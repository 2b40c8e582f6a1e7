"""Every metric of the house, in one registry per process. No label holds the id of a player, a table or a round.

Names follow Prometheus: base units, ``_total`` for counters, ``_seconds`` for times. ``docs/operations.md`` lists
them with their alerts.
"""

import importlib.metadata
from collections.abc import Iterable
from typing import Final

import prometheus_client as prometheus
from prometheus_client import Counter, Gauge, Histogram, Info, Metric

REGISTRY: Final = prometheus.CollectorRegistry(auto_describe=True)
prometheus.ProcessCollector(registry=REGISTRY)
prometheus.PlatformCollector(registry=REGISTRY)
prometheus.GCCollector(registry=REGISTRY)

FAST: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Bounds in seconds for work that a player waits for."""
SLOW: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0)
"""Bounds in seconds for background work."""


LABELS: Final[dict[str, tuple[str, ...]]] = {}
"""The labels of each metric, by its name as scraped."""


def _named(name: str, labels: tuple[str, ...]) -> str:
    LABELS[f"pitboss_{name}"] = labels
    return f"pitboss_{name}"


def _counter(name: str, meaning: str, *labels: str) -> Counter:
    return Counter(_named(name, labels), meaning, labels, registry=REGISTRY)


def _gauge(name: str, meaning: str, *labels: str) -> Gauge:
    return Gauge(_named(name, labels), meaning, labels, registry=REGISTRY)


class KnownGauge(Gauge):
    """A gauge without labels that is exported once it was set: a process that does not know a value exports none."""

    _is_known = False

    def set(self, value: float) -> None:
        """Set the value."""
        super().set(value)
        self._is_known = True

    def collect(self) -> Iterable[Metric]:
        """Return the metric, without a sample before the first value."""
        for metric in super().collect():
            if not self._is_known:
                metric.samples.clear()
            yield metric


def _known_gauge(name: str, meaning: str) -> KnownGauge:
    return KnownGauge(_named(name, ()), meaning, registry=REGISTRY)


def _histogram(name: str, meaning: str, bounds: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(_named(name, labels), meaning, labels, buckets=bounds, registry=REGISTRY)


# -- calls
REQUESTS = _counter("requests_total", "Calls answered, by method and gRPC code.", "service", "method", "code")
REQUEST_SECONDS = _histogram("request_seconds", "Time from a call's arrival to its answer.", FAST, "service", "method")
REFUSALS = _counter("refusals_total", "Calls refused, by reason of the closed list.", "reason")
HASTE = _counter("haste_refusals_total", "Calls refused because their caller is too fast, by kind of method.", "kind")
OPEN_CALLS = _gauge("open_calls", "Calls being answered, streams not counted.")
OPEN_STREAMS = _gauge("open_streams", "Streams that are open, by method.", "service", "method")

# -- the log
APPENDS = _counter("appends_total", "Appends by outcome (appended, already_appended, version_conflict, …).", "outcome")
APPEND_SECONDS = _histogram("append_seconds", "Time of one append, waiting for its batch included.", FAST)
APPEND_BATCH = _histogram("append_batch", "Appends that shared one commit.", (1, 2, 4, 8, 16, 32, 64, 128))

# -- rounds and tables
ROUNDS_STARTED = _counter("rounds_started_total", "Rounds started, by game.", "game")
ROUNDS = _counter("rounds_total", "Rounds that ended, by game and end (settled, voided).", "game", "end")
TABLE_LOADS = _counter("table_loads_total", "Look-ups of a live table (hit, stale, denied, missing, away).", "result")
TABLE_REBUILDS = _counter("table_rebuilds_total", "Tables rebuilt from the log.")
TABLE_REBUILD_SECONDS = _histogram("table_rebuild_seconds", "Time to rebuild a table from the log.", FAST)
FEEDS = _gauge("feeds", "Tables that somebody watches at this dealer.")
FEED_READS = _counter("feed_reads_total", "Reads of the log for watchers (opened, poll, notified, level, lost).", "why")
LOBBY_READS = _counter("lobby_reads_total", "Reads of tables for watched lobbies (notified, sweep).", "why")
PLAY_COMMANDS = _counter(
    "play_commands_total", "Commands over streams of play, by outcome (answered, refused).", "outcome"
)
PLAY_SECONDS = _histogram("play_command_seconds", "Time from a command's turn at its table to its answer.", FAST)
PLAY_ANSWERS = _histogram("play_answers", "Answers and refusals in one message.", (0, 1, 2, 4, 8, 16, 32, 64))
PLAY_FOLLOWED = _gauge("play_followed_tables", "Tables that are followed over streams of play, once for each stream.")
FEED_VIEWS = _counter("feed_views_total", "Views rendered for watchers, each shared by all who see the same.")
DEADLINE_LAG = _histogram("deadline_lag_seconds", "From a deadline's moment to its event in the log.", SLOW)
DEADLINES = _counter("deadlines_total", "Deadlines served (fired, moot, failed, forgotten).", "result")
DEADLINES_FAILING = _gauge("deadlines_failing", "Tables whose deadlines could not be served and are tried again later.")
REDIS_AWAY = _gauge("redis_away", "1 while Redis cannot be reached: play goes on, slower.")
REDIS_FAILURES = _counter("redis_failures_total", "Redis calls that failed or took too long.")

# -- money
SETTLEMENT_LAG = _histogram("settlement_lag_seconds", "From a round's end to its ledger entry.", SLOW)
UNSETTLED = _gauge("unsettled_rounds", "Rounds that have ended and are not settled.")
UNSETTLED_AGE = _gauge("unsettled_oldest_seconds", "Age of the oldest of them; 0: none.")
STUCK = _gauge("stuck_rounds", "Rounds that have ended and whose settlement keeps failing.")
POSTINGS = _counter("postings_total", "Ledger entries by kind and outcome.", "kind", "outcome")
LEDGER_IMBALANCE = _known_gauge("ledger_imbalance", "Chips by which the ledger is off; anything but 0 wakes someone.")
LEDGER_CHECKED = _known_gauge("ledger_checked_timestamp_seconds", "When all balances were last added up, in Unix time.")
LEDGER_PASSED = _known_gauge(
    "ledger_passed_timestamp_seconds", "When the last pass over the whole ledger ended, in Unix time."
)
ARCHIVE_FAILING = _known_gauge("archive_failing", "1 while the database's archive refuses its changes; none: off.")
SIGNIFICANT = _counter("significant_events_total", "Significant events [R39] by kind.", "kind")

# -- the audit
REPLAYED = _counter("replayed_events_total", "Events replayed by the auditor.")
REPLAY_MISMATCHES = _counter("replay_mismatches_total", "Mismatches found, by kind (edit, gap, duplicate, …).", "kind")
CHECKPOINT = _gauge("checkpoint_timestamp_seconds", "When the last checkpoint was signed, in Unix time.")
CHECKPOINT_REFUSED = _gauge("checkpoint_refused", "Findings because of which no checkpoint is signed; 0: all is well.")
WITNESS_REFUSED = _known_gauge("witness_refused", "1 while the house shows a witness what does not extend what it saw.")
WITNESSED = _known_gauge("checkpoint_witnessed_timestamp_seconds", "When one was last co-signed, in Unix time.")
HOUSE_PLAYERS_SEATED = _gauge("house_players_seated", "Seats that this process plays for the house.")
HOUSE_PLAYER_TABLES = _gauge("house_player_tables", "Tables at which these seats are.")
HOUSE_PLAYER_ACTIONS = _counter("house_player_actions_total", "Actions of house players.", "family")
HOUSE_PLAYER_REFUSALS = _counter(
    "house_player_refusals_total", "Commands of house players that were refused.", "reason"
)
PAGES = _counter("web_requests_total", "Requests of browsers for the page: page, file, or missing.", "what")
CONSOLE_REQUESTS = _counter("console_requests_total", "Requests of staff for the console, by page.", "page")
STAFF_LINKS = _counter("console_links_total", "One-time links of staff that were tried.", "outcome")
GUEST_LINKS = _counter("web_guest_links_total", "One-time links of guests that were tried.", "outcome")
PUBLISHED = _known_gauge("checkpoint_published_timestamp_seconds", "Moment of the last published one, in Unix time.")
PAST_CHECKED = _gauge("past_checked_timestamp_seconds", "When the whole past was last read again, in Unix time.")

# -- the process
LOOP_LAG = _histogram("event_loop_lag_seconds", "By how much the event loop woke late.", FAST)
TASK_FAILURES = _counter("task_failures_total", "Background tasks that failed and were started again.", "task")
SERVING = _gauge("serving", "1 while the process takes calls, 0 while it starts, drains or has lost its database.")
POOL = _gauge("pool_connections", "Database connections by state (open, idle), and calls waiting for one.", "state")
SERVICE_TOKEN_EXPIRY = _known_gauge(
    "service_token_expiry_timestamp_seconds", "When the given service token ends, in Unix time; none: made here."
)
POOL_REFUSALS = _counter("pool_refusals_total", "Calls that got no database connection in time: the pool was full.")
CLOCK_OFFSET = _known_gauge("clock_offset_seconds", "By how much this machine's clock is ahead of the database's.")
BUILD = Info("pitboss_build", "Version of the product.", registry=REGISTRY)


def describe(process: str) -> None:
    """Record the product's version and the kind of process."""
    BUILD.info({"version": _version(), "process": process})


def _version() -> str:
    """Return the version of the installed house; ``source`` where it runs from a tree that is not installed."""
    try:
        return importlib.metadata.version("pitboss-house")
    except importlib.metadata.PackageNotFoundError:
        return "source"


def text() -> bytes:
    """Write all metrics in Prometheus' text form."""
    return prometheus.generate_latest(REGISTRY)
