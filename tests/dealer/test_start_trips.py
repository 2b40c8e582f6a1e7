"""A start is decided on the table in memory; where that is behind the log, the log decides."""

from collections.abc import AsyncIterator
from random import Random

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.dealer.tables import Tables
from services.runtime import clock
from services.runtime.identity import Role
from services.settlement import sweep
from services.table import absence, events, public_table, top_up
from services.table.full_table import FullTable
from tests.settlement.test_round_trips import seated
from tests.support import served
from tests.support.served import Connection, Served


@pytest.fixture
async def dealer(postgres_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    """Serve a dealer, and a settlement that settles only what it is asked for."""
    monkeypatch.setattr(sweep, "BEAT_SECONDS", 3600)
    async with served.serve("settlement", served.given(postgres_url, redis_url)) as settlement:
        given = served.given(postgres_url, redis_url, settlement_address=settlement.address)
        async with served.serve("dealer", given) as process:
            yield process


async def start(dealer: Served, table_id: str) -> pb.StartRoundResponse:
    """Start a round as the operator."""
    request = pb.StartRoundRequest(request_id=served.request_id(), table_id=table_id)
    answer: pb.StartRoundResponse = await dealer.call(dealer.dealer.StartRound, request, Role.OPERATOR)
    return answer


async def look(dealer: Served, table_id: str) -> int:
    """Let the dealer have the table in memory; return its version."""
    answer = await dealer.call(dealer.dealer.GetTable, pb.GetTableRequest(table_id=table_id), Role.OPERATOR)
    return int(answer.view.version)


async def test_a_start_reads_no_table(dealer: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that this dealer has at hand is started without a look at its events."""
    sitting = await seated(conn)
    await look(dealer, sitting.table_id)
    read: list[str] = []
    caught_up = Tables.caught_up

    async def counted(tables: Tables, table: FullTable) -> FullTable:
        read.append(table.core.table_id)
        return await caught_up(tables, table)

    monkeypatch.setattr(Tables, "caught_up", counted)
    assert (await start(dealer, sitting.table_id)).round_number == 1
    assert read == []


@pytest.mark.parametrize("seen", ["between rounds", "in the round"])
async def test_a_round_that_another_dealer_ended_is_settled_first(dealer: Served, conn: Connection, seen: str) -> None:
    """The dealer has the table as it was before the round or in it; the ended round is settled, the next one starts."""
    sitting = await seated(conn)
    assert await look(dealer, sitting.table_id) == len(sitting.log)
    sitting.start()
    if seen == "in the round":
        await served.publish(conn, sitting)
        assert await look(dealer, sitting.table_id) == len(sitting.log)
    sitting.finish(Random(1), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    assert sitting.table.core.phase == public_table.SETTLING
    assert (await start(dealer, sitting.table_id)).round_number == 2
    await served.catch_up(conn, sitting)
    assert sitting.table.core.phase == public_table.IN_ROUND


async def test_a_running_round_of_another_dealer_refuses_the_start(dealer: Served, conn: Connection) -> None:
    """A dealer that has the table as it was between rounds refuses by the log, which has a round."""
    sitting = await seated(conn)
    await look(dealer, sitting.table_id)
    sitting.start()
    await served.publish(conn, sitting)
    request = pb.StartRoundRequest(request_id=served.request_id(), table_id=sitting.table_id)
    await dealer.refused("ROUND_IN_PROGRESS", dealer.dealer.StartRound, request, Role.OPERATOR)


async def test_a_start_sees_a_top_up_that_another_dealer_took(dealer: Served, conn: Connection) -> None:
    """The dealer has the table as it was before the top-up was set; settlement is asked before the round starts."""
    sitting = await seated(conn)
    await look(dealer, sitting.table_id)
    sitting.take(top_up.set_level(sitting.table.core, 0, 700, sitting.tick()))
    await served.publish(conn, sitting)
    assert (await start(dealer, sitting.table_id)).round_number == 1
    # The wallet is empty: the top-up fails, and that stands in the log before the round.
    kinds = [type(event) for event in await served.catch_up(conn, sitting)]
    assert kinds[:2] == [events.TopUpFailed, events.RoundStarted]


async def test_a_start_sees_an_absence_that_another_dealer_took(dealer: Served, conn: Connection) -> None:
    """The dealer has the table as it was before a seat sat out; it has been away for too long, and is cashed out."""
    sitting = await seated(conn, absence=True)
    await look(dealer, sitting.table_id)
    sitting.sit_out(1)
    await served.publish(conn, sitting)
    assert absence.over(sitting.table.core, clock.wall_ms()) == [1]
    request = pb.StartRoundRequest(request_id=served.request_id(), table_id=sitting.table_id)
    await dealer.refused("NOT_ENOUGH_SEATS", dealer.dealer.StartRound, request, Role.OPERATOR)
    kinds = [type(event) for event in await served.catch_up(conn, sitting)]
    assert kinds == [events.RemovedForAbsence]
