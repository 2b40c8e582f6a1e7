"""What staff does in the console is seen in the house: wallets, switches, limits, voids and the records of them."""

import asyncio
import re
from collections.abc import Callable

import pytest
from pitboss.v1 import back_office_pb2 as pb

from services.console.pages import listed
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.console.conftest import Enter
from tests.console.test_pages import looked_at
from tests.console.visitor import Visitor
from tests.support import people, play

People = Callable[..., Visitor]


@pytest.fixture
def signed_in(house: local_house.LocalHouse, staff_link: Callable[..., str]) -> People:
    """Return a function that signs a person in."""
    return lambda name="nora", role=Role.OPERATOR: Visitor(house.console_url).enter(staff_link(name, role))


@pytest.mark.parametrize("page", listed.PAGES, ids=lambda page: f"{page.method} {page.path}")
def test_each_page_is_there_for_its_roles_alone(signed_in: People, page: listed.Page) -> None:
    """A role of the page gets an answer of the house; every other one is refused before the house is asked."""
    path = re.sub(r"\{number:int\}", "1", page.path)
    path = re.sub(r"\{\w+\}", "nobody-knows", path)
    for role in (Role.OPERATOR, Role.AUDITOR):
        visitor = signed_in("odo", role)
        status = visitor.press(path)[0] if page.method == "POST" else visitor.ask("GET", path)[0]
        assert status in ((200, 303, 400, 404) if role in page.roles else (403,))


async def test_an_adjustment_waits_for_a_second_person(signed_in: People, crowd: people.Crowd, enter: Enter) -> None:
    """The person that requested it cannot decide it; another one approves it, and wallet and records show it."""
    player = await crowd.player("ann", 1000)
    nora, otto = signed_in("nora"), signed_in("otto")
    asked = await asyncio.to_thread(
        nora.press, f"/players/{player.subject}/adjust", amount="-300", currency="", reason="a torn ticket"
    )
    assert asked[1] == f"/players/{player.subject}?done=requested"
    waiting = (
        await crowd.operator.house.call(
            crowd.operator.house.office.ListAdjustments,
            pb.ListAdjustmentsRequest(player=player.subject, pending_only=True),
        )
    ).adjustments[0]
    path = f"/inbox/adjustments/{waiting.adjustment_id}"
    assert path not in (await asyncio.to_thread(nora.ask, "GET", "/inbox"))[2]
    refused = await asyncio.to_thread(nora.press, path, decision="approve", reason="mine")
    assert (refused[0], "SECOND_PERSON_NEEDED" in refused[2]) == (409, True)
    page = await enter("otto")
    await page.goto(page.url.replace("/floor", "/inbox"))
    await looked_at(page, "inbox")
    done = await asyncio.to_thread(otto.press, path, decision="approve", reason="seen")
    assert done[1] == "/inbox?done=approved"
    assert await player.house.balance() == 700
    shown = (await asyncio.to_thread(otto.ask, "GET", f"/players/{player.subject}"))[2]
    assert "a torn ticket" in shown
    assert "−300" in shown
    await page.goto(page.url.replace("/inbox", f"/players/{player.subject}"))
    await looked_at(page, "player-acts")


async def test_a_player_is_frozen_and_excluded(signed_in: People, crowd: people.Crowd) -> None:
    """A frozen player takes no seat until the freeze is lifted; an excluded one takes none until its day."""
    table_id, _ = await play.opened(crowd, "texas_holdem")
    player, nora = await crowd.player("bob"), signed_in()
    where = f"/players/{player.subject}"
    assert (await asyncio.to_thread(nora.press, f"{where}/freeze", reason="a doubt"))[0] == 303
    await people.refused("SWITCHED_OFF", player.house.take_seat(table_id, 1000))
    assert (await asyncio.to_thread(nora.press, f"{where}/freeze", off="0", reason="cleared"))[0] == 303
    for day in ("2020-01-01", "tomorrow", ""):
        assert (await asyncio.to_thread(nora.press, f"{where}/exclude", until=day, reason="a wish"))[0] == 400
    assert (await asyncio.to_thread(nora.press, f"{where}/exclude", until="2090-12-31", reason="a wish"))[0] == 303
    await people.refused("EXCLUDED", player.house.take_seat(table_id, 1000))
    assert "2091-01-01 00:00:00 UTC" in (await asyncio.to_thread(nora.ask, "GET", where))[2]


async def test_a_running_round_is_voided_and_read(signed_in: People, crowd: people.Crowd) -> None:
    """The void gives the stakes back, and the round's page says that it is void and why."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    number = await play.start(table_id, players)
    nora = signed_in()
    done = await asyncio.to_thread(nora.press, f"/tables/{table_id}/void", reason="a marked card")
    assert done[1] == f"/tables/{table_id}?done=voided"
    status, _, body = await asyncio.to_thread(nora.ask, "GET", f"/rounds/{table_id}/{number}")
    assert (status, "voided" in body, "a marked card" in body) == (200, True, True)


async def test_a_game_is_switched_off_and_on(signed_in: People, crowd: people.Crowd, enter: Enter) -> None:
    """The house has the switch with its reason and its person; it stands on the page until it is on again."""
    nora = signed_in()
    assert (await asyncio.to_thread(nora.press, "/operation/switch", subject="dou_dizhu", reason="a bug"))[0] == 303
    try:
        house = crowd.operator.house
        switches = (await house.call(house.office.ListSwitches, pb.ListSwitchesRequest())).switches
        assert [(one.subject, one.reason, one.actor) for one in switches] == [("dou_dizhu", "a bug", "nora")]
        page = await enter()
        await page.goto(page.url.replace("/floor", "/operation"))
        assert "a bug" in await page.content()
        await looked_at(page, "operation")
    finally:
        await asyncio.to_thread(nora.press, "/operation/switch", subject="dou_dizhu", off="0", reason="mended")


async def test_the_figures_of_a_game_are_those_of_its_rounds(crowd: people.Crowd, enter: Enter) -> None:
    """The page shows for a game what the report of turnover adds up to."""
    table_id, players = await play.opened(crowd, "blackjack")
    await play.rounds(table_id, players, 2)
    page = await enter()
    await page.goto(page.url.replace("/floor", "/money"))
    await looked_at(page, "money")
    row = page.locator("tbody tr", has_text="Twenty-one").locator("td")
    shown = [int((await row.nth(at).inner_text()).replace(",", "")) for at in (1, 2)]
    request = pb.ListTurnoverRequest(game="blackjack")
    lines = (await crowd.operator.house.call(crowd.operator.house.office.ListTurnover, request)).lines
    assert shown == [sum(one.rounds for one in lines), sum(one.staked for one in lines)]
    assert shown[1] > 0
