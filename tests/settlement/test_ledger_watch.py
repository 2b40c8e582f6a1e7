"""The watch over the ledger: an imbalance is found at once, and every pass covers the whole ledger."""

from typing import Any

import psycopg
import pytest
from pitboss.v1 import report_pb2

from services.ledger import accounts, books, checks
from services.ledger.checks import Pass
from services.ledger.records import Entry
from services.runtime import metrics
from services.runtime.identity import Role
from services.settlement import ledger_watch
from services.settlement.ledger_watch import Passes
from tests.support import served, waits
from tests.support.served import Connection, Served

Pool = Any
PLAYERS = 40
MOVES = 5


async def fill(conn: Connection) -> None:
    """Post a few entries for each of some players; return the number of legs."""
    for move in range(MOVES):
        for player in range(PLAYERS):
            name = f"w{player}"
            entry = Entry(
                entry_id=served.table_id(),
                kind="deposit",
                currency="CHIPS",
                legs=accounts.legs({accounts.wallet("CHIPS", name): 10 + move, "cashier:CHIPS:0": -10 - move}),
                reason="test",
                actor="nobody",
            )
            assert (await books.post(conn, entry)).outcome == "posted"


async def forge(conn: Connection, statement: str) -> None:
    """Change the ledger behind the house's back."""
    async with conn.transaction():
        await conn.execute("SET LOCAL session_replication_role = replica")
        await conn.execute(statement.encode())


def gauge(name: str) -> float | None:
    """Return the value of a gauge of this process."""
    return metrics.REGISTRY.get_sample_value(name)


async def whole(conn: Connection, size: int) -> Pass:
    """Make a whole pass in parts of a size."""
    made = Pass()
    while not made.done:
        await made.step(conn, size)
    return made


async def to_the_end(passes: Passes) -> None:
    """Make a pass."""
    while not await passes.step():
        pass


FORGERIES = (
    ("UPDATE accounts SET balance = balance + 7 WHERE account = 'wallet:CHIPS:w3'", 7),
    ("UPDATE legs SET amount = amount + 7 WHERE account = 'wallet:CHIPS:w3' AND account_line = 2", 14),
    ("DELETE FROM legs WHERE account = 'wallet:CHIPS:w3' AND account_line = 1", 20),
    ("DELETE FROM legs WHERE account = 'wallet:CHIPS:w3' AND account_line = 5", 28),
    ("UPDATE legs SET balance_after = balance_after + 7 WHERE account = 'wallet:CHIPS:w3' AND account_line = 2", 14),
    ("DELETE FROM accounts WHERE account = 'wallet:CHIPS:w3'", 60),
)


@pytest.mark.parametrize("size", [3, 7, 100, 10_000])
async def test_a_pass_finds_the_same_whatever_its_parts(conn: Connection, size: int) -> None:
    """Parts of any size count exactly the chips that each forgery moves."""
    await fill(conn)
    clean = await whole(conn, size)
    assert (clean.off, clean.accounts, clean.legs) == (0, PLAYERS + 1, 2 * PLAYERS * MOVES)
    for statement, off in FORGERIES:
        async with conn.transaction(force_rollback=True):
            await forge(conn, statement)
            assert (await whole(conn, size)).off == off, statement


async def test_balances_are_watched_while_no_pass_can_be_made(
    pool: Pool, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every part of the pass is cancelled for taking too long: what is off in the balances is shown all the same."""
    await fill(conn)
    monkeypatch.setattr(ledger_watch, "PART_SECONDS", 0.2)
    passes = Passes(pool, lambda: 0)
    locker = await psycopg.AsyncConnection.connect(conn.info.dsn, password=conn.info.password)
    async with locker:
        await locker.execute("LOCK TABLE legs IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(psycopg.errors.QueryCanceled):
            await to_the_end(passes)
        await forge(conn, "UPDATE accounts SET balance = balance + 777 WHERE account = 'wallet:CHIPS:w3'")
        await ledger_watch.look_once(pool)
        assert gauge("pitboss_ledger_imbalance") == 777


async def test_a_pass_goes_on_where_a_part_was_cancelled(
    pool: Pool, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read before the slow part counts: the pass ends with every leg read once."""
    await fill(conn)
    monkeypatch.setattr(checks, "MOST_PART", 50)
    monkeypatch.setattr(checks, "LEAST_PART", 10)
    monkeypatch.setattr(ledger_watch, "PART_SECONDS", 0.2)
    passes = Passes(pool, lambda: 0)
    for _ in range(4):
        assert not await passes.step()
    locker = await psycopg.AsyncConnection.connect(conn.info.dsn, password=conn.info.password)
    async with locker:
        await locker.execute("LOCK TABLE legs IN ACCESS EXCLUSIVE MODE")
        assert not await passes.step()
    await to_the_end(passes)
    passed = await checks.last(conn)
    assert passed is not None
    assert (passed.off, passed.accounts, passed.legs) == (0, PLAYERS + 1, 2 * PLAYERS * MOVES)


async def test_a_pass_of_one_process_is_known_to_all(pool: Pool, conn: Connection) -> None:
    """What it found and when stands in the database: shown by every process, until a later pass finds all well."""
    await fill(conn)
    statement = (
        "UPDATE legs SET balance_after = balance_after + 7 WHERE account = 'wallet:CHIPS:w3' AND account_line = 2"
    )
    await forge(conn, statement)
    passes = Passes(pool, lambda: 0)
    await to_the_end(passes)
    await ledger_watch.look_once(pool)
    assert gauge("pitboss_ledger_imbalance") == 14
    assert gauge("pitboss_ledger_passed_timestamp_seconds")
    await forge(conn, statement.replace("+ 7", "- 7"))
    await to_the_end(passes)
    await ledger_watch.look_once(pool)
    assert gauge("pitboss_ledger_imbalance") == 0


async def test_the_house_report_says_when_the_whole_was_looked_through(settlement: Served, conn: Connection) -> None:
    """The process makes its first pass by itself; the report takes its result instead of adding up the ledger."""
    await fill(conn)
    request = report_pb2.GetHouseReportRequest(currency="CHIPS")
    await waits.eventually(lambda: checks.last(conn), "the first pass")
    await forge(conn, FORGERIES[0][0])
    told = await settlement.call(settlement.reports.GetHouseReport, request, Role.OPERATOR)
    assert told.full_check_time.seconds > 1_700_000_000
    assert (told.imbalance, told.wallets + told.cashier) == (7, 7)
