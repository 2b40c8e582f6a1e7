"""Signing in at a real provider, by clicks: play, renewal, sign-out, refusals in words; and a guest's link."""

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Request, Route, ViewportSize

from services.cli import guest_command, reach
from services.localhouse import local_house
from tests.support import people, provider, waits
from tests.web import clicks
from tests.web.conftest import DESKTOP, PATIENCE_MS, QUICK
from tests.web.test_page import pictured, violations

pytestmark = pytest.mark.timeout(600)
LIFE_SECONDS = 30
"""Life of an access token: a page that begins renews it at once."""

SAID = {
    "en-GB": "Your sign-in has ended",
    "zh-TW": "你的登入已結束",
    "zh-CN": "你的登录已结束",
}
Open = Callable[..., Awaitable[Page]]


@pytest.fixture(scope="session")
def issuer(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[provider.Provider]:
    """Yield a provider at which anybody is a player of test money."""
    assert built.exists()
    claims = {"role": "player", "test": True}
    anns = {"ann": {**claims, "name": "Ann of Kowloon"}}
    # A native client may return to any port of this machine.
    with provider.running(
        ["http://127.0.0.1/signed-in"],
        tmp_path_factory.mktemp("provider"),
        people=anns,
        anybody=claims,
        seconds=LIFE_SECONDS,
    ) as found:
        yield found


@pytest.fixture(scope="session")
def house(
    issuer: provider.Provider, tmp_path_factory: pytest.TempPathFactory, house_urls: Callable[[], tuple[str, str]]
) -> Iterator[local_house.LocalHouse]:
    """Yield a house that accepts the provider's tokens, with a page whose visitors sign in there."""
    database_url, redis_url = house_urls()
    running = local_house.LocalHouse(
        tmp_path_factory.mktemp("signed"),
        database_url=database_url,
        redis_url=redis_url,
        settings={
            **QUICK,
            **issuer.house_settings(),
            **issuer.page_settings(),
        },
        gateway=True,
        page=True,
    )
    with running:
        running.start_players()
        running.write_down()
        yield running


@pytest.fixture
def opened(browser: Browser, house: local_house.LocalHouse) -> Open:
    """Return a function that opens the page in a browser of its own, for a visitor who is not signed in."""

    async def visited(locale: str = "en-GB", path: str = "/", *, bypass: bool = False) -> Page:
        size: ViewportSize = {"width": DESKTOP[0], "height": DESKTOP[1]}
        context = await browser.new_context(viewport=size, locale=locale, bypass_csp=bypass)
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        await page.goto(house.page_url + path)
        return page

    return visited


async def signed_in(page: Page, name: str) -> None:
    """Sign in at the provider by clicks, and wait for the lobby."""
    await page.locator(".sign-in button.main").click()
    await provider.sign_in(page, name)
    await page.locator(".entry").first.wait_for()


async def kept(page: Page) -> dict[str, str]:
    """Return the session that a tab keeps."""
    found: dict[str, str] = await page.evaluate("() => JSON.parse(sessionStorage.getItem('pitboss.session') ?? '{}')")
    return found


def used(issuer: provider.Provider, refresh: str, path: str = "/token") -> int:
    """Use a refresh token, or take it back. Return the provider's status."""
    given = {"client_id": provider.CLIENT, "grant_type": "refresh_token", "refresh_token": refresh, "token": refresh}
    body = urllib.parse.urlencode(given).encode()
    try:
        with urllib.request.urlopen(issuer.issuer + path, body, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


async def test_a_player_signs_in_plays_is_renewed_and_signs_out(
    opened: Open, house: local_house.LocalHouse, issuer: provider.Provider
) -> None:
    """The provider's token plays a hand and is renewed unseen; a sign-out ends it in all tabs and at the provider."""
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        await crowd.operator.house.deposit("ann", 10_000, currency="XTS", reason="a start")
    page = await opened()
    await signed_in(page, "ann")
    assert await page.locator(".who .name").inner_text() == "Ann of Kowloon"
    assert "code=" not in page.url
    first = await kept(page)
    await clicks.played(page, "texas_holdem")
    await page.reload()
    await page.locator(".room .stage > .table, .entry").first.wait_for()
    await waits.eventually(lambda: _is_renewed(page, first), "another token and refresh token")
    async with page.expect_popup() as popped:
        await page.evaluate("() => { window.open(location.origin + '/'); }")
    other = await popped.value
    other.set_default_timeout(PATIENCE_MS)
    await other.locator(".entry").first.wait_for()
    assert await other.locator(".who .name").inner_text() == "Ann of Kowloon"
    last = await kept(page)
    await page.locator(".who button").click()
    await other.locator(".sign-in button.main").wait_for()
    assert await other.evaluate("() => sessionStorage.length") == 0
    await page.locator("button[name=logout]").click()
    await page.locator(".sign-in button.main").wait_for()
    assert page.url == f"{house.page_url}/"
    assert await page.evaluate("() => sessionStorage.length") == 0
    assert used(issuer, last["refresh"]) == 400
    await page.locator(".sign-in button.main").click()
    await page.locator("input[name=login]").wait_for()


async def _is_renewed(page: Page, first: dict[str, str]) -> bool:
    now = await kept(page)
    return now.get("token") not in (None, first["token"]) and now["refresh"] != first["refresh"]


async def test_two_tabs_of_one_sign_in_use_each_refresh_token_once(opened: Open) -> None:
    """A duplicated tab and its original renew again and again, and the provider never takes it for a theft."""
    page = await opened()
    await signed_in(page, "bob")
    async with page.expect_popup() as popped:
        await page.evaluate("() => { window.open(location.href); }")
    other = await popped.value
    for _ in range(3):
        for tab in (page, other):
            await tab.reload()
            await tab.locator(".entry").first.wait_for()
            await tab.locator(".purse .chips:not(:text('…'))").wait_for()


@pytest.mark.parametrize("locale", list(SAID))
async def test_a_refused_renewal_is_said_in_the_visitor_s_language(
    opened: Open, issuer: provider.Provider, locale: str
) -> None:
    """Once the provider has taken the sign-in back, the page says that it has ended and keeps nothing of it."""
    page = await opened(locale)
    await signed_in(page, "bob")
    await waits.eventually(lambda: _has(page, "refresh"), "a sign-in that can be renewed")
    await page.locator(".purse .chips:not(:text('…'))").wait_for()
    assert used(issuer, (await kept(page))["refresh"], "/token/revocation") == 200
    await page.reload()
    await page.locator(".sign-in [role=alert]").wait_for()
    assert SAID[locale] in await page.locator(".sign-in [role=alert]").inner_text()
    assert await page.evaluate("() => sessionStorage.length") == 0


async def _has(page: Page, name: str) -> bool:
    return name in await kept(page)


async def refused(page: Page) -> str:
    """Return why nobody is signed in, in the page's words."""
    await page.locator(".sign-in [role=alert]").wait_for()
    assert "pitboss.session" not in await page.evaluate("() => Object.keys(sessionStorage)")
    return await page.locator(".sign-in [role=alert]").inner_text()


async def test_answers_that_fit_no_sign_in_are_refused_in_words(opened: Open, issuer: provider.Provider) -> None:
    """An answer that nobody asked for, a wrong state, a wrong code and a wrong nonce sign nobody in."""
    page = await opened(path="/signed-in?code=x&state=y")
    assert "belongs to no sign-in of this page" in await refused(page)
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.startswith(f"{issuer.issuer}/auth?"):
            asked.append(request.url)

    page.on("request", note)
    for query, words in (
        ({"state": "x"}, "belongs to no sign-in of this page"),
        ({"code": "x"}, "did not succeed"),
        ({"error": "access_denied"}, "has not let you in"),
    ):
        back = page.url.partition("/signed-in")[0].rstrip("/")
        await page.locator(".sign-in button.main").click()
        await page.locator("input[name=login]").wait_for()
        state = urllib.parse.parse_qs(urllib.parse.urlsplit(asked[-1]).query)["state"][0]
        answer = {"state": state, "iss": issuer.issuer, **query}
        await page.goto(f"{back}/signed-in?{urllib.parse.urlencode(answer)}")
        assert words in await refused(page)

    async def replaced(route: Route) -> None:
        parts = urllib.parse.urlsplit(route.request.url)
        given = {name: value[0] for name, value in urllib.parse.parse_qs(parts.query).items()}
        other = parts._replace(query=urllib.parse.urlencode({**given, "nonce": "another"}))
        await route.fulfill(status=302, headers={"location": other.geturl()})

    await page.route(f"{issuer.issuer}/auth?*", replaced, times=1)
    await page.locator(".sign-in button.main").click()
    await provider.sign_in(page, "bob")
    assert "belongs to no sign-in of this page" in await refused(page)


async def test_a_provider_s_further_origin_is_named_in_words(opened: Open, issuer: provider.Provider) -> None:
    """Where the provider exchanges codes at an origin that the page may not call, the page says which."""
    page = await opened()
    elsewhere = {**issuer.discovery(), "token_endpoint": "http://127.0.0.1:9/token"}

    async def answered(route: Route) -> None:
        headers = {"access-control-allow-origin": "*", "content-type": "application/json"}
        await route.fulfill(headers=headers, body=json.dumps(elsewhere))

    await page.route("**/.well-known/openid-configuration", answered)
    await page.locator(".sign-in button.main").click()
    await provider.sign_in(page, "bob")
    said = await refused(page)
    assert "http://127.0.0.1:9," in said
    assert "PITBOSS_WEB_OIDC_ORIGINS" in said


async def test_a_guest_s_link_asks_before_it_replaces_a_visitor(opened: Open, house: local_house.LocalHouse) -> None:
    """A visitor who is signed in stays, or becomes the guest; the link is good until it is really used."""
    page = await opened()
    await signed_in(page, "bob")
    address = await guest_command.link(reach.of_folder(house.folder), house.page_url, house.guests, "Nia")
    for name in ("Stay bob", "Continue as a guest"):
        await page.evaluate("(to) => { location.href = to; }", address)
        await page.get_by_role("button", name=name).click()
        await page.locator(".entry").first.wait_for()
        assert "#" not in page.url
        assert await page.locator(".who .name").inner_text() == ("bob" if name.startswith("Stay") else "Nia")
    other = await opened()
    await other.goto(address)
    assert "used already" in await refused(other)


async def test_nothing_bars_a_visitor_from_signing_in(opened: Open, house: local_house.LocalHouse) -> None:
    """Axe finds no violation where one signs in, where it is refused, and where a guest's link asks."""
    page = await opened(bypass=True)
    await page.locator(".sign-in button.main").wait_for()
    found = {"sign-in": await violations(page)}
    await page.goto(f"{house.page_url}/signed-in?code=x&state=y")
    await refused(page)
    found["refused"] = await violations(page)
    await pictured(page, "sign-in-refused")
    await signed_in(page, "bob")
    address = await guest_command.link(reach.of_folder(house.folder), house.page_url, house.guests, "Nia")
    await page.evaluate("(to) => { location.href = to; }", address)
    await page.get_by_role("button", name="Continue as a guest").wait_for()
    found["asked"] = await violations(page)
    await pictured(page, "sign-in-asked")
    assert {where: what for where, what in found.items() if what} == {}
