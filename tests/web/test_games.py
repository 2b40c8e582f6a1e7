"""Every game of the catalogue is played through the page, by clicks of the mouse, against players of the house."""

import asyncio
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.async_api import Page

from services.cli import reach
from services.localhouse import local_house
from services.rules import catalogue, schema
from services.rules.game import Game
from tests.support import people, waits
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.test_page import pictured, violations

Scheme = Literal["light", "dark"]

pytestmark = pytest.mark.timeout(600)
TABS: Final = 4
"""Tables that are played at once."""
GAME_SECONDS: Final = 90.0
"""Bound on one game, for a machine that others use too; a round takes a few seconds."""
MOST_CLICKS: Final = 400
IDLE_ROUNDS: Final = 2
"""Results that are seen of a seat that is never asked."""
FAMILIES: Final = sorted({game.family for game in catalogue.games()})
SHORT: Final[dict[str, object]] = {"claim_seconds": 1, "max_flips": 10, "max_turns": 40, "auto_flip": False}
"""House rules by which rounds without a natural end soon are short, and ask players."""
_CHOICE: Final = (Path(__file__).parent / "visitor.js").read_text(encoding="utf-8")
_STATE: Final = """() => {
    const table = document.querySelector(".stage > .table");
    if (table === null) return null;
    const lines = [...table.querySelectorAll(".result .nets li")];
    return { ended: table.dataset.ended === "true", result: lines.length > 0,
             where: document.querySelector(".where").innerText,
             turn: table.querySelector(".own[data-turn=true]") !== null };
}"""


class Looker:
    """Looks at a table in the middle of a turn and at the result: a picture of each size, and what axe finds."""

    def __init__(self, page: Page, name: str) -> None:
        self._page = page
        self._name = name
        self.found: dict[str, list[str]] = {}

    async def look(self, moment: str, schemes: tuple[Scheme, Scheme]) -> None:
        """Look once at a moment, in the first of two colour schemes on a desk and in the second on a phone."""
        if f"{self._name}-{moment}-desk" in self.found:
            return
        for size, where, scheme in ((DESKTOP, "desk", schemes[0]), (PHONE, "phone", schemes[1])):
            await self._page.emulate_media(color_scheme=scheme)
            await self._page.set_viewport_size({"width": size[0], "height": size[1]})
            name = f"{self._name}-{moment}-{where}"
            await pictured(self._page, name)
            self.found[name] = await violations(self._page)


class Visitor:
    """A guest at one game, who presses what the page offers."""

    def __init__(self, page: Page, game: str, looker: Looker | None) -> None:
        self._page = page
        self._looker = looker
        self._game = game
        self._rng = random.Random(game)
        self.pressed: list[str] = []
        self._asked = False
        self._rounds: set[str] = set()

    async def sit(self, way: str) -> None:
        """Sit down with one click in the lobby; with the title of a way to play, at a table that is opened of it."""
        entry = self._page.locator(f".entry:has(a[href='/games/{self._game}'])")
        if way:
            await entry.locator("a.button").click()
            await self._page.locator(".way", has_text=way).get_by_role("button").click()
            await self._page.locator(".seat-bar button.main").click()
            await self._page.locator("dialog button[type=submit]").click()
        else:
            await entry.locator("button.main").click()
        await self._page.locator(".room .stage > .table").wait_for()

    async def play(self) -> None:
        """Play until the page shows the result of a round that was played in."""
        told = f"the result of a round of {self._game}"
        await waits.eventually(self._ended, told, seconds=GAME_SECONDS)

    async def _ended(self) -> bool:
        """Press what is offered. Return whether a result is shown of a round in which the visitor has acted.

        Some seats decide nothing, such as a bank of fixed rules: then several results are waited for.
        """
        state: dict[str, Any] | None = await self._page.evaluate(_STATE)
        if state is None:
            return False
        self._asked |= state["turn"]
        if state["ended"]:
            if state["result"]:
                if self._looker is not None:
                    await self._looker.look("result", ("dark", "light"))
                self._rounds.add(state["where"])
            return bool(self._rounds) and (bool(self.pressed) or (not self._asked and len(self._rounds) >= IDLE_ROUNDS))
        if state["turn"] and self._looker is not None:
            await self._looker.look("turn", ("light", "dark"))
        wanted = await self._page.evaluate(_CHOICE, self._rng.random())
        if wanted is not None:
            assert wanted["x"] >= 0, wanted["name"]
            self.pressed.append(wanted["name"])
            assert len(self.pressed) < MOST_CLICKS, f"no end of {self._game}: {self.pressed[-20:]}"
            await self._page.mouse.click(wanted["x"], wanted["y"])
        return False


async def quick_ways(house: local_house.LocalHouse, games: Iterable[Game]) -> dict[str, str]:
    """Offer a quicker way of those games that could go on without end. Return the titles by game."""
    ways: dict[str, str] = {}
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        for game in games:
            rules = {key: value for key, value in SHORT.items() if key in schema.declared(game.rules_type)}
            if {"max_flips", "max_turns"} & rules.keys():
                ways[game.id] = f"quick {game.id}"
                await crowd.template(game.id, {"start": "auto", **rules}, title=ways[game.id])
    return ways


@pytest.mark.parametrize("family", FAMILIES)
async def test_every_game_is_played_by_clicks(house: local_house.LocalHouse, visit: Visit, family: str) -> None:
    """A guest sits down with one click, presses what the page offers, and reads who won what, in every game."""
    games = [game for game in catalogue.games() if game.family == family]
    ways = await quick_ways(house, games)
    places = asyncio.Semaphore(TABS)
    failed: dict[str, str] = {}
    barred: dict[str, list[str]] = {}

    async def played(at: int, game: str) -> None:
        async with places:
            page = await visit(PHONE if at % 2 else DESKTOP, still=True, bypass=at == 0)
            looker = Looker(page, f"table-{family}") if at == 0 else None
            visitor = Visitor(page, game, looker)
            try:
                await visitor.sit(ways.get(game, ""))
                await visitor.play()
            except Exception as error:  # all games are tried, and all that failed are named
                shown = await page.locator("[role=alert]").inner_text() + await page.locator("main").inner_text()
                failed[game] = f"{error!s:.600}; pressed {visitor.pressed[-20:]}; the page shows {shown[:600]!r}"
            finally:
                await page.context.close()
            if looker is not None:
                barred.update({where: what for where, what in looker.found.items() if what})

    await asyncio.gather(*(played(at, game.id) for at, game in enumerate(games)))
    assert not failed, "\n".join(f"{game}: {why}" for game, why in failed.items())
    assert barred == {}


async def test_a_straddle_is_chosen_between_rounds(house: local_house.LocalHouse, visit: Visit) -> None:
    """Where the house rules have a straddle, a button between rounds chooses it, and takes it back."""
    game = next(one for one in catalogue.games() if "straddle" in schema.declared(one.rules_type))
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        # No house player comes to a private table, so that no round starts.
        await crowd.template(game.id, {"straddle": "under_the_gun"}, title="with a straddle")
    page = await visit()
    await page.locator(f".entry a.button[href='/games/{game.id}']").click()
    await page.locator(".way", has_text="with a straddle").get_by_role("checkbox").check()
    await page.locator(".way", has_text="with a straddle").get_by_role("button").click()
    await page.locator(".seat-bar button.main").first.click()
    await page.locator("dialog button[type=submit]").click()
    for pressed in ("true", "false"):
        await page.locator("[data-action=straddle]").click()
        await page.locator(f"[data-action=straddle][aria-pressed={pressed}]").wait_for()
