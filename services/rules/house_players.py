"""House players: programs of the house that play at demo and test tables, for test money, never anywhere else.

A house player is known by its subject. The house's tokens give these subjects to house players alone, so that each
record with the subject of a player (a seat, an account, a settled round, a ledger entry, an export) says what it is.
"""

from typing import Final

from services.rules.refusals import Reason, Refused

PREFIX: Final = "house-player."
"""How the subjects of house players begin, in any case of letters."""


def is_one(subject: str) -> bool:
    """Return whether a subject is that of a house player."""
    return subject.casefold().startswith(PREFIX)


def keep_from_money(subject: str, *, test: bool) -> None:
    """Raise Refused (``TEST_ONLY``) where a house player would sit or hold money outside of a test table."""
    if is_one(subject) and not test:
        raise Refused(Reason.TEST_ONLY, f"{subject} is a house player; house players play for test money only")
