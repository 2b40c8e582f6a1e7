"""If a dealer or Redis remembers events that the log lost, the log decides."""

import pytest

from services.dealer import table_commands
from services.eventlog import log, verify
from services.journal import log_rows
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role
from services.table import events
from tests.dealer.conftest import Open
from tests.dealer.test_commands import multiple, run
from tests.dealer.test_tables import running
from tests.support import lost_log, served
from tests.support.served import Connection
from tests.support.sittings import Sitting


async def sound(conn: Connection, table_id: str) -> list[events.Event]:
    """Return a table's events; check that the chain holds and that they follow from each other."""
    recorded = await log.read(conn, table_id)
    assert verify.verify(recorded, await log.read_head(conn, table_id)) == []
    sitting = Sitting("tongbi_san_gong", table_id=table_id)
    sitting.log = [log_rows.from_stored(one) for one in recorded]
    assert sitting.again().differences == []
    return sitting.log


@pytest.mark.parametrize("where", ["memory", "redis"])
async def test_a_table_ahead_of_the_log_is_thrown_away(open_dealer: Open, conn: Connection, where: str) -> None:
    """A view shows, and a command continues, the log's state and not the lost events of a dealer's memory."""
    sitting = await running(conn)
    dealer = open_dealer()
    for seat in (0, 1):
        await run(dealer, multiple(sitting), seat)
    ahead = await dealer.saved(sitting.table_id)
    await lost_log.lose(conn, sitting.table_id, len(sitting.log))
    other = dealer if where == "memory" else open_dealer()
    assert (await other.saved(sitting.table_id)).core.version == ahead.core.version, "it still remembers"
    assert (await other.table(sitting.table_id)).core.version == len(sitting.log)
    answer, made = await run(other, multiple(sitting), 0)
    assert (answer.version, len(made)) == (len(sitting.log) + 1, 1)
    await sound(conn, sitting.table_id)


@pytest.mark.parametrize("where", ["memory", "redis"])
async def test_a_log_that_went_another_way_to_the_same_version_is_not_continued(
    open_dealer: Open, conn: Connection, where: str
) -> None:
    """If others have appended up to the same version after a loss, the append is refused and retried on the log."""
    sitting = await running(conn)
    dealer = open_dealer()
    for seat in (0, 1):
        await run(dealer, multiple(sitting), seat)
    ahead = await dealer.saved(sitting.table_id)
    await lost_log.lose(conn, sitting.table_id, len(sitting.log))
    for seat in (0, 1):
        sitting.leave(seat)
    await served.publish(conn, sitting)
    assert len(sitting.log) == ahead.core.version
    other = dealer if where == "memory" else open_dealer()
    # With the lost actions before it, this one would end the round.
    await run(other, multiple(sitting), 2)
    kinds = [type(event) for event in await sound(conn, sitting.table_id)]
    assert kinds[-3:] == [events.LeaveAsked, events.LeaveAsked, events.ActionTaken]
    with pytest.raises(Refused) as caught:
        await run(other, multiple(sitting, expected_version=1), 0)
    assert caught.value.metadata["version"] == str(len(sitting.log) + 1)


async def test_a_refusal_is_of_the_log_at_the_same_version(open_dealer: Open, conn: Connection) -> None:
    """A refusal that rests on the lost past alone is decided anew, though the log has as many events again."""
    sitting = await running(conn)
    dealer = open_dealer()
    await run(dealer, multiple(sitting), 0)
    await lost_log.lose(conn, sitting.table_id, len(sitting.log))
    sitting.leave(2)
    await served.publish(conn, sitting)
    answer, _ = await run(dealer, multiple(sitting), 0)
    assert answer.version == len(sitting.log) + 1
    await sound(conn, sitting.table_id)


async def test_redis_serves_the_log_again_after_a_loss(open_dealer: Open, conn: Connection) -> None:
    """State and deadline in Redis are restored from the log, so that a third dealer loads them and fires in time."""
    sitting = await running(conn)
    dealer = open_dealer()
    for seat in (0, 1):
        await run(dealer, multiple(sitting), seat)
    ahead = await dealer.saved(sitting.table_id)
    await lost_log.lose(conn, sitting.table_id, len(sitting.log))
    await dealer.table(sitting.table_id)
    await dealer.tables.settle_down()
    found = await dealer.live.load(sitting.table_id)
    assert found is not None
    assert found[0] == len(sitting.log) < ahead.core.version
    assert await dealer.live.deadline(sitting.table_id, "showdown") == sitting.table.core.deadline_ms
    third = open_dealer()
    held = await third.at_hand(sitting.table_id)
    assert (held.table.core.version, held.newest) == (len(sitting.log), False)
    assert not await held.catch_up()


async def test_a_lost_table_is_not_found(open_dealer: Open, conn: Connection) -> None:
    """A table that the log lost completely is not found, and is deleted from Redis."""
    sitting = await running(conn)
    dealer = open_dealer()
    await dealer.saved(sitting.table_id)
    await conn.execute("SET session_replication_role = replica")
    for table in ("events", "streams"):
        await conn.execute(f"DELETE FROM {table} WHERE stream_id = %s".encode(), (sitting.table_id,))
    with pytest.raises(Refused) as caught:
        await dealer.table(sitting.table_id)
    assert caught.value.reason is Reason.TABLE_NOT_FOUND
    assert await dealer.live.load(sitting.table_id) is None


async def test_a_deadline_of_the_lost_past_passes_as_the_log_says(open_dealer: Open, conn: Connection) -> None:
    """A dealer that fires a remembered deadline appends nothing that contradicts the log."""
    sitting = await running(conn)
    dealer = open_dealer()
    await run(dealer, multiple(sitting), 0)
    await dealer.saved(sitting.table_id)
    await lost_log.lose(conn, sitting.table_id, len(sitting.log))
    house = Caller(subject="house", role=Role.SERVICE)
    due = sitting.table.core.deadline_ms
    await dealer.commands.run(table_commands.PassDeadline(sitting.table_id, house, due_ms=due))
    kinds = [type(event) for event in await sound(conn, sitting.table_id)]
    assert events.ActionTaken not in kinds
    assert events.DeadlinePassed in kinds
