"""The command line, called in this process."""

from collections.abc import Callable
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from services.cli import commands

Call = Callable[..., Any]
"""Takes arguments, ``given`` as standard input and settings; gives exit code and output (typer.testing)."""


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Return a function that calls ``pitboss`` with arguments, in an environment without settings of the house."""
    for name in (
        "DATABASE_URL",
        "REDIS_URL",
        "JWT_SECRET",
        "JWT_PRIVATE_KEY",
        "DEAL_KEYS",
        "AUDIT_KEYS",
        "PERSONAL_KEYS",
        "CHECKPOINT_KEY",
        "LEDGER_KEY",
        "LEDGER_PUBLIC_KEYS",
    ):
        monkeypatch.delenv(f"PITBOSS_{name}", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    app = typer.Typer(pretty_exceptions_enable=False)
    commands.register(app)

    def call(*arguments: object, given: str = "", **environment: str) -> Any:
        return CliRunner().invoke(app, [str(one) for one in arguments], input=given, env=environment)

    return call
