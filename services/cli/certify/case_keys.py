"""The facts of a round under the sheets' "Case keys", read from the contract's messages."""

from typing import Any, Final

from google.protobuf.message import Message
from pitboss.v1 import facts_pb2 as pb

from services.rules import catalogue

_RENAMED: Final[dict[str, dict[str, str]]] = {
    "poker": {"out": "eliminated"},
    "banker_game": {"out": "eliminated"},
    "trick_game": {"out": "eliminated", "army_points": "points"},
    "survival": {"held": "hands"},
}
"""The sheets' keys of fields, by family, where they differ."""


_ONE_WINNER: Final = frozenset({"survival", "trick_game"})
"""Families whose sheets write a single winner alone, not as a list."""


def of(facts: pb.RoundFacts, game: str, version: int | None = None) -> dict[str, Any]:
    """Return facts of a version of a game (None: the newest) under its sheet's keys; what is absent has no key."""
    family = str(facts.WhichOneof("family_facts"))
    own = getattr(facts, family)
    found = plain(facts) | plain(own)
    if facts.house_banks:
        found["banker"] = "house"
        found.setdefault("next_banker", "house")
    if family == "poker":
        found["pots"] = [pot.amount for pot in own.pots]
        found["winners"] = [list(pot.winners) for pot in own.pots]
        for key in ("low_winners", "second_winners", "second_low_winners"):
            found[key] = [list(getattr(pot, key)) for pot in own.pots]
    else:
        won = found.pop("winners")
        found["winner"] = won[0] if len(won) == 1 and family in _ONE_WINNER else won
    if family == "survival":
        found["line"] = " ".join(own.line)
        found["total"] = found.get("count")
    for field, key in catalogue.game(game, version).case_facts.items():
        found[key] = found[field]
    for field, key in _RENAMED.get(family, {}).items():
        if field in found:
            found[key] = found.pop(field)
    return found


def plain(message: Message) -> dict[str, Any]:
    """Return the plain fields of a message that are set, lists and maps also where they are empty."""
    found: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            if hasattr(value, "items"):
                found[field.name] = dict(value)
            elif field.message_type is None:
                found[field.name] = list(value)
        elif field.message_type is None and (not field.has_presence or message.HasField(field.name)):
            found[field.name] = value
    return found
