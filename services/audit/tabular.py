"""An exported round as rows of a table, one for each seat in it [R1], from its document alone."""

import datetime as dt
from typing import Any, Final

from services.audit import documents, offline
from services.audit.narrative import Narrator
from services.journal import log_rows
from services.table import events

COLUMNS: Final = (
    "table", "round", "game", "rules_version", "currency", "test", "started", "ended", "status", "seat", "player",
    "balance_before", "staked", "won", "fee", "balance_after", "decisions", "outcome",
)  # fmt: skip


def rows(document: dict[str, Any]) -> list[tuple[object, ...]]:
    """Give a round's rows as ``COLUMNS`` name them: times in ISO 8601, chips as numbers, the outcome in words."""
    happened = [log_rows.from_stored(one) for one in offline.recorded(document)]
    started = happened[0]
    assert isinstance(started, events.RoundStarted), "a round's document begins with its start"
    end = next(one for one in happened if isinstance(one, events.RoundSettled | events.RoundVoided))
    voided = isinstance(end, events.RoundVoided)
    opening, narrator = started.table.opening, Narrator("en", documents.show_of(document))
    told = [line for one in happened for line in narrator.event(one) if one is end]
    test = opening.test or started.script is not None
    about = (
        document["table"], started.round_number, opening.game, opening.rules_version, opening.currency, test,
        _time(started.at_ms), _time(end.at_ms), "voided" if voided else "complete",
    )  # fmt: skip
    return [(*about, *seat, _decisions(happened, int(seat[0])), "; ".join(told)) for seat in _seats(started, end)]


def _seats(
    started: events.RoundStarted, end: events.RoundSettled | events.RoundVoided
) -> list[tuple[int, str, int, int, int, int, int]]:
    if isinstance(end, events.RoundSettled):
        return [(one.seat, one.player, one.before, one.staked, one.won, one.fee, one.after) for one in end.seats]
    players = {seat.seat: seat.player for seat in started.table.seats}
    return [(seat, players[seat], chips, 0, 0, 0, chips) for seat, chips in sorted(started.carry.items())]


def _decisions(happened: list[events.Event], seat: int) -> int:
    return sum(isinstance(one, events.ActionTaken) and one.seat == seat for one in happened)


def _time(milliseconds: int) -> str:
    return dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC).isoformat(timespec="milliseconds")
