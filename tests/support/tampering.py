"""The owner of a database, who changes the log, and the auditor, who checks it."""

import contextlib
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Self

import grpc
import psycopg
from pitboss import client
from pitboss.v1 import audit_pb2 as pb
from psycopg import sql

from services.eventlog import canonical
from services.ledger import accounts
from services.localhouse import local_house
from tests.support import people, play, waits

PATIENCE = 60.0
CURRENCY = "CHIPS"
CHANGE = "UPDATE events SET {} WHERE stream_id = %(table)s AND version = %(a)s"


class Owner:
    """The owner of the database: no trigger stops it, and what it broke is as it was when the block ends."""

    def __init__(self, url: str, table_id: str) -> None:
        self.table_id = table_id
        self._conn = psycopg.connect(url, autocommit=True)
        self._conn.execute("SET session_replication_role = replica")

    def run(self, statement: str, *values: Any) -> None:
        """Run one statement on the stream."""
        given = [list(one) if isinstance(one, tuple) else one for one in values]
        self._conn.execute(statement.encode(), {"table": self.table_id} | dict(lettered(given)))

    def rows(self) -> list[tuple[Any, ...]]:
        """Return version, type, data, metadata, moment (ms since 1970) and hash of every event."""
        return self._conn.execute(
            "SELECT version, type, data, metadata, (extract(epoch FROM recorded_at) * 1000)::bigint, hash FROM events"
            " WHERE stream_id = %s ORDER BY version",
            (self.table_id,),
        ).fetchall()

    def rewrite(self, first: int, change: Any = lambda data: data + " ") -> int:
        """Change an event and rewrite every hash from there on, including the head; return the last version."""
        previous, last = canonical.FIRST, 0
        for version, type_, stored, metadata, moment, hash_ in self.rows():
            data = change(stored) if version == first else stored
            previous = canonical.event_hash(previous, self.table_id, version, type_, data, metadata, moment)
            assert version < first or previous != hash_
            self.run(CHANGE.format("data = %(b)s, hash = %(c)s"), version, data, previous)
            last = version
        self.run("UPDATE streams SET head_hash = %(a)s WHERE stream_id = %(table)s", previous)
        return last

    def post(self, player: str, amount: int) -> str:
        """Post a deposit past settlement, with entry, legs and balances like the house's; return its id."""
        entry_id = str(uuid.uuid4())
        self.run(
            "SELECT outcome FROM post_entry(%(a)s::uuid, 'deposit', %(b)s, 'deposit', NULL, NULL, %(c)s, sha256('x'),"
            " 'operator', %(d)s::text[], %(e)s::bigint[])",
            entry_id,
            CURRENCY,
            f"operator:{entry_id}",
            [accounts.wallet(CURRENCY, player), accounts.cashier(CURRENCY, player)],
            [amount, -amount],
        )
        return entry_id

    def unpost(self, *entry_ids: str) -> None:
        """Take entries out again, the last ones of their accounts, with all balances as they were before."""
        of_entries = "WHERE entry_id = ANY(%(a)s::uuid[])"
        self.run(f"CREATE TEMP TABLE touched AS SELECT DISTINCT account FROM legs {of_entries}", entry_ids)
        for table in ("entries", "legs"):
            self.run(f"DELETE FROM {table} {of_entries}", entry_ids)
        self.run(
            "UPDATE accounts a SET lines = coalesce(l.line, 0), balance = coalesce(l.balance, 0) FROM touched t"
            " LEFT JOIN LATERAL (SELECT account_line AS line, balance_after AS balance FROM legs"
            " WHERE account = t.account ORDER BY account_line DESC LIMIT 1) l ON true WHERE a.account = t.account"
        )
        self.run("DROP TABLE touched")

    def __enter__(self) -> Self:
        for table in ("events", "streams"):
            self._conn.execute(
                sql.SQL("CREATE TEMP TABLE {} AS SELECT * FROM {} WHERE stream_id = %s").format(
                    sql.Identifier(f"kept_{table}"), sql.Identifier(table)
                ),
                (self.table_id,),
            )
        return self

    def __exit__(self, *_: object) -> None:
        for table in ("events", "streams"):
            self.run(f"DELETE FROM {table} WHERE stream_id = %(table)s")
            self.run(f"INSERT INTO {table} SELECT * FROM kept_{table}")
        self._conn.close()


def lettered(values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Name values a, b, c and so on."""
    return zip("abcdef", values, strict=False)


class Audit:
    """The auditor's questions about one table."""

    def __init__(self, crowd: people.Crowd, table_id: str) -> None:
        self._stub, self._metadata = crowd.auditor()
        self.table_id = table_id

    async def ask(self, name: str, request: Any) -> Any:
        """Call a method."""
        return await getattr(self._stub, name)(request, metadata=self._metadata, timeout=60)

    async def checkpoint(self) -> pb.Checkpoint:
        """Sign the log as it is."""
        made: pb.Checkpoint = (await self.ask("CreateCheckpoint", pb.CreateCheckpointRequest())).checkpoint
        return made

    async def signed(self) -> pb.Checkpoint:
        """Sign the log as it is, as soon as the auditor has seen that what an earlier test broke is mended."""

        def is_broken(error: Exception) -> bool:
            return isinstance(error, grpc.RpcError) and client.refusal(error).reason == "HISTORY_CHANGED"

        return await waits.answered(self.checkpoint, is_broken, seconds=PATIENCE, pause=0.5)

    async def chain(self) -> list[pb.Mismatch]:
        """Return the findings of VerifyStream."""
        return list((await self.ask("VerifyStream", pb.VerifyStreamRequest(table_id=self.table_id))).mismatches)

    async def held(self, checkpoint: pb.Checkpoint) -> list[pb.Mismatch]:
        """Return the findings of CheckCheckpoint."""
        answer = await self.ask("CheckCheckpoint", pb.CheckCheckpointRequest(checkpoint=checkpoint))
        assert answer.holds == (not answer.mismatches)
        return list(answer.mismatches)

    async def replay(self) -> list[pb.Mismatch]:
        """Return the findings of ReplayTable."""
        return list((await self.ask("ReplayTable", pb.ReplayTableRequest(table_id=self.table_id))).mismatches)

    def named(self, found: list[pb.Mismatch]) -> set[tuple[int, str, str]]:
        """Return version, kind and field of each finding in the table's stream; fail where another stream is named."""
        assert {one.stream_id for one in found} <= {self.table_id, ""}
        return {(one.version, one.kind, one.field) for one in found if one.stream_id}

    def shard(self) -> int:
        """Return the shard of the table."""
        return canonical.shard_of(self.table_id)


@contextlib.asynccontextmanager
async def exposed(
    watched: local_house.LocalHouse, crowd: people.Crowd
) -> AsyncIterator[tuple[Audit, Owner, pb.Checkpoint]]:
    """Yield a table with a settled round and an untouched one, under a checkpoint; repair the damage afterwards."""
    for _ in range(2):
        table_id, players = await play.opened(crowd, "texas_holdem")
        await play.rounds(table_id, players)
    audit = Audit(crowd, table_id)
    checkpoint = await audit.signed()
    assert await audit.held(checkpoint) == await audit.chain() == await audit.replay() == []
    with Owner(watched.environment["PITBOSS_DATABASE_URL"], table_id) as owner:
        yield audit, owner, checkpoint
    assert await audit.held(checkpoint) == []
