"""The names of accounts, and the legs that move chips between them.

The bank, the fees and the cashier are spread over ``SPREAD`` accounts each, so that tables do not wait for one another.
A report adds them up by their prefix (``house:CHIP:``).
"""

import hashlib
from collections.abc import Mapping
from typing import Final

from services.ledger.records import Leg

SPREAD: Final = 16


def wallet(currency: str, player: str) -> str:
    """Return the account of a player's wallet."""
    return f"wallet:{currency}:{player}"


def seat(table: str, number: int) -> str:
    """Return the account of a seat's chips."""
    return f"seat:{table}:{number}"


def pot(table: str) -> str:
    """Return the account of a table's carried pool."""
    return f"pot:{table}"


def house(currency: str, table: str) -> str:
    """Return the part of the house's bank that plays at a table."""
    return f"house:{currency}:{_part(table)}"


def fees(currency: str, table: str) -> str:
    """Return the part of the fees that a table pays into."""
    return f"fees:{currency}:{_part(table)}"


def cashier(currency: str, player: str) -> str:
    """Return the part of the cashier (the outside world) from which a player's deposits come."""
    return f"cashier:{currency}:{_part(player)}"


def parts(kind: str, currency: str) -> list[str]:
    """Return all accounts over which the bank (``house``), the fees or the cashier of a currency is spread."""
    assert kind in ("house", "fees", "cashier"), f"{kind} accounts are not spread"
    return [f"{kind}:{currency}:{part}" for part in range(SPREAD)]


def legs(changes: Mapping[str, int]) -> tuple[Leg, ...]:
    """Return changes by account as legs, without accounts that do not change."""
    return tuple(Leg(account, amount) for account, amount in sorted(changes.items()) if amount)


def _part(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % SPREAD
