"""Plays random rounds of trick games and writes down what happened, for tests."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from services.rules import actions, catalogue, game
from services.rules.happenings import Happening
from services.rules.offers import Between, OneOf, Option, SomeOf
from services.rules.tricks.round import TrickRound
from tests.support.seeded import Seeded

GAMES = ("endurance", "honeymoon", "spoil_five", "loo", "napoleon")


def chance(seed: int) -> Seeded:
    """Return chance from a seed; trick games pick seats and throw no dice."""
    return Seeded(seed, ("seat",))


def start(
    game_id: str, seed: int, *, rules: dict[str, Any] | None = None, chips: dict[int, int] | None = None, **more: Any
) -> tuple[TrickRound, list[Happening], Seeded]:
    """Start a round; without ``chips`` with a random number of seats that hold 1000 each."""
    dice = chance(seed)
    entry = catalogue.game(game_id)
    if chips is None:
        default = entry.rules_type()
        chips = dict.fromkeys(range(dice.random.randint(default.min_seats, default.max_seats)), 1000)
    table = game.Table(chips=chips, **{"first_button": dice.random.choice(list(chips)), **more})
    made = msgspec.convert(rules or {}, entry.rules_type)
    assert not entry.faults(made)
    round_, record = entry.start(made, table, dice)
    assert isinstance(round_, TrickRound)
    return round_, record, dice


def every_action(option: Option) -> Iterator[actions.Action]:
    """Return all actions of an option."""
    built: list[dict[str, Any]] = [{}]
    for name, choice in option.arguments.items():
        values: list[Any]
        if isinstance(choice, Between):
            values = list(range(choice.least, choice.most + 1))
        elif isinstance(choice, OneOf):
            values = list(choice.values)
        else:
            assert isinstance(choice, SomeOf)
            assert choice.least == choice.most == 1
            values = [(card,) for card in choice.cards]
        built = [{**arguments, name: value} for arguments in built for value in values]
    for arguments in built:
        yield actions.build(option.action, arguments)


def offered(round_: TrickRound, seat: int) -> list[actions.Action]:
    """List all actions that a seat is offered."""
    return [action for option in round_.options(seat) for action in every_action(option)]


Watcher = Callable[[TrickRound, actions.Action | None, list[Happening]], None]


def choose(round_: TrickRound, dice: Seeded) -> actions.Action | None:
    """Choose at random among what is offered; None lets the deadline pass. Bids are mostly passed on."""
    seat = round_.turn
    assert seat is not None
    if dice.random.random() < 0.1:
        return None
    option = dice.random.choice(round_.options(seat))
    if option.action == "bid" and dice.random.random() < 0.5:
        return actions.Pass()
    return dice.random.choice(list(every_action(option)))


def play_out(round_: TrickRound, dice: Seeded, watch: Watcher | None = None) -> TrickRound:
    """Play a round to its end, stored and loaded between moves; ``watch`` is called before and after each move."""
    moves = 0
    while round_.outcome is None:
        action = choose(round_, dice)
        if watch:
            watch(round_, action, [])
        seat = round_.turn
        assert seat is not None
        clock = round_.clock
        record = round_.on_timeout(dice) if action is None else round_.act(seat, action, dice)
        assert round_.outcome is not None or round_.clock > clock, "every move starts a new deadline"
        if watch:
            watch(round_, action, record)
        stored = msgspec.msgpack.encode(round_)
        round_ = msgspec.msgpack.decode(stored, type=type(round_))
        assert msgspec.msgpack.encode(round_) == stored
        moves += 1
        assert moves < 500, "the round does not end"
    return round_
