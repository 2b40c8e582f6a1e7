"""Every number of the page of money is a sum over the ledger, and leads to the lines that it is made of."""

import asyncio
import csv
import html
import io
import random
import re
import time
import urllib.parse
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from pitboss.v1 import back_office_pb2 as pb
from playwright.async_api import expect

from services.console import money_sheets
from services.localhouse import local_house
from tests.console.conftest import Enter
from tests.console.test_pages import looked_at
from tests.console.visitor import Visitor
from tests.support import people, play

_LINKED = re.compile(r'<a href="(/money/lines\?[^"]*)">([^<]*)</a>')
_TOTAL = re.compile(r'<dd id="total">([^<]*)</dd>')
_ROW = re.compile(r'<td class="n (?:won|lost)">([^<]*)</td>')


def number(shown: str) -> int:
    """Return an amount as the page writes it."""
    return int(shown.replace(",", "").replace("−", "-"))


async def summed(crowd: people.Crowd, address: str) -> int:
    """Return the sum of all lines that an address of lines names, read over the contract."""
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
    request = pb.ListLedgerLinesRequest(
        account_kind=asked["account"], entry_kind=asked.get("kind", ""), game=asked.get("game", ""), page_size=500
    )
    request.from_time.FromMilliseconds(int(asked["from"]))
    request.to_time.FromMilliseconds(int(asked["to"]))
    found = 0
    while True:
        page = await crowd.operator.house.call(crowd.operator.house.office.ListLedgerLines, request)
        found += sum(line.amount for line in page.lines)
        request.page_token = page.next_page_token
        if not request.page_token:
            return found


def filled(row: list[Any]) -> list[str]:
    """Return the cells of a row that hold something, as both kinds of file write them."""
    return [str(cell).removesuffix(".0") for cell in row if cell != ""]


@pytest.fixture
async def night(crowd: people.Crowd) -> random.Random:
    """Play a few games at random, with money in and out."""
    rng = random.Random()
    for game in rng.sample(["blackjack", "baccarat", "texas_holdem", "san_gong", "suit_betting"], 3):
        table_id, players = await play.opened(crowd, game)
        await play.rounds(table_id, players, 3, rng.randrange(1000))
        await players[0].house.leave(table_id)
    return rng


async def test_every_number_of_money_is_the_sum_of_its_lines(
    house: local_house.LocalHouse, crowd: people.Crowd, night: random.Random, staff_link: Callable[..., str]
) -> None:
    """After random play each linked number is the total of its page of lines, and what all its lines add up to."""
    visitor = Visitor(house.console_url).enter(staff_link("odo"))
    for address in (f"/money?days={night.choice((1, 7, 30, 365))}", "/money?date=2020-02-29"):
        _, _, body = await asyncio.to_thread(visitor.ask, "GET", address)
        links = [(html.unescape(where), shown) for where, shown in _LINKED.findall(body)]
        assert len(links) >= 9
        for where, shown in links:
            wanted = -number(shown) if "account=cashier" in where else number(shown)
            status, _, lines = await asyncio.to_thread(visitor.ask, "GET", where)
            [total] = _TOTAL.findall(lines)
            assert (status, number(total)) == (200, wanted), where
            assert await summed(crowd, where) == wanted, where


async def test_a_page_of_lines_leads_to_rounds_and_to_further_lines(
    house: local_house.LocalHouse, crowd: people.Crowd, enter: Enter, staff_link: Callable[..., str]
) -> None:
    """The pages of a list hold all its lines, each once, and a line of a round leads to it."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    await play.rounds(table_id, players, 8)
    visitor = Visitor(house.console_url).enter(staff_link("odo"))
    address, found = f"/money/lines?account=seat&game=texas_holdem&to={time.time_ns() // 1_000_000}", 0
    while address:
        _, _, body = await asyncio.to_thread(visitor.ask, "GET", address)
        found += sum(number(one) for one in _ROW.findall(body))
        total = number(_TOTAL.findall(body)[0])
        further = re.search(r'rel="next" href="([^"]*)"', body)
        address = html.unescape(further[1]) if further else ""
    assert found == total
    page = await enter()
    await page.goto(page.url.replace("/floor", "/money/lines?account=seat&game=texas_holdem"))
    await looked_at(page, "ledger")
    await page.locator("table.ledger a").first.click()
    await expect(page.locator("h1")).to_contain_text("Round")


async def test_the_money_of_a_span_is_had_as_a_file(
    house: local_house.LocalHouse, night: random.Random, staff_link: Callable[..., str]
) -> None:
    """CSV and XLSX hold the same rows, numbers as numbers; the sums are those of the page."""
    assert night is not None
    visitor = Visitor(house.console_url).enter(staff_link("odo"))
    day = "date=2020-02-29" if night.random() < 0.1 else "days=365"
    await asyncio.to_thread(visitor.ask, "GET", f"/money/export?{day}&format=csv")
    text = list(csv.reader(io.StringIO(visitor.content.decode("utf-8-sig"))))
    await asyncio.to_thread(visitor.ask, "GET", f"/money/export?{day}&format=xlsx")
    sheet: Any = openpyxl.load_workbook(io.BytesIO(visitor.content)).active
    book = [["" if cell is None else cell for cell in row] for row in sheet.iter_rows(values_only=True)]
    assert [filled(row) for row in text[1:]] == [filled(row) for row in book[1:]]
    held = {row[0]: row[1] for row in book if row and isinstance(row[1], int)}
    assert held["Held for players"] == held["Wallets"] + held["At tables"] + held["Carried pots"]


def test_no_cell_is_a_formula() -> None:
    """What a spreadsheet would reckon is written as text."""
    for cell in ("=1+1", "+1", "-1", "@x", "\t=1"):
        assert money_sheets.text([[cell]]).decode("utf-8-sig").strip().strip('"') == f"'{cell}"
    assert money_sheets.text([[-1]]).decode("utf-8-sig").strip() == "-1"
