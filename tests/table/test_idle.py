"""Tables that nobody uses: the moment of their close follows from the log, and the close pays every seat out."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from pitboss.v1 import table_pb2

from services.contract import wire_events, wire_tables
from services.journal import log_rows
from services.rules import catalogue
from services.table import event_fold, events, idle, money, player_seeds, public_table, top_up
from tests.support import worlds
from tests.support.sittings import Sitting

GAME = "tongbi_san_gong"
MINUTES = 5
AFTER_MS = 60_000 * MINUTES
BY = log_rows.Metadata(actor="house", role="service", command="CloseTable", process="settlement")


def table(**rules: Any) -> Sitting:
    """Return a table that closes after five minutes without use, with two seats of 500 chips."""
    given = {"idle_minutes": MINUTES, **rules}
    sitting = Sitting(GAME, worlds.default_rules(catalogue.game(GAME), **given), absence=True, idle=True)
    sitting.sit({0: 500, 1: 500})
    return sitting


def closed(sitting: Sitting) -> list[events.Event]:
    """Let the house close the table now, if it does."""
    return sitting.take(money.close_idle(sitting.table.core, sitting.now))


def test_a_new_table_closes_unless_somebody_comes() -> None:
    """The opening sets the moment, and who sits down moves it."""
    sitting = Sitting(GAME, idle=True)
    assert sitting.table.core.due_ms == sitting.now + 60 * 60_000
    sitting.sit({0: 500})
    assert sitting.table.core.due_ms == sitting.now + 60 * 60_000


@pytest.mark.parametrize(
    ("does", "uses"),
    [
        (lambda at: at.add(0, 10), True),
        (lambda at: at.take(top_up.set_level(at.table.core, 0, 600, at.tick())), True),
        (lambda at: at.take(player_seeds.set_seed(at.table.core, 0, "luck", at.tick())), True),
        (lambda at: at.sit({2: 500}), True),
        (lambda at: at.start(), True),
        (lambda at: at.leave(0), False),
        (lambda at: at.sit_out(0), False),
    ],
)
def test_what_somebody_does_moves_the_close(does: Callable[[Sitting], Any], uses: bool) -> None:
    """Each use of the table puts its close off; a leave or a pause does not."""
    sitting = table()
    before_ms = sitting.table.core.idle_ms
    assert before_ms == sitting.now + AFTER_MS
    does(sitting)
    assert sitting.table.core.idle_ms == (sitting.now + AFTER_MS if uses else before_ms)


def test_a_round_is_never_closed_and_its_last_action_counts() -> None:
    """However long a round lasts, it ends first; after it the table closes as long after the last action."""
    sitting = table()
    sitting.start()
    sitting.step(Random(1), lapses=0.0)
    last_ms, core = sitting.now, sitting.table.core
    sitting.tick(AFTER_MS)
    assert closed(sitting) == []
    assert core.due_ms == core.deadline_ms
    while core.phase == public_table.IN_ROUND:
        sitting.on_timeout()
    sitting.settle()
    assert core.idle_ms == last_ms + AFTER_MS
    assert isinstance(closed(sitting)[0], events.TableClosed)
    assert sitting.again().differences == []


def test_the_close_pays_every_seat_and_says_why() -> None:
    """Not a moment early; the event gives the reason in three languages, and nothing is due any more."""
    sitting = table()
    core = sitting.table.core
    sitting.now = core.idle_ms - 1
    assert closed(sitting) == []
    sitting.tick(1)
    over, *left = closed(sitting)
    assert isinstance(over, events.TableClosed)
    assert [(seat.player, seat.chips) for seat in left if isinstance(seat, events.SeatLeft)] == [
        ("p0", 500),
        ("p1", 500),
    ]
    assert (core.phase, core.idle_ms, core.due_ms) == (public_table.CLOSED, 0, 0)
    assert closed(sitting) == []
    shown = wire_events.event(core.version, "TableClosed", over, core.opening.family)
    assert shown.reason == shown.reason_text.en == idle.REASON.en
    assert shown.reason_text.zh_hant
    assert shown.reason_text.zh_hans
    by_staff = events.TableClosed(at_ms=1, reason=idle.REASON.en, closed_by="boss", shares={})
    assert not wire_events.event(1, "TableClosed", by_staff, core.opening.family).HasField("reason_text")
    assert sitting.again().differences == []


def test_a_close_that_came_too_early_is_a_difference() -> None:
    """The house closes no table that somebody has used; a log that says so does not follow."""
    sitting = table()
    early = events.TableClosed(
        at_ms=sitting.table.core.idle_ms - 1, reason=idle.REASON.en, closed_by=idle.CLOSED_BY, shares={}
    )
    [found] = sitting.differences([*sitting.log, early])
    assert (found.version, found.found) == (len(sitting.log) + 1, "TableClosed")


def test_the_view_shows_the_moment() -> None:
    """Everybody sees when the table closes; the countdown to a round does not count down to it."""
    sitting = table()
    core = sitting.table.core
    shown: table_pb2.TableView = wire_tables.view(sitting.table, None)
    assert shown.idle_close_time.ToMilliseconds() == core.idle_ms
    assert not wire_tables.clock(core, sitting.now).HasField("time_left_ms")


def test_an_idle_table_has_a_mark_of_its_own() -> None:
    """The sweep pages every two seconds through tables at which the house acts soon: idle ones are not among them."""
    sitting = table(absent_minutes=3)
    core = sitting.table.core
    assert core.due_ms == core.idle_ms
    assert log_rows.append(core, sitting.log[-1:], BY, follows=None).mark == log_rows.IDLE
    sitting.sit_out(0)
    assert log_rows.append(core, sitting.log[-1:], BY, follows=None).mark == log_rows.STARTING


def test_a_table_that_is_rebuilt_from_a_start_closes_at_the_same_moment() -> None:
    """A fold that begins with a round's start knows what a fold of the whole log does."""
    sitting = table()
    sitting.start()
    started = next(at for at, event in enumerate(sitting.log) if isinstance(event, events.RoundStarted))
    sitting.finish(Random(3))
    sitting.settle()
    core = event_fold.begin(sitting.table_id, started + 1, sitting.log[started])
    for event in sitting.log[started + 1 :]:
        event_fold.fold(core, event)
    assert core.idle_ms == sitting.table.core.idle_ms > 0


@pytest.mark.parametrize("permanent", [{}, {"idle_minutes": 0}])
def test_tables_without_the_rule_are_permanent(permanent: dict[str, int]) -> None:
    """Tables of older logs lack the key; 0 says the same."""
    rules = worlds.default_rules(catalogue.game(GAME), **permanent)
    sitting = Sitting(GAME, rules, idle=bool(permanent))
    sitting.sit({0: 500, 1: 500})
    assert ("idle_minutes" in sitting.table.core.opening.rules) == bool(permanent)
    sitting.tick(10**11)
    assert (sitting.table.core.due_ms, closed(sitting)) == (0, [])
    assert not wire_tables.view(sitting.table, None).HasField("idle_close_time")
