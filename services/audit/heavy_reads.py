"""Long reads that a worker performs for an audit process; each yields its answer in parts."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import msgspec
from google.protobuf.message import Message
from pitboss.v1 import audit_pb2 as pb

from services.audit import (
    chains,
    checkpoint_check,
    log_segments,
    proofs,
    recall,
    replay_service,
    round_parts,
    table_ledger,
    wire,
)
from services.audit.frames import EXPORT_MORE, Job
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing
from services.journal import log_rows
from services.ledger.signatures import EntryKeys
from services.privacy.names import Names
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.pools import Pool
from services.table import events

MOST_EVENTS: Final = 1000
"""Maximum events of one job of a longer export, and maximum steps of a page of a recall."""

Parts = AsyncGenerator[Message, None]


class Tools(msgspec.Struct, frozen=True):
    """The resources of a worker; ``part_bytes`` is the approximate maximum size of a part of an answer."""

    pool: Pool
    ring: KeyRing
    names: Names
    part_bytes: int
    replay_processes: int
    entry_keys: EntryKeys


async def perform(tools: Tools, job: Job) -> Parts:
    """Perform one job and yield its answer in parts. Raises Refused."""
    kind, read = _READS[job.method]
    async for part in read(tools, kind.FromString(job.request), job.subject):
        yield part
        await asyncio.sleep(0)  # a job whose caller has gone away is cancelled here


async def _read_round(tools: Tools, request: pb.ReadRoundRequest, reader: str) -> Parts:
    recorded = await log_segments.round_events(tools.pool, request.table_id, request.round_number)
    _require_stranger(recorded, reader)
    previous = await log_segments.hash_before(tools.pool, recorded)
    show = await tools.names.shower(log_segments.texts_in(recorded), request.language)
    for part in round_parts.read(tools.ring, recorded, previous, request.language, tools.part_bytes, show):
        yield part
    if request.with_steps:
        for part in round_parts.steps(tools.ring, recorded, request.language, show):
            yield part


def _require_stranger(recorded: list[StoredEvent], reader: str) -> None:
    """Raise Refused (``SECOND_PERSON_NEEDED``) for a reader who had a seat in the round: it shows every hand."""
    started = log_rows.from_stored(recorded[0])
    assert isinstance(started, events.RoundStarted), "a round begins with its start"
    if any(seat.player.casefold() == reader.casefold() for seat in started.table.seats):
        raise Refused(Reason.SECOND_PERSON_NEEDED, "you had a seat in this round; ask somebody else to read it")


async def _export_rounds(tools: Tools, request: pb.ExportRoundsRequest, _: str) -> Parts:
    """Export the first rounds; an explicitly named one must be over."""
    async for part in _exported(tools, request, named=request.from_round):
        yield part


async def _export_more(tools: Tools, request: pb.ExportRoundsRequest, _: str) -> Parts:
    """Export the rounds that follow, if there are any."""
    async for part in _exported(tools, request, named=0):
        yield part


async def _exported(tools: Tools, request: pb.ExportRoundsRequest, named: int) -> Parts:
    """Export rounds until there are no more, or until the bound of one job is reached."""
    events, number = 0, request.from_round or 1
    while number <= request.to_round and events < MOST_EVENTS:
        try:
            recorded = await log_segments.round_events(tools.pool, request.table_id, number)
        except Refused as refusal:
            if refusal.reason in (Reason.NOT_FOUND, Reason.ROUND_STILL_OPEN) and number != named:
                return
            raise
        previous = await log_segments.hash_before(tools.pool, recorded)
        show = await tools.names.shower(log_segments.texts_in(recorded))
        for part in round_parts.export(tools.ring, recorded, previous, number, tools.part_bytes, show):
            yield part
        events, number = events + len(recorded), number + 1


async def _recall_rounds(tools: Tools, request: pb.RecallRoundsRequest, player: str) -> Parts:
    async for part in recall.recall(
        tools.pool, tools.ring, tools.names, request, player, tools.part_bytes, MOST_EVENTS
    ):
        yield part


async def _replay_table(tools: Tools, request: pb.ReplayTableRequest, _: str) -> Parts:
    report = await replay_service.replay(
        tools.pool,
        tools.ring,
        request.table_id,
        request.from_version,
        request.to_version,
        processes=tools.replay_processes,
    )
    posted = await table_ledger.compare(
        tools.pool, request.table_id, request.from_version, request.to_version, tools.entry_keys
    )
    yield pb.ReplayTableResponse(
        events_read=report.events_read,
        rounds_replayed=report.rounds,
        rounds_in_progress=report.in_progress,
        rounds_unrevealed=report.unrevealed,
        mismatches=[
            pb.Mismatch(
                stream_id=request.table_id,
                version=one.version,
                kind="decision",
                field=one.field,
                expected=one.expected,
                found=one.found,
            )
            for one in report.differences
        ]
        + [wire.mismatch(one) for one in posted],
    )


async def _verify_stream(tools: Tools, request: pb.VerifyStreamRequest, _: str) -> Parts:
    count, head_hash, found = await chains.check(tools.pool, request.table_id)
    yield pb.VerifyStreamResponse(
        events_read=count,
        head_hash=head_hash.hex(),
        mismatches=[
            pb.Mismatch(stream_id=one.stream_id, version=one.version, kind=one.kind, field=one.field, found=one.detail)
            for one in found
        ],
    )


async def _prove_consistency(tools: Tools, request: pb.ProveConsistencyRequest, _: str) -> Parts:
    old, new, paths = await proofs.consistency(tools.pool, request.old_number, request.new_number)
    yield pb.ProveConsistencyResponse(
        old_checkpoint=wire.checkpoint(old),
        new_checkpoint=wire.checkpoint(new),
        proofs=[
            pb.ShardProof(shard=shard, path=[node.hex() for node in nodes]) for shard, nodes in paths.shards.items()
        ],
        tree_proofs=[
            pb.TreeProof(tree=tree, path=[node.hex() for node in nodes]) for tree, nodes in paths.trees.items()
        ],
    )


async def _check_checkpoint(tools: Tools, request: pb.CheckCheckpointRequest, _: str) -> Parts:
    kept = request.checkpoint
    try:
        signature = bytes.fromhex(kept.signature)
    except ValueError:
        raise invalid("checkpoint.signature", "hexadecimal text") from None
    found = await checkpoint_check.check(tools.pool, kept.text, signature, kept.key_id, entry_keys=tools.entry_keys)
    yield pb.CheckCheckpointResponse(holds=not found, mismatches=[wire.mismatch(one) for one in found])


_READS: Final[dict[str, tuple[Any, Callable[[Tools, Any, str], Parts]]]] = {
    "ReadRound": (pb.ReadRoundRequest, _read_round),
    "ExportRounds": (pb.ExportRoundsRequest, _export_rounds),
    EXPORT_MORE: (pb.ExportRoundsRequest, _export_more),
    "RecallRounds": (pb.RecallRoundsRequest, _recall_rounds),
    "ReplayTable": (pb.ReplayTableRequest, _replay_table),
    "VerifyStream": (pb.VerifyStreamRequest, _verify_stream),
    "ProveConsistency": (pb.ProveConsistencyRequest, _prove_consistency),
    "CheckCheckpoint": (pb.CheckCheckpointRequest, _check_checkpoint),
}
