"""Reads of rounds whose events were changed in the database are refused and name the event."""

from collections.abc import AsyncIterator

import grpc
import pytest
from pitboss import client
from pitboss.v1 import audit_pb2 as pb

from services.runtime.identity import Role
from services.table import events
from tests.audit.test_spans import written
from tests.support import served
from tests.support.served import Served

CHANGES = {
    "figures": "UPDATE events SET data = replace(data, '1', '2')",
    "no JSON": "UPDATE events SET data = '{'",
    "metadata": "UPDATE events SET metadata = '{}'",
    "type": "UPDATE events SET type = 'SeatLeft.v1'",
    "unknown type": "UPDATE events SET type = 'Nothing.v1'",
    "moment": "UPDATE events SET recorded_at = recorded_at - interval '1 day'",
    "hash": "UPDATE events SET hash = sha256(hash)",
    "drop": "DELETE FROM events",
}


@pytest.fixture
async def auditor(postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve audit."""
    async with served.serve("audit", served.given(postgres_url, redis_url)) as process:
        yield process


async def test_every_read_of_a_round_names_the_changed_event(auditor: Served, postgres_url: str) -> None:
    """Whatever was changed, at the start, in the middle or at the end, is HISTORY_CHANGED with version and field."""
    async with await served.connect(postgres_url) as conn:
        await conn.execute("SET session_replication_role = replica")
        sitting = await written(conn)
        kinds = {type(event): at for at, event in enumerate(sitting.log, start=1)}
        starts = [at for at, event in enumerate(sitting.log, start=1) if isinstance(event, events.RoundStarted)]
        audit, table_id = auditor.audit, sitting.table_id
        for name, change in CHANGES.items():
            for version in (starts[0], starts[2], starts[2] + 1, kinds[events.RoundSettled]):
                number = 1 if version == starts[0] else 3
                async with conn.transaction(force_rollback=False):
                    await conn.execute("CREATE TEMP TABLE kept AS SELECT * FROM events WHERE false")
                    await conn.execute(
                        "INSERT INTO kept SELECT * FROM events WHERE stream_id = %s AND version = %s",
                        (table_id, version),
                    )
                    done = await conn.execute(
                        (change + " WHERE stream_id = %s AND version = %s").encode(), (table_id, version)
                    )
                    assert done.rowcount == 1
                try:
                    for call, request, role in (
                        (audit.ReadRound, pb.ReadRoundRequest(table_id=table_id, round_number=number), Role.AUDITOR),
                        (audit.ExportRounds, pb.ExportRoundsRequest(table_id=table_id), Role.AUDITOR),
                        (audit.RecallRounds, pb.RecallRoundsRequest(table_id=table_id), Role.PLAYER),
                    ):
                        metadata = (("authorization", f"Bearer {auditor.token('p0', role)}"),)
                        with pytest.raises(grpc.RpcError) as caught:
                            async for _ in call(request, metadata=metadata):
                                pass
                        refusal = client.refusal(caught.value)
                        where = name, version, type(request).__name__, str(refusal)
                        assert refusal.reason == "HISTORY_CHANGED", where
                        assert refusal.metadata["version"] == str(version), where
                        assert refusal.metadata["field"], where
                        assert f"event {version} " in refusal.message, where
                finally:
                    await conn.execute("DELETE FROM events WHERE stream_id = %s AND version = %s", (table_id, version))
                    await conn.execute("INSERT INTO events SELECT * FROM kept")
                    await conn.execute("DROP TABLE kept")
        request = pb.ExportRoundsRequest(table_id=table_id)
        metadata = (("authorization", f"Bearer {auditor.token('p0', Role.AUDITOR)}"),)
        assert [one.round_number async for one in audit.ExportRounds(request, metadata=metadata)] == [1, 2, 3]
