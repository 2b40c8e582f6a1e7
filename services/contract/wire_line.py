"""Waiting list and reserved seats of a table as the contract shows them: to everybody, and to one player besides."""

from typing import Final

from google.protobuf import timestamp_pb2
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_texts
from services.rules.text import Text
from services.table import waiting_line
from services.table.public_table import PublicTable
from services.table.records import Reservation

RESERVED: Final = Text("Reserved", "已預留", "已预留")
RESERVED_FOR_YOU: Final = Text("Reserved for you", "為你預留", "为你预留")
OFFERED: Final = Text("Offered to a player who waits", "已提供給候補玩家", "已提供给候补玩家")
OFFERED_TO_YOU: Final = Text("Offered to you: take the seat", "有空位給你，請入座", "有空位给你，请入座")


def shown(core: PublicTable) -> pb.WaitingList | None:
    """Show the waiting list to everybody; None where nobody waits."""
    if not core.line:
        return None
    ends = [one.held_until_ms for one in core.line if one.held_until_ms]
    return pb.WaitingList(length=len(core.line), seats_held=len(ends), hold_end_time=moment(min(ends, default=0)))


def own(core: PublicTable, player: str) -> pb.WaitingList | None:
    """Show a player its own place; None where it does not wait. The message is merged with that for everybody."""
    entry = waiting_line.of_player(core.line, player)
    if entry is None:
        return None
    return pb.WaitingList(
        own_place=waiting_line.place_of(core.line, player),
        own_hold_end_time=moment(entry.held_until_ms),
        own_expire_time=moment(entry.until_ms),
    )


def reserved(core: PublicTable) -> list[pb.ReservedSeat]:
    """Show the reserved seats to everybody, without for whom they are."""
    return [_reserved(one, OFFERED if one.offer else RESERVED) for _, one in sorted(core.reserved.items())]


def own_reserved(core: PublicTable, player: str) -> pb.ReservedSeat | None:
    """Show a player the seat that is reserved for it; None where none is."""
    own = next((one for one in core.reserved.values() if one.player == player), None)
    return None if own is None else _reserved(own, OFFERED_TO_YOU if own.offer else RESERVED_FOR_YOU)


def _reserved(one: Reservation, words: Text) -> pb.ReservedSeat:
    return pb.ReservedSeat(
        seat=one.seat, until_time=moment(one.until_ms), offered=one.offer, words=wire_texts.text(words)
    )


def moment(ms: int) -> timestamp_pb2.Timestamp | None:
    """Write a moment in milliseconds since 1970; None for 0, which is no moment."""
    return timestamp_pb2.Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000) if ms else None
