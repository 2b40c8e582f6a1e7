"""The house in containers, on a real engine: it starts, plays, is audited, and survives a crash and a restart.

Runs where ``PITBOSS_TEST_COMPOSE=1`` and Docker answers; the first time the engine fetches images and builds ours.
Ports are the engine's choice, so that it may run beside a house in use.
"""

import json
import os
import random
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from pitboss import client
from pitboss.v1 import audit_pb2

from services.cli import demo, reach
from services.localhouse import secret_file
from services.runtime import settings
from services.runtime.identity import Identity
from tests.support import people, play, waits

ROOT: Final = Path(__file__).parents[2]
SERVICES: Final = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
PROCESSES: Final = tuple(name for name, service in SERVICES.items() if service.get("image") == "pitboss:latest")
SERVING: Final = tuple(name for name in PROCESSES if name != "migrate")
IMAGE: Final = "pitboss:test"
GAMES: Final = {
    "poker": "texas_holdem",
    "banker": "blackjack",
    "showdown": "tongbi_san_gong",
    "tricks": "loo",
    "climbing": "dou_dizhu",
    "survival": "ninety_nine",
}
UP_SECONDS: Final = 1200


def _answers() -> str:
    """Return why these tests cannot run; empty where they can."""
    if os.environ.get("PITBOSS_TEST_COMPOSE") != "1":
        return "set PITBOSS_TEST_COMPOSE=1 to bring the house up in containers"
    for command in (["docker", "info"], ["docker", "compose", "version"]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{' '.join(command)}: {error}"
        if done.returncode:
            return f"{' '.join(command)}: {done.stderr.strip()}"
    return ""


WHY_NOT: Final = _answers()
pytestmark = [pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT), pytest.mark.timeout(UP_SECONDS)]


class Compose:
    """One house in containers, under a name of its own, with fresh secrets."""

    def __init__(self, folder: Path) -> None:
        self.name = f"pitboss-test-{os.getpid()}"
        self._secrets = folder / "env"
        self._ports = folder / "ports.yml"
        secret_file.write(self._secrets)
        lines = ["services:"]
        for name, service in SERVICES.items():
            image = f", image: '{IMAGE}'" if name in PROCESSES else ""
            ports = [f"127.0.0.1::{port.rpartition(':')[2]}" for port in service.get("ports", ())]
            if ports or image:
                lines.append(f"  {name}: {{ports: !override {json.dumps(ports)}{image}}}")
        self._ports.write_text("\n".join(lines), encoding="utf-8")

    @property
    def secrets(self) -> dict[str, str]:
        """The secrets of this house."""
        lines = (line for line in self._secrets.read_text().splitlines() if not line.startswith("#"))
        return {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines)}

    def run(self, *arguments: str) -> str:
        """Run a command of compose that must succeed; return its output."""
        files = ["-f", str(ROOT / "docker-compose.yml"), "-f", str(self._ports), "--env-file", str(self._secrets)]
        whole = ["docker", "compose", "-p", self.name, *files, *arguments]
        done = subprocess.run(whole, cwd=ROOT, capture_output=True, text=True, timeout=UP_SECONDS, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
        return done.stdout

    def up(self) -> None:
        """Start what does not run, and wait until all is healthy."""
        self.run("up", "-d", "--wait")

    def address(self, name: str, port: int = 7400) -> str:
        """Return the address at which a service is published now."""
        return self.run("port", name, str(port)).strip()

    def inspect(self, name: str) -> dict[str, Any]:
        """Return the engine's record of a service's container, also of one that has ended."""
        found: dict[str, Any] = json.loads(docker("inspect", self.run("ps", "-aq", name).strip()))[0]
        return found

    def reach(self) -> reach.Reach:
        """Return the addresses of the house behind its gateway."""
        front = self.address("gateway")
        named = ("jwt_private_key", "jwt_public_key")
        own = {name: self.secrets[f"PITBOSS_{name.upper()}"] for name in named}
        identity = Identity(settings.load(jwt_algorithm="EdDSA", **own))
        return reach.Reach(dealers=(front,), settlement=front, audit=front, identity=identity)

    def asked(self, path: str) -> Any:
        """Query Prometheus."""
        with urllib.request.urlopen(f"http://{self.address('prometheus', 9090)}/api/v1/{path}", timeout=10) as answer:
            return json.load(answer)["data"]

    def rounds(self, game: str) -> float:
        """Return the number of ended rounds of a game from Prometheus."""
        query = urllib.parse.quote(f'sum(pitboss_rounds_total{{game="{game}"}})')
        return sum(float(found["value"][1]) for found in self.asked(f"query?query={query}")["result"])


def docker(*arguments: str) -> str:
    """Run a command of Docker that must succeed; return its output."""
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    """Start a house; afterwards only its images are left."""
    compose = Compose(tmp_path_factory.mktemp("compose"))
    try:
        compose.run("build")
        compose.up()
        yield compose
    finally:
        compose.run("down", "--volumes", "--timeout", "20")


async def audited(crowd: people.Crowd, table_id: str, rounds: int) -> None:
    """Replay a table and check its chain through the audit service."""
    stub, metadata = crowd.auditor()
    replay = await stub.ReplayTable(audit_pb2.ReplayTableRequest(table_id=table_id), metadata=metadata, timeout=60)
    chain = await stub.VerifyStream(audit_pb2.VerifyStreamRequest(table_id=table_id), metadata=metadata, timeout=60)
    assert (list(replay.mismatches), list(chain.mismatches)) == ([], [])
    assert replay.rounds_replayed == rounds


def test_everything_is_healthy_and_scraped(house: Compose) -> None:
    """The migration succeeded, every other service is healthy, and Prometheus has every target up."""
    assert house.inspect("migrate")["State"]["ExitCode"] == 0
    for name in SERVICES.keys() - {"migrate", "grafana"}:
        assert house.inspect(name)["State"]["Health"]["Status"] == "healthy", name
    waits.eventually_blocking(
        lambda: {one["health"] for one in house.asked("targets")["activeTargets"]} == {"up"},
        "every target is up",
        pause=1,
    )
    assert len(house.asked("targets")["activeTargets"]) == len(SERVING) + 1


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - {"migrate", "grafana"}))
def test_no_container_is_root_nor_can_write_its_own_files(house: Compose, name: str) -> None:
    """By the engine's record, containers have another user, a read-only file system and no capability."""
    found = house.inspect(name)
    assert house.run("exec", "-T", name, "sh", "-c", "grep ^Uid: /proc/1/status").split()[1] != "0"
    assert house.run("exec", "-T", name, "sh", "-c", "grep ^CapEff: /proc/1/status").split()[1].strip("0") == ""
    assert found["HostConfig"]["ReadonlyRootfs"] is True
    assert "no-new-privileges:true" in found["HostConfig"]["SecurityOpt"]


def test_no_secret_is_in_the_image_nor_on_a_command_line(house: Compose) -> None:
    """Neither the image's history and settings nor the lists of processes hold one of this house's secrets."""
    told = docker("history", "--no-trunc", IMAGE) + docker("image", "inspect", IMAGE)
    told += "".join(json.dumps([house.inspect(name)["Path"], house.inspect(name)["Args"]]) for name in SERVING)
    told += house.run("top") + house.run("logs", "--no-color")
    # Shorter values are the keys' ids, which are no secrets.
    assert [name for name, value in house.secrets.items() if len(value) > 12 and value in told] == []


@pytest.mark.parametrize("family", sorted(GAMES))
async def test_a_round_of_each_family_is_played_through_one_address(house: Compose, family: str) -> None:
    """Wallets, tables and auditor answer at the gateway; the round is replayed; Prometheus counts it."""
    before = house.rounds(GAMES[family])
    async with people.Crowd(house.reach()) as crowd:
        table_id, players = await play.opened(crowd, GAMES[family])
        await audited(crowd, table_id, await play.rounds(table_id, players))
    await waits.eventually(lambda: house.rounds(GAMES[family]) > before, "the rounds are counted", pause=1)


async def test_a_dealer_that_crashes_in_mid_round_comes_back_and_the_round_goes_on(house: Compose) -> None:
    """After all processes of a dealer are killed the engine restarts it, and the round ends."""
    async with people.Crowd(house.reach()) as crowd:
        table_id, players = await crowd.table("texas_holdem", ("ann", "bob", "cid"), {"turn_seconds": 60})
        await players[0].house.start_round(table_id)
        first = await players[0].house.table(table_id)
        seat = first.round.waiting_for[0]
        own = await players[seat].house.table(table_id)
        await players[seat].house.act(table_id, demo.choose(own.round.options[-1:], random.Random(1)))
        seen = await players[0].house.table(table_id)
        house.run("exec", "-T", "dealer-poker", "sh", "-c", "kill -9 -1 || true")
        await waits.eventually(lambda: house.inspect("dealer-poker")["RestartCount"] > 0, "a restart", pause=1)
        house.up()
        assert await reachable(players[0].house, table_id) == seen
        while await play.step(table_id, players, 1, random.Random(2)):
            pass
        await audited(crowd, table_id, 1)


async def reachable(caller: client.House, table_id: str) -> Any:
    """Return the view of a table as soon as its dealer is found again."""
    return await waits.answered(lambda: caller.table(table_id), waits.is_unavailable)


async def test_a_second_start_finds_the_tables(house: Compose) -> None:
    """Every process drains and exits with 0; after ``down`` and ``up`` the table is unchanged and plays on."""
    async with people.Crowd(house.reach()) as crowd:
        table_id, players = await play.opened(crowd, GAMES["showdown"])
        await play.rounds(table_id, players)
        seen = await players[0].house.table(table_id)
    house.run("stop", "--timeout", "20")
    assert {name: house.inspect(name)["State"]["ExitCode"] for name in PROCESSES} == dict.fromkeys(PROCESSES, 0)
    house.run("down")
    house.up()
    async with people.Crowd(house.reach()) as crowd:
        again = [crowd.person(player.subject) for player in players]
        assert await again[0].house.table(table_id) == seen
        await audited(crowd, table_id, await play.rounds(table_id, again))
