"""The command line of one operator at a running house, in this process."""

import asyncio
from typing import Any

import typer
from typer.testing import CliRunner

from services.cli import main
from services.localhouse.local_house import LocalHouse


class Office:
    """The command line of one operator."""

    def __init__(self, house: LocalHouse) -> None:
        self._house = house

    async def run(self, *arguments: str, name: str = "olga", well: bool = True) -> str:
        """Run a command as a person; see ``done``."""
        return await self.done(*arguments, "--as", name, well=well)

    async def done(self, *arguments: str, well: bool = True) -> str:
        """Run a command; it must succeed, or, with ``well=False``, end with a refusal in words.

        Return what it wrote to standard output, and of one that is refused both outputs.
        """
        answer: Any = await self.called(*arguments)
        assert (answer.exit_code == 0) == well, answer.output
        return str(answer.stdout if well else answer.output)

    async def called(self, *arguments: str) -> Any:
        """Run a command; return its exit code and outputs (typer.testing)."""
        whole = [*arguments, "--folder", str(self._house.folder)]
        return await asyncio.to_thread(CliRunner().invoke, app(), whole)


def app() -> typer.Typer:
    """Return the whole command line."""
    return main.app
