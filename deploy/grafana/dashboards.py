"""The dashboards, written as JSON that Grafana provisions: ``python deploy/grafana/dashboards.py`` after a change."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "dashboards"
SOURCE = {"type": "prometheus", "uid": "pitboss-prometheus"}
WIDTH, HEIGHT = 12, 8
"""Of a panel; a row of Grafana's grid is 24 wide."""


class Panel(NamedTuple):
    """One panel: its queries by legend, the unit of its axis, and how it is drawn."""

    title: str
    queries: dict[str, str]
    unit: str = "short"
    kind: str = "timeseries"


def p(quantile: float, metric: str, *by: str) -> str:
    """Write the query of a quantile of a histogram."""
    labels = ", ".join([*by, "le"])
    return f"histogram_quantile({quantile}, sum by ({labels}) (rate({metric}_bucket[$__rate_interval])))"


def per_second(metric: str, *by: str, where: str = "") -> str:
    """Write the query of a counter's rate."""
    return f"sum by ({', '.join(by)}) (rate({metric}{where}[$__rate_interval]))"


HTTP, CLUSTER, CLASS = "envoy_http_downstream", "envoy_cluster_upstream", "envoy_response_code_class"
CALLS = '{envoy_http_conn_manager_prefix="calls"}'
"""Envoy's series of the listener that callers use; others belong to metrics and its own interface."""
FAULTS = '{code=~"INTERNAL|UNAVAILABLE|UNKNOWN|DEADLINE_EXCEEDED"}'

DASHBOARDS: dict[str, tuple[str, list[Panel]]] = {
    "traffic": (
        "Traffic",
        [
            Panel("Calls by method", {"{{method}}": per_second("pitboss_requests_total", "method")}, "reqps"),
            Panel(
                "Faults of ours",
                {"{{job}} {{code}}": per_second("pitboss_requests_total", "job", "code", where=FAULTS)},
                "reqps",
            ),
            Panel("Time of a call, p99", {"{{method}}": p(0.99, "pitboss_request_seconds", "method")}, "s"),
            Panel("Time of a call, median", {"{{method}}": p(0.5, "pitboss_request_seconds", "method")}, "s"),
            Panel("Calls refused for haste", {"{{kind}}": per_second("pitboss_haste_refusals_total", "kind")}, "reqps"),
            Panel("Refusals by reason", {"{{reason}}": per_second("pitboss_refusals_total", "reason")}, "reqps"),
            Panel(
                "Open streams and calls",
                {"streams {{method}}": "sum by (method) (pitboss_open_streams)", "calls": "sum(pitboss_open_calls)"},
            ),
            Panel("Event loop lag, p99", {"{{instance}}": p(0.99, "pitboss_event_loop_lag_seconds", "instance")}, "s"),
            Panel("Memory", {"{{instance}}": 'process_resident_memory_bytes{job=~"dealer|settlement|audit"}'}, "bytes"),
            Panel("Serving", {"{{instance}}": "pitboss_serving"}, kind="stat"),
            Panel("Loops started again", {"{{task}}": per_second("pitboss_task_failures_total", "task")}),
        ],
    ),
    "tables": (
        "Tables",
        [
            Panel("Rounds ended by game", {"{{game}}": per_second("pitboss_rounds_total", "game")}),
            Panel(
                "Rounds voided by game",
                {"{{game}}": per_second("pitboss_rounds_total", "game", where='{end="voided"}')},
            ),
            Panel("Rounds started", {"{{game}}": per_second("pitboss_rounds_started_total", "game")}),
            Panel("Live tables looked up", {"{{result}}": per_second("pitboss_table_loads_total", "result")}),
            Panel(
                "Tables rebuilt",
                {
                    "rebuilds": "sum(rate(pitboss_table_rebuilds_total[$__rate_interval]))",
                    "p99 of the time (s)": p(0.99, "pitboss_table_rebuild_seconds"),
                },
            ),
            Panel("Deadlines late, p99", {"lag": p(0.99, "pitboss_deadline_lag_seconds")}, "s"),
            Panel("Deadlines served", {"{{result}}": per_second("pitboss_deadlines_total", "result")}),
            Panel("Tables whose deadlines fail", {"{{instance}}": "pitboss_deadlines_failing"}),
            Panel("Tables watched", {"{{instance}}": "pitboss_feeds"}),
            Panel("Reads of the log for watchers", {"{{why}}": per_second("pitboss_feed_reads_total", "why")}),
            Panel("Views rendered for watchers", {"{{job}}": per_second("pitboss_feed_views_total", "job")}),
            Panel(
                "Streams of play",
                {
                    "{{outcome}}": per_second("pitboss_play_commands_total", "outcome"),
                    "p99 of the time (s)": p(0.99, "pitboss_play_command_seconds"),
                    "answers in a message": "sum(rate(pitboss_play_answers_sum[$__rate_interval]))"
                    " / sum(rate(pitboss_play_answers_count[$__rate_interval]))",
                    "tables followed": "sum(pitboss_play_followed_tables)",
                },
            ),
            Panel("Reads of the log for the lobby", {"{{why}}": per_second("pitboss_lobby_reads_total", "why")}),
            Panel(
                "House players",
                {"seated": "sum(pitboss_house_players_seated)", "tables": "sum(pitboss_house_player_tables)"},
            ),
            Panel(
                "What house players do",
                {
                    "acts {{family}}": per_second("pitboss_house_player_actions_total", "family"),
                    "refused {{reason}}": per_second("pitboss_house_player_refusals_total", "reason"),
                },
            ),
            Panel(
                "What browsers ask the page's process for",
                {
                    "{{what}}": per_second("pitboss_web_requests_total", "what"),
                    "guests {{outcome}}": per_second("pitboss_web_guest_links_total", "outcome"),
                },
            ),
            Panel(
                "What staff asks the console for",
                {
                    "{{page}}": per_second("pitboss_console_requests_total", "page"),
                    "links {{outcome}}": per_second("pitboss_console_links_total", "outcome"),
                },
            ),
            Panel("Redis away", {"{{instance}}": "pitboss_redis_away"}, kind="stat"),
            Panel("Redis calls failed", {"{{job}}": per_second("pitboss_redis_failures_total", "job")}),
        ],
    ),
    "money": (
        "Money",
        [
            Panel("Ledger imbalance (must be 0)", {"chips": "max(abs(pitboss_ledger_imbalance))"}, kind="stat"),
            Panel(
                "Ledger last re-derived",
                {"age": "time() - max(pitboss_ledger_checked_timestamp_seconds > 0)"},
                "s",
                "stat",
            ),
            Panel("Rounds unsettled", {"rounds": "max(pitboss_unsettled_rounds)"}),
            Panel("Oldest unsettled round", {"age": "max(pitboss_unsettled_oldest_seconds)"}, "s"),
            Panel(
                "From a round's end to its money",
                {"p50": p(0.5, "pitboss_settlement_lag_seconds"), "p99": p(0.99, "pitboss_settlement_lag_seconds")},
                "s",
            ),
            Panel("Ledger entries", {"{{kind}} {{outcome}}": per_second("pitboss_postings_total", "kind", "outcome")}),
            Panel("Significant events", {"{{kind}}": per_second("pitboss_significant_events_total", "kind")}),
        ],
    ),
    "gateway": (
        "Gateway",
        [
            Panel(
                "Calls", {"{{envoy_response_code_class}}xx": per_second(f"{HTTP}_rq_xx", CLASS, where=CALLS)}, "reqps"
            ),
            Panel(
                "Calls by process",
                {"{{envoy_cluster_name}}": per_second(f"{CLUSTER}_rq_total", "envoy_cluster_name")},
                "reqps",
            ),
            Panel(
                "Time in the house, p99",
                {"{{envoy_cluster_name}}": p(0.99, f"{CLUSTER}_rq_time", "envoy_cluster_name")},
                "ms",
            ),
            Panel(
                "Open connections and calls",
                {"connections": f"sum({HTTP}_cx_active{CALLS})", "calls": f"sum({HTTP}_rq_active{CALLS})"},
            ),
            Panel(
                "Calls refused for their rate",
                {"{{instance}}": per_second("envoy_http_local_rate_limit_rate_limited", "instance")},
                "reqps",
            ),
            Panel(
                "Bytes from and to callers",
                {
                    "from": f"sum(rate({HTTP}_cx_rx_bytes_total{CALLS}[$__rate_interval]))",
                    "to": f"sum(rate({HTTP}_cx_tx_bytes_total{CALLS}[$__rate_interval]))",
                },
                "Bps",
            ),
            Panel(
                "Healthy processes",
                {"{{envoy_cluster_name}}": "sum by (envoy_cluster_name) (envoy_cluster_membership_healthy)"},
                kind="stat",
            ),
            Panel("Memory", {"{{instance}}": "envoy_server_memory_physical_size"}, "bytes"),
        ],
    ),
    "log": (
        "Log and audit",
        [
            Panel("Appends by outcome", {"{{outcome}}": per_second("pitboss_appends_total", "outcome")}),
            Panel(
                "Time of an append",
                {"p50": p(0.5, "pitboss_append_seconds"), "p99": p(0.99, "pitboss_append_seconds")},
                "s",
            ),
            Panel(
                "Appends that share a commit, mean",
                {
                    "appends": "sum(rate(pitboss_append_batch_sum[$__rate_interval]))"
                    " / sum(rate(pitboss_append_batch_count[$__rate_interval]))"
                },
            ),
            Panel(
                "Database connections",
                {
                    "{{instance}} {{state}}": "pitboss_pool_connections",
                    "{{instance}} calls refused per second": per_second("pitboss_pool_refusals_total", "instance"),
                },
            ),
            Panel("Events replayed", {"events": "sum(rate(pitboss_replayed_events_total[$__rate_interval]))"}),
            Panel(
                "Replay mismatches (must be 0)",
                {"{{kind}}": "sum by (kind) (pitboss_replay_mismatches_total)"},
                kind="stat",
            ),
            Panel(
                "Age of the last checkpoint",
                {"age": "time() - max(pitboss_checkpoint_timestamp_seconds > 0)"},
                "s",
                "stat",
            ),
        ],
    ),
}


def dashboard(name: str, title: str, panels: list[Panel]) -> dict[str, Any]:
    """Return the JSON of one dashboard; its uid is fixed, so that links to it last."""
    return {
        "uid": f"pitboss-{name}",
        "title": f"Pitboss: {title}",
        "tags": ["pitboss"],
        "timezone": "browser",
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "schemaVersion": 39,
        "editable": False,
        "panels": [_panel(number, panel) for number, panel in enumerate(panels)],
    }


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    return {
        "id": number + 1,
        "title": panel.title,
        "type": panel.kind,
        "datasource": SOURCE,
        "gridPos": {"w": WIDTH, "h": HEIGHT, "x": number % 2 * WIDTH, "y": number // 2 * HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for at, (legend, query) in enumerate(panel.queries.items())
        ],
    }


def texts() -> dict[str, str]:
    """Return every dashboard's file name and text."""
    return {
        f"{name}.json": json.dumps(dashboard(name, title, panels), indent=1) + "\n"
        for name, (title, panels) in DASHBOARDS.items()
    }


def main() -> int:
    """Write all dashboards."""
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
