"""How it is said that somebody may not play: the same at every door, and no more than the caller may know."""

import datetime as dt
from typing import Final

from services.rules import personal
from services.rules.refusals import Reason, Refused
from services.runtime import context
from services.runtime.identity import Role

KNOWS_WHY = frozenset({Role.OPERATOR, Role.AUDITOR})
"""Roles that see why staff switched something off: the reason may be a suspicion, or name another person. Services
are not among them, for they speak for players."""

FOR_EVER: Final = 253_370_764_800_000
"""The first moment of the year 9999, the last that can be written: what ends then does not end."""


def switched_off(scope: str, subject: str, reason: str) -> Refused:
    """Return the refusal of something that is switched off; only staff see the recorded reason."""
    what = f"the {scope} {subject}" if subject else "the house"
    call = context.find()
    knows = call is not None and call.who is not None and call.who.role in KNOWS_WHY
    # The reason for a player is sealed; ListSwitches shows it to those who may know.
    why = f": {reason}" if knows and not personal.is_sealed(reason) else ""
    return Refused(Reason.SWITCHED_OFF, f"{what} is switched off{why}", metadata={"scope": scope})


def excluded(until_ms: int, set_by: str) -> Refused:
    """Return the refusal of an excluded player, with the end of the exclusion; set by ``player`` or ``house``."""
    end = {"for_ever": "true"} if until_ms >= FOR_EVER else {"until": _moment(until_ms)}
    return Refused(Reason.EXCLUDED, f"this player is excluded {until(until_ms)}", metadata={"set_by": set_by, **end})


def until(moment_ms: int) -> str:
    """Return the end of an exclusion as text, in UTC: "until 2027-01-31T12:00:00Z", or "permanently"."""
    if moment_ms >= FOR_EVER:
        return "permanently"
    return f"until {_moment(moment_ms)}"


def _moment(moment_ms: int) -> str:
    return f"{dt.datetime.fromtimestamp(moment_ms / 1000, dt.UTC).isoformat(timespec='seconds')[:-6]}Z"
