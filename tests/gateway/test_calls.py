"""Calls through the gateway, the real Envoy: gRPC, gRPC-Web and JSON, with streams, refusals and bounds."""

import urllib.request
from contextlib import aclosing

import pytest
from pitboss import client
from pitboss.v1 import catalogue_pb2, dealer_pb2, wallet_pb2

from services.localhouse.local_house import LocalHouse
from services.runtime.identity import Role
from tests.gateway.conftest import ORIGIN
from tests.support import people, waits, web

DEALER, WALLET = "/pitboss.v1.DealerService", "/pitboss.v1.WalletService"
ALL_SERVICES = {
    "dealer": f"{DEALER}/ListTables",
    "catalogue": "/pitboss.v1.CatalogueService/ListGames",
    "settlement": f"{WALLET}/GetBalance",
    "office": "/pitboss.v1.BackOfficeService/ListPlayedRounds",
    "privacy": "/pitboss.v1.PrivacyService/ListErasures",
}


async def test_one_address_serves_grpc(gateway: str, crowd: people.Crowd) -> None:
    """The Python client plays with the gateway's address alone: tables, watches and wallets."""
    ann = await crowd.player("ann", 5000)
    async with client.connect(gateway, ann.token) as house:
        table = (await house.create_table("tongbi_san_gong", title="through the gateway")).table_id
        await house.take_seat(table, 1000)
        async for seen in house.watch(table):
            assert seen.view.seats[0].chips == 1000
            break
        assert await house.balance() == 4000
        with pytest.raises(client.Refused) as caught:
            await house.take_seat(table, 1000)
    assert caught.value.reason == "ALREADY_SEATED"


async def test_a_stream_of_play_passes_the_gateway(gateway: str, crowd: people.Crowd) -> None:
    """Commands go in and their answers come out while the stream stays open; followed tables come as they change."""
    ann = await crowd.player("ann", 5000)
    async with client.connect(gateway, ann.token) as house, house.session() as session:
        table = (await house.create_table("suit_betting", {"start": "manual", "bet_seconds": 600})).table_id
        await house.take_seat(table, 100)
        async with aclosing(session.follow(table)) as seen:
            before = (await anext(seen)).view.version
            await house.start_round(table)
            bet = people.action("place_bet", spot="spade", amount=1)
            versions = [(await session.act(table, bet)).version for _ in range(5)]
            events: list[int] = []
            async for message in seen:
                events += [event.version for event in message.events]
                if message.view.version >= versions[-1]:
                    break
        assert events == list(range(before + 1, versions[-1] + 1))
        assert versions == list(range(versions[0], versions[0] + 5))


async def test_a_page_calls_with_grpc_web(gateway: str, crowd: people.Crowd) -> None:
    """An answer in frames, and the headers by which the page of a named origin may read it."""
    ann = await crowd.player("ann", 700)
    answer, (body,) = web.call_web(gateway, f"{WALLET}/GetBalance", b"", ann.token, origin=ORIGIN)
    assert wallet_pb2.GetBalanceResponse.FromString(body).balance == 700
    assert answer.headers["grpc-status"] == "0"
    assert answer.headers["access-control-allow-origin"] == ORIGIN


async def test_a_refusal_s_details_reach_a_page(gateway: str, crowd: people.Crowd) -> None:
    """A page may read the status details, with the reason of the closed list."""
    ann = await crowd.player("ann", 0)
    request = dealer_pb2.GetTableRequest(table_id="no-table").SerializeToString()
    answer, messages = web.call_web(gateway, f"{DEALER}/GetTable", request, ann.token, origin=ORIGIN)
    assert messages == []
    assert web.reason(answer.headers) == "TABLE_NOT_FOUND"
    assert {"grpc-status", web.DETAILS} <= set(answer.headers["access-control-expose-headers"].split(", "))


async def test_a_page_watches_a_table(gateway: str, crowd: people.Crowd) -> None:
    """WatchTable streams over gRPC-Web: each change comes as it happens."""
    ann = await crowd.player("ann", 5000)
    table = (await ann.house.create_table("tongbi_san_gong")).table_id
    request = dealer_pb2.WatchTableRequest(table_id=table).SerializeToString()
    with web.stream_web(gateway, f"{DEALER}/WatchTable", request, ann.token, origin=ORIGIN) as messages:
        first = dealer_pb2.WatchTableResponse.FromString(next(messages))
        assert not any(seat.player_id for seat in first.view.seats)
        await ann.house.take_seat(table, 1000)
        seen = (dealer_pb2.WatchTableResponse.FromString(one) for one in messages)
        assert any(seat.chips == 1000 for one in seen for seat in one.view.seats)


async def test_json_reads_and_commands(gateway: str, crowd: people.Crowd) -> None:
    """A back end without gRPC opens a table, reads it and is refused, in JSON with the contract's names."""
    ann = await crowd.player("ann", 5000)
    given = {"request_id": client.request_id(), "game": "tongbi_san_gong", "house_rules": {"base": {"integer": "20"}}}
    made = web.call_json(gateway, f"{DEALER}/CreateTable", given, ann.token)
    assert made.status == 200, made.body
    table = made.json()["table_id"]
    seat = {"request_id": client.request_id(), "table_id": table, "buy_in": 1000}
    assert web.call_json(gateway, f"{DEALER}/TakeSeat", seat, ann.token).json()["seat"] == 0
    shown = web.call_json(gateway, f"{DEALER}/GetTable", {"table_id": table}, ann.token).json()["view"]
    assert shown["seats"][0]["chips"] == "1000"
    seat["request_id"] = client.request_id()
    refused = web.call_json(gateway, f"{DEALER}/TakeSeat", seat, ann.token, accept_language="zh-Hant")
    details = {one["@type"].rpartition(".")[2]: one for one in refused.json()["details"]}
    assert refused.status == 400
    assert details["ErrorInfo"]["reason"] == "ALREADY_SEATED"
    assert details["LocalizedMessage"]["locale"] == "zh-Hant"


async def test_json_streams_line_by_line(gateway: str, crowd: people.Crowd) -> None:
    """A stream in JSON is an object a line, sent as it happens."""
    ann = await crowd.player("ann", 5000)
    table = (await ann.house.create_table("tongbi_san_gong")).table_id
    with web.stream_json(gateway, f"{DEALER}/WatchTable", {"table_id": table}, ann.token) as lines:
        assert next(lines)["view"]["table"]["table_id"] == table
        await ann.house.take_seat(table, 1000)
        assert any(seat["chips"] == "1000" for line in lines for seat in line["view"]["seats"])


@pytest.mark.parametrize("path", ALL_SERVICES.values(), ids=ALL_SERVICES)
async def test_every_service_is_behind_the_address(gateway: str, crowd: people.Crowd, path: str) -> None:
    """Each service answers by its own reasons, not the gateway's."""
    operator = crowd.person("boss", Role.OPERATOR)
    answer = web.call_json(gateway, path, {}, operator.token)
    said = "" if answer.status == 200 else answer.json()["details"][0]["reason"]
    assert said not in {"NOT_FOUND", "UNAVAILABLE"}, answer.body


@pytest.mark.parametrize("origin", [ORIGIN, "http://localhost:5173", "http://localhost"])
def test_a_preflight_of_a_named_origin_is_allowed(gateway: str, origin: str) -> None:
    """A browser may send the headers that calls need, from each named origin; a port may be left open."""
    answer = _preflight(gateway, origin)
    assert answer.headers["access-control-allow-origin"] == origin
    assert {"authorization", "x-grpc-web", "x-pitboss-family"} <= set(
        answer.headers["access-control-allow-headers"].split(", ")
    )
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    "origin", ["https://evil.example", f"{ORIGIN}.evil.example", "http://play.example.org", "http://localhost.evil:1"]
)
async def test_a_page_of_another_origin_is_refused(gateway: str, crowd: people.Crowd, origin: str) -> None:
    """Neither a preflight nor an answer names an origin that is not on the list, so that a browser shows nothing."""
    ann = await crowd.player("ann", 0)
    answer, _ = web.call_web(gateway, f"{WALLET}/GetBalance", b"", ann.token, origin=origin)
    for headers in (_preflight(gateway, origin).headers, answer.headers):
        assert "access-control-allow-origin" not in headers


def _preflight(gateway: str, origin: str) -> web.Answer:
    asked = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-grpc-web",
    }
    return web.ask(gateway, "OPTIONS", f"{WALLET}/GetBalance", headers=asked)


async def test_a_request_that_is_too_long_is_refused_with_a_reason(gateway: str, crowd: people.Crowd) -> None:
    """Beyond its bound the gateway itself refuses, with a reason of the closed list, in frames and in JSON."""
    ann = await crowd.player("ann", 0)
    long = "x" * (1 << 22)
    request = catalogue_pb2.GetGameRequest(game=long).SerializeToString()
    answer, _ = web.call_web(gateway, "/pitboss.v1.CatalogueService/GetGame", request, ann.token, origin=ORIGIN)
    assert web.reason(answer.headers) == "MALFORMED_REQUEST"
    shown = web.call_json(gateway, "/pitboss.v1.CatalogueService/GetGame", {"game": long}, ann.token)
    assert shown.status in {400, 413}
    assert shown.json()["details"][0]["reason"] == "MALFORMED_REQUEST"


@pytest.mark.parametrize("body", [b"{", b'{"amount": "many"}'])
async def test_json_that_cannot_be_read_is_refused_with_a_reason(
    gateway: str, crowd: people.Crowd, body: bytes
) -> None:
    """Broken JSON and values of the wrong kind are refused in the same shape as everything else."""
    ann = await crowd.player("ann", 0)
    headers = {"content-type": "application/json", "authorization": f"Bearer {ann.token}"}
    answer = web.ask(gateway, "POST", f"{DEALER}/AddChips", body, headers)
    assert answer.status == 400
    assert answer.json()["details"][0]["reason"] == "MALFORMED_REQUEST"


@pytest.mark.parametrize("table", ["%00", "..%2f..", "a%5Cb"])
async def test_a_path_that_is_not_passed_on_is_refused_with_a_message(
    gateway: str, crowd: people.Crowd, table: str
) -> None:
    """Escaped slashes and zero bytes are refused by the gateway itself, which says what is wrong."""
    ann = await crowd.player("ann", 0)
    headers = {"content-type": "application/json", "authorization": f"Bearer {ann.token}"}
    answer = web.ask(gateway, "POST", f"/v1/tables/{table}:setTopUp", b"{}", headers)
    assert answer.status == 400
    told = answer.json()
    assert told["details"][0]["reason"] == "MALFORMED_REQUEST"
    assert "path" in told["message"]


def test_a_path_that_there_is_not_is_refused(gateway: str) -> None:
    """Nothing but the contract is behind the gateway; Envoy's own interface is not."""
    for path in ("/", "/stats", "/config_dump", "/pitboss.v1.DealerService", "/pitboss.v1.DealerService/Cheat"):
        answer = web.ask(gateway, "GET", path)
        assert (answer.status, answer.json()["details"][0]["reason"]) == (404, "NOT_FOUND"), path


async def test_metrics_and_health_are_shown_and_nothing_else_of_envoy(house: LocalHouse) -> None:
    """The port of metrics answers /metrics and /healthz; the rest of Envoy's interface stays inside."""
    url = house.members["gateway"].metrics_url
    await waits.eventually(lambda: both_serve(url), "both dealers serve")
    place = url.removeprefix("http://").removesuffix("/metrics")
    assert web.ask(place, "GET", "/healthz").status == 200
    for path in ("/", "/config_dump", "/quitquitquit", "/stats/prometheus"):
        assert web.ask(place, "POST", path).status == 404


def both_serve(url: str) -> bool:
    """Return whether the gateway counts two healthy dealers."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        return 'envoy_cluster_membership_healthy{envoy_cluster_name="dealer"} 2' in answer.read().decode()


async def test_a_dealer_that_was_killed_is_passed_by(house: LocalHouse, gateway: str, crowd: people.Crowd) -> None:
    """With one of two dealers gone, calls are answered by the other; when it is back, both are used again."""
    ann = await crowd.player("ann", 5000)
    table = (await ann.house.create_table("tongbi_san_gong")).table_id
    victim = house.members["dealer-2"]
    victim.kill()
    try:
        async with client.connect(gateway, ann.token) as through:
            for _ in range(8):
                assert (await through.table(table)).table.table_id == table
    finally:
        victim.start()
    url = house.members["gateway"].metrics_url
    await waits.eventually(lambda: both_serve(url), "both dealers serve again")


async def test_a_gateway_that_was_killed_leaves_nothing_and_serves_again(
    house: LocalHouse, gateway: str, crowd: people.Crowd
) -> None:
    """After kill -9 no Envoy stays behind; a start on the same port answers."""
    member = house.members["gateway"]
    member.kill()
    member.start()
    assert member.address == gateway
    ann = await crowd.player("ann", 30)
    assert web.call_json(gateway, f"{WALLET}/GetBalance", {}, ann.token).json()["balance"] == "30"
