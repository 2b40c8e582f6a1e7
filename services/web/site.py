"""What browsers ask the process for: the page, its settings, and the token of a guest for a one-time code."""

import asyncio
import json
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.runtime import built_files, guest_links, metrics
from services.runtime.settings import Settings

MOST_CODE_BYTES: Final = 200


def policy(settings: Settings) -> str:
    """Return the content security policy: scripts and styles of the page's own files alone, calls to named hosts."""
    issuer = "/".join(settings.web_oidc_issuer.split("/", 3)[:3])
    called = " ".join(filter(None, ("'self'", settings.web_gateway, issuer, *settings.web_oidc_origins)))
    parts = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "connect-src": called,
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


class Site:
    """The routes of the process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = built_files.read(settings.web_folder or built_files.PAGE_FOLDER)
        self._headers = {
            "content-security-policy": policy(settings),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
        }

    def application(self) -> Starlette:
        """Return the ASGI application."""
        return Starlette(
            routes=[
                Route("/settings.json", self.told, methods=["GET"]),
                Route("/guest", self.guest, methods=["POST"]),
                Route("/{path:path}", self.file, methods=["GET"]),
            ]
        )

    async def told(self, request: Request) -> Response:
        """Return what the page has to know: where it calls, and how its visitors sign in."""
        given = self._settings
        known: dict[str, object] = {"gateway": given.web_gateway, "guests": given.web_guests_file is not None}
        if given.web_oidc_issuer:
            known["oidc"] = {
                "issuer": given.web_oidc_issuer,
                "client": given.web_oidc_client,
                "scope": given.web_oidc_scope,
                "resource": given.web_oidc_resource,
                "origins": given.web_oidc_origins,
            }
        return JSONResponse(known, headers={**self._headers, "cache-control": "no-store"})

    async def guest(self, request: Request) -> Response:
        """Return the token of a one-time code, once: 404 for a code that is wrong or was used."""
        path, code = self._settings.web_guests_file, await _code(request)
        token = None if path is None or not code else await asyncio.to_thread(guest_links.take, path, code)
        metrics.GUEST_LINKS.labels("refused" if token is None else "used").inc()
        headers = {**self._headers, "cache-control": "no-store"}
        if token is None:
            return JSONResponse({"reason": "NOT_FOUND"}, 404, headers)
        return JSONResponse({"token": token}, headers=headers)

    async def file(self, request: Request) -> Response:
        """Return a file of the page. Every address that names no file is one of the page's own views."""
        path = request.url.path
        found = self._files.get(path)
        if found is None and "." in path.rpartition("/")[2]:
            metrics.PAGES.labels("missing").inc()
            return Response(status_code=404, headers=self._headers)
        found = found or self._files[f"/{built_files.INDEX}"]
        metrics.PAGES.labels("page" if found is self._files[f"/{built_files.INDEX}"] else "file").inc()
        encoding, body = found.form(request.headers.get("accept-encoding", ""))
        headers = {**self._headers, "content-type": found.kind, "cache-control": found.keep, "vary": "accept-encoding"}
        if encoding:
            headers["content-encoding"] = encoding
        return Response(body, headers=headers)


async def _code(request: Request) -> str:
    """Return the code in a request, or an empty text. Only JSON counts, which no form of another page sends."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return ""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_CODE_BYTES:
            return ""
    try:
        code = json.loads(body).get("code", "")
    except (ValueError, AttributeError):
        return ""
    return code if isinstance(code, str) else ""
