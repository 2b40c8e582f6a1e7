"""A seat that steps out around the blinds posts when it comes back [poker 0.13]."""

from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.happenings import Staked
from services.rules.poker.engine import PokerRound
from tests.support.seeded import Seeded

GAME = catalogue.game("texas_holdem")
RULES = msgspec.convert({"missed_blinds": "post"}, GAME.rules_type)
FORCED = {"small_blind", "big_blind", "post"}


def played(table: Table, seats: list[int], rules: Any = RULES) -> tuple[Table, dict[int, int]]:
    """Play a hand of these seats in which all fold; return the table after it, and each seat's forced bets."""
    now = msgspec.structs.replace(table, chips={seat: table.chips[seat] for seat in seats})
    round_, happened = GAME.start(rules, now, Seeded(1))
    assert isinstance(round_, PokerRound)
    forced = dict.fromkeys(seats, 0)
    for one in happened:
        if isinstance(one, Staked) and one.what in FORCED:
            forced[one.seat] += one.amount
    while (waiting := round_.waiting()) is not None:
        round_.act(waiting.seats[0], actions.Fold(), Seeded(1))
    assert round_.outcome is not None
    after = msgspec.structs.replace(table, button=round_.outcome.button, memory=round_.outcome.memory)
    return after, forced


@pytest.mark.parametrize("leaves", [False, True], ids=["sits out", "leaves and sits down again"])
def test_stepping_out_around_the_blinds_saves_nothing(leaves: bool) -> None:
    """A seat that is away whenever the big blind would be its own has put in as much a round as its neighbours."""
    table = Table(chips=dict.fromkeys(range(4), 1000), first_button=0)
    sums, rounds = dict.fromkeys(range(4), 0), dict.fromkeys(range(4), 0)
    dodger, away = 3, False
    for _ in range(24):
        button = 0 if table.button is None else (table.button + 1) % 4
        away = dodger in ((button + 1) % 4, (button + 2) % 4)
        if away and leaves:
            table = msgspec.structs.replace(table, memory=GAME.left(table.memory, dodger))
        table, forced = played(table, [seat for seat in range(4) if seat != dodger or not away])
        for seat, amount in forced.items():
            sums[seat] += amount
            rounds[seat] += 1
    assert rounds[dodger] < 24
    assert sums[dodger] / rounds[dodger] >= min(sums[seat] / rounds[seat] for seat in range(3))


def test_a_newcomer_posts_once_and_has_the_option() -> None:
    """It puts in a big blind beside the blinds, acts in its turn, may check, and posts nothing in the next round."""
    table = Table(chips=dict.fromkeys(range(5), 1000), first_button=0)
    table, _ = played(table, [0, 1, 2, 3])
    table, forced = played(table, [0, 1, 2, 3, 4])
    assert forced == {0: 0, 1: 0, 2: 5, 3: 10, 4: 10}
    _, forced = played(table, [0, 1, 2, 3, 4])
    assert forced == {0: 0, 1: 0, 2: 0, 3: 5, 4: 10}


def test_a_newcomer_in_the_small_blind_makes_it_a_big_one() -> None:
    """In the small blind it adds what is missing; in the big blind nothing; in the first round nobody posts."""
    table = Table(chips=dict.fromkeys(range(4), 1000), first_button=0)
    first, forced = played(table, [0, 1, 3])
    assert forced == {0: 0, 1: 5, 3: 10}
    _, forced = played(first, [0, 1, 2, 3])
    assert forced == {0: 0, 1: 0, 2: 10, 3: 10}


def test_it_is_off_by_default() -> None:
    """Without the house rule a newcomer posts nothing, and nothing is carried over."""
    rules = GAME.rules_type()
    table = Table(chips=dict.fromkeys(range(5), 1000), first_button=0)
    table, _ = played(table, [0, 1, 2, 3], rules)
    assert table.memory == {}
    _, forced = played(table, [0, 1, 2, 3, 4], rules)
    assert forced[4] == 0


@pytest.mark.parametrize("game_id", ["texas_holdem", "omaha", "five_card_draw"])
def test_the_house_s_own_templates_have_it_on(game_id: str) -> None:
    """The sheet leaves the rule off; the standard template of a game with blinds switches it on."""
    game = catalogue.game(game_id)
    assert msgspec.to_builtins(game.rules_type())["missed_blinds"] == "nothing"
    assert msgspec.to_builtins(game.standard_rules())["missed_blinds"] == "post"
