"""Table templates in the back office: proposed once, decided once by another person, each change told and kept."""

import asyncio
import json
from random import Random
from typing import Any

import psycopg
import pytest
from pitboss import client
from pitboss import rules as house_rules
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import catalogue_pb2

from services.runtime.identity import Role
from tests.support.served import Connection, Served, request_id
from tests.support.settlement_floor import Floor

STAFF = catalogue_pb2.TEMPLATE_OPENERS_STAFF


def proposal(template_id: str = "fast-holdem", **more: Any) -> pb.ProposeTemplateRequest:
    """Write a proposal."""
    wanted: dict[str, Any] = {
        "request_id": request_id(),
        "template_id": template_id,
        "game": "texas_holdem",
        "reason": "a new lobby",
        "openers": STAFF,
        "house_rules": house_rules.house_rules({"rake_bps": 300}),
    }
    return pb.ProposeTemplateRequest(**wanted | more)


def decision(version: int = 1, template_id: str = "fast-holdem", *, approve: bool = True) -> pb.DecideTemplateRequest:
    """Write a decision."""
    return pb.DecideTemplateRequest(
        request_id=request_id(), template_id=template_id, version=version, approve=approve, reason="looked at"
    )


@pytest.fixture
def office(floor: Floor) -> Served:
    """Return settlement's service."""
    return floor.settlement


async def told(office: Served, kind: str) -> list[pb.SignificantEvent]:
    """List the significant events of a kind."""
    request = pb.ListSignificantEventsRequest(kind=kind, page_size=500)
    answer = await office.call(office.office.ListSignificantEvents, request, Role.OPERATOR)
    return list(answer.significant_events)


async def test_a_proposal_is_recorded_once_and_told_with_before_and_after(office: Served) -> None:
    """Sent five times it is one version; another content under the same id is refused; the next one is version 2."""
    stub, request = office.office, proposal()
    answers = await asyncio.gather(
        *(office.call(stub.ProposeTemplate, request, Role.OPERATOR, "alice") for _ in range(5))
    )
    assert {answer.template.version for answer in answers} == {1}
    other = pb.ProposeTemplateRequest()
    other.CopyFrom(request)
    other.title = "Other"
    await office.refused("REQUEST_CONFLICT", stub.ProposeTemplate, other, Role.OPERATOR, "alice")
    await office.call(stub.DecideTemplate, decision(), Role.OPERATOR, "bert")
    newer = proposal(house_rules=house_rules.house_rules({"rake_bps": 200}))
    made = (await office.call(stub.ProposeTemplate, newer, Role.OPERATOR, "alice")).template
    assert (made.version, made.state) == (2, catalogue_pb2.TEMPLATE_STATE_PROPOSED)
    first, second = await told(office, "template_proposed")
    assert (first.actor, first.before, first.reason) == ("alice", "", "a new lobby")
    assert json.loads(first.after)["rules"]["rake_bps"] == 300
    assert "version 1" in second.before
    assert json.loads(second.after)["rules"]["rake_bps"] == 200


async def test_a_decision_is_made_once_by_another_person(office: Served) -> None:
    """Two second persons at once: one decides, and the other reads that it is decided; the first answer is repeated."""
    stub = office.office
    await office.call(stub.ProposeTemplate, proposal(), Role.OPERATOR, "alice")
    for name in ("alice", "ALICE"):
        await office.refused("SECOND_PERSON_NEEDED", stub.DecideTemplate, decision(), Role.OPERATOR, name)
    asked = {"bert": decision(), "carl": decision(approve=False)}
    done = await asyncio.gather(
        *(office.call(stub.DecideTemplate, one, Role.OPERATOR, name) for name, one in asked.items()),
        return_exceptions=True,
    )
    refused = [one for one in done if isinstance(one, client.Refused)]
    assert [one.reason for one in refused] == ["ALREADY_DECIDED"]
    [won] = [name for name, one in zip(asked, done, strict=True) if not isinstance(one, BaseException)]
    again = await office.call(stub.DecideTemplate, asked[won], Role.OPERATOR, won)
    assert again.template.decided_by == won
    [event] = await told(office, "template_decided")
    assert event.actor == won
    assert event.after.startswith("approved: {" if won == "bert" else "rejected")


async def test_the_database_itself_wants_a_second_person(office: Served, conn: Connection) -> None:
    """Whatever code runs above it, a decision by who proposed is refused, and records are never changed."""
    await office.call(office.office.ProposeTemplate, proposal(), Role.OPERATOR, "alice")
    decide = (
        "INSERT INTO template_decisions (template_id, version, approved, reason, decided_by, request_key, digest)"
        " VALUES ('fast-holdem', 1, true, 'x', %s, gen_random_uuid()::text, 'd')"
    )
    for name in ("alice", "Alice"):
        with pytest.raises(psycopg.errors.CheckViolation, match="who cannot decide it"):
            await conn.execute(decide, (name,))
        await conn.rollback()
    for change in ("UPDATE templates SET terms = '{}'", "DELETE FROM templates"):
        with pytest.raises(psycopg.Error):
            await conn.execute(change.encode())
        await conn.rollback()


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"template_id": "texas_holdem"}, "template_id"),
        ({"template_id": "x"}, "template_id"),
        ({"template_id": "UPPER"}, "template_id"),
        ({"template_id": "a:b"}, "template_id"),
        ({"openers": 0}, "openers"),
        ({"openers": 9}, "openers"),
        ({"varies": [99]}, "varies"),
        ({"reason": ""}, "reason"),
        ({"title": "x" * 61}, "title"),
        ({"least_stake": 11}, "greatest_stake"),
        ({"greatest_stake": 9}, "greatest_stake"),
        ({"currencies": ["EUR"]}, "currencies"),
        ({"least_buy_in": -1}, "least_buy_in"),
        ({"greatest_buy_in": 1, "least_buy_in": 2}, "greatest_buy_in"),
    ],
)
async def test_every_field_of_a_proposal_is_bounded_and_named(office: Served, more: dict[str, Any], field: str) -> None:
    """What makes no sense is refused with its field."""
    request = proposal(**more)
    with pytest.raises(client.Refused) as caught:
        await office.call(office.office.ProposeTemplate, request, Role.OPERATOR, "alice")
    assert (caught.value.reason, list(caught.value.fields)) == ("INVALID_ARGUMENT", [field])


async def test_house_rules_of_a_proposal_are_checked_as_those_of_tables(office: Served) -> None:
    """Unknown keys and values out of range are named, and rules of play are never open in a game with a bank."""
    request = proposal(house_rules=house_rules.house_rules({"rake_bps": 10_001}))
    await office.refused("HOUSE_RULE_OUT_OF_RANGE", office.office.ProposeTemplate, request, Role.OPERATOR, "alice")
    banked = proposal(
        game="suit_betting", house_rules=house_rules.house_rules({}), staff_varies=[catalogue_pb2.TEMPLATE_FIELD_PLAY]
    )
    await office.refused("INVALID_ARGUMENT", office.office.ProposeTemplate, banked, Role.OPERATOR, "alice")
    unknown = proposal(game="old_maid")
    await office.refused("UNKNOWN_GAME", office.office.ProposeTemplate, unknown, Role.OPERATOR, "alice")


async def test_a_standard_template_is_retired_and_nothing_twice(office: Served) -> None:
    """One is taken out of use by one person; what is not in force cannot be, and the same request answers again."""
    request = pb.RetireTemplateRequest(request_id=request_id(), template_id="war", reason="not today")
    for _ in range(2):
        answer = await office.call(office.office.RetireTemplate, request, Role.OPERATOR, "alice")
        assert answer.template.state == catalogue_pb2.TEMPLATE_STATE_RETIRED
        assert answer.template.retired_by == "alice"
    again = pb.RetireTemplateRequest(request_id=request_id(), template_id="war", reason="not today")
    await office.refused("NOT_FOUND", office.office.RetireTemplate, again, Role.OPERATOR, "alice")
    await office.call(office.office.ProposeTemplate, proposal(), Role.OPERATOR, "alice")
    waiting = pb.RetireTemplateRequest(request_id=request_id(), template_id="fast-holdem", reason="too early")
    await office.refused("NOT_FOUND", office.office.RetireTemplate, waiting, Role.OPERATOR, "bert")
    assert [event.subject for event in await told(office, "template_retired")] == ["template war version 1"]


async def test_proposals_at_once_get_versions_without_holes(office: Served) -> None:
    """Eight proposals of one template are versions 1 to 8, and only the newest can be decided."""
    rng = Random(8)
    made = await asyncio.gather(
        *(
            office.call(
                office.office.ProposeTemplate,
                proposal(house_rules=house_rules.house_rules({"rake_bps": rng.randrange(1000)})),
                Role.OPERATOR,
                "alice",
            )
            for _ in range(8)
        )
    )
    assert sorted(answer.template.version for answer in made) == list(range(1, 9))
    await office.refused("STALE_VERSION", office.office.DecideTemplate, decision(7), Role.OPERATOR, "bert")
    decided = await office.call(office.office.DecideTemplate, decision(8), Role.OPERATOR, "bert")
    assert decided.template.state == catalogue_pb2.TEMPLATE_STATE_APPROVED
