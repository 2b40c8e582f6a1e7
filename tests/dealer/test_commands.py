"""Commands at a table: answered once, retried after a version conflict, refused on the newest state only."""

import asyncio
from random import Random
from typing import Any

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import table_commands
from services.eventlog import log
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role
from services.table import events
from services.table.full_table import FullTable
from tests.dealer.conftest import Dealer, Open
from tests.dealer.test_tables import running
from tests.support import people, served
from tests.support.served import Connection
from tests.support.sittings import Sitting


def caller(seat: int) -> Caller:
    """Return the player of a seat."""
    return Caller(subject=f"p{seat}", role=Role.PLAYER, test=True)


def multiple(sitting: Sitting, value: int = 1, request_id: str = "", **more: Any) -> pb.ActRequest:
    """Ask to bet a multiple."""
    return pb.ActRequest(
        request_id=request_id or served.request_id(),
        table_id=sitting.table_id,
        action=people.action("bet_multiple", multiple=value),
        **more,
    )


async def run(dealer: Dealer, request: pb.ActRequest, seat: int = 0) -> tuple[pb.ActResponse, list[events.Event]]:
    """Run an action."""
    await dealer.admission.refresh()
    return await dealer.commands.run(table_commands.Act(request, caller(seat), dealer.admission))


async def version_of(conn: Connection, sitting: Sitting) -> int:
    """Return the version of a table's stream."""
    head = await log.read_head(conn, sitting.table_id)
    assert head is not None
    return head.version


async def test_a_repeated_request_is_answered_as_the_first_time(open_dealer: Open, conn: Connection) -> None:
    """A repetition has the same answer and no second event: at any dealer, later in the round, and after it."""
    sitting = await running(conn)
    one, other = open_dealer(), open_dealer()
    request = multiple(sitting)
    first, made = await run(one, request)
    assert [type(event) for event in made] == [events.ActionTaken]
    for dealer in (one, other, open_dealer()):
        assert await run(dealer, request) == (first, [])
    await run(other, multiple(sitting), seat=1)
    assert await run(one, request) == (first, [])
    await served.catch_up(conn, sitting)
    sitting.finish(Random(1), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    assert await run(one, request) == (first, [])
    assert [isinstance(event, events.ActionTaken) and event.seat for event in sitting.log].count(0) >= 1


async def test_an_id_used_for_something_else_is_refused(open_dealer: Open, conn: Connection) -> None:
    """A used request id with other content is a conflict at every dealer; another player may use the same id."""
    sitting = await running(conn)
    one, other = open_dealer(), open_dealer()
    await run(one, multiple(sitting, 1, "mine"))
    before = await version_of(conn, sitting)
    for dealer in (one, other):
        with pytest.raises(Refused) as caught:
            await run(dealer, multiple(sitting, 2, "mine"))
        assert caught.value.reason is Reason.REQUEST_CONFLICT
    assert await version_of(conn, sitting) == before
    await run(other, multiple(sitting, 2, "mine"), seat=1)


async def test_a_stale_version_is_refused_with_the_newest(open_dealer: Open, conn: Connection) -> None:
    """A dealer with an old copy reports the table's true version, and accepts a command that is valid there."""
    sitting = await running(conn)
    one, behind = open_dealer(), open_dealer()
    assert await behind.version(sitting.table_id) == len(sitting.log)
    await run(one, multiple(sitting))
    with pytest.raises(Refused) as caught:
        await run(behind, multiple(sitting, expected_version=len(sitting.log)), seat=1)
    assert caught.value.reason is Reason.STALE_VERSION
    assert caught.value.metadata["version"] == str(len(sitting.log) + 1)
    await run(behind, multiple(sitting, expected_version=len(sitting.log) + 1), seat=1)


async def test_what_a_stale_copy_refuses_is_decided_on_the_newest(open_dealer: Open, conn: Connection) -> None:
    """A dealer that missed the start of the round would refuse; it catches up first and accepts."""
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id())
    sitting.sit({0: 500, 1: 500})
    await served.publish(conn, sitting)
    behind = open_dealer()
    await behind.version(sitting.table_id)
    sitting.start()
    await served.publish(conn, sitting)
    answer, _ = await run(behind, multiple(sitting))
    assert answer.version == len(sitting.log) + 1


async def test_what_the_newest_state_refuses_is_refused_and_changes_nothing(
    open_dealer: Open, conn: Connection
) -> None:
    """An illegal action is refused with the rules' reason at any dealer and appends nothing; its id may be reused."""
    sitting = await running(conn)
    dealer = open_dealer()
    await run(dealer, multiple(sitting, 1))
    before = await version_of(conn, sitting)
    request = multiple(sitting, 1, "again")
    for one in (dealer, open_dealer()):
        with pytest.raises(Refused):
            await run(one, request)
    with pytest.raises(Refused) as caught:
        await run(dealer, multiple(sitting), seat=7)
    assert caught.value.reason is Reason.NOT_SEATED
    assert await version_of(conn, sitting) == before


async def test_dealers_racing_for_a_table_lose_nothing(open_dealer: Open, conn: Connection) -> None:
    """Three seats at three dealers that act at once, each twice, append one event each, in one unbroken stream."""
    sitting = await running(conn)
    dealers = [open_dealer() for _ in range(3)]
    requests = [multiple(sitting, 1, f"r{seat}") for seat in range(3)]
    asked = [run(dealers[(seat + turn) % 3], requests[seat], seat) for turn in range(2) for seat in range(3)]
    done = await asyncio.gather(*asked)
    assert [answer for answer, _ in done[:3]] == [answer for answer, _ in done[3:]]
    later = await served.catch_up(conn, sitting)
    acted = [event.seat for event in later if isinstance(event, events.ActionTaken)]
    assert sorted(acted) == [0, 1, 2]
    assert sum(len(made) for _, made in done) == len(later)
    assert sitting.again().differences == []


async def test_a_deadline_fired_by_many_passes_once(open_dealer: Open, conn: Connection) -> None:
    """Dealers that all see a deadline due append it once; the others find nothing left to do."""
    sitting = await running(conn)
    dealers = [open_dealer() for _ in range(3)]
    house = Caller(subject="house", role=Role.SERVICE)
    due = sitting.table.core.deadline_ms
    jobs = [table_commands.PassDeadline(sitting.table_id, house, due_ms=due) for _ in dealers]
    await asyncio.gather(*(dealer.commands.run(job) for dealer, job in zip(dealers, jobs, strict=True)))
    later = await served.catch_up(conn, sitting)
    passed = [event for event in later if isinstance(event, events.DeadlinePassed)]
    assert [event.passed for event in passed] == [0]


class Idle(table_commands.TableCommand[pb.SetSeedResponse]):
    """A command that finds nothing to change."""

    kind = "SetSeed"
    answer_type = pb.SetSeedResponse

    def decide(self, table: FullTable, now_ms: int) -> list[events.Event]:
        """Return nothing."""
        return []

    def reply(self, table: FullTable, made: list[events.Event]) -> pb.SetSeedResponse:
        """Return the version, which shows when this was answered."""
        return pb.SetSeedResponse(version=table.core.version)


async def test_a_request_that_changes_nothing_gets_its_first_answer_later(open_dealer: Open, conn: Connection) -> None:
    """The table moves on; every dealer repeats what the first one answered, and decides on the newest state."""
    sitting = await running(conn)
    one, behind = open_dealer(), open_dealer()
    await behind.version(sitting.table_id)
    await run(one, multiple(sitting))
    request = pb.SetSeedRequest(request_id="idle", table_id=sitting.table_id, seed="luck")
    first, made = await behind.commands.run(Idle(request, caller(0)))
    assert (first.version, made) == (len(sitting.log) + 1, [])
    assert await version_of(conn, sitting) == first.version, "nothing was appended"
    await run(one, multiple(sitting), seat=1)
    for dealer in (one, behind, open_dealer()):
        assert await dealer.commands.run(Idle(request, caller(0))) == (first, [])
    other = pb.SetSeedRequest(request_id="idle", table_id=sitting.table_id, seed="more luck")
    with pytest.raises(Refused) as caught:
        await one.commands.run(Idle(other, caller(0)))
    assert caught.value.reason is Reason.REQUEST_CONFLICT
    await served.catch_up(conn, sitting)
    assert sitting.again().differences == []
