"""Each alert fires for its own fault alone, and none fires in a healthy house (evaluated by promtool)."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
import yaml

from services.runtime import metrics

RULES: Final = Path(__file__).parents[2] / "deploy" / "prometheus" / "rules.yml"
ALERTS: Final = [
    rule["alert"]
    for group in yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
    if "alert" in rule
]
DEALER, AUDIT, SETTLEMENT, WITNESS = (
    f'job="{job}",instance="{job}:9400"' for job in ("dealer", "audit", "settlement", "witness")
)
GATEWAY: Final = 'job="gateway",instance="gateway:9400",envoy_cluster_name="settlement"'
CALL: Final = f'{DEALER},service="DealerService",method="Act"'
SHORT, HOUR, DAY = 20, 75, 25 * 60

Series = dict[str, str]


def well(minutes: int) -> Series:
    """Return the series of a healthy house, a value for each minute."""
    return {
        f"up{{{DEALER}}}": f"1x{minutes}",
        f"pitboss_serving{{{DEALER}}}": f"1x{minutes}",
        f"envoy_cluster_membership_healthy{{{GATEWAY}}}": f"2x{minutes}",
        f"pitboss_redis_away{{{DEALER}}}": f"0x{minutes}",
        f'pitboss_pool_connections{{{DEALER},state="waiting"}}': f"0x{minutes}",
        f"pitboss_service_token_expiry_timestamp_seconds{{{DEALER}}}": f"{30 * 86400}x{minutes}",
        f"pitboss_ledger_imbalance{{{SETTLEMENT}}}": f"0x{minutes}",
        f"pitboss_unsettled_oldest_seconds{{{SETTLEMENT}}}": f"1x{minutes}",
        f"pitboss_stuck_rounds{{{SETTLEMENT}}}": f"0x{minutes}",
        f"pitboss_ledger_checked_timestamp_seconds{{{SETTLEMENT}}}": f"0+60x{minutes}",
        f"pitboss_ledger_passed_timestamp_seconds{{{SETTLEMENT}}}": f"0+60x{minutes}",
        f"pitboss_checkpoint_timestamp_seconds{{{AUDIT}}}": f"0+60x{minutes}",
        f"pitboss_checkpoint_refused{{{AUDIT}}}": f"0x{minutes}",
        f"pitboss_witness_refused{{{WITNESS}}}": f"0x{minutes}",
        f"pitboss_checkpoint_witnessed_timestamp_seconds{{{AUDIT}}}": f"0+60x{minutes}",
        f"pitboss_checkpoint_published_timestamp_seconds{{{AUDIT}}}": f"0+60x{minutes}",
        f"pitboss_past_checked_timestamp_seconds{{{AUDIT}}}": f"0+60x{minutes}",
        f'pitboss_replay_mismatches_total{{{AUDIT},kind="edit"}}': f"0x{minutes}",
        f"pitboss_archive_failing{{{SETTLEMENT}}}": f"0x{minutes}",
        f'pitboss_task_failures_total{{{DEALER},task="deadlines"}}': f"1x{minutes}",
        f'pitboss_requests_total{{{CALL},code="OK"}}': f"0+600x{minutes}",
        f'pitboss_requests_total{{{CALL},code="INTERNAL"}}': f"0+1x{minutes}",
        f'pitboss_rounds_total{{{DEALER},game="loo",end="settled"}}': f"0+10x{minutes}",
        f'pitboss_rounds_total{{{DEALER},game="loo",end="voided"}}': f"0+0.1x{minutes}",
        **times("request_seconds", CALL, "0.005", "0.25", minutes, late=False),
        **times("deadline_lag_seconds", DEALER, "0.05", "1.0", minutes, late=False),
        **times("event_loop_lag_seconds", DEALER, "0.005", "0.05", minutes, late=False),
    }


def times(name: str, labels: str, low: str, high: str, minutes: int, *, late: bool) -> Series:
    """Return a histogram whose values are below ``low``, or between ``low`` and ``high`` where they are late."""
    below = "0+1" if late else "0+100"
    return {
        f'pitboss_{name}_bucket{{{labels},le="{low}"}}': f"{below}x{minutes}",
        f'pitboss_{name}_bucket{{{labels},le="{high}"}}': f"0+100x{minutes}",
        f'pitboss_{name}_bucket{{{labels},le="+Inf"}}': f"0+100x{minutes}",
    }


FIRES: Final[dict[str, tuple[int, Series]]] = {
    "LedgerImbalance": (SHORT, {f"pitboss_ledger_imbalance{{{SETTLEMENT}}}": "0x5 -3x20"}),
    "LedgerUnchecked": (HOUR, {f"pitboss_ledger_checked_timestamp_seconds{{{SETTLEMENT}}}": f"120x{HOUR}"}),
    "LedgerNotPassed": (DAY, {f"pitboss_ledger_passed_timestamp_seconds{{{SETTLEMENT}}}": f"60x{DAY}"}),
    "ReplayMismatch": (SHORT, {f'pitboss_replay_mismatches_total{{{AUDIT},kind="edit"}}': "0x12 1x20"}),
    "CheckpointTooOld": (HOUR, {f"pitboss_checkpoint_timestamp_seconds{{{AUDIT}}}": f"120x{HOUR}"}),
    "CheckpointRefused": (SHORT, {f"pitboss_checkpoint_refused{{{AUDIT}}}": "0x15 2x20"}),
    "WitnessRefused": (SHORT, {f"pitboss_witness_refused{{{WITNESS}}}": "0x15 1x20"}),
    "CheckpointUnwitnessed": (HOUR, {f"pitboss_checkpoint_witnessed_timestamp_seconds{{{AUDIT}}}": f"120x{HOUR}"}),
    "CheckpointUnpublished": (HOUR, {f"pitboss_checkpoint_published_timestamp_seconds{{{AUDIT}}}": f"120x{HOUR}"}),
    "PastUnchecked": (DAY, {f"pitboss_past_checked_timestamp_seconds{{{AUDIT}}}": f"60x{DAY}"}),
    "RoundsUnsettled": (SHORT, {f"pitboss_unsettled_oldest_seconds{{{SETTLEMENT}}}": "0x15 11x20"}),
    "RoundsStuck": (SHORT, {f"pitboss_stuck_rounds{{{SETTLEMENT}}}": "0x10 2x20"}),
    "ManyVoids": (HOUR, {f'pitboss_rounds_total{{{DEALER},game="loo",end="voided"}}': f"0+1x{HOUR}"}),
    "GatewayCutOff": (SHORT, {f"envoy_cluster_membership_healthy{{{GATEWAY}}}": "1x15 0x20"}),
    "ProcessDown": (SHORT, {f"up{{{DEALER}}}": "1x15 0x20"}),
    "NotServing": (SHORT, {f"pitboss_serving{{{DEALER}}}": "1x15 0x20"}),
    "ErrorRate": (SHORT, {f'pitboss_requests_total{{{CALL},code="UNAVAILABLE"}}': "0+15x20"}),
    "SlowCalls": (SHORT, times("request_seconds", CALL, "0.5", "1.0", SHORT, late=True)),
    "DeadlinesLate": (SHORT, times("deadline_lag_seconds", DEALER, "2.0", "5.0", SHORT, late=True)),
    "ArchiveFailing": (SHORT, {f"pitboss_archive_failing{{{SETTLEMENT}}}": "0x10 1x20"}),
    "ClockOff": (SHORT, {f"pitboss_clock_offset_seconds{{{DEALER}}}": "0x15 -30x20"}),
    "RedisAway": (SHORT, {f"pitboss_redis_away{{{DEALER}}}": "0x15 1x20"}),
    "TasksFailing": (SHORT, {f'pitboss_task_failures_total{{{DEALER},task="deadlines"}}': "0+1x20"}),
    "EventLoopSlow": (SHORT, times("event_loop_lag_seconds", DEALER, "0.1", "0.25", SHORT, late=True)),
    "ServiceTokenEnds": (
        SHORT,
        {f"pitboss_service_token_expiry_timestamp_seconds{{{DEALER}}}": f"{30 * 86400}x5 {6 * 86400}x20"},
    ),
    "PoolExhausted": (SHORT, {f'pitboss_pool_connections{{{DEALER},state="waiting"}}': "0x15 4x20"}),
}


def test_every_alert_has_its_case_of_metrics_that_exist() -> None:
    """The cases below are those of all alerts, and made of metrics and labels of the registry."""
    assert set(FIRES) == set(ALERTS)
    for minutes, series in FIRES.values():
        for name in {**well(minutes), **series}:
            metric, _, labels = name.rstrip("}").partition("{")
            base = re.sub(r"_(bucket|sum|count)$", "", metric) if metric not in metrics.LABELS else metric
            given = set(re.findall(r'(\w+)="', labels)) - {"job", "instance", "le"}
            assert metric == "up" or metric.startswith("envoy_") or given == set(metrics.LABELS[base]), name


def firing(folder: Path, minutes: int, series: Series, expected: str | None) -> str:
    """Evaluate the rules with promtool; return its output, empty where only the expected alert fires at the end."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (Debian: the package prometheus)")
    samples = [] if expected is None else [{"labels": f'{{alertname="{expected}"}}', "value": 1}]
    case = {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": 'max by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{minutes}m",
                "exp_samples": samples,
            }
        ],
    }
    shutil.copy(RULES, folder / "rules.yml")
    file = folder / "case.yml"
    file.write_text(json.dumps({"rule_files": ["rules.yml"], "evaluation_interval": "1m", "tests": [case]}))
    done = subprocess.run(
        [promtool, "test", "rules", file.name], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("alert", list(FIRES))
def test_an_alert_fires_alone(alert: str, tmp_path: Path) -> None:
    """With one fault in an otherwise healthy house exactly its alert fires."""
    minutes, series = FIRES[alert]
    # A histogram that is late takes the place of the one that is well.
    base = {
        name: values
        for name, values in well(minutes).items()
        if not any(name.split("{")[0] == other.split("{")[0] and "_bucket" in name for other in series)
    }
    assert firing(tmp_path, minutes, base | series, alert) == ""


@pytest.mark.parametrize("minutes", [SHORT, HOUR])
def test_no_alert_fires_in_a_house_that_is_well(minutes: int, tmp_path: Path) -> None:
    """Some errors, some voids and a task that failed once fire no alert."""
    assert firing(tmp_path, minutes, well(minutes), None) == ""


def test_a_checkpoint_that_never_was_is_too_old(tmp_path: Path) -> None:
    """The alert fires if the gauge was never set, and if no process serves it."""
    name = f"pitboss_checkpoint_timestamp_seconds{{{AUDIT}}}"
    assert firing(tmp_path, HOUR, well(HOUR) | {name: f"0x{HOUR}"}, "CheckpointTooOld") == ""
    without = {key: values for key, values in well(HOUR).items() if key != name}
    assert firing(tmp_path, HOUR, without, "CheckpointTooOld") == ""
