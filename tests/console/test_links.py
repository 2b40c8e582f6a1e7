"""Every link of every page leads somewhere, every event of a round has words, and Chinese pages bring their letters."""

import asyncio
import html
import re
import urllib.parse
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from playwright.async_api import Browser, ConsoleMessage, Request

from services.console import subjects, words
from services.localhouse import local_house
from services.runtime.identity import Role
from services.table import events
from tests.console.visitor import Visitor
from tests.support import people, play, waits
from tests.web.test_fonts import BROUGHT, MOST_SLICES, OLD_LETTERS

MOST_ENGLISH_SLICES: Final = 5
"""Slices of fonts that a page in English loads for the names of languages."""
MOST_ALIKE: Final = 12
"""Addresses of one kind of page that are followed."""
_LINK: Final = re.compile(r'(?:href|hx-get)="(/[^"]*)"')
FAMILIES: Final = {"zh-TW": ("Noto Sans TC Variable", "牌桌現況"), "zh-CN": ("Noto Sans SC Variable", "牌桌现况")}


def links(body: str) -> list[str]:
    """Return the addresses of a page, without their places in it."""
    return [urllib.parse.urldefrag(html.unescape(one)).url for one in _LINK.findall(body)]


def kind(address: str) -> str:
    """Return the kind of page of an address: its path without ids, and the names of its parameters."""
    found = urllib.parse.urlsplit(address)
    names = sorted(urllib.parse.parse_qs(found.query))
    return "/".join(found.path.split("/")[:2]) + f"/{found.path.count('/')}?{','.join(names)}"


@pytest.mark.parametrize("role", [Role.OPERATOR, Role.AUDITOR])
async def test_no_link_of_any_page_is_dead(
    house: local_house.LocalHouse, crowd: people.Crowd, staff_link: Callable[..., str], role: Role
) -> None:
    """From the floor on, every link of every page that a role reaches leads to a page of the house."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    await play.rounds(table_id, players, 2)
    visitor = Visitor(house.console_url).enter(staff_link("odo", role))
    nora = Visitor(house.console_url).enter(staff_link("nora"))
    subject = players[0].subject
    await asyncio.to_thread(nora.press, f"/players/{subject}/adjust", amount="5", currency="", reason="a test of links")
    await asyncio.to_thread(nora.press, f"/players/{subject}/exclude", until="2090-12-31", reason="a test of links")
    waiting, seen, alike = deque(["/floor?test=1"]), set[str](), Counter[str]()
    about: list[str] = []
    while waiting:
        address = waiting.popleft()
        if address in seen or alike[kind(address)] >= MOST_ALIKE:
            continue
        seen.add(address)
        alike[kind(address)] += 1
        status, where, body = await asyncio.to_thread(visitor.ask, "GET", address)
        assert status in (200, 303), f"{address} answers {status}"
        about += re.findall(r">(player [^<]+)</a>", body)
        waiting.extend([where] if status == 303 else links(body))
    kinds = {one.split("/")[1].partition("?")[0] for one in seen}
    assert {"floor", "tables", "rounds", "players", "money", "operation", "inbox", "language", "assets"} <= kinds
    assert any(subject in one for one in about), "the player of an adjustment is a link"


def test_a_subject_leads_to_what_it_names() -> None:
    """Players, tables, games and the house are found in the subjects of significant events; nothing else is."""
    table = "0c6d9d5e-7f0c-4b3a-9a44-0a3c5f3c9d01"
    for subject, wanted in (
        ("player ann: 500 CHIP (0c6d)", "/players/ann"),
        ("player ann (0c6d)", "/players/ann"),
        ("player a@b.c|d", "/players/a%40b.c%7Cd"),
        (f"table {table} (test table)", f"/tables/{table}"),
        (f"table {table} round 3: 600 CHIP (0c6d)", f"/tables/{table}"),
        ("game whist", "/operation"),
        ("house", "/operation"),
        ("settings", ""),
        ("player", ""),
        ("/pitboss.v1.DealerService/Act", ""),
    ):
        assert subjects.address(subject) == wanted


def test_no_event_of_a_table_is_without_words() -> None:
    """Where the tale of a round has no line for an event, the course of the round says what it was."""
    for one in events.Event.__subclasses__():
        assert f"step.{one.__name__}" in words.WORDS


def _complained(faults: list[str], said: ConsoleMessage) -> None:
    if said.type == "error":
        faults.append(said.text)


def _noted(asked: list[str], request: Request) -> None:
    asked.append(request.url)


@pytest.mark.parametrize("locale", FAMILIES)
async def test_a_chinese_console_brings_the_letters_that_the_system_lacks(
    browser: Browser, staff_link: Callable[..., str], locale: str
) -> None:
    """The letters come from the console's own process, and only the slices that hold what is shown."""
    for language in (locale, "en-GB"):
        context = await browser.new_context(locale=language)
        page = await context.new_page()
        asked: list[str] = []
        faults: list[str] = []
        page.on("request", partial(_noted, asked))
        page.on("console", partial(_complained, faults))
        await page.goto(staff_link())
        await page.locator("button.main").click()
        await page.locator("#live").wait_for()
        if language == locale:  # an English page brings the letters of its few Chinese words alone
            drawn = await waits.eventually(partial(page.evaluate, BROUGHT, list(FAMILIES[locale])), "letters")
            assert set(drawn) == {"loaded"}
        await waits.eventually(partial(page.evaluate, OLD_LETTERS, ".languages a, .tabs a, h1"), "letters drawn again")
        fonts = [urllib.parse.urlsplit(url) for url in asked if "font-" in url or url.endswith(".woff2")]
        assert {url.netloc for url in fonts} == {urllib.parse.urlsplit(page.url).netloc}
        slices = [url for url in fonts if url.path.endswith(".woff2")]
        assert len(slices) < (MOST_SLICES if language == locale else MOST_ENGLISH_SLICES)
        assert faults == []
        await context.close()
