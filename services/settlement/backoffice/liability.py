"""The money that the house holds for its players [R38], from the ledger alone."""

from pitboss.v1 import back_office_pb2 as pb

from services.contract import wire_sums
from services.database import retry
from services.ledger import sums
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement.backoffice import request_fields


async def liability(
    pool: Pool, settings: Settings, request: pb.GetHouseLiabilityRequest
) -> pb.GetHouseLiabilityResponse:
    """Add up all accounts at the end of a span, and the cash that moved within it. Raises Refused."""
    currency, within = request_fields.real_currency(request, settings), request_fields.span(request)

    async def read(conn: Connection) -> tuple[dict[str, int], dict[str, int]]:
        held = await sums.totals_at(conn, currency, within.to_ms)
        return held, await sums.cash(conn, currency, within.from_ms, within.to_ms)

    held, moved = await retry.at_one_moment(pool.connection, read)
    owed = {kind: held.get(kind, 0) for kind in ("wallet", "seat", "pot")}
    found = {
        "wallets": owed["wallet"],
        "chips_at_tables": owed["seat"],
        "carried_pots": owed["pot"],
        "liability": sum(owed.values()),
        "house": held.get("house", 0),
        "fees": held.get("fees", 0),
        "cashier": held.get("cashier", 0),
        "deposits": moved.get("deposit", 0),
        "withdrawals": -moved.get("withdrawal", 0),
        "adjustments": moved.get("adjustment", 0),
        "imbalance": sum(held.values()),
    }
    return pb.GetHouseLiabilityResponse(
        header=request_fields.header(
            settings,
            "Money held for players",
            currency,
            within,
            empty=not moved and not any(held.values()),
            sums_shown=found.values(),
        ),
        **{field: wire_sums.fitting(chips) for field, chips in found.items()},
    )
