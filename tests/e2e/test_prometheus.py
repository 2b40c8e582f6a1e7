"""A real Prometheus that scrapes a real house: every query of the dashboards runs, an alert fires on real metrics."""

import asyncio
import json
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pitboss.v1 import audit_pb2 as pb

from services.localhouse import embedded, local_house
from tests.support import people, play, waits
from tests.support.tampering import CHANGE, Owner

DEPLOY = Path(__file__).parents[2] / "deploy"
PATIENCE = 60.0
RARE = (
    "failures_total",
    "significant_events",
    'end="voided"',
    "deadlines_total",
    "deadline_lag",
    "INTERNAL|",
    "envoy_",
    "web_",
)
"""Metrics without a series in a healthy house; those of gateway and page have tests of their own."""


class Prometheus:
    """A running Prometheus."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"

    def ask(self, path: str, **parameters: str) -> Any:
        """Call its API; raise for an error."""
        with urllib.request.urlopen(f"{self._base}{path}?{urllib.parse.urlencode(parameters)}", timeout=60) as answer:
            told = json.loads(answer.read())
        assert told["status"] == "success", told
        return told["data"]

    def query(self, text: str) -> list[dict[str, Any]]:
        """Run a query now."""
        found: list[dict[str, Any]] = self.ask("/api/v1/query", query=text)["result"]
        return found

    async def until(self, query: str, what: str) -> list[dict[str, Any]]:
        """Wait until a query has a result."""
        return await waits.eventually(lambda: asyncio.to_thread(self.query, query), what, seconds=PATIENCE, pause=0.5)


@pytest.fixture
def prometheus(house: local_house.LocalHouse, tmp_path: Path) -> Iterator[Prometheus]:
    """Run Prometheus with our rules on every process of the house, every two seconds."""
    program = shutil.which("prometheus")
    if program is None:
        pytest.skip("prometheus is not installed (Debian: the package prometheus)")
    jobs: dict[str, list[str]] = {}
    for name, member in house.members.items():
        jobs.setdefault(name.partition("-")[0], []).append(member.metrics_url.split("/")[2])
    config = {
        "global": {"scrape_interval": "2s", "scrape_timeout": "2s", "evaluation_interval": "1s"},
        "rule_files": [str(DEPLOY / "prometheus" / "rules.yml")],
        "scrape_configs": [
            {"job_name": job, "static_configs": [{"targets": targets, "labels": {"family": "all"}}]}
            for job, targets in jobs.items()
        ],
    }
    file, port = tmp_path / "prometheus.yml", embedded.free_port()
    file.write_text(yaml.safe_dump(config))
    with (tmp_path / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(
            [
                program,
                f"--config.file={file}",
                f"--storage.tsdb.path={tmp_path / 'data'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=log,
            stderr=log,
        )
        try:
            waits.eventually_blocking(
                lambda: process.poll() is not None or _ready(port), "Prometheus answers", seconds=PATIENCE
            )
            assert process.poll() is None, (tmp_path / "prometheus.log").read_text()[-2000:]
            yield Prometheus(port)
        finally:
            process.terminate()
            process.wait(20)


def _ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=2):
            return True
    except OSError:
        return False


def queries() -> list[str]:
    """Return the queries of all dashboards, their variables filled in."""
    boards = [json.loads(path.read_text()) for path in sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))]
    found = [target["expr"] for board in boards for panel in board["panels"] for target in panel["targets"]]
    return [text.replace("$__rate_interval", "30s").replace("$__interval", "30s") for text in found]


async def test_dashboards_show_and_alerts_fire_on_a_real_house(
    prometheus: Prometheus, crowd: people.Crowd, house: local_house.LocalHouse
) -> None:
    """After some play all queries have data; a healthy house raises no alert; an edit raises ReplayMismatch."""
    stub, metadata = crowd.auditor()
    await prometheus.until(f"count(up == 1) == {len(house.members)}", "all processes are scraped")
    for game in ("texas_holdem", "baccarat"):
        table_id, players = await play.opened(crowd, game)
        await play.rounds(table_id, players)
    await stub.ReplayTable(pb.ReplayTableRequest(table_id=table_id), metadata=metadata)
    until = time.monotonic() + PATIENCE
    asked = [text for text in queries() if not any(name in text for name in RARE)]
    while empty := [text for text in asked if not prometheus.query(text)]:
        assert time.monotonic() < until, "no data for " + "; ".join(empty)
        table_id, players = await play.opened(crowd, "baccarat")
        await play.rounds(table_id, players)
        await people.refused("TABLE_NOT_FOUND", players[0].house.table(str(uuid.uuid4())))
    assert prometheus.query("min(pitboss_checkpoint_timestamp_seconds > 0) > time() - 300")
    assert not prometheus.query('ALERTS{alertstate="firing",severity="page"}')
    with Owner(house.environment["PITBOSS_DATABASE_URL"], table_id) as owner:
        owner.run(CHANGE.format("data = data || ' '"), 3)
        told = await stub.VerifyStream(pb.VerifyStreamRequest(table_id=table_id), metadata=metadata)
        assert [one.kind for one in told.mismatches] == ["edit"]
    [raised] = await prometheus.until('ALERTS{alertname="ReplayMismatch",alertstate="firing"}', "an edit wakes someone")
    assert (raised["metric"]["kind"], raised["metric"]["severity"]) == ("edit", "page")
