"""The auditor's methods, thin."""

import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import audit_pb2_grpc

from services.audit import (
    chains,
    checkpoint_check,
    documents,
    ledgers,
    proofs,
    recall,
    replaying,
    spans,
    statements,
)
from services.audit.findings import Finding
from services.audit.narrating import Narrator
from services.audit.signer import Signer
from services.contract import requests, wire_tables
from services.eventlog import checkpoints, log
from services.eventlog.checkpoints import Checkpoint
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing
from services.runtime import context
from services.runtime.errors import Problem, Reason, invalid
from services.runtime.identity import Role
from services.runtime.pools import Pool

MOST_PER_PAGE = 100
MOST_EXPORTED = 100_000
MOST_NUMBER = 2**63 - 1


class AuditService(audit_pb2_grpc.AuditServiceServicer):
    """See ``protos/pitboss/v1/audit.proto``."""

    def __init__(self, pool: Pool, ring: KeyRing, signer: Signer, replay_processes: int = 1) -> None:
        self._pool = pool
        self._ring = ring
        self._signer = signer
        self._replay_processes = replay_processes

    async def ReadRound(self, request: pb.ReadRoundRequest, _: Any) -> pb.ReadRoundResponse:  # noqa: ANN401, N802 - the contract's name and grpc's untyped context
        """Read one ended round whole."""
        recorded = await spans.round_events(self._pool, _table(request), request.round_number)
        document = await self._document(request.table_id, recorded)
        return pb.ReadRoundResponse(
            document=document,
            events=[stored_event(one) for one in recorded],
            words=list(Narrator(request.language).round(recorded)),
        )

    async def ReplayTable(self, request: pb.ReplayTableRequest, _: Any) -> pb.ReplayTableResponse:  # noqa: ANN401, N802 - as above
        """Decide every recorded action again."""
        report = await replaying.replay(
            self._pool, self._ring, _table(request), request.from_version, request.to_version,
            processes=self._replay_processes,
        )  # fmt: skip
        return pb.ReplayTableResponse(
            events_read=report.events_read,
            rounds_replayed=report.rounds,
            rounds_in_progress=report.in_progress,
            rounds_unrevealed=report.unrevealed,
            mismatches=[
                pb.Mismatch(
                    stream_id=request.table_id, version=one.version, kind="decision", field=one.field,
                    expected=one.expected, found=one.found,
                )
                for one in report.differences
            ],
        )  # fmt: skip

    async def VerifyStream(self, request: pb.VerifyStreamRequest, _: Any) -> pb.VerifyStreamResponse:  # noqa: ANN401, N802 - as above
        """Check the hash chain of a table."""
        count, head_hash, found = await chains.check(self._pool, _table(request))
        return pb.VerifyStreamResponse(
            events_read=count,
            head_hash=head_hash.hex(),
            mismatches=[
                pb.Mismatch(stream_id=one.stream_id, version=one.version, kind=one.kind, field=one.field,
                            found=one.detail)
                for one in found
            ],
        )  # fmt: skip

    async def CreateCheckpoint(self, request: pb.CreateCheckpointRequest, _: Any) -> pb.CreateCheckpointResponse:  # noqa: ANN401, N802 - as above
        """Sign the log as it is now."""
        del request
        made = await self._signer.create()
        return pb.CreateCheckpointResponse(checkpoint=checkpoint(made))

    async def ListCheckpoints(self, request: pb.ListCheckpointsRequest, _: Any) -> pb.ListCheckpointsResponse:  # noqa: ANN401, N802 - as above
        """List checkpoints, newest first."""
        size = _size(request.page_size)
        before = requests.page_number(request.page_token, MOST_NUMBER)
        async with self._pool.connection() as conn:
            page = await checkpoints.page_before(conn, before, size)
        token = str(page[-1].number) if len(page) == size else ""
        return pb.ListCheckpointsResponse(
            checkpoints=[checkpoint(one) for one in page], next_page_token=token,
            refused=[mismatch(one) for one in self._signer.refused],
        )  # fmt: skip

    async def ProveInclusion(self, request: pb.ProveInclusionRequest, _: Any) -> pb.ProveInclusionResponse:  # noqa: ANN401, N802 - as above
        """Prove that a checkpoint covers a table's head."""
        proof = await proofs.inclusion(self._pool, _number(request.checkpoint_number), _table(request))
        return pb.ProveInclusionResponse(**proof)

    async def ProveRecord(self, request: pb.ProveRecordRequest, _: Any) -> pb.ProveRecordResponse:  # noqa: ANN401, N802 - as above
        """Prove that a checkpoint covers a record."""
        proof = await proofs.record(self._pool, _number(request.checkpoint_number), request.record, request.key)
        return pb.ProveRecordResponse(**proof)

    async def ProveConsistency(self, request: pb.ProveConsistencyRequest, _: Any) -> pb.ProveConsistencyResponse:  # noqa: ANN401, N802 - as above
        """Prove that a checkpoint extends an older one."""
        old, new, paths = await proofs.consistency(self._pool, _number(request.old_number), _number(request.new_number))
        return pb.ProveConsistencyResponse(
            old_checkpoint=checkpoint(old), new_checkpoint=checkpoint(new),
            proofs=[
                pb.ShardProof(shard=shard, path=[node.hex() for node in nodes]) for shard, nodes in paths.shards.items()
            ],
            tree_proofs=[
                pb.TreeProof(tree=tree, path=[node.hex() for node in nodes]) for tree, nodes in paths.trees.items()
            ],
        )  # fmt: skip

    async def CheckCheckpoint(self, request: pb.CheckCheckpointRequest, _: Any) -> pb.CheckCheckpointResponse:  # noqa: ANN401, N802 - as above
        """Hold the log to a checkpoint that was kept elsewhere."""
        kept = request.checkpoint
        try:
            signature = bytes.fromhex(kept.signature)
        except ValueError:
            raise invalid("checkpoint.signature", "hexadecimal text") from None
        found = await checkpoint_check.check(self._pool, kept.text, signature, kept.key_id)
        return pb.CheckCheckpointResponse(holds=not found, mismatches=[mismatch(one) for one in found])

    async def ExportRounds(self, request: pb.ExportRoundsRequest, _: Any) -> AsyncIterator[pb.ExportRoundsResponse]:  # noqa: ANN401, N802 - as above
        """Stream rounds as JSON lines; those that are void or settled. The first one must be, where one is named."""
        table_id = _table(request)
        spans.require_order(request.from_round, request.to_round, "from_round", "to_round")
        first, last = request.from_round or 1, request.to_round or (request.from_round or 1) + MOST_EXPORTED
        for number in range(first, min(last, first + MOST_EXPORTED) + 1):
            try:
                recorded = await spans.round_events(self._pool, table_id, number)
            except Problem as problem:
                asked_for = number == request.from_round
                if problem.reason in (Reason.NOT_FOUND, Reason.ROUND_STILL_OPEN) and not asked_for:
                    return
                raise
            yield pb.ExportRoundsResponse(line=await self._document(table_id, recorded), round_number=number)

    async def ExportLedger(self, request: pb.ExportLedgerRequest, _: Any) -> AsyncIterator[pb.ExportLedgerResponse]:  # noqa: ANN401, N802 - as above
        """Stream entries as JSON lines."""
        to_us = request.to_time.ToMicroseconds() if request.HasField("to_time") else time.time_ns() // 1000
        number = 0
        async for entry in ledgers.entries_of(self._pool, request.from_time.ToMicroseconds(), to_us):
            number += 1
            yield pb.ExportLedgerResponse(
                line=ledgers.line(entry), entry_number=number, entry_time=wire_tables.timestamp(entry.at_us // 1000)
            )

    async def RecallRounds(self, request: pb.RecallRoundsRequest, _: Any) -> pb.RecallRoundsResponse:  # noqa: ANN401, N802 - as above
        """Show the caller its own last rounds at a table."""
        size = request.page_size or 10
        if not 1 <= size <= recall.MOST_ROUNDS:
            raise invalid("page_size", f"1 to {recall.MOST_ROUNDS}, or 0 for 10")
        return await recall.recall(
            self._pool, self._ring, _table(request), context.caller().subject, size, request.page_token,
            request.language,
        )  # fmt: skip

    async def _document(self, table_id: str, recorded: list[StoredEvent]) -> str:
        before = recorded[0].version - 1
        async with self._pool.connection() as conn:
            earlier = await log.read(conn, table_id, before - 1, 1) if before else []
        previous = documents.previous_hash(recorded, earlier[0] if earlier else None)
        return documents.write(documents.of_round(self._ring, table_id, recorded, previous))


def _table(request: Any) -> str:  # noqa: ANN401 - every request about a table has one
    text: str = request.table_id
    if not requests.is_table_id(text):
        raise Problem(Reason.TABLE_NOT_FOUND, f"there is no table {text[:64]!r}")
    return text


def _number(asked: int) -> int:
    if asked < 0:
        raise invalid("number", "a checkpoint's number, from 1 on, or 0 for the newest")
    return asked


def _size(asked: int) -> int:
    if not 0 <= asked <= MOST_PER_PAGE:
        raise invalid("page_size", f"1 to {MOST_PER_PAGE}, or 0 for {MOST_PER_PAGE}")
    return asked or MOST_PER_PAGE


def stored_event(one: StoredEvent) -> pb.StoredEvent:
    """Write an event as it is stored."""
    return pb.StoredEvent(
        stream_id=one.stream_id, version=one.version, type=one.type, data=one.data, metadata=one.metadata,
        hash=one.hash.hex(), recorded_time=wire_tables.timestamp(one.recorded_at_ms), shard=one.shard,
        position=one.position,
    )  # fmt: skip


def mismatch(one: Finding) -> pb.Mismatch:
    """Write a finding."""
    return pb.Mismatch(**msgspec.structs.asdict(one))


def checkpoint(one: Checkpoint) -> pb.Checkpoint:
    """Write a checkpoint."""
    statement = statements.read(one.body)
    return pb.Checkpoint(
        number=one.number, create_time=wire_tables.timestamp(statement.at_ms), streams=statement.streams,
        root=statement.root, key_id=one.key_id, signature=one.signature.hex(), text=one.body,
    )  # fmt: skip


AUDITORS = (Role.AUDITOR,)
ACCESS: dict[str, tuple[Role, ...]] = {
    **dict.fromkeys(
        (
            "ReadRound", "ReplayTable", "VerifyStream", "CreateCheckpoint", "ListCheckpoints", "ProveInclusion",
            "ProveRecord", "ProveConsistency", "CheckCheckpoint", "ExportRounds", "ExportLedger",
        ),
        AUDITORS,
    ),
    "RecallRounds": (Role.PLAYER,),
}  # fmt: skip

LONG_SECONDS = 600.0
SECONDS = dict.fromkeys(("ReplayTable", "VerifyStream", "CheckCheckpoint", "ProveConsistency"), LONG_SECONDS)
"""Calls that read a whole table or the whole log; they end early when the caller goes away."""
