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
    """Yield the house, one for the whole run."""
    with breaking.opened() as house:
        yield house


@pytest.fixture
async def house(_house: Broken) -> AsyncIterator[Broken]:
    """Yield a whole house; afterwards all runs, no round is open and no process has logged a program error."""
    yield _house
    await asyncio.to_thread(_house.mend)
    await _house.end_rounds()
    assert _house.errors() == [], "a call failed for a reason that the house does not know"


@pytest.fixture
async def crowd(house: Broken) -> AsyncIterator[people.Crowd]:
    """Yield people of this test, each with a wallet of their own, connected to dealers that serve."""
    async with people.Crowd(await house.arrange()) as guests:
        yield guests


@pytest.fixture
async def table(house: Broken, crowd: people.Crowd) -> Played:
    """Return a table of hold'em in mid-round."""
    del house
    opened = await Played.open(crowd, "texas_holdem")
    await opened.start()
    return opened
