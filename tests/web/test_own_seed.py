"""An own seed at the table: the line turns green after the round, names each proof, and red where one was changed."""

import re

import pytest
from playwright.async_api import Browser, Page, Route

from tests.support.people import Crowd, Person, action
from tests.web import languages
from tests.web.conftest import Entry

pytestmark = pytest.mark.timeout(600)
RULES = ("commitment", "seed", "roots", "proofs", "places")
NONCE = re.compile(rb"@([0-9a-f]{64})")
"""A nonce in a message: its length and its hexadecimal text."""


async def changed(route: Route) -> None:
    """Change one letter of the nonce in a proof on its way."""
    answer = await route.fetch()
    body = bytearray(await answer.body())
    found = NONCE.search(bytes(body))
    assert found is not None, "the answer holds a proof"
    body[found.start(1)] ^= 1  # another hexadecimal digit: the lowest bit of 0 to 9 and a to f
    await route.fulfill(response=answer, body=bytes(body))


async def seeded(page: Page, text: str) -> None:
    """Send an own seed for the next round."""
    await page.locator(".fairness > summary").click()
    await page.locator(".fairness-seed input").fill(text)
    await page.locator(".fairness-seed [type=submit]").click()
    await page.locator(".fairness-seed [role=status]", has_text=text).wait_for()


async def folded(table_id: str, players: list[Person]) -> None:
    """End the round: each seat that is asked folds, until one is left."""
    while asked := (await players[0].house.table(table_id)).round.waiting_for:
        await players[asked[0]].house.act(table_id, action("fold"))


async def test_an_own_seed_turns_the_line_green_and_a_changed_proof_red(
    browser: Browser, crowd: Crowd, entry: Entry
) -> None:
    """With an own seed all steps are good, in each language; one changed letter of a proof is named as the fault."""
    table_id, players = await crowd.table("texas_holdem", languages.NAMES)
    pages = await languages.opened(browser, entry, players, f"/tables/{table_id}")
    tampered = pages["zh-Hans"]
    await tampered.route("**/pitboss.v1.DealerService/GetCardProof", changed)
    for page in pages.values():
        await seeded(page, "7 7 7")
    await players[0].house.start_round(table_id)
    for page in pages.values():
        await page.locator(".own .held .card").first.wait_for()
    await folded(table_id, players)
    for language, line in {
        "en": "Deck committed before your seed · all 2 cards you saw are proven",
        "zh-Hant": "牌序在你的種子之前已承諾 · 你看到的 2 張牌全部得證",
    }.items():
        page = pages[language]
        await page.locator(".fairness[data-state=good]").wait_for()
        assert await page.locator(".fairness-line").inner_text() == line
        states = {rule: page.locator(f"[data-rule={rule}]") for rule in RULES}
        assert {rule: await at.get_attribute("data-state") for rule, at in states.items()} == dict.fromkeys(
            RULES, "good"
        )
        assert await states["seed"].get_attribute("data-reason") == "seedTaken"
        assert await states["proofs"].get_attribute("data-reason") == "proven"
        assert await states["places"].get_attribute("data-reason") == "inPlace"
    await tampered.locator(".fairness[data-state=bad]").wait_for()
    assert re.search(
        r"与承诺不符：.+ 的证明没有导向已公布的承诺。", await tampered.locator(".fairness-line").inner_text()
    )
    assert await tampered.locator("[data-rule=proofs]").get_attribute("data-reason") == "proofElsewhere"
