"""The money of the house: what it holds for players, what moved in a span, and what each game turned over and paid."""

import asyncio
import itertools
import math
from fractions import Fraction
from typing import Any, Final

import msgspec
from pitboss.v1 import back_office_pb2 as pb
from starlette.responses import Response

from services.console import rulebook, spans
from services.console.desk import Desk
from services.console.spans import Span

SURE: Final = 1.96
"""Standard errors on either side of a 95 % interval."""


class GameMoney(msgspec.Struct, frozen=True):
    """Sums of a game over all its configurations, its return with an interval of 95 %, and the returns of its bets."""

    game: str
    rounds: int
    staked: int
    paid: int
    fees: int
    rake: int
    house: int
    pools: int
    error: float
    theory: tuple[tuple[str, float], ...]

    @property
    def won(self) -> int:
        """What the house won: bank, fees and rake."""
        return self.house + self.fees + self.rake

    @property
    def players(self) -> int:
        """What the players won or lost, after fees."""
        return self.paid - self.staked - self.fees

    @property
    def actual(self) -> float | None:
        """The share of the stakes that was paid back; None where nothing was staked."""
        return self.paid / self.staked if self.staked else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Between what the return is with 95 % certainty; None for fewer than two rounds."""
        if self.actual is None or not self.error:
            return None
        return max(0.0, self.actual - SURE * self.error), self.actual + SURE * self.error

    @property
    def is_odd(self) -> bool:
        """Whether the interval holds no return between those of the game's bets."""
        if self.interval is None or not self.theory:
            return False
        known = [value for _, value in self.theory]
        return self.interval[1] < min(known) or self.interval[0] > max(known)


class House(msgspec.Struct, frozen=True):
    """The money of one currency in a span; ``opening`` is what was held when the span began."""

    span: Span
    held: pb.GetHouseLiabilityResponse
    opening: pb.GetHouseLiabilityResponse
    games: list[GameMoney]


async def read(desk: Desk) -> House:
    """Return the money that an address asks for. Raises Refused."""
    span, currency, office = spans.asked(desk), desk.query("currency"), desk.house.office
    held, opening, games = await asyncio.gather(
        desk.house.call(
            office.GetHouseLiability,
            pb.GetHouseLiabilityRequest(currency=currency, from_time=span.from_time, to_time=span.to_time),
        ),
        desk.house.call(
            office.GetHouseLiability,
            pb.GetHouseLiabilityRequest(currency=currency, from_time=span.from_time, to_time=span.from_time),
        ),
        _games(desk, currency, span),
    )
    return House(span, held, opening, games)


async def money(desk: Desk) -> Response:
    """Show liability, cash and games."""
    found = await read(desk)
    return desk.render(
        "money.html",
        held=found.held,
        opening=found.opening,
        games=found.games,
        span=found.span,
        spans=spans.DAYS,
        currency=found.held.header.currency,
        name=lambda game: rulebook.name(game, desk.language),
        most=max((abs(one.won) for one in found.games), default=0),
        returns=[one for one in found.games if one.interval is not None],
        place=_place,
    )


def _place(share: float) -> float:
    """Return where a return is drawn in a plot: 0 to 150 % over 380 units, from 200 on."""
    return round(200 + 380 * min(max(share, 0.0), 1.5) / 1.5, 1)


async def _games(desk: Desk, currency: str, span: Span) -> list[GameMoney]:
    """Return the sums of each game, over all its configurations."""
    request = pb.ListGamePerformanceRequest(
        currency=currency, from_time=span.from_time, to_time=span.to_time, page_size=100
    )
    lines: list[pb.GamePerformance] = []
    while True:
        answer = await desk.house.call(desk.house.office.ListGamePerformance, request)
        lines += answer.games
        request.page_token = answer.next_page_token
        if not request.page_token:
            break
    lines.sort(key=lambda one: one.game)
    return [summed(game, list(found)) for game, found in itertools.groupby(lines, key=lambda one: one.game)]


def summed(game: str, lines: list[pb.GamePerformance]) -> GameMoney:
    """Add up the configurations of a game; their errors add up as independent ones, weighted by their stakes."""
    sums: dict[str, Any] = {
        name: sum(getattr(one, name) for one in lines)
        for name in ("rounds", "staked", "paid", "fees", "rake", "house", "pools")
    }
    error = math.sqrt(sum((one.actual_return_error * one.staked) ** 2 for one in lines)) / (sums["staked"] or 1)
    theory = {(bet.bet, float(Fraction(bet.exact))) for one in lines for bet in one.theoretical_returns}
    return GameMoney(game=game, **sums, error=error, theory=tuple(sorted(theory)))
