"""Every setting of a process, read from the environment as ``PITBOSS_<NAME>``.

A secret ``PITBOSS_X`` may be given as ``PITBOSS_X_FILE`` instead: the path of a file that holds it. A setting that
is not valid stops the process with an error that names it, never with its value (``SettingsRefused``).
"""

import re
from typing import NamedTuple, Self

import pydantic
import pydantic_settings
from pydantic import SecretStr

from services.livestate import addresses
from services.runtime import keys, sources
from services.runtime.console_settings import ConsoleSettings
from services.runtime.gateway_settings import GatewaySettings
from services.runtime.house_settings import HouseSettings
from services.runtime.key_settings import KeySettings, Secrets, TokenSettings, WitnessSettings
from services.runtime.players_settings import PlayersSettings
from services.runtime.process_settings import OutputSettings, ServerSettings, StoreSettings
from services.runtime.web_settings import WebSettings

PREFIX = "PITBOSS_"
LARGEST_PORT = 65_535

TEST_CURRENCY = "XTS"
"""Currency of test tables (the code that ISO 4217 reserves for testing); it is in no report."""


class SettingsRefused(Exception):
    """A setting is not valid. The message names it and says what would be right."""


class Bucket(NamedTuple):
    """An S3-compatible bucket and the key that may write to it."""

    name: str
    prefix: str
    endpoint: str
    region: str
    access_key: str
    secret_key: str


class Settings(
    OutputSettings,
    ConsoleSettings,
    WebSettings,
    GatewaySettings,
    PlayersSettings,
    WitnessSettings,
    KeySettings,
    TokenSettings,
    ServerSettings,
    StoreSettings,
    HouseSettings,
):
    """The settings of one process. Each field's description is its documentation (``docs/operations.md``).

    Fields are listed in the reverse order of the base classes.
    """

    model_config = pydantic_settings.SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, hide_input_in_errors=True, extra="ignore", env_ignore_empty=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[pydantic_settings.BaseSettings],
        init_settings: pydantic_settings.PydanticBaseSettingsSource,
        env_settings: pydantic_settings.PydanticBaseSettingsSource,
        dotenv_settings: pydantic_settings.PydanticBaseSettingsSource,  # noqa: ARG003 - named by the library's contract
        file_secret_settings: pydantic_settings.PydanticBaseSettingsSource,  # noqa: ARG003 - as above
    ) -> tuple[pydantic_settings.PydanticBaseSettingsSource, ...]:
        """Return the sources in order: arguments, the environment, the files that it names."""
        return init_settings, env_settings, sources.SecretFiles(settings_cls, PREFIX)

    @pydantic.field_validator("ledger_public_keys")
    @classmethod
    def _are_public_keys(cls, given: list[str]) -> list[str]:
        for one in given:
            if not re.fullmatch(r"[0-9a-f]{64}", one):
                raise ValueError(f"{one[:80]!r} is not a public key; it must be 64 hexadecimal digits in lower case")
        return given

    @pydantic.field_validator("redis_url")
    @classmethod
    def _names_a_redis(cls, given: SecretStr) -> SecretStr:
        if url := given.get_secret_value():
            addresses.parse(url)
        return given

    @pydantic.model_validator(mode="after")
    def _agree(self) -> Self:
        for name in ("listen", "metrics_listen", "web_listen", "console_listen", "settlement_address", "audit_address"):
            address(getattr(self, name), name)
        for family, where in self.dealer_addresses.items():
            address(where, f"dealer_addresses[{family}]")
        for family, places in self.gateway_dealers.items():
            for where in places.split(","):
                address(where.strip(), f"gateway_dealers[{family}]")
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
        """Return the database's URL. Raises ``SettingsRefused`` if it is not set."""
        return self._needed("database_url", self.database_url)

    def redis(self) -> str:
        """Return the URL of Redis. Raises ``SettingsRefused`` if it is not set."""
        return self._needed("redis_url", self.redis_url)

    def deal_ring(self) -> keys.Ring:
        """Return the keys that seal decks. Raises ``SettingsRefused`` if they are missing or malformed."""
        return self._ring("deal_keys", self.deal_keys, "deal_key", self.deal_key)

    def audit_ring(self) -> keys.Ring:
        """Return the keys that seal what only auditors open. Raises ``SettingsRefused`` likewise."""
        return self._ring("audit_keys", self.audit_keys, "audit_key", self.audit_key)

    def personal_ring(self) -> keys.Ring:
        """Return the keys that wrap the keys of players. Raises ``SettingsRefused`` likewise."""
        return self._ring("personal_keys", self.personal_keys, "personal_key", self.personal_key)

    def checkpoint_seed(self) -> bytes:
        """Return the 32 bytes of the Ed25519 key that signs checkpoints. Raises ``SettingsRefused`` likewise."""
        return self._seed("checkpoint_key", self.checkpoint_key)

    def console_seal(self) -> bytes:
        """Return the 32 bytes of the key that seals the console's sessions; b"" if none is set."""
        return self._seed("console_key", self.console_key) if self.console_key.get_secret_value() else b""

    def witness_seed(self) -> bytes:
        """Return the 32 bytes of the Ed25519 key that co-signs. Raises ``SettingsRefused`` likewise."""
        return self._seed("witness_key", self.witness_key)

    def ledger_seed(self) -> bytes:
        """Return the 32 bytes of the Ed25519 key that signs ledger entries; raise ``SettingsRefused`` likewise."""
        return self._seed("ledger_key", self.ledger_key)

    def ledger_key_ids(self) -> list[str]:
        """Return the public keys that ledger entries are checked with; raise ``SettingsRefused`` if none is set."""
        if not self.ledger_public_keys:
            raise SettingsRefused(f"{PREFIX}LEDGER_PUBLIC_KEYS is needed and not set")
        return self.ledger_public_keys

    def bucket(self) -> "Bucket | None":
        """Return the bucket that checkpoints are published to, None if none is set."""
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
    """Return host and port of ``host:port``. Raises ``ValueError`` that names the setting."""
    found = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):(\d{1,5})", text)
    if found is None or int(found[2]) > LARGEST_PORT:
        raise ValueError(f"{name} is {text!r}; it must be host:port, such as 127.0.0.1:7400")
    return found[1], int(found[2])


def load(**given: object) -> Settings:
    """Read the settings. Arguments take precedence over the environment. Raises ``SettingsRefused``."""
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic checks each by its field
    except pydantic.ValidationError as error:
        raise SettingsRefused("; ".join(_in_words(one["loc"], one["msg"]) for one in error.errors())) from None
    except (pydantic_settings.SettingsError, OSError) as error:
        raise SettingsRefused(str(error)) from None


def _in_words(where: tuple[int | str, ...], what: str) -> str:
    name = PREFIX + str(where[0]).upper() if where else "settings"
    return f"{name}: {what.removeprefix('Value error, ')}"
