"""Invitations: who may enter a private table, how often a code is used, and what ends that."""

import pytest

from services.journal import log_rows
from services.rules.refusals import Refused
from services.table import codec, entry_events, event_fold, events, invitations, persons, reservations, waiting_line
from services.table.records import Guest, Invitation, Reservation
from tests.support import sittings
from tests.support.sittings import Sitting
from tests.table.test_reservations import MINUTE_MS, seats
from tests.table.test_waiting_line import players, refused, replayed, take, waits

CODE = "abcdefghijklmnopqrstuvwxyz"


def private(taken: int = 0, most: int = 3, *, test: bool = True) -> Sitting:
    """Return a private table of ``boss``; who sits there already came by an invitation."""
    sitting = seats(0, most, {"private": True, "by_invitation": True, "test": test})
    if taken:
        invite(sitting, "first", uses=taken)
        for seat in range(taken):
            accept(sitting, f"p{seat}", CODE + "first")
            take(sitting, f"p{seat}", seat)
    return sitting


def invite(sitting: Sitting, name: str = "i1", uses: int = 1, minutes: int = 10) -> int:
    """Make an invitation by a code of this name; return until when it can be used. Raises Refused."""
    now = sitting.tick()
    wanted = Invitation(
        invitation_id=name,
        digest=invitations.digest(sitting.table_id, CODE + name),
        uses=uses,
        until_ms=now + minutes * MINUTE_MS,
    )
    sitting.take(invitations.make(sitting.table.core, wanted, now))
    return wanted.until_ms


def accept(sitting: Sitting, player: str, code: str = CODE + "i1") -> None:
    """Let a player use a code. Raises Refused."""
    sitting.take(invitations.accept(sitting.table.core, player, code, sitting.tick(), test=False))


def denied(sitting: Sitting, player: str, code: str = CODE + "i1") -> str:
    """Return the reason why a code is refused."""
    with pytest.raises(Refused) as caught:
        accept(sitting, player, code)
    return caught.value.reason


@pytest.mark.parametrize(
    ("player", "reason"),
    [("guinea", "PERMISSION_DENIED"), ("house-player.zz", "TEST_ONLY"), ("House-Player.zz", "TEST_ONLY")],
)
def test_players_of_test_money_use_no_invitation_to_a_real_table(player: str, reason: str) -> None:
    """Neither a test player nor a house player enters, and the use stays for somebody who may play."""
    sitting = private(most=2, test=False)
    invite(sitting)
    for try_ in (
        lambda: invitations.accept(sitting.table.core, player, CODE + "i1", sitting.tick(), test=True),
        lambda: persons.refuse_kind_of_money(sitting.table.core, player, test=True),
    ):
        with pytest.raises(Refused) as caught:
            try_()
        assert caught.value.reason == reason
    assert sitting.table.core.invitations["i1"].uses == 1
    assert not sitting.table.core.guests


@pytest.mark.parametrize("typed", [CODE.upper() + "I1", f"  {CODE}i1\t", f"\n{CODE.title()}i1 "])
def test_a_code_is_taken_as_people_type_it(typed: str) -> None:
    """In any case of letters, and with spaces around it."""
    sitting = private(most=2)
    invite(sitting)
    accept(sitting, "eve", typed)
    assert "eve" in sitting.table.core.guests


def test_nobody_sits_or_waits_at_a_private_table_without_an_invitation() -> None:
    """The opener needs none; a guest sits, waits and is refused like everybody else at a full table."""
    sitting = private(most=2)
    refusal = refused(sitting, "eve")
    assert (refusal.reason, refusal.metadata["table_id"]) == ("INVITATION_NEEDED", sitting.table_id)
    with pytest.raises(Refused) as caught:
        waits(sitting, "eve")
    assert caught.value.reason == "INVITATION_NEEDED"
    assert take(sitting, "boss") == 0
    invite(sitting, uses=2)
    accept(sitting, "ann")
    accept(sitting, "bob")
    assert take(sitting, "ann") == 1
    assert refused(sitting, "bob").reason == "TABLE_FULL"
    waits(sitting, "bob")
    replayed(sitting)


def test_an_invitation_is_used_as_often_as_it_says() -> None:
    """The last use goes to one player; who may enter already uses nothing."""
    sitting = private()
    invite(sitting, uses=2)
    accept(sitting, "ann")
    assert invitations.accept(sitting.table.core, "ann", CODE + "i1", sitting.tick(), test=False) == []
    assert invitations.accept(sitting.table.core, "boss", "wrong", sitting.tick(), test=False) == []
    accept(sitting, "bob")
    assert denied(sitting, "eve") == "INVITATION_INVALID"
    assert sorted(sitting.table.core.guests) == ["ann", "bob"]
    replayed(sitting)


@pytest.mark.parametrize("code", ["", CODE, CODE + "i2", CODE + " i1", CODE + "i1x"])
def test_a_wrong_code_is_refused_with_the_same_reason_as_a_used_one(code: str) -> None:
    """The refusal does not tell an unknown code from one that was revoked or used up."""
    sitting = private()
    invite(sitting)
    assert denied(sitting, "eve", code) == "INVITATION_INVALID"


def test_a_code_of_one_table_opens_no_other() -> None:
    """The digest is bound to its table."""
    assert invitations.digest(sittings.TABLE, CODE) != invitations.digest(sittings.TABLE[:-1] + "2", CODE)


def test_an_expired_invitation_lets_nobody_else_in_and_nobody_out() -> None:
    """At its moment it is over; who has used it stays a guest."""
    sitting = private()
    until_ms = invite(sitting, uses=5)
    accept(sitting, "ann")
    sitting.now = until_ms - 1001
    accept(sitting, "bob")
    assert denied(sitting, "eve") == "INVITATION_INVALID"
    assert take(sitting, "ann") == 0
    replayed(sitting)


def test_a_revoked_invitation_takes_the_entry_of_those_without_a_seat() -> None:
    """A taken seat stays until it is left; who waits is out of the line; another invitation still counts."""
    sitting = private(most=2)
    invite(sitting, "i1", uses=3)
    invite(sitting, "i2")
    take(sitting, "boss")
    for player in ("ann", "bob", "dan"):
        accept(sitting, player)
    accept(sitting, "cid", CODE + "i2")
    take(sitting, "ann")
    waits(sitting, "bob", "cid")
    sitting.take(invitations.revoke(sitting.table.core, "i1", sitting.tick()))
    assert invitations.revoke(sitting.table.core, "i1", sitting.tick()) == []
    assert players(sitting) == ["cid"]
    core = sitting.table.core
    assert [persons.may_enter(core, who) for who in ("boss", "ann", "bob", "cid", "dan")] == [
        True,
        True,
        False,
        True,
        False,
    ]
    assert denied(sitting, "dan") == "INVITATION_INVALID"
    sitting.leave(1)
    assert refused(sitting, "ann").reason == "INVITATION_NEEDED"
    replayed(sitting)


def test_a_reserved_seat_is_an_invitation() -> None:
    """Its player may enter, without using a code; the others may not."""
    sitting = private()
    now = sitting.tick()
    kept = Reservation(seat=1, player="ann", until_ms=now + MINUTE_MS)
    sitting.take(reservations.reserve(sitting.table.core, kept, now))
    assert persons.may_enter(sitting.table.core, "ann")
    assert take(sitting, "ann") == 1
    assert refused(sitting, "eve").reason == "INVITATION_NEEDED"
    replayed(sitting)


def test_guests_and_invitations_are_restated_when_a_round_starts() -> None:
    """A table that is rebuilt from a round's start lets the same players in."""
    sitting = private(taken=2)
    invite(sitting, "i2", uses=3)
    accept(sitting, "ann", CODE + "i2")
    sitting.start()
    started = next(at for at, event in enumerate(sitting.log) if isinstance(event, events.RoundStarted))
    core = event_fold.begin(sittings.TABLE, started + 1, sitting.log[started])
    assert core.guests == sitting.table.core.guests
    assert core.invitations == sitting.table.core.invitations
    replayed(sitting)


def test_invitations_and_guests_are_bounded() -> None:
    """Uses, time, invitations at once and guests; what is used up makes room for another invitation."""
    sitting = private()
    for uses, minutes in ((0, 10), (invitations.MOST_USES + 1, 10), (1, 0), (1, 31 * 24 * 60)):
        with pytest.raises(Refused) as caught:
            invite(sitting, "i1", uses, minutes)
        assert caught.value.reason == "INVALID_ARGUMENT"
    for number in range(invitations.MOST_INVITATIONS):
        invite(sitting, f"i{number}", invitations.MOST_USES)
    with pytest.raises(Refused) as caught:
        invite(sitting, "one too many")
    assert (caught.value.reason, caught.value.metadata["limit"]) == ("LIMIT_REACHED", "invitations")
    for number in range(invitations.MOST_GUESTS):
        accept(sitting, f"g{number}", CODE + f"i{number // invitations.MOST_USES}")
    assert denied(sitting, "eve", CODE + "i9") == "LIMIT_REACHED"
    invite(sitting, "again")
    assert len(sitting.table.core.invitations) == invitations.MOST_INVITATIONS - 1
    with pytest.raises(Refused) as caught:
        waiting_line.join(sitting.table.core, "eve", sitting.now, sitting.now + 1)
    assert caught.value.reason == "INVITATION_NEEDED"
    replayed(sitting)


def test_a_table_that_is_open_to_everybody_takes_no_invitations() -> None:
    """The refusal names the table; nobody is a member of it."""
    sitting = seats(0, 3)
    with pytest.raises(Refused) as caught:
        invite(sitting)
    assert caught.value.fields[0][0] == "table_id"
    assert log_rows.summary(sitting.table.core)["members"] == []


def test_a_private_table_of_an_older_log_is_entered_as_before() -> None:
    """It was hidden from quick seats, and everybody who had its id could sit there."""
    sitting = seats(0, 3, {"private": True})
    assert "by_invitation" not in codec.encode(sitting.log[0])
    assert take(sitting, "eve") == 0
    replayed(sitting)


def test_a_use_beyond_the_last_is_found_in_a_replay() -> None:
    """A log in which a used-up invitation let somebody in differs from what the table decides."""
    sitting = private()
    invite(sitting)
    accept(sitting, "ann")
    forged = entry_events.InvitationAccepted(at_ms=sitting.tick(), guest=Guest(player="eve", invitation_id="i1"))
    assert sitting.differences([*sitting.log, forged])
