"""The waiting list of a table as the contract shows it: to everybody, and what one who waits sees besides."""

from google.protobuf import timestamp_pb2
from pitboss.v1 import table_pb2 as pb

from services.table import waiting_line
from services.table.public_table import PublicTable


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


def moment(ms: int) -> timestamp_pb2.Timestamp | None:
    """Write a moment in milliseconds since 1970; None for 0, which is no moment."""
    return timestamp_pb2.Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000) if ms else None
