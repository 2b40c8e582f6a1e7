"""What a page works with: the request, who asks in which language, the way to the house, and how it answers."""

import secrets
import urllib.parse
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

import jinja2
from pitboss.client import request_id
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from services.console import cards, figures, words
from services.console.house import House
from services.console.sessions import Session
from services.runtime.identity import Role

TEMPLATES: Final = Path(__file__).parent / "templates"
ROWS: Final = 25
"""Rows of a page of a list."""
MOST_TEXT: Final = 500
"""Characters of a field of a form at most."""

_ENVIRONMENT: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {
    "chips": figures.chips,
    "signed": figures.signed,
    "moment": figures.moment,
    "clock": figures.clock,
    "ago": figures.seconds_since,
}


class WrongForm(Exception):
    """A field of a form is missing or not valid; the message is a key of the words."""


class Desk:
    """One request of one person."""

    def __init__(
        self,
        request: Request,
        session: Session,
        house: House,
        language: str,
        shown: Mapping[str, Any],
        form: Mapping[str, str],
    ) -> None:
        self.request, self.session, self.house, self.language = request, session, house, language
        self.form = form
        self._shown = shown

    @property
    def role(self) -> Role:
        """The role of the person."""
        return self.session.role

    def t(self, key: str, **values: object) -> str:
        """Return a text in the person's language."""
        return words.said(key, self.language, **values)

    def query(self, name: str) -> str:
        """Return a parameter of the address, or an empty text."""
        return self.request.query_params.get(name, "").strip()[:MOST_TEXT]

    def path(self, name: str) -> str:
        """Return a part of the address."""
        return str(self.request.path_params[name])

    def text(self, name: str) -> str:
        """Return a field that must be filled in. Raises WrongForm."""
        if not (found := self.form.get(name, "").strip()):
            raise WrongForm(f"needed.{name}")
        return found[:MOST_TEXT]

    def number(self, name: str) -> int:
        """Return a field that must be a whole number. Raises WrongForm."""
        found = self.form.get(name, "").replace(",", "").replace(figures.MINUS, "-").strip()
        if not found.lstrip("+-").isdigit():
            raise WrongForm("wrong.number")
        return int(found)

    def command(self) -> str:
        """Return the request id of the form, the same for a second press, which then changes nothing."""
        given = self.form.get("command", "")
        return given if given.isalnum() and len(given) <= len(request_id()) else request_id()

    def render(self, template: str, status: int = 200, **values: Any) -> Response:
        """Return a page."""
        address = self.request.url
        body = _ENVIRONMENT.get_template(template).render(
            {
                **self._shown,
                "t": self.t,
                "card": lambda card: cards.picture(card, self.language),
                "cards": lambda row: cards.row(row, self.language),
                "session": self.session,
                "language": self.language,
                "command": request_id,
                "here": address.path + (f"?{address.query}" if address.query else ""),
                "path": address.path,
                "with_query": self._with_query,
                "query": self.query,
                "may": self._may,
                **values,
            }
        )
        return Response(body, status, {"cache-control": "no-store"}, "text/html; charset=utf-8")

    def back(self, path: str, done: str) -> Response:
        """Return to a page after a press, which then says what was done."""
        return RedirectResponse(f"{path}?{urllib.parse.urlencode({'done': done})}", 303)

    def _with_query(self, **changed: str) -> str:
        """Return the address of this page with changed parameters; an empty one is left out."""
        kept = {**dict(self.request.query_params), **changed}
        kept.pop("done", None)
        query = urllib.parse.urlencode({name: value for name, value in kept.items() if value})
        return self.request.url.path + (f"?{query}" if query else "")

    def _may(self, what: str) -> bool:
        return self.session.role in MAY[what]


MAY: Final[Mapping[str, tuple[Role, ...]]] = {
    "act": (Role.OPERATOR,),
    "read": (Role.OPERATOR, Role.AUDITOR),
}
"""What a role may do: the buttons that it sees. The house itself refuses everything else."""

Handler = Callable[[Desk], Awaitable[Response]]


def same(one: str, other: str) -> bool:
    """Return whether two secrets are equal, in a time that tells nothing of them."""
    return secrets.compare_digest(one.encode(), other.encode())


def outside(language: str, status: int = 200, **values: Any) -> Response:
    """Return the page for somebody who is not signed in."""
    body = _ENVIRONMENT.get_template("sign_in.html").render(
        {"t": lambda key, **given: words.said(key, language, **given), "language": language, **values}
    )
    return Response(body, status, {"cache-control": "no-store"}, "text/html; charset=utf-8")
