"""Automatic top-ups over gRPC: from the wallet before each round, or nothing and the reason."""

from pitboss import client
from pitboss.v1 import wallet_pb2

from tests.support import people
from tests.support.people import Crowd, refused


async def test_a_seat_is_topped_up_before_a_round(crowd: Crowd) -> None:
    """The chips come out of the wallet with the start, once, and the round is played with them."""
    table, (ann, bob) = await crowd.table("texas_holdem", ("ann", "bob"), greatest_buy_in=2000)
    await refused("AMOUNT_OUT_OF_RANGE", ann.house.set_top_up(table, 2001))
    await refused("NOT_SEATED", (await crowd.player("cid")).house.set_top_up(table, 1500))
    await ann.house.set_top_up(table, 1500)
    assert (await ann.house.table(table)).own_top_up.level == 1500
    assert not (await bob.house.table(table)).HasField("own_top_up")
    await ann.at(1).start_round(table)
    view = await ann.house.table(table)
    assert [seat.chips for seat in view.seats] == [1500, 1000]
    assert await ann.house.balance() == people.WALLET - 1500


async def test_a_wallet_that_does_not_hold_the_whole_amount_moves_nothing(crowd: Crowd) -> None:
    """The round starts all the same; the view of the player says why its seat was not topped up."""
    table, (ann, bob) = await crowd.table("texas_holdem", ("ann", "bob"), greatest_buy_in=2000)
    await ann.house.set_top_up(table, 1500)
    await crowd.operator.house.call(
        crowd.operator.house.wallets.Withdraw,
        wallet_pb2.WithdrawRequest(
            request_id=client.request_id(), player=ann.subject, amount=people.WALLET - 1499, reason="a test"
        ),
    )
    await bob.house.start_round(table)
    view = await ann.house.table(table)
    assert [seat.chips for seat in view.seats] == [1000, 1000]
    assert (view.own_top_up.level, view.own_top_up.failed) == (1500, "INSUFFICIENT_FUNDS")
    assert await ann.house.balance() == 499
