"""What the page says when something goes wrong, in each language, and that it comes back by itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2, dealer_pb2
from playwright.async_api import Browser, Page

from services.cli import reach
from services.localhouse import local_house
from services.runtime.identity import Caller, Role
from tests.support import waits
from tests.support.people import Crowd, Person
from tests.web import clicks, languages
from tests.web.conftest import Entry
from tests.web.languages import NAMES, Pages

pytestmark = pytest.mark.timeout(600)
GAME: Final = "texas_holdem"
SLOW: Final = {"turn_seconds": 120}
TOKEN_SECONDS: Final = 8
STANDING: Final = ".standing [role=status]"
AWAY: Final = {"en": "Connecting again …", "zh-Hant": "正在重新連線 …", "zh-Hans": "正在重新连接 …"}
FILTER: Final = "document.querySelector('.stage') && getComputedStyle(document.querySelector('.stage')).filter"


async def company(browser: Browser, crowd: Crowd, entry: Entry) -> tuple[str, list[Person], Pages]:
    """Seat a player of each language at one table and start a round. Return the table, the players and their pages."""
    table_id, players = await crowd.table(GAME, NAMES, SLOW)
    pages = await languages.opened(browser, entry, players, f"/tables/{table_id}")
    await players[0].house.start_round(table_id)
    for page in pages.values():
        await page.locator(".own .held .card").first.wait_for()
    return table_id, players, pages


async def asked(table_id: str, players: list[Person], pages: Pages) -> Page:
    """Return the page of the player who is to act."""
    view = await players[0].house.table(table_id)
    return list(pages.values())[view.round.waiting_for[0]]


async def greyed(pages: Pages) -> None:
    """See that each page keeps the view of its table, greyed, says that it connects again, and offers nothing."""
    await languages.say(pages, ".standing.away [role=status]", AWAY)
    for page in pages.values():
        assert await page.evaluate(FILTER) == "grayscale(1)"
        assert await page.locator(".own .held .card").count() > 0
        assert await page.locator(".bar").count() == 0


async def back(table_id: str, players: list[Person], pages: Pages) -> None:
    """See that each page is live again by itself, and that the player who is to act acts in it."""
    for page in pages.values():
        await page.locator(".standing:not(.away)").wait_for()
        assert await page.evaluate(FILTER) == "none"
    before = (await players[0].house.table(table_id)).version
    page = await asked(table_id, players, pages)
    await clicks.pressed(page, await clicks.offered(page))

    async def moved() -> bool:
        return (await players[0].house.table(table_id)).version > before

    await waits.eventually(moved, "the house takes what was pressed")


@asynccontextmanager
async def switched_off(crowd: Crowd, scope: Any, subject: str) -> AsyncIterator[None]:
    """Switch something off, and on again at the end."""
    house = crowd.operator.house

    async def switch(*, off: bool) -> None:
        request = back_office_pb2.SetSwitchRequest(
            request_id=client.request_id(), scope=scope, subject=subject, off=off, reason="a test"
        )
        await house.call(house.office.SetSwitch, request)
        await waits.switches_read()

    await switch(off=True)
    yield
    await switch(off=False)


async def test_a_line_that_is_cut_in_a_turn(browser: Browser, crowd: Crowd, entry: Entry) -> None:
    """Without a line the view stays and says that the page connects again; with one the turn goes on."""
    table_id, players, pages = await company(browser, crowd, entry)
    await (await asked(table_id, players, pages)).locator(".bar").wait_for()
    for page in pages.values():
        await page.context.set_offline(True)
    await greyed(pages)
    for page in pages.values():
        await page.context.set_offline(False)
    await back(table_id, players, pages)


async def test_a_dealer_that_is_killed(
    browser: Browser, crowd: Crowd, entry: Entry, house: local_house.LocalHouse
) -> None:
    """While the dealer is away the view stays; the dealer that comes goes on with the same turn."""
    table_id, players, pages = await company(browser, crowd, entry)
    dealer = house.dealers[0]
    dealer.kill()
    try:
        await greyed(pages)
    finally:
        dealer.start()
    await back(table_id, players, pages)


async def test_a_token_that_ends(browser: Browser, crowd: Crowd, entry: Entry, house: local_house.LocalHouse) -> None:
    """At the end of the token the page asks to sign in again, and says that the seat is kept."""
    table_id, players = await crowd.table(GAME, NAMES)
    identity = reach.of_folder(house.folder).identity
    for player in players:
        player.token = identity.mint(Caller(subject=player.subject, role=Role.PLAYER), TOKEN_SECONDS)
    pages = await languages.opened(browser, entry, players, f"/tables/{table_id}")
    await languages.say(
        pages,
        ".sign-in [role=alert]",
        {
            "en": "Your sign-in has ended. Sign in again; your seat and chips are kept by the house.",
            "zh-Hant": "你的登入已結束，請再次登入；賭場會保留你的座位和籌碼。",
            "zh-Hans": "你的登录已结束，请再次登录；赌场会保留你的座位和筹码。",
        },
    )


async def test_a_table_that_is_closed(browser: Browser, crowd: Crowd, entry: Entry) -> None:
    """A closed table says so, offers nothing, and leads to the lobby; so does its address afterwards."""
    table_id, players = await crowd.table(GAME, NAMES)
    pages = await languages.opened(browser, entry, players, f"/tables/{table_id}")
    for page in pages.values():
        await page.locator(".own").wait_for()
    await crowd.operator.house.close_table(table_id, "a test")
    said = {
        "en": "This table is closed. Its chips are back in the wallets.",
        "zh-Hant": "這張牌桌已關閉，籌碼已退回錢包。",
        "zh-Hans": "这张牌桌已关闭，筹码已退回钱包。",
    }
    await languages.say(pages, STANDING, said)
    for page in pages.values():
        assert await page.locator(".seat-bar, .bar").count() == 0
        await page.reload()
    await languages.say(pages, STANDING, said)
    for page in pages.values():
        await page.locator(".standing a").click()
        await page.locator(".entry").first.wait_for()


async def test_a_table_that_is_switched_off(browser: Browser, crowd: Crowd, entry: Entry) -> None:
    """A table that is switched off says so to those who watch it, refuses seats in words, and says when it is on."""
    table_id, _ = await crowd.table(GAME, NAMES[:1])
    people = [await crowd.player(name) for name in NAMES]
    pages = await languages.opened(browser, entry, people, f"/tables/{table_id}")
    async with switched_off(crowd, back_office_pb2.SWITCH_SCOPE_TABLE, table_id):
        await languages.say(
            pages,
            STANDING,
            {
                "en": "Switched off at the moment. No round starts.",
                "zh-Hant": "目前停用，不會開始新的一局。",
                "zh-Hans": "目前停用，不会开始新的一局。",
            },
        )
        for page in pages.values():
            await page.locator(".seat-bar .main").click()
            await page.locator("dialog [type=submit]").click()
        await languages.say(
            pages,
            "dialog [role=alert]",
            {
                "en": "This is switched off at the moment.",
                "zh-Hant": "目前已暫停開放。",
                "zh-Hans": "目前已暂停开放。",
            },
        )
    await languages.say(pages, STANDING, {"en": "You watch.", "zh-Hant": "你正在旁觀。", "zh-Hans": "你正在旁观。"})


async def test_a_table_that_is_not_there(browser: Browser, crowd: Crowd, entry: Entry) -> None:
    """An address without a table says so in the house's words, whatever it holds, and leads to the lobby."""
    people = [await crowd.player(name) for name in NAMES]
    pages = await languages.opened(browser, entry, people, "/tables/00000000-0000-4000-8000-000000000000")
    said = {"en": "There is no such table.", "zh-Hant": "找不到這張桌。", "zh-Hans": "找不到这张桌。"}
    await languages.say(pages, "[role=alert]", said)
    for page in pages.values():
        await page.goto(f"{page.url.partition('/tables/')[0]}/tables/nonsense")
    await languages.say(pages, "[role=alert]", said)


async def test_a_table_that_one_may_not_enter(browser: Browser, crowd: Crowd, entry: Entry) -> None:
    """A private table asks for an invitation, and a wrong one is refused in words."""
    host = await crowd.player("host")
    made = await host.house.create_table(GAME, private=True)
    people = [await crowd.player(name) for name in NAMES]
    pages = await languages.opened(browser, entry, people, f"/tables/{made.table_id}")
    await languages.say(
        pages,
        ".sign-in p",
        {
            "en": "This table is private. You need an invitation to enter.",
            "zh-Hant": "這是私人牌桌，需要邀請才能進入。",
            "zh-Hans": "这是私人牌桌，需要邀请才能进入。",
        },
    )
    for page in pages.values():
        await page.locator("form input").fill("wrong")
        await page.locator("form [type=submit]").click()
    await languages.say(
        pages,
        "form [role=alert]",
        {
            "en": "The invitation is not valid, or no longer.",
            "zh-Hant": "邀請碼無效或已失效。",
            "zh-Hans": "邀请码无效或已失效。",
        },
    )


async def test_a_round_that_is_voided(browser: Browser, crowd: Crowd, entry: Entry) -> None:
    """A voided round is shown as such, with what becomes of the chips."""
    table_id, _, pages = await company(browser, crowd, entry)
    house = crowd.operator.house
    request = dealer_pb2.VoidRoundRequest(request_id=client.request_id(), table_id=table_id, reason="牌盒")
    await house.call(house.dealer.VoidRound, request)
    await languages.say(
        pages,
        ".result .voided",
        {
            "en": "The round was voided. All chips of the round went back.",
            "zh-Hant": "本局作廢，籌碼全數退回。",
            "zh-Hans": "本局作废，筹码全数退回。",
        },
    )
