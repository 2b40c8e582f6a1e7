"""Facts as the contract shows them: each field of a record becomes the field of the same name of its message."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from google.protobuf.message import Message
from pitboss.v1 import facts_pb2 as pb

from services.rules import facts, personal
from services.rules.facts import Facts
from services.rules.happenings import Noted
from services.rules.personal import Show

_FAMILY: Final[dict[type[facts.Family], str]] = {
    facts.Poker: "poker",
    facts.Showdown: "showdown",
    facts.Banker: "banker_game",
    facts.Tricks: "trick_game",
    facts.Climbing: "climbing",
    facts.Survival: "survival",
}
"""The field of each family's facts."""


def shown(known: Facts, show: Show = personal.veiled) -> pb.RoundFacts:
    """Write the facts of a round; ``show`` opens sealed nicknames."""
    message = pb.RoundFacts()
    own = known.family
    if isinstance(own, facts.Survival):
        own = msgspec.structs.replace(own, nicknames=personal.shown_in(own.nicknames, show))
    common = {name: getattr(known, name) for name in facts.Common.__struct_fields__}
    fill(message, common)
    held = getattr(message, _FAMILY[type(own)])
    held.SetInParent()
    fill(held, msgspec.structs.asdict(own))
    return message


def fill(message: Message, values: Mapping[str, Any]) -> None:
    """Set fields of a message by their names; None stays absent. Raises AttributeError for a name without a field."""
    for name, value in values.items():
        if value is None:
            continue
        field = getattr(message, name)
        if isinstance(value, Mapping):
            field.update(value)
        elif isinstance(value, list | tuple):
            for entry in value:
                if isinstance(entry, msgspec.Struct):
                    fill(field.add(), msgspec.structs.asdict(entry))
                else:
                    field.append(entry)
        else:
            setattr(message, name, value)


_KINDS: Final[dict[tuple[str, type], str]] = {
    ("cards", int): "card_count",
    ("hand", int): "first_hand",
    ("points", dict): "seat_points",
}
"""Details whose values differ in kind, and the field of the rarer kind."""
_RENAMED: Final = {
    "category": "hand",
    "type": "combination",
    "left": "cards_left",
    "number": "trick_number",
    "side": "guess",
    "target": "other_seat",
    "to": "other_seat",
    "chips": "amount",
}
"""Details and the names of their fields, where they differ."""


def noted(entry: Noted) -> pb.NotedFacts:
    """Write the details of what was noted."""
    message = pb.NotedFacts()
    for key, value in entry.facts.items():
        name = _KINDS.get((key, type(value)), _RENAMED.get(key, key))
        fill(message, _FITTED[key](value) if key in _FITTED else {name: _by_seat(value)})
    return message


def _by_seat(value: Any) -> Any:
    return {int(seat): one for seat, one in value.items()} if isinstance(value, dict) else value


def _total(value: int | str) -> dict[str, Any]:
    if isinstance(value, int):
        return {"total": value}
    return {"total": int(value.rstrip("½") or 0), "half": value.endswith("½")}


def _common_hand(who: str) -> Callable[[str], dict[str, Any]]:
    """Return what writes a common hand by its category or, where it has none, by its points."""
    return lambda value: {f"{who}_points": int(value)} if value.isdigit() else {f"{who}_hand": value}


_FITTED: Final[dict[str, Callable[[Any], dict[str, Any]]]] = {
    "bank": _common_hand("bank"),
    "card": lambda card: {"cards": [card]},
    "player": _common_hand("player"),
    "total": _total,
    "turned": lambda turned: {"turned": [facts.PlayedCard(seat, card) for seat, card in turned]},
    "winner": lambda winner: {"winners": [winner] if isinstance(winner, int) else winner},
}
"""Details that are written in another form, and what writes them."""


def carried(memory: Mapping[str, Any], show: Show = personal.veiled) -> pb.CarriedFacts:
    """Write what a game carries from round to round, as far as it is shown; ``show`` opens sealed nicknames."""
    message = pb.CarriedFacts()
    fill(message, {_CARRIED[key]: value for key, value in memory.items() if key in _CARRIED})
    for seat, chosen in memory.get("nicknames", {}).items():
        message.nicknames[int(seat)] = show(chosen["name"])
    return message


_CARRIED: Final = {
    "banker": "banker",
    "bank_rounds": "banker_rounds",
    "free_bank": "bank_is_free",
    "left": "bank_is_free",
    "limit": "limit",
    "used": "used_cards",
    "match_round": "match_round",
    "match_over": "match_over",
    "straddles": "straddles",
}
"""Keys of the memory and the names of their fields; what a game needs for itself alone is not shown."""
