"""Presence at a table, as the watchers of several dealers see it."""

from functools import partial

from pitboss.v1 import table_pb2

from services.dealer.presence import LEASE_MS, Presence
from services.livestate.presence import Present
from services.livestate.store import LiveState
from services.registry import switches
from services.registry.records import TABLE, Command
from services.rules import house_players
from tests.dealer.conftest import Dealer, Open
from tests.dealer.watchers import Looker, looking, player
from tests.support import served
from tests.support.served import Connection
from tests.support.sittings import Sitting

STRANGER = player("a-stranger")


class Clock:
    """The time of both dealers, in milliseconds."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        """Return the time."""
        return self.ms


def keeper(dealer: Dealer, clock: Clock) -> Presence:
    """Return the presence of a dealer; it beats when it is called."""
    return Presence(dealer.feeds, dealer.live, dealer.admission, clock)


async def seated(conn: Connection) -> Sitting:
    """Seat two players."""
    sitting = Sitting("texas_holdem", table_id=served.table_id())
    sitting.sit({0: 500, 1: 500})
    await served.publish(conn, sitting)
    return sitting


def shown(looker: Looker) -> dict[int, tuple[bool, int]]:
    """Return whether each seat's player watches, and since when, as the last view says."""
    return read(looker.messages[-1].view.presence)


def read(presence: object) -> dict[int, tuple[bool, int]]:
    """Return presence by seat."""
    assert not isinstance(presence, table_pb2.Presence)
    return {one.seat: (one.watching, one.since_time.ToMilliseconds()) for one in presence}  # type: ignore[attr-defined]  # a repeated field


async def test_watchers_at_both_dealers_see_who_is_present(open_dealer: Open, conn: Connection) -> None:
    """A player at one dealer is present for those at the other; when it goes, a view without a new version says so."""
    sitting, clock = await seated(conn), Clock()
    one, other = open_dealer(), open_dealer()
    here, there = keeper(one, clock), keeper(other, clock)
    async with looking(other, sitting.table_id, STRANGER) as [stranger]:
        await there.beat()
        await stranger.until(lambda it: bool(it.messages[-1].view.presence))
        assert shown(stranger) == {0: (False, 0), 1: (False, 0)}
        async with looking(one, sitting.table_id, player("p1")) as [own]:
            assert one.feeds.audience.moved.is_set()
            await here.beat()
            await own.until(lambda it: shown(it).get(1) == (True, 1_000_000))
            clock.ms += 1_000
            await there.beat()
            await stranger.until(lambda it: shown(it)[1] == (True, 1_000_000))
            assert (await here.of_table(sitting.table.core)).presence == stranger.messages[-1].view.presence
        clock.ms += 1_000
        await here.beat()
        await there.beat()
        await stranger.until(lambda it: shown(it)[1] == (False, 1_002_000))
        assert {message.view.version for message in stranger.messages} == {len(sitting.log)}
        assert not [event for message in stranger.messages for event in message.events]


async def test_strangers_are_a_number_and_nothing_else(open_dealer: Open, conn: Connection) -> None:
    """Callers without a seat are counted over all dealers and leave no other trace; house players are not counted."""
    sitting, clock = await seated(conn), Clock()
    dealer, other = open_dealer(), open_dealer()
    here, there = keeper(dealer, clock), keeper(other, clock)
    bot = player(f"{house_players.PREFIX}one")
    async with looking(other, sitting.table_id, bot) as [watching]:
        await there.beat()
        await watching.until(lambda it: it.messages[-1].view.HasField("spectators"))
        assert watching.messages[-1].view.spectators == 0
        async with looking(dealer, sitting.table_id, STRANGER):
            assert dealer.feeds.audience.moved.is_set()
            await here.beat()
            assert await dealer.live.presence(sitting.table_id, clock.ms) == Present({}, 1)
            await there.glance()
            await watching.until(lambda it: it.messages[-1].view.spectators == 1)
        await here.beat()
        await there.glance()
        await watching.until(lambda it: it.messages[-1].view.spectators == 0)


async def test_the_players_of_a_dealer_that_was_killed_are_soon_away(open_dealer: Open, conn: Connection) -> None:
    """Leases that nobody renews run out: the other dealer shows the player as away."""
    sitting, clock = await seated(conn), Clock()
    one, other = open_dealer(), open_dealer()
    async with looking(one, sitting.table_id, player("p0")), looking(other, sitting.table_id, STRANGER) as [stranger]:
        await keeper(one, clock).beat()
        there = keeper(other, clock)
        await there.beat()
        await stranger.until(lambda it: bool(it.messages[-1].view.presence) and shown(it)[0][0])
        clock.ms += LEASE_MS
        await there.beat()
        await stranger.until(lambda it: shown(it)[0] == (False, 1_000_000 + LEASE_MS))


async def test_while_redis_is_away_views_say_nothing_of_presence(open_dealer: Open, conn: Connection) -> None:
    """Without Redis a table is shown as ever, its presence left out, in streams and when it is asked for."""
    sitting, clock = await seated(conn), Clock()
    dealer = open_dealer()
    present = keeper(dealer, clock)
    async with looking(dealer, sitting.table_id, player("p0")) as [looker]:
        await present.beat()
        await looker.until(lambda it: bool(it.messages[-1].view.presence))
        away = LiveState("redis://127.0.0.1:9/0", call_seconds=0.2)
        present._live = away
        await present.beat()
        await looker.until(lambda it: not it.messages[-1].view.presence)
        assert await present.of_table(sitting.table.core) == table_pb2.TableView()
        await away.close()


def is_off(wanted: bool, looker: Looker) -> bool:
    """Return whether the last view says of the switch what is wanted."""
    return looker.messages[-1].view.table.switched_off is wanted


async def test_watchers_see_that_a_table_is_switched_off(open_dealer: Open, conn: Connection) -> None:
    """A switch reaches those who watch, players and strangers, without a new version, and so does its end."""
    sitting, clock = await seated(conn), Clock()
    dealer = open_dealer()
    present = keeper(dealer, clock)
    watching = looking(dealer, sitting.table_id, player("p0")), looking(dealer, sitting.table_id, STRANGER)
    async with watching[0] as [own], watching[1] as [stranger]:
        for off in (True, False):
            command = Command(key=served.request_id(), digest=bytes(32))
            table = {"scope": TABLE, "subject": sitting.table_id}
            await switches.record(conn, command, **table, off=off, reason="a test", actor="boss")
            await dealer.admission._board.refresh(conn)
            await present.beat()
            for looker in (own, stranger):
                await looker.until(partial(is_off, off))
                assert looker.messages[-1].view.table.game == "texas_holdem"
            assert (await present.of_table(sitting.table.core)).table.switched_off is off
        assert {message.view.version for message in own.messages} == {len(sitting.log)}
