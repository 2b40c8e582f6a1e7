"""How the command line calls the back office: as an operator under an own name, with refusals said in words."""

import getpass
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from pitboss import client

from services.cli import reach
from services.cli.refusing import HouseRefuses
from services.runtime.identity import Role

Folder = Annotated[Path, typer.Option("--folder", help="Folder of the house (pitboss up).")]
Name = Annotated[str, typer.Option("--as", help="Under which name you act; none: your login.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept for ever, so name nobody in it.")]


@asynccontextmanager
async def operator(folder: Path, name: str) -> AsyncIterator[client.House]:
    """Connect to a house as an operator. Raises HouseRefuses where it refuses."""
    found = reach.of_folder(folder)
    token = found.token(name or getpass.getuser(), Role.OPERATOR)
    async with client.connect(found.families or found.dealers[0], token, found.settlement) as house:
        try:
            yield house
        except client.Refused as refusal:
            raise HouseRefuses(str(refusal)) from None


async def call(house: client.House, method: str, request: Any) -> Any:  # noqa: ANN401 - any method of the back office
    """Call a method of the back office."""
    return await house.call(getattr(house.office, method), request)
