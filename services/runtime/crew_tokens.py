"""Tokens of the house players. Only who holds the private key of tokens can make them."""

from typing import Final

from services.rules import house_players
from services.runtime.identity import Caller, Identity, Role

NAMES: Final = ("Ada", "Bruno", "Chen", "Dora", "Emil", "Fen", "Gwen", "Hugo")
"""The house players of a house that is set up by ``pitboss up`` or ``make secrets``."""


def caller(name: str) -> Caller:
    """Return the house player of a name."""
    subject = house_players.PREFIX + name.lower()
    return Caller(subject=subject, role=Role.PLAYER, test=True, name=name, house_player=True)


def minted(identity: Identity, seconds: float) -> str:
    """Return a token of each house player, separated by spaces."""
    return " ".join(identity.mint(caller(name), seconds) for name in NAMES)
