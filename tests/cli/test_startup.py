"""Commands start quickly, because each imports what it needs and nothing else."""

import inspect
import json
import subprocess
import sys

import pytest

from services.cli import command_group, commands

HEAVY = ("grpc", "psycopg", "redis", "sqlalchemy", "alembic", "prometheus_client", "starlette", "jinja2")
"""Packages whose import takes a command's time for itself."""
HOUSE = ("services.rules.catalogue", "services.rules.poker", "services.audit", "services.dealer", "services.settlement")
"""Rooms of the house that load every game or a whole service."""
PROGRAM = """
import sys
from services.cli import main
sys.argv = ["pitboss", *{arguments!r}]
try:
    main.main()
except SystemExit as ended:
    code = ended.code or 0
import json
print()
print(json.dumps([code, sorted(sys.modules)]))
"""


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a command has imported when it ends well, in a process of its own."""
    line = [sys.executable, "-c", PROGRAM.format(arguments=arguments)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=True)
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stdout + done.stderr
    return set(modules)


def heavy(modules: set[str], names: tuple[str, ...]) -> list[str]:
    """Return which of these packages were imported."""
    return [name for name in names if name in modules]


def test_the_list_of_commands_imports_none_of_them() -> None:
    """It shows every command with its text, and has imported neither a command nor a setting."""
    modules = loaded("--help")
    assert heavy(modules, (*HEAVY, *HOUSE, "pydantic_settings", "jwt")) == []
    assert [
        name for entry in commands.COMMANDS.values() for name in entry.modules if f"services.cli.{name}" in modules
    ] == []


@pytest.mark.parametrize(
    "arguments",
    [
        *([name, "--help"] for name in ("serve", "migrate", "up", "certify", "simulate", "verify", "token", "doctor")),
        ["secrets"],
    ],
    ids=" ".join,
)
def test_simple_commands_import_no_heavy_package(arguments: list[str]) -> None:
    """What needs no house loads neither gRPC nor a database driver, nor the rules of games."""
    assert heavy(loaded(*arguments), (*HEAVY, *HOUSE)) == []


@pytest.mark.parametrize("name", ["tables", "backoffice", "report", "export", "export-ledger", "guest", "staff"])
def test_commands_that_call_a_house_import_no_part_of_it(name: str) -> None:
    """They need gRPC and the contract, but no database driver, no web server and no rules of games."""
    modules = loaded(name, "--help")
    assert heavy(modules, (*(one for one in HEAVY if one not in ("grpc", "redis")), *HOUSE)) == []


def test_the_list_of_commands_has_the_texts_of_the_commands() -> None:
    """Each command of the table exists under its name, with its first paragraph; none is missing from the table."""
    for name, entry in commands.COMMANDS.items():
        found = command_group.imported(name, entry)
        paragraph = inspect.cleandoc(found.help or "").split("\n\n")[0]
        assert " ".join(paragraph.split()) == entry.help, name
    whole = command_group.registered()
    assert set(whole) == set(commands.COMMANDS)
