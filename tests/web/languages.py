"""One visitor for each language of the page, and what no page may say: names of keys, English on a Chinese page."""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from playwright.async_api import Browser, Page

from tests.support.people import Person
from tests.web.conftest import DESKTOP, PATIENCE_MS, Entry

LOCALES: Final = {"en": "en-GB", "zh-Hant": "zh-TW", "zh-Hans": "zh-CN"}
NAMES: Final = ("Ann", "Bob", "Cid")
"""Players of the three languages, whose names no language translates."""
_OWN: Final = {"Pitboss", "English", "Guest", *NAMES}
_SAID: Final = """() => {
    const spoken = (one) => ["aria-label", "title", "placeholder", "alt"].map((name) => one.getAttribute(name) ?? "");
    const all = [...document.body.querySelectorAll("*")].flatMap(spoken);
    return [document.title, document.body.innerText, ...all].join("\\n");
}"""
_KEY: Final = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b[A-Z]+(?:_[A-Z]+)+\b|undefined|\[object")
_ENGLISH: Final = re.compile(r"[A-Za-z]{3,}")

Pages = dict[str, Page]


async def opened(browser: Browser, entry: Entry, people: list[Person], path: str) -> Pages:
    """Open a path of the page in each language, each as a person of its own."""
    found: Pages = {}
    for (language, locale), person in zip(LOCALES.items(), people, strict=True):
        context = await browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, locale=locale)
        context.set_default_timeout(PATIENCE_MS)
        found[language] = await context.new_page()
        await found[language].goto(entry(person, path))
    return found


async def say(pages: Pages, selector: str, texts: dict[str, str]) -> None:
    """Wait until each page says its text there, and see that nothing on it is of another language."""
    for language, page in pages.items():
        await page.locator(selector, has_text=texts[language]).first.wait_for()
        found = await wrong(page, language)
        assert not found, (language, found)


async def wrong(page: Page, language: str) -> list[str]:
    """Return the names of keys on a page, and English words where it is Chinese."""
    said = await page.evaluate(_SAID)
    found = _KEY.findall(said)
    if language != "en":
        found += [word for word in _ENGLISH.findall(said) if word not in _OWN]
    return found


async def each(pages: Pages, work: Callable[[Page], Awaitable[object]]) -> None:
    """Do something on each page, one after the other."""
    for page in pages.values():
        await work(page)
