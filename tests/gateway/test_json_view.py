"""The JSON view through the real gateway: paths, queries, bodies, refusals; each operation of the OpenAPI document."""

import json
import re
from pathlib import Path

import pytest
from pitboss import client

from services.runtime.identity import Role
from tests.support import people, web

DOCUMENT = json.loads((Path(__file__).parents[2] / "protos" / "openapi.json").read_text(encoding="utf-8"))
OPERATIONS = [(verb, path) for path, verbs in DOCUMENT["paths"].items() for verb in verbs]


async def test_a_player_plays_with_paths_alone(gateway: str, crowd: people.Crowd) -> None:
    """Open, sit down, read, leave, and the wallet: with GET and POST on resources."""
    ann = await crowd.player("ann", 5000)

    def post(path: str, **fields: object) -> web.Answer:
        return web.call_json(gateway, path, {"request_id": client.request_id(), **fields}, ann.token)

    made = post("/v1/tables", game="tongbi_san_gong", house_rules={"base": {"integer": 20}})
    assert made.status == 200, made.body
    table = made.json()["table_id"]
    assert post(f"/v1/tables/{table}:takeSeat", buy_in=1000, seat=1).json()["seat"] == 1
    shown = web.get_json(gateway, f"/v1/tables/{table}", ann.token).json()["view"]
    assert [seat["chips"] for seat in shown["seats"] if seat["player_id"]] == ["1000"]
    assert web.get_json(gateway, "/v1/wallet", ann.token).json()["balance"] == "4000"
    listed = web.get_json(gateway, "/v1/tables", ann.token, mine="true", page_size=5).json()["tables"]
    assert [one["table_id"] for one in listed] == [table]
    assert post(f"/v1/tables/{table}:leaveSeat").status == 200
    lines = web.get_json(gateway, "/v1/wallet/statement", ann.token).json()["lines"]
    assert len(lines) >= 2


async def test_queries_hold_numbers_words_and_times(gateway: str, crowd: people.Crowd) -> None:
    """Optional numbers, enums and moments are read from a query; an unknown name is refused."""
    operator = crowd.person("boss", Role.OPERATOR)
    now = "2026-01-02T03:04:05Z"
    rounds = web.get_json(gateway, "/v1/rounds", operator.token, player="nobody", from_time=now, page_size=3)
    assert (rounds.status, rounds.json()["rounds"]) == (200, [])
    templates = web.get_json(
        gateway, "/v1/templates", operator.token, game="war", state="TEMPLATE_STATE_APPROVED", page_size=1
    )
    assert [one["game"] for one in templates.json()["templates"]] == ["war"]
    wrong = web.get_json(gateway, "/v1/games", operator.token, colour="red")
    assert (wrong.status, wrong.json()["details"][0]["reason"]) == (400, "MALFORMED_REQUEST")


async def test_a_game_is_described_with_other_house_rules(gateway: str, crowd: people.Crowd) -> None:
    """A read whose map fits no query has a second path with a body."""
    ann = await crowd.player("ann", 0)
    plain = web.get_json(gateway, "/v1/games/texas_holdem", ann.token).json()
    asked = {"house_rules": {"big_blind": {"integer": "40"}}}
    other = web.call_json(gateway, "/v1/games/texas_holdem:describe", asked, ann.token).json()
    assert plain["game"]["game"] == other["game"]["game"] == "texas_holdem"
    assert other["house_rules"]["big_blind"] == {"integer": "40"}
    assert plain["house_rules"]["big_blind"] != other["house_rules"]["big_blind"]


@pytest.mark.parametrize(("verb", "path"), OPERATIONS)
async def test_every_operation_of_the_document_reaches_the_house(
    gateway: str, crowd: people.Crowd, verb: str, path: str
) -> None:
    """With made-up values each operation is answered or refused by the house itself, never as an unknown path."""
    operator = crowd.person("boss", Role.OPERATOR)
    filled = re.sub(r"\{(\w*number\w*)\}", "1", path)
    filled = re.sub(r"\{\w+\}", "x", filled)
    if verb == "get":
        answer = web.get_json(gateway, filled, operator.token)
    else:
        answer = web.call_json(gateway, filled, {}, operator.token)
    if answer.status != 200:
        assert answer.json()["message"] != "the house has no such path"
        assert answer.json()["details"][0]["reason"] not in {"INTERNAL", "UNAVAILABLE"}
