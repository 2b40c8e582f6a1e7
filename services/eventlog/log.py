"""Public API of the event log: append, read, follow, list."""

from services.eventlog.append_calls import append
from services.eventlog.appender import Appender, LogAwayError, LogBusyError
from services.eventlog.follower import Follower, HoleError
from services.eventlog.reads import (
    LOWEST,
    NEWEST,
    OLDEST,
    UnknownStreamError,
    find_request,
    first_of_types,
    heads,
    list_by,
    list_newest,
    list_streams,
    list_with_seats,
    open_versions,
    positions,
    read,
    read_for_rebuild,
    read_head,
    read_heads,
    streams_marked,
)

__all__ = [
    "LOWEST",
    "NEWEST",
    "OLDEST",
    "Appender",
    "Follower",
    "HoleError",
    "LogAwayError",
    "LogBusyError",
    "UnknownStreamError",
    "append",
    "find_request",
    "first_of_types",
    "heads",
    "list_by",
    "list_newest",
    "list_streams",
    "list_with_seats",
    "open_versions",
    "positions",
    "read",
    "read_for_rebuild",
    "read_head",
    "read_heads",
    "streams_marked",
]
