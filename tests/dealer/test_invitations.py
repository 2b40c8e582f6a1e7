"""Invitations at two dealers of one log: the last use goes to one player, and no code is stored."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import invitations
from services.dealer.commands import Commands
from services.eventlog.log import Appender
from services.fairness.seal import KeyRing
from services.rules.refusals import Refused
from services.runtime import clock
from services.table import entry_events
from services.table.events import Event
from tests.dealer.conftest import Dealer, Open
from tests.dealer.watchers import player
from tests.support import served, waits
from tests.support.served import Connection
from tests.support.sittings import Sitting

WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    " AND state = 'active'"
)


UNTIL = datetime.now(UTC) + timedelta(hours=2)


async def private(conn: Connection) -> Sitting:
    """Write a private table of ``boss``."""
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id(), private=True, by_invitation=True)
    await served.publish(conn, sitting)
    return sitting


async def invite(dealer: Dealer, sitting: Sitting, uses: int = 1, request_id: str = "") -> pb.CreateInvitationResponse:
    """Let the owner make an invitation, as the service does."""
    request = pb.CreateInvitationRequest(
        request_id=request_id or served.request_id(), table_id=sitting.table_id, uses=uses
    )
    request.expire_time.FromDatetime(UNTIL)
    command = invitations.CreateInvitation(request, player("boss"), dealer.vault)
    answer, _ = await dealer.commands.run(command)
    return command.with_code(answer)


async def accept(dealer: Dealer, sitting: Sitting, name: str, code: str) -> list[Event]:
    """Let a player use a code; return the events. Raises Refused."""
    request = pb.AcceptInvitationRequest(request_id=served.request_id(), table_id=sitting.table_id, code=code)
    _, made = await dealer.commands.run(invitations.AcceptInvitation(request, player(name)))
    return made


async def outcome(dealer: Dealer, sitting: Sitting, name: str, code: str) -> str:
    """Return what came of a try: ``in``, or the reason of the refusal."""
    try:
        await accept(dealer, sitting, name, code)
    except Refused as refusal:
        return str(refusal.reason)
    return "in"


async def test_a_code_is_taken_as_people_type_it_and_no_uses_are_no_invitation(
    open_dealer: Open, conn: Connection
) -> None:
    """Capitals and spaces around a code do not count; an invitation for nobody is refused with the bounds."""
    sitting = await private(conn)
    dealer = open_dealer()
    with pytest.raises(Refused) as caught:
        await invite(dealer, sitting, uses=0)
    assert (caught.value.metadata["uses_least"], caught.value.metadata["uses_greatest"]) == ("1", "50")
    code = (await invite(dealer, sitting)).code
    assert await outcome(dealer, sitting, "ann", f" {code.upper()}\n") == "in"


async def test_the_last_use_goes_to_the_first_of_two_dealers(open_dealer: Open, conn: Connection) -> None:
    """The dealer that still sees a free use runs the command on the log's newest version, and refuses."""
    sitting = await private(conn)
    one, behind = open_dealer(), open_dealer()
    code = (await invite(one, sitting)).code
    assert await behind.version(sitting.table_id) == 2
    await accept(one, sitting, "ann", code)
    assert await behind.version(sitting.table_id) == 2
    assert await outcome(behind, sitting, "bob", code) == "INVITATION_INVALID"
    later = await served.catch_up(conn, sitting)
    assert [event.guest.player for event in later if isinstance(event, entry_events.InvitationAccepted)] == ["ann"]


async def test_of_two_uses_at_the_same_moment_one_is_the_last(
    open_dealer: Open, conn: Connection, postgres_url: str
) -> None:
    """Both dealers have decided and wait for the table's row, which a third connection holds; one of them gets in."""
    sitting = await private(conn)
    dealers = [open_dealer(), open_dealer()]
    code = (await invite(dealers[0], sitting)).code
    async with (
        Appender(dealers[1].pool) as of_its_own,
        await served.connect(postgres_url) as holder,
    ):
        second = dealers[1]
        second.commands = Commands(second.tables, of_its_own, second.pool, "dealer", clock.wall_ms)
        async with holder.transaction():
            await holder.execute("SELECT 1 FROM streams WHERE stream_id = %s FOR UPDATE", (sitting.table_id,))
            tries = [
                asyncio.create_task(outcome(dealer, sitting, name, code))
                for dealer, name in zip(dealers, ("ann", "bob"), strict=True)
            ]

            async def both_wait() -> bool:
                found = await (await conn.execute(WAITING)).fetchone()
                return found is not None and found[0] == 2

            await waits.eventually(both_wait, "both dealers wait for the table")
        assert sorted(await asyncio.gather(*tries)) == ["INVITATION_INVALID", "in"]
    later = await served.catch_up(conn, sitting)
    assert len([event for event in later if isinstance(event, entry_events.InvitationAccepted)]) == 1
    assert sitting.again().differences == []


async def test_no_code_is_stored_and_a_repetition_still_returns_it(open_dealer: Open, conn: Connection) -> None:
    """Events hold its digest, the stored answer the name of a key; another dealer derives the same code."""
    sitting = await private(conn)
    answer = await invite(open_dealer(), sitting, request_id="mine")
    assert await invite(open_dealer(), sitting, request_id="mine") == answer
    assert len(answer.code) == 26
    for query in (
        "SELECT count(*) FROM events WHERE data LIKE %s",
        "SELECT count(*) FROM events WHERE metadata LIKE %s",
        "SELECT count(*) FROM requests WHERE encode(answer, 'escape') LIKE %s",
        "SELECT count(*) FROM streams WHERE summary::text LIKE %s",
    ):
        assert await (await conn.execute(query, (f"%{answer.code}%",))).fetchone() == (0,), query


async def test_a_dealer_without_the_key_answers_a_repetition_without_the_code(
    open_dealer: Open, conn: Connection
) -> None:
    """The invitation stands; its code can only be asked for while the key is held."""
    sitting = await private(conn)
    answer = await invite(open_dealer(), sitting, request_id="mine")
    other = open_dealer(deal=KeyRing("deal", {"another": bytes(range(1, 33))}, "another"))
    again = await invite(other, sitting, request_id="mine")
    assert (again.code, again.invitation) == ("", answer.invitation)
    with pytest.raises(Refused) as caught:
        await accept(other, sitting, "ann", "a-guess")
    assert caught.value.reason == "INVITATION_INVALID"
    assert await outcome(other, sitting, "ann", answer.code) == "in"
