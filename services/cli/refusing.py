"""What the house answers a command with when it says no: in words, and with another exit code than wrong usage."""

from typing import Any

import typer
import typer.core


class HouseRefuses(Exception):  # noqa: N818 - an answer of the house, not an error of the program
    """The house refuses a command, or cannot be reached; the text begins with the reason."""


class Commands(typer.core.TyperGroup):
    """The command line: a refusal of the house is one line and exit code 1, wrong usage stays exit code 2."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - the context is of a private type; whatever a command gives
        """Run a command."""
        try:
            return super().invoke(ctx)
        except HouseRefuses as refusal:
            typer.echo(f"pitboss: the house refuses this: {refusal}", err=True)
            raise typer.Exit(1) from None
