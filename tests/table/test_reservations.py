"""Reserved seats: nobody else gets one, quick seat and waiting line pass it by, and one that lapses is free again."""

from typing import Any

import msgspec
import pytest
from pitboss.v1 import dealer_pb2

from services.contract import wire_line, wire_tables
from services.dealer import reserved_seats
from services.journal import log_rows
from services.rules import catalogue
from services.rules.refusals import Refused
from services.runtime.identity import Caller, Role
from services.table import entry_events, event_fold, events, idle, reservations
from services.table.records import Reservation
from tests.support import sittings, worlds
from tests.support.sittings import Sitting
from tests.table.test_waiting_line import players, refused, replayed, take, waits

MINUTE_MS = 60_000


def seats(taken: int, most: int, opening: dict[str, Any] | None = None, **rules: object) -> Sitting:
    """Return a table of so many seats, the first of them taken; ``opening``: other fields of its opening."""
    game = catalogue.game("tongbi_san_gong")
    own = msgspec.structs.replace(worlds.default_rules(game), max_seats=most, **rules)
    sitting = Sitting("tongbi_san_gong", own, idle=True, **(opening or {}))
    sitting.sit(dict.fromkeys(range(taken), 500))
    return sitting


def reserve(sitting: Sitting, seat: int, player: str, minutes: int = 10) -> int:
    """Reserve a seat; return until when. Raises Refused."""
    now = sitting.tick()
    until_ms = now + minutes * MINUTE_MS
    sitting.take(
        reservations.reserve(sitting.table.core, Reservation(seat=seat, player=player, until_ms=until_ms), now)
    )
    return until_ms


def refusal_of(sitting: Sitting, seat: int, player: str, minutes: int = 10) -> Refused:
    """Return the refusal of a reservation."""
    with pytest.raises(Refused) as caught:
        reserve(sitting, seat, player, minutes)
    return caught.value


def test_a_reserved_seat_is_refused_to_others_with_its_figures() -> None:
    """Its player gets it without naming it; others get the next open seat, or the refusal tells them what is free."""
    sitting = seats(1, 4)
    until_ms = reserve(sitting, 1, "ann")
    with pytest.raises(Refused) as caught:
        take(sitting, "eve", 1)
    refusal = caught.value
    assert refusal.reason == "SEAT_RESERVED"
    assert refusal.metadata == {
        "seat": "1",
        "until_ms": str(until_ms),
        "left_ms": str(until_ms - sitting.now),
        "free_seats": "2, 3",
    }
    assert refusal.text is not None
    texts = {refusal.text.en: "10 min", refusal.text.zh_hant: "10 分鐘", refusal.text.zh_hans: "10 分钟"}
    assert all("1 " in words and span in words for words, span in texts.items())
    assert "10 min" in refusal.message, "a part of a minute counts as a whole one"
    assert take(sitting, "eve") == 2
    assert take(sitting, "ann") == 1
    assert not sitting.table.core.reserved
    replayed(sitting)


def test_no_seat_of_a_real_table_is_reserved_for_a_house_player() -> None:
    """House players play for test money only; staff changes nothing about that."""
    sitting = seats(1, 3)
    now = sitting.tick()
    core = sitting.table.core
    core.opening = msgspec.structs.replace(core.opening, test=False)
    request = dealer_pb2.ReserveSeatRequest(request_id="r", table_id=sitting.table_id, seat=1, player="house-player.zz")
    request.until_time.FromMilliseconds(sitting.now + MINUTE_MS)
    boss = Caller(subject="boss", role=Role.OPERATOR)
    with pytest.raises(Refused) as caught:
        reserved_seats.ReserveSeat(request, boss).decide(sitting.table, now)
    assert caught.value.reason == "TEST_ONLY"


def test_where_all_free_seats_are_reserved_the_refusal_names_the_first_that_ends() -> None:
    """Such a table is in no list of open seats."""
    sitting = seats(1, 3)
    reserve(sitting, 1, "ann", 30)
    until_ms = reserve(sitting, 2, "bob", 20)
    refusal = refused(sitting, "eve")
    assert (refusal.reason, refusal.metadata["seat"]) == ("SEAT_RESERVED", "2")
    assert (refusal.metadata["until_ms"], refusal.metadata["free_seats"]) == (str(until_ms), "-")
    assert log_rows.summary(sitting.table.core)["open_seats"] is False
    assert log_rows.summary(sitting.table.core)["seats_reserved"] == 2


def test_a_reservation_that_lapses_is_over_before_and_after_the_house_records_it() -> None:
    """Its end is a moment at which the house acts, so that watchers see it and the waiting line gets the seat."""
    sitting = seats(1, 2)
    until_ms = reserve(sitting, 1, "ann")
    waits(sitting, "bob")
    core = sitting.table.core
    assert [one.held_until_ms for one in core.line] == [0]
    assert core.due_ms == until_ms
    assert reservations.ended(core, until_ms - 1) == []
    sitting.now = until_ms
    assert refused(sitting, "eve").reason == "SEAT_HELD"
    [over] = sitting.take(reservations.ended(core, until_ms))
    assert over == entry_events.ReservationsEnded(at_ms=until_ms, seats=(1,))
    assert core.line[0].held_until_ms > until_ms
    assert reservations.ended(core, until_ms + 1) == []
    assert take(sitting, "bob") == 1
    replayed(sitting)


def test_a_lapsed_reservation_is_taken_by_a_stranger_without_any_other_event() -> None:
    """The event that takes the seat removes the reservation, in the fold and in the replay alike."""
    sitting = seats(1, 2)
    sitting.now = reserve(sitting, 1, "ann")
    assert take(sitting, "eve") == 1
    assert not sitting.table.core.reserved
    replayed(sitting)


def test_a_seat_that_is_held_for_the_line_is_not_reserved_away() -> None:
    """The only free seat, held for the first in line, is refused; who waits itself gets it and leaves the line."""
    sitting = seats(2, 2)
    waits(sitting, "ann", "bob")
    sitting.leave(1)
    assert refusal_of(sitting, 1, "eve").reason == "SEAT_HELD"
    reserve(sitting, 1, "ann")
    assert players(sitting) == ["bob"]
    assert sitting.table.core.line[0].held_until_ms == 0
    assert refused(sitting, "bob").reason == "SEAT_RESERVED"
    replayed(sitting)


def test_a_player_has_one_reserved_seat_which_a_later_reservation_replaces() -> None:
    """The same wish again changes nothing; the old seat is free once the new one is reserved."""
    sitting = seats(1, 3)
    now = sitting.tick()
    first = Reservation(seat=1, player="ann", until_ms=now + MINUTE_MS)
    sitting.take(reservations.reserve(sitting.table.core, first, now))
    assert reservations.reserve(sitting.table.core, first, now + 1) == []
    reserve(sitting, 2, "ann")
    assert list(sitting.table.core.reserved) == [2]
    reserve(sitting, 2, "bob")
    assert [one.player for one in sitting.table.core.reserved.values()] == ["bob"]
    assert take(sitting, "ann") == 1
    replayed(sitting)


@pytest.mark.parametrize(
    ("seat", "player", "minutes", "reason"),
    [
        (0, "ann", 10, "SEAT_TAKEN"),
        (3, "ann", 10, "INVALID_ARGUMENT"),
        (-1, "ann", 10, "INVALID_ARGUMENT"),
        (1, "p0", 10, "ALREADY_SEATED"),
        (1, "ann", 0, "INVALID_ARGUMENT"),
        (1, "ann", 24 * 60 + 1, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_reserved_is_refused(seat: int, player: str, minutes: int, reason: str) -> None:
    """A taken or unknown seat, a seated player, and a moment that is past or too far ahead."""
    assert refusal_of(seats(1, 3), seat, player, minutes).reason == reason


def test_an_offered_seat_is_not_reserved_for_somebody_else() -> None:
    """What the house offers to one who waits stands until it is used or lapses."""
    sitting = seats(1, 2)
    now = sitting.tick()
    offer = Reservation(seat=1, player="ann", until_ms=now + MINUTE_MS, offer=True)
    sitting.take(reservations.reserve(sitting.table.core, offer, now))
    assert refusal_of(sitting, 1, "eve").reason == "SEAT_RESERVED"
    replayed(sitting)


def test_a_released_seat_is_free_and_a_closed_table_reserves_nothing() -> None:
    """Releasing twice changes nothing; with the table its reservations end."""
    sitting = seats(1, 3)
    reserve(sitting, 1, "ann")
    reserve(sitting, 2, "bob")
    sitting.take(reservations.release(sitting.table.core, 1, sitting.tick()))
    assert reservations.release(sitting.table.core, 1, sitting.tick()) == []
    assert take(sitting, "eve") == 1
    sitting.close()
    core = sitting.table.core
    assert (core.reserved, core.due_ms) == ({}, 0)
    assert refusal_of(sitting, 2, "bob").reason == "TABLE_CLOSED"
    replayed(sitting)


def test_reservations_are_restated_when_a_round_starts() -> None:
    """A table that is rebuilt from a round's start keeps the same seats for the same players."""
    sitting = seats(2, 4)
    reserve(sitting, 3, "ann")
    sitting.start()
    started = next(at for at, event in enumerate(sitting.log) if isinstance(event, events.RoundStarted))
    core = event_fold.begin(sittings.TABLE, started + 1, sitting.log[started])
    assert core.reserved == sitting.table.core.reserved
    assert take(sitting, "ann") == 3
    replayed(sitting)


def test_a_table_with_a_reserved_seat_is_not_closed_before_its_moment() -> None:
    """The reservation is a use of the table, and its end no earlier than that of the idle time."""
    sitting = seats(1, 3, idle_minutes=5)
    until_ms = reserve(sitting, 1, "ann", 60)
    assert sitting.table.core.idle_ms == until_ms
    waits(sitting, "eve")
    assert sitting.table.core.idle_ms == until_ms
    reserve(sitting, 1, "ann", 1)
    assert sitting.table.core.idle_ms == sitting.now + 5 * MINUTE_MS
    assert idle.is_over(sitting.table.core, sitting.now + 5 * MINUTE_MS)


def test_the_view_shows_reserved_seats_in_three_languages_and_to_each_its_own() -> None:
    """Nobody sees for whom a seat is; its player sees that it is for it."""
    sitting = seats(1, 3)
    until_ms = reserve(sitting, 2, "ann")
    view = wire_tables.view(sitting.table, None)
    [shown] = view.reserved_seats
    assert (shown.seat, shown.until_time.ToMilliseconds(), shown.offered) == (2, until_ms, False)
    assert (shown.words.en, shown.words.zh_hant, shown.words.zh_hans) == ("Reserved", "已預留", "已预留")
    assert "ann" not in str(view)
    assert view.table.seats_reserved == 1
    own = wire_line.own_reserved(sitting.table.core, "ann")
    assert own is not None
    assert (own.seat, own.words.en) == (2, "Reserved for you")
    assert wire_line.own_reserved(sitting.table.core, "eve") is None


@pytest.mark.parametrize("minutes", [0, 30])
def test_lists_show_when_an_idle_table_closes(minutes: int) -> None:
    """Between rounds the moment is shown; in a round, at a permanent table and at a closed one there is none."""
    sitting = seats(2, 3, idle_minutes=minutes)
    core = sitting.table.core
    shown = wire_tables.summary(core)
    assert shown.HasField("idle_close_time") == bool(minutes)
    assert shown.idle_close_time.ToMilliseconds() == core.idle_ms
    sitting.start()
    assert not wire_tables.summary(core).HasField("idle_close_time")
