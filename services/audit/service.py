"""The RPC methods of the auditor."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Collection
from contextlib import aclosing
from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import audit_pb2_grpc

from services.audit import cosignatures, ledgers, log_segments, proofs, recall, wire
from services.audit.frames import EXPORT_MORE, Job
from services.audit.signer import Signer
from services.audit.worker_pool import LONG, LONG_SECONDS, WorkerPool
from services.contract import pages, requests, wire_tables
from services.eventlog import checkpoints
from services.eventlog.checkpoints import Checkpoint
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, metrics
from services.runtime.identity import Role
from services.runtime.pools import Pool

MOST_PER_PAGE = 100
MOST_EXPORTED = 100_000
MOST_NUMBER = 2**63 - 1
MOST_PER_PLAYER = 2
"""Maximum heavy reads that one player may run concurrently."""
MOST_PER_AUDITOR = 8


class AuditService(audit_pb2_grpc.AuditServiceServicer):
    """See ``protos/pitboss/v1/audit.proto``."""

    def __init__(self, pool: Pool, signer: Signer, workers: WorkerPool, witness_keys: Collection[str] = ()) -> None:
        self._pool = pool
        self._signer = signer
        self._workers = workers
        self._witness_keys = frozenset(witness_keys)

    async def ReadRound(self, request: pb.ReadRoundRequest, _: Any) -> AsyncIterator[pb.ReadRoundResponse]:
        """Stream one ended round whole."""
        _table(request)
        async for part in self._parts("ReadRound", request):
            yield pb.ReadRoundResponse.FromString(part)

    async def ReplayTable(self, request: pb.ReplayTableRequest, _: Any) -> pb.ReplayTableResponse:
        """Replay every recorded action."""
        _table(request)
        return _counted(pb.ReplayTableResponse.FromString(await self._whole("ReplayTable", request)))

    async def VerifyStream(self, request: pb.VerifyStreamRequest, _: Any) -> pb.VerifyStreamResponse:
        """Check the hash chain of a table."""
        _table(request)
        return _counted(pb.VerifyStreamResponse.FromString(await self._whole("VerifyStream", request)))

    async def CreateCheckpoint(self, request: pb.CreateCheckpointRequest, _: Any) -> pb.CreateCheckpointResponse:
        """Sign the present log."""
        del request
        made = await self._signer.create()
        return pb.CreateCheckpointResponse(checkpoint=wire.checkpoint(made))

    async def AddCosignature(self, request: pb.AddCosignatureRequest, _: Any) -> pb.AddCosignatureResponse:
        """Add a witness's signature to a checkpoint."""
        given = request.cosignature
        await cosignatures.add(self._pool, self._witness_keys, request.number, given.key_id, given.signature)
        return pb.AddCosignatureResponse()

    async def ListCheckpoints(self, request: pb.ListCheckpointsRequest, _: Any) -> pb.ListCheckpointsResponse:
        """List checkpoints, newest first."""
        size, only = pages.size(request, MOST_PER_PAGE, MOST_PER_PAGE), _number(request.number)
        before = pages.after(request, pages.Number, MOST_NUMBER)
        async with self._pool.connection() as conn:
            found = await checkpoints.page_before(conn, min(before, only + 1) if only else before, size + 1)
            page, token = pages.cut(request, [one for one in found if only in (0, one.number)], size, _numbered)
            cosigned = await checkpoints.cosignatures(conn, [one.number for one in page])
        return pb.ListCheckpointsResponse(
            checkpoints=[wire.checkpoint(one, cosigned.get(one.number, ())) for one in page],
            next_page_token=token,
            refused=[wire.mismatch(one) for one in self._signer.refused],
        )

    async def ProveInclusion(self, request: pb.ProveInclusionRequest, _: Any) -> pb.ProveInclusionResponse:
        """Prove that a checkpoint covers a table's head."""
        proof = await proofs.inclusion(self._pool, _number(request.checkpoint_number), _table(request))
        return pb.ProveInclusionResponse(**proof)

    async def ProveRecord(self, request: pb.ProveRecordRequest, _: Any) -> pb.ProveRecordResponse:
        """Prove that a checkpoint covers a record."""
        proof = await proofs.record(self._pool, _number(request.checkpoint_number), request.record, request.key)
        return pb.ProveRecordResponse(**proof)

    async def ProveConsistency(self, request: pb.ProveConsistencyRequest, _: Any) -> pb.ProveConsistencyResponse:
        """Prove that a checkpoint extends an older one."""
        for number in (request.old_number, request.new_number):
            _number(number)
        return pb.ProveConsistencyResponse.FromString(await self._whole("ProveConsistency", request))

    async def CheckCheckpoint(self, request: pb.CheckCheckpointRequest, _: Any) -> pb.CheckCheckpointResponse:
        """Check the log against a checkpoint that was kept elsewhere."""
        return _counted(pb.CheckCheckpointResponse.FromString(await self._whole("CheckCheckpoint", request)))

    async def ExportRounds(self, request: pb.ExportRoundsRequest, _: Any) -> AsyncIterator[pb.ExportRoundsResponse]:
        """Stream voided and settled rounds as JSON lines. A round that is named as the first one must have ended."""
        _table(request)
        log_segments.require_order(request.from_round, request.to_round, "from_round", "to_round")
        first = request.from_round or 1
        last = min(request.to_round or MOST_NUMBER, first + MOST_EXPORTED)
        part = pb.ExportRoundsRequest(table_id=request.table_id, from_round=request.from_round, to_round=last)
        method, going = "ExportRounds", True
        while going:  # a job for some rounds at a time, so that other calls get the workers in between
            going = False
            async for raw in self._parts(method, part):
                answer = pb.ExportRoundsResponse.FromString(raw)
                part.from_round, going = answer.round_number + 1, answer.round_number < last
                yield answer
            method = EXPORT_MORE

    async def ExportLedger(self, request: pb.ExportLedgerRequest, _: Any) -> AsyncIterator[pb.ExportLedgerResponse]:
        """Stream entries as JSON lines."""
        from_us = requests.moment_us(request.from_time, "from_time")
        to_us = time.time_ns() // 1000
        if request.HasField("to_time"):
            to_us = requests.moment_us(request.to_time, "to_time")
            if to_us < from_us:
                raise invalid("to_time", "the span ends before it begins")
        number = 0
        async for entry in ledgers.entries_of(self._pool, from_us, to_us):
            number += 1
            yield pb.ExportLedgerResponse(
                line=ledgers.line(entry), entry_number=number, entry_time=wire_tables.timestamp(entry.at_us // 1000)
            )

    async def RecallRounds(self, request: pb.RecallRoundsRequest, _: Any) -> AsyncIterator[pb.RecallRoundsResponse]:
        """Stream the caller's own last rounds at a table."""
        _table(request)
        pages.size(request, recall.MOST_ROUNDS)
        if request.round_number < 0:
            raise invalid("round_number", "a round's number, from 1 on, or 0 for all")
        recall.place(request)
        async for part in self._parts("RecallRounds", request):
            yield pb.RecallRoundsResponse.FromString(part)

    async def _parts(self, method: str, request: Message) -> AsyncGenerator[bytes, None]:
        caller = context.caller()
        most = MOST_PER_PLAYER if caller.role is Role.PLAYER else MOST_PER_AUDITOR
        job = Job(method, request.SerializeToString(), caller.subject)
        with self._workers.admitted(caller.subject, most):
            async with aclosing(self._workers.run(job)) as parts:
                async for part in parts:
                    yield part

    async def _whole(self, method: str, request: Message) -> bytes:
        async with aclosing(self._parts(method, request)) as parts:
            [answer] = [part async for part in parts]
        return answer


Found = TypeVar("Found", pb.ReplayTableResponse, pb.VerifyStreamResponse, pb.CheckCheckpointResponse)


def _counted(answer: Found) -> Found:
    """Count a worker's findings in the metrics of this process."""
    for one in answer.mismatches:
        metrics.REPLAY_MISMATCHES.labels(one.kind).inc()
    if isinstance(answer, pb.ReplayTableResponse):
        metrics.REPLAYED.inc(answer.events_read)
    return answer


def _table(request: Any) -> str:
    text: str = request.table_id
    if not requests.is_table_id(text):
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {text[:64]!r}")
    return text


def _number(asked: int) -> int:
    if asked < 0:
        raise invalid("number", "a checkpoint's number, from 1 on, or 0 for the newest")
    return asked


def _numbered(one: Checkpoint) -> int:
    return one.number


AUDITORS = (Role.AUDITOR,)
READERS = (Role.OPERATOR, Role.AUDITOR)
ACCESS: dict[str, tuple[Role, ...]] = {
    **dict.fromkeys(("ReadRound", "ReplayTable", "VerifyStream", "ListCheckpoints", "ProveInclusion"), READERS),
    **dict.fromkeys(
        (
            "CreateCheckpoint",
            "AddCosignature",
            "ProveRecord",
            "ProveConsistency",
            "CheckCheckpoint",
            "ExportRounds",
            "ExportLedger",
        ),
        AUDITORS,
    ),
    "RecallRounds": (Role.PLAYER,),
}

SECONDS = dict.fromkeys(LONG, LONG_SECONDS)
"""Calls that read a whole table or the whole log; they end early when the caller goes away."""
