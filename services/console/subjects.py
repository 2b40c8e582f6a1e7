"""What significant events are about: the subject as the house writes it, and the page where it is seen."""

import re
import urllib.parse
from typing import Final

from services.runtime.identity import SUBJECT

_SUBJECT: Final = re.compile(rf"(table|player|game|house|template)(?: ({SUBJECT.pattern}))?(?:[ :].*)?", re.DOTALL)
_OF_PLAYERS: Final = frozenset({"large_win", "large_stake"})
"""Kinds of events whose actor is the player."""


def address(subject: str) -> str:
    """Return the address of the page of a subject, such as ``player ann: 500 CHIP``; empty where there is none."""
    found = _SUBJECT.fullmatch(subject)
    if found is None:
        return ""
    match found.groups():
        case ("table" | "player") as kind, str(name):
            return f"/{kind}s/{urllib.parse.quote(name, safe='')}"
        case (("game" | "house"), _):
            return "/operation"
    return ""


def actor_address(kind: str, actor: str) -> str:
    """Return the address of the page of an event's actor, where that is a player; else empty."""
    return f"/players/{urllib.parse.quote(actor, safe='')}" if kind in _OF_PLAYERS else ""
