"""One house for the tests of this folder, broken and mended again and again, and people who come to it."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.faults import breaking
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people


@pytest.fixture(scope="session")
def _house() -> Iterator[Broken]:
    """Give the house as long as the run lasts."""
    with breaking.opened() as house:
        yield house


@pytest.fixture
async def house(_house: Broken) -> AsyncIterator[Broken]:
    """Give a whole house; afterwards it is whole again, no round is open and no process has met an error of its own."""
    yield _house
    await asyncio.to_thread(_house.mend)
    await _house.end_rounds()
    assert _house.errors() == [], "a call failed for a reason that the house does not know"


@pytest.fixture
async def crowd(house: Broken) -> AsyncIterator[people.Crowd]:
    """Give people who come to the house in this test, each with a wallet of their own; they meet dealers that serve."""
    async with people.Crowd(await house.arrange()) as guests:
        yield guests


@pytest.fixture
async def table(house: Broken, crowd: people.Crowd) -> Played:
    """Give a table of hold'em in mid-round."""
    del house
    opened = await Played.open(crowd, "texas_holdem")
    await opened.start()
    return opened
