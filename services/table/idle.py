"""Tables that nobody uses: the house closes them once they were idle for ``idle_minutes`` [rules "A round's life"].

The moment follows from the log: each event by which somebody uses the table sets it anew. Tables of older logs, which
lack the rule, are permanent.
"""

from typing import Final

from services.rules.text import Text
from services.table import entry_events, events, public_table
from services.table.events import Event
from services.table.public_table import PublicTable

CLOSED_BY: Final = "house"
REASON: Final = Text(
    "Nobody has used the table for a while; all chips were paid out.",
    "此桌久未使用，已自動關閉，籌碼均已退還。",
    "此桌长时间无人使用，已自动关闭，筹码均已退还。",
)
"""What people read; the log holds the English text."""
USES: Final = (
    events.TableOpened,
    events.SeatTaken,
    events.ChipsAdded,
    events.TopUpSet,
    events.SatIn,
    events.WaitingJoined,
    entry_events.SeatReserved,
    entry_events.InvitationMade,
    entry_events.InvitationAccepted,
    events.SeedSet,
    events.ActedBetween,
    events.PotFunded,
    events.RoundScripted,
    events.RoundStarted,
    events.ActionTaken,
)
"""Events by which somebody uses a table."""


def close_ms(core: PublicTable, event: Event) -> int:
    """Return when the house closes a table after an event, if nobody uses it until then; 0: never.

    A table at which a seat is reserved is not closed before that seat can have been taken.
    """
    minutes: int = core.opening.rules.get("idle_minutes", 0)
    if not minutes or core.phase == public_table.CLOSED:
        return 0
    if not is_use(event):
        return core.idle_ms
    return max((event.at_ms + 60_000 * minutes, *(one.until_ms for one in core.reserved.values())))


def is_use(event: Event) -> bool:
    """Return whether somebody uses a table by an event: not where the house starts a round that no player watches."""
    return isinstance(event, USES) and not (isinstance(event, events.RoundStarted) and event.idle_ms)


def is_over(core: PublicTable, now_ms: int) -> bool:
    """Return whether the house closes a table now: between rounds, once nobody has used it for too long."""
    return core.phase == public_table.OPEN and 0 < core.idle_ms <= now_ms


def is_own(event: Event) -> bool:
    """Return whether an event is the house's close of a table that nobody used."""
    return isinstance(event, events.TableClosed) and event.closed_by == CLOSED_BY and event.reason == REASON.en
