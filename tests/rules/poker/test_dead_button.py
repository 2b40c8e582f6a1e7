"""The dead button: the big blind always advances, button and small blind may be at an empty seat [poker 0.14]."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.poker.stakes import BlindRound
from tests.support.seeded import Seeded

GAME = catalogue.game("texas_holdem")
RULES = msgspec.convert({"button": "dead"}, GAME.rules_type)
START = Table(chips={}, first_button=0)

Places = tuple[int | None, int | None, int]
"""The seats of button, small blind (None: nobody posted it) and big blind."""


def places(table: Table, seats: list[int], rules: Any = RULES) -> tuple[Table, Places]:
    """Play a hand of these seats in which all fold; return the table after it, and where button and blinds were."""
    round_, _ = GAME.start(rules, msgspec.structs.replace(table, chips=dict.fromkeys(seats, 1000)), Seeded(1))
    assert isinstance(round_, BlindRound)
    small = round_.small_blind_position()
    found = (round_.button, None if small < 0 else round_.order[small], round_.order[round_.big_blind_position()])
    while (waiting := round_.waiting()) is not None:
        round_.act(waiting.seats[0], actions.Fold(), Seeded(1))
    assert round_.outcome is not None
    after = msgspec.structs.replace(table, button=round_.outcome.button, memory=round_.outcome.memory)
    return after, found


def course(*rounds: list[int], rules: Any = RULES) -> list[Places]:
    """Play rounds of these seats; return where button and blinds were in each."""
    table, found = START, []
    for seats in rounds:
        table, where = places(table, seats, rules)
        found.append(where)
    return found


def test_with_the_same_seats_it_moves_as_always() -> None:
    """Where nobody comes or goes, both kinds of button go the same way, heads-up as well."""
    moving = GAME.rules_type()
    for seats in ([0, 1], [0, 1, 2], [0, 2, 5, 7]):
        assert course(*[seats] * 6) == course(*[seats] * 6, rules=moving)


def test_the_small_blind_is_dead_where_its_seat_has_left() -> None:
    """The last big blind leaves: nobody posts a small blind; in the next round the button is at the empty seat."""
    assert course([0, 1, 2, 3, 4], [0, 1, 3, 4], [0, 1, 3, 4], [0, 1, 3, 4]) == [
        (0, 1, 2),
        (1, None, 3),
        (2, 3, 4),
        (3, 4, 0),
    ]


def test_the_button_is_dead_where_the_small_blind_has_left() -> None:
    """The last small blind leaves: the button is at its empty seat, and nobody is spared a blind."""
    assert course([0, 1, 2, 3, 4], [0, 2, 3, 4], [0, 2, 3, 4]) == [(0, 1, 2), (1, 2, 3), (2, 3, 4)]


def test_both_are_dead_where_both_have_left() -> None:
    """Both blinds leave: button and small blind are at empty seats, and the big blind goes on."""
    assert course([0, 1, 2, 3, 4], [0, 3, 4], [0, 3, 4]) == [(0, 1, 2), (1, None, 3), (2, 3, 4)]


def test_down_to_two_seats_nobody_has_the_big_blind_twice() -> None:
    """If one of three leaves, the big blind goes to the next of the two, and the other has the button."""
    for gone, expected in ((0, (2, 2, 1)), (1, (2, 2, 0)), (2, (1, 1, 0))):
        seats = [seat for seat in range(3) if seat != gone]
        (_, _, last), found = course([0, 1, 2], seats)
        assert found == ((expected[0], expected[1], expected[2]) if gone else (1, 1, 2) if last != 2 else (2, 2, 1))


def test_a_third_player_never_has_button_and_blind_at_once() -> None:
    """A newcomer at either side of two players: three different places, and the big blind advances."""
    assert course([0, 2], [0, 1, 2]) == [(0, 0, 2), (1, 2, 0)]
    assert course([0, 1], [0, 1, 2]) == [(0, 0, 1), (0, 1, 2)]


def test_a_dead_blind_changes_neither_price_nor_order() -> None:
    """Without a small blind the price is the big blind; the seat left of it acts first, then the left of the button."""
    table, _ = places(START, [0, 1, 2, 3, 4])
    round_, _ = GAME.start(RULES, msgspec.structs.replace(table, chips=dict.fromkeys([0, 1, 3, 4], 1000)), Seeded(1))
    acted = []
    for _ in range(8):
        waiting = round_.waiting()
        assert waiting is not None
        [seat] = waiting.seats
        acted.append(seat)
        word = actions.Call() if round_.can(seat, actions.Call()) else actions.Check()
        round_.act(seat, word, Seeded(1))
    assert acted == [4, 0, 1, 3, 3, 4, 0, 1]
    assert round_.view(None).pots == (40,)


@pytest.mark.parametrize("seed", range(20))
def test_the_big_blind_never_skips_nor_repeats(seed: int) -> None:
    """Seats come and go at random: the big blind always goes to the next seat dealt in, the rest follows behind it."""
    rng, table, before = Random(f"dead button {seed}"), START, None
    for _ in range(60):
        seats = sorted(rng.sample(range(8), rng.randint(2, 8)))
        table, (button, small, big) = places(table, seats)
        if before is not None:
            ring = [seat for seat in seats if seat > before] + [seat for seat in seats if seat <= before]
            assert big == ring[0]
            if len(seats) > 2:
                assert small == (before if before in seats else None)
        if len(seats) > 2:
            assert len({button, small, big}) == 3
        else:
            assert button == small != big
        before = big


def test_it_is_off_by_default_and_not_for_a_button_blind() -> None:
    """The button moves unless the table says otherwise; in short deck with a button blind it cannot be dead."""
    assert course([0, 1, 2, 3], [0, 1, 3], rules=GAME.rules_type()) == [(0, 1, 2), (1, 3, 0)]
    short = catalogue.game("short_deck")
    wrong = msgspec.convert(
        {"forced_bets": "button_blind", "button": "dead", "straddle": "under_the_gun"}, short.rules_type
    )
    assert [fault.field for fault in short.faults(wrong)] == ["button", "straddle"]
