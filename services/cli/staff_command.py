"""``pitboss staff``: a link by which a person of the house signs in to the console, once."""

from pathlib import Path
from typing import Annotated, Final

import typer

from services.cli import reach
from services.cli.reach import House, Reach
from services.runtime import guest_links
from services.runtime.identity import SUBJECT, Role

NAME: Final = "nora"
"""The operator of a house that was just started."""
ROLES: Final = (Role.OPERATOR, Role.AUDITOR)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(staff)


def staff(
    name: Annotated[str, typer.Argument(help="Who signs in: the name in every record of what this person does.")],
    role: Annotated[str, typer.Option(help="operator or auditor.")] = Role.OPERATOR.value,
    folder: House = Path("var"),
) -> None:
    """Print a one-time link to the console. The person acts with a token of its own."""
    written = folder / "console.url"
    console = written.read_text(encoding="utf-8").strip() if written.exists() else ""
    if not console:
        raise typer.BadParameter(f"{folder} is not the folder of a house with a console; does `pitboss up` run there?")
    if role not in ROLES:
        raise typer.BadParameter(f"{role!r} is no role of the console; it is one of {', '.join(ROLES)}")
    if not SUBJECT.fullmatch(name):
        raise typer.BadParameter(f"{name!r}: 1 to 64 letters, digits and . _ @ | -")
    typer.echo(link(reach.of_folder(folder), console, folder / "staff.json", name, Role(role)))


def link(found: Reach, console: str, links: Path, name: str, role: Role) -> str:
    """Return the address that signs a person in to the console, once."""
    return f"{console}/link/{guest_links.add(links, found.token(name, role, name=name))}"
