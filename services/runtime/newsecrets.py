"""Fresh secrets for a house in containers: ``python -m services.runtime.newsecrets .env`` (``make secrets``).

Needs nothing but Python itself, so that it runs on a machine that has only Docker. A file that exists is left alone.
"""

import base64
import json
import os
import secrets
import sys
from pathlib import Path


def fresh() -> dict[str, str]:
    """Make one of every secret that ``docker-compose.yml`` asks for."""
    key = {f"k{secrets.token_hex(4)}": _key()}
    audit = {f"a{secrets.token_hex(4)}": _key()}
    personal = {f"p{secrets.token_hex(4)}": _key()}
    return {
        "PITBOSS_POSTGRES_PASSWORD": secrets.token_hex(24),
        "PITBOSS_DEALER_DB_PASSWORD": secrets.token_hex(24),
        "PITBOSS_SETTLEMENT_DB_PASSWORD": secrets.token_hex(24),
        "PITBOSS_AUDIT_DB_PASSWORD": secrets.token_hex(24),
        "PITBOSS_REDIS_PASSWORD": secrets.token_hex(24),
        "PITBOSS_GRAFANA_PASSWORD": secrets.token_hex(12),
        "PITBOSS_JWT_SECRET": secrets.token_hex(32),
        "PITBOSS_DEAL_KEYS": json.dumps(key),
        "PITBOSS_DEAL_KEY": next(iter(key)),
        "PITBOSS_AUDIT_KEYS": json.dumps(audit),
        "PITBOSS_AUDIT_KEY": next(iter(audit)),
        "PITBOSS_PERSONAL_KEYS": json.dumps(personal),
        "PITBOSS_PERSONAL_KEY": next(iter(personal)),
        "PITBOSS_CHECKPOINT_KEY": _key(),
    }


def write(path: Path) -> bool:
    """Write fresh secrets into a file that only its owner can read; False, and nothing done, where there is one."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("# Secrets of this house. Never commit this file; keep a copy: without the keys no deck opens.\n")
        file.writelines(f"{name}='{value}'\n" for name, value in fresh().items())
    return True


def _key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


def main() -> int:
    """Write the file that the command line names."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else ".env")
    done = write(path)
    sys.stdout.write(f"{path}: fresh secrets written\n" if done else f"{path} is there already and stays as it is\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
