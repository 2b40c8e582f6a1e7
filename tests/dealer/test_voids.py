"""A round whose key was lost can be voided, and the table continues."""

import base64
from collections.abc import AsyncIterator

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.runtime.identity import Role
from services.table import events
from tests.settlement.test_money import seated
from tests.support import served
from tests.support.served import Connection, Served, request_id
from tests.support.sittings import Sitting

OTHER = {"deal_keys": {"newer": base64.b64encode(bytes(32)).decode()}, "deal_key": "newer"}
"""A dealer's ring without the key that the round was sealed under."""


@pytest.fixture
async def keyless(settlement: Served, postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve a dealer that lost the key of the rounds that run."""
    given = served.given(postgres_url, redis_url, settlement_address=settlement.address, **OTHER)
    async with served.serve("dealer", given) as process:
        yield process


async def running(settlement: Served, conn: Connection) -> Sitting:
    """Return a table in its first round, its seed sealed under the lost key."""
    sitting = await seated(settlement, conn)
    sitting.start()
    await served.publish(conn, sitting)
    return sitting


async def test_a_round_whose_key_is_gone_is_voided_and_the_table_closed(
    settlement: Served, keyless: Served, conn: Connection
) -> None:
    """After a void without a seed, seats can leave and the table can be closed."""
    sitting = await running(settlement, conn)
    table = sitting.table_id
    leave = pb.LeaveSeatRequest(request_id=request_id(), table_id=table)
    left = await keyless.call(keyless.dealer.LeaveSeat, leave, Role.PLAYER, "p0")
    assert left.after_round
    void = pb.VoidRoundRequest(request_id=request_id(), reason="the key is gone", table_id=table)
    await keyless.call(keyless.dealer.VoidRound, void, Role.OPERATOR)
    await served.catch_up(conn, sitting)
    [voided] = [event for event in sitting.log if isinstance(event, events.RoundVoided)]
    assert (voided.reveal, voided.seed_lost) == ("", True)
    seen = await keyless.call(keyless.dealer.GetTable, pb.GetTableRequest(table_id=table), Role.OPERATOR)
    assert [seat.seat for seat in seen.view.seats] == [1]
    leave = pb.LeaveSeatRequest(request_id=request_id(), table_id=table)
    assert not (await keyless.call(keyless.dealer.LeaveSeat, leave, Role.PLAYER, "p1")).after_round
    close = pb.CloseTableRequest(request_id=request_id(), reason="the key is gone", table_id=table)
    await keyless.call(keyless.dealer.CloseTable, close, Role.OPERATOR)
