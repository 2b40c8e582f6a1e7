"""People behind names: whether two names are those of one person, and whether a person plays at a table.

Nobody acts as staff where it plays: what a person with a seat sees of its own cards must not move its hand elsewhere.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Final

from services.rules import house_players, personal
from services.rules.refusals import Reason, Refused
from services.table.events import SeatRecord
from services.table.public_table import PublicTable


def folded(name: str) -> str:
    """Return what all spellings of one person's name have in common: neither case nor the form of letters counts."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def same(one: str, other: str) -> bool:
    """Return whether two names are those of one person."""
    return folded(one) == folded(other)


ID_CHARACTERS: Final = 16
TAG_CHARACTERS: Final = 4
"""Characters of an id that tell namesakes apart at one table."""
LONGEST_AVATAR: Final = 500

_AVATAR: Final = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~!$&'()*+,;=:@%/?#-]*)?")
_LABEL: Final = "pitboss player id v1|"


def player_id(name: str) -> str:
    """Return the opaque id of the player whose sealed name this is: the same at all tables, until an erasure.

    It is a digest of the random id of the player's key, which only the house's registry connects with a subject. A name
    from before names were sealed has none: "".
    """
    key_id = personal.key_id_of(name)
    return hashlib.sha256((_LABEL + key_id).encode()).hexdigest()[:ID_CHARACTERS] if key_id else ""


def told_apart(people: Mapping[int, tuple[str, str]]) -> dict[int, str]:
    """Return a name for each seat of (name, id), no two alike: namesakes get the beginning of their id, or the seat."""
    shown = {seat: name for seat, (name, _) in people.items()}
    for tags in (
        {seat: whose[:TAG_CHARACTERS] for seat, (_, whose) in people.items()},
        {seat: f"#{seat}" for seat in people},
    ):
        often = Counter(folded(name) for name in shown.values())
        shown = {
            seat: f"{name}·{tags[seat]}" if often[folded(name)] > 1 and tags[seat] else name
            for seat, name in shown.items()
        }
    return shown


def is_avatar(address: str) -> bool:
    """Return whether a text is the address of a picture that front ends may load: https, bounded, without a sign-in."""
    return len(address) <= LONGEST_AVATAR and _AVATAR.fullmatch(address) is not None


def seat_of(core: PublicTable, name: str) -> SeatRecord | None:
    """Find the seat that a person holds under any spelling of its name."""
    wanted = folded(name)
    return next((seat for seat in core.seats.values() if folded(seat.player) == wanted), None)


def refuse_seated(core: PublicTable, name: str) -> None:
    """Raise Refused (``SECOND_PERSON_NEEDED``) where a person that acts as staff holds a seat at the table."""
    seat = seat_of(core, name)
    if seat is not None:
        message = f"{seat.player} plays at this table (seat {seat.seat}); another person must do this"
        raise Refused(Reason.SECOND_PERSON_NEEDED, message)


def may_enter(core: PublicTable, player: str) -> bool:
    """Return whether a player may see a table and take a seat there: not at a private one without an invitation.

    Its opener may, and who has a seat there or one that is reserved for it.
    """
    return (
        not core.opening.by_invitation
        or player in core.guests
        or player == core.opening.opened_by
        or core.seat_of(player) is not None
        or any(one.player == player for one in core.reserved.values())
    )


def refuse_stranger(core: PublicTable, player: str) -> None:
    """Raise Refused (``INVITATION_NEEDED``) for a player who may not enter a private table."""
    if not may_enter(core, player):
        message = "this table is private; accept an invitation of its owner first (AcceptInvitation)"
        raise Refused(Reason.INVITATION_NEEDED, message, metadata={"table_id": core.table_id})


def refuse_kind_of_money(core: PublicTable, player: str, *, test: bool) -> None:
    """Raise Refused (``PERMISSION_DENIED``, ``TEST_ONLY``) for a test player or a house player at a real table."""
    house_players.keep_from_money(player, test=core.opening.test and test)
    if test and not core.opening.test:
        raise Refused(Reason.PERMISSION_DENIED, "test players sit at test tables only")


def without_seat(core: PublicTable) -> Refused:
    """Return the refusal of a caller who has no seat at a table."""
    message = "you have no seat at this table; take one first"
    return Refused(Reason.NOT_SEATED, message, metadata={"table_id": core.table_id})
