"""Two browsers at one table: both see what is public, and neither receives or holds a card that is hidden from it."""

import random
from typing import Final

import pytest
from pitboss.v1 import table_pb2
from playwright.async_api import Browser, Page

from services.cli import demo
from tests.support import waits
from tests.support.people import Crowd, Person
from tests.web import clicks, wiretap
from tests.web.conftest import DESKTOP, PATIENCE_MS, Entry
from tests.web.wiretap import Wiretap

pytestmark = pytest.mark.timeout(600)
OWN: Final = ".own .held .card"
PUBLIC: Final = """() => {
    const text = (at, of) => at.querySelector(of)?.textContent ?? "";
    const seats = [...document.querySelectorAll(".stage [data-seat]")].map((at) =>
        [at.dataset.seat, text(at, ".name"), text(at, ".stack"), at.dataset.turn, at.dataset.winner]);
    const middle = [...document.querySelectorAll(".middle .card")].map((one) => one.getAttribute("aria-label"));
    return [seats.sort(), middle, text(document, ".phase")];
}"""
"""What a page shows to everybody: who sits where with how many chips, whose turn it is, the cards in the middle."""


async def seated(browser: Browser, address: str) -> tuple[Page, Wiretap]:
    """Open a table in a browser of its own, which is tapped from the first byte on."""
    context = await browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    tap = await Wiretap.of(page)
    await page.goto(address)
    await page.locator(".stage > .table").wait_for()
    return page, tap


async def hands(table_id: str, players: list[Person]) -> list[set[str]]:
    """Return the cards that each player holds hidden, as its own view says."""
    found = []
    for seat, player in enumerate(players):
        view = await player.house.table(table_id)
        own = [zone for zone in view.round.zones if zone.HasField("owner") and zone.owner == seat]
        found.append(wiretap.visible(zone for zone in own if zone.name in ("hole", "hand")))
    return found


async def shown(table_id: str, stranger: Person) -> set[str]:
    """Return the cards that everybody sees."""
    return wiretap.visible((await stranger.house.table(table_id)).round.zones)


async def acted(table_id: str, players: list[Person], pages: list[Page], rng: random.Random) -> bool:
    """Act for the seat that is asked, in its browser where it has one. Return whether the round still ran."""
    view = await players[0].house.table(table_id)
    if view.round.state != table_pb2.ROUND_STATE_RUNNING:
        return False
    seat = view.round.waiting_for[0]
    if seat >= len(pages):
        own = await players[seat].house.table(table_id)
        await players[seat].house.act(table_id, demo.choose(own.round.options, rng), own.version)
        return True
    while (action := await clicks.offered(pages[seat])) in clicks.CHOOSING:
        await clicks.pressed(pages[seat], action)
    await clicks.pressed(pages[seat], action)

    async def moved() -> bool:
        return (await players[0].house.table(table_id)).version > view.version

    await waits.eventually(moved, "the house takes what was pressed")
    return True


async def alike(pages: list[Page]) -> bool:
    """Return whether all pages show the same to everybody."""
    first, *rest = [await page.evaluate(PUBLIC) for page in pages]
    return all(one == first for one in rest)


@pytest.mark.parametrize(
    ("game", "names", "led"), [("texas_holdem", "ab", frozenset()), ("big_two", "abcd", frozenset({"3d"}))]
)
async def test_neither_browser_knows_a_hidden_card(
    browser: Browser, crowd: Crowd, entry: Entry, game: str, names: str, led: frozenset[str]
) -> None:
    """Traffic and memory of one browser hold its own cards and those that are shown, at the end too, and no other."""
    table_id, players = await crowd.table(game, tuple(names))
    stranger = await crowd.player("stranger")
    seats = [await seated(browser, entry(player, f"/tables/{table_id}")) for player in players[:2]]
    pages = [page for page, _ in seats]
    await players[0].house.start_round(table_id)
    for page in pages:
        await page.locator(OWN).first.wait_for()
    dealt = await hands(table_id, players)
    assert all(dealt)
    for seat, (page, tap) in enumerate(seats):
        assert await tap.cards() - led == dealt[seat] - led, "its own cards are found, and nothing else"
        assert await tap.remembered(page) - led == dealt[seat] - led
    public = set(led)  # everybody knows who must lead with the lowest card
    rng = random.Random(7)
    while await acted(table_id, players, pages, rng):
        now = await hands(table_id, players)
        public |= await shown(table_id, stranger) | (set().union(*dealt) - set().union(*now))
        for seat, (_, tap) in enumerate(seats):
            others = set().union(*(hand for other, hand in enumerate(now) if other != seat))
            assert not await tap.cards() & (others - public)
    assert public & dealt[0] or public & dealt[1], "a hand that was hidden has been shown or played"
    await waits.eventually(lambda: alike(pages), "both browsers show the same")
    for seat, (page, tap) in enumerate(seats):
        await page.locator(".stage > .table[data-ended=true]").wait_for()
        assert await tap.cards() == dealt[seat] | public, "at the end what is shown is found, and nothing else"
        assert await tap.remembered(page) == dealt[seat] | public
