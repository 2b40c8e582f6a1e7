"""An ended round as the contract streams it: in parts that fit any message size, however long the round."""

from collections.abc import Iterator

from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import table_pb2

from services.audit import documents, narrative, wire
from services.audit.narrative import Narrator
from services.audit.unseal import Reveals
from services.contract import wire_tables
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing
from services.journal import log_rows
from services.rules.personal import Show
from services.table import events
from services.table.full_table import FullTable
from services.table.replay import Replay

_MOST_BYTES_PER_CHARACTER = 4


def read(
    ring: KeyRing, recorded: list[StoredEvent], previous: bytes, language: str, part_bytes: int, show: Show
) -> Iterator[pb.ReadRoundResponse]:
    """Yield a round's document, then its events, then its narrative; ``show`` opens players' texts."""
    for piece in _pieces(_document(ring, recorded, previous, show), part_bytes):
        yield pb.ReadRoundResponse(document=piece)
    part, size = pb.ReadRoundResponse(), 0
    for one in recorded:
        event = wire.stored_event(one)
        if size and size + event.ByteSize() > part_bytes:
            yield part
            part, size = pb.ReadRoundResponse(), 0
        part.events.append(event)
        size += event.ByteSize()
    for line in Narrator(language, show, every_hand=True).round(recorded, _replay(ring, recorded)):
        length = len(line.encode())
        if size and size + length > part_bytes:
            yield part
            part, size = pb.ReadRoundResponse(), 0
        part.words.append(line)
        size += length
    yield part


def steps(ring: KeyRing, recorded: list[StoredEvent], language: str, show: Show) -> Iterator[pb.ReadRoundResponse]:
    """Yield an ended round step by step, one to a part: its words, and the table with the cards of every seat."""
    again, narrator = _replay(ring, recorded), Narrator(language, show, every_hand=True)
    for one in recorded:
        event = log_rows.from_stored(one)
        step = pb.ReadStep(version=one.version, type=log_rows.kind_of(one)[0])
        step.event_time.CopyFrom(wire_tables.timestamp(event.at_ms))
        if again is not None:
            again.take(one.version, event)
            narrator.ended = narrative.finished(again)
            assert again.table is not None, "a replay has a table"
            step.view.CopyFrom(_open_view(again.table, show))
        step.words.extend(narrator.event(event))
        yield pb.ReadRoundResponse(steps=[step])


def _open_view(table: FullTable, show: Show) -> table_pb2.TableView:
    """Return what a spectator sees of a table, with the cards of each seat as the seat itself sees them."""
    view = wire_tables.view(table, None, show)
    round_ = table.round or (table.ended.round if table.ended else None)
    if round_ is not None and view.HasField("round"):
        for zone in view.round.zones:
            if zone.HasField("owner"):
                held = next(
                    (z for z in round_.view(zone.owner).zones if (z.owner, z.name) == (zone.owner, zone.name)), None
                )
                zone.cards[:] = zone.cards if held is None else held.cards
    return view


def _replay(ring: KeyRing, recorded: list[StoredEvent]) -> Replay | None:
    """Return a replay of the round; None where it cannot be replayed."""
    started = log_rows.from_stored(recorded[0])
    assert isinstance(started, events.RoundStarted), "a round begins with its start"
    reveals = Reveals(ring, recorded[0].stream_id)
    reveals.learn(recorded)
    if reveals.unplayable(started):
        return None
    return Replay(recorded[0].stream_id, reveals, compare=False)


def export(
    ring: KeyRing, recorded: list[StoredEvent], previous: bytes, number: int, part_bytes: int, show: Show
) -> Iterator[pb.ExportRoundsResponse]:
    """Yield a round's line in pieces; all but the last are marked as continued. ``show`` opens players' texts."""
    pieces = _pieces(_document(ring, recorded, previous, show), part_bytes)
    for at, piece in enumerate(pieces, start=1):
        yield pb.ExportRoundsResponse(line=piece, round_number=number, line_continues=at < len(pieces))


def _document(ring: KeyRing, recorded: list[StoredEvent], previous: bytes, show: Show) -> str:
    document = documents.of_round(ring, recorded[0].stream_id, recorded, previous)
    return documents.write(documents.with_texts(document, show))


def _pieces(text: str, part_bytes: int) -> list[str]:
    """Cut a text so that no piece has more than ``part_bytes`` bytes in UTF-8."""
    step = max(1, part_bytes // _MOST_BYTES_PER_CHARACTER)
    return [text[at : at + step] for at in range(0, len(text), step)]
