"""Keys and their holders: a process starts with its own keys alone."""

import base64
import json
import os

import pytest
from typer.testing import CliRunner

from services.cli import main, serve_command
from services.runtime import key_holders, settings, sources
from services.runtime.settings import Settings, SettingsRefused

KEY = base64.b64encode(bytes(range(32))).decode()
RING = json.dumps({"k": KEY})
FOREIGN = [
    (process, name)
    for process in serve_command.PROCESSES
    for name in sorted(frozenset[str]().union(*key_holders.HELD.values()) - key_holders.HELD[process])
    if sources.is_secret(Settings.model_fields[name])
]


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in os.environ if one.startswith(settings.PREFIX)]:
        monkeypatch.delenv(name)


def test_each_process_and_each_ring_has_a_line() -> None:
    """The table names every process that is served, and every setting that holds keys or seeds has a holder."""
    assert set(key_holders.HELD) == set(serve_command.PROCESSES)
    held = key_holders.ISSUER_ONLY.union(*key_holders.HELD.values())
    secret = {name for name, field in Settings.model_fields.items() if sources.is_secret(field)}
    shared = {"database_url", "redis_url", "jwt_secret", "checkpoint_bucket_secret_key"}
    assert secret - held == shared


@pytest.mark.parametrize(("process", "name"), FOREIGN)
def test_a_process_refuses_to_start_with_a_key_of_another(
    process: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``pitboss serve`` ends before it serves; it names the variable and its holders, and not the key."""
    monkeypatch.setenv(f"PITBOSS_{name.upper()}", RING if name.endswith("_keys") else KEY)
    done = CliRunner().invoke(main.app, ["serve", process])
    assert isinstance(done.exception, SettingsRefused), done.output
    words = str(done.exception)
    assert f"PITBOSS_{name.upper()} is set for {process}, which must not hold it" in words
    assert KEY not in words
    assert not key_holders.may_hold(process, f"PITBOSS_{name.upper()}_FILE")


def test_keys_of_its_own_and_common_settings_are_accepted() -> None:
    """A process gets what the table names for it, and everything that the table does not name."""
    secret = {name for name, field in Settings.model_fields.items() if sources.is_secret(field)}
    for process, names in key_holders.HELD.items():
        own = {name: json.loads(RING) if name.endswith("_keys") else KEY for name in names & secret}
        key_holders.verify(process, settings.load(**own))
        assert all(key_holders.may_hold(process, f"PITBOSS_{name.upper()}") for name in names)
        assert key_holders.may_hold(process, "PITBOSS_LISTEN")
        assert key_holders.may_hold(process, "PATH")
