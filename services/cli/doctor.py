"""The checks of ``pitboss doctor``: settings, servers and keys of a house, and whether its processes answer."""

import asyncio
import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import redis
import typer

from services.cli import checkpoint_state, reach
from services.database import archive
from services.eventlog import migrate
from services.eventlog.revision import State
from services.fairness import seal
from services.livestate import connectivity
from services.rules.refusals import Refused
from services.runtime import clock, service_token
from services.runtime import settings as runtime_settings
from services.runtime.clock import HouseClock
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import Settings, SettingsRefused


def examine(folder: Path) -> int:
    """Print each finding. Return 1 if a check fails."""
    try:
        found = runtime_settings.load(**_of_folder(folder))
    except SettingsRefused as error:
        typer.echo(f"FAIL  settings: {error}")
        return 1
    processes = {name: partial(reach.ask, address) for name, address in reach.named(folder, found).items()}
    if (audit := reach.named(folder, found).get("audit")) is not None:
        processes["checkpoints"] = partial(checkpoint_state.ask, audit)
    wrong = warned = 0
    for what, check in (CHECKS | processes).items():
        try:
            said = check(found)
        except (Warned, reach.NoAnswer) as error:
            warned += 1
            typer.echo(f"warn  {what}: {error}")
        except Exception as error:  # every fault is a finding
            wrong += 1
            typer.echo(f"FAIL  {what}: {_words(error)}")
        else:
            typer.echo(f"ok    {what}: {said}")
    warnings = f", with {warned} warning{'s' if warned > 1 else ''}" if warned else ""
    summary = f"{wrong} of {len(CHECKS | processes)} checks failed" if wrong else "all checks passed"
    typer.echo(summary + warnings)
    return 1 if wrong else 0


class Warned(Exception):
    """A finding that the operator should know, although the house works for now."""


def _of_folder(folder: Path) -> dict[str, object]:
    """Return the settings that a local house keeps in its folder. The environment takes precedence."""
    found: dict[str, object] = {}
    for file in (folder / "secrets.json", folder / "servers.json"):
        kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        for name, value in kept.items():
            short = name.removeprefix("PITBOSS_").lower()
            if not os.environ.get(name):
                found[short] = json.loads(value) if short.endswith("_keys") else value
    token = folder / "dealer.token"
    if token.exists() and not os.environ.get("PITBOSS_SERVICE_TOKEN"):
        found["service_token"] = token.read_text(encoding="utf-8").strip()
    return found


def _database(settings: Settings) -> str:
    with psycopg.connect(settings.postgres(), connect_timeout=5) as connection:
        row = connection.execute(
            "SELECT current_setting('server_version'), current_setting('synchronous_commit')"
        ).fetchone()
    assert row is not None, "a server names its version"
    if row[1] == "off":
        raise ValueError("synchronous_commit is off: an acknowledged action could be lost; switch it on")
    return f"Postgres {row[0]}"


def _clock(settings: Settings) -> str:
    house = HouseClock(settings.clock_tolerance_seconds)

    async def measure() -> None:
        async with await psycopg.AsyncConnection.connect(settings.postgres(), connect_timeout=5) as connection:
            for _ in range(clock.FIRST):
                await house.measure(partial(clock.of_database, connection))

    asyncio.run(measure())
    house.check()
    return f"{abs(house.off_seconds()) * 1000:.0f} ms from the database's clock"


def _schema(settings: Settings) -> str:
    state = migrate.state(settings.postgres())
    if state is State.OLDER:
        raise ValueError("the schema is not the newest; run `pitboss migrate`")
    if state is State.NEWER:
        raise ValueError("the schema is of a later release than this program; update the program, do not migrate")
    return "up to date"


def _roles(settings: Settings) -> str:
    with psycopg.connect(settings.postgres(), connect_timeout=5) as connection:
        for role in ("pitboss_dealer", "pitboss_settlement", "pitboss_audit"):
            connection.execute(f"SET ROLE {role}")
    return "this user may act as dealer, settlement and audit"


def _archive(settings: Settings) -> str:
    with psycopg.connect(settings.postgres(), connect_timeout=5) as connection:
        try:
            row = connection.execute(archive.QUERY).fetchone()
        except (psycopg.ProgrammingError, psycopg.NotSupportedError):
            return "this database does not report its archive"
    assert row is not None, "a server has one archiver"
    found = archive.Archiving(*row)
    if found.failing:
        raise Warned(found.words())
    return found.words()


def _redis(settings: Settings) -> str:
    return connectivity.describe(settings.redis())


def _identity(settings: Settings) -> str:
    identity = Identity(settings)
    if not identity.can_mint():
        return f"{settings.jwt_algorithm}, tokens are verified here and issued elsewhere"
    identity.verify(identity.mint(Caller(subject="doctor", role=Role.SERVICE), 5))
    return f"{settings.jwt_algorithm}, a token was made and verified"


def _service_token(settings: Settings) -> str:
    """Check the token with which dealers call settlement, if one is set."""
    given = settings.service_token.get_secret_value()
    if not given:
        return "not set; a dealer that holds the private key makes its own"
    try:
        caller = Identity(settings).verify(given)
    except Refused as refusal:
        raise ValueError(f"{refusal.message}; make a new one with `pitboss token dealer --role service`") from None
    if caller.role is not Role.SERVICE:
        raise ValueError(f"its role is {caller.role}; it must be service")
    days = (service_token.expiry(given) - time.time()) / 86_400
    if days * 86_400 < service_token.WARN_SECONDS:
        raise Warned(f"expires in {days:.1f} days; make a new one with `pitboss token dealer --role service`")
    return f"expires in {days:.0f} days"


def _rings(settings: Settings) -> str:
    deal, audit, personal = settings.deal_ring(), settings.audit_ring(), settings.personal_ring()
    for purpose, ring in (("deal", deal), ("audit", audit), ("personal", personal)):
        held = seal.KeyRing(purpose, ring.keys, ring.active)
        sealed = seal.seal(held, b"doctor", b"check", nonce=bytes(seal.NONCE_BYTES))
        seal.open(held, sealed, b"check")
    return f"deal key {deal.active!r} of {len(deal.keys)}, audit key {audit.active!r} of {len(audit.keys)}"


def _signing(settings: Settings) -> str:
    from services.audit.statements import SigningKey

    return f"public key {SigningKey(settings.checkpoint_seed()).key_id}"


CHECKS: dict[str, Callable[[Settings], str]] = {
    "database": _database,
    "clock": _clock,
    "schema": _schema,
    "roles": _roles,
    "archive": _archive,
    "redis": _redis,
    "tokens": _identity,
    "service token": _service_token,
    "key rings": _rings,
    "checkpoint key": _signing,
}


def _words(error: Exception) -> str:
    if isinstance(error, psycopg.OperationalError):
        return f"no connection ({str(error).splitlines()[0]}); is it running, is PITBOSS_DATABASE_URL right?"
    if isinstance(error, redis.RedisError):
        return f"no answer ({type(error).__name__}); is it running, is PITBOSS_REDIS_URL right?"
    return str(error)
