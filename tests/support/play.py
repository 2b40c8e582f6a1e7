"""Rounds played by people who choose at random among their options."""

import asyncio
import random
from typing import Any, Literal

from pitboss import client

from services.cli import demo
from tests.support import waits
from tests.support.people import Crowd, Person

HURRY = demo.HURRY | demo.BOUNDS


async def opened(crowd: Crowd, game: str, **more: Any) -> tuple[str, list[Person]]:
    """Open a table of a game that ends soon, with as few seats taken as it needs, three at most."""
    told = await crowd.operator.house.game(game)
    rules = {key: value for key, value in HURRY.items() if key in told.house_rules}
    seats = max(told.game.min_seats, 2 if told.game.max_seats == 2 else 3)
    return await crowd.table(game, tuple(f"p{seat}" for seat in range(seats)), rules, buy_in=demo.BUY_IN, **more)


async def rounds(table_id: str, players: list[Person], count: int = 1, seed: int = 0) -> int:
    """Play ``count`` rounds; return the last one's number."""
    rng = random.Random(f"{table_id} {seed}")
    number = 0
    for _ in range(count):
        number = await start(table_id, players)
        async with asyncio.timeout(60):
            while await step(table_id, players, number, rng):
                pass
    return number


async def start(table_id: str, players: list[Person]) -> int:
    """Start a round; who was left without chips buys some first, for chance may have taken all. Gives its number."""
    for seat in (await players[0].house.table(table_id)).seats:
        if not seat.chips:
            await players[seat.seat].house.add_chips(table_id, demo.BUY_IN)
    return int((await players[0].house.start_round(table_id)).round_number)


async def step(table_id: str, players: list[Person], number: int, rng: random.Random) -> bool:
    """Act for one of the seats to act; return False once the round is settled."""

    async def acted() -> Literal["acted", "settled"] | None:
        seen = await players[0].house.table(table_id)
        if seen.last_result.round_number >= number:
            return "settled"
        for seat in rng.sample(list(seen.round.waiting_for), len(seen.round.waiting_for)):
            own = await players[seat].house.table(table_id)
            if own.round.options:
                try:
                    await players[seat].house.act(table_id, demo.choose(own.round.options, rng), own.version)
                except client.Refused as refusal:
                    if refusal.reason != "STALE_VERSION":
                        raise
                return "acted"
        return None

    return await waits.eventually(acted, "somebody is asked, or the end of the round") == "acted"
