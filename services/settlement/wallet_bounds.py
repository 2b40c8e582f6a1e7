"""Bounds on wallets and on the house's bank, and the separation of test money from real money.

They are checked in the transaction that brings money in. Winnings are not bounded: chips can always be taken home.
Sums are 64 bits wide, nine times what a currency may hold. Concurrent deposits that do not see each other therefore
stay far below an overflow.

A deposit names a player, not a token, so the wallets show whether it is a test player [R46]. A player who holds one
kind of money, or ever brought it to a table, cannot receive the other kind. A wallet that was filled by mistake and
never played with can be emptied by a withdrawal and then no longer counts.
"""

from typing import Final

from services.ledger import accounts, books
from services.rules import house_players
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Connection
from services.runtime.settings import TEST_CURRENCY
from services.settlement import seats

MOST_TEST_CHIPS: Final = 10**12
"""Maximum of a test player's funds, including chips at tables [R46]."""
MOST_IN_WALLET: Final = 10**17
"""Maximum that deposits and adjustments may bring a wallet to."""
MOST_IN_HOUSE: Final = 10**18
"""Maximum of a currency's deposits less its withdrawals, and of what the house's bank may owe."""


async def see_room(conn: Connection, currency: str, player: str, held: int) -> None:
    """Check a wallet, which holds ``held`` chips after a posting, and the house against their maxima.

    Raises Refused (``AMOUNT_OUT_OF_RANGE``); the caller must roll its transaction back.
    """
    most, seated = MOST_IN_WALLET, 0
    if currency == TEST_CURRENCY:
        most, seated = MOST_TEST_CHIPS, await seats.chips_at_tables(conn, player, currency)
    if held + seated > most:
        at_tables = f", including {seated} at tables" if seated else ""
        raise _too_much(f"this would bring {player}'s wallet to {held + seated} {currency}{at_tables}", most)
    await _see(conn, currency, "cashier", "this would bring the house's deposits to")
    await see_bank(conn, currency)


async def see_bank(conn: Connection, currency: str) -> None:
    """Check that the house's bank owes no more than its maximum, before chips are brought to a table.

    All that players hold of a currency thus stays far below the range of a 64-bit account. Raises Refused
    (``AMOUNT_OUT_OF_RANGE``).
    """
    await _see(conn, currency, "house", "this would bring the debt of the house's bank to")


async def _see(conn: Connection, currency: str, kind: str, what: str) -> None:
    owed = -await books.total_of(conn, accounts.parts(kind, currency))
    if owed > MOST_IN_HOUSE:
        raise _too_much(f"{what} {owed} {currency}", MOST_IN_HOUSE)


async def keep_apart(conn: Connection, currency: str, player: str) -> None:
    """Check that a player of real money receives no test money, and a test player no real money.

    A house player never receives real money. Raises Refused (``TEST_ONLY``, ``WRONG_CURRENCY``).
    """
    house_players.keep_from_money(player, test=currency == TEST_CURRENCY)
    if currency != TEST_CURRENCY:
        if await books.in_use(conn, [accounts.wallet(TEST_CURRENCY, player)]):
            message = f"{player} is a test player with a wallet in {TEST_CURRENCY}, which cannot receive {currency}"
            raise Refused(Reason.WRONG_CURRENCY, message)
        return
    real = [accounts.wallet(one, player) for one in await books.currencies(conn) if one != TEST_CURRENCY]
    if found := await books.in_use(conn, real):
        message = f"{player} plays for real money ({found.split(':')[1]}); {TEST_CURRENCY} is for test players"
        raise Refused(Reason.TEST_ONLY, message)


def lack(balance: int, needed: int, currency: str) -> dict[str, str | int]:
    """Return the figures of a refusal for want of money (``INSUFFICIENT_FUNDS``)."""
    return {"balance": balance, "needed": needed, "missing": needed - balance, "currency": currency}


def _too_much(what: str, most: int) -> Refused:
    return Refused(Reason.AMOUNT_OUT_OF_RANGE, f"{what}; the maximum is {most}", metadata={"greatest": most})
