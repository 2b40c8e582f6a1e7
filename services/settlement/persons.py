"""Staff and their own money: nobody moves, asks for or decides what goes into or out of a wallet of their own name."""

import unicodedata

from services.runtime import context
from services.runtime.errors import Problem, Reason


def same(one: str, other: str) -> bool:
    """Whether two names are those of one person: without regard to case and to how Unicode writes them."""
    return _folded(one) == _folded(other)


def refuse_own(player: str) -> None:
    """Raise Problem (``SECOND_PERSON_NEEDED``) where the caller's name is that of the wallet's owner."""
    caller = context.caller().subject
    if same(caller, player):
        message = f"{player} is {caller}'s own wallet; another person must do this"
        raise Problem(Reason.SECOND_PERSON_NEEDED, message)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
