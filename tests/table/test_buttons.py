"""Buttons: what they cost is what is then staked, and nobody is offered two ways to do one thing."""

from random import Random

import msgspec
import pytest

from services.rules import actions, catalogue, offers, random_play
from services.rules.game import Round
from services.rules.happenings import Returned, Staked
from services.rules.offers import Between, OneOf, Option, enumerate_actions, is_offered
from services.table import buttons, stake_allowance
from services.table.buttons import Button
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
FORCED = {"ante", "small_blind", "big_blind"}


def asked(sitting: Sitting) -> list[tuple[int, Button]]:
    """Return the buttons of all seats that may act."""
    assert sitting.table.round is not None
    waiting = sitting.table.round.waiting()
    assert waiting is not None
    return [(seat, button) for seat in waiting.seats for button in buttons.of_seat(sitting.table, seat)]


def added(sitting: Sitting, seat: int, action: actions.Action) -> int:
    """Return what an action adds to a seat's stake, tried on a copy.

    What the rules take by themselves is not part of it: antes of a next turn, and penalties for a lost trick. What
    nobody matched was staked, though it comes back at once: a call of the full blind that was posted short.
    """
    table = sitting.table
    assert table.round is not None
    assert table.dealing is not None
    copy: Round = msgspec.msgpack.decode(msgspec.msgpack.encode(table.round), type=table.game.round_type)
    before = stake_allowance.staked(copy, seat)
    happened = copy.do(seat, action, table.dealing.chance())
    if not action.stakes:
        return 0
    taken = sum(one.amount for one in happened if isinstance(one, Staked) and one.seat == seat and one.what in FORCED)
    forced = 0 if isinstance(action, actions.PlaceBet) else taken
    returned = sum(one.amount for one in happened if isinstance(one, Returned) and one.seat == seat)
    return stake_allowance.staked(copy, seat) - before - forced + returned


def priced(button: Button) -> list[tuple[actions.Action, int]]:
    """Return actions that a button stands for, each with the price that it states."""
    option = button.option
    for name, choice in option.arguments.items():
        if isinstance(choice, Between):
            return [(first(option, name, one.value), one.cost) for one in button.suggested]
        if isinstance(choice, OneOf) and button.costs:
            return [
                (first(option, name, value), cost)
                for value, cost in zip(map(int, choice.values), button.costs, strict=True)
            ]
    return [(enumerate_actions(option, 1)[0], button.cost)]


def first(option: Option, name: str, value: int) -> actions.Action:
    """Return the first action of an option with a value of one argument."""
    return enumerate_actions(Option(option.action, {**option.arguments, name: OneOf((value,))}), 1)[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_button_costs_what_its_action_stakes(game: str) -> None:
    """In every state of random rounds each button of each seat states exactly what its action adds to the stake."""
    for number in range(3):
        rng = Random(f"{game} buttons {number}")
        sitting = sittings.random_sitting(game, f"buttons {number}", rounds=0)
        sitting.start()
        for _ in range(40):
            if sitting.table.round is None:
                break
            for seat, button in asked(sitting):
                for action, cost in priced(button):
                    assert sitting.table.round.can(seat, action)
                    assert added(sitting, seat, action) == cost, f"{action} by seat {seat}"
            sitting.step(rng)


@pytest.mark.parametrize("game", GAMES)
def test_buttons_are_options_and_miss_none(game: str) -> None:
    """What is offered is legal; every legal action is offered, or has the effect of one that is."""
    rng = Random(f"{game} offers")
    sitting = sittings.random_sitting(game, "offers", rounds=0)
    sitting.start()
    for _ in range(40):
        if sitting.table.round is None:
            break
        for seat in sitting.table.round.carry:
            offered = stake_allowance.offers(sitting.table, seat)
            listed = stake_allowance.options(sitting.table, seat)
            assert bool(offered) == bool(listed)
            for option in listed:
                action = random_play.sample([option], rng)
                assert is_offered(offered, action) or _same(sitting, seat, action, offered)
            for option in offered:
                assert is_offered(listed, random_play.sample([option], rng))
        sitting.step(rng)


def _same(sitting: Sitting, seat: int, action: actions.Action, offered: list[Option]) -> bool:
    """Return whether an offered action leads to the same round as one that is not offered."""
    wanted = _after(sitting, seat, action)
    return any(wanted == _after(sitting, seat, other) for option in offered for other in enumerate_actions(option, 20))


def _after(sitting: Sitting, seat: int, action: actions.Action) -> bytes:
    table = sitting.table
    assert table.dealing is not None
    copy: Round = msgspec.msgpack.decode(msgspec.msgpack.encode(table.round), type=table.game.round_type)
    copy.do(seat, action, table.dealing.chance())
    return msgspec.msgpack.encode(copy)


@pytest.mark.parametrize("game", GAMES)
def test_no_two_buttons_do_the_same(game: str) -> None:
    """Of two buttons without amounts none leads where the other does: there is one way to pass."""
    rng = Random(f"{game} twice")
    sitting = sittings.random_sitting(game, "twice", rounds=0)
    sitting.start()
    for _ in range(30):
        if sitting.table.round is None:
            break
        waiting = sitting.table.round.waiting()
        assert waiting is not None
        for seat in waiting.seats:
            for option in stake_allowance.offers(sitting.table, seat):
                others = [one for one in stake_allowance.offers(sitting.table, seat) if one.action != option.action]
                results = {_after(sitting, seat, action) for action in enumerate_actions(option, 4)}
                for other in others:
                    for action in enumerate_actions(other, 4):
                        assert _after(sitting, seat, action) not in results or _whole_stack(sitting, seat, action)
        sitting.step(rng)


def _whole_stack(sitting: Sitting, seat: int, action: actions.Action) -> bool:
    """Return whether an action puts in all chips: a call, bet or raise of them is the all-in under another name."""
    assert sitting.table.round is not None
    view = sitting.table.round.view(seat)
    return added(sitting, seat, action) == next(one.chips for one in view.seats if one.seat == seat)


def holdem(**rules: object) -> Sitting:
    """Start a hand of three players with 1000 chips each, blinds 5 and 10; seat 0 has the button."""
    game = catalogue.game("texas_holdem")
    sitting = Sitting("texas_holdem", msgspec.convert(rules, game.rules_type), first_button=0)
    sitting.sit({0: 1000, 1: 1000, 2: 1000})
    sitting.start()
    return sitting


def by_action(sitting: Sitting, seat: int) -> dict[str, Button]:
    """Return the buttons of a seat by their actions."""
    return {button.option.action: button for button in buttons.of_seat(sitting.table, seat)}


def suggestions(button: Button) -> list[tuple[str, int, int]]:
    """Return what a button suggests."""
    return [(one.word, one.value, one.cost) for one in button.suggested]


def test_poker_suggests_half_the_pot_and_the_pot() -> None:
    """Before the flop a raise by the pot is counted after calling; after it a bet is a part of what lies in the pot."""
    sitting = holdem()
    first_buttons = by_action(sitting, 0)
    assert (first_buttons["call"].cost, first_buttons["all_in"].cost, first_buttons["fold"].cost) == (10, 1000, 0)
    assert suggestions(first_buttons["raise"]) == [
        ("min", 20, 20),
        ("half_pot", 22, 22),
        ("pot", 35, 35),
        ("max", 1000, 1000),
    ]
    sitting.act(0, actions.Raise(to=100))
    assert by_action(sitting, 1)["call"].cost == 95
    sitting.act(1, actions.Call())
    sitting.act(2, actions.Fold())
    flop = by_action(sitting, 1)
    assert suggestions(flop["bet"]) == [("min", 10, 10), ("half_pot", 105, 105), ("pot", 210, 210), ("max", 900, 900)]


def test_a_fixed_limit_suggests_its_one_amount() -> None:
    """Where only one amount is legal it is suggested once."""
    sitting = holdem(betting="fixed_limit")
    assert suggestions(by_action(sitting, 0)["raise"]) == [("min", 20, 20)]


def test_dou_dizhu_offers_one_pass() -> None:
    """A bid of 0 is no button beside the pass; as an action it is still accepted."""
    sitting = Sitting("dou_dizhu", worlds.default_rules(catalogue.game("dou_dizhu")))
    sitting.sit({0: 1000, 1: 1000, 2: 1000})
    sitting.start()
    assert sitting.table.round is not None
    waiting = sitting.table.round.waiting()
    assert waiting is not None
    [seat] = waiting.seats
    offered = [button.option for button in buttons.of_seat(sitting.table, seat)]
    assert offered == [Option("bid", {"points": OneOf((1, 2, 3))}), Option("pass")]
    assert sitting.table.round.can(seat, actions.Bid(points=0))


def test_suggestions_have_words_in_all_languages() -> None:
    """Each word of a suggested amount has a text in three languages."""
    assert set(offers.WORDS) == {offers.MIN, offers.HALF_POT, offers.POT, offers.MAX}
    assert all(text.en and text.zh_hant and text.zh_hans for text in offers.WORDS.values())
