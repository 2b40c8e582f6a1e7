"""Time banks: spent by who acts late, gone with a deadline, refilled by rounds, shown, replayed."""

from random import Random
from typing import Any

import pytest

from services.contract import wire_tables
from services.rules import actions, catalogue
from services.table import events, public_table, time_bank
from tests.support import worlds
from tests.support.sittings import Sitting

TURN_MS = 30_000
BANK_S = 20
FULL_MS = 1000 * BANK_S


def table(seats: int = 3, **rules: Any) -> Sitting:
    """Return a table of hold'em with time banks."""
    told = {"turn_seconds": TURN_MS // 1000, "time_bank_s": BANK_S} | rules
    sitting = Sitting("texas_holdem", worlds.default_rules(catalogue.game("texas_holdem"), **told))
    sitting.sit(dict.fromkeys(range(seats), 5000))
    return sitting


def to_act(sitting: Sitting) -> int:
    """Return the seat that is to act alone."""
    assert sitting.table.round is not None, "a round runs"
    waiting = sitting.table.round.waiting()
    assert waiting is not None, "a running round waits"
    [seat] = waiting.seats
    return seat


def act_after(sitting: Sitting, ms: int, action: actions.Action | None = None) -> int:
    """Act for the seat whose turn it is, so many milliseconds after the turn began; return the seat."""
    seat = to_act(sitting)
    sitting.now += ms - 1000
    sitting.act(seat, action or actions.Call())
    return seat


def test_the_deadline_includes_the_bank_and_the_view_says_how_much() -> None:
    """A turn of 30 s with a bank of 20 s ends after 50 s; the view shows its length, the bank's part, each bank."""
    sitting = table()
    sitting.start()
    core = sitting.table.core
    assert core.deadline_ms == sitting.now + TURN_MS + FULL_MS
    shown = wire_tables.view(sitting.table, None)
    assert (shown.round.turn_ms, shown.round.time_bank_ms) == (TURN_MS + FULL_MS, FULL_MS)
    assert [seat.time_bank_ms for seat in shown.seats] == [FULL_MS] * 3


def test_a_table_without_banks_shows_none() -> None:
    """Off by default: the deadline is the turn's, and no seat shows a bank."""
    sitting = table(time_bank_s=0)
    sitting.start()
    shown = wire_tables.view(sitting.table, None)
    assert sitting.table.core.deadline_ms == sitting.now + TURN_MS
    assert not any(seat.HasField("time_bank_ms") for seat in shown.seats)


@pytest.mark.parametrize(
    ("took_ms", "left_ms"),
    [(1000, FULL_MS), (TURN_MS, FULL_MS), (TURN_MS + 1, FULL_MS - 1), (TURN_MS + FULL_MS - 1, 1)],
)
def test_who_acts_late_spends_what_it_used(took_ms: int, left_ms: int) -> None:
    """Within the turn's own time the bank stays full; beyond it each millisecond counts."""
    sitting = table()
    sitting.start()
    seat = act_after(sitting, took_ms)
    assert time_bank.left_ms(sitting.table.core, seat) == left_ms
    assert sitting.table.core.deadline_ms == sitting.now + TURN_MS + FULL_MS  # the next seat's own bank


def test_a_deadline_takes_the_whole_bank_and_the_next_turn_has_none() -> None:
    """Heads-up, the small blind lets its time pass in one round and gets the bare turn in the next."""
    sitting = table(seats=2)
    sitting.start()
    seat = to_act(sitting)
    sitting.on_timeout()
    assert time_bank.left_ms(sitting.table.core, seat) == 0
    sitting.settle()
    sitting.start()
    act_after(sitting, 1000)
    assert to_act(sitting) == seat
    assert sitting.table.core.bank_ms == 0
    assert sitting.table.core.deadline_ms == sitting.now + TURN_MS


def test_a_seat_that_acts_twice_running_has_spent_its_bank_already() -> None:
    """The big blind checks late before the flop and is first to act on it: its bank is the smaller one."""
    sitting = table(seats=2)
    sitting.start()
    act_after(sitting, 1000)
    seat = act_after(sitting, TURN_MS + 5000, actions.Check())
    assert to_act(sitting) == seat
    assert sitting.table.core.bank_ms == FULL_MS - 5000


def test_each_round_refills_the_seats_that_it_deals_in_up_to_the_size() -> None:
    """Of 15 s spent a refill of 10 s leaves 5 s spent; the next one makes the bank full, never more."""
    sitting = table(seats=2, time_bank_refill_s=10)
    sitting.start()
    seat = act_after(sitting, TURN_MS + 15_000, actions.Fold())
    for left in (FULL_MS - 5000, FULL_MS, FULL_MS):
        sitting.settle()
        sitting.start()
        assert time_bank.left_ms(sitting.table.core, seat) == left
        act_after(sitting, 1000, actions.Fold())


def test_a_seat_that_is_taken_anew_has_a_full_bank() -> None:
    """The bank goes with the seat."""
    sitting = table()
    sitting.start()
    seat = act_after(sitting, TURN_MS + 5000, actions.Fold())
    sitting.finish(Random(1), lapses=0.0)
    sitting.settle()
    sitting.leave(seat)
    sitting.sit({seat: 500})
    assert time_bank.left_ms(sitting.table.core, seat) == FULL_MS


def test_replay_and_a_fold_from_the_last_start_agree_about_banks() -> None:
    """A log with late actions and deadlines is replayed without a difference, and restated by a start."""
    sitting = table(time_bank_refill_s=3)
    rng = Random(7)
    for _ in range(4):
        sitting.start()
        while sitting.table.core.phase == public_table.IN_ROUND:
            sitting.now += rng.randrange(TURN_MS + BANK_S * 900)
            sitting.step(rng, lapses=0.3)
        sitting.settle()
    assert sitting.table.core.time_spent
    found = sitting.again()
    assert found.differences == []
    core = sitting.folded(sitting.log, sitting.table_id)
    assert core.time_spent == sitting.table.core.time_spent
    from_start = Sitting.grown(None, [sitting.log[0]], sitting.table_id)
    assert from_start.time_spent == {}
    last = sitting.log[sitting.last_start - 1]
    assert isinstance(last, events.RoundStarted)
    assert last.time_spent
