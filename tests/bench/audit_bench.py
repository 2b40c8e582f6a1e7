"""What the auditor's proofs cost, and what an event takes up on the disk.

Run as ``python -m tests.bench.audit_bench [rounds]``: fills a log of its own with rounds of hold'em and baccarat at
several tables, then signs, proves and checks.
"""

import sys
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import uvloop

from services.audit import checkpoint_check, proofs, statements
from services.audit.signer import Signer
from services.dealer.vault import Vault
from services.eventlog import migrate
from services.localhouse import embedded
from services.runtime import pools, settings
from services.runtime.pools import Pool
from tests.bench import history

T = TypeVar("T")
TABLES = 20
GAMES = ("texas_holdem", "baccarat")
SIZE = """
SELECT (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'events'::regclass)::bigint,
    (SELECT count(*) FROM events), (SELECT avg(octet_length(data) + octet_length(metadata)) FROM events)::bigint
"""


async def measure(url: str, rounds: int) -> list[str]:
    """Fill, sign, fill on, sign, prove and check; gives what was measured, in words."""
    deal, audit = history.rings()
    config = settings.load(database_url=url, statement_timeout_seconds=600)
    vault = Vault(deal, audit)
    await _fill(config, vault, rounds)
    async with pools.opened(config, "pitboss_audit", "bench") as pool:
        own = Signer(pool, statements.SigningKey(bytes(32)))
        first = await _timed(own.create())
        await _fill(config, vault, rounds // 4)
        second = await _timed(own.create())
        proof = await _timed(proofs.consistency(pool, 1, 2))
        body, signature, key = (getattr(second[0], name) for name in ("body", "signature", "key_id"))
        check = await _timed(checkpoint_check.check(pool, body, signature, key))
        assert check[0] == [], "the log holds"
        size, events, text = await _size(pool)
    nodes = sum(len(path) for path in (*proof[0][2].shards.values(), *proof[0][2].trees.values()))
    return [
        f"events: {events:,} at {2 * TABLES} tables",
        f"bytes of an event on the disk, with indexes: {size / events:,.0f}, of them text: {text:,}",
        f"first checkpoint (all tree nodes made): {first[1]:.3f} s; the next one: {second[1]:.3f} s",
        f"consistency proof: {proof[1] * 1000:.1f} ms, {nodes} hashes",
        f"check of the whole log against a checkpoint: {check[1]:.2f} s, {events / check[1]:,.0f} events/s",
    ]


async def _fill(config: settings.Settings, vault: Vault, rounds: int) -> None:
    async with pools.opened(config, "pitboss_dealer", "bench") as pool, pool.connection() as conn:
        for number in range(TABLES):
            await history.write(conn, history.History(GAMES[number % len(GAMES)], vault), rounds)


async def _timed(work: Awaitable[T]) -> tuple[T, float]:
    began = time.perf_counter()
    return await work, time.perf_counter() - began


async def _size(pool: Pool) -> tuple[int, int, int]:
    async with pool.connection() as conn:
        row = await (await conn.execute(SIZE)).fetchone()
    assert row is not None
    return row[0], row[1], row[2]


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        Path(folder).chmod(0o711)
        with embedded.EmbeddedPostgres(
            Path(folder) / "postgres", settings={"synchronous_commit": "off", "fsync": "off"}
        ) as url:
            migrate.upgrade(url)
            for line in uvloop.run(measure(url, rounds)):
                sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
