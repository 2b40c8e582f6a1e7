"""The pace of watchers: small slices, tables in turn, and those who have left cost nothing."""

import asyncio

from services.dealer import pace
from services.dealer.pace import Pace, Turn
from tests.support import waits


def turns(count: int) -> list[Turn]:
    """Make turns that somebody waits for."""
    return [asyncio.get_running_loop().create_future() for _ in range(count)]


def given(waiting: list[Turn]) -> int:
    """Count the turns that were given."""
    return sum(turn.done() and not turn.cancelled() for turn in waiting)


async def test_commands_meet_a_small_part_of_a_crowd() -> None:
    """While commands are at work one slice of a crowd gets its turns at once, and the others only after a pause."""
    paced, crowd = Pace(lambda: True), turns(1000)
    paced.queue("crowded", crowd)
    await waits.turns(20)
    assert given(crowd) == pace.BUSY_SLICE
    await waits.eventually(lambda: given(crowd) > pace.BUSY_SLICE, "the slice after the pause")
    assert given(crowd) <= 8 * pace.BUSY_SLICE
    paced.close()


async def test_a_quiet_dealer_gives_all_turns_without_a_pause() -> None:
    """Where no command is at work a crowd is through after as many steps of the event loop as it has slices."""
    paced, crowd = Pace(lambda: False), turns(1000)
    paced.queue("crowded", crowd)
    async with asyncio.timeout(60):
        await asyncio.gather(*crowd)


async def test_a_crowded_table_does_not_hold_up_the_watchers_of_another() -> None:
    """Tables get turns by turns: the two watchers of a small table do not wait for the thousand of a large one."""
    paced, crowd, few = Pace(lambda: True), turns(1000), turns(2)
    paced.queue("crowded", crowd)
    paced.queue("small", few)
    await asyncio.gather(*few)
    assert given(crowd) <= pace.BUSY_SLICE
    paced.close()


async def test_those_who_sit_at_the_table_come_first() -> None:
    """A player's turn comes before those of all who look on, however long they have waited."""
    paced, crowd, seated = Pace(lambda: True), turns(1000), turns(3)
    paced.queue("crowded", crowd)
    paced.queue("crowded", seated, first=True)
    await asyncio.gather(*seated)
    assert given(crowd) <= pace.BUSY_SLICE - len(seated)
    paced.close()


async def test_turns_of_those_who_left_are_passed_over() -> None:
    """A thousand watchers who are gone take no turn from those who wait."""
    paced, gone, left = Pace(lambda: True), turns(1000), turns(pace.BUSY_SLICE)
    for turn in gone:
        turn.cancel()
    paced.queue("crowded", [*gone, *left])
    await waits.turns(5)
    assert given(left) == pace.BUSY_SLICE
    paced.close()
