"""How much a wallet and the house may come to hold, and that test money and real money stay apart.

Checked where money comes in, in the transaction that brings it. What is won at tables is not bounded here: chips can
always be taken home. Sums are 64 bits wide, nine times what a currency may hold, so deposits at the same moment that
do not see each other stay far from their end too.

A deposit names a player, not a token, so whether it is a test player is told by the wallets [R46]: one that
holds money of a kind, or ever brought it to a table, takes none of the other kind. A wallet that was filled by mistake
and never played with is emptied by a withdrawal, and counts no more.
"""

from typing import Final

from services.ledger import accounts, books
from services.registry.paging import Connection
from services.runtime.errors import Problem, Reason
from services.runtime.settings import TEST_CURRENCY
from services.settlement.limits import admission

MOST_TEST_CHIPS: Final = 10**12
"""What a test player is funded with at most, chips at tables counted [R46]."""
MOST_IN_WALLET: Final = 10**17
"""What deposits and adjustments fill a wallet to at most."""
MOST_IN_HOUSE: Final = 10**18
"""What a currency's deposits, less its withdrawals, may come to; and what the house's bank may owe."""


async def see_room(conn: Connection, currency: str, player: str, held: int) -> None:
    """Check what money that was just posted has made of a wallet, which holds ``held`` now, and of the house.

    Raises Problem (``AMOUNT_OUT_OF_RANGE``); the caller's transaction must be undone then.
    """
    most, lying = MOST_IN_WALLET, 0
    if currency == TEST_CURRENCY:
        most, lying = MOST_TEST_CHIPS, await admission.at_tables(conn, player, currency)
    if held + lying > most:
        at_tables = f", the {lying} at tables counted" if lying else ""
        raise _too_much(f"the wallet of {player} would hold {held + lying} {currency}{at_tables}; it is filled", most)
    await _see(conn, currency, "cashier", "the house would hold")
    await see_bank(conn, currency)


async def see_bank(conn: Connection, currency: str) -> None:
    """Check that the house's bank owes no more than it may: only then chips are brought to tables.

    So all that players hold of a currency stays far below what an account of 64 bits can. Raises Problem
    (``AMOUNT_OUT_OF_RANGE``).
    """
    await _see(conn, currency, "house", "the house's bank would owe")


async def _see(conn: Connection, currency: str, kind: str, what: str) -> None:
    owed = -await books.total_of(conn, accounts.parts(kind, currency))
    if owed > MOST_IN_HOUSE:
        raise _too_much(f"{what} {owed} {currency}; it is allowed", MOST_IN_HOUSE)


async def keep_apart(conn: Connection, currency: str, player: str) -> None:
    """Check that no test money comes to a player of real money, and the other way round.

    Raises Problem (``TEST_ONLY``, ``WRONG_CURRENCY``).
    """
    if currency != TEST_CURRENCY:
        if await books.in_use(conn, [accounts.wallet(TEST_CURRENCY, player)]):
            message = f"{player} is a test player, whose wallet is in {TEST_CURRENCY}; it takes no {currency}"
            raise Problem(Reason.WRONG_CURRENCY, message)
        return
    real = [accounts.wallet(one, player) for one in await books.currencies(conn) if one != TEST_CURRENCY]
    if found := await books.in_use(conn, real):
        message = f"{player} plays for real money ({found.split(':')[1]}); {TEST_CURRENCY} is for test players"
        raise Problem(Reason.TEST_ONLY, message)


def _too_much(what: str, most: int) -> Problem:
    return Problem(Reason.AMOUNT_OUT_OF_RANGE, f"{what} up to {most}", metadata={"most": most})
