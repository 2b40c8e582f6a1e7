"""The console in a real browser, at a real house."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from services.cli import reach, staff_command
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.support import people
from tests.web.conftest import DESKTOP, PATIENCE_MS, browser, built, chromium

__all__ = ["browser", "built", "chromium"]

expect.set_options(timeout=PATIENCE_MS)
Enter = Callable[..., Awaitable[Page]]
TABLET = (834, 1112)


@pytest.fixture(scope="session")
def house(
    built: Path, tmp_path_factory: pytest.TempPathFactory, house_urls: Callable[[], tuple[str, str]]
) -> Iterator[local_house.LocalHouse]:
    """Yield a house with a console."""
    assert built.exists()
    database_url, redis_url = house_urls()
    running = local_house.LocalHouse(
        tmp_path_factory.mktemp("console"),
        database_url=database_url,
        redis_url=redis_url,
        settings={"PITBOSS_DRAIN_SECONDS": "2", "PITBOSS_SCRIPTED_DECKS": "true"},
        console=True,
    )
    with running:
        running.write_down()
        yield running


@pytest.fixture
async def crowd(house: local_house.LocalHouse) -> AsyncIterator[people.Crowd]:
    """Yield people of the house."""
    async with people.Crowd(reach.of_folder(house.folder)) as found:
        yield found


@pytest.fixture
def staff_link(house: local_house.LocalHouse) -> Callable[..., str]:
    """Return a function that makes a one-time link for a person of the house."""

    def made(name: str = "nora", role: Role = Role.OPERATOR) -> str:
        return staff_command.link(reach.of_folder(house.folder), house.console_url, house.staff_links, name, role)

    return made


@pytest.fixture
def enter(browser: Browser, staff_link: Callable[..., str]) -> Enter:
    """Return a function that signs a person in in a browser context of its own. A fault of the page fails the test."""

    async def entered(
        name: str = "nora", role: Role = Role.OPERATOR, size: tuple[int, int] = DESKTOP, locale: str = "en-GB"
    ) -> Page:
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale=locale, bypass_csp=False
        )
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.faults = faults  # type: ignore[attr-defined]  # looked at by the tests
        await page.goto(staff_link(name, role))
        await page.locator("button.main").click()
        await page.locator("#live").wait_for()
        return page

    return entered
