"""A round as a visitor plays it: sit down with one click, then press what keeps the hand."""

from typing import Final

from playwright.async_api import Error, Page

from tests.support import waits

KEEPING: Final = ("check", "call", "stand", "done", "play", "hint", "choose", "pass", "fold")
"""What a visitor presses, in this order: what costs little and stays in the round."""
CHOOSING: Final = ("hint", "choose")
"""What chooses cards and sends nothing yet."""
_PRESS_MS: Final = 5_000
"""A button that is pressed in vain so long is gone: the clock or the house has decided."""
_STATE: Final = """(wanted) => {
    const table = document.querySelector(".stage > .table");
    if (table === null) return "";
    if (table.dataset.ended === "true") return "ended";
    const open = [...document.querySelectorAll(".bar:not([data-busy=true]) [data-action]:not([aria-disabled=true])")];
    const names = open.map((one) => one.dataset.action);
    const isOpen = document.querySelector(".bar:not([data-busy=true])") !== null;
    const choices = document.querySelector(".own .choice[aria-pressed=false]:not([aria-disabled=true])");
    if (isOpen && choices) names.push("choose");
    return wanted.find((one) => names.includes(one)) ?? "";
}"""


async def seated(page: Page, game: str) -> None:
    """Sit down in a game with one click, and wait until the own hand is dealt."""
    await page.locator(f".entry:has(a[href='/games/{game}']) button.main").click()
    await page.locator(".stage > .table[data-ended=false] .own .held .card").first.wait_for()


async def finished(page: Page) -> None:
    """Press what keeps the hand until the round is over."""
    while (state := await offered(page)) != "ended":
        await pressed(page, state)


async def offered(page: Page) -> str:
    """Wait for the own turn. Return the action that a visitor would press, or ``ended``."""
    return await waits.eventually(lambda: page.evaluate(_STATE, KEEPING), "a turn or the end of the round")


async def pressed(page: Page, action: str) -> None:
    """Press the button of an action, or choose a card, if it is still there."""
    card = ".own .choice[aria-pressed=false]:not([aria-disabled=true])"
    try:
        await page.locator(card if action == "choose" else f".bar [data-action='{action}']").first.click(
            timeout=_PRESS_MS
        )
    except Error as error:
        if "Timeout" not in error.message:
            raise


async def played(page: Page, game: str) -> None:
    """Sit down, and play one round to its end."""
    await seated(page, game)
    await finished(page)
