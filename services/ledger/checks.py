"""Checks that the ledger balances, in parts of a bounded size: no statement grows with the ledger.

A pass makes three checks: each account's balance against its last leg, each leg against the one before it, and the sum
of each entry's legs. It adds up the chips by which they differ.
"""

from typing import Final

import msgspec

from services.database.retry import Connection
from services.database.statements import execute, rows
from services.ledger import queries

ACCOUNTS_PART: Final = 20_000
"""Maximum number of accounts that one statement adds up."""
LEAST_PART, MOST_PART = 500, 10_000
"""Least and greatest number of rows that one step of a pass reads, by how fast statements are."""
NO_ENTRY: Final = "00000000-0000-0000-0000-000000000000"

BALANCES, CHAINS, ENTRIES, DONE = "balances", "chains", "entries", "done"


class Pass(msgspec.Struct):
    """A pass over the whole ledger: its position, and the chips found off so far."""

    way: str = BALANCES
    account: str = ""
    line: int = 0
    balance: int = 0
    entry: str = NO_ENTRY
    off: int = 0
    accounts: int = 0
    legs: int = 0

    @property
    def done(self) -> bool:
        """Whether the pass is complete."""
        return self.way == DONE

    async def step(self, conn: Connection, size: int) -> None:
        """Check the next part of at most ``size`` rows. Raises psycopg.Error; then the part does not count."""
        await {BALANCES: self._balances, CHAINS: self._chains, ENTRIES: self._entries}[self.way](conn, size)

    async def _balances(self, conn: Connection, size: int) -> None:
        [(off, count, last)] = await rows(conn, queries.BALANCES_PART, (self.account, size))
        self.off += int(off)
        self.accounts += count
        self.account = last or ""
        if count < size:
            self.way, self.account = CHAINS, ""

    async def _chains(self, conn: Connection, size: int) -> None:
        at = {"account": self.account, "line": self.line, "balance": self.balance, "limit": size}
        [(off, count, account, line, balance)] = await rows(conn, queries.CHAINS_PART, at)
        self.off += int(off)
        self.legs += count
        if count < size:
            self.way = ENTRIES
        else:
            self.account, self.line, self.balance = account, line, balance

    async def _entries(self, conn: Connection, size: int) -> None:
        found = await rows(conn, queries.ENTRIES_PART, (self.entry, size))
        cut = sum(count for _, _, count in found) == size
        whole = found[:-1] if cut and len(found) > 1 else found
        self.off += sum(abs(int(total)) for _, total, _ in whole)
        if whole:
            self.entry = whole[-1][0]
        if not cut:
            self.way = DONE


class Passed(msgspec.Struct, frozen=True):
    """A complete pass: its begin and end (ms since 1970), what it read, and the chips found off."""

    began_ms: int
    ended_ms: int
    accounts: int
    legs: int
    off: int


async def totals(conn: Connection) -> dict[tuple[str, str], int]:
    """Return the sums of all accounts by kind and currency.

    It sends several statements; call it in ``retry.at_one_moment`` for the sums of one moment.
    """
    found: dict[tuple[str, str], int] = {}
    after, size = "", ACCOUNTS_PART
    while size == ACCOUNTS_PART:
        part = await rows(conn, queries.TOTALS_PART, (after, ACCOUNTS_PART))
        for kind, currency, chips, last, count in part:
            found[kind, currency] = found.get((kind, currency), 0) + int(chips)
            after, size = last, count
        if not part:
            break
    return found


def imbalance_of(held: dict[tuple[str, str], int]) -> int:
    """Return the total imbalance over account balances; 0 when each currency balances."""
    by_currency: dict[str, int] = {}
    for (_, currency), chips in held.items():
        by_currency[currency] = by_currency.get(currency, 0) + chips
    return sum(abs(chips) for chips in by_currency.values())


async def imbalance(conn: Connection, size: int = MOST_PART) -> int:
    """Return the total imbalance found by a whole pass of its own; anything but 0 needs immediate attention."""
    whole = Pass()
    while not whole.done:
        await whole.step(conn, size)
    return whole.off + imbalance_of(await totals(conn))


async def record(conn: Connection, began_ms: int, done: Pass) -> None:
    """Record a complete pass in the caller's transaction; the database sets its end."""
    await execute(conn, queries.RECORD_FULL_CHECK, (began_ms, done.accounts, done.legs, done.off))


async def last(conn: Connection) -> Passed | None:
    """Return the last complete pass of any process; None before the first."""
    found = await rows(conn, queries.LAST_FULL_CHECK)
    if not found:
        return None
    began_ms, ended_ms, accounts, legs, off = found[0]
    return Passed(began_ms, ended_ms, accounts, legs, int(off))
