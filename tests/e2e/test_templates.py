"""Templates as lobbies and operators see them: listed page by page, by role, and changed from the command line."""

import json
import uuid
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import catalogue_pb2 as pb

from services.rules import catalogue
from services.runtime.identity import Role
from tests.support.command_line import Office
from tests.support.people import Crowd, Person, refused


async def pages(person: Person, size: int, **wanted: Any) -> list[pb.Template]:
    """List templates page by page."""
    found: list[pb.Template] = []
    token = ""
    while True:
        request = pb.ListTemplatesRequest(page_size=size, page_token=token, **wanted)
        page = await person.house.call(person.house.catalogue.ListTemplates, request)
        assert len(page.templates) <= size
        found.extend(page.templates)
        token = page.next_page_token
        if not token:
            return found


async def test_a_lobby_lists_what_players_may_open(crowd: Crowd) -> None:
    """Standard ones in the order of the catalogue, then the others; those of staff, and who approved, are hidden."""
    mine = await crowd.template("suit_betting", {"odds": {"seven": 11}})
    inner = await crowd.template("suit_betting", openers=pb.TEMPLATE_OPENERS_STAFF)
    ann = await crowd.player("ann", 0)
    listed = await pages(ann, 100)
    ids = [one.template_id for one in listed]
    assert ids[: len(catalogue.FILES)] == list(catalogue.FILES)
    assert mine in ids
    assert inner not in ids
    assert not any(one.proposed_by or one.decided_by or one.reason for one in listed)
    [own] = [one for one in listed if one.template_id == mine]
    assert {one.bet: one.exact for one in own.returns}["seven"] == "12/13"
    assert (own.banker, own.state) == ("house", pb.TEMPLATE_STATE_APPROVED)
    await refused("NOT_FOUND", ann.house.template(inner))
    await refused("PERMISSION_DENIED", ann.house.create_table(template_id=inner))
    assert (await crowd.operator.house.create_table(template_id=inner)).table_id


@pytest.mark.parametrize("size", [1, 7, 34, 100])
async def test_pages_of_any_size_hold_every_template_once(size: int, crowd: Crowd) -> None:
    """Pages of any size show each template once."""
    for _ in range(2):
        await crowd.template("war")
    whole = [(one.template_id, one.version) for one in await pages(crowd.operator, 100, include_all=True)]
    assert [(one.template_id, one.version) for one in await pages(crowd.operator, size, include_all=True)] == whole
    assert len(set(whole)) == len(whole) > len(catalogue.FILES)


async def test_lists_are_filtered_and_their_arguments_bounded(crowd: Crowd) -> None:
    """Lists are filtered by game and family; an invalid size, token, state, game or family is refused."""
    name = await crowd.template("war")
    found = await pages(crowd.operator, 100, game="war")
    assert {one.game for one in found} == {"war"}
    assert name in {one.template_id for one in found}
    assert {one.family for one in await pages(crowd.operator, 100, family="poker")} == {"poker"}
    assert await pages(crowd.operator, 100, family="poker", game="war") == []
    wrong: list[dict[str, Any]] = [
        {"page_size": -1},
        {"page_token": "x"},
        {"page_token": "a:b"},
        {"state": 9},
        {"family": "x"},
    ]
    for one in wrong:
        call = crowd.operator.house.call(crowd.operator.house.catalogue.ListTemplates, pb.ListTemplatesRequest(**one))
        await refused("INVALID_ARGUMENT", call)
    await refused("UNKNOWN_GAME", crowd.operator.house.list_templates(game="old_maid"))
    ann = await crowd.player("ann", 0)
    await refused("PERMISSION_DENIED", ann.house.list_templates(include_all=True))
    await refused("PERMISSION_DENIED", ann.house.list_templates(state=pb.TEMPLATE_STATE_PROPOSED))


async def test_a_table_of_a_template_is_within_its_bounds(crowd: Crowd) -> None:
    """Currencies, buy-ins, title and game that the template does not allow are refused, all fields at once."""
    name = await crowd.template(
        "texas_holdem",
        {"big_blind": 20},
        least_buy_in=400,
        greatest_buy_in=2000,
        currencies=["CHIPS"],
        varies=[pb.TEMPLATE_FIELD_TIMES],
        title="Twenty",
    )
    ann = await crowd.player("ann", 0)
    call = ann.house.create_table("war", template_id=name, title="Mine", least_buy_in=500, greatest_buy_in=3000)
    refusal = await refused("INVALID_ARGUMENT", call)
    assert set(refusal.fields) == {"game", "title", "least_buy_in", "greatest_buy_in"}
    refusal = await refused("HOUSE_RULE_OUT_OF_RANGE", ann.house.create_table("", {"big_blind": 40}, template_id=name))
    assert set(refusal.fields) == {"house_rules.big_blind"}
    made = await ann.house.create_table("", {"turn_seconds": 40}, template_id=name)
    table = (await ann.house.table(made.table_id)).table
    assert (table.title, table.least_buy_in, table.greatest_buy_in, table.stake) == ("Twenty", 400, 2000, 20)
    await refused("NOT_FOUND", ann.house.create_table(template_id="no-such-thing"))


async def test_a_template_goes_its_way_by_command(office: Office) -> None:
    """A template is proposed by one person, decided by another only, listed with its return, and retired."""
    name = f"lucky-{uuid.uuid4().hex[:8]}"
    made = json.loads(
        await office.run(
            "template",
            "propose",
            name,
            "suit_betting",
            "--rules",
            '{"odds": {"seven": 11}}',
            "--stakes",
            "1-500",
            "--reason",
            "a slower lobby",
        )
    )
    assert (made["version"], made["state"]) == (1, "TEMPLATE_STATE_PROPOSED")
    said = await office.run("template", "decide", name, "1", "--approve", "--reason", "fine", well=False)
    assert "SECOND_PERSON_NEEDED" in said or "another person" in said
    await office.run("template", "decide", name, "1", "--approve", "--reason", "fine", name="pete")
    [line] = [one for one in (await office.run("templates")).splitlines() if one.startswith(name)]
    assert "approved" in line
    assert "seven 0.923077" in line
    shown = json.loads(await office.run("template", "show", name))
    assert (shown["proposed_by"], shown["decided_by"]) == ("olga", "pete")
    await office.run("template", "retire", name, "--reason", "enough")
    assert name not in await office.run("templates")
    assert name in await office.run("templates", "--all", "--format", "jsonl")
    wrong = await office.run(
        "template", "propose", name, "suit_betting", "--rules", '{"odds": {"seven": 13}}', "--reason", "x", well=False
    )
    assert "1.076923" in wrong


async def test_an_auditor_sees_who_approved_what(crowd: Crowd) -> None:
    """Auditors read every version with its names and reasons, as staff do, and open nothing."""
    name = await crowd.template("war")
    auditor = crowd.person("auditor", Role.AUDITOR)
    found = await auditor.house.template(name)
    assert (found.proposed_by, found.reason) == (crowd.operator.subject, "a test")
    assert found.decided_by.startswith("second-")
    with pytest.raises(client.Refused):
        await auditor.house.create_table(template_id=name)
