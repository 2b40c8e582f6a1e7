"""The floor: what needs a person now, and the tables that are open, with who plays and what is at risk."""

import asyncio
import datetime as dt
from typing import Any, Final

import msgspec
from pitboss.client import Refused
from pitboss.v1 import audit_pb2, back_office_pb2, dealer_pb2, report_pb2, table_pb2
from starlette.responses import RedirectResponse, Response

from services.console import figures, rulebook
from services.console.desk import ROWS, Desk
from services.rules import catalogue

LATE_SECONDS: Final = 3
"""Seconds after a deadline from which on it is late: somebody has to look."""
ORDERS: Final = ("", "create_time desc", "stake desc", "seats_taken desc")


class Need(msgspec.Struct, frozen=True):
    """Something that needs a person: a key of the words with its values, and the address where it is dealt with."""

    key: str
    path: str
    values: dict[str, object] = {}


class Row(msgspec.Struct, frozen=True):
    """A table of the list: its summary, and its view where its dealer answers."""

    table: Any
    view: Any

    @property
    def at_risk(self) -> int:
        """Chips staked in the running round."""
        return sum(seat.staked for seat in self.view.round.seats) if self.is_running else 0

    @property
    def pot(self) -> int:
        """Chips in the pots of the running round."""
        return (self.view.round.betting.total or sum(self.view.round.pots)) if self.is_running else 0

    @property
    def is_running(self) -> bool:
        """Whether a round is played."""
        return self.view is not None and self.view.round.state == table_pb2.ROUND_STATE_RUNNING

    @property
    def idle_seconds(self) -> int | None:
        """Seconds since the last action of the running round: its turn began with that. None where no turn runs."""
        if not self.is_running or not self.view.round.turn_ms or not self.view.round.HasField("deadline_time"):
            return None
        began_ms = self.view.round.deadline_time.ToMilliseconds() - self.view.round.turn_ms
        return figures.seconds_since(began_ms)

    @property
    def present(self) -> int:
        """Players of the table who watch it now."""
        return 0 if self.view is None else sum(one.watching for one in self.view.presence)

    @property
    def late_seconds(self) -> int:
        """Seconds by which the deadline of the running round has passed."""
        return (figures.seconds_since(self.view.round.deadline_time) or 0) if self.is_running else 0


async def home(_: Desk) -> Response:
    """Lead to the floor."""
    return RedirectResponse("/floor", 303)


async def floor(desk: Desk) -> Response:
    """Show what needs a person, and a page of the open tables."""
    order, game = desk.query("order"), desk.query("game")
    request = dealer_pb2.ListTablesRequest(
        page_size=ROWS,
        page_token=desk.query("page"),
        game=game if game in (one.id for one in catalogue.games()) else "",
        include_test=bool(desk.query("test")),
        order_by=order if order in ORDERS else "",
    )
    found, needs, stakes = await asyncio.gather(
        desk.house.call(desk.house.dealer.ListTables, request), attention(desk), _open_stakes(desk)
    )
    rows = await asyncio.gather(*(_row(desk, table) for table in found.tables))
    needs += [need for row in rows for need in _of_table(row)]
    return desk.render(
        "floor.html",
        rows=rows,
        needs=needs,
        games=[(one.id, one.name.within(desk.language)) for one in catalogue.games()],
        game_name=lambda one: rulebook.name(one, desk.language),
        at_risk=sum(one.staked for one in stakes),
        rounds=sum(one.rounds for one in stakes),
        next_page=found.next_page_token,
        state=table_pb2.TableState.Name,
    )


async def attention(desk: Desk) -> list[Need]:
    """Return what needs a person of the whole house: decisions that wait, and books that do not balance."""
    office = desk.house.office
    adjustments, voids, report, checkpoints = await asyncio.gather(
        desk.house.call(
            office.ListAdjustments, back_office_pb2.ListAdjustmentsRequest(pending_only=True, page_size=100)
        ),
        desk.house.call(office.ListVoids, back_office_pb2.ListVoidsRequest(pending_only=True, page_size=100)),
        desk.house.call(desk.house.reports.GetHouseReport, report_pb2.GetHouseReportRequest()),
        desk.house.call(desk.house.audit.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_size=1)),
    )
    waiting = len(adjustments.adjustments) + len(voids.voids)
    needs = [Need("need.decisions", "/inbox", {"number": waiting})] if waiting else []
    if checkpoints.refused:
        needs.insert(0, Need("checkpoints.refused", "/operation", {"number": len(checkpoints.refused)}))
    if report.imbalance:
        needs.insert(0, Need("need.imbalance", "/money", {"chips": figures.chips(report.imbalance)}))
    return needs


def _of_table(row: Row) -> list[Need]:
    where, title = f"/tables/{row.table.table_id}", row.table.title or row.table.table_id
    if row.view is None:
        return [Need("need.silent", where, {"table": title})]
    if row.table.state == table_pb2.TABLE_STATE_SETTLING:
        return [Need("need.unsettled", where, {"table": title})]
    if row.late_seconds >= LATE_SECONDS:
        return [Need("need.late", where, {"table": title, "seconds": row.late_seconds})]
    return []


async def _row(desk: Desk, table: table_pb2.TableSummary) -> Row:
    try:
        return Row(table, await desk.house.table(table.table_id))
    except Refused:
        return Row(table, None)


async def _open_stakes(desk: Desk) -> list[back_office_pb2.OpenStakes]:
    now = dt.datetime.now(dt.UTC)
    request = back_office_pb2.ListGamePerformanceRequest(page_size=1)
    request.from_time.FromDatetime(now)
    request.to_time.FromDatetime(now)
    return list((await desk.house.call(desk.house.office.ListGamePerformance, request)).open_stakes)
