"""Seats that sit out: of their own will or by the clock, until they come back or have been away for too long."""

from random import Random
from typing import Any

import msgspec
import pytest
from pitboss.v1 import table_pb2

from services.contract import wire_tables
from services.rules import actions, catalogue
from services.table import codec, events, money, public_table
from services.table.events import Absence
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
SHOWDOWN = "tongbi_san_gong"


def table(game: str = SHOWDOWN, seats: int = 3, **rules: Any) -> Sitting:
    """Return a table with seats of 5000 chips."""
    sitting = Sitting(game, worlds.default_rules(catalogue.game(game), **rules), absence=True)
    sitting.sit(dict.fromkeys(range(seats), 5000))
    return sitting


def played(sitting: Sitting, *, lapsing: int | None = None) -> list[events.Event]:
    """Play a round in which everybody acts, but one seat lets its time pass; settle it."""
    sitting.start()
    while sitting.table.core.phase == public_table.IN_ROUND:
        round_ = sitting.table.round
        assert round_ is not None, "a round runs"
        waiting = round_.waiting()
        assert waiting is not None, "a running round waits"
        acting = [seat for seat in waiting.seats if seat != lapsing]
        if not acting:
            sitting.on_timeout()
        elif round_.options(acting[0])[0].action == "bet_multiple":
            sitting.act(acting[0], actions.BetMultiple(multiple=1))
        else:
            sitting.act(acting[0], actions.Reveal())
    return sitting.settle()


def test_a_seat_that_sits_out_keeps_its_chips_and_is_not_dealt_in() -> None:
    """It plays the running round to its end, is left out of the next ones, and is back once it says so."""
    sitting = table()
    sitting.start()
    assert sitting.sit_out(1) == [events.SatOut(at_ms=sitting.now, seat=1, by_clock=False)]
    assert sitting.sit_out(1) == []
    assert sitting.table.core.plays(1)
    sitting.finish(Random(1), lapses=0.0)
    sitting.settle()
    held = sitting.table.core.seats[1].chips
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert set(started.carry) == {0, 2}
    assert sitting.sit_in(1) == [events.SatIn(at_ms=sitting.now, seat=1)]
    assert sitting.sit_in(1) == []
    sitting.finish(Random(2), lapses=0.0)
    sitting.settle()
    assert sitting.table.core.seats[1].chips == held
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert set(started.carry) == {0, 1, 2}
    assert sitting.again().differences == []


def test_a_seat_that_sits_out_leaves_at_once_in_mid_round() -> None:
    """It is not in the round; its chips go with it, and the next player has no part in its absence."""
    sitting = table()
    sitting.sit_out(1)
    sitting.start()
    assert isinstance(sitting.leave(1)[0], events.SeatLeft)
    sitting.sit({1: 700})
    assert sitting.table.core.absent == {}
    sitting.finish(Random(1))
    sitting.settle()
    assert sitting.again().differences == []


def test_the_clock_sits_a_seat_out_after_two_decisions_in_a_row() -> None:
    """Multiple and cards of one round lapse: after it the seat sits out, by the clock; the others do not."""
    sitting = table()
    _, *more = played(sitting, lapsing=2)
    assert more == [events.SatOut(at_ms=sitting.now, seat=2, by_clock=True)]
    assert sitting.table.core.lapses == {}
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert set(started.carry) == {0, 1}
    assert sitting.again().differences == []


def test_an_action_in_between_starts_the_count_anew() -> None:
    """Decisions of two rounds count together, and a log that is read from the later round on agrees."""
    sitting = table("texas_holdem")

    def folded(*, lapses: bool) -> list[events.Event]:
        sitting.start()
        while sitting.table.core.phase == public_table.IN_ROUND:
            round_ = sitting.table.round
            assert round_ is not None, "a round runs"
            waiting = round_.waiting()
            assert waiting is not None, "a running round waits"
            [seat] = waiting.seats
            if seat == 0 and lapses:
                sitting.on_timeout()
            elif seat == 0:
                sitting.act(seat, actions.Fold())
            else:
                sitting.act(seat, actions.Check() if round_.can(seat, actions.Check()) else actions.Call())
        return sitting.settle()

    assert len(folded(lapses=True)) == 1
    assert sitting.table.core.lapses == {0: 1}
    assert len(folded(lapses=False)) == 1
    assert sitting.table.core.lapses == {}
    assert len(folded(lapses=True)) == 1
    made = folded(lapses=True)
    assert made[1:] == [events.SatOut(at_ms=sitting.now, seat=0, by_clock=True)]
    again = sitting.again(sitting.log[sitting.last_start - 1 :], sitting.last_start)
    assert again.differences == []
    assert sitting.again().differences == []


@pytest.mark.parametrize("rounds", [2, 0])
def test_a_seat_is_cashed_out_after_so_many_rounds(rounds: int) -> None:
    """The view counts them down; once they have begun the seat is freed between two rounds, with all of its chips."""
    sitting = table(absent_rounds=rounds)
    core = sitting.table.core
    sitting.sit_out(1)
    for number in range(2):
        shown = wire_tables.view(sitting.table, 1).seats[1]
        assert (shown.state, shown.sitting_out) == (table_pb2.SEAT_STATE_SITTING_OUT, True)
        assert shown.HasField("removal_rounds") == bool(rounds)
        if rounds:
            assert shown.removal_rounds == rounds - number
        assert sitting.remove_absent() == []
        played(sitting)
    removed = sitting.remove_absent()
    if not rounds:
        assert removed == []
    else:
        assert removed == [events.RemovedForAbsence(at_ms=sitting.now, seat=1, player="p1", chips=5000)]
        assert set(core.seats) == {0, 2}
    assert sitting.again().differences == []


def test_a_seat_is_cashed_out_after_so_many_minutes() -> None:
    """The moment is in the view and among those that the house acts at; who comes back before it keeps the seat."""
    sitting = table(absent_minutes=3)
    core = sitting.table.core
    sitting.sit_out(0)
    until_ms = sitting.now + 180_000
    assert core.due_ms == until_ms
    assert wire_tables.view(sitting.table, None).seats[0].removal_time.ToMilliseconds() == until_ms
    assert not wire_tables.clock(core, sitting.now).HasField("time_left_ms")
    sitting.sit_in(0)
    assert core.due_ms == 0
    sitting.sit_out(0)
    sitting.tick(179_000)
    assert sitting.remove_absent() == [events.RemovedForAbsence(at_ms=sitting.now, seat=0, player="p0", chips=5000)]
    assert core.due_ms == 0
    assert sitting.again().differences == []


def test_a_removal_that_came_too_early_is_a_difference() -> None:
    """The rules remove nobody who was not away for too long; a log that says so does not follow."""
    sitting = table()
    sitting.sit_out(0)
    early = events.RemovedForAbsence(at_ms=sitting.now + 1, seat=0, player="p0", chips=5000)
    assert money.remove(sitting.table.core, 0, early.at_ms) == []
    [found] = sitting.differences([*sitting.log, early])
    assert (found.version, found.found) == (len(sitting.log) + 1, "RemovedForAbsence")


def test_tables_of_older_logs_count_no_absence() -> None:
    """The clock's decisions sit nobody out where the opening has no such rule: the log replays as it was."""
    sitting = Sitting(SHOWDOWN)
    sitting.sit(dict.fromkeys(range(3), 5000))
    assert len(played(sitting, lapsing=2)) == 1
    assert sitting.table.core.lapses == {}
    sitting.sit_out(2)
    assert sitting.table.core.absent == {2: Absence(since_ms=sitting.now, until_ms=0)}
    assert sitting.remove_absent() == []


def test_a_match_keeps_the_seats_that_sit_out() -> None:
    """In its running match a seat that sits out is dealt in; the next match is without it."""
    sitting = table("honeymoon", 5)
    sitting.start()
    sitting.sit_out(4)
    sitting.finish(Random(1))
    sitting.settle()
    for _ in range(60):
        if not sitting.table.core.pot:
            break
        started = sitting.start()[0]
        assert isinstance(started, events.RoundStarted)
        assert 4 in started.carry
        sitting.finish(Random(1))
        sitting.settle()
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert 4 not in started.carry
    assert sitting.again().differences == []


@pytest.mark.parametrize("game", GAMES)
def test_any_game_goes_on_without_a_seat_that_sits_out(game: str) -> None:
    """Where enough others are ready a round starts, the seat that sits out is not in it, and replay agrees."""
    found = catalogue.game(game)
    for number in range(4):
        rng = Random(f"{game} out {number}")
        sitting = sittings.random_sitting(game, f"out {number}", rounds=1, absence=True)
        seats = sorted(sitting.table.core.seats)
        out = rng.choice(seats)
        sitting.sit_out(out)
        core = sitting.table.core
        closed = found.closed_match(sitting.rules, core.for_rules(), in_round=False)
        at_stake = core.at_stake()
        assert (out in at_stake.chips) == (closed is not None)
        if worlds.can_start(found, sitting.rules, at_stake):
            started = sitting.start()[0]
            assert isinstance(started, events.RoundStarted)
            assert out not in started.carry or closed is not None
            sitting.finish(rng)
            sitting.settle()
        assert sitting.again().differences == []
        assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core


def test_an_absence_is_restated_by_the_start_of_a_round() -> None:
    """A table that is rebuilt from the start of its last round knows who sits out, since when, and for how long."""
    sitting = table()
    sitting.sit_out(1)
    played(sitting)
    sitting.start()
    text = codec.encode(sitting.log[sitting.last_start - 1])
    assert msgspec.json.decode(text)["absent"]["1"]["rounds"] == 1
    rest = sitting.log[sitting.last_start - 1 :]
    again = sitting.again(rest, sitting.last_start)
    assert again.differences == []
    assert again.table is not None
    assert again.table.core.absent == sitting.table.core.absent


def test_without_any_limit_the_clock_sits_nobody_out() -> None:
    """A table that lets seats stay away for as long as they like deals them in on, as cases and simulations need it."""
    sitting = table(absent_rounds=0, absent_minutes=0)
    assert len(played(sitting, lapsing=2)) == 1
    assert sitting.table.core.lapses == {}
