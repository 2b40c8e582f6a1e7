"""People at a table of a whole house: distinct, known by one id everywhere, present or not."""

import asyncio
from contextlib import aclosing

from pitboss.v1 import table_pb2

from tests.support.people import Crowd, Person

WAIT_SECONDS = 60


async def namesakes(crowd: Crowd) -> list[Person]:
    """Return two players who are both called ann."""
    return [
        crowd.person((await crowd.player("ann")).subject, name="ann", avatar=f"https://pictures.example/{at}.png")
        for at in range(2)
    ]


async def test_namesakes_are_told_apart_and_known_everywhere(crowd: Crowd) -> None:
    """Two players called ann: each is shown under a name and an id of its own, the same at another table."""
    players = await namesakes(crowd)
    seen: list[table_pb2.TableView] = []
    for game in ("texas_holdem", "tongbi_san_gong"):
        table_id = (await crowd.operator.house.create_table(game)).table_id
        for player in players:
            await player.house.take_seat(table_id, 1000)
        seen.append(await players[0].at(1).table(table_id))
    one, other = seen
    ids = [seat.player_id for seat in one.seats]
    assert [seat.player_id for seat in other.seats] == ids
    assert [seat.name for seat in one.seats] == [f"ann·{player_id[:4]}" for player_id in ids]
    assert [seat.avatar for seat in one.seats] == [f"https://pictures.example/{at}.png" for at in range(2)]
    assert not any(player.subject in str(view) for view in seen for player in players)


async def test_presence_goes_over_dealers(crowd: Crowd) -> None:
    """A player that watches at one dealer is present in the stream of another, and away after it has gone."""
    table_id, [ann, bob] = await crowd.table("texas_holdem", ("ann", "bob"))
    there = asyncio.Event()

    async def watch() -> None:
        async with aclosing(ann.house.watch(table_id)) as stream:
            async for _ in stream:
                await there.wait()

    watching = asyncio.create_task(watch())
    async with asyncio.timeout(WAIT_SECONDS), aclosing(bob.at(1).watch(table_id)) as stream:
        async for message in stream:
            if _watches(message.view, 0):
                break
        assert _watches(await bob.house.table(table_id), 0)
        watching.cancel()
        async for message in stream:
            if not _watches(message.view, 0):
                assert _watches(message.view, 1)
                return


def _watches(view: table_pb2.TableView, seat: int) -> bool:
    """Return whether the player of a seat watches, as a view says."""
    return any(one.watching for one in view.presence if one.seat == seat)
