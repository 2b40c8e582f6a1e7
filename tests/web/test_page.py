"""The page of a guest: how it signs in, what it weighs, what it says in each language, and that it bars nobody."""

import os
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Page

from tests.support import waits
from tests.web.conftest import DESKTOP, PATIENCE_MS, PHONE, ROOT, Visit

pytestmark = pytest.mark.timeout(600)
MOST_BYTES: Final = 300_000
AXE: Final = ROOT / "services" / "web" / "page" / "node_modules" / "axe-core" / "axe.min.js"
PICTURES: Final = os.environ.get("PITBOSS_WEB_PICTURES", "")
"""Folder for pictures of what the tests see; empty: none are taken."""


async def pictured(page: Page, name: str) -> None:
    """Take a picture, where pictures are wanted."""
    if PICTURES:
        await page.screenshot(path=Path(PICTURES) / f"{name}.png")


def weighed(built: Path) -> int:
    """Return the compressed bytes of the whole page, without the fonts of languages that need one."""
    return sum(path.stat().st_size for path in built.glob("*.br") if not path.name.startswith(("font-", "noto-")))


async def violations(page: Page) -> list[str]:
    """Return what axe finds wrong with a page."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = await page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes']][:3]}" for one in found["violations"]]


async def test_a_link_signs_in_once_and_leaves_no_trace(
    browser: Browser, link: Callable[[], Awaitable[str]], built: Path
) -> None:
    """The code is gone from the address, the guest stays signed in over a reload, a second visitor reads why not."""
    address = await link()
    first, second = await browser.new_page(), await browser.new_page()
    for page in (first, second):
        page.set_default_timeout(PATIENCE_MS)
    faults: list[str] = []
    first.on("pageerror", lambda error: faults.append(str(error)))
    first.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    sent: list[str] = []
    first.on("request", lambda request: sent.append(request.url))
    began = time.monotonic()
    await first.goto(address)
    await first.locator(".entry").first.wait_for()
    seconds = time.monotonic() - began
    assert "#" not in first.url
    assert address.partition("#guest=")[2] not in " ".join(sent), "the code is in no address"
    await first.reload()
    await first.locator(".entry").first.wait_for()
    await second.goto(address)
    await second.get_by_role("alert").wait_for()
    assert "used already" in await second.get_by_role("alert").inner_text()
    assert faults == []
    paint = await first.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    weight = weighed(built)
    print(f"games shown after {seconds:.2f} s, first paint after {paint:.0f} ms, {weight} bytes compressed")  # noqa: T201 - a measure
    assert weight < MOST_BYTES


@pytest.mark.parametrize(
    ("locale", "lobby", "rules"), [("en-GB", "Games", "Rules"), ("zh-TW", "遊戲", "規則"), ("zh-CN", "游戏", "规则")]
)
async def test_the_page_speaks_the_browser_s_language(visit: Visit, locale: str, lobby: str, rules: str) -> None:
    """The page begins with the browser's language and names it to screen readers."""
    page = await visit(PHONE, locale)
    assert await page.locator("#games").inner_text() == lobby
    assert await page.locator(".entry a.button").first.inner_text() == rules
    assert (await page.evaluate("document.documentElement.lang"))[:2] == locale[:2]
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE[0], "nothing is wider than the phone"
    await pictured(page, f"lobby-{locale}")


async def test_a_guest_sits_down_is_cut_off_and_comes_back(visit: Visit) -> None:
    """One click leads to a seat; without a line the view stays and the page says that it connects again."""
    page = await visit()
    await page.locator(".entry:has(a[href='/games/texas_holdem']) button.main").click()
    await page.locator(".room .stage > .table").wait_for()
    assert re.search(r"/tables/", page.url)
    await page.context.set_offline(True)
    await page.locator(".standing.away").wait_for()
    assert await page.locator(".standing p").first.inner_text() == "Connecting again …"
    assert await page.locator(".room .stage > .table").count() == 1
    await page.context.set_offline(False)
    await page.locator(".standing:not(.away)").wait_for()
    await page.get_by_role("link", name="Wallet").click()
    await page.locator("main table tbody tr").first.wait_for()
    assert await page.locator("main table tbody tr").count() == 2


async def test_nothing_bars_a_visitor(visit: Visit) -> None:
    """Axe finds no violation in the lobby, at a game's rules and at a table, at desk and phone, light and dark."""
    page = await visit(DESKTOP, bypass=True)
    found = {"lobby": await violations(page)}
    await pictured(page, "lobby")
    await page.locator(".entry a[href='/games/blackjack']").click()
    await page.locator(".prose").first.wait_for()
    found["game"] = await violations(page)
    await pictured(page, "game")
    await page.locator("article button.main").click()
    table = page.locator(".room .stage > .table")
    await table.wait_for()
    await waits.eventually(
        lambda: page.evaluate("() => document.querySelector('.stage > .table')?.dataset.ended === 'false'"), "a round"
    )
    found["table"] = await violations(page)
    await pictured(page, "table")
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    found["phone"] = await violations(page)
    await pictured(page, "table-phone")
    assert {where: what for where, what in found.items() if what} == {}
