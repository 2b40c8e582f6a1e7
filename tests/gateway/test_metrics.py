"""The gateway's dashboard and alerts ask for series that a real Envoy has."""

import json
import re
import urllib.request
from pathlib import Path

from services.localhouse.local_house import LocalHouse
from tests.support import people, waits, web

DEPLOY = Path(__file__).parents[2] / "deploy"
RARE = {"envoy_http_local_rate_limit_rate_limited"}
"""Series that a house within its bounds does not have."""


def scraped(url: str, awaited: str) -> str:
    """Return the series of a gateway once one of them is there, else nothing."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        text = str(answer.read().decode())
    return text if awaited in text else ""


async def test_every_series_of_the_gateway_that_is_asked_for_exists(house: LocalHouse, crowd: people.Crowd) -> None:
    """Each metric, with its labels, that dashboards and rules name is scraped from a gateway that has had a call."""
    ann = await crowd.player("ann", 10)
    gateway = house.members["gateway"]
    assert web.call_json(gateway.address, "/pitboss.v1.WalletService/GetBalance", {}, ann.token).status == 200
    boards = [json.loads(path.read_text()) for path in (DEPLOY / "grafana" / "dashboards").glob("*.json")]
    queries = [target["expr"] for board in boards for panel in board["panels"] for target in panel["targets"]]
    asked = " ".join([*queries, (DEPLOY / "prometheus" / "rules.yml").read_text()])
    names = set(re.findall(r"\benvoy_(?:http|cluster|server)_[a-z0-9_]+", asked)) - {"envoy_cluster_name"} - RARE
    names.discard("envoy_http_conn_manager_prefix")
    assert len(names) > 6
    # Envoy adds up its histograms every five seconds.
    shown = await waits.eventually(
        lambda: scraped(gateway.metrics_url, "envoy_cluster_upstream_rq_time_bucket{"), "time"
    )
    assert [name for name in sorted(names) if not re.search(rf"^{name}[{{ ]", shown, re.MULTILINE)] == []
    for label in ('envoy_http_conn_manager_prefix="calls"', "envoy_cluster_name=", "envoy_response_code_class="):
        assert label in shown
