"""The options of a seat as buttons: each with its cost, and with amounts that people often choose."""

import msgspec

from services.rules.game import Round
from services.rules.offers import MAX, MIN, Between, OneOf, Option, enumerate_actions
from services.table import stake_allowance
from services.table.full_table import FullTable


class Suggestion(msgspec.Struct, frozen=True):
    """An amount that is offered by a word (``services.rules.offers.WORDS``), and what it costs."""

    word: str
    value: int
    cost: int


class Button(msgspec.Struct, frozen=True):
    """An option with its price in chips: with its least arguments, and with its greatest.

    ``suggested`` are amounts of its range, from low to high; ``costs`` those of its numbers, in their order, where any
    of them costs something.
    """

    option: Option
    cost: int
    most_cost: int
    suggested: tuple[Suggestion, ...] = ()
    costs: tuple[int, ...] = ()


def of_seat(table: FullTable, seat: int) -> list[Button]:
    """Return the buttons of a seat of the running round."""
    round_ = table.round
    assert round_ is not None, "no round runs"
    return [_button(round_, seat, option) for option in stake_allowance.offers(table, seat)]


def _button(round_: Round, seat: int, option: Option) -> Button:
    for name, choice in option.arguments.items():
        if isinstance(choice, Between):
            suggested = _suggested(round_, seat, option, name, choice)
            return Button(option, suggested[0].cost, suggested[-1].cost, suggested)
        if isinstance(choice, OneOf) and isinstance(choice.values[0], int):
            costs = tuple(_cost(round_, seat, option, name, int(value)) for value in choice.values)
            return Button(option, min(costs), max(costs), costs=costs if any(costs) else ())
    cost = round_.cost(seat, enumerate_actions(option, 1)[0])
    return Button(option, cost, cost)


def _suggested(round_: Round, seat: int, option: Option, name: str, choice: Between) -> tuple[Suggestion, ...]:
    """Return the least and the greatest amount, and those that lie between them, each once."""
    words = {choice.most: MAX, choice.least: MIN}
    for word, value in round_.suggested(seat, option.action).items():
        if choice.least < value < choice.most:
            words.setdefault(value, word)
    return tuple(Suggestion(words[value], value, _cost(round_, seat, option, name, value)) for value in sorted(words))


def _cost(round_: Round, seat: int, option: Option, name: str, value: int) -> int:
    pinned = Option(option.action, {**option.arguments, name: OneOf((value,))})
    return round_.cost(seat, enumerate_actions(pinned, 1)[0])
