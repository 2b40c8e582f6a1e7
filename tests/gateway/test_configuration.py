"""The gateway's configuration: what Envoy itself accepts, routes of the whole contract, TLS, and bounds by settings."""

import asyncio
import importlib.util
import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pitboss import client, dealers

from services.gateway import configuration, contract, envoy
from services.runtime import server
from services.runtime.settings import Settings, SettingsRefused
from tests.support import echo, gateways, web
from tests.support.certificates import certify
from tests.support.gateways import Gateway, given

ROOT = Path(__file__).parents[2]
FAMILIES = ("poker", "banker", "showdown", "tricks", "climbing", "survival")


def routed(**more: Any) -> list[dict[str, Any]]:
    """Return the routes that a gateway with these settings has."""
    return configuration.routes(given(**more))


def test_every_service_of_the_contract_has_a_route() -> None:
    """Dealers serve tables and games, audit its own service, settlement the rest."""
    to_cluster = {
        one["match"]["prefix"].strip("/"): one["route"]["cluster"]
        for one in routed()
        if "prefix" in one["match"] and "cluster" in one.get("route", {})
    }
    named = {name: where for name, where in to_cluster.items() if name.startswith("pitboss.")}
    assert set(named) == set(contract.services())
    assert {name for name, where in named.items() if where == "dealer"} == set(contract.DEALERS)
    assert {name for name, where in named.items() if where == "audit"} == {contract.AUDIT}
    protos = "".join(path.read_text() for path in (ROOT / "protos" / "pitboss" / "v1").glob("*.proto"))
    assert protos.count("\nservice ") == len(contract.services())


def test_calls_to_dealers_are_routed_by_the_header_of_the_family() -> None:
    """With a dealer for each family the header chooses; without it poker's dealer answers, and says where to go."""
    found = routed(gateway_dealers={family: f"dealer-{family}:7400" for family in FAMILIES})
    by_family = [one for one in found if "cluster_header" in one.get("route", {})]
    assert by_family
    for one in by_family:
        (header,) = one["match"]["headers"]
        assert one["route"]["cluster_header"] == header["name"] == dealers.FAMILY_HEADER
        assert set(header["string_match"]["safe_regex"]["regex"].split("|")) == set(FAMILIES)
    to_dealers = [one["route"] for one in found if one["match"].get("prefix") == "/pitboss.v1.DealerService/"]
    assert to_dealers[-1]["cluster"] == "poker"


def test_only_streams_that_watch_may_be_silent_for_long() -> None:
    """Each stream that watches has no bound on silence; every other route has the listener's."""
    silent = {one["match"]["path"] for one in routed() if "path" in one["match"]}
    assert silent == set(contract.streams())
    assert silent >= {f"/pitboss.v1.{name}" for name in ("DealerService/WatchTable", "WalletService/WatchWallet")}
    assert all(
        "idle_timeout" not in one["route"] for one in routed() if one["match"].get("prefix", "").count("pitboss")
    )


def test_only_conversations_are_sent_on_before_they_have_ended() -> None:
    """A stream of requests is not read whole before it is passed on; every other request is, within its bound."""
    paths = {
        one["match"].get("path")
        for one in routed(gateway_dealers={family: f"dealer-{family}:7400" for family in FAMILIES})
        if "typed_per_filter_config" in one
    }
    assert paths == {"/pitboss.v1.DealerService/Play"} == set(contract.conversations())


def test_descriptors_are_whole() -> None:
    """Each file stands after those that it imports, with the details of refusals among them."""
    seen: set[str] = set()
    for file in descriptor_pb2.FileDescriptorSet.FromString(contract.descriptors()).file:
        assert set(file.dependency) <= seen
        seen.add(file.name)
    assert "google/rpc/error_details.proto" in seen


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"gateway_dealers": {family: f"dealer-{family}:7400" for family in FAMILIES}},
        {"gateway_dealers": {"": "127.0.0.1:1,127.0.0.1:2"}, "gateway_quota": "0.5/3", "gateway_trusted_hops": 2},
        {"gateway_origins": ["https://play.example.org", "http://localhost:*"]},
    ],
)
def test_envoy_accepts_the_configuration(tmp_path: Path, more: dict[str, Any]) -> None:
    """Envoy's own check finds nothing wrong, and nothing that it will take away."""
    path = tmp_path / "envoy.json"
    path.write_text(json.dumps(configuration.bootstrap(given(**more), str(tmp_path / "admin.sock"))))
    words = [str(envoy.program()), "--mode", "validate", "--log-level", "warning", "-c", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "deprecated" not in done.stderr.lower()
    assert "work-in-progress" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gateway_origins", ["play.example.org"]),
        ("gateway_origins", ["https://play.example.org/"]),
        ("gateway_origins", ["*"]),
        ("gateway_dealers", {}),
        ("gateway_dealers", {"": "127.0.0.1:1,nowhere"}),
        ("gateway_quota", "0/5"),
    ],
)
def test_settings_that_are_wrong_are_refused_by_name(name: str, value: Any) -> None:
    """A malformed origin, no dealer, a malformed address or rate: the message names the setting."""
    with pytest.raises(SettingsRefused, match=f"(?i){name}"):
        given(**{name: value})


def test_a_machine_without_envoy_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the program is missing or does not run, the reason is returned, so that a house can start without it."""
    assert envoy.unusable() == ""
    broken = tmp_path / "envoy"
    broken.write_text("no program", encoding="utf-8")
    monkeypatch.setattr(envoy, "program", lambda: broken)
    assert "does not run on this machine" in envoy.unusable()
    monkeypatch.undo()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert "not installed" in envoy.unusable()


@asynccontextmanager
async def front(tmp_path: Path, house: Settings, own: Settings) -> AsyncIterator[Gateway]:
    """Run Envoy in front of an echo that stands for every process of the house."""
    async with server.running("echo", house, echo.build) as behind:
        place = f"127.0.0.1:{behind.port}"
        more = {"gateway_dealers": {"": place}, "settlement_address": place, "audit_address": place}
        async with gateways.running(tmp_path, own.model_copy(update=more)) as gateway:
            yield gateway


async def serves(port: int, credentials: grpc.ChannelCredentials | None) -> bool:
    """Return whether the house answers through the gateway that it serves; waits until Envoy knows."""
    place = f"127.0.0.1:{port}"
    async with client.open_channel(place, credentials) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=60)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def test_tls_by_settings_outside_and_inside(tmp_path: Path) -> None:
    """Callers reach the gateway by TLS, and the gateway a house that asks for certificates; no one else gets in."""
    authority, other = certify(tmp_path, "authority"), certify(tmp_path, "other")
    inside, outside = certify(tmp_path, "inside", authority), certify(tmp_path, "outside", authority)
    house = echo.given(
        tls_certificate_file=inside.certificate_file,
        tls_key_file=inside.key_file,
        tls_client_ca_file=authority.certificate_file,
    )
    own = given(
        tls_certificate_file=outside.certificate_file,
        tls_key_file=outside.key_file,
        tls_server_ca_file=authority.certificate_file,
    )
    async with front(tmp_path, house, own) as gateway:
        trusted = grpc.ssl_channel_credentials(authority.certificate_file.read_bytes())
        assert await serves(gateway.port, trusted)
        for credentials in (grpc.ssl_channel_credentials(other.certificate_file.read_bytes()), None):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await serves(gateway.port, credentials)
            assert caught.value.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


async def test_the_gateway_trusts_no_house_of_another_authority(tmp_path: Path) -> None:
    """With another authority inside nothing is forwarded, and the refusal says that the house is away."""
    authority, other = certify(tmp_path, "authority"), certify(tmp_path, "other")
    inside = certify(tmp_path, "inside", other)
    house = echo.given(tls_certificate_file=inside.certificate_file, tls_key_file=inside.key_file)
    async with front(tmp_path, house, given(tls_server_ca_file=authority.certificate_file)) as gateway:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await serves(gateway.port, None)
        assert client.refusal(caught.value).reason in {"UNAVAILABLE", "DEADLINE_EXCEEDED"}


async def test_one_address_has_its_rate_and_is_told_to_wait(tmp_path: Path) -> None:
    """Beyond its calls at once an address is refused with the house's own reason and a pause, in frames and in JSON."""
    async with front(tmp_path, echo.given(), given(gateway_quota="0.01/3")) as gateway:
        place, path = f"127.0.0.1:{gateway.port}", "/pitboss.v1.WalletService/GetBalance"
        said = [await asyncio.to_thread(web.call_json, place, path, {}) for _ in range(4)]
        assert [one.status == 429 for one in said] == [False, False, False, True]
        reasons = {one["@type"].rpartition(".")[2]: one for one in said[-1].json()["details"]}
        assert reasons["ErrorInfo"]["reason"] == "TOO_MANY_REQUESTS"
        assert reasons["RetryInfo"]["retry_delay"] == "1s"
        answer, _ = await asyncio.to_thread(web.call_web, place, path, b"")
        assert web.reason(answer.headers) == "TOO_MANY_REQUESTS"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await serves(gateway.port, None)
        refused = client.refusal(caught.value)
        assert (refused.reason, refused.retry_after_seconds) == ("TOO_MANY_REQUESTS", 1.0)
        shown = await asyncio.to_thread(web.ask, f"127.0.0.1:{gateway.metrics_port}", "GET", "/metrics")
        assert b"envoy_http_local_rate_limit_rate_limited" in shown.body


async def test_a_gateway_drains(tmp_path: Path) -> None:
    """A draining gateway says so before it stops; calls that run may end."""
    async with front(tmp_path, echo.given(), given()) as gateway:
        assert await serves(gateway.port, None)
        await gateway.envoy.drain(0, 5)
        shown = await asyncio.to_thread(web.ask, f"127.0.0.1:{gateway.metrics_port}", "GET", "/healthz")
        assert shown.status == 503
