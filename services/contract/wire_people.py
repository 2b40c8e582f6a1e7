"""The people at a table as its viewers see them: who holds which seat, under names that differ."""

from collections.abc import Collection, Mapping

from pitboss.v1 import table_pb2 as pb

from services.contract import comings, wire_line, wire_texts
from services.rules import house_players
from services.rules.personal import Show
from services.table import absence, departures, persons, schedule, time_bank, top_up
from services.table.events import SeatRecord
from services.table.public_table import PublicTable


def seats(core: PublicTable, show: Show) -> list[pb.Seat]:
    """Write the taken seats, in order."""
    named = names({seat.seat: seat.name for seat in core.seats.values()}, show)
    ready, due = schedule.ready(core).seats, schedule.due(core)
    shown = [_seat(core, seat, named[seat.seat], show, ready) for _, seat in sorted(core.seats.items())]
    if due is None:
        return shown
    for seat in shown:
        if seat.seat in due:
            seat.next_bets.extend(pb.ForcedBet(reason=why, amount=chips) for why, chips in due[seat.seat].items())
        elif seat.state == pb.SEAT_STATE_READY:
            seat.state = pb.SEAT_STATE_WAITING
    return shown


def _seat(core: PublicTable, seat: SeatRecord, name: str, show: Show, ready: Collection[int]) -> pb.Seat:
    shown = pb.Seat(
        seat=seat.seat,
        name=name,
        chips=seat.chips,
        leaving=seat.leaving,
        seed_set=seat.seat in core.player_seeds,
        added=core.added(seat.seat),
        player_id=persons.player_id(seat.name),
        avatar=avatar(seat, show),
        state=_state(core, seat.seat, ready),
        house_player=house_players.is_one(seat.player),
    )
    if time_bank.size_ms(core):
        shown.time_bank_ms = time_bank.left_ms(core, seat.seat)
    found = core.absent.get(seat.seat)
    if found is not None:
        shown.sitting_out = True
        if found.until_ms:
            shown.removal_time.FromMilliseconds(found.until_ms)
        left = absence.rounds_left(core, found)
        if left is not None:
            shown.removal_rounds = left
    return shown


def _state(core: PublicTable, seat: int, ready: Collection[int]) -> pb.SeatState.ValueType:
    if core.plays(seat):
        return pb.SEAT_STATE_PLAYING
    if seat in core.absent:
        return pb.SEAT_STATE_SITTING_OUT
    return pb.SEAT_STATE_READY if seat in ready else pb.SEAT_STATE_SHORT


def own_top_up(core: PublicTable, player: str) -> pb.TopUp | None:
    """Write a player's automatic top-ups, with what failed in words; None where it has none."""
    seat = core.seat_of(player)
    wanted = top_up.of_seat(seat) if seat is not None else None
    if seat is None or wanted is None:
        return None
    words = wire_texts.text(comings.cause(wanted.failed)) if wanted.failed else None
    missing = top_up.missing(core).get(seat.seat)
    return pb.TopUp(level=wanted.level, failed=wanted.failed, words=words, missing=missing)


def own_return(core: PublicTable, player: str, now_ms: int) -> pb.Return | None:
    """Write with how many chips a player may return at least, and until when; None where nothing binds it."""
    found = departures.of_player(core, player, now_ms)
    return pb.Return(least_buy_in=found.chips, end_time=wire_line.moment(found.until_ms)) if found else None


def names(stored: Mapping[int, str], show: Show) -> dict[int, str]:
    """Return the names to show by seat; players of one name are shown with the beginning of their ids."""
    return persons.told_apart({seat: (show(name), persons.player_id(name)) for seat, name in stored.items()})


def avatar(seat: SeatRecord, show: Show) -> str:
    """Return the address of a player's picture; "" where there is none, or where it was erased."""
    shown = show(seat.avatar) if isinstance(seat.avatar, str) else ""
    return shown if persons.is_avatar(shown) else ""
