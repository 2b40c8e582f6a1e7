"""Turns of a sweep that processes share: one at a time, spread, and anew where Redis has lost something."""

from collections.abc import AsyncIterator

import pytest

from services.livestate import slots
from services.livestate.store import LiveState, LiveStateAway
from services.livestate.sweep_turns import LEASE_MS, SweepTurns, Turn
from tests.livestate.conftest import Raw, raw_clients

PASS_MS, PAUSE_MS = 2_000, 500
NOW = 1_800_000_000_000


@pytest.fixture
async def pair(redis_url: str) -> AsyncIterator[tuple[SweepTurns, SweepTurns]]:
    """Yield the turns of one sweep as two processes have them; the hurried first pass is over at ``NOW``."""
    stores = [LiveState(redis_url, call_seconds=5) for _ in range(2)]
    one, other = (store.sweep_turns("rounds:poker", PASS_MS, PAUSE_MS) for store in stores)
    turn = await taken(one, NOW - PASS_MS)
    assert (turn.at, turn.hurried) == ("", True)
    assert await one.end(turn, "", NOW - PASS_MS)
    yield one, other
    for store in stores:
        await store.close()


async def taken(turns: SweepTurns, now_ms: int) -> Turn:
    """Take a turn, which must be due: the first look may find that the sweep is new."""
    found = await turns.take(now_ms)
    if found == 0:
        found = await turns.take(now_ms)
    assert isinstance(found, Turn), f"due in {found} ms"
    return found


async def test_a_turn_is_taken_by_one_process(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """While one process is at its turn no other has one; then the other goes on where the first one ended."""
    one, other = pair
    turn = await taken(one, NOW)
    assert (turn.at, turn.began_ms, turn.hurried) == ("", NOW, False)
    assert await other.take(NOW + 10) == LEASE_MS - 10
    assert await one.end(turn, "here", NOW + 20)
    assert await other.take(NOW + 20) == PAUSE_MS
    following = await taken(other, NOW + 20 + PAUSE_MS)
    assert (following.at, following.began_ms) == ("here", NOW)


async def test_a_pass_is_no_quicker_than_it_may_be(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """After the last part the next pass begins when the time of this one is over, or after a pause if it is."""
    one, other = pair
    await one.end(await taken(one, NOW), "", NOW + 5)
    assert await other.take(NOW + 5) == PASS_MS - 5
    late = NOW + PASS_MS
    await one.end(await taken(one, late), "here", late)
    await one.end(await taken(one, late + PASS_MS), "", late + PASS_MS)
    assert await other.take(late + PASS_MS) == PAUSE_MS


async def test_the_turn_of_a_process_that_died_is_anothers(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """After its time the part is taken again; what the first process says of it then counts for nothing."""
    one, other = pair
    turn = await taken(one, NOW)
    again = await taken(other, NOW + LEASE_MS)
    assert again.at == turn.at
    assert not await one.end(turn, "elsewhere", NOW + LEASE_MS)
    assert await other.end(again, "here", NOW + LEASE_MS)
    assert (await taken(one, NOW + LEASE_MS + PAUSE_MS)).at == "here"


async def test_a_turn_that_is_given_back_is_taken_again(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """Its part is the next one after a pause, at the beginning of a pass as within it."""
    one, other = pair
    for at, now_ms in (("", NOW), ("here", NOW + 2 * PAUSE_MS)):
        turn = await taken(one, now_ms)
        assert turn.at == at
        assert await one.give_back(turn, now_ms)
        assert await other.take(now_ms) == PAUSE_MS
        again = await taken(other, now_ms + PAUSE_MS)
        assert again.at == at
        assert await other.end(again, "here", now_ms + PAUSE_MS)


async def test_a_clock_that_was_far_ahead_holds_up_no_sweep(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """A turn that is due later than any turn can be is due now."""
    one, other = pair
    far = NOW + 86_400_000
    await one.end(await taken(one, far), "here", far)
    assert (await taken(other, NOW)).at == "here"


async def test_a_sweep_begins_anew_without_pauses(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """Begun anew it takes all parts at once, ends the turn under way, and takes its time again in the next pass."""
    one, other = pair
    under_way = await taken(one, NOW)
    await other.begin(NOW)
    assert not await one.end(under_way, "here", NOW)
    turn = await taken(one, NOW)
    assert (turn.at, turn.hurried) == ("", True)
    await one.end(turn, "half", NOW)
    turn = await taken(other, NOW)
    assert (turn.at, turn.hurried) == ("half", True)
    await other.end(turn, "", NOW)
    assert not (await taken(one, NOW + PASS_MS)).hurried


async def test_a_hurried_pass_is_ended_before_another_begins(pair: tuple[SweepTurns, SweepTurns]) -> None:
    """Processes that start again and again in mid-pass get one more pass together, and never begin this one anew."""
    one, other = pair
    await one.begin(NOW)
    assert await one.end(await taken(one, NOW), "half", NOW)
    for _ in range(3):
        await other.begin(NOW)
        turn = await taken(one, NOW)
        assert (turn.at, turn.hurried) == ("half", True)
        await one.end(turn, "half", NOW)
    await one.end(await taken(one, NOW), "", NOW)
    following = await taken(other, NOW)
    assert (following.at, following.began_ms, following.hurried) == ("", NOW, True)
    await other.end(following, "", NOW)
    assert await one.take(NOW) == PASS_MS, "the starts were all before the last pass"


@pytest.mark.parametrize("lost", range(slots.COUNT))
async def test_a_group_that_lost_its_keys_has_the_sweep_begin_anew(
    pair: tuple[SweepTurns, SweepTurns], redis_url: str, lost: int
) -> None:
    """Whichever group has lost the keys of its tables, the sweep does not go on where it was, and hurries."""
    one, other = pair
    await one.end(await taken(one, NOW), "here", NOW)
    async with raw_clients(redis_url) as raw:
        assert await _forget(raw, slots.TAGS[lost]) == 1
    turn = await taken(other, NOW + PAUSE_MS)
    assert (turn.at, turn.hurried) == ("", True)


async def _forget(raw: Raw, tag: str) -> int:
    """Delete all keys of a tag; return how many there were."""
    found = [(node, key) for node in raw.nodes for key in await node.keys(f"*{{{tag}}}*")]
    for node, key in found:
        await node.delete(key)
    return len(found)


async def test_without_redis_there_are_no_turns() -> None:
    """Each call reports that Redis is away."""
    store = LiveState("redis://127.0.0.1:9/0", call_seconds=0.5)
    turns = store.sweep_turns("rounds:poker", PASS_MS, PAUSE_MS)
    with pytest.raises(LiveStateAway):
        await turns.take(NOW)
    with pytest.raises(LiveStateAway):
        await turns.begin(NOW)
    await store.close()
