"""A seat that steps out around the blinds posts when it comes back [poker 0.13]."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.happenings import Staked
from services.rules.poker.engine import PokerRound
from services.rules.poker.stakes import BlindRound
from tests.support.seeded import Seeded

GAME = catalogue.game("texas_holdem")
RULES = msgspec.convert({"missed_blinds": "post"}, GAME.rules_type)
FORCED = {"small_blind", "big_blind", "post", "dead_blind"}


def played(table: Table, seats: list[int], rules: Any = RULES) -> tuple[Table, dict[int, int]]:
    """Play a hand of these seats in which all fold; return the table after it, and each seat's forced bets."""
    now = msgspec.structs.replace(table, chips={seat: table.chips[seat] for seat in seats})
    round_, happened = GAME.start(rules, now, Seeded(1))
    assert isinstance(round_, PokerRound)
    forced = dict.fromkeys(round_.carry, 0)
    for one in happened:
        if isinstance(one, Staked) and one.what in FORCED:
            forced[one.seat] += one.amount
    while (waiting := round_.waiting()) is not None:
        round_.act(waiting.seats[0], actions.Fold(), Seeded(1))
    assert round_.outcome is not None
    after = msgspec.structs.replace(table, button=round_.outcome.button, memory=round_.outcome.memory)
    return after, forced


def waiting(**more: Any) -> Any:
    """Return house rules under which seats wait for the big blind."""
    return msgspec.convert({"missed_blinds": "wait", **more}, GAME.rules_type)


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


def test_a_seat_that_missed_the_small_blind_too_posts_it_dead() -> None:
    """The post of a returning seat is its bet; the small blind that passed it goes into the pot whole."""
    table = Table(chips=dict.fromkeys(range(6), 1000), first_button=5)
    table, _ = played(table, [0, 1, 2, 3, 4, 5])
    table, _ = played(table, [0, 1, 3, 4, 5])  # button 0: the small blind passes no seat that is away
    table, _ = played(table, [0, 1, 3, 4, 5])  # button 1: it passes seat 2
    round_, happened = GAME.start(RULES, table, Seeded(1))
    assert [(one.what, one.amount) for one in happened if isinstance(one, Staked) and one.seat == 2] == [
        ("dead_blind", 5),
        ("post", 10),
    ]
    seen = {seat.seat: seat for seat in round_.view(None).seats}
    assert (seen[2].staked, seen[2].bet, seen[2].to_call) == (15, 10, 0)
    _, forced = played(table, [0, 1, 2, 3, 4, 5])
    assert forced[2] == 15


def test_a_small_blind_that_has_not_passed_is_not_posted() -> None:
    """A seat that was away far from the blinds posts a big blind alone; so does a new one that it passed."""
    table = Table(chips=dict.fromkeys(range(6), 1000), first_button=5)
    table, _ = played(table, [0, 1, 2, 3, 4, 5])
    away, _ = played(table, [0, 1, 2, 3, 5])
    _, forced = played(away, [0, 1, 2, 3, 4, 5])
    assert forced[4] == 10
    for _ in range(2):
        table, _ = played(table, [0, 1, 3, 4, 5])
    _, forced = played(msgspec.structs.replace(table, memory=GAME.left(table.memory, 2)), [0, 1, 2, 3, 4, 5])
    assert forced[2] == 10


def test_at_a_full_table_stepping_out_costs_as_much_as_staying() -> None:
    """At ten seats, too, a seat that sits out whenever a blind would be its own puts in no less a round than others."""
    table = Table(chips=dict.fromkeys(range(10), 10_000), first_button=0)
    sums, rounds = dict.fromkeys(range(10), 0), dict.fromkeys(range(10), 0)
    for _ in range(60):
        button = 0 if table.button is None else (table.button + 1) % 10
        away = 4 in ((button + 1) % 10, (button + 2) % 10)
        table, forced = played(table, [seat for seat in range(10) if seat != 4 or not away])
        for seat, amount in forced.items():
            sums[seat] += amount
            rounds[seat] += 1
    assert rounds[4] < 60
    assert sums[4] / rounds[4] >= min(sums[seat] / rounds[seat] for seat in range(10) if seat != 4)


@pytest.mark.parametrize("new", [False, True], ids=["comes back", "sits down"])
def test_a_seat_waits_for_the_big_blind(new: bool) -> None:
    """It is not dealt in until the big blind comes to it; then it posts that alone, and nobody skips a blind."""
    rules = waiting()
    table = Table(chips=dict.fromkeys(range(5), 1000), first_button=0)
    table, _ = played(table, [0, 1, 2, 3] if new else [0, 1, 2, 3, 4], rules)
    if not new:
        table, _ = played(table, [0, 1, 2, 3], rules)
    bigs = []
    for _ in range(4):
        round_, _ = GAME.start(rules, msgspec.structs.replace(table, chips=dict.fromkeys(range(5), 1000)), Seeded(1))
        assert isinstance(round_, BlindRound)
        bigs.append(round_.order[round_.big_blind_position()])
        table, forced = played(table, [0, 1, 2, 3, 4], rules)
        if 4 in forced:
            break
    assert forced[4] == 10
    assert bigs == ([3, 4] if new else [4])
    _, forced = played(table, [0, 1, 2, 3, 4], rules)
    assert forced == {0: 10, 1: 0, 2: 0, 3: 0, 4: 5}


def test_waiting_seats_come_in_where_too_few_play() -> None:
    """Fewer than two players without those that wait: all are dealt in; of three the newcomer waits its turn."""
    rules = waiting()
    table = Table(chips=dict.fromkeys(range(4), 1000), first_button=0)
    table, _ = played(table, [0, 1], rules)
    _, forced = played(table, [0, 2, 3], rules)
    assert set(forced) == {0, 2, 3}
    rounds = []
    for _ in range(3):
        table, forced = played(table, [0, 1, 2], rules)
        rounds.append(forced)
    assert [2 in forced for forced in rounds] == [True, True, True]
    assert rounds[0] == {0: 0, 1: 5, 2: 10}


def test_newcomers_have_a_house_rule_of_their_own() -> None:
    """A returning seat waits while a new player posts, or the other way round."""
    table = Table(chips=dict.fromkeys(range(6), 1000), first_button=4)
    for rules, seats in (
        (waiting(newcomers="post"), {0, 1, 2, 3, 5}),
        (waiting(missed_blinds="post", newcomers="wait"), {0, 1, 2, 3, 4}),
        (waiting(missed_blinds="nothing", newcomers="wait"), {0, 1, 2, 3, 4}),
        (waiting(newcomers="nothing"), {0, 1, 2, 3, 5}),
    ):
        later, _ = played(table, [0, 1, 2, 3, 4], rules)
        later, _ = played(later, [0, 1, 2, 3], rules)
        _, forced = played(later, [0, 1, 2, 3, 4, 5], rules)
        assert set(forced) == seats
        assert sum(forced.values()) == 15 + (10 if "post" in (rules.on_entry, rules.on_return) else 0)


@pytest.mark.parametrize("button", ["moving", "dead"])
@pytest.mark.parametrize("seed", range(10))
def test_nobody_comes_in_but_in_the_big_blind(button: str, seed: int) -> None:
    """Seats come and go at random: each that was not in the last round is in the big blind, or too few would play."""
    rng, rules = Random(f"waits {button} {seed}"), waiting(button=button)
    table, last = Table(chips=dict.fromkeys(range(8), 1000), first_button=0), set(range(8))
    entered = 0
    for _ in range(60):
        seats = sorted(rng.sample(range(8), rng.randint(4, 8)))
        now = msgspec.structs.replace(table, chips=dict.fromkeys(seats, 1000))
        round_, _ = GAME.start(rules, now, Seeded(1))
        assert isinstance(round_, BlindRound)
        new = set(round_.order) - last
        if len(last & set(seats)) >= 2:
            assert new <= {round_.order[round_.big_blind_position()]}
            entered += len(new)
        table, _ = played(table, seats, rules)
        last = set(round_.order)
    assert entered


def test_version_1_asks_for_the_big_blind_alone() -> None:
    """Tables of version 1 go on as before: the small blind is never posted dead, and the memory is of the old form."""
    first = catalogue.game("texas_holdem", 1)
    rules = msgspec.convert({"missed_blinds": "post"}, first.rules_type)
    table = Table(chips=dict.fromkeys(range(6), 1000), first_button=5)
    for seats in ([0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 5], [0, 1, 3, 4, 5]):
        now = msgspec.structs.replace(table, chips=dict.fromkeys(seats, 1000))
        round_, _ = first.start(rules, now, Seeded(1))
        while (waits := round_.waiting()) is not None:
            round_.act(waits.seats[0], actions.Fold(), Seeded(1))
        assert round_.outcome is not None
        assert round_.outcome.memory == {"played": seats}
        table = msgspec.structs.replace(table, button=round_.outcome.button, memory=round_.outcome.memory)
    _, happened = first.start(rules, table, Seeded(1))
    assert [(one.what, one.amount) for one in happened if isinstance(one, Staked) and one.seat == 2] == [("post", 10)]
    unknown = {
        "missed_blinds": "wait",
        "newcomers": "post",
        "button": "dead",
        "straddle": "under_the_gun",
        "run_it": "twice",
        "show": "winner",
    }
    for key, value in unknown.items():
        assert [fault.field for fault in first.faults(msgspec.structs.replace(rules, **{key: value}))] == [key]


@pytest.mark.parametrize("game_id", ["texas_holdem", "omaha", "five_card_draw"])
def test_the_house_s_own_templates_have_it_on(game_id: str) -> None:
    """The sheet leaves the rule off; the standard template of a game with blinds switches it on."""
    game = catalogue.game(game_id)
    assert msgspec.to_builtins(game.rules_type())["missed_blinds"] == "nothing"
    assert msgspec.to_builtins(game.standard_rules())["missed_blinds"] == "post"
