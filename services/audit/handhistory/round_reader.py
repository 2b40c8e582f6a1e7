"""Reads a finished hand from the log, or from a document that an auditor exported (``pitboss export``)."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from services.audit import documents
from services.audit.handhistory import hand_builder, ohh, phh
from services.audit.handhistory.hand_builder import Move
from services.audit.handhistory.record import HandRecord, NotExportable
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.rules import catalogue, personal
from services.rules.personal import Show
from services.rules.poker.house_rules import PokerRules
from services.table import event_fold, event_writer, events, public_table
from services.table.replay import Opened, Opener, Replay

FORMS: Final[dict[str, Callable[[HandRecord], str]]] = {"phh": phh.section, "ohh": ohh.write}
"""The formats by name; ``phh`` makes sections of a file with many hands (PHHS), ``ohh`` lines of JSON."""


def of_events(
    table_id: str, recorded: Sequence[tuple[int, events.Event]], opener: Opener, show: Show = personal.veiled
) -> HandRecord:
    """Return the record of a round from its events with their versions, from its start to its settlement.

    ``opener`` opens the round's seed, ``show`` opens sealed names. Raises NotExportable for a game other than poker and
    for a voided round.
    """
    started = recorded[0][1]
    settled = next((event for _, event in reversed(recorded) if isinstance(event, events.RoundSettled)), None)
    assert isinstance(started, events.RoundStarted), "a round begins with its start"
    before = event_fold.restated_before(table_id, recorded[0][0], started)
    game_id = before.opening.game
    try:
        played = public_table.game_of(before)
    except catalogue.UnknownRules as unknown:
        raise NotExportable(unknown.message) from unknown
    rules = public_table.rules_of(before, played.rules_type)
    if not isinstance(rules, PokerRules):
        raise NotExportable(f"{game_id} is not a poker game")
    if settled is None:
        raise NotExportable(f"round {started.round_number} was not settled; only finished hands are exported")
    found, replay = before.at_stake(), Replay(table_id, opener, compare=False)
    taken = [_move(replay, version, event) for version, event in recorded]
    assert replay.dealing is not None, "a replayed round has its chance"
    return hand_builder.build(
        played=played,
        rules=rules,
        table=msgspec.structs.replace(found, names=personal.shown_in(found.names, show)),
        moves=[move for move in taken if move is not None],
        orders=replay.dealing.orders,
        outcome=settled.outcome,
        posting=settled.posting,
        table_name=table_id,
        hand=str(started.round_number),
        started=datetime.fromtimestamp(started.at_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        currency=before.opening.currency,
    )


def of_document(document: dict[str, Any]) -> HandRecord:
    """Return the record of a round from its exported document alone. Raises NotExportable."""
    if document.get("hidden"):
        raise NotExportable(f"round {document['round']} cannot be shown: {document['hidden']}")
    opened = Opened(house_seed=bytes.fromhex(document["house_seed"]), reveal="")
    recorded = [_event(entry) for entry in document["events"]]
    return of_events(document["table"], recorded, lambda _: opened, documents.show_of(document))


def rewrite(line: str, form: str) -> str:
    """Convert one line of an export into another format. Raises NotExportable, and KeyError for an unknown format."""
    return FORMS[form](of_document(msgspec.json.decode(line)))


def _move(replay: Replay, version: int, event: events.Event) -> Move | None:
    """Replay an event; return its happenings. The round before it must be known: its seed opens sealed arguments."""
    move: Move | None = None
    if isinstance(event, events.ActionTaken):
        assert replay.table is not None, "an action follows the start"
        assert replay.table.dealing is not None, "a running round has its chance"
        action = event_writer.read_action(event.action, replay.table.dealing.round_seed, version)
        move = Move(event.seat, action, event.happenings)
    elif isinstance(event, events.RoundStarted | events.DeadlinePassed):
        move = Move(None, None, event.happenings)
    replay.take(version, event)
    return move


def _event(entry: dict[str, Any]) -> tuple[int, events.Event]:
    one = StoredEvent(
        stream_id="",
        version=entry["version"],
        shard=0,
        position=0,
        type=entry["type"],
        data=entry["data"],
        metadata="{}",
        recorded_at_ms=0,
        hash=b"",
    )
    return one.version, log_rows.from_stored(one)
