"""A small house of records without processes, for tests that sign, change and check checkpoints."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg

from services.audit import checkpoint_check
from services.audit.findings import Finding
from services.audit.signer import Signer
from services.audit.statements import SigningKey
from services.eventlog import log
from services.eventlog.checkpoints import Checkpoint
from services.ledger import accounts, books
from services.ledger.signatures import EntryKey, EntryKeys
from services.limits.policy import Limit
from services.registry import adjustments, figures, limits, player_keys, significant, switches, templates, voids
from services.registry.records import (
    Adjustment,
    Command,
    PoolShare,
    RoundFigures,
    SeatFigures,
    Significant,
    Template,
    VoidRequest,
)
from tests.privacy import destroying, opening
from tests.support import ledger_entries as money
from tests.support import log_events as events
from tests.support import pools

Connection = psycopg.AsyncConnection[Any]
KEY = SigningKey(bytes(range(64, 96)))
ENTRY_KEY = EntryKey(bytes(range(128, 160)))
ENTRY_KEYS = EntryKeys([ENTRY_KEY.key_id])
STAKED = 40
"""What a player stakes and loses in its round."""


class House:
    """A database with an auditor's pool, its signer, and its owner's connection."""

    def __init__(self, pool: Any, owner: Connection) -> None:
        self.pool = pool
        self.owner = owner
        self.signer = self.auditor()

    def auditor(self, *admitted: str) -> Signer:
        """Return a new signer; it admits these entries although they are not signed."""
        return Signer(self.pool, KEY, entry_keys=EntryKeys([ENTRY_KEY.key_id], admitted))

    async def held(self, kept: Checkpoint) -> list[Finding]:
        """Check the house against a checkpoint."""
        return await checkpoint_check.check(self.pool, kept.body, kept.signature, kept.key_id, entry_keys=ENTRY_KEYS)

    async def tamper(self, statement: str, *values: Any) -> None:
        """Run a statement as the owner with triggers off."""
        async with self.owner.transaction():
            await self.owner.execute("SET LOCAL session_replication_role = replica")
            await self.owner.execute(statement.encode(), values)


@asynccontextmanager
async def house(url: str) -> AsyncIterator[House]:
    """Open a house on a migrated database."""
    async with (
        pools.make_pool(url, "pitboss_audit") as pool,
        await psycopg.AsyncConnection.connect(url, autocommit=True) as owner,
    ):
        yield House(pool, owner)


async def live(conn: Connection, player: str = "ann") -> dict[str, str]:
    """Write one record of every proven kind; return their keys by kind."""
    posted = money.entry({accounts.cashier("CHIP", player): -100, accounts.wallet("CHIP", player): 100}, kind="deposit")
    await books.post(conn, posted, ENTRY_KEY)
    stream = events.stream()
    appended = events.one(stream, 0, key=f"request {uuid.uuid4()}", answer=b"done")
    await log.append(conn, [appended])
    asked = Adjustment(0, str(uuid.uuid4()), player, "CHIP", 7, "a dispute", "alice", 0, "", "", "", 0, "")
    async with conn.transaction():
        switch, _, _ = await switches.record(
            conn, command(), scope="player", subject=player, off=True, reason="a test", actor="alice"
        )
        wanted = Limit(0, player, "exclusion", "", "", "player", 1 << 50, 1, 1, "enough", player)
        limit = await limits.record(conn, command(), wanted)
        await adjustments.ask(conn, command(), asked)
        await adjustments.decide(
            conn, command(), asked.adjustment_id, reason="so", decided_by="bert", entry_id=posted.entry_id
        )
        void = VoidRequest(
            0, str(uuid.uuid4()), str(uuid.uuid4()), 1, 9, "CHIP", 7, "a test", "alice", 0, "", "", "", 0
        )
        await voids.ask(conn, command(), void)
        await voids.decide(conn, command(), void.void_id, approved=True, reason="so", decided_by="bert")
        await opening.KEYS.of_player(conn, player)
        erasure_id = await destroying.approve(conn, player)
        await player_keys.destroy(conn, erasure_id)
        proposed, decided, retired = command(), command(), command()
        template = Template(f"t-{uuid.uuid4().hex[:8]}", 1, "war", "{}", "a test", "alice", 0, "")
        named = template.template_id, template.version
        await templates.propose(conn, proposed, template)
        await templates.decide(conn, decided, *named, approved=True, reason="so", decided_by="bert")
        await templates.retire(conn, retired, *named, reason="so", retired_by="carla")
        await significant.record(conn, Significant(kind="limit", component="test", actor=player))
    told = await significant.last(conn, "limit")
    assert told is not None
    return {
        "entries": posted.entry_id,
        "requests": appended.request_key or "",
        "switches": str(switch.number),
        "limits": str(limit.number),
        "adjustments": asked.adjustment_id,
        "adjustment_decisions": asked.adjustment_id,
        "void_requests": void.void_id,
        "void_decisions": void.void_id,
        "significant_events": str(told.number),
        "templates": proposed.key,
        "template_decisions": decided.key,
        "template_retirements": retired.key,
        "erasure_requests": erasure_id,
        "erasure_decisions": erasure_id,
        "player_erasures": str(await player_keys.last_tombstone(conn)),
        **await play(conn, player),
    }


async def play(conn: Connection, player: str) -> dict[str, str]:
    """Record the figures of a player's only round and of its table's pool; return their keys."""
    table_id = str(uuid.uuid5(uuid.NAMESPACE_OID, player))
    round_ = RoundFigures(
        table_id=table_id,
        round=1,
        round_id="round-1",
        game="war",
        family="banker",
        configuration="c",
        rules_version=1,
        rules="{}",
        currency="CHIP",
        test=False,
        started_ms=1,
        ended_ms=2,
        voided=False,
        staked=STAKED,
        won=0,
        fee=0,
        rake=0,
        house=STAKED,
        pot=0,
        seats=(SeatFigures(3, player, 100, STAKED, 0, 0, 100 - STAKED),),
    )
    async with conn.transaction():
        await figures.record_round(conn, round_)
        await figures.record_share(conn, PoolShare(table_id, 3, player, "war", "CHIP", False, 2, 7))
    return {"rounds": f"{table_id}:1", "round_seats": f"{table_id}:1:3", "pool_shares": f"{table_id}:3"}


def command() -> Command:
    """Return a new command."""
    return Command(uuid.uuid4().hex, bytes(32))
