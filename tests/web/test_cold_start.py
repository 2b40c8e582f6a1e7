"""The page from nothing: an empty cache, a new guest, one click, and the own cards."""

import json
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from tests.web import clicks
from tests.web.conftest import DESKTOP, PATIENCE_MS, PHONE

MOST_SHIFT: Final = 0.1
"""Cumulative layout shift up to which a page counts as steady (web.dev, "CLS")."""
_SHIFTS: Final = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) {
            if (one.hadRecentInput) continue;
            const box = (rect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
            const moved = one.sources.map((source) => [
                source.node?.className || source.node?.nodeName || "gone",
                box(source.previousRect),
                box(source.currentRect),
            ].join(": "));
            window.shifts.push({ at: one.startTime, value: one.value, moved });
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""
_PAINT: Final = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def _keep(file: Path, told: dict[str, Any]) -> None:
    file.write_text(json.dumps(told), encoding="utf-8")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_a_guest_is_dealt_cards_and_nothing_jumps(
    browser: Browser,
    link: Callable[[], Awaitable[str]],
    size: tuple[int, int],
    record_property: Callable[[str, object], None],
) -> None:
    """From the link to the own cards nothing on the page is displaced. How long it takes is said, not judged."""
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    await context.add_init_script(f"({_SHIFTS})()")
    page, address = await context.new_page(), await link()
    begun = time.monotonic()
    await page.goto(address)
    await page.locator(".entry").first.wait_for()
    lobby = time.monotonic()
    await clicks.seated(page, "texas_holdem")
    dealt = time.monotonic()
    shifts = await page.evaluate("() => window.shifts")
    told = {
        "size": size,
        "first_paint_ms": round(await page.evaluate(_PAINT)),
        "lobby_ms": round(1000 * (lobby - begun)),
        "dealt_ms": round(1000 * (dealt - begun)),
        "shift": round(sum(one["value"] for one in shifts), 4),
    }
    record_property("cold_start", json.dumps(told))
    if folder := os.environ.get("PITBOSS_WEB_PICTURES"):
        _keep(Path(folder, f"cold-start-{size[0]}.json"), told | {"shifts": shifts})
    assert sum(one["value"] for one in shifts) < MOST_SHIFT, shifts
    await context.close()
