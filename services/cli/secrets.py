"""The secrets of a local house: made once by the operating system's randomness, kept beside its data."""

import json
import os
import secrets as system
from collections.abc import Mapping
from pathlib import Path

from services.runtime import keys


def load_or_make(path: Path) -> dict[str, str]:
    """Return the secrets as environment variables of every process; make and keep those that are missing.

    A house of an earlier release lacks those that came since.
    """
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    whole = make() | found
    if whole != found:
        keep(path, whole)
    return whole


def keep(path: Path, secrets: Mapping[str, str]) -> None:
    """Write secrets into a file that its owner alone can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(dict(secrets), file, indent=2)
    draft.replace(path)


def make() -> dict[str, str]:
    """Make a set of secrets: token signing, the three rings, the key of checkpoints."""
    return {
        "PITBOSS_JWT_SECRET": system.token_urlsafe(48),
        "PITBOSS_DEAL_KEYS": json.dumps({"deal-1": keys.generate()}),
        "PITBOSS_DEAL_KEY": "deal-1",
        "PITBOSS_AUDIT_KEYS": json.dumps({"audit-1": keys.generate()}),
        "PITBOSS_AUDIT_KEY": "audit-1",
        "PITBOSS_PERSONAL_KEYS": json.dumps({"personal-1": keys.generate()}),
        "PITBOSS_PERSONAL_KEY": "personal-1",
        "PITBOSS_CHECKPOINT_KEY": keys.generate(),
    }
