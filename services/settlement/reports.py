"""Sums over the ledger: whether it balances, and what the house holds for its players."""

import time
from typing import Any, Final

from pitboss.v1 import report_pb2 as pb
from pitboss.v1 import report_pb2_grpc

from services.contract import requests, wire_sums, wire_tables
from services.database import retry
from services.ledger import checks
from services.ledger.checks import Passed
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings

KINDS: Final = ("wallet", "seat", "pot", "house", "fees", "cashier")


class ReportService(report_pb2_grpc.ReportServiceServicer):
    """See ``protos/pitboss/v1/report.proto``."""

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings

    async def GetHouseReport(self, request: pb.GetHouseReportRequest, _: Any) -> pb.GetHouseReportResponse:
        """Return the sums of a currency's accounts, and when the whole ledger was last checked."""
        currency = requests.currency(request.currency or self._settings.default_currency)

        async def add_up(conn: Connection) -> tuple[dict[tuple[str, str], int], Passed | None]:
            return await checks.totals(conn), await checks.last(conn)

        held, passed = await retry.at_one_moment(self._pool.connection, add_up)
        sums = {kind: held.get((kind, currency), 0) for kind in KINDS}
        imbalance = checks.imbalance_of(held) + (passed.off if passed is not None else 0)
        shown = {kind: wire_sums.fitting(chips) for kind, chips in sums.items()}
        return pb.GetHouseReportResponse(
            title=f"{self._settings.house_name}: house report, {currency}",
            create_time=wire_tables.timestamp(time.time_ns() // 1_000_000),
            imbalance=wire_sums.fitting(imbalance),
            wallets=shown["wallet"],
            chips_at_tables=shown["seat"],
            carried_pots=shown["pot"],
            house=shown["house"],
            fees=shown["fees"],
            cashier=shown["cashier"],
            full_check_time=wire_tables.timestamp(passed.ended_ms) if passed is not None else None,
            note=wire_sums.note((*sums.values(), imbalance)) if any(sums.values()) else "no activity",
        )


ACCESS: dict[str, tuple[Role, ...]] = {"GetHouseReport": (Role.OPERATOR, Role.AUDITOR, Role.SERVICE)}
