"""The money of the house: what it holds for players, and what each game turned over and paid back in a span."""

import asyncio
import datetime as dt
import itertools
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp
from pitboss.v1 import back_office_pb2 as pb
from starlette.responses import Response

from services.console import rulebook
from services.console.desk import Desk

DAYS: Final = (1, 7, 30, 365)


async def money(desk: Desk) -> Response:
    """Show liability and games, for the last days that the address names."""
    days = next((one for one in DAYS if str(one) == desk.query("days")), DAYS[0])
    since = Timestamp()
    since.FromDatetime(dt.datetime.now(dt.UTC) - dt.timedelta(days=days))
    currency, office = desk.query("currency"), desk.house.office
    held, games = await asyncio.gather(
        desk.house.call(office.GetHouseLiability, pb.GetHouseLiabilityRequest(currency=currency, from_time=since)),
        _games(desk, currency, since),
    )
    return desk.render(
        "money.html",
        held=held,
        games=games,
        days=days,
        spans=DAYS,
        name=lambda game: rulebook.name(game, desk.language),
        most=max((abs(one["house"] + one["fees"] + one["rake"]) for one in games), default=0),
    )


async def _games(desk: Desk, currency: str, since: Timestamp) -> list[dict[str, Any]]:
    """Return the sums of each game, over all its configurations."""
    request = pb.ListGamePerformanceRequest(currency=currency, from_time=since, page_size=100)
    lines: list[pb.GamePerformance] = []
    while True:
        answer = await desk.house.call(desk.house.office.ListGamePerformance, request)
        lines += answer.games
        request.page_token = answer.next_page_token
        if not request.page_token:
            break
    lines.sort(key=lambda one: one.game)
    return [_sums(game, list(found)) for game, found in itertools.groupby(lines, key=lambda one: one.game)]


def _sums(game: str, lines: list[pb.GamePerformance]) -> dict[str, Any]:
    sums: dict[str, Any] = {
        name: sum(getattr(one, name) for one in lines) for name in ("rounds", "staked", "paid", "fees", "rake", "house")
    }
    theory = {f"{bet.bet} {bet.exact}" for one in lines for bet in one.theoretical_returns}
    actual = f"{sums['paid'] / sums['staked']:.4f}" if sums["staked"] else ""
    return {"game": game, **sums, "return": actual, "theory": "; ".join(sorted(theory))}
