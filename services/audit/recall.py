"""Rounds of the past as a player saw them, step by step and marked as a replay [R2]."""

from collections.abc import AsyncGenerator, Iterator
from typing import Final

from google.protobuf import json_format
from pitboss.v1 import audit_pb2 as pb

from services.audit import intact, log_segments, narrative
from services.audit.narrative import Narrator
from services.audit.seen_cards import SeenCards
from services.audit.unseal import Reveals
from services.contract import pages, wire_events, wire_tables
from services.eventlog import log
from services.eventlog.records import StoredEvent
from services.fairness import seed
from services.fairness.seal import KeyRing
from services.journal import log_rows
from services.privacy.names import Names
from services.rules import personal
from services.rules.personal import Show
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Pool
from services.table import events, own_cards
from services.table.replay import Replay

ROUNDS: Final = 10
"""Rounds of a page without a size."""
MOST_ROUNDS: Final = 20
PAGE_BYTES: Final = 8 << 20
"""Bytes of steps after which a page ends."""
_END: Final = (0, 0)
MOST_LOOKED_AT: Final = 200
"""Maximum number of rounds that one call searches for those that the player took part in."""


class _Page:
    """A page being filled, bounded by the number of steps and their bytes."""

    def __init__(self, size: int, most_steps: int) -> None:
        self._rounds_left, self._steps_left, self._bytes_left = size, most_steps, PAGE_BYTES
        self.broken_off = 0
        """Version of the last step, where the page ends within a round."""

    @property
    def full(self) -> bool:
        """Return whether no further step fits."""
        return self._steps_left <= 0 or self._bytes_left <= 0

    @property
    def ended(self) -> bool:
        """Return whether no further round fits."""
        return self.full or self._rounds_left <= 0

    def take(self, step: pb.RecalledStep) -> None:
        """Count a step."""
        self._steps_left -= 1
        self._bytes_left -= step.ByteSize()

    def end_round(self) -> None:
        """Count a round."""
        self._rounds_left -= 1


async def recall(
    pool: Pool,
    ring: KeyRing,
    names: Names,
    request: pb.RecallRoundsRequest,
    player: str,
    part_bytes: int,
    most_steps: int,
) -> AsyncGenerator[pb.RecallRoundsResponse, None]:
    """Yield a page of a player's rounds at a table in parts, newest first, and then the token of the next page.

    A page ends early, also within a round, after ``most_steps`` steps. Raises Refused for an invalid token, and
    (``NOT_FOUND``) for a round that does not exist.
    """
    version, after = place(request)
    if request.round_number:
        version = version or await log_segments.start_of(pool, request.table_id, request.round_number)
    version = version or await log_segments.head_version(pool, request.table_id)
    page, rest = _Page(pages.size(request, MOST_ROUNDS, ROUNDS), most_steps), _END
    for _ in range(MOST_LOOKED_AT):
        start = await _start_before(pool, request.table_id, version)
        if start is None and version > 0:
            last = min(version, await log_segments.head_version(pool, request.table_id))
            await log_segments.require_intact(pool, request.table_id, 1, last)
        rest = _END if start is None else (start.version, 0)
        if start is None or page.ended:
            break
        version = start.version - 1
        rest = _END if request.round_number else (version, 0)
        found = await _round(pool, start, player)
        if found is None:
            if request.round_number:
                break
            continue
        seat, recorded = found
        show = await names.shower(log_segments.texts_in(recorded), request.language)
        cards = SeenCards()
        seen = steps(ring, recorded, seat, request.language, show, after, cards)
        for part in _parts(ring, recorded, seat, seen, cards, part_bytes, page):
            yield part
        page.end_round()
        if page.broken_off:
            rest = start.version, page.broken_off
            break
        if request.round_number:
            break
        after = 0
    yield pb.RecallRoundsResponse(next_page_token=pages.token(request, rest) if rest[0] else "")


def place(request: pb.RecallRoundsRequest) -> tuple[int, int]:
    """Return the version to look back from, and the step of its round that was shown last; 0 for none.

    Raises Refused for an invalid token.
    """
    return pages.after(request, tuple[pages.Number, pages.Number], _END)


async def _start_before(pool: Pool, table_id: str, version: int) -> StoredEvent | None:
    if version < 1:
        return None
    async with pool.connection() as conn:
        return await log.first_of_types(conn, table_id, version, log_segments.STARTS, backwards=True)


async def _round(pool: Pool, start: StoredEvent, player: str) -> tuple[int, list[StoredEvent]] | None:
    """Return a player's seat in a round and its events; None for a round that runs or that the player was not in.

    Raises Refused (``HISTORY_CHANGED``).
    """
    async with pool.connection() as conn:
        await intact.require(conn, [start])
    started = log_rows.from_stored(start)
    assert isinstance(started, events.RoundStarted), "asked for starts"
    seat = next((seat.seat for seat in started.table.seats if seat.player == player), None)
    if seat is None or seat not in started.carry:
        return None
    try:
        recorded = await log_segments.round_events(pool, start.stream_id, started.round_number)
    except Refused as refusal:
        if refusal.reason is Reason.HISTORY_CHANGED:
            raise
        return None
    return seat, _ended(recorded)


def _ended(recorded: list[StoredEvent]) -> list[StoredEvent]:
    """Return the events up to the end of the round, without later ones."""
    last = next(at for at, one in enumerate(recorded) if log_rows.kind_of(one)[0] in log_segments.OVER)
    return recorded[: last + 1]


def _parts(
    ring: KeyRing,
    recorded: list[StoredEvent],
    seat: int,
    seen: Iterator[pb.RecalledStep],
    cards: SeenCards,
    part_bytes: int,
    page: _Page,
) -> Iterator[pb.RecallRoundsResponse]:
    """Yield a round's steps in parts, until the page is full; the last part holds the proofs of its cards."""
    started = log_rows.from_stored(recorded[0])
    assert isinstance(started, events.RoundStarted), "a round begins with its start"

    def part() -> pb.RecallRoundsResponse:
        whole = pb.RecalledRound(
            replay=True,
            round_number=started.round_number,
            hidden=hidden,
            seat=seat,
            house_commitment=started.house_commitment,
            seed_digest=_digest(started, seat),
        )
        return pb.RecallRoundsResponse(rounds=[whole])

    reveals = Reveals(ring, recorded[0].stream_id)
    reveals.learn(recorded)
    hidden = bool(reveals.unplayable(started))
    made, size = part(), 0
    for step in seen:
        if size and size + step.ByteSize() > part_bytes:
            yield made
            made, size = part(), 0
        made.rounds[0].steps.append(step)
        size += step.ByteSize()
        page.take(step)
        if page.full and step.version < recorded[-1].version:
            page.broken_off = step.version
            break
    if not page.broken_off:
        made.rounds[0].proofs.extend(cards.proofs())
    yield made


def _digest(started: events.RoundStarted, seat: int) -> str:
    """Return the digest of a seat's seed; empty where it gave none, and in old rounds, which used the text itself."""
    text = started.player_seeds.get(seat, "")
    return text if text.startswith(seed.DIGEST) else ""


def steps(
    ring: KeyRing,
    recorded: list[StoredEvent],
    seat: int,
    language: str,
    show: Show = personal.veiled,
    after: int = 0,
    cards: SeenCards | None = None,
) -> Iterator[pb.RecalledStep]:
    """Replay an ended round as one seat saw it; yield the steps after version ``after``.

    A round that cannot be replayed has words only. ``show`` opens players' texts. ``cards`` notes the cards of all
    steps.
    """
    table_id = recorded[0].stream_id
    reveals = Reveals(ring, table_id)
    reveals.learn(recorded)
    started = log_rows.from_stored(recorded[0])
    assert isinstance(started, events.RoundStarted), "a round begins with its start"
    narrator = Narrator(language, show)
    player = next(one.player for one in started.table.seats if one.seat == seat)
    family = started.table.opening.family
    again = None if reveals.unplayable(started) else Replay(table_id, reveals, compare=False)
    for one in recorded:
        event = log_rows.from_stored(one)
        if again is not None:
            again.take(one.version, event)
            narrator.ended = narrative.finished(again)
        words = "\n".join(narrator.event(event))
        if one.version <= after and cards is None:
            continue
        step = pb.RecalledStep(version=one.version, words=words)
        step.event_time.CopyFrom(wire_tables.timestamp(event.at_ms))
        if again is not None:
            assert again.table is not None, "a replay has a table"
            view = wire_tables.view(again.table, seat, show)
            own = own_cards.of_event(again.table, one.version, event).get(player)
            shown = wire_events.event(one.version, log_rows.kind_of(one)[0], event, family, show, own)
            if cards is not None:
                cards.take(shown, view, again.dealing)
            step.view.update(json_format.MessageToDict(view, preserving_proto_field_name=True))
            step.event.CopyFrom(shown)
        if one.version > after:
            yield step
