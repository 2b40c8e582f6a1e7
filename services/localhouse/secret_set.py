"""The secrets of a local house: made once by the operating system's randomness, kept beside its data."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from services.localhouse import secret_file
from services.runtime import keys

TOKENS: Final = ("PITBOSS_JWT_ALGORITHM", "PITBOSS_JWT_SECRET", "PITBOSS_JWT_PUBLIC_KEY", "PITBOSS_JWT_PRIVATE_KEY")
"""Settings with which the tokens of a house are signed and verified."""


def of_tokens(path: Path) -> dict[str, str]:
    """Return the settings by which a local house makes tokens, by their names; empty if there is no such file.

    A house from the time when processes signed tokens themselves keeps its shared secret (HS256).
    """
    kept: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found = {name.removeprefix("PITBOSS_").lower(): kept[name] for name in TOKENS if name in kept}
    return {"jwt_algorithm": "HS256"} | found if found else {}


def load_or_make(path: Path) -> dict[str, str]:
    """Return the secrets as environment variables; make and store those that are missing.

    A house of an earlier release lacks newer ones; its way of signing tokens stays.
    """
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    made = make()
    for group in (TOKENS, tuple(secret_file.LEDGER)):
        if any(name in found for name in group):
            made = {name: value for name, value in made.items() if name not in group}
    whole = made | found
    if whole != found:
        keep(path, whole)
    return whole


def keep(path: Path, secrets: Mapping[str, str]) -> None:
    """Write secrets into a file that its owner alone can read."""
    keep_text(path, json.dumps(dict(secrets), indent=2))


def keep_text(path: Path, text: str) -> None:
    """Write one secret likewise. A reader sees the old or the new secret, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


def make() -> dict[str, str]:
    """Make a set of secrets: token signing, the three rings, the keys of checkpoints and of ledger entries."""
    private, public = keys.signing_pair()
    return {
        "PITBOSS_JWT_ALGORITHM": "EdDSA",
        "PITBOSS_JWT_PUBLIC_KEY": public,
        "PITBOSS_JWT_PRIVATE_KEY": private,
        "PITBOSS_DEAL_KEYS": json.dumps({"deal-1": keys.generate()}),
        "PITBOSS_DEAL_KEY": "deal-1",
        "PITBOSS_AUDIT_KEYS": json.dumps({"audit-1": keys.generate()}),
        "PITBOSS_AUDIT_KEY": "audit-1",
        "PITBOSS_PERSONAL_KEYS": json.dumps({"personal-1": keys.generate()}),
        "PITBOSS_PERSONAL_KEY": "personal-1",
        "PITBOSS_CHECKPOINT_KEY": keys.generate(),
        "PITBOSS_CONSOLE_KEY": keys.generate(),
        **secret_file.ledger(),
    }
