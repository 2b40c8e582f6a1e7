"""Helpers of the ledger's tests: entries between accounts."""

import uuid
from typing import Any

import psycopg

from services.ledger import accounts, books
from services.ledger.records import Entry, Posted

Connection = psycopg.AsyncConnection[Any]
CURRENCY = "CHIP"


def entry(changes: dict[str, int], **fields: Any) -> Entry:
    """Make an entry of its own from changes by account."""
    sound: dict[str, Any] = {
        "entry_id": str(uuid.uuid4()),
        "kind": "transfer",
        "currency": CURRENCY,
        "legs": accounts.legs(changes),
        "reason": "a test",
        "actor": "operator-1",
    }
    return Entry(**{**sound, **fields})


async def deposit(conn: Connection, player: str, amount: int) -> str:
    """Put chips into a wallet and return its name."""
    wallet = accounts.wallet(CURRENCY, player)
    await move(conn, accounts.cashier(CURRENCY, player), wallet, amount)
    return wallet


async def move(conn: Connection, source: str, target: str, amount: int, **fields: Any) -> Posted:
    """Move chips from one account to another."""
    return await books.post(conn, entry({source: -amount, target: amount}, **fields))
