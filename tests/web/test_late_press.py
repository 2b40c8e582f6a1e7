"""A press that comes late: it acts on what was drawn, or on nothing."""

import asyncio
from typing import Final

import pytest
from playwright.async_api import Browser, Route

from tests.support import waits
from tests.support.people import Crowd, Person, action
from tests.web import languages
from tests.web.conftest import DESKTOP, PATIENCE_MS, Entry

pytestmark = pytest.mark.timeout(600)
ACT: Final = "**/pitboss.v1.DealerService/Act"
SLOW: Final = {"turn_seconds": 120}


async def asked(table_id: str, players: list[Person]) -> int:
    """Return the seat that is to act."""
    return int((await players[0].house.table(table_id)).round.waiting_for[0])


async def act(table_id: str, players: list[Person], seat: int, word: str) -> None:
    """Act for a seat that must be asked, as the clock or another browser would."""
    assert await asked(table_id, players) == seat
    await players[seat].house.act(table_id, action(word))


async def flop(table_id: str, players: list[Person]) -> int:
    """Play to the flop's second decision. Return the seat that is asked then."""
    await players[0].house.start_round(table_id)
    first = await asked(table_id, players)
    await act(table_id, players, first, "call")
    await act(table_id, players, 1 - first, "check")
    second = await asked(table_id, players)
    await act(table_id, players, second, "check")
    return 1 - second


async def test_a_press_that_arrives_after_the_next_question_does_nothing(
    browser: Browser, crowd: Crowd, entry: Entry
) -> None:
    """While a press is on its way the seat acts otherwise and is asked again: the press does not decide that."""
    table_id, players = await crowd.table("texas_holdem", languages.NAMES[:2], SLOW)
    seat = await flop(table_id, players)
    context = await browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    arrived, may_go, answered = asyncio.Event(), asyncio.Event(), asyncio.Event()
    sent: list[bytes] = []

    async def held(route: Route) -> None:
        sent.append(route.request.post_data_buffer or b"")
        arrived.set()
        await may_go.wait()
        answer = await route.fetch()
        await route.fulfill(response=answer)
        answered.set()

    await page.route(ACT, held)
    await page.goto(entry(players[seat], f"/tables/{table_id}"))
    check = page.locator(".bar [data-action=check]")
    await check.click()
    await arrived.wait()
    await act(table_id, players, seat, "check")
    await act(table_id, players, 1 - seat, "check")  # the turn: the other seat begins
    assert await asked(table_id, players) == seat
    before = (await players[seat].house.table(table_id)).version
    await page.locator(".middle .card").nth(3).wait_for()
    await check.click(force=True)  # the button of the next question is drawn, and the first press is still on its way
    may_go.set()
    await answered.wait()
    await page.locator(".bar[data-busy=false] [data-action=check]").wait_for()
    assert len(sent) == 1, "a press while another one is on its way sends nothing"
    assert (await players[seat].house.table(table_id)).version == before
    assert await page.locator(".toast").count() == 0, "nothing is said of a press that came too late"
    await check.click()

    async def moved() -> bool:
        return (await players[seat].house.table(table_id)).version > before

    await waits.eventually(moved, "the next press acts")
