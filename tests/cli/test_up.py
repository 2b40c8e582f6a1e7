"""``pitboss up``: a house of its own servers, which a second start finds as it was."""

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pitboss import client
from rich.console import Console

from services.cli import demo, reach
from services.localhouse import local_house, ports, secret_set
from services.localhouse.embedded import EmbeddedRedis
from services.localhouse.process import Member
from services.runtime.identity import Role
from tests.support import servers, waits

SECONDS = 120


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    line = [sys.executable, "-m", "services.cli.main", *(str(one) for one in arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder whose parents the database's own account may enter."""
    with servers.Nest() as nest:
        yield nest.folder / "var"


async def test_a_second_start_finds_the_tables(folder: Path) -> None:
    """A demo of one game plays and ends with 0; the next house on the folder has its table, secrets and chips."""
    done = run("up", "--demo", "--once", "--free-ports", "--folder", folder, "--game", "tongbi_san_gong")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 0 failed" in done.stdout
    assert "starting Postgres" in done.stdout
    [told] = [row.split()[-1] for row in done.stdout.splitlines() if row.startswith("✓ tongbi_san_gong")]
    kept = secret_set.load_or_make(folder / "secrets.json")
    with local_house.LocalHouse(folder) as house:
        house.write_down()
        assert secret_set.load_or_make(folder / "secrets.json") == kept
        assert set(house.describe()) == {"dealer", "settlement", "audit"}
        found = reach.of_folder(folder)
        async with client.connect(
            found.dealers[0], found.token("boss", Role.OPERATOR), wallets=found.settlement
        ) as operator:
            tables = await operator.tables(game="tongbi_san_gong", include_test=True)
            assert [table.round_number for table in tables] == [1]
            view = await operator.table(tables[0].table_id)
            assert view.last_result.round_number == 1
            assert sum(seat.chips for seat in view.seats) + view.last_result.fee == len(view.seats) * 20_000
        assert told == tables[0].table_id, "the demo tells the ids of its tables"
        replayed = run("replay", told, "--folder", folder)
        assert replayed.returncode == 0, replayed.stdout + replayed.stderr
        assert "1 rounds replayed" in replayed.stdout


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_shows_progress_on_a_terminal_only(*, terminal: bool) -> None:
    """On a terminal the game that is played and the number of those done are seen; elsewhere lines stay plain."""
    said = io.StringIO()
    console = Console(file=said, force_terminal=terminal, width=100)
    with demo.progress(console, 34) as step:
        step("war", 1)
        console.print("a line")
    assert ("1/34" in said.getvalue()) is terminal
    assert ("\x1b" in said.getvalue()) is terminal


def test_a_process_of_a_house_that_was_killed_is_ended_by_the_next_start(folder: Path) -> None:
    """The house's own process gets kill -9: the next start ends what it left, takes its ports, stops on a hang-up."""
    line = [sys.executable, "-m", "services.cli.main", "up", "--free-ports", "--folder", str(folder)]
    ready, opened = folder / "dealer.ready", "Ctrl-C stops it"

    def start() -> tuple[subprocess.Popen[str], str]:
        house = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert house.stdout is not None
        said = ""
        for row in house.stdout:
            said += row
            if opened in row:
                return house, said
        raise AssertionError(said)

    killed, _ = start()
    left = psutil.Process(json.loads(ready.read_bytes())["pid"])
    killed.kill()
    killed.communicate()
    assert left.is_running(), "a process of the house outlives it"
    port = json.loads(ready.read_bytes())["port"]
    assert ports.wanted(folder, {"dealer": port}) == {port + ports.METRICS_BEYOND}, "its own port will be freed"
    house, said = start()
    assert "dealer of an earlier start still ran" in said
    assert not left.is_running()
    house.send_signal(signal.SIGHUP)
    house.communicate(timeout=SECONDS)
    assert house.returncode == 0
    assert not ready.exists() or not psutil.pid_exists(json.loads(ready.read_bytes())["pid"])


def test_what_cannot_start_is_said_in_words(tmp_path: Path) -> None:
    """A folder without a house, an unknown process: exit 2 and one sentence, no traceback."""
    done = run("replay", "6f1b2c3d-0000-4000-8000-00000000a001", "--folder", tmp_path)
    assert done.returncode == 2
    assert "did `pitboss up` run?" in done.stderr
    done = run("serve", "kitchen")
    assert done.returncode == 2
    assert "dealer, settlement, audit" in done.stderr
    assert "Traceback" not in done.stderr


def begun(folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a house as a person does."""
    line = [sys.executable, "-m", "services.cli.main", "up", "--free-ports", "--folder", str(folder), *more]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


async def test_servers_of_the_house_that_are_killed_are_started_again(folder: Path) -> None:
    """Postgres and Redis get kill -9: the house says so, starts them again and goes on as before."""
    house = begun(folder)
    assert house.stdout is not None
    rows = iter(house.stdout)
    assert any("Ctrl-C stops it" in row for row in rows)
    found = reach.of_folder(folder)
    async with client.connect(found.dealers[0], found.token("boss", Role.OPERATOR), found.settlement) as operator:
        made = await operator.create_table("war")
        for name, program in (("Postgres", "postgres"), ("Redis", "valkey-server")):
            for process in psutil.Process(house.pid).children():
                if process.name().startswith(program):
                    process.kill()
            assert any(f"{name} has ended by itself or was killed; starting it again" in row for row in rows)
            assert any(f"{name} serves" in row for row in rows)
            table = await waits.answered(lambda: operator.table(made.table_id), waits.is_unavailable, seconds=SECONDS)
            assert table.version == 1
    house.send_signal(signal.SIGTERM)
    house.communicate(timeout=SECONDS)
    assert house.returncode == 0


async def test_processes_of_the_house_that_are_killed_are_started_again(folder: Path) -> None:
    """After kill -9 a dealer, settlement and audit are each reported in a line and serve again at their address."""
    house = begun(folder, "--dealers", "2")
    assert house.stdout is not None
    rows = iter(house.stdout)
    assert any("Ctrl-C stops it" in row for row in rows)
    names = {"audit", "dealer-1", "settlement"}
    for name in names:
        psutil.Process(json.loads((folder / f"{name}.ready").read_bytes())["pid"]).kill()
    told: set[str] = set()
    while told != {f"{name} {what}" for name in names for what in ("has ended", "serves on")}:
        row = next(rows)
        told |= {f"{name} {what}" for name in names for what in ("has ended", "serves on") if f"{name} {what}" in row}
    found = reach.of_folder(folder)
    async with client.connect(found.dealers[0], found.token("boss", Role.OPERATOR), found.settlement) as operator:
        made = await operator.create_table("war")
        assert await operator.deposit("ann", 100) == 100
        assert run("replay", made.table_id, "--folder", folder).returncode == 0
    house.send_signal(signal.SIGTERM)
    house.communicate(timeout=SECONDS)
    assert house.returncode == 0


def test_a_process_that_keeps_ending_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that cannot serve is started a bounded number of times; each start and the giving up are reported."""
    monkeypatch.setattr(local_house, "MOST_MENDED", 2)
    said: list[str] = []
    house = local_house.LocalHouse(tmp_path, progress=said.append)
    kitchen = house.members["kitchen"] = Member("kitchen", ["serve", "kitchen"], tmp_path, {})
    kitchen.launch()
    kitchen.wait_ended()
    assert [house.mend(), house.mend(), house.mend()] == [True, True, False]
    assert said.count("kitchen has ended by itself or was killed; starting it again") == 2
    assert "kitchen ended again, after 2 starts" in said[-1]


def test_servers_that_keep_ending_are_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some starts within the span the house says that it is no use, and ends."""
    monkeypatch.setattr(local_house, "MOST_MENDED", 1)
    said: list[str] = []
    house = local_house.LocalHouse(folder, progress=said.append)
    house.folder.mkdir(parents=True)
    house.redis = EmbeddedRedis(house.folder / "redis")
    with house.redis:
        assert house.mend()
        psutil.Process(house.redis.pid).kill()
        psutil.wait_procs([psutil.Process(house.redis.pid)], timeout=5)
        assert house.mend()
        assert house.redis.running
        psutil.Process(house.redis.pid).kill()
        psutil.wait_procs([psutil.Process(house.redis.pid)], timeout=5)
        assert not house.mend()
        assert "Redis ended again" in said[-1]
