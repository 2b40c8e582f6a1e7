"""Sums over the ledger: whether it balances, and what the house holds for its players."""

import asyncio
import time
from typing import Any, Final

from pitboss.v1 import report_pb2 as pb
from pitboss.v1 import report_pb2_grpc

from services.contract import requests, wire_sums, wire_tables
from services.database import retrying
from services.ledger import books
from services.runtime import logs, metrics
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings

CHECK_SECONDS: Final = 10.0
FULL_CHECK_EVERY: Final = 360
"""Every so many checks the whole ledger is derived again from its legs (about once an hour)."""

KINDS: Final = ("wallet", "seat", "pot", "house", "fees", "cashier")

trace = logs.get("reports")


class ReportService(report_pb2_grpc.ReportServiceServicer):
    """See ``protos/pitboss/v1/report.proto``."""

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings

    async def GetHouseReport(self, request: pb.GetHouseReportRequest, _: Any) -> pb.GetHouseReportResponse:  # noqa: ANN401, N802 - the contract's name and grpc's untyped context
        """Add up the accounts of a currency as they stand."""
        currency = requests.currency(request.currency or self._settings.default_currency)

        async def add_up(conn: Connection) -> tuple[dict[str, int], int]:
            sums = {kind: await books.total_of_kind(conn, kind, currency) for kind in KINDS}
            return sums, await books.imbalance(conn)

        sums, imbalance = await retrying.at_one_moment(self._pool.connection, add_up)
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
            note=wire_sums.note((*sums.values(), imbalance)) if any(sums.values()) else "no activity",
        )


async def watch_balance(pool: Pool) -> None:
    """Look again and again whether the ledger adds up; anything but 0 is shown to whoever watches the metrics."""
    checks = 0
    while True:
        async with pool.connection() as conn:
            full = checks % FULL_CHECK_EVERY == 0
            off = await (books.imbalance(conn) if full else books.imbalance_of_accounts(conn))
        metrics.LEDGER_IMBALANCE.set(off)
        metrics.LEDGER_CHECKED.set(time.time())
        if off:
            trace.error("the ledger does not add up", chips=off)
        checks += 1
        await asyncio.sleep(CHECK_SECONDS)


ACCESS: dict[str, tuple[Role, ...]] = {"GetHouseReport": (Role.OPERATOR, Role.AUDITOR, Role.SERVICE)}
