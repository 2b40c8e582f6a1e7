"""Rounds of every family over streams of play: what is decided and shown is what calls decide and show."""

import asyncio
from contextlib import AsyncExitStack, aclosing
from typing import Any, Final

import pytest
from pitboss import client
from pitboss.session import Session
from pitboss.v1 import dealer_pb2, table_pb2

from services.rules import catalogue
from tests.support import play, waits
from tests.support.people import Crowd, Person

GAMES: Final = ("texas_holdem", "tongbi_san_gong", "blackjack", "whist", "big_two", "ninety_nine")


class OverAStream:
    """A player's house whose actions go over a session; everything else is a call."""

    def __init__(self, house: client.House, session: Session) -> None:
        self._house, self._session = house, session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session if name == "act" else self._house, name)


def plain(view: table_pb2.TableView) -> table_pb2.TableView:
    """Return a view without what changes with time alone."""
    found = table_pb2.TableView()
    found.CopyFrom(view)
    for field in ("clock", "presence", "spectators", "idle_close_time"):
        found.ClearField(field)
    return found


async def followed(session: Session, table_id: str, into: list[dealer_pb2.WatchTableResponse]) -> None:
    """Follow a table until the task is cancelled."""
    async with aclosing(session.follow(table_id)) as messages:
        async for message in messages:
            into.append(message)  # noqa: PERF401 - the reader is cancelled


def test_the_games_are_of_all_families() -> None:
    """There is one game of each family."""
    assert {catalogue.game(game).family for game in GAMES} == set(catalogue.families())
    assert len(GAMES) == len(catalogue.families())


@pytest.mark.parametrize("game", GAMES)
async def test_a_round_is_played_over_streams(crowd: Crowd, game: str) -> None:
    """Every seat acts and follows over a stream of its own; it gets each event once, and the view of GetTable."""
    table_id, players = await play.opened(crowd, game)
    async with AsyncExitStack() as stack:
        sessions = [await stack.enter_async_context(player.house.session()) for player in players]
        seen: list[list[dealer_pb2.WatchTableResponse]] = [[] for _ in players]
        reading = [
            asyncio.create_task(followed(session, table_id, into)) for session, into in zip(sessions, seen, strict=True)
        ]
        await waits.eventually(lambda: all(seen), "the first views")
        streamed: list[Any] = [
            Person(player.subject, [OverAStream(player.house, session)], player.token)  # type: ignore[list-item]  # it stands in for a house
            for player, session in zip(players, sessions, strict=True)
        ]
        await play.rounds(table_id, streamed)
        views = [await player.house.table(table_id) for player in players]
        await waits.eventually(
            lambda: all(one[-1].view.version >= view.version for one, view in zip(seen, views, strict=True)),
            "the last views",
        )
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
    for own, view in zip(seen, views, strict=True):
        events = [event.version for message in own for event in message.events]
        assert events == list(range(own[0].view.version + 1, own[-1].view.version + 1))
        assert view.version == own[-1].view.version
        assert plain(own[-1].view) == plain(view)
