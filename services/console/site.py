"""What browsers ask the process for: sign-in, the pages by their addresses, and who may see each."""

import asyncio
import re
import urllib.parse
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from pitboss.client import Refused
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from services.console import desk, words
from services.console.assets import FOLDER, Assets
from services.console.desk import Desk, Handler, WrongForm
from services.console.house import Channels
from services.console.pages import listed
from services.console.sessions import NotStaff, Session, Sessions
from services.runtime import built_files, guest_links, logs, metrics
from services.runtime.settings import Settings

log = logs.get("console")
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
MOST_FORM_BYTES: Final = 16_384
LANGUAGE_SECONDS: Final = 365 * 86_400
_STATUS: Final = {"PERMISSION_DENIED": 403, "NOT_FOUND": 404, "TABLE_NOT_FOUND": 404, "INVALID_ARGUMENT": 400}
_OWN_PATH: Final = re.compile(r"/(?![/\\])[^\s]{0,500}")


class Site:
    """The routes of the process."""

    def __init__(self, settings: Settings, sessions: Sessions, channels: Channels) -> None:
        self._sessions, self._channels = sessions, channels
        self._links = settings.console_links_file
        self._assets = Assets(settings.console_folder or FOLDER, settings.web_folder or built_files.PAGE_FOLDER)
        self._shown: dict[str, Any] = {"house_name": settings.house_name, "assets": self._assets.paths}

    def application(self) -> Starlette:
        """Return the ASGI application."""
        open_to_all = [
            Route("/assets/{name}", _headed(self._assets.file), methods=["GET"]),
            Route("/sign-in", _headed(self._sign_in), methods=["GET", "POST"]),
            Route("/link/{code}", _headed(self._link), methods=["GET", "POST"]),
            Route("/favicon.ico", _headed(_nothing), methods=["GET"]),
            Route("/language/{language}", _headed(self._language), methods=["GET"]),
        ]
        pages = [
            Route(page.path, _headed(self._entered(page)), methods=[page.method])
            for page in (*listed.PAGES, listed.Page("/sign-out", self._sign_out, method="POST"))
        ]
        return Starlette(routes=[*open_to_all, *pages], exception_handlers={404: _headed_error(self._missing)})

    def _entered(self, page: listed.Page) -> Callable[[Request], Awaitable[Response]]:
        """Return a page that only those reach who are signed in, with a role that may see it."""

        async def entered(request: Request) -> Response:
            session = self._sessions.open(request.cookies.get(self._sessions.cookie, ""))
            language = _language_of(request)
            metrics.CONSOLE_REQUESTS.labels(page.path if session else "sign-in").inc()
            if session is None:
                wanted = urllib.parse.urlencode({"next": request.url.path}) if request.method == "GET" else ""
                return RedirectResponse(f"/sign-in?{wanted}", 303)
            form: Mapping[str, str] = {}
            if request.method == "POST":
                form = await _form(request)
                if _crosses(request) or not desk.same(form.get("form", ""), session.form):
                    return self._said(request, session, language, 403, "refused.form", "FORM")
            if session.role not in page.roles:
                return self._said(request, session, language, 403, "refused.role", "PERMISSION_DENIED")
            answer = await self._answered(page.handler, self._desk(request, session, language, form))
            pressed = None if "live" in request.query_params else self._sessions.pressed(session)
            if pressed is not None and page.path != "/sign-out":
                self._remember(answer, pressed)
            return answer

        return entered

    async def _answered(self, handler: Handler, found: Desk) -> Response:
        try:
            return await handler(found)
        except WrongForm as wrong:
            return found.render("refused.html", 400, reason="", said=found.t(str(wrong)))
        except Refused as refused:
            if refused.reason == "UNAUTHENTICATED":
                return self._left(RedirectResponse("/sign-in", 303))
            said = " ".join([refused.text or refused.message, *refused.field_texts.values()])
            return found.render("refused.html", _STATUS.get(refused.reason, 409), reason=refused.reason, said=said)
        except Exception:
            log.exception("a page failed", path=found.request.url.path)
            return found.render("refused.html", 500, reason="INTERNAL", said=found.t("refused.error"))

    def _desk(self, request: Request, session: Session, language: str, form: Mapping[str, str]) -> Desk:
        house = self._channels.caller(session.token, language)
        tabs = [tab for tab in listed.TABS if session.role in tab.roles]
        return Desk(request, session, house, language, {**self._shown, "tabs": tabs}, form)

    def _said(self, request: Request, session: Session, language: str, status: int, key: str, reason: str) -> Response:
        found = self._desk(request, session, language, {})
        return found.render("refused.html", status, reason=reason, said=found.t(key))

    async def _sign_in(self, request: Request) -> Response:
        """Show how to sign in, or sign in with a token that a person has."""
        if request.method == "GET":
            return self._outside(_language_of(request))
        token = "" if _crosses(request) else (await _form(request)).get("token", "").strip()
        return self._entering(token, _language_of(request), "wrong.token")

    async def _link(self, request: Request) -> Response:
        """Show a one-time link; a press signs in and uses it up, so that a program which looks at links does not."""
        language, code = _language_of(request), request.path_params["code"][: desk.MOST_TEXT]
        if request.method == "GET":
            return self._outside(language, code=code)
        token = None
        if self._links is not None and not _crosses(request):
            token = await asyncio.to_thread(guest_links.take, self._links, code)
        metrics.STAFF_LINKS.labels("refused" if token is None else "used").inc()
        return self._entering(token or "", language, "wrong.link")

    def _entering(self, token: str, language: str, wrong: str) -> Response:
        """Sign in with a token; ``wrong`` is said where it is not one of staff."""
        answer: Response = RedirectResponse("/", 303)
        try:
            self._remember(answer, self._sessions.begin(token))
        except NotStaff:
            return self._outside(language, wrong=wrong, status=403)
        return answer

    def _outside(self, language: str, *, code: str = "", wrong: str = "", status: int = 200) -> Response:
        return desk.outside(language, status, **self._shown, code=code, wrong=wrong)

    async def _sign_out(self, _: Desk) -> Response:
        return self._left(RedirectResponse("/sign-in", 303))

    async def _language(self, request: Request) -> Response:
        """Keep the language that was chosen, and return to the page."""
        chosen, wanted = request.path_params["language"], request.query_params.get("next", "/")
        answer = RedirectResponse(wanted if _OWN_PATH.fullmatch(wanted) else "/", 303)
        if chosen in words.LANGUAGES:
            answer.set_cookie(
                "language", chosen, LANGUAGE_SECONDS, secure=self._sessions.secure, httponly=True, samesite="strict"
            )
        return answer

    async def _missing(self, request: Request, _: Exception) -> Response:
        return self._outside(_language_of(request), wrong="wrong.page", status=404)

    def _remember(self, answer: Response, session: Session) -> None:
        answer.set_cookie(
            self._sessions.cookie,
            self._sessions.seal(session),
            secure=self._sessions.secure,
            httponly=True,
            samesite="strict",
        )

    def _left(self, answer: Response) -> Response:
        answer.delete_cookie(self._sessions.cookie, secure=self._sessions.secure, httponly=True, samesite="strict")
        return answer


async def _nothing(_: Request) -> Response:
    return Response(status_code=204)


def _headed(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def headed(request: Request) -> Response:
        answer = await handler(request)
        answer.headers.update(HEADERS)
        return answer

    return headed


def _headed_error(handler: Callable[[Request, Exception], Awaitable[Response]]) -> Any:
    async def headed(request: Request, error: Exception) -> Response:
        answer = await handler(request, error)
        answer.headers.update(HEADERS)
        return answer

    return headed


def _crosses(request: Request) -> bool:
    """Return whether a form was sent by a page of another site."""
    site, origin = request.headers.get("sec-fetch-site", "same-origin"), request.headers.get("origin", "")
    host = request.headers.get("host", "")
    return site not in ("same-origin", "none") or (bool(origin) and urllib.parse.urlsplit(origin).netloc != host)


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form; a form that is too long or of another kind has none."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
        return {}
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_FORM_BYTES:
            return {}
    return dict(urllib.parse.parse_qsl(body.decode("utf-8", "replace"), max_num_fields=50))


def _language_of(request: Request) -> str:
    """Return the language that was chosen, or else the first that the browser asks for and the console speaks."""
    chosen = request.cookies.get("language", "")
    return chosen if chosen in words.LANGUAGES else words.preferred(request.headers.get("accept-language", ""))
