"""Checks of accounts against their legs, page by page: each leg continues the one before, up to the balance."""

from collections.abc import Iterable, Iterator

import msgspec

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.ledger import queries

NEGATIVE = ("house", "cashier")
"""Kinds of account that may be negative."""


class Break(msgspec.Struct, frozen=True):
    """A line of an account that is inconsistent; line 0 is the account itself."""

    account: str
    line: int
    expected: str
    found: str


class Leg(msgspec.Struct, frozen=True):
    """A stored leg, and whether its account and its entry exist."""

    account: str
    line: int
    amount: int
    balance_after: int
    entry_id: str
    has_account: bool
    has_entry: bool


async def legs(conn: Connection, after: tuple[str, int], limit: int) -> list[Leg]:
    """Return legs by account and line, from behind ``after``."""
    return [Leg(*row) for row in await rows(conn, queries.LEGS, (*after, bounded(limit)))]


def broken(before: Leg | None, page: Iterable[Leg]) -> Iterator[Break]:
    """Return the legs of a page that do not continue the leg before them."""
    for leg in page:
        line, held = (before.line, before.balance_after) if before and before.account == leg.account else (0, 0)
        if leg.line != line + 1:
            yield Break(leg.account, line + 1, f"line {line + 1}", f"line {leg.line} follows line {line}")
        elif leg.balance_after != held + leg.amount:
            yield Break(leg.account, leg.line, str(held + leg.amount), f"{leg.balance_after} after this line")
        if not leg.has_entry:
            yield Break(leg.account, leg.line, f"entry {leg.entry_id}", "there is no such entry")
        if not leg.has_account:
            yield Break(leg.account, leg.line, f"account {leg.account}", "there is no such account")
        before = leg


async def balances(conn: Connection, after: str, limit: int) -> tuple[list[Break], str | None]:
    """Return a page's accounts that contradict their legs, and the last account read (None: no more follow)."""
    found = await rows(conn, queries.ACCOUNTS_BESIDE, (after, bounded(limit)))
    breaks: list[Break] = []
    for account, kind, balance, lines, may_be_negative, said, goes_on in found:
        if balance != (said if lines else 0):
            breaks.append(Break(account, 0, f"{said or 0}, which its line {lines} says", f"a balance of {balance}"))
        if goes_on:
            breaks.append(Break(account, 0, f"{lines} lines", "more of them"))
        if may_be_negative != (kind in NEGATIVE):
            breaks.append(Break(account, 0, f"may be negative: {kind in NEGATIVE}", f"{may_be_negative}"))
    return breaks, found[-1][0] if len(found) == limit else None
