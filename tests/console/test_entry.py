"""Who gets into the console, and what its forms accept."""

import urllib.parse
from collections.abc import Callable

import msgspec
import pytest

from services.console.sessions import NotStaff, Session, Sessions
from services.localhouse import local_house
from services.runtime import keys, settings
from services.runtime.identity import Caller, Identity, Role
from tests.console.visitor import Visitor


@pytest.fixture
def visitor(house: local_house.LocalHouse) -> Visitor:
    """Return somebody who is not signed in."""
    return Visitor(house.console_url)


def test_a_link_signs_in_once_and_only_when_it_is_pressed(visitor: Visitor, staff_link: Callable[..., str]) -> None:
    """Looking at a link uses nothing up; the first press signs in, the second is refused."""
    path = urllib.parse.urlsplit(staff_link()).path
    assert visitor.ask("GET", path)[0] == 200
    status, where, _ = visitor.ask("POST", path, {})
    assert (status, where) == (303, "/")
    assert "HttpOnly" in visitor.set_cookie
    assert "SameSite=strict" in visitor.set_cookie
    assert visitor.ask("GET", "/floor")[0] == 200
    assert "script-src 'self'" in visitor.policy
    assert "unsafe" not in visitor.policy
    assert Visitor(f"http://{visitor.host}").ask("POST", path, {})[0] == 403


@pytest.mark.parametrize("path", ["/floor", "/tables/x", "/rounds/x/1", "/players/x", "/search?q=x"])
def test_nobody_sees_a_page_without_signing_in(visitor: Visitor, path: str) -> None:
    """Every page leads to the sign-in, also with a cookie that is not one of the house's."""
    for cookie in ("", "x", "A" * 500):
        visitor.cookies["console"] = cookie
        status, where, _ = visitor.ask("GET", path)
        assert (status, where.partition("?")[0]) == (303, "/sign-in")


def test_a_form_of_another_page_changes_nothing(visitor: Visitor, staff_link: Callable[..., str]) -> None:
    """A form needs its secret, and its own site as the place that it comes from; an auditor's press is refused."""
    visitor.ask("POST", urllib.parse.urlsplit(staff_link()).path, {})
    secret = visitor.ask("GET", "/floor")[2].partition('name="form" value="')[2].partition('"')[0]
    given = {"form": secret, "reason": "a test"}
    assert visitor.ask("POST", "/tables/x/close", {"reason": "a test"})[0] == 403
    assert visitor.ask("POST", "/tables/x/close", given, origin="https://evil.example")[0] == 403
    assert visitor.ask("POST", "/tables/x/close", given, sec_fetch_site="cross-site")[0] == 403
    assert visitor.ask("POST", "/tables/x/close", given)[0] == 404  # it reaches the house, which knows no such table
    assert visitor.ask("POST", "/tables/x/close", {"form": secret})[0] == 400
    other = Visitor(f"http://{visitor.host}")
    other.ask("POST", urllib.parse.urlsplit(staff_link("odo", Role.AUDITOR)).path, {})
    secret = other.ask("GET", "/floor")[2].partition('name="form" value="')[2].partition('"')[0]
    assert other.ask("POST", "/tables/x/close", {"form": secret, "reason": "a test"})[0] == 403


def test_a_session_ends_in_time_and_opens_with_its_own_key_alone() -> None:
    """A session ends when nobody presses, after its hours, and with its token; players get none."""
    given = settings.load(jwt_secret="s" * 40, console_key=keys.generate(), console_idle_minutes=30, console_hours=12)
    identity = Identity(given)
    sessions = Sessions(given, identity)
    token = identity.mint(Caller("nora", Role.OPERATOR), 24 * 3600)
    session = sessions.begin(token)

    def opened(**changed: float) -> Session | None:
        return sessions.open(sessions.seal(msgspec.structs.replace(session, **changed)))

    assert opened() == session
    assert opened(seen=session.seen - 29 * 60) is not None
    assert opened(seen=session.seen - 31 * 60) is None
    assert opened(since=session.since - 13 * 3600) is None
    assert opened(until=session.since - 1) is None
    other = Sessions(settings.load(jwt_secret="s" * 40, console_key=keys.generate()), identity)
    assert other.open(sessions.seal(session)) is None
    for role in (Role.PLAYER, Role.SERVICE):
        with pytest.raises(NotStaff):
            sessions.begin(identity.mint(Caller("pat", role), 60))
    with pytest.raises(NotStaff):
        sessions.begin("not a token")
