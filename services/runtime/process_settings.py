"""Settings of a process: its stores, what it serves and whom it calls, TLS and logs."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class StoreSettings(BaseSettings):
    """Postgres and Redis, and how long a process waits for them."""

    database_url: SecretStr = Field(
        SecretStr(""), description="Postgres, as postgresql://user:password@host:5432/name."
    )
    redis_url: SecretStr = Field(
        SecretStr(""),
        description="Redis or Valkey, as redis://:password@host:6379/0; a cluster by some of its nodes, as "
        "redis+cluster://:password@host-1:6379,host-2:6379; with TLS rediss:// and rediss+cluster://.",
    )
    pool_min: int = Field(2, ge=0, le=100, description="Database connections that a process keeps open.")
    pool_max: int = Field(8, ge=1, le=200, description="Database connections that a process opens at most.")
    pool_timeout_seconds: float = Field(
        2.0, gt=0, le=60, description="Wait for a free database connection before a call is refused as UNAVAILABLE."
    )
    statement_timeout_seconds: float = Field(
        10.0, gt=0, le=3600, description="Bound on one database statement of a service."
    )
    clock_tolerance_seconds: float = Field(
        1.0,
        ge=0.05,
        le=60,
        description="By how much a process's clock may differ from the database's; beyond it, it serves nothing.",
    )
    redis_timeout_seconds: float = Field(0.25, gt=0, le=10, description="Bound on one Redis call.")


class ServerSettings(BaseSettings):
    """Addresses of a process, and bounds on its calls, streams and connections."""

    listen: str = Field("127.0.0.1:7400", description="Address of the gRPC server; port 0 takes a free one.")
    metrics_listen: str = Field("127.0.0.1:9400", description="Address of /metrics and /healthz; port 0: a free one.")
    ready_file: Path | None = Field(
        None, description="File written once the process serves: JSON with pid, grpc port and metrics port."
    )
    drain_notice_seconds: float = Field(
        1.0, ge=0, le=60, description="After SIGTERM: time between NOT_SERVING and the stop, for balancers to see it."
    )
    drain_seconds: float = Field(
        8.0, ge=0, le=600, description="After that: time for running calls to end; then they are cut off."
    )
    call_seconds: float = Field(
        10.0, gt=0, le=600, description="Bound on a call whose client set no deadline, and on any longer deadline."
    )
    stream_seconds: float = Field(
        3600.0, gt=0, description="Bound on one stream; it ends with UNAVAILABLE and the client resumes it."
    )
    handshake_seconds: float = Field(
        10.0, gt=0, le=120, description="A connection that has not begun to speak gRPC (and TLS) by then is closed."
    )
    idle_seconds: float = Field(
        300.0, gt=0, le=86_400, description="A connection without a call is closed after so long; clients reconnect."
    )
    concurrent_calls: int = Field(
        4000,
        ge=1,
        le=100_000,
        description="Calls and streams open at once, three quarters of them streams; more are refused as "
        "RESOURCE_EXHAUSTED.",
    )
    streams_per_caller: int = Field(
        32, ge=1, le=10_000, description="Streams that one caller may have open at once in one process."
    )
    watchers_per_table: int = Field(
        2000,
        ge=1,
        le=100_000,
        description="Streams open at once at one table in one dealer; those who sit there are not counted.",
    )
    message_bytes: int = Field(1 << 20, ge=1 << 12, le=1 << 26, description="Largest message taken or sent, in bytes.")
    event_loop: Literal["uvloop", "asyncio"] = Field("uvloop", description="Event loop of the process.")

    settlement_address: str = Field("127.0.0.1:7410", description="Where dealers and audit reach settlement.")
    audit_address: str = Field("127.0.0.1:7420", description="Where others reach audit.")
    dealer_addresses: dict[str, str] = Field(
        default_factory=dict,
        description='Where the command line reaches the dealers, by family: {"poker": "host:port", …}.',
    )


class OutputSettings(BaseSettings):
    """Workers of audit, TLS and logs."""

    replay_processes: int = Field(
        0, ge=0, le=64, description="Processes that share a long replay; 0: one for each core, 1: a worker's own."
    )
    audit_workers: int = Field(
        2,
        ge=1,
        le=64,
        description="Processes of audit that do the heavy reads: rounds, recalls, replays, checks. Each has up to two "
        "database connections.",
    )

    tls_certificate_file: Path | None = Field(None, description="Certificate chain (PEM) of this process; on: TLS.")
    tls_key_file: Path | None = Field(None, description="Its private key (PEM).")
    tls_client_ca_file: Path | None = Field(
        None, description="Authority (PEM) that clients' certificates must come from; on: mutual TLS."
    )
    tls_server_ca_file: Path | None = Field(
        None, description="Authority (PEM) that other services' certificates come from; on: channels use TLS."
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level that is logged.")
    log_format: Literal["json", "console"] = Field("json", description="JSON lines, or lines for people.")
