"""The nicknames of a table: 1 to 20 characters, unique, the player's name until another is chosen [nickname Play 1].

The table's memory keeps a nickname with the player who chose it, so that who takes the seat later does not inherit it.
"""

import unicodedata
from typing import Any, Final

from services.rules import illegal_actions, personal
from services.rules.game import Table

MEMORY: Final = "nicknames"
MOST_CHARACTERS: Final = 20


def nicknames(table: Table) -> dict[int, str]:
    """Return the nickname of every taken seat; a player's name that somebody chose before gets the seat's number."""
    named = _chosen(table)
    taken = {_sound(name) for name in named.values()}
    for seat in table.chips:
        if seat not in named:
            name = table.names.get(seat, f"seat {seat}")
            named[seat] = f"{name} ({seat})" if _sound(name) in taken else name
            taken.add(_sound(named[seat]))
    return named


def chosen(table: Table, seat: int, name: str) -> dict[str, Any]:
    """Return the memory after a seat chose a nickname. Raises Refused (``ILLEGAL_ACTION``).

    A sealed nickname was checked before it was sealed; here it is only stored.
    """
    if not personal.is_sealed(name):
        _refuse(table, seat, name)
    kept = dict(table.memory.get(MEMORY, {}))
    kept[str(seat)] = {"player": table.names.get(seat, ""), "name": name}
    return {**table.memory, MEMORY: kept}


def _refuse(table: Table, seat: int, name: str) -> None:
    if not 1 <= len(name) <= MOST_CHARACTERS:
        message = f"a nickname has 1 to {MOST_CHARACTERS} characters; {name[:MOST_CHARACTERS]!r} has {len(name)}"
        raise illegal_actions.illegal(message, illegal_actions.NICKNAME_LENGTH, most=MOST_CHARACTERS)
    if not name.isprintable() or name != name.strip():
        message = f"{name!r} is not allowed; write letters that can be seen, without a space at either end"
        raise illegal_actions.illegal(message, illegal_actions.NICKNAME_LETTERS)
    others = (other for at, other in nicknames(table).items() if at != seat)
    if _sound(name) in map(_sound, others):
        message = f"{name!r} is taken at this table; choose another nickname"
        raise illegal_actions.illegal(message, illegal_actions.NICKNAME_TAKEN)


def left(memory: dict[str, Any], seat: int) -> dict[str, Any]:
    """Forget the nickname of a player who left, so that a namesake who takes the seat does not inherit it."""
    kept = {at: chosen for at, chosen in memory.get(MEMORY, {}).items() if at != str(seat)}
    return {**memory, MEMORY: kept} if MEMORY in memory else memory


def _chosen(table: Table) -> dict[int, str]:
    kept = table.memory.get(MEMORY, {})
    return {
        seat: kept[str(seat)]["name"]
        for seat in table.chips
        if str(seat) in kept and kept[str(seat)]["player"] == table.names.get(seat, "")
    }


def _sound(name: str) -> str:
    """Bring names that sound alike when called into one form."""
    return unicodedata.normalize("NFKC", name).casefold()
