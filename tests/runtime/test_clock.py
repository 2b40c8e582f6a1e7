"""The house's clock is the database's, independent of this machine's wall clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.clock import MEASUREMENTS, ClockOffError, HouseClock


class World:
    """A machine and a database, each with a clock; the test sets how long answers take."""

    def __init__(self, off_seconds: float = 0.0) -> None:
        self.since_start, self.database, self.wall = 5.0, 1_700_000_000.0, 1_700_000_000.0 + off_seconds
        self.there = self.back = 0.001
        self.clock = HouseClock(1.0, wall=lambda: self.wall, monotonic=lambda: self.since_start)

    def go_on(self, seconds: float) -> None:
        """Let time pass on both machines."""
        self.since_start += seconds
        self.database += seconds
        self.wall += seconds

    async def ask(self) -> float:
        """Answer a measurement."""
        self.go_on(self.there)
        told = self.database
        self.go_on(self.back)
        return told

    def error_ms(self) -> float:
        """Return by how much the house's clock is ahead of the database's, in milliseconds."""
        return self.clock.now_ms() - self.database * 1000


@pytest.mark.parametrize("off", [-86_400.0, -30.0, 0.0, 0.5, 30.0, 1e8])
async def test_the_wall_clock_moves_no_deadline(off: float) -> None:
    """Wherever the wall clock stands, and if it is set afterwards, the house's time is the database's."""
    world = World(off)
    await world.clock.measure(world.ask)
    assert abs(world.error_ms()) <= 2
    world.wall += 3600
    world.go_on(10)
    assert abs(world.error_ms()) <= 2


async def test_the_shortest_round_trip_counts() -> None:
    """An answer that took long on its way back, or a busy event loop, does not spoil a better measurement."""
    world = World()
    await world.clock.measure(world.ask)
    for _ in range(MEASUREMENTS - 1):
        world.there, world.back = 0.001, 0.4
        await world.clock.measure(world.ask)
        assert abs(world.error_ms()) <= 2
    await world.clock.measure(world.ask)
    assert 190 <= abs(world.error_ms()) <= 210, "the good one is forgotten in the end, or drift would never be seen"


@given(st.lists(st.tuples(st.floats(0, 0.2), st.floats(0, 0.2), st.floats(0, 5)), min_size=1, max_size=40))
async def test_time_never_goes_back(trips: list[tuple[float, float, float]]) -> None:
    """For any measurements the time grows, and is off by at most half a round trip."""
    world = World(30.0)
    last = 0
    for there, back, pause in trips:
        world.there, world.back = there, back
        await world.clock.measure(world.ask)
        for _ in range(3):
            now = world.clock.now_ms()
            assert now >= last
            last = now
        assert abs(world.error_ms()) <= 402
        world.go_on(pause)


async def test_a_database_clock_that_was_set_is_followed() -> None:
    """After a failover to a machine whose clock is behind by an hour, the house goes by the new clock at once."""
    world = World()
    await world.clock.measure(world.ask)
    world.clock.now_ms()
    world.database -= 3600
    await world.clock.measure(world.ask)
    assert abs(world.error_ms()) <= 2
    with pytest.raises(ClockOffError, match=r"3600\.0 s ahead of the database's"):
        world.clock.check()


@pytest.mark.parametrize(("off", "words"), [(30.0, "30.0 s ahead of"), (-1.5, "1.5 s behind")])
async def test_a_clock_that_is_off_says_by_how_much(off: float, words: str) -> None:
    """Beyond the tolerance the check names offset and side; within it, and once the clock is set, it is silent."""
    world = World(off)
    await world.clock.measure(world.ask)
    with pytest.raises(ClockOffError, match=words):
        world.clock.check()
    world.wall -= off - 0.9
    world.clock.check()
