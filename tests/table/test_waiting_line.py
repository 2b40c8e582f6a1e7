"""The waiting line: who waits, for whom a free seat is held, and that a seat never goes to two people."""

from random import Random

import msgspec
import pytest

from services.contract import wire_line, wire_tables
from services.rules import catalogue
from services.rules.refusals import Refused
from services.table import event_fold, events, money, waiting_line
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

HOLD_MS = 20_000


def full(**rules: object) -> Sitting:
    """Return a table of two seats, both of them taken."""
    game = catalogue.game("tongbi_san_gong")
    sitting = Sitting("tongbi_san_gong", msgspec.structs.replace(worlds.default_rules(game), max_seats=2, **rules))
    sitting.sit({0: 500, 1: 500})
    return sitting


def waits(sitting: Sitting, *players: str) -> None:
    """Let players join the line."""
    for player in players:
        now = sitting.tick()
        sitting.take(waiting_line.join(sitting.table.core, player, now, now + waiting_line.WAIT_MS))


def take(sitting: Sitting, player: str, seat: int | None = None) -> int:
    """Let a player take a seat; return it. Raises Refused."""
    now = sitting.tick()
    chosen = money.choose_seat(
        sitting.table.core, player=player, name=player, test=True, seat=seat, buy_in=500, at_ms=now
    )
    sitting.take([events.SeatTaken(at_ms=now, seat=chosen)])
    return chosen.seat


def refused(sitting: Sitting, player: str) -> Refused:
    """Return the refusal of a seat."""
    with pytest.raises(Refused) as caught:
        take(sitting, player)
    return caught.value


def players(sitting: Sitting) -> list[str]:
    """Return who waits."""
    return [one.player for one in sitting.table.core.line]


def replayed(sitting: Sitting) -> None:
    """Check that the log replays without a difference, and that the restated table is the folded one."""
    assert sitting.again().differences == []


def test_a_seat_that_comes_up_is_held_for_the_first_in_line() -> None:
    """Others are refused with the end of the hold and their place; the first takes the seat and leaves the line."""
    sitting = full()
    waits(sitting, "ann", "bob")
    assert refused(sitting, "eve").reason == "TABLE_FULL"
    sitting.leave(1)
    until_ms = sitting.now + HOLD_MS
    assert [one.held_until_ms for one in sitting.table.core.line] == [until_ms, 0]
    for stranger, place in (("bob", 2), ("eve", 0)):
        refusal = refused(sitting, stranger)
        assert refusal.reason == "SEAT_HELD"
        assert {key: refusal.metadata[key] for key in ("until_ms", "place", "waiting")} == {
            "until_ms": str(until_ms),
            "place": str(place),
            "waiting": "2",
        }
    assert take(sitting, "ann") == 1
    assert players(sitting) == ["bob"]
    assert not sitting.table.core.line[0].held_until_ms
    replayed(sitting)


def test_a_hold_that_lapses_passes_to_the_next_and_ends_a_wait() -> None:
    """At its end the house removes the first and holds the seat for the next; when nobody is left it is free."""
    sitting = full()
    waits(sitting, "ann", "bob")
    sitting.leave(1)
    core = sitting.table.core
    assert core.due_ms == core.line[0].held_until_ms
    assert waiting_line.ended(core, core.due_ms - 1) == []
    sitting.now = core.due_ms
    [over] = sitting.take(waiting_line.ended(core, sitting.now))
    assert over == events.WaitingEnded(at_ms=sitting.now, players=("ann",))
    assert [(one.player, one.held_until_ms) for one in core.line] == [("bob", sitting.now + HOLD_MS)]
    assert refused(sitting, "ann").reason == "SEAT_HELD"
    sitting.now = core.due_ms
    sitting.take(waiting_line.ended(core, sitting.now))
    assert players(sitting) == []
    assert core.due_ms == 0
    assert take(sitting, "eve") == 1
    replayed(sitting)


def test_a_lapsed_hold_counts_before_the_house_has_recorded_its_end() -> None:
    """The next in line takes the seat at once; the one whose hold lapsed is out with that event."""
    sitting = full()
    waits(sitting, "ann", "bob", "cid")
    sitting.leave(1)
    sitting.tick(HOLD_MS)
    assert refused(sitting, "eve").reason == "SEAT_HELD"
    assert refused(sitting, "ann").reason == "SEAT_HELD"
    assert take(sitting, "bob") == 1
    assert players(sitting) == ["cid"]
    replayed(sitting)


def test_a_wait_ends_after_its_hour_and_joining_again_keeps_the_place() -> None:
    """A player that joins again in time stays where it was, another one is out."""
    sitting = full()
    waits(sitting, "ann", "bob")
    sitting.tick(waiting_line.WAIT_MS - 10_000)
    waits(sitting, "ann")
    assert players(sitting) == ["ann", "bob"]
    sitting.tick(20_000)
    sitting.take(waiting_line.ended(sitting.table.core, sitting.now))
    assert players(sitting) == ["ann"]
    sitting.take(waiting_line.leave(sitting.table.core, "ann", sitting.tick()))
    assert waiting_line.leave(sitting.table.core, "ann", sitting.tick()) == []
    replayed(sitting)


def test_a_line_is_restated_when_a_round_starts() -> None:
    """A table that is rebuilt from a round's start has the same line, holds included."""
    sitting = full()
    waits(sitting, "ann")
    sitting.start()
    waits(sitting, "bob")
    started = next(at for at, event in enumerate(sitting.log) if isinstance(event, events.RoundStarted))
    core = event_fold.begin(sittings.TABLE, started + 1, sitting.log[started])
    for event in sitting.log[started + 1 :]:
        event_fold.fold(core, event)
    assert core.line == sitting.table.core.line
    sitting.finish(Random(1))
    sitting.settle()
    replayed(sitting)


def test_free_seats_beyond_those_held_are_for_everybody() -> None:
    """With two seats free and one player in line, a stranger takes one and the player the other."""
    sitting = full()
    waits(sitting, "ann")
    sitting.leave(0)
    sitting.leave(1)
    assert take(sitting, "eve") == 0
    assert refused(sitting, "fay").reason == "SEAT_HELD"
    assert take(sitting, "ann") == 1
    replayed(sitting)


def test_a_line_is_bounded_and_for_those_without_a_seat() -> None:
    """A line that is full refuses the next one, and a seated player has no place in it."""
    sitting = full()
    waits(sitting, *(f"w{number}" for number in range(waiting_line.MOST_WAITING)))
    with pytest.raises(Refused) as caught:
        waits(sitting, "one too many")
    assert caught.value.reason == "LINE_FULL"
    waits(sitting, "w3")
    with pytest.raises(Refused) as caught:
        waits(sitting, "p0")
    assert caught.value.reason == "ALREADY_SEATED"


def test_the_refusal_names_the_first_hold_that_ends() -> None:
    """Two seats are held, the second one for longer: a stranger learns when the first may be free."""
    sitting = full()
    waits(sitting, "ann", "bob")
    sitting.leave(1)
    first_ms = sitting.now + HOLD_MS
    sitting.tick(5_000)
    sitting.leave(0)
    assert [one.held_until_ms for one in sitting.table.core.line] == [first_ms, sitting.now + HOLD_MS]
    assert refused(sitting, "eve").metadata["until_ms"] == str(first_ms)


def test_a_closed_table_has_no_line() -> None:
    """The line ends with its table, and nobody joins it any more."""
    sitting = full()
    waits(sitting, "ann")
    sitting.close()
    assert players(sitting) == []
    assert sitting.table.core.due_ms == 0
    with pytest.raises(Refused) as caught:
        waits(sitting, "bob")
    assert caught.value.reason == "TABLE_CLOSED"


def test_the_view_shows_the_line_and_to_each_its_own_place() -> None:
    """Everybody sees the length and the holds; one who waits sees its place, the end of its hold and of its wait."""
    sitting = full()
    waits(sitting, "ann", "bob")
    sitting.leave(1)
    core = sitting.table.core
    view = wire_tables.view(sitting.table, None)
    assert (view.waiting_list.length, view.waiting_list.seats_held, view.table.waiting) == (2, 1, 2)
    assert view.waiting_list.hold_end_time.ToMilliseconds() == core.line[0].held_until_ms
    assert not view.waiting_list.HasField("own_place")
    assert wire_line.own(core, "eve") is None
    for place, player in enumerate(("ann", "bob"), start=1):
        own = wire_line.own(core, player)
        assert own is not None
        assert own.own_place == place
        assert own.HasField("own_hold_end_time") == (place == 1)
        assert own.own_expire_time.ToMilliseconds() == core.line[place - 1].until_ms


def test_a_hold_does_not_run_while_a_match_keeps_everybody_away() -> None:
    """A seat that is free in a match is held for nobody until the match is over."""
    game = catalogue.game("honeymoon")
    rules = msgspec.structs.replace(worlds.default_rules(game), min_seats=2, max_seats=3)
    sitting = Sitting("honeymoon", rules)
    sitting.sit({0: 5000, 1: 5000})
    sitting.start()
    waits(sitting, "ann")
    assert sitting.table.core.line[0].held_until_ms == 0
