"""The group of all commands. A command's module is imported when the command is called, and not before."""

import importlib
from collections.abc import Mapping
from typing import Any

import typer
import typer.core
import typer.main

from services.cli import acting, commands
from services.cli.commands import COMMANDS, Entry


class HouseRefuses(Exception):
    """The house refuses a command or cannot be reached. The text begins with the reason."""


class Commands(typer.core.TyperGroup):
    """A command group. A refusal of the house is printed as one line with exit code 1; wrong usage exits with 2."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except HouseRefuses as refusal:
            typer.echo(f"pitboss: refused: {refusal}", err=True)
            raise typer.Exit(1) from None


class AllCommands(Commands):
    """Every command of ``COMMANDS``. The list of commands shows their texts without importing them."""

    entries: Mapping[str, Entry] = COMMANDS

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, entry in self.entries.items():
            if name not in self.commands:
                self.add_command(typer.core.TyperCommand(name, help=entry.help))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; ``--yes`` may stand anywhere in it."""
        return super().parse_args(ctx, acting.take_yes(args))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command by its name, imported."""
        if args and args[0] in self.entries:
            self.commands[args[0]] = imported(args[0], self.entries[args[0]])
        return super().resolve_command(ctx, args)


def imported(name: str, entry: Entry) -> Any:
    """Import the modules of a command and return it."""
    app = typer.Typer(add_completion=False)
    for module in entry.modules:
        importlib.import_module(f"services.cli.{module}").register(app)
    return typer.main.get_group(app).commands[name]


def registered() -> set[str]:
    """Import every module of commands and return the names that they add."""
    app = typer.Typer(add_completion=False)
    commands.register(app)
    return set(typer.main.get_group(app).commands)
