"""Invitations to a private table: who may enter it, by which code, how often and until when.

The log holds the digest of a code, never the code. Codes have 128 bits of chance, so that a digest cannot be searched
for its code. The use of an invitation is an event, so the last use goes to one player.
"""

import hashlib
import hmac
from typing import Final

import msgspec

from services.rules.refusals import Reason, Refused, invalid
from services.rules.text import Text
from services.table import entry_events, persons, public_table, waiting_line
from services.table.events import Event
from services.table.public_table import PublicTable
from services.table.records import Guest, Invitation

MOST_INVITATIONS: Final = 10
"""Maximum number of invitations to one table that can be used."""
MOST_USES: Final = 50
MOST_MS: Final = 30 * 24 * 60 * 60 * 1000
"""How long an invitation can be used at most."""
MOST_GUESTS: Final = 100
LONGEST_CODE: Final = 64

_PUBLIC: Final = Text(
    "Everybody may enter this table; invitations are for private tables.",
    "任何人都能進入本桌；只有私人牌桌才需要邀請。",
    "任何人都能进入本桌；只有私人牌桌才需要邀请。",
)
_LABEL: Final = b"pitboss invitation v1|"


def digest(table_id: str, code: str) -> str:
    """Return the digest of a code for a table, 64 hexadecimal digits."""
    return hashlib.sha256(_LABEL + table_id.encode() + b"|" + code.encode()).hexdigest()


def normalised(code: str) -> str:
    """Return a code as it was made: people type capitals, and spaces around it."""
    return code.strip().lower()


def is_live(one: Invitation, now_ms: int) -> bool:
    """Return whether an invitation can be used at a moment."""
    return one.uses > 0 and now_ms < one.until_ms


def make(core: PublicTable, wanted: Invitation, at_ms: int) -> list[Event]:
    """Make an invitation. Raises Refused (``TABLE_CLOSED``, ``INVALID_ARGUMENT``, ``LIMIT_REACHED``)."""
    public_table.require_not_closed(core)
    if not core.opening.by_invitation:
        message = "everybody may enter this table; invitations are for private tables"
        raise invalid("table_id", message, text=_PUBLIC)
    if not 1 <= wanted.uses <= MOST_USES:
        raise invalid("uses", f"{wanted.uses}; give 1 to {MOST_USES}", least=1, greatest=MOST_USES)
    if not at_ms < wanted.until_ms <= at_ms + MOST_MS:
        raise invalid("expire_time", "a moment within the next 30 days", between_ms=(at_ms + 1, at_ms + MOST_MS))
    live = sum(is_live(one, at_ms) for one in core.invitations.values())
    if live >= MOST_INVITATIONS:
        raise _too_many("invitations", live, MOST_INVITATIONS)
    return [entry_events.InvitationMade(at_ms=at_ms, invitation=wanted)]


def accept(core: PublicTable, player: str, code: str, at_ms: int, *, test: bool) -> list[Event]:
    """Use an invitation by its code; nothing where the player may enter already. ``test``: it is a test player.

    Raises Refused (``TABLE_CLOSED``, ``PERMISSION_DENIED``, ``TEST_ONLY``, ``INVITATION_INVALID``, ``LIMIT_REACHED``).
    """
    public_table.require_not_closed(core)
    persons.refuse_kind_of_money(core, player, test=test)
    if persons.may_enter(core, player):
        return []
    given, found = digest(core.table_id, normalised(code)), ""
    for one in core.invitations.values():  # all of them, so that the time tells nothing
        if hmac.compare_digest(given, one.digest):
            found = one.invitation_id
    return admit(core, Guest(player=player, invitation_id=found), at_ms)


def admit(core: PublicTable, guest: Guest, at_ms: int) -> list[Event]:
    """Let a player enter by an invitation. Raises Refused as ``accept`` does."""
    used = core.invitations.get(guest.invitation_id)
    if used is None or not is_live(used, at_ms):
        message = "this code opens no invitation to this table; it may have been used up, have expired or been revoked"
        raise Refused(Reason.INVITATION_INVALID, message)
    if len(core.guests) >= MOST_GUESTS:
        raise _too_many("guests", len(core.guests), MOST_GUESTS)
    return [entry_events.InvitationAccepted(at_ms=at_ms, guest=guest)]


def revoke(core: PublicTable, invitation_id: str, at_ms: int) -> list[Event]:
    """Revoke an invitation, and with it the entry of those who used it; nothing where there is no such."""
    known = invitation_id in core.invitations or invitation_id in core.guests.values()
    return [entry_events.InvitationRevoked(at_ms=at_ms, invitation_id=invitation_id)] if known else []


def members(core: PublicTable) -> list[str]:
    """Return who may enter a private table; nobody in particular at another one."""
    if not core.opening.by_invitation:
        return []
    invited = [one.player for one in core.reserved.values()]
    seated = [seat.player for seat in core.seats.values()]
    return sorted({core.opening.opened_by, *core.guests, *invited, *seated})


def _too_many(what: str, count: int, most: int) -> Refused:
    return Refused(
        Reason.LIMIT_REACHED,
        f"this table has {count} {what}; {most} are the most, revoke an invitation first",
        metadata={"limit": what, "most": most},
        text=Text(
            f"A table has at most {most} {what}; revoke an invitation first.",
            f"{_ZH_HANT[what]}最多 {most} 個，請先撤回一個邀請。",
            f"{_ZH_HANS[what]}最多 {most} 个，请先撤回一个邀请。",
        ),
    )


_ZH_HANT: Final = {"invitations": "每桌有效的邀請", "guests": "每桌受邀的玩家"}
_ZH_HANS: Final = {"invitations": "每桌有效的邀请", "guests": "每桌受邀的玩家"}


# -- the fold


def made(core: PublicTable, event: entry_events.InvitationMade) -> None:
    """Fold a new invitation; those that can be used no more are forgotten."""
    live = {key: one for key, one in core.invitations.items() if is_live(one, event.at_ms)}
    core.invitations = {**live, event.invitation.invitation_id: event.invitation}


def accepted(core: PublicTable, event: entry_events.InvitationAccepted) -> None:
    """Fold a use of an invitation."""
    used = core.invitations[event.guest.invitation_id]
    assert used.uses > 0, f"invitation {used.invitation_id} was used too often"
    core.invitations = {**core.invitations, used.invitation_id: msgspec.structs.replace(used, uses=used.uses - 1)}
    core.guests = {**core.guests, event.guest.player: event.guest.invitation_id}


def revoked(core: PublicTable, event: entry_events.InvitationRevoked) -> None:
    """Fold a revocation; who may no longer enter does not wait either."""
    core.invitations = {key: one for key, one in core.invitations.items() if key != event.invitation_id}
    core.guests = {who: by for who, by in core.guests.items() if by != event.invitation_id}
    waiting_line.remove(core, *(one.player for one in core.line if not persons.may_enter(core, one.player)))
