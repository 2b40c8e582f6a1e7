"""House players and real money never meet: each process refuses it to everybody who asks."""

import grpc
import pytest
from pitboss import client
from pitboss.v1 import settlement_pb2, settlement_pb2_grpc

from services.cli.reach import Reach
from services.players.crew import Member
from services.runtime.identity import Role
from tests.support import people


async def test_a_house_player_takes_no_seat_at_a_table_of_real_money(
    crowd: people.Crowd, members: list[Member], reached: Reach
) -> None:
    """The dealer refuses it, and so does settlement, whatever a dealer says of the caller; nobody sits there."""
    table = (await crowd.operator.house.create_table("war")).table_id
    await people.refused("TEST_ONLY", members[0].house.take_seat(table, 100))
    async with client.open_channel(reached.settlement) as channel:
        stub = settlement_pb2_grpc.SettlementServiceStub(channel)
        metadata = (("authorization", f"Bearer {reached.token('dealer', Role.SERVICE)}"),)
        for number, test in enumerate((True, False)):
            request = settlement_pb2.BuyInRequest(
                request_id=client.request_id(),
                table_id=table,
                amount=100 + number,
                on_behalf=settlement_pb2.OnBehalf(subject=members[0].subject, role="player", test=test),
            )
            with pytest.raises(grpc.RpcError, match="house player") as caught:
                await stub.BuyIn(request, metadata=metadata)
            assert client.refusal(caught.value).reason == "TEST_ONLY"
    assert not (await crowd.operator.house.table(table)).seats


async def test_a_house_player_holds_no_real_money(crowd: people.Crowd, members: list[Member]) -> None:
    """Staff cannot deposit real money for it, nor can it: it fills its own wallet with test money, and no other."""
    one, other = members[0], members[1]
    await people.refused("TEST_ONLY", crowd.operator.house.deposit(one.subject, 100))
    await people.refused("TEST_ONLY", one.house.deposit(one.subject, 100))
    await people.refused("TEST_ONLY", one.house.deposit(other.subject, 100, "XTS"))
    before = await one.house.balance("XTS")
    assert await one.house.deposit(one.subject, 100, "XTS") == before + 100


async def test_other_players_deposit_nothing(crowd: people.Crowd) -> None:
    """Neither a player nor a test player may fill its wallet by itself."""
    player, tester = await crowd.player("ann"), await crowd.player("bob", test=True)
    await people.refused("TEST_ONLY", player.house.deposit(player.subject, 100))
    await people.refused("TEST_ONLY", tester.house.deposit(tester.subject, 100, "XTS"))


async def test_where_house_players_sit_the_table_plays_for_test_money(
    crowd: people.Crowd, members: list[Member]
) -> None:
    """A table that a house player opens is a test table; another currency is refused."""
    made = (await members[0].house.create_table("war", title="Demo")).table_id
    summary = (await crowd.operator.house.table(made)).table
    assert (summary.test, summary.currency) == (True, "XTS")
    await people.refused("WRONG_CURRENCY", members[0].house.create_table("war", currency="CHIPS"))
