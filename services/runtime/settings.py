"""Every setting of a process, read from the environment as ``PITBOSS_<NAME>``.

A secret ``PITBOSS_X`` may be given as ``PITBOSS_X_FILE`` instead: the path of a file that holds it. A setting that
cannot be understood stops the process with a sentence that names it (``SettingsRefused``), never with its value.
"""

import re
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

import pydantic
import pydantic_settings
from pydantic import Field, SecretStr

from services.livestate import addresses
from services.runtime import keys, sources

PREFIX = "PITBOSS_"

TEST_CURRENCY = "XTS"
"""Currency of test tables (the code that ISO 4217 reserves for testing); it is in no report."""

Secret = Annotated[SecretStr, Field(default=SecretStr(""))]
Secrets = dict[str, SecretStr]
Quota = Annotated[str, Field(pattern=r"^([1-9]\d{0,5}(\.\d{1,3})?|0\.\d{0,2}[1-9])/[1-9]\d{0,6}$")]
"""Calls per second, and at once: such as ``5/100``."""


class SettingsRefused(Exception):
    """The settings do not make sense; the message says which one and what would be right."""


class Bucket(NamedTuple):
    """An S3-compatible bucket and the key that may write to it."""

    name: str
    prefix: str
    endpoint: str
    region: str
    access_key: str
    secret_key: str


class Settings(pydantic_settings.BaseSettings):
    """The settings of one process; each field's description is its documentation (``docs/operations.md``)."""

    model_config = pydantic_settings.SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, hide_input_in_errors=True, extra="ignore", env_ignore_empty=True
    )

    # -- the house
    house_name: str = Field("Pitboss", max_length=80, description="Name of the house, printed on every report.")
    default_currency: str = Field("CHIPS", pattern=r"^[A-Z]{3,8}$", description="Currency of a table that names none.")
    currencies: list[Annotated[str, Field(pattern=r"^[A-Z]{3,8}$")]] = Field(
        default_factory=list,
        max_length=50,
        description='Currencies of the house besides the default one and XTS, that of test tables: ["EUR", …].',
    )
    retention_years: int = Field(10, ge=1, le=100, description="Years for which nothing recorded may be deleted.")
    large_win: int = Field(
        100_000,
        ge=0,
        description="A seat's win in one round, in chips, from which it is told as significant; 0: never.",
    )
    large_stake: int = Field(
        100_000,
        ge=0,
        description="A seat's stake in one round, in chips, from which it is told as significant; 0: never.",
    )
    void_alone_chips: int = Field(
        100_000,
        ge=0,
        description="Chips at risk in a round up to which one person voids it; more wants a second person. Test money "
        "never does.",
    )
    tables_per_player: int = Field(
        20,
        ge=0,
        le=1000,
        description="Tables that one player may have open at once; operators and services open as many as they like.",
    )
    quota_tables: Quota = Field(
        "1/30", description="Tables that a player may open: so many per second / so many at once."
    )
    quota_records: Quota = Field(
        "5/100", description="Other commands that leave records (seats, chips, seeds, limits), per player likewise."
    )
    quota_acts: Quota = Field("1000/4000", description="Acts and starts of rounds, per player and process likewise.")
    quota_reads: Quota = Field("500/2000", description="Questions and new streams, per player and process likewise.")
    quota_staff_factor: int = Field(
        50, ge=1, le=10_000, description="Staff and test players may call so many times as fast; services as they like."
    )
    scripted_decks: bool = Field(
        default=False,
        description="Accept decks in a set order at test tables (certification). Never in a house with real players.",
    )

    # -- stores
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

    # -- what a process serves
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

    # -- other services
    settlement_address: str = Field("127.0.0.1:7410", description="Where dealers and audit reach settlement.")
    audit_address: str = Field("127.0.0.1:7420", description="Where others reach audit.")
    dealer_addresses: dict[str, str] = Field(
        default_factory=dict,
        description='Where the command line reaches the dealers, by family: {"poker": "host:port", …}.',
    )

    # -- identity
    jwt_algorithm: Literal["HS256", "EdDSA", "RS256"] = Field("HS256", description="How bearer tokens are signed.")
    jwt_secret: SecretStr = Field(SecretStr(""), description="HS256: the shared secret, 32 characters or more.")
    jwt_public_key: str = Field(
        "",
        description="EdDSA, RS256: the public key that tokens are checked with: PEM, or the bytes of an Ed25519 key as "
        "base64.",
    )
    jwt_private_key: SecretStr = Field(
        SecretStr(""),
        description="EdDSA, RS256: the private key likewise, only where tokens are made and in no process.",
    )
    jwt_issuer: str = Field("pitboss", min_length=1, description="Issuer (iss) that a token must name.")
    jwt_audience: str = Field("pitboss", min_length=1, description="Audience (aud) that a token must name.")
    service_token: SecretStr = Field(
        SecretStr(""),
        description="Token for calls to other services, where a process cannot make its own; its file is read again "
        "when it changes.",
    )

    # -- keys
    deal_keys: Secrets = Field(
        default_factory=dict, description='Keys that seal decks, 32 bytes each: {"id": "base64"}. Dealers only.'
    )
    deal_key: str = Field("", description="Id of the deal key that new rounds are sealed with.")
    audit_keys: Secrets = Field(
        default_factory=dict, description='Keys that seal what only auditors may open: {"id": "base64"}.'
    )
    audit_key: str = Field("", description="Id of the audit key that new records are sealed with.")
    personal_keys: Secrets = Field(
        default_factory=dict, description='Keys that wrap the keys of players, 32 bytes each: {"id": "base64"}.'
    )
    personal_key: str = Field("", description="Id of the key that wraps new keys of players.")
    checkpoint_key: SecretStr = Field(
        SecretStr(""), description="Ed25519 private key that signs checkpoints: its 32 bytes as base64. Audit only."
    )

    checkpoint_former_keys: list[str] = Field(
        default_factory=list,
        description="Public keys (hex) that signed checkpoints before this one. Audit only.",
    )

    ledger_key: SecretStr = Field(
        SecretStr(""),
        description="Ed25519 private key that signs ledger entries: its 32 bytes as base64. Settlement only.",
    )
    ledger_public_keys: list[str] = Field(
        default_factory=list,
        description="Public keys (hex) that ledger entries are checked with, the one in use first. Audit only.",
    )
    ledger_admitted_entries: list[str] = Field(
        default_factory=list,
        description="Ids of ledger entries that are taken though no key has signed them. Audit only.",
    )

    checkpoint_folder: Path | None = Field(
        None,
        description="Folder that checkpoints are published to, out of the database owner's reach. Audit only.",
    )
    checkpoint_bucket: str = Field(
        "",
        pattern=r"^(s3://[a-z0-9.-]{3,63}(/.*)?)?$",
        description="S3-compatible bucket that checkpoints are published to: s3://bucket/prefix. Audit only.",
    )
    checkpoint_bucket_endpoint: str = Field("", description="Where the bucket is served, as https://host:port.")
    checkpoint_bucket_region: str = Field("us-east-1", description="Region of the bucket.")
    checkpoint_bucket_access_key: str = Field("", description="Access key that may write new objects to the bucket.")
    checkpoint_bucket_secret_key: SecretStr = Field(SecretStr(""), description="Its secret key.")
    witness_keys: list[str] = Field(
        default_factory=list, description="Public keys (hex) of witnesses whose co-signatures are taken. Audit only."
    )

    # -- a witness
    witness_key: SecretStr = Field(
        SecretStr(""), description="Ed25519 private key that co-signs: its 32 bytes as base64. Witness only."
    )
    witness_state: Path | None = Field(None, description="File in which a witness keeps what it saw last.")
    witness_house_keys: list[str] = Field(
        default_factory=list, description="Public keys (hex) that sign the house's checkpoints. Witness only."
    )
    witness_seconds: float = Field(20.0, gt=0, le=3600, description="Time between two looks of a witness.")

    # -- audit
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

    # -- TLS
    tls_certificate_file: Path | None = Field(None, description="Certificate chain (PEM) of this process; on: TLS.")
    tls_key_file: Path | None = Field(None, description="Its private key (PEM).")
    tls_client_ca_file: Path | None = Field(
        None, description="Authority (PEM) that clients' certificates must come from; on: mutual TLS."
    )
    tls_server_ca_file: Path | None = Field(
        None, description="Authority (PEM) that other services' certificates come from; on: channels use TLS."
    )

    # -- logs
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level that is logged.")
    log_format: Literal["json", "console"] = Field("json", description="JSON lines, or lines for people.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[pydantic_settings.BaseSettings],
        init_settings: pydantic_settings.PydanticBaseSettingsSource,
        env_settings: pydantic_settings.PydanticBaseSettingsSource,
        dotenv_settings: pydantic_settings.PydanticBaseSettingsSource,  # noqa: ARG003 - named by the library's contract
        file_secret_settings: pydantic_settings.PydanticBaseSettingsSource,  # noqa: ARG003 - as above
    ) -> tuple[pydantic_settings.PydanticBaseSettingsSource, ...]:
        """Read arguments first, then the environment, then the files that it names."""
        return init_settings, env_settings, sources.SecretFiles(settings_cls, PREFIX)

    @pydantic.field_validator("ledger_public_keys")
    @classmethod
    def _are_public_keys(cls, given: list[str]) -> list[str]:
        for one in given:
            if not re.fullmatch(r"[0-9a-f]{64}", one):
                raise ValueError(f"{one[:80]!r} is no public key; it must be 64 hexadecimal digits in lower case")
        return given

    @pydantic.field_validator("redis_url")
    @classmethod
    def _names_a_redis(cls, given: SecretStr) -> SecretStr:
        if url := given.get_secret_value():
            addresses.parse(url)
        return given

    @pydantic.model_validator(mode="after")
    def _agree(self) -> Self:
        for name in ("listen", "metrics_listen", "settlement_address", "audit_address"):
            address(getattr(self, name), name)
        for family, where in self.dealer_addresses.items():
            address(where, f"dealer_addresses[{family}]")
        if self.pool_min > self.pool_max:
            raise ValueError(f"pool_min is {self.pool_min}, more than pool_max, {self.pool_max}")
        if (self.tls_certificate_file is None) != (self.tls_key_file is None):
            raise ValueError("tls_certificate_file and tls_key_file go together; one of them is missing")
        if self.tls_client_ca_file is not None and self.tls_certificate_file is None:
            raise ValueError("tls_client_ca_file (mutual TLS) needs tls_certificate_file and tls_key_file")
        return self

    def all_currencies(self) -> tuple[str, ...]:
        """Return the currencies in which the house takes money: its own, the others, and test money."""
        return tuple(dict.fromkeys((self.default_currency, *self.currencies, TEST_CURRENCY)))

    def postgres(self) -> str:
        """Give the database's URL; raise ``SettingsRefused`` when there is none."""
        return self._needed("database_url", self.database_url)

    def redis(self) -> str:
        """Give the URL of Redis; raise ``SettingsRefused`` when there is none."""
        return self._needed("redis_url", self.redis_url)

    def deal_ring(self) -> keys.Ring:
        """Give the keys that seal decks; raise ``SettingsRefused`` when they are missing or malformed."""
        return self._ring("deal_keys", self.deal_keys, "deal_key", self.deal_key)

    def audit_ring(self) -> keys.Ring:
        """Give the keys that seal what only auditors open; raise ``SettingsRefused`` likewise."""
        return self._ring("audit_keys", self.audit_keys, "audit_key", self.audit_key)

    def personal_ring(self) -> keys.Ring:
        """Return the keys that wrap the keys of players; raise ``SettingsRefused`` likewise."""
        return self._ring("personal_keys", self.personal_keys, "personal_key", self.personal_key)

    def checkpoint_seed(self) -> bytes:
        """Give the 32 bytes of the Ed25519 key that signs checkpoints; raise ``SettingsRefused`` likewise."""
        return self._seed("checkpoint_key", self.checkpoint_key)

    def witness_seed(self) -> bytes:
        """Return the 32 bytes of the Ed25519 key that co-signs; raise ``SettingsRefused`` likewise."""
        return self._seed("witness_key", self.witness_key)

    def ledger_seed(self) -> bytes:
        """Return the 32 bytes of the Ed25519 key that signs ledger entries; raise ``SettingsRefused`` likewise."""
        return self._seed("ledger_key", self.ledger_key)

    def ledger_key_ids(self) -> list[str]:
        """Return the public keys that ledger entries are checked with; raise ``SettingsRefused`` where none is set."""
        if not self.ledger_public_keys:
            raise SettingsRefused(f"{PREFIX}LEDGER_PUBLIC_KEYS is needed and not set")
        return self.ledger_public_keys

    def bucket(self) -> "Bucket | None":
        """Return the bucket that checkpoints are published to; None where there is none."""
        if not self.checkpoint_bucket:
            return None
        name, _, prefix = self.checkpoint_bucket.removeprefix("s3://").partition("/")
        return Bucket(
            name,
            prefix,
            self.checkpoint_bucket_endpoint,
            self.checkpoint_bucket_region,
            self.checkpoint_bucket_access_key,
            self.checkpoint_bucket_secret_key.get_secret_value(),
        )

    def _needed(self, name: str, secret: SecretStr) -> str:
        if not (value := secret.get_secret_value()):
            raise SettingsRefused(f"{PREFIX}{name.upper()} (or {PREFIX}{name.upper()}_FILE) is needed and not set")
        return value

    def _seed(self, name: str, secret: SecretStr) -> bytes:
        try:
            return keys.decode(self._needed(name, secret))
        except ValueError as error:
            raise SettingsRefused(f"{PREFIX}{name.upper()}: {error}") from None

    def _ring(self, name: str, ring: Secrets, active_name: str, active: str) -> keys.Ring:
        if not ring:
            raise SettingsRefused(f"{PREFIX}{name.upper()} (or {PREFIX}{name.upper()}_FILE) is needed and not set")
        try:
            return keys.Ring.of({key: value.get_secret_value() for key, value in ring.items()}, active)
        except ValueError as error:
            raise SettingsRefused(f"{PREFIX}{name.upper()} with {PREFIX}{active_name.upper()}: {error}") from None


def address(text: str, name: str) -> tuple[str, int]:
    """Part ``host:port``; raise ``ValueError`` naming the setting when it is not one."""
    found = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):(\d{1,5})", text)
    if found is None or int(found[2]) > 65535:  # noqa: PLR2004 - the largest port
        raise ValueError(f"{name} is {text!r}; it must be host:port, such as 127.0.0.1:7400")
    return found[1], int(found[2])


def load(**given: object) -> Settings:
    """Read the settings; arguments go before the environment. Raises ``SettingsRefused`` in words."""
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic checks each by its field
    except pydantic.ValidationError as error:
        raise SettingsRefused("; ".join(_in_words(one["loc"], one["msg"]) for one in error.errors())) from None
    except (pydantic_settings.SettingsError, OSError) as error:
        raise SettingsRefused(str(error)) from None


def _in_words(where: tuple[int | str, ...], what: str) -> str:
    name = PREFIX + str(where[0]).upper() if where else "settings"
    return f"{name}: {what.removeprefix('Value error, ')}"
