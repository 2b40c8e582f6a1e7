"""The auditor on a real database: parts of streams, replays of spans, exports, and running rounds."""

import asyncio
import json
from collections.abc import AsyncIterator
from random import Random

import grpc
import pytest
from pitboss import client, parts
from pitboss.v1 import audit_pb2 as pb

from services.audit import offline
from services.rules import actions
from services.runtime.identity import Role
from services.table import events
from tests.support import served, waits
from tests.support.served import Connection, Served
from tests.support.sittings import Sitting

WHO = Role.AUDITOR


@pytest.fixture
async def auditor(postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve audit."""
    async with served.serve("audit", served.given(postgres_url, redis_url)) as process:
        yield process


async def written(conn: Connection, rounds: int = 3) -> Sitting:
    """Write a table with settled rounds, a void in between, and a round that still runs."""
    sitting = Sitting("texas_holdem", table_id=served.table_id())
    sitting.sit({0: 9000, 1: 9000, 2: 9000})
    rng = Random(sitting.table_id)
    for number in range(rounds):
        sitting.start()
        if number == 1:
            sitting.void("a torn card")
            continue
        while sitting.table.round is not None:
            waiting = sitting.table.round.waiting()
            assert waiting is not None
            if rng.random() < 0.4:
                sitting.act(waiting.seats[0], actions.Fold())
            else:
                sitting.on_timeout()
        sitting.settle()
    sitting.start()
    await served.publish(conn, sitting)
    return sitting


def decisions(told: pb.ReplayTableResponse) -> list[pb.Mismatch]:
    """Return a replay's findings in the log, without those of the ledger, which has no entries here."""
    return [one for one in told.mismatches if one.kind != "ledger"]


async def test_spans_of_a_table_are_read_replayed_and_exported(auditor: Served, postgres_url: str) -> None:
    """Rounds are read by number and replayed from any version; running ones stay sealed; exports pass offline."""
    async with await served.connect(postgres_url) as conn:
        sitting = await written(conn)
    starts = [at for at, event in enumerate(sitting.log, start=1) if isinstance(event, events.RoundStarted)]
    metadata = (("authorization", f"Bearer {auditor.token('auditor', WHO)}"),)
    for number in (1, 2, 3):
        request = pb.ReadRoundRequest(table_id=sitting.table_id, round_number=number, language="zh-Hans")
        read = await parts.read_round(auditor.audit.ReadRound(request, metadata=metadata))
        versions = [one.version for one in read.events]
        assert versions == list(range(starts[number - 1], starts[number]))
        assert read.words
        assert [one.data for one in read.events] == [
            json.loads(read.document)["events"][at]["data"] for at in range(len(versions))
        ]
    for number, reason in ((4, "ROUND_STILL_OPEN"), (5, "NOT_FOUND"), (0, "NOT_FOUND")):
        request = pb.ReadRoundRequest(table_id=sitting.table_id, round_number=number)
        await auditor.refused(reason, auditor.audit.ReadRound, request, WHO)
    for first, rounds in ((0, 3), (starts[0], 3), (starts[1] + 1, 2), (starts[2], 1), (starts[3], 0)):
        told = await auditor.call(
            auditor.audit.ReplayTable, pb.ReplayTableRequest(table_id=sitting.table_id, from_version=first), WHO
        )
        assert (told.rounds_replayed, told.rounds_in_progress, decisions(told)) == (rounds, 1, [])
    head = starts[3] + told.events_read - 1
    for first, last in ((9, 2), (head + 1, 0), (-1, 0), (0, -1), (1 << 62, 1 << 62)):
        await auditor.refused(
            "INVALID_ARGUMENT",
            auditor.audit.ReplayTable,
            pb.ReplayTableRequest(table_id=sitting.table_id, from_version=first, to_version=last),
            WHO,
        )
    stream = auditor.audit.ExportRounds(pb.ExportRoundsRequest(table_id=sitting.table_id), metadata=metadata)
    documents = [json.loads(line) async for _, line in parts.exported_lines(stream)]
    assert [document["round"] for document in documents] == [1, 2, 3]
    assert [found for _, found in offline.check(documents)] == [[], [], []]


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        (5, 0, "NOT_FOUND"),
        (4, 0, "ROUND_STILL_OPEN"),
        (3, 2, "INVALID_ARGUMENT"),
        (-1, 0, "INVALID_ARGUMENT"),
        (0, -1, "INVALID_ARGUMENT"),
    ],
)
async def test_an_export_of_rounds_that_are_not_there_is_refused(
    auditor: Served, postgres_url: str, first: int, last: int, reason: str
) -> None:
    """A first round that does not exist or still runs, and an inverted span, are refused, not exported empty."""
    async with await served.connect(postgres_url) as conn:
        sitting = await written(conn)
    request = pb.ExportRoundsRequest(table_id=sitting.table_id, from_round=first, to_round=last)
    metadata = (("authorization", f"Bearer {auditor.token('auditor', WHO)}"),)
    with pytest.raises(grpc.RpcError) as caught:
        async for _ in auditor.audit.ExportRounds(request, metadata=metadata):
            pass
    assert client.refusal(caught.value).reason == reason


async def test_a_rewritten_decision_is_named_by_replay_and_an_edit_by_the_chain(
    auditor: Served, postgres_url: str
) -> None:
    """After an edit as superuser the chain reports the version, and replay version and field."""
    async with await served.connect(postgres_url) as conn:
        sitting = await written(conn, rounds=1)
        at = next(v for v, event in enumerate(sitting.log, start=1) if isinstance(event, events.RoundSettled))
        await conn.execute("SET session_replication_role = replica")
        await conn.execute(
            "UPDATE events SET data = replace(data, '\"won\":', '\"won\":1') WHERE stream_id = %s AND version = %s",
            (sitting.table_id, at),
        )
    chain = await auditor.call(auditor.audit.VerifyStream, pb.VerifyStreamRequest(table_id=sitting.table_id), WHO)
    assert [(one.version, one.kind, one.field) for one in chain.mismatches] == [(at, "edit", "data")]
    told = await auditor.call(auditor.audit.ReplayTable, pb.ReplayTableRequest(table_id=sitting.table_id), WHO)
    assert [(one.version, one.field) for one in decisions(told)] == [(at, "seats[0].won")]


async def test_tables_that_are_not_there_are_refused_and_staff_alone_asks(auditor: Served) -> None:
    """Every method about a table names the one that is missing; nobody but staff reaches any of them."""
    methods = (
        (auditor.audit.ReadRound, pb.ReadRoundRequest),
        (auditor.audit.ReplayTable, pb.ReplayTableRequest),
        (auditor.audit.VerifyStream, pb.VerifyStreamRequest),
        (auditor.audit.ProveInclusion, pb.ProveInclusionRequest),
    )
    for method, request in methods:
        for table_id in ("table 7", ""):
            await auditor.refused("TABLE_NOT_FOUND", method, request(table_id=table_id), WHO)
        for role in (Role.PLAYER, Role.SERVICE):
            await auditor.refused("PERMISSION_DENIED", method, request(table_id=served.table_id()), role)


async def test_a_checkpoint_is_signed_soon_after_the_start(auditor: Served) -> None:
    """The auditor signs the log by itself, and the checkpoint holds."""

    async def signed() -> bool:
        told = await auditor.call(auditor.audit.ListCheckpoints, pb.ListCheckpointsRequest(), WHO)
        return len(told.checkpoints) > 0

    async with asyncio.timeout(10):
        await waits.eventually(signed, "a checkpoint is signed")
    kept = (await auditor.call(auditor.audit.ListCheckpoints, pb.ListCheckpointsRequest(), WHO)).checkpoints[0]
    told = await auditor.call(auditor.audit.CheckCheckpoint, pb.CheckCheckpointRequest(checkpoint=kept), WHO)
    assert told.holds
