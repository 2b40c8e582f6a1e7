"""The pages of the console in a browser: what they show, who sees them, and that everybody can use them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from services.runtime.identity import Role
from tests.console.conftest import TABLET, Enter
from tests.support import people, play
from tests.web.conftest import DESKTOP

AXE = Path(__file__).parents[2] / "services" / "web" / "page" / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = Path(__file__).parents[2] / "build" / "pictures" / "console"


async def looked_at(page: Page, name: str) -> None:
    """Keep a picture of the page at two sizes; it must be usable for everybody, and must have no fault."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    assert page.faults == []  # type: ignore[attr-defined]  # set by the fixture
    # A content security policy keeps foreign scripts out; the checker comes in through the debugger instead.
    found: Any = await page.evaluate(
        AXE.read_text(encoding="utf-8") + "; axe.run({resultTypes: ['violations']}).then((found) => found.violations)"
    )
    assert not found, json.dumps(found, indent=1)[:4000]
    for size, what in ((DESKTOP, "desktop"), (TABLET, "tablet")):
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.screenshot(path=PICTURES / f"{name}-{what}.png", full_page=True)
        across = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert across <= 0, f"{name} is {across} pixels too wide for a {what}"


async def test_an_operator_goes_from_the_floor_to_the_table_and_its_last_round(
    enter: Enter, crowd: people.Crowd
) -> None:
    """A table is listed with its players; its ended round tells seats, cards, decisions and money, step by step."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    number = await play.rounds(table_id, players)
    running_id, more = await play.opened(crowd, "texas_holdem")
    await play.start(running_id, more)
    page = await enter()
    running = page.locator("tbody tr", has=page.locator(f'a[href="/tables/{running_id}"]'))
    await expect(running.locator("td", has_text=re.compile(r"^\d+ s ago$"))).to_have_count(1)
    row = page.locator("tbody tr", has=page.locator(f'a[href="/tables/{table_id}"]'))
    await expect(row.locator("a", has_text="p0")).to_have_attribute("href", f"/players/{players[0].subject}")
    await looked_at(page, "floor")
    await row.locator(f'a[href="/tables/{table_id}"]').click()
    await expect(page.locator("h1")).to_contain_text("Texas")
    await looked_at(page, "table")
    await page.locator(f'a[href="/rounds/{table_id}/{number}"]').click()
    await expect(page.locator(".ticks li")).to_have_count(4)
    await expect(page.locator(".ticks .good", has_text=re.compile("Chain|Deck|Replay"))).to_have_count(3)
    await expect(page.locator(".ticks .bad")).to_have_count(0)
    seats = page.locator("section", has=page.locator("h2", has_text="Seats")).locator("tbody tr")
    await expect(seats).to_have_count(len(players))
    assert await seats.first.locator("svg.card").count() == 2
    await looked_at(page, "round")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".still h2")).to_contain_text("step 1 of")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".still h2")).to_contain_text("step 2 of")
    assert "step=" in page.url
    await looked_at(page, "step")


async def test_a_player_is_found_by_the_search_with_its_rounds_and_its_statement(
    enter: Enter, crowd: people.Crowd
) -> None:
    """The box takes the id of a player, of a round and of a table, and says so where an id names nothing."""
    table_id, players = await play.opened(crowd, "blackjack")
    number = await play.rounds(table_id, players)
    page = await enter()
    await page.keyboard.press("/")
    await page.keyboard.type(players[0].subject)
    await page.keyboard.press("Enter")
    await expect(page.locator("h1")).to_contain_text(players[0].subject)
    await expect(page.locator(f'a[href="/rounds/{table_id}/{number}"]')).to_be_visible()
    await looked_at(page, "player")
    for wanted, heading in ((f"{table_id}/{number}", "Round"), (table_id, "Twenty-one"), ("no such id!", "Nothing")):
        await page.locator("#search").fill(wanted)
        await page.keyboard.press("Enter")
        await expect(page.locator("h1")).to_contain_text(heading)


@pytest.mark.parametrize(("locale", "word"), [("zh-TW", "牌桌現況"), ("zh-CN", "牌桌现况")])
async def test_the_console_speaks_the_language_of_its_reader(enter: Enter, locale: str, word: str) -> None:
    """The browser's language is taken, and another one can be chosen."""
    page = await enter(locale=locale)
    await expect(page.locator("h1")).to_have_text(word)
    await looked_at(page, f"floor-{locale}")
    await page.locator('.languages a[lang="en"]').click()
    await expect(page.locator("h1")).to_have_text("Floor")


async def test_an_auditor_sees_no_button_that_changes_something(enter: Enter, crowd: people.Crowd) -> None:
    """What a role may not do is absent."""
    table_id, _ = await play.opened(crowd, "baccarat")
    page = await enter("odo", Role.AUDITOR)
    await page.goto(page.url.replace("/floor", f"/tables/{table_id}"))
    await expect(page.locator("h1")).to_be_visible()
    assert await page.locator("details.press").count() == 0
    operator = await enter()
    await operator.goto(page.url)
    assert await operator.locator("details.press").count() == 1
