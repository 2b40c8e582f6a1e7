"""Chinese letters on a system that lacks them: the page brings a font, and an English page loads none of it."""

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser

from tests.support import waits
from tests.support.people import Crowd
from tests.web.conftest import PATIENCE_MS, Entry
from tests.web.languages import LOCALES

pytestmark = pytest.mark.timeout(600)
FAMILIES: Final = {"zh-Hant": ("Noto Sans TC Variable", "遊戲規則"), "zh-Hans": ("Noto Sans SC Variable", "游戏规则")}
MOST_SLICES: Final = 60
"""Far fewer than a whole font has."""
BROUGHT: Final = """async ([family, letters]) =>
    (await document.fonts.load(`16px "${family}"`, letters)).map((one) => one.status)"""
"""Loads the slices that hold some letters; returns their states, none while the page names no such font."""

OLD_LETTERS: Final = """(selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility())
    .filter((one) => {
        const all = new Range();
        const width = (node) => { all.selectNodeContents(node); return all.getBoundingClientRect().width; };
        const again = one.cloneNode(true);
        one.after(again);
        const differs = Math.abs(width(one) - width(again)) > 0.5;
        again.remove();
        return differs;
    })
    .length === 0"""
"""Whether no chosen text is drawn otherwise than the same text that comes now: with boxes instead of letters."""


@pytest.mark.parametrize("language", LOCALES)
async def test_a_chinese_page_brings_the_letters_that_the_system_lacks(
    browser: Browser, crowd: Crowd, entry: Entry, language: str
) -> None:
    """Where no system font has the letters they come from the page's own; what is not Chinese loads no font."""
    context = await browser.new_context(locale=LOCALES[language])
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    await page.goto(entry(await crowd.player("ann")))
    await page.locator(".entry").first.wait_for()
    assert faults == []
    if language == "en":
        assert not [url for url in asked if "font-" in url or url.endswith(".woff2")]
        return
    family, letters = FAMILIES[language]
    drawn = await waits.eventually(lambda: page.evaluate(BROUGHT, [family, letters]), "the page's own letters")
    assert set(drawn) == {"loaded"}
    await waits.eventually(
        lambda: page.evaluate(OLD_LETTERS, ".past, #games, .choices option"), "what was drawn before the letters came"
    )
    fonts = [url for url in asked if "font-" in url or url.endswith(".woff2")]
    assert all(url.startswith(page.url) for url in fonts), "from the page's own process"
    assert len([url for url in fonts if url.endswith(".woff2")]) < MOST_SLICES, (
        "only the slices whose letters are shown"
    )


def test_the_font_keeps_its_licence(built: Path) -> None:
    """The licence of each font is served beside it."""
    for name in ("noto-sans-tc", "noto-sans-sc"):
        assert "SIL OPEN FONT LICENSE" in (built / f"{name}-licence.txt").read_text(encoding="utf-8")
        assert list(built.glob(f"{name}-*.woff2"))
