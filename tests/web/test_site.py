"""What the page's process answers: files, a strict policy, and the token of a guest once."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvicorn

from services.runtime import guest_links, http_server, settings
from services.runtime.settings import SettingsRefused
from services.web.site import Site
from tests.support import waits


class Answer(NamedTuple):
    """What the process has answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)


class Browser:
    """Requests to the process."""

    def __init__(self, port: int) -> None:
        self._port = port

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a path."""
        return self._ask("GET", path, b"", headers)

    def post(self, body: str, kind: str = "application/json") -> Answer:
        """Send a body to the exchange of guests' codes."""
        return self._ask("POST", "/guest", body.encode(), {"content-type": kind})

    def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, named)
        answer = connection.getresponse()
        try:
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()


@contextmanager
def served(given: settings.Settings) -> Iterator[Browser]:
    """Serve the page on a free port in a thread."""
    with http_server._socket(given, "web_listen") as listening:
        server = http_server._Server(uvicorn.Config(Site(given).application(), lifespan="off", log_config=None))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            waits.eventually_blocking(lambda: server.started, "the page is served")
            yield Browser(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(60)


Visitor = Callable[..., Browser]


@pytest.fixture
def visitor(folder: Path) -> Iterator[Visitor]:
    """Yield a function that serves the page with settings, and returns a browser there."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(
            served(settings.load(web_folder=folder, web_listen="127.0.0.1:0", **more))
        )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a small page."""
    made = tmp_path / "page"
    made.mkdir()
    (made / "index.html").write_text("<!doctype html><title>page</title>")
    (made / "page-ABCDEF12.js").write_text("export {};")
    (made / "page-ABCDEF12.js.gz").write_bytes(gzip.compress(b"export {};"))
    (made / "icon-turn.svg").write_text("<svg/>")
    return made


def test_every_view_is_the_page_and_every_answer_has_the_policy(visitor: Visitor) -> None:
    """Addresses of views are answered with the page; scripts and styles are the page's own, calls go to named hosts."""
    browser = visitor(
        web_gateway="https://house.example",
        web_oidc_issuer="https://id.example/realms/x",
        web_oidc_origins=["https://token.example:8443"],
    )
    for path in ("/", "/tables/abc", "/games/war", "/page-ABCDEF12.js", "/missing.js", "/settings.json"):
        answer = browser.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "style-src 'self';" in policy
        assert "connect-src 'self' https://house.example https://id.example https://token.example:8443;" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert browser.get("/tables/abc").body == browser.get("/").body
    assert browser.get("/missing.js").status == 404


def test_files_named_by_their_content_are_kept_and_compressed(visitor: Visitor) -> None:
    """A script may be kept for a year and comes compressed; what keeps its name is asked for each time."""
    browser = visitor()
    script = browser.get("/page-ABCDEF12.js", accept_encoding="gzip")
    assert script.headers["content-encoding"] == "gzip"
    assert "immutable" in script.headers["cache-control"]
    assert "content-encoding" not in browser.get("/page-ABCDEF12.js", accept_encoding="identity").headers
    for path in ("/", "/icon-turn.svg"):
        assert browser.get(path).headers["cache-control"] == "no-cache"


def test_a_guest_s_code_is_exchanged_once(visitor: Visitor, tmp_path: Path) -> None:
    """The first visitor with the code gets the token; the second, and one with a wrong code, gets nothing."""
    file = tmp_path / "guests.json"
    code = guest_links.add(file, "the token")
    browser = visitor(web_guests_file=file)
    assert code not in file.read_text()
    assert browser.post(json.dumps({"code": "wrong"})).status == 404
    assert browser.post(json.dumps({"code": code})).json() == {"token": "the token"}
    assert browser.post(json.dumps({"code": code})).status == 404
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("body", ["", "[]", '{"code": 1}', "x" * 1000, '{"code": "' + "x" * 300 + '"}'])
def test_a_code_that_cannot_be_one_is_refused(visitor: Visitor, tmp_path: Path, body: str) -> None:
    """Whatever is sent instead of a code is answered as a wrong code; so is a code that a form sends."""
    file = tmp_path / "guests.json"
    code = guest_links.add(file, "the token")
    browser = visitor(web_guests_file=file)
    assert browser.post(body).status == 404
    form = json.dumps({"code": code})
    assert browser.post(form, "text/plain").status == 404
    assert browser.post(json.dumps({"code": code})).status == 200


def test_without_guests_and_provider_the_page_is_told_so(visitor: Visitor) -> None:
    """The page learns where the gateway is and which ways of signing in there are."""
    assert visitor().get("/settings.json").json() == {"gateway": "http://127.0.0.1:7480", "guests": False}
    told = visitor(web_oidc_issuer="https://id.example", web_oidc_client="page").get("/settings.json").json()
    assert told["oidc"] == {
        "issuer": "https://id.example",
        "client": "page",
        "scope": "openid",
        "resource": "",
        "origins": [],
    }
    assert visitor().post('{"code": "x"}').status == 404


def test_a_page_that_is_not_built_is_refused_in_words(tmp_path: Path) -> None:
    """The process does not start without a page, and says how to build one."""
    with pytest.raises(SettingsRefused, match="make page"):
        Site(settings.load(web_folder=tmp_path))


def test_only_so_many_links_wait(tmp_path: Path) -> None:
    """The oldest link is forgotten beyond the bound."""
    file = tmp_path / "guests.json"
    codes = [guest_links.add(file, str(number)) for number in range(guest_links.MOST_LINKS + 1)]
    assert guest_links.take(file, codes[0]) is None
    assert guest_links.take(file, codes[-1]) == str(guest_links.MOST_LINKS)
