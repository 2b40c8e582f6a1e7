"""Between rounds a table shows what each seat will put in before the first card, and who waits for the big blind."""

from random import Random
from typing import Any

import msgspec
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_tables
from services.rules import actions, catalogue
from services.rules.happenings import Staked
from services.table import events
from tests.support.sittings import Sitting

Bets = dict[int, list[tuple[str, int]]]


def sitting(seats: int = 4, **rules: Any) -> Sitting:
    """Return a table of hold'em with seats that hold 1,000 chips each."""
    game = catalogue.game("texas_holdem")
    found = Sitting("texas_holdem", msgspec.convert(rules, game.rules_type), first_button=0)
    found.sit(dict.fromkeys(range(seats), 1000))
    return found


def play(table: Sitting) -> None:
    """Play a round in which all fold."""
    table.start()
    while (round_ := table.table.round) is not None and (waiting := round_.waiting()) is not None:
        table.act(waiting.seats[0], actions.Fold())
    table.settle()


def bets(table: Sitting, viewer: int | None = None) -> Bets:
    """Return what the table shows of each seat's next bets; nothing of seats without any."""
    shown = wire_tables.view(table.table, viewer).seats
    return {seat.seat: [(bet.reason, bet.amount) for bet in seat.next_bets] for seat in shown if seat.next_bets}


def state(table: Sitting, seat: int) -> "pb.SeatState.ValueType":
    """Return the state that the table shows of a seat."""
    return next(one.state for one in wire_tables.view(table.table, None).seats if one.seat == seat)


def test_it_is_shown_before_the_round_and_then_taken() -> None:
    """Antes, blinds and the straddle are shown to every viewer as the next round takes them; in a round nothing is."""
    table = sitting(ante=1, straddle="under_the_gun")
    table.act(3, actions.Straddle(active=True))
    expected = {
        0: [("ante", 1)],
        1: [("ante", 1), ("small_blind", 5)],
        2: [("ante", 1), ("big_blind", 10)],
        3: [("ante", 1), ("straddle", 20)],
    }
    assert [bets(table, viewer) for viewer in (None, 0, 3)] == [expected] * 3
    [started, *_] = table.start()
    assert isinstance(started, events.RoundStarted)
    taken: Bets = {}
    for one in started.happenings:
        if isinstance(one, Staked):
            taken.setdefault(one.seat, []).append((one.what, one.amount))
    assert taken == expected
    assert bets(table) == {}


def test_a_seat_that_sits_out_sees_what_a_return_costs() -> None:
    """It is the post, with the dead small blind once that has passed; the same is taken when the seat comes back."""
    table = sitting(6, missed_blinds="post")
    play(table)
    assert 5 not in bets(table)
    table.sit_out(5)
    assert 5 not in bets(table), "who was dealt in in the last round owes nothing yet"
    play(table)
    assert state(table, 5) == pb.SEAT_STATE_SITTING_OUT
    assert bets(table)[5] == [("post", 10)]
    for _ in range(3):
        play(table)
    cost = bets(table)[5]
    assert cost == [("dead_blind", 5), ("post", 10)]
    table.sit_in(5)
    assert bets(table)[5] == cost
    table.start()
    assert table.table.round is not None
    assert table.table.round.carry[5] - table.table.round.view(5).seats[5].chips == 15


def test_a_seat_that_waits_is_shown_waiting() -> None:
    """It has chips and is not dealt in until the big blind is its own; other seats are ready."""
    table = sitting(4, missed_blinds="wait")
    play(table)
    table.sit({4: 1000})
    seen = []
    for _ in range(2):
        seen.append((state(table, 4), bets(table).get(4)))
        play(table)
    assert seen == [(pb.SEAT_STATE_WAITING, None), (pb.SEAT_STATE_READY, [("big_blind", 10)])]
    assert state(table, 0) == pb.SEAT_STATE_READY


def test_who_straddles_is_seen_by_all_and_forgotten_with_the_player() -> None:
    """The choice stands from round to round, is shown, and goes with its player; the log is replayed to the same."""
    table = sitting(straddle="under_the_gun", missed_blinds="post", button="dead")
    table.act(2, actions.Straddle(active=True))
    for _ in range(3):
        play(table)
        assert list(wire_tables.view(table.table, None).carried.straddles) == [2]
    table.leave(2)
    assert list(wire_tables.view(table.table, None).carried.straddles) == []
    table.start()
    table.finish(Random(1))
    table.settle()
    assert table.again().differences == []


def test_nobody_waits_where_too_few_are_there() -> None:
    """With one of two seats sitting out no round can start: the other is ready, and nothing is asked of either."""
    table = sitting(2, missed_blinds="wait")
    play(table)
    table.sit_out(1)
    assert bets(table) == {}
    assert state(table, 0) == pb.SEAT_STATE_READY


def test_a_stake_limit_bounds_the_straddle() -> None:
    """A seat that may stake less than twice the big blind does not straddle, whatever it holds."""
    table = sitting(straddle="under_the_gun")
    table.act(3, actions.Straddle(active=True))
    table.allow({3: 19})
    assert 3 not in bets(table)
    table.allow({3: 20})
    assert bets(table)[3] == [("straddle", 20)]
    table.start()
    assert table.table.round is not None
    assert {seat.seat: seat.staked for seat in table.table.round.view(None).seats}[3] == 20


def test_a_table_of_another_game_shows_nothing() -> None:
    """A game without forced bets before the deal says nothing of them, and its seats are ready as always."""
    table = Sitting("blackjack")
    table.sit({0: 1000})
    assert bets(table) == {}
    assert state(table, 0) == pb.SEAT_STATE_READY
