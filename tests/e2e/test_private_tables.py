"""Private tables over gRPC: listed to nobody else, entered by invitation, at every dealer."""

import asyncio
from typing import Any

import grpc
import pytest
from pitboss import client

from services.runtime import settings
from services.runtime.identity import Role
from services.runtime.quotas import Quota
from tests.e2e.test_reserved_seats import soon
from tests.support.people import ANY_BUY_IN, MANUAL, Crowd, Person, refused

GAME = "tongbi_san_gong"


async def private(crowd: Crowd, **more: Any) -> tuple[Person, str]:
    """Let a player open a private table."""
    owner = await crowd.player("owner")
    made = await owner.house.create_table(GAME, MANUAL, private=True, **more)
    return owner, made.table_id


async def ended(player: Person, table_id: str) -> client.Refused:
    """Watch a table until the house ends the stream; return why."""
    with pytest.raises(client.Refused) as caught:
        async for _ in player.house.watch(table_id, patience=0):
            pass
    return caught.value


async def test_strangers_neither_list_nor_see_nor_enter_a_private_table(crowd: Crowd) -> None:
    """Its owner, staff and auditors see it; strangers are refused with one reason wherever they knock."""
    owner, table = await private(crowd)
    eve = await crowd.player("eve")
    for house in (eve.house, eve.at(1)):
        assert table not in {one.table_id for one in await house.tables(game=GAME, include_closed=True)}
        for call in (house.table(table), house.take_seat(table, 1000), house.join_line(table)):
            await refused("INVITATION_NEEDED", call)
        async for lobby in house.watch_lobby(game=GAME):
            assert table not in lobby.tables
            break
    assert (await ended(eve, table)).reason == "INVITATION_NEEDED"
    assert [one.table_id for one in await owner.at(1).my_invitations()] == [table]
    assert await eve.house.my_invitations() == []
    for house in (crowd.operator.house, crowd.person("auditor", Role.AUDITOR).house):
        assert (await house.table(table)).table.private
        assert table in {one.table_id for one in await house.tables(game=GAME)}


async def test_who_has_a_code_sees_and_sits(crowd: Crowd) -> None:
    """The answer alone holds the code, the same at each repetition; its uses are counted at all dealers."""
    owner, table = await private(crowd)
    ann, bob, eve = [await crowd.player(name) for name in ("ann", "bob", "eve")]
    until = soon()
    made = await owner.house.invite(table, until, uses=2, command="for-friends")
    assert await owner.at(1).invite(table, until, uses=2, command="for-friends") == made
    assert len(made.code) == 26
    [shown] = (await owner.at(1).invitations(table)).invitations
    assert shown == made.invitation
    await refused("INVITATION_INVALID", eve.house.accept_invitation(table, made.code[:-1] + "!"))
    await ann.house.accept_invitation(table, made.code)
    await ann.at(1).accept_invitation(table, made.code)
    await bob.at(1).accept_invitation(table, made.code)
    await refused("INVITATION_INVALID", eve.at(1).accept_invitation(table, made.code))
    assert (await ann.house.table(table)).table.private
    assert (await ann.at(1).take_seat(table, 1000)).seat == 0
    assert [one.table_id for one in await bob.house.my_invitations()] == [table]
    assert [one.table_id for one in await ann.house.my_tables()] == [table]
    assert (await owner.house.invitations(table)).guests == 2


async def test_a_revoked_invitation_ends_the_streams_of_those_without_a_seat(crowd: Crowd) -> None:
    """The guest who watches is disconnected and may not come again; the one who sits plays on."""
    owner, table = await private(crowd)
    ann, bob = [await crowd.player(name) for name in ("ann", "bob")]
    made = await owner.house.invite(table, soon(), uses=2)
    for player in (ann, bob):
        await player.house.accept_invitation(table, made.code)
    await ann.house.take_seat(table, 1000)
    watching = asyncio.create_task(ended(bob, table))
    await refused("PERMISSION_DENIED", bob.house.revoke_invitation(table, made.invitation.invitation_id))
    await owner.at(1).revoke_invitation(table, made.invitation.invitation_id)
    assert (await watching).reason == "INVITATION_NEEDED"
    await refused("INVITATION_INVALID", bob.house.accept_invitation(table, made.code))
    assert (await ann.at(1).table(table)).own_seat == 0
    assert not (await owner.house.invitations(table)).invitations


async def test_only_the_owner_and_staff_handle_invitations(crowd: Crowd) -> None:
    """Guests and strangers are refused; a table for everybody takes none."""
    owner, table = await private(crowd)
    ann = await crowd.player("ann")
    made = await crowd.operator.house.invite(table, soon())
    await ann.house.accept_invitation(table, made.code)
    await refused("PERMISSION_DENIED", ann.house.invite(table, soon()))
    await refused("PERMISSION_DENIED", ann.house.invitations(table))
    public = (await owner.house.create_table(GAME, MANUAL, **ANY_BUY_IN)).table_id
    await refused("INVALID_ARGUMENT", owner.house.invite(public, soon()))


async def test_a_quick_seat_never_leads_to_a_private_table(crowd: Crowd) -> None:
    """Not even a guest of it, or its owner."""
    stake = 7919
    owner = await crowd.player("owner")
    made = await owner.house.create_table(GAME, MANUAL | {"base": stake}, private=True)
    refusal = await refused("TABLE_FULL", owner.house.take_any_seat(GAME, 100 * stake, stake))
    assert refusal.metadata["buy_in"] == str(100 * stake)
    assert (await owner.house.take_seat(made.table_id, 50 * stake)).seat == 0


async def test_a_player_tries_few_codes_at_all_dealers_together(crowd: Crowd) -> None:
    """After the burst each further code is refused with the pause, and other commands still go through."""
    _, table = await private(crowd)
    eve = await crowd.player("eve")
    quota = Quota.parse(settings.Settings.model_fields["quota_codes"].default)
    reasons = []
    for number in range(2 * quota.within_span + 2):
        try:
            await eve.at(number).accept_invitation(table, f"guess-{number}")
        except client.Refused as refusal:
            reasons.append(refusal.reason)
            if refusal.reason == "TOO_MANY_REQUESTS":
                assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
                break
    assert reasons[:-1] == ["INVITATION_INVALID"] * (len(reasons) - 1)
    assert reasons[-1] == "TOO_MANY_REQUESTS"
    await eve.house.create_table(GAME, MANUAL)
