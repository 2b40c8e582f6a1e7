"""The page in a real browser, at a real house with gateway and house players."""

import fcntl
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from services.cli import guest_command, reach
from services.localhouse import local_house
from services.runtime import guest_links
from tests.support import people

ROOT = Path(__file__).parents[2]
NPM = ROOT / "protos" / "typescript" / "npm.py"
BUILD_SECONDS = 400
PATIENCE_MS = 60_000
"""How long a browser may take for one thing on a machine that others use too."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
DESKTOP, PHONE = (1280, 800), (390, 844)

QUICK = {
    "PITBOSS_DRAIN_SECONDS": "2",
    "PITBOSS_GATEWAY_QUOTA": "5000/50000",
    "PITBOSS_PLAYERS_GAMES": "[]",
    "PITBOSS_PLAYERS_LEAST_THINK_SECONDS": "0",
    "PITBOSS_PLAYERS_MOST_THINK_SECONDS": "0.1",
}
"""Settings of a house whose players decide at once, and which limits no test."""

Visit = Callable[..., Awaitable[Page]]
Entry = Callable[..., str]


def ran(*line: str, **environment: str) -> str:
    """Run a program, which must succeed. Return what it wrote."""
    done = subprocess.run(
        line, env=os.environ | environment, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="session")
def built() -> Path:
    """Return the folder of the page, built from its sources as they are now."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    with (folder / "typescript.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran("make", "--no-print-directory", "-C", str(ROOT), "page")
    return ROOT / "services" / "web" / "page" / "dist"


@pytest.fixture(scope="session")
def chromium(built: Path) -> str:
    """Return the path of the browser, unpacked from its package."""
    assert built.exists()
    cache = ROOT / "protos" / "typescript" / "node_modules" / ".cache"
    cache.mkdir(exist_ok=True)
    with (ROOT / "build" / "typescript.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return ran(sys.executable, str(NPM), "run", "--silent", "browser", TMPDIR=str(cache)).split()[-1]


@pytest.fixture(scope="session")
def house(
    built: Path, tmp_path_factory: pytest.TempPathFactory, house_urls: Callable[[], tuple[str, str]]
) -> Iterator[local_house.LocalHouse]:
    """Yield a house with gateway, page and quick house players."""
    assert built.exists()
    database_url, redis_url = house_urls()
    running = local_house.LocalHouse(
        tmp_path_factory.mktemp("web"),
        database_url=database_url,
        redis_url=redis_url,
        settings={
            **QUICK,
            "PITBOSS_PLAYERS_HELPED_TABLES": "60",
            "PITBOSS_PLAYERS_CALLS_PER_SECOND": "200",
        },
        gateway=True,
        page=True,
    )
    with running:
        running.start_players()
        running.write_down()
        yield running


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """Yield a browser of this test."""
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=120_000)
        yield opened
        await opened.close()


@pytest.fixture
def link(house: local_house.LocalHouse) -> Callable[[], Awaitable[str]]:
    """Return a function that makes a one-time link for a new guest."""

    async def made() -> str:
        return await guest_command.link(reach.of_folder(house.folder), house.page_url, house.guests)

    return made


@pytest.fixture
async def crowd(house: local_house.LocalHouse) -> AsyncIterator[people.Crowd]:
    """Yield people of the house: players whose tables a test sets up, and staff."""
    async with people.Crowd(reach.of_folder(house.folder)) as found:
        yield found


@pytest.fixture
def entry(house: local_house.LocalHouse) -> Entry:
    """Return a function that makes an address which signs a person in and leads to a path of the page."""

    def made(person: people.Person, path: str = "/") -> str:
        return f"{house.page_url}{path}#guest={guest_links.add(house.guests, person.token)}"

    return made


@pytest.fixture
def visit(browser: Browser, link: Callable[[], Awaitable[str]]) -> Visit:
    """Return a function that opens the page as a new guest; its faults and messages must stay empty."""

    async def visited(
        size: tuple[int, int] = DESKTOP, locale: str = "en-GB", *, bypass: bool = False, still: bool = False
    ) -> Page:
        context: BrowserContext = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=locale,
            bypass_csp=bypass,
            reduced_motion="reduce" if still else "no-preference",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        await page.goto(await link())
        await page.locator(".entry").first.wait_for()
        return page

    return visited
