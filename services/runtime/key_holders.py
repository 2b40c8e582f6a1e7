"""Which process of a house holds which keys: one table for local houses, containers, pods and a process's start.

A key that only one kind of process needs opens or signs nothing elsewhere, so a process refuses to start with a secret
that is not its own.
"""

from collections.abc import Mapping
from typing import Final

from pydantic import SecretStr

from services.runtime import sources
from services.runtime.settings import PREFIX, Settings, SettingsRefused

_DECK: Final = frozenset({"deal_keys", "deal_key"})
_ENDED: Final = frozenset({"audit_keys", "audit_key"})
_PERSONAL: Final = frozenset({"personal_keys", "personal_key"})

HELD: Final[Mapping[str, frozenset[str]]] = {
    "dealer": _DECK | _ENDED | _PERSONAL | {"service_token"},
    "settlement": _PERSONAL | {"ledger_key"},
    "audit": _ENDED | _PERSONAL | {"checkpoint_key", "ledger_public_keys"},
    "witness": frozenset({"witness_key", "service_token"}),
    "players": frozenset({"players_tokens"}),
    "gateway": frozenset(),
    "web": frozenset(),
    "console": frozenset({"console_key"}),
}
"""Settings that the named processes alone hold. Dealers seal for auditors, so they hold the audit keys too."""

ISSUER_ONLY: Final = frozenset({"jwt_private_key"})
"""Settings with which tokens are made; no process holds them."""


def may_hold(process: str, variable: str) -> bool:
    """Return whether a process may have an environment variable, such as ``PITBOSS_DEAL_KEYS`` or its ``_FILE``."""
    name = variable.removeprefix(PREFIX).lower().removesuffix("_file")
    if not variable.startswith(PREFIX) or name not in ISSUER_ONLY.union(*HELD.values()):
        return True
    return name in HELD.get(process, frozenset())


def verify(process: str, settings: Settings) -> None:
    """Raise SettingsRefused if a process was given a secret that another process holds."""
    for name in sorted(frozenset[str]().union(*HELD.values()) - HELD[process]):
        if sources.is_secret(Settings.model_fields[name]) and _is_set(getattr(settings, name)):
            holders = ", ".join(other for other in HELD if name in HELD[other])
            raise SettingsRefused(
                f"{PREFIX}{name.upper()} is set for {process}, which must not hold it; give it only to: {holders}"
            )


def _is_set(value: object) -> bool:
    return bool(value.get_secret_value()) if isinstance(value, SecretStr) else bool(value)
