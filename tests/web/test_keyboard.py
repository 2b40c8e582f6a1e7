"""The page by keys alone: sign in, choose a game, play a round, read fairness and history, leave."""

from typing import Any, Final

import pytest
from playwright.async_api import Page

from tests.support import waits
from tests.web import clicks, languages
from tests.web.conftest import DESKTOP, Visit

pytestmark = pytest.mark.timeout(600)
MOST_TABS: Final = 150
FOCUSED: Final = """(wanted) => {
    const one = document.activeElement;
    if (one === null || one === document.body) return { there: false, seen: true, what: "" };
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    const drawn = outlined && box.width > 0 && box.height > 0;
    return {
        there: one.matches(wanted),
        seen: !one.matches(":focus-visible") || drawn || one.matches("main"),
        what: one.outerHTML.slice(0, 160),
    };
}"""
NAMELESS: Final = {"button", "link", "img", "image", "textbox", "searchbox", "combobox", "slider", "checkbox", "tab"}
KEYS: Final = {"check": "c", "call": "c", "pass": "p", "fold": "f", "hint": "h"}


async def reached(page: Page, wanted: str) -> None:
    """Press Tab until an element has the focus; see that the focus is drawn wherever it comes, and stays nowhere."""
    before: list[str] = []
    for _ in range(MOST_TABS):
        at = await page.evaluate(FOCUSED, wanted)
        assert at["seen"], f"the focus is not drawn at {at['what']}"
        if at["there"]:
            return
        before.append(at["what"])
        assert len(before) < 4 or len(set(before[-4:])) > 1, f"the focus is caught at {at['what']}"
        await page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {wanted}; the focus was at {before[-20:]}")


async def entered(page: Page, wanted: str) -> None:
    """Go to an element by Tab, and press Enter there."""
    await reached(page, wanted)
    await page.keyboard.press("Enter")


async def unnamed(page: Page) -> list[Any]:
    """Return what the accessibility tree holds of controls and pictures without a name."""
    session = await page.context.new_cdp_session(page)
    nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    await session.detach()
    return [
        (node["role"]["value"], node.get("backendDOMNodeId"))
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in NAMELESS and not node.get("name", {}).get("value")
    ]


async def sat(page: Page, name: str, game: str) -> None:
    """Find a game by its name and sit down."""
    await reached(page, "input[type=search]")
    await page.keyboard.type(name)
    await entered(page, f".entry:has(a[href='/games/{game}']) button.main")
    await page.locator(".stage > .table[data-ended=false] .own .held .card").first.wait_for()


async def chosen(page: Page) -> None:
    """Choose a card by keys; nothing where the turn is over before the focus has come to the cards."""
    try:
        await reached(page, ".own .choice")
    except AssertionError:
        if await page.locator(".own .choice").count():
            raise
        return
    while not await page.evaluate("document.activeElement.matches('.choice:not([aria-disabled=true])')"):
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press(" ")


async def played(page: Page, result: str) -> set[str]:
    """Play the round to its end by keys, until its result is announced. Return what was announced meanwhile."""
    heard: set[str] = set()
    while (state := await clicks.offered(page)) != "ended":
        heard.add(await page.locator(".announced").inner_text())
        if state in KEYS:
            await page.keyboard.press(KEYS[state])
        elif state == "choose":
            await chosen(page)
        else:
            await entered(page, f".bar [data-action='{state}']:not([aria-disabled=true])")
    await page.locator(".result .nets li").first.wait_for()

    async def told() -> str:
        said = await page.locator(".announced").inner_text()
        return said if said.startswith(result) else ""

    await waits.eventually(told, "the result is announced")
    return heard


@pytest.mark.parametrize(
    ("locale", "language", "name", "game", "turn", "result"),
    [
        ("en-GB", "en", "texas", "texas_holdem", "Your turn", "Result"),
        ("zh-TW", "zh-Hant", "大老二", "big_two", "輪到你", "結果"),
    ],
)
async def test_a_round_is_played_by_keys_alone(
    visit: Visit, locale: str, language: str, name: str, game: str, turn: str, result: str
) -> None:
    """Every step is done by keys, the focus is seen everywhere, all has a name, and turns and results are announced."""
    page = await visit(DESKTOP, locale)
    assert await unnamed(page) == []
    await sat(page, name, game)
    assert await unnamed(page) == []
    names = set(" ".join(await page.locator(".seat .name").all_inner_texts()).split())
    assert turn in await played(page, result)
    await entered(page, ".fairness > summary")
    await page.locator(".fairness[open] [data-rule=proofs]").wait_for()
    await reached(page, ".fairness-seed input")
    await entered(page, ".seat-bar button:last-of-type")
    await page.locator(".room .seat.own").wait_for(state="detached")
    await entered(page, "a.past")
    await entered(page, ".history-rounds tbody a")
    await page.locator(".replay .replay-steps button").first.wait_for()
    assert await unnamed(page) == []
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowLeft")
    # Keys are called as on the keyboard.
    assert set(await languages.wrong(page, language)) <= names | {"Home", "End"}
    await entered(page, "a.brand")
    await page.locator(".entry").first.wait_for()
