"""The house starts rounds: found by the index or by the log's marks, once, however many dealers try."""

import asyncio

import pytest

from services.dealer import starts
from services.dealer.admission import ClearedSeats, TableChanged
from services.eventlog import log
from services.journal import log_rows
from services.rules.refusals import Reason, Refused
from services.table import events, public_table
from tests.dealer.conftest import Dealer, Open
from tests.dealer.test_deadlines import SHOWDOWN, Watch
from tests.support import served
from tests.support.served import Connection
from tests.support.sittings import Sitting

SEATED = frozenset({"p0", "p1"})


async def waiting(conn: Connection) -> Sitting:
    """Write a table whose round the house should have started long ago."""
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id(), auto=True)
    sitting.sit({0: 500, 1: 500})
    await served.publish(conn, sitting)
    return sitting


async def start(dealer: Dealer, sitting: Sitting, players: frozenset[str] = SEATED) -> list[events.Event]:
    """Start a due round at a dealer, with these checked players; return the events."""
    cleared = ClearedSeats(round_number=0, players=players)
    await dealer.admission.refresh()
    due_ms = sitting.table.core.start_ms
    command = starts.HouseStart(sitting.table_id, due_ms, dealer.vault, dealer.admission, cleared)
    return (await dealer.commands.run(command))[1]


async def saved(dealer: Dealer, sitting: Sitting) -> None:
    """Load a table at a dealer and save it to Redis."""
    async with dealer.tables.checkout(sitting.table_id) as held:
        held.save()
    await dealer.tables.settle_down()


async def begun(conn: Connection, sitting: Sitting) -> int:
    """Return how many rounds have started at a table."""
    return sum(one.type.startswith("RoundStarted") for one in await log.read(conn, sitting.table_id))


async def test_a_dealer_that_was_slower_starts_nothing(open_dealer: Open, conn: Connection) -> None:
    """Both dealers hold the table as it waits; one starts the round, the other finds it running."""
    sitting = await waiting(conn)
    one, other = open_dealer(), open_dealer()
    for dealer in (one, other):
        assert await dealer.version(sitting.table_id) == len(sitting.log)
    [started, *_] = await start(one, sitting)
    assert isinstance(started, events.RoundStarted)
    assert (started.started_by, started.round_number) == ("house", 1)
    assert await start(other, sitting) == []
    assert await start(one, sitting) == []
    assert await begun(conn, sitting) == 1
    await served.catch_up(conn, sitting)
    assert sitting.table.core.phase == public_table.IN_ROUND


async def test_dealers_that_start_at_once_start_one_round(open_dealer: Open, conn: Connection) -> None:
    """Four dealers decide on the same version; one append is the next, the others find nothing left to do."""
    sitting = await waiting(conn)
    dealers = [open_dealer() for _ in range(4)]
    for dealer in dealers:
        await dealer.version(sitting.table_id)
    made = await asyncio.gather(*(start(dealer, sitting) for dealer in dealers))
    assert sorted(len(one) for one in made) == [0, 0, 0, 1]
    assert await begun(conn, sitting) == 1


async def test_the_moment_of_a_start_is_in_the_index_of_deadlines(open_dealer: Open, conn: Connection) -> None:
    """A dealer that saves a waiting table has its start fired; once a player has left, nothing is due any more."""
    sitting = await waiting(conn)
    dealer = open_dealer()
    await saved(dealer, sitting)
    assert await dealer.live.deadline(sitting.table_id, SHOWDOWN) == sitting.table.core.start_ms
    watch = Watch(dealer)
    await watch.turn()
    assert watch.starts == [sitting.table_id]
    sitting.leave(1)
    await served.publish(conn, sitting)
    await saved(dealer, sitting)
    assert await dealer.live.deadline(sitting.table_id, SHOWDOWN) is None


async def test_a_start_that_redis_never_got_is_found_in_the_log(open_dealer: Open, conn: Connection) -> None:
    """Settlement made the seats ready and its dealer died: the sweep finds the table by its mark."""
    sitting = await waiting(conn)
    head = await log.read_head(conn, sitting.table_id)
    assert head is not None
    assert head.mark == log_rows.STARTING
    watch = Watch(open_dealer())
    await watch.served.sweep.once()
    await watch.turn()
    assert watch.starts == [sitting.table_id]


async def test_a_table_that_is_switched_off_is_put_off_without_a_fault(open_dealer: Open, conn: Connection) -> None:
    """It is tried again later and is not counted among those that fail."""
    sitting = await waiting(conn)
    watch = Watch(open_dealer())
    await watch.served.sweep.once()

    async def off(table_id: str, _: int) -> list[events.Event]:
        watch.starts.append(table_id)
        raise Refused(Reason.SWITCHED_OFF, "off for a test")

    watch.served._start = off
    for _ in range(3):
        await watch.served.sweep.once()
        await watch.turn()
    assert watch.starts == [sitting.table_id]
    assert len(watch.served._backoff) == 0
    assert sum(watch.served._backoff.waiting_by_group()) == 1


async def test_a_start_is_decided_on_checked_seats(open_dealer: Open, conn: Connection) -> None:
    """A player who sat down since the check is not dealt in unchecked: the start requires another check."""
    sitting = await waiting(conn)
    dealer = open_dealer()
    with pytest.raises(TableChanged):
        await start(dealer, sitting, players=frozenset({"p0"}))
    assert await begun(conn, sitting) == 0
