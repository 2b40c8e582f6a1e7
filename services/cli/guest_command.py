"""``pitboss guest``: a link by which a visitor plays with test money, once, without an account."""

import asyncio
import secrets
from pathlib import Path
from typing import Annotated, Final

import typer
from pitboss import client

from services.cli import reach
from services.cli.reach import Reach
from services.runtime import guest_links
from services.runtime.identity import Role
from services.runtime.settings import TEST_CURRENCY

CHIPS: Final = 10_000
"""Test money that a guest begins with."""
NAME: Final = "Guest"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(guest)


def guest(
    name: Annotated[str, typer.Option(help="Name shown at tables.")] = NAME,
    chips: Annotated[int, typer.Option(min=1, max=10_000_000, help="Test money to begin with.")] = CHIPS,
    folder: Annotated[Path, typer.Option(help="Folder of the house (pitboss up).")] = Path("var"),
) -> None:
    """Print a one-time link to the page, for a guest who plays with test money."""
    written = folder / "page.url"
    page = written.read_text(encoding="utf-8").strip() if written.exists() else ""
    if not page:
        raise typer.BadParameter(f"{folder} is not the folder of a house with a page; does `pitboss up` run there?")
    typer.echo(asyncio.run(link(reach.of_folder(folder), page, folder / "guests.json", name, chips)))


async def link(found: Reach, page: str, guests: Path, name: str = NAME, chips: int = CHIPS) -> str:
    """Make a guest with test money in its wallet. Return the address that signs it in, once."""
    subject = f"guest-{secrets.token_hex(16)}"
    token = found.token(subject, test=True, name=name)
    operator = found.token("operator", Role.OPERATOR)
    async with client.connect(found.dealers[0], operator, found.settlement) as house:
        await house.deposit(subject, chips, currency=TEST_CURRENCY, reason="play money of a guest")
    return f"{page}/#guest={guest_links.add(guests, token)}"
