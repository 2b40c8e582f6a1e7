"""History, replayer and fairness of the page, in a real browser at a real house."""

import re
from typing import Final

import pytest
from playwright.async_api import Page, Route

from tests.support import waits
from tests.web import clicks
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.test_page import pictured, violations

pytestmark = pytest.mark.timeout(900)
GAME: Final = "texas_holdem"
WIDE: Final = """() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const all = [...document.querySelectorAll("*")];
    const wide = all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
    return wide.map((one) => `${one.tagName} ${one.className}`);
}"""


async def played(page: Page) -> None:
    """Play one round through the page, and wait until it is settled."""
    await clicks.played(page, GAME)


async def opened(page: Page) -> Page:
    """Open the newest round of the history, once it is settled."""
    await page.locator(".stage > .table .result .nets li").first.wait_for()
    await page.locator("a.past").click()
    await page.locator(".history-rounds tbody a").first.click()
    await page.locator(".replay .replay-steps button").first.wait_for()
    return page


async def current(page: Page) -> int:
    """Return the number of the step that is shown, from 1 on."""
    return int(await page.locator(".replay-steps [aria-current=step] .replay-number").inner_text())


async def test_a_round_is_replayed_and_proven(visit: Visit) -> None:
    """A played round stands in the history, is stepped through by keys and clicks, and its cards are proven."""
    page = await visit(bypass=True)
    await played(page)
    await opened(page)
    count = await page.locator(".replay-steps button").count()
    assert count > 2
    for key, step in (("End", count), ("ArrowLeft", count - 1), ("Home", 1), ("ArrowRight", 2)):
        await page.keyboard.press(key)
        assert await current(page) == step
        await page.wait_for_url(re.compile(rf"/history/[^/]+/\d+/{step}$"))
    await page.locator(".replay-steps button").nth(count - 1).click()
    assert await current(page) == count
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press(" ")
    await page.keyboard.press(" ")
    assert await current(page) == 1
    await page.locator(".fairness[data-state=good]").wait_for()
    assert "proven" in await page.locator(".fairness-line").inner_text()
    await page.locator(".fairness summary").click()
    for size, name in ((DESKTOP, "desktop"), (PHONE, "phone")):
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await pictured(page, f"replay-{name}")
        assert await violations(page) == []
        assert await page.evaluate(WIDE) == [], "nothing is wider than the view"
    await page.locator("a.past").click()
    await page.locator(".history-rounds tbody a").first.wait_for()
    await pictured(page, "history-phone")
    assert await violations(page) == []


async def test_a_link_leads_to_a_step_and_a_tampered_proof_is_red(visit: Visit) -> None:
    """The address opens its round at its step; a byte of a proof that changes on the way turns the line red."""
    page = await visit()
    await played(page)
    await opened(page)
    await page.keyboard.press("ArrowRight")
    await page.wait_for_url(re.compile(r"/2$"))
    address = page.url

    async def tampered(route: Route) -> None:
        answer = await route.fetch()
        body = bytearray(await answer.body())
        nonce = re.search(rb'"@([0-9a-f]{64})', bytes(body))
        assert nonce is not None, "the answer holds a proof"
        at = nonce.start(1)
        body[at] = ord("0") if body[at] != ord("0") else ord("1")
        await route.fulfill(response=answer, body=bytes(body))

    await page.route("**/pitboss.v1.AuditService/RecallRounds", tampered)
    await page.goto(address)
    await page.locator(".fairness[data-state=bad]").wait_for()
    assert await current(page) == 2
    assert await page.locator("[data-rule=proofs]").get_attribute("data-reason") == "proofElsewhere"


async def test_the_last_round_is_proven_at_the_table(visit: Visit) -> None:
    """When a round ends, the line at the table turns green by itself; an own seed is taken for the next one."""
    page = await visit()
    await played(page)
    await page.locator(".fairness[data-state=good]").wait_for()
    await page.locator(".fairness summary").click()
    await page.locator(".fairness-seed input").fill("lucky")
    await page.locator(".fairness-seed button[type=submit]").click()
    said = page.locator(".fairness-seed [role=status]")
    await waits.eventually(said.inner_text, "the seed is taken")
