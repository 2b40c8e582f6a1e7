"""Top-ups before a round: which seats the wallets and limits of their players bring up to their level."""

import msgspec

from services.ledger import accounts, books
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Connection
from services.settlement import wallet_bounds
from services.settlement.limits.admission import Admission
from services.table import top_up
from services.table.public_table import PublicTable


class TopUps(msgspec.Struct, frozen=True):
    """The chips that seats are given, and why others are given none."""

    added: dict[int, int] = {}
    failed: dict[int, Reason] = {}


async def due(conn: Connection, admission: Admission, core: PublicTable, but: set[int]) -> TopUps:
    """Return the top-ups of a table between rounds, without the seats that are about to leave."""
    wanted = {seat: amount for seat, amount in top_up.missing(core).items() if seat not in but}
    if not wanted:
        return TopUps()
    try:
        await wallet_bounds.see_bank(conn, core.opening.currency)
    except Refused as refusal:
        return TopUps(failed=dict.fromkeys(wanted, refusal.reason))
    added: dict[int, int] = {}
    failed: dict[int, Reason] = {}
    for seat, amount in wanted.items():
        try:
            await _require(conn, admission, core, core.seats[seat].player, amount)
        except Refused as refusal:
            failed[seat] = refusal.reason
        else:
            added[seat] = amount
    return TopUps(added, failed)


def raised(core: PublicTable, added: dict[int, int]) -> PublicTable:
    """Return the table as it is after top-ups; the one that is given is left as it is."""
    seats = {
        number: msgspec.structs.replace(seat, chips=seat.chips + added.get(number, 0))
        for number, seat in core.seats.items()
    }
    return msgspec.structs.replace(core, seats=seats)


async def _require(conn: Connection, admission: Admission, core: PublicTable, player: str, amount: int) -> None:
    """Check that a player's wallet and limits allow a top-up. Raises Refused."""
    currency = core.opening.currency
    await admission.bring(conn, core, player, amount)
    held = await books.balance(conn, accounts.wallet(currency, player))
    if held < amount:
        message = f"the wallet holds {held} {currency}; this needs {amount}"
        raise Refused(Reason.INSUFFICIENT_FUNDS, message, metadata=wallet_bounds.lack(held, amount, currency))
