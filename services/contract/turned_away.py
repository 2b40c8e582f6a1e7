"""How it is said that somebody may not play: the same at every door, and no more than the caller may know."""

import datetime as dt

from services.runtime import context
from services.runtime.errors import Problem, Reason
from services.runtime.identity import Role

KNOWS_WHY = frozenset({Role.OPERATOR, Role.AUDITOR})
"""Who is told why staff switched something off: an inner reason may be a suspicion, or name somebody else. Services
are not among them, for they speak for players."""


def switched_off(scope: str, subject: str, reason: str) -> Problem:
    """Say what is switched off; the reason, as the record has it, to staff only."""
    what = f"the {scope} {subject}" if subject else "the house"
    call = context.find()
    knows = call is not None and call.who is not None and call.who.role in KNOWS_WHY
    why = f": {reason}" if knows else ""
    return Problem(Reason.SWITCHED_OFF, f"{what} is switched off{why}", metadata={"scope": scope})


def excluded(until_ms: int, set_by: str) -> Problem:
    """Say until when a player is excluded, by ``player`` or ``house``."""
    until = dt.datetime.fromtimestamp(until_ms / 1000, dt.UTC).isoformat(timespec="minutes")
    return Problem(Reason.EXCLUDED, f"this player is excluded until {until}", metadata={"set_by": set_by})
