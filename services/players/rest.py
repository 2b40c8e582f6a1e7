"""When a house player rests: while nobody but house players sits at its table, and nobody looks on.

It then sits out, so that no rounds are played for nobody. A view says who is present; while it does not (Redis is
away), a house player goes on as before.
"""

import time
from collections.abc import Callable
from typing import Final

from pitboss.v1 import table_pb2

GONE_MS: Final = 300_000
"""A seated person who has ceased to watch counts as company for so long."""
KEEP_MS: Final = 300_000
"""So long before the house would close the idle table, a house player uses it once, so that it stays open."""
LEAST_WAIT_SECONDS: Final = 5.0


class Rest:
    """Whether a house player rests; ``after_seconds`` without company it does."""

    def __init__(self, after_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._after, self._clock = after_seconds, clock
        self._alone_since: float | None = None

    def is_due(self, view: table_pb2.TableView) -> bool:
        """Return whether the house player sits out now."""
        company = has_company(view)
        if company is None:
            return own_seat(view).sitting_out
        if company:
            self._alone_since = None
            return False
        now = self._clock()
        if self._alone_since is None:
            self._alone_since = now
        return own_seat(view).sitting_out or now - self._alone_since >= self._after


def has_company(view: table_pb2.TableView) -> bool | None:
    """Return whether a person sits at the table or looks on; None while that is not known."""
    away = {one.seat: one for one in view.presence if not one.watching}
    now_ms = view.clock.server_time.ToMilliseconds()
    for seat in view.seats:
        gone = away.get(seat.seat)
        if seat.house_player or (gone is not None and seat.sitting_out):
            continue
        if gone is None or not gone.HasField("since_time") or now_ms - gone.since_time.ToMilliseconds() < GONE_MS:
            return True
    return view.spectators > 0 if view.HasField("spectators") else None


def keep_open_seconds(view: table_pb2.TableView) -> float | None:
    """Return in how many seconds the house player of this view uses its idle table once; None: it need not.

    Of all house players at the table the one in the first seat does.
    """
    first = min((seat.seat for seat in view.seats if seat.house_player), default=None)
    if first != view.own_seat or not own_seat(view).sitting_out or not view.HasField("idle_close_time"):
        return None
    left_ms = view.idle_close_time.ToMilliseconds() - view.clock.server_time.ToMilliseconds()
    return max(LEAST_WAIT_SECONDS, (left_ms - KEEP_MS) / 1000)


def own_seat(view: table_pb2.TableView) -> table_pb2.Seat:
    """Return the house player's own seat."""
    return next(seat for seat in view.seats if seat.seat == view.own_seat)
