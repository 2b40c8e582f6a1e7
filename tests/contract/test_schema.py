"""A process looks at its database's schema before it serves: it waits for an older one and warns of a newer one."""

import asyncio

import psycopg
import pytest

from services.contract import schema
from services.eventlog import revision
from services.runtime import pools, settings
from tests.support import echo

ROLES = ("pitboss_dealer", "pitboss_settlement", "pitboss_audit")


def mark(url: str, number: str) -> None:
    """Write a revision into a database."""
    with psycopg.connect(url) as conn:
        conn.execute("UPDATE alembic_version SET version_num = %s", (number,))


@pytest.mark.parametrize("role", ROLES)
async def test_every_kind_of_process_serves_on_the_newest_schema(postgres_url: str, role: str) -> None:
    """Each role may read the revision, and goes on at once."""
    async with pools.opened(echo.given(database_url=postgres_url), role, "test") as pool, asyncio.timeout(60):
        await schema.check(pool)


async def test_an_older_schema_is_waited_for_and_then_refused(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is being migrated is waited for; one that stays as it is stops the process in words."""
    mark(postgres_url, "0003")
    monkeypatch.setattr(schema, "LOOK_SECONDS", 0.05)
    async with pools.opened(echo.given(database_url=postgres_url), ROLES[0], "test") as pool:
        waiting = asyncio.ensure_future(schema.check(pool))
        done, _ = await asyncio.wait({waiting}, timeout=0.3)
        assert not done
        await asyncio.to_thread(mark, postgres_url, revision.NEWEST)
        await asyncio.wait_for(waiting, 60)
        await asyncio.to_thread(mark, postgres_url, "0003")
        monkeypatch.setattr(pools, "START_SECONDS", 0.3)
        with pytest.raises(settings.SettingsRefused, match="run `pitboss migrate`"):
            await schema.check(pool)


async def test_a_newer_schema_is_served_with_a_warning(postgres_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    """During a roll-out the database is ahead of the processes that still run: they say so and go on."""
    mark(postgres_url, "9999")
    async with pools.opened(echo.given(database_url=postgres_url), ROLES[0], "test") as pool:
        await schema.check(pool)
    out, err = capfd.readouterr()
    assert "later release" in out + err
