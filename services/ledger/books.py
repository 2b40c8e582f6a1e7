"""The only code that moves chips: post an entry, read balances and statements."""

from collections.abc import Sequence
from typing import Any

from services.database.retry import Connection
from services.database.row_bounds import MOST_ROWS, bounded
from services.database.statements import Statement, rows
from services.ledger import queries
from services.ledger.records import Account, Entry, Line, Posted
from services.ledger.signatures import EntryKey


async def post(conn: Connection, entry: Entry, key: EntryKey | None = None) -> Posted:
    """Post an entry in the caller's transaction, signed with ``key``, in one round trip.

    The accounts stay locked until that transaction ends. Post once in a transaction, and before ``log.append``, so that
    no two transactions wait for each other. Accounts are created at first use. An outcome other than ``posted`` has
    changed no balance. Raises psycopg.Error (an account of another currency).
    """
    return posted(await rows(conn, *posting(entry, key)))


def posting(entry: Entry, key: EntryKey | None) -> Statement:
    """Return the statement that posts an entry, to be sent with others of its transaction."""
    return Statement(
        queries.POST,
        (
            entry.entry_id,
            entry.kind,
            entry.currency,
            entry.reason,
            entry.table,
            entry.round,
            entry.request_key,
            entry.digest,
            entry.actor,
            [leg.account for leg in entry.legs],
            [leg.amount for leg in entry.legs],
            None if key is None else key.sign(entry),
        ),
    )


def posted(found: list[Any]) -> Posted:
    """Return the outcome of the statement that posts."""
    [(outcome, fault, accounts, balances)] = found
    return Posted(outcome, dict(zip(accounts, balances, strict=True)), fault)


async def known_request(conn: Connection, key: str) -> bool:
    """Return whether an entry was posted for a request; its repetition gets the first answer."""
    return bool(await rows(conn, queries.KNOWN_REQUEST, (key,)))


async def balance(conn: Connection, account: str) -> int:
    """Return the chips in an account; 0 where it was never used."""
    found = await rows(conn, queries.BALANCE, (account,))
    return int(found[0][0]) if found else 0


async def heads(conn: Connection, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the balance and the number of the last line of these accounts; those never used are left out."""
    assert len(names) <= MOST_ROWS, f"{len(names)} accounts at once"
    return {account: (balance, line) for account, balance, line in await rows(conn, queries.HEADS, (list(names),))}


async def accounts(conn: Connection, prefix: str, after: str = "", limit: int = 1000) -> list[Account]:
    """Return the accounts whose names begin with ``prefix``, by name, from behind the name ``after``."""
    return [Account(*row) for row in await rows(conn, queries.ACCOUNTS, (prefix, after, bounded(limit)))]


async def total(conn: Connection, prefix: str) -> int:
    """Return the chips in all accounts whose names begin with ``prefix``, such as ``house:CHIP:``."""
    return int((await rows(conn, queries.TOTAL, (prefix,)))[0][0])


async def total_of_kind(conn: Connection, kind: str, currency: str) -> int:
    """Return the chips of a currency in all accounts of a kind, such as ``seat`` for the chips at tables."""
    return int((await rows(conn, queries.TOTAL_OF_KIND, (kind, currency)))[0][0])


async def total_of(conn: Connection, names: Sequence[str]) -> int:
    """Return the chips in these accounts together."""
    return int((await rows(conn, queries.TOTAL_OF, (list(names),)))[0][0])


async def in_use(conn: Connection, names: Sequence[str]) -> str:
    """Return the first of these wallets that holds chips or ever brought chips to a table; "" where there is none."""
    found = await rows(conn, queries.IN_USE, (list(names),))
    return str(found[0][0]) if found else ""


async def currencies(conn: Connection) -> list[str]:
    """Return the currencies in which there are wallets."""
    return [str(row[0]) for row in await rows(conn, queries.CURRENCIES)]


async def statement(conn: Connection, account: str, after: int = 0, limit: int = 100) -> list[Line]:
    """Return one page of an account's lines, oldest first, from behind line ``after``.

    The amounts up to a line add up to its ``balance_after``.
    """
    return [Line(*row) for row in await rows(conn, queries.STATEMENT, (account, after, bounded(limit)))]


async def newest(
    conn: Connection, account: str, before: int, limit: int = 100, *, kind: str = "", table: str = ""
) -> list[Line]:
    """Return one page of an account's lines, newest first, from below line ``before``, of a kind or a table."""
    parameters = (account, before, kind, kind, table, table, bounded(limit))
    return [Line(*row) for row in await rows(conn, queries.STATEMENT_BEFORE, parameters)]
