"""Prometheus' rules and Grafana's dashboards query only metrics and labels that the processes have."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.runtime import metrics
from tests.support import scripts

ROOT = Path(__file__).parents[2]
PROMETHEUS, GRAFANA = ROOT / "deploy" / "prometheus", ROOT / "deploy" / "grafana"
RULES = [
    rule
    for group in yaml.safe_load((PROMETHEUS / "rules.yml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
ALERTS = [rule for rule in RULES if "alert" in rule]
SCRAPED = {"job", "instance", "family", "le"}


def dashboards() -> list[dict[str, Any]]:
    """Read all dashboards."""
    return [json.loads(path.read_text()) for path in sorted((GRAFANA / "dashboards").glob("*.json"))]


def queries() -> list[str]:
    """Return every query of rules and dashboards."""
    panels = [panel for board in dashboards() for panel in board["panels"]]
    return [rule["expr"] for rule in RULES] + [target["expr"] for panel in panels for target in panel["targets"]]


def base(name: str) -> str:
    """Return the metric that a sample belongs to."""
    return re.sub(r"_(bucket|sum|count)$", "", name) if name not in metrics.LABELS else name


@pytest.mark.parametrize("query", queries())
def test_a_query_asks_for_metrics_and_labels_that_exist(query: str) -> None:
    """Each metric is in the registry, and each label that is matched or summed by belongs to a metric of the query."""
    recorded = {rule["record"] for rule in RULES if "record" in rule}
    names = {base(name) for name in re.findall(r"\bpitboss_[a-z0-9_]+", query)}
    assert names <= set(metrics.LABELS), f"unknown: {names - set(metrics.LABELS)}"
    if not names:
        assert any(name in query for name in recorded) or any(word in query for word in ("up{", "process_", "envoy_"))
        return
    labels = SCRAPED.union(*(metrics.LABELS[name] for name in names))
    used = set(re.findall(r"([a-z_]+)\s*=~?\s*\"", query))
    used |= {
        label.strip() for found in re.findall(r"by \(([^)]*)\)", query) for label in found.split(",") if label.strip()
    }
    assert used <= labels, f"unknown labels: {used - labels}"


def test_every_alert_has_a_severity_a_summary_and_its_line_in_the_operations_page() -> None:
    """The operations page lists exactly the alerts of the rules."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    written = dict(re.findall(r"^\| `([A-Z][A-Za-z]+)` \| (page|ticket) \|", page, re.MULTILINE))
    assert written == {alert["alert"]: alert["labels"]["severity"] for alert in ALERTS}
    assert all(alert["annotations"]["summary"] for alert in ALERTS)


@pytest.mark.parametrize(
    "metric",
    [
        "ledger_imbalance",
        "replay_mismatches_total",
        "unsettled_oldest_seconds",
        "deadline_lag_seconds",
        "checkpoint_timestamp_seconds",
        "requests_total",
    ],
)
def test_what_must_wake_someone_does(metric: str) -> None:
    """Imbalance, mismatch, settlement lag, error rate, late deadlines, an old checkpoint: each has a page."""
    records = {rule["record"]: rule["expr"] for rule in RULES if "record" in rule}
    pages = [alert["expr"] for alert in ALERTS if alert["labels"]["severity"] == "page"]
    pages = [records.get(expr.split(" ")[0], expr) for expr in pages]
    assert any(f"pitboss_{metric}" in expr for expr in pages)


def test_prometheus_scrapes_every_process_of_the_house() -> None:
    """Each process of the compose file is a target, on the port of its metrics."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    config = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text())
    targets = {
        target for job in config["scrape_configs"] for static in job["static_configs"] for target in static["targets"]
    }
    processes = {name for name, service in services.items() if service.get("command", [""])[0] == "serve"}
    assert targets == {f"{name}:9400" for name in processes} | {"localhost:9090"}
    assert config["rule_files"] == ["rules.yml"]


def test_the_dashboards_are_what_their_script_writes() -> None:
    """The JSON files are current, have fixed and different uids, and use the provisioned source."""
    texts: dict[str, str] = scripts.load(GRAFANA / "dashboards.py").texts()
    assert {path.name: path.read_text() for path in (GRAFANA / "dashboards").glob("*.json")} == texts
    assert len({board["uid"] for board in dashboards()}) == len(texts) == 5
    source = yaml.safe_load((GRAFANA / "provisioning" / "datasources" / "prometheus.yml").read_text())["datasources"][0]
    used = {
        target["datasource"]["uid"]
        for board in dashboards()
        for panel in board["panels"]
        for target in panel["targets"]
    }
    assert used == {source["uid"]}


def test_every_metric_is_on_a_dashboard_or_in_a_rule() -> None:
    """Every metric is used by a rule or a dashboard, except the version, which is not a series of values."""
    asked = {base(name) for query in queries() for name in re.findall(r"\bpitboss_[a-z0-9_]+", query)}
    assert set(metrics.LABELS) == asked


def test_promtool_takes_config_and_rules() -> None:
    """If promtool is installed, it accepts both files."""
    if (promtool := shutil.which("promtool")) is None:
        pytest.skip("promtool is not installed")
    for command in (["check", "rules", "rules.yml"], ["check", "config", "--syntax-only", "prometheus.yml"]):
        done = subprocess.run(
            [promtool, *command], cwd=PROMETHEUS, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
