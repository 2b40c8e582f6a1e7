"""Fresh secrets for a house in containers: ``python -m services.localhouse.secret_file .env`` (``make secrets``).

The file holds the private key of tokens and the dealers' token that was made with it. The compose file passes on the
public key and the dealers' token, and never the private key. An existing file keeps its secrets; those that a later
release needs are added. ``-`` writes to standard output, for machines that have only Docker.
"""

import base64
import json
import os
import secrets
import sys
from pathlib import Path
from typing import Final

from services.runtime import crew_tokens, keys, settings
from services.runtime.identity import Caller, Identity, Role

TOKEN_SECONDS: Final = 366 * 86_400.0
"""Life of the dealers' token; doctor and a metric report its end."""
TOGETHER: Final = {"PITBOSS_JWT_PUBLIC_KEY", "PITBOSS_JWT_PRIVATE_KEY", "PITBOSS_DEALER_TOKEN"}
"""Secrets that are made together."""
LEDGER: Final = {"PITBOSS_LEDGER_KEY", "PITBOSS_LEDGER_PUBLIC_KEYS"}
"""Likewise: the keys that sign and check ledger entries."""


def fresh(signing: tuple[str, str] | None = None) -> dict[str, str]:
    """Return a new value of every secret in ``docker-compose.yml``; ``signing``: the key pair of tokens to use."""
    key = {f"k{secrets.token_hex(4)}": keys.generate()}
    audit = {f"a{secrets.token_hex(4)}": keys.generate()}
    personal = {f"p{secrets.token_hex(4)}": keys.generate()}
    private, public = signing or keys.signing_pair()
    issuer = Identity(settings.load(jwt_algorithm="EdDSA", jwt_private_key=private, jwt_public_key=public))
    return {
        "PITBOSS_POSTGRES_PASSWORD": secrets.token_hex(24),
        "PITBOSS_DEALER_DB_PASSWORD": secrets.token_hex(24),
        "PITBOSS_SETTLEMENT_DB_PASSWORD": secrets.token_hex(24),
        "PITBOSS_AUDIT_DB_PASSWORD": secrets.token_hex(24),
        "PITBOSS_REDIS_PASSWORD": secrets.token_hex(24),
        "PITBOSS_GRAFANA_PASSWORD": secrets.token_hex(12),
        "PITBOSS_JWT_PUBLIC_KEY": public,
        "PITBOSS_JWT_PRIVATE_KEY": private,
        "PITBOSS_DEALER_TOKEN": issuer.mint(Caller("dealer", Role.SERVICE), TOKEN_SECONDS),
        "PITBOSS_PLAYERS_TOKENS": crew_tokens.minted(issuer, TOKEN_SECONDS),
        "PITBOSS_DEAL_KEYS": json.dumps(key),
        "PITBOSS_DEAL_KEY": next(iter(key)),
        "PITBOSS_AUDIT_KEYS": json.dumps(audit),
        "PITBOSS_AUDIT_KEY": next(iter(audit)),
        "PITBOSS_PERSONAL_KEYS": json.dumps(personal),
        "PITBOSS_PERSONAL_KEY": next(iter(personal)),
        "PITBOSS_CHECKPOINT_KEY": keys.generate(),
        "PITBOSS_CONSOLE_KEY": keys.generate(),
        **ledger(),
    }


def ledger() -> dict[str, str]:
    """Return a new key that signs ledger entries, and the list of keys that check them."""
    private, public = keys.signing_pair()
    return {
        "PITBOSS_LEDGER_KEY": private,
        "PITBOSS_LEDGER_PUBLIC_KEYS": json.dumps([base64.b64decode(public).hex()]),
    }


def write(path: Path) -> bool:
    """Write fresh secrets into a file that only its owner can read. Return False, without a change, if it exists."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("# Secrets of this house. Never commit this file; keep a copy: without the keys no deck opens.\n")
        file.writelines(_lines(fresh()))
    return True


def complete(path: Path) -> list[str]:
    """Add the secrets that an earlier release did not need; return their names.

    Secrets that are made together are added together, and only if none of them exists.
    """
    lines = [line.partition("=") for line in path.read_text("utf-8").splitlines()]
    values = {name.removeprefix("export ").strip(): value.strip().strip("'\"") for name, _, value in lines}
    there = set(values)
    pair = values.get("PITBOSS_JWT_PRIVATE_KEY", ""), values.get("PITBOSS_JWT_PUBLIC_KEY", "")
    made = fresh(pair if all(pair) else None)
    rings = [{name, name.removesuffix("S")} for name in made if name.endswith("_KEYS") and name not in LEDGER]
    bound = TOGETHER.union(LEDGER, *rings)
    single = [{name} for name in made if name not in bound]
    groups = [group for group in (TOGETHER, LEDGER, *rings, *single) if not group & there]
    added = {name: value for name, value in made.items() if any(name in group for group in groups)}
    if added:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(_lines(added))
    return list(added)


def _lines(values: dict[str, str]) -> list[str]:
    return [f"{name}='{value}'\n" for name, value in values.items()]


def main() -> int:
    """Write the file that the command line names."""
    name = sys.argv[1] if len(sys.argv) > 1 else ".env"
    path = Path(name)
    if name == "-":
        sys.stdout.writelines(_lines(fresh()))
    elif write(path):
        sys.stdout.write(f"{path}: fresh secrets written\n")
    elif added := complete(path):
        sys.stdout.write(f"{path} keeps what it has; added: {', '.join(added)}\n")
    else:
        sys.stdout.write(f"{path} is there already and stays as it is\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
