"""Whether the ledger adds up, looked through in parts: no statement grows with the ledger.

A pass goes three ways through the ledger: what each account holds against its last leg, what each leg makes of the one
before it, and what the legs of each entry add up to. Chips that do not add up anywhere are counted.
"""

from typing import Final

import msgspec

from services.database.retry import Connection
from services.database.statements import rows, tell
from services.ledger import queries

ACCOUNTS_PART: Final = 20_000
"""Accounts that one statement adds up at most."""
LEAST_PART, MOST_PART = 500, 10_000
"""Rows that one step of a pass reads, where statements are slow and where they are quick."""
NO_ENTRY: Final = "00000000-0000-0000-0000-000000000000"

BALANCES, CHAINS, ENTRIES, DONE = "balances", "chains", "entries", "done"


class Pass(msgspec.Struct):
    """A pass over the whole ledger: how far it has come, and the chips that do not add up so far."""

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
        """Whether it has come to its end."""
        return self.way == DONE

    async def step(self, conn: Connection, size: int) -> None:
        """Read one part of at most ``size`` rows further. Raises psycopg.Error; then nothing of the part counts."""
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
    """A pass that came to its end: when it began and ended (ms since 1970), what it read, and the chips found off."""

    began_ms: int
    ended_ms: int
    accounts: int
    legs: int
    off: int


async def totals(conn: Connection) -> dict[tuple[str, str], int]:
    """Return what all accounts hold, by kind and currency.

    Takes several statements: for sums of one moment they belong into ``retrying.at_one_moment``.
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
    """Return the chips by which balances alone are off: each currency adds up to nought over all kinds of accounts."""
    by_currency: dict[str, int] = {}
    for (_, currency), chips in held.items():
        by_currency[currency] = by_currency.get(currency, 0) + chips
    return sum(abs(chips) for chips in by_currency.values())


async def imbalance(conn: Connection, size: int = MOST_PART) -> int:
    """Return the chips that do not add up anywhere, by a pass of its own; anything but 0 must wake someone."""
    whole = Pass()
    while not whole.done:
        await whole.step(conn, size)
    return whole.off + imbalance_of(await totals(conn))


async def record(conn: Connection, began_ms: int, done: Pass) -> None:
    """Record a pass that has come to its end, in the caller's transaction; the moment of its end is the database's."""
    await tell(conn, queries.RECORD_FULL_CHECK, (began_ms, done.accounts, done.legs, done.off))


async def last(conn: Connection) -> Passed | None:
    """Return the last pass that came to its end, whichever process made it; None before the first."""
    found = await rows(conn, queries.LAST_FULL_CHECK)
    if not found:
        return None
    began_ms, ended_ms, accounts, legs, off = found[0]
    return Passed(began_ms, ended_ms, accounts, legs, int(off))
