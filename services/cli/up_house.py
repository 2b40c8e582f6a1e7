"""Runs the whole house on this machine for ``pitboss up``, with a demo and with links for people."""

import asyncio
import signal
import threading
from pathlib import Path

import typer
from rich.console import Console

from services.cli import guest_command, house_tables, reach, staff_command
from services.console import assets
from services.gateway import envoy
from services.localhouse import local_house
from services.localhouse.embedded import EmbeddedError
from services.localhouse.process import HouseError
from services.runtime import built_files
from services.runtime.identity import Role


def run(
    folder: Path,
    *,
    demo: bool,
    once: bool,
    dealers: int,
    scripted_decks: bool,
    players: bool,
    gateway: bool,
    page: bool,
    with_console: bool,
    free_ports: bool,
    game: list[str],
    verbose: bool,
    language: str,
) -> int:
    """Start every service and stay up until a signal. Return the exit code."""
    console = Console()
    gateway, page, with_console = _there(console, gateway=gateway, page=page, with_console=with_console)
    house = local_house.LocalHouse(
        folder,
        dealers=dealers,
        scripted_decks=scripted_decks,
        fixed_ports=not free_ports,
        gateway=gateway,
        page=page,
        console=with_console,
        progress=lambda line: console.print(f"[dim]· {line}[/dim]"),
    )
    try:
        with house:
            house.write_down()
            failed = asyncio.run(_show(house, console, tuple(game), language, verbose=verbose)) if demo else 0
            if demo and players and not once:
                house.start_players()
                house.write_down()
                asyncio.run(house_tables.show(reach.of_folder(house.folder), console))
            links = {} if once else _links(house)
            if not once and not _stay(house, console, links):
                failed += 1
    except (HouseError, EmbeddedError) as error:
        typer.echo(f"pitboss up: {error}", err=True)
        return 1
    return 1 if failed else 0


def _there(console: Console, *, gateway: bool, page: bool, with_console: bool) -> tuple[bool, bool, bool]:
    """Return which of gateway, page and console are wanted and can be served; say what is missing."""
    if gateway and (why := envoy.unusable()):
        console.print(f"there is no gateway: {why}", style="yellow", highlight=False)
        gateway = False
    if page and not (built_files.PAGE_FOLDER / built_files.INDEX).exists():
        console.print("there is no page: it is not built (make page)", style="yellow", highlight=False)
        page = False
    if with_console and not list(assets.FOLDER.glob("console-*")):
        console.print("there is no console: it is not built (make page)", style="yellow", highlight=False)
        with_console = False
    return gateway, page, with_console


async def _show(
    house: local_house.LocalHouse, console: Console, games: tuple[str, ...], language: str, *, verbose: bool
) -> int:
    from services.cli import demo

    show = demo.Demo(reach.of_folder(house.folder), console, language, verbose=verbose)
    try:
        shown = await show.play_all(games)
    finally:
        await show.close()
    failed = [one for one in shown if one.fault]
    console.print(f"{len(shown) - len(failed)} passed, {len(failed)} failed")
    return len(failed) if shown else 1


def _links(house: local_house.LocalHouse) -> dict[str, str]:
    """Return links by what they are for: a guest with test money, and an operator at the console; each is for once."""
    found, links = reach.of_folder(house.folder), {}
    if house.page_url:
        guest = asyncio.run(guest_command.link(found, house.page_url, house.guests))
        links["Sit down and play:"] = guest
    if house.console_url:
        links["Watch the house as its operator:"] = staff_command.link(
            found, house.console_url, house.staff_links, staff_command.NAME, Role.OPERATOR
        )
    return links


def _stay(house: local_house.LocalHouse, console: Console, links: dict[str, str]) -> bool:
    """Wait for a signal and restart processes that end. Return False if one keeps ending."""
    told = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: told.set())
    for name, address in house.describe().items():
        console.print(f"{name:12} {address}   {house.members[name].metrics_url}")
    gateway = house.members.get("gateway")
    where = f"http://{gateway.address}" if gateway is not None else house.dealers[0].address
    console.print(f"the house is up, Ctrl-C stops it: {where}", highlight=False, soft_wrap=True)
    for what, link in links.items():
        console.print(f"[bold]{what}[/bold] {link}", highlight=False, soft_wrap=True)
    while not told.wait(1.0):
        if not house.mend():
            console.print(f"[red]stopping: a process keeps ending; see the logs in {house.folder}[/red]")
            return False
    return True
