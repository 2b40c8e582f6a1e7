"""One round as a JSON document, sufficient to check deck, chain and decisions offline.

The keys that ``pitboss verify-deck`` reads are documented in ``services/fairness/verify_deck.py``. The document also
holds the exact events, the hash before the first one, and the revealed seed.
"""

import datetime as dt
from typing import Any, Final

import msgspec

from services.audit import offline
from services.audit.narrative import Narrator
from services.audit.unseal import Reveals
from services.eventlog import canonical
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing
from services.journal import log_rows
from services.rules import personal
from services.rules.cards import HIDDEN, Card
from services.rules.happenings import Dealt
from services.rules.personal import Show
from services.table import events
from services.table.replay import Replay

FORM = "pitboss round v1"


def of_round(ring: KeyRing, table_id: str, recorded: list[StoredEvent], previous_hash: bytes) -> dict[str, Any]:
    """Return the document of an ended round; ``previous_hash`` is that of the event before its first.

    If the round cannot be replayed (its seed cannot be opened, its rules are not kept here), ``hidden`` holds the
    reason, and seed and packs are empty.
    """
    reveals = Reveals(ring, table_id)
    reveals.learn(recorded)
    started = log_rows.from_stored(recorded[0])
    assert isinstance(started, events.RoundStarted), "a round begins with its start"
    hidden = reveals.unplayable(started)
    house_seed = b"" if hidden else reveals.seed(started.round_number) or b""
    packs = {} if hidden else _packs(table_id, recorded, reveals)
    shown = [log_rows.from_stored(one) for one in recorded]
    roots = [root for event in shown for root in getattr(event, "stocks", ())]
    script = started.script
    return {
        "form": FORM,
        "table": table_id,
        "round": started.round_number,
        "game": started.table.opening.game,
        "house_commitment": started.house_commitment,
        "house_seed": house_seed.hex(),
        "player_seeds": {str(seat): text for seat, text in started.player_seeds.items()},
        "stocks": [{"stock": r.stock, "pack": packs.get(r.stock, []), "root": r.root} for r in roots],
        "cards": _cards(shown),
        "script": None if script is None else {"stocks": [list(stock) for stock in script.stocks]},
        "previous_hash": previous_hash.hex(),
        "events": [
            {
                "version": one.version,
                "type": one.type,
                "data": one.data,
                "metadata": one.metadata,
                "recorded_at_ms": one.recorded_at_ms,
                "hash": one.hash.hex(),
            }
            for one in recorded
        ],
        **({"hidden": hidden} if hidden else {}),
    }


def with_texts(document: dict[str, Any], show: Show) -> dict[str, Any]:
    """Return a document that maps the players' sealed texts to the opened ones; no check needs them."""
    sealed = sorted({text for one in document["events"] for text in personal.sealed_within(one["data"])})
    return {**document, "texts": {text: show(text) for text in sealed}}


def show_of(document: dict[str, Any]) -> Show:
    """Return a function that returns the texts of a document as they were opened at its export."""
    known = document.get("texts", {})
    return lambda text: str(known.get(text, personal.veiled(text)))


def previous_hash(recorded: list[StoredEvent], before: StoredEvent | None) -> bytes:
    """Return the hash before the first of these events."""
    assert before is None or before.version == recorded[0].version - 1, "the versions of two events are consecutive"
    return canonical.FIRST if before is None else before.hash


def write(document: dict[str, Any]) -> str:
    """Return a document as one line of JSON."""
    return msgspec.json.encode(document).decode()


def _packs(table_id: str, recorded: list[StoredEvent], reveals: Reveals) -> dict[int, list[Card]]:
    replay = Replay(table_id, reveals, compare=False)
    for one in recorded:
        replay.take(one.version, log_rows.from_stored(one))
    assert replay.dealing is not None, "a round has its chance"
    return replay.dealing.packs


def _cards(shown: list[events.Event]) -> list[dict[str, Any]]:
    """List every dealt position with the face that all could see when it was dealt."""
    faces: dict[tuple[int, int], str] = {}
    for event in shown:
        for entry in getattr(event, "happenings", ()):
            if isinstance(entry, Dealt):
                for position, face in zip(entry.positions, entry.cards, strict=True):
                    known = faces.get((entry.stock, position), HIDDEN)
                    faces[entry.stock, position] = face if known == HIDDEN else known
    return [{"stock": stock, "position": position, "card": face} for (stock, position), face in sorted(faces.items())]


COLUMNS: Final = (
    "table",
    "round",
    "game",
    "rules_version",
    "currency",
    "test",
    "started",
    "ended",
    "status",
    "seat",
    "player",
    "balance_before",
    "staked",
    "won",
    "fee",
    "balance_after",
    "decisions",
    "outcome",
)


def rows(document: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return a round's rows as ``COLUMNS`` name them: times in ISO 8601, chips as numbers, the outcome in words."""
    happened = [log_rows.from_stored(one) for one in offline.recorded(document)]
    started = happened[0]
    assert isinstance(started, events.RoundStarted), "a round's document begins with its start"
    end = next(one for one in happened if isinstance(one, events.RoundSettled | events.RoundVoided))
    voided = isinstance(end, events.RoundVoided)
    opening, narrator = started.table.opening, Narrator("en", show_of(document))
    told = [line for one in happened for line in narrator.event(one) if one is end]
    test = opening.test or started.script is not None
    about = (
        document["table"],
        started.round_number,
        opening.game,
        opening.version,
        opening.currency,
        test,
        _time(started.at_ms),
        _time(end.at_ms),
        "voided" if voided else "complete",
    )
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
