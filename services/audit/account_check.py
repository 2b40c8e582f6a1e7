"""Check of accounts against their legs: each leg continues the previous one, and the last one gives the balance."""

from typing import Final

from services.audit.findings import LEDGER, Finding, general, of_record
from services.audit.record_check import Pace, at_once
from services.ledger import continuity
from services.ledger.continuity import Break, Leg
from services.runtime.pools import Pool

PAGE: Final = 2000
MOST_NAMED: Final = 100


async def check(pool: Pool, pace: Pace = at_once) -> list[Finding]:
    """Return the accounts whose lines or balances do not follow from their legs; the first 100 individually."""
    found = [*await _legs(pool, pace), *await _balances(pool, pace)]
    named = [
        of_record("accounts", one.account, LEDGER, _field(one), one.expected, one.found) for one in found[:MOST_NAMED]
    ]
    if len(found) > MOST_NAMED:
        named.append(general("accounts", "no further faults", f"{len(found) - MOST_NAMED} more are"))
    return named


def _field(one: Break) -> str:
    return f"line {one.line}" if one.line else "balance"


async def _legs(pool: Pool, pace: Pace) -> list[Break]:
    found: list[Break] = []
    last: Leg | None = None
    while True:
        async with pool.connection() as conn:
            page = await continuity.legs(conn, (last.account, last.line) if last else ("", 0), PAGE)
        found += continuity.broken(last, page)
        if len(page) < PAGE:
            return found
        last = page[-1]
        await pace()


async def _balances(pool: Pool, pace: Pace) -> list[Break]:
    found: list[Break] = []
    after: str | None = ""
    while after is not None:
        async with pool.connection() as conn:
            breaks, after = await continuity.balances(conn, after, PAGE)
        found += breaks
        await pace()
    return found
