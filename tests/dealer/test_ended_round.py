"""The round that ended stays in the view until the next one starts, however a dealer came to know the table."""

from random import Random

import pytest
import redis
from pitboss.v1 import table_pb2

from services.contract import wire_tables
from services.fairness.seal import KeyRing
from services.rules import actions, catalogue
from services.rules.cards import HIDDEN
from services.table import events, money
from tests.dealer.conftest import Dealer, Open
from tests.dealer.watchers import looking, player
from tests.support import served, sittings
from tests.support.served import Connection
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
STRANGER = player("a-stranger")


def begun(game: str, table_id: str, seed: str = "ended") -> Sitting:
    """Seat players at a table and start a round."""
    sitting = sittings.random_sitting(game, seed, rounds=0, table_id=table_id)
    sitting.start()
    return sitting


def holdem() -> Sitting:
    """Seat three players at a hold'em table and start a round."""
    sitting = Sitting("texas_holdem", table_id=served.table_id())
    sitting.sit({0: 500, 1: 500, 2: 500})
    sitting.start()
    return sitting


def fold_all(sitting: Sitting) -> None:
    """Let all seats but one fold: the round ends without any hand shown."""
    while sitting.table.round is not None:
        waiting = sitting.table.round.waiting()
        assert waiting is not None
        sitting.act(waiting.seats[0], actions.Fold())


async def asked(dealer: Dealer, sitting: Sitting, viewer: int | None) -> table_pb2.TableView:
    """Return what GetTable would show."""
    async with dealer.tables.checkout(sitting.table_id) as held:
        show = await dealer.names.shower(wire_tables.all_texts_in(held.table))
        return wire_tables.view(held.table, viewer, show)


@pytest.mark.parametrize("game", GAMES)
async def test_who_comes_after_the_end_sees_what_those_saw_who_were_there(
    open_dealer: Open, conn: Connection, redis_url: str, game: str
) -> None:
    """A watcher from the start, one that comes later, Redis, and a dealer with nothing but the log show the same."""
    sitting = begun(game, served.table_id())
    await served.publish(conn, sitting)
    seats = sorted(sitting.table.core.seats)
    callers = [*(player(f"p{seat}") for seat in seats), STRANGER]
    viewers = [*seats, None]
    one, other = open_dealer(), open_dealer()
    await one.version(sitting.table_id)
    async with looking(one, sitting.table_id, *callers) as there:
        sitting.finish(Random(f"{game} ended"))
        sitting.settle()
        await served.publish(conn, sitting)
        for looker in there:
            await looker.sees(len(sitting.log))
        async with looking(other, sitting.table_id, *callers) as later:
            for viewer, early, late in zip(viewers, there, later, strict=True):
                seen = early.view
                assert seen.round.state == table_pb2.ROUND_STATE_ENDED
                assert seen.round.round_number == seen.last_result.round_number == 1
                assert not seen.round.waiting_for
                assert not seen.round.options
                assert late.view == seen
                assert await asked(one, sitting, viewer) == seen, "caught up in memory"
                assert await asked(open_dealer(), sitting, viewer) == seen, "from the log"
    await one.saved(sitting.table_id)
    stored = open_dealer()
    for viewer, early in zip(viewers, there, strict=True):
        held = await stored.at_hand(sitting.table_id)
        assert not held.newest, "it came from the log, not from Redis"
        assert wire_tables.view(held.table, viewer) == early.view
    with redis.Redis.from_url(redis_url) as client:
        client.flushdb()
    for viewer, early in zip(viewers, there, strict=True):
        assert await asked(open_dealer(), sitting, viewer) == early.view


async def test_the_next_round_takes_the_place_of_the_ended_one(open_dealer: Open, conn: Connection) -> None:
    """With the start of the next round nothing of the last one is in its place."""
    sitting = holdem()
    fold_all(sitting)
    sitting.settle()
    await served.publish(conn, sitting)
    dealer = open_dealer()
    async with looking(dealer, sitting.table_id, STRANGER) as [looker]:
        assert looker.messages[-1].view.round.round_number == 1
        sitting.start()
        await served.publish(conn, sitting)
        await looker.sees(len(sitting.log))
        assert looker.messages[-1].view.round.round_number == 2
        assert looker.messages[-1].view.round.state == table_pb2.ROUND_STATE_RUNNING
    assert sitting.table.ended is None


async def test_a_void_round_is_shown_as_it_stood(open_dealer: Open, conn: Connection) -> None:
    """A voided round stays in the view, marked as such: its board is open, its hidden hands stay hidden."""
    sitting = holdem()
    await served.publish(conn, sitting)
    dealer = open_dealer()
    async with looking(dealer, sitting.table_id, STRANGER, player("p0")) as lookers:
        sitting.void()
        await served.publish(conn, sitting)
        for looker in lookers:
            await looker.sees(len(sitting.log))
        spectator, own = (looker.view.round for looker in lookers)
    assert (spectator.state, own.state) == (table_pb2.ROUND_STATE_VOIDED,) * 2
    assert {card for zone in spectator.zones for card in zone.cards} == {HIDDEN}
    assert HIDDEN not in next(zone.cards for zone in own.zones if zone.owner == 0)
    assert await asked(open_dealer(), sitting, None) == lookers[0].view


async def test_who_takes_a_seat_after_the_round_sees_nothing_of_its_hand(open_dealer: Open, conn: Connection) -> None:
    """A new player in a seat sees the ended round as a spectator; a player who moved sees its own old hand."""
    sitting = holdem()
    fold_all(sitting)
    sitting.settle()
    before = wire_tables.view(sitting.table, 0).round
    assert HIDDEN not in next(zone.cards for zone in before.zones if zone.owner == 0)
    sitting.leave(0)
    taken = money.choose_seat(sitting.table.core, player="new", name="New", test=True, seat=0, buy_in=500)
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=taken)])
    await served.publish(conn, sitting)
    dealer = open_dealer()
    async with looking(dealer, sitting.table_id, STRANGER, player("new"), player("p0")) as lookers:
        spectator, new, left = (looker.view for looker in lookers)
    assert new.round == spectator.round == left.round
    assert {card for zone in new.round.zones if zone.owner == 0 for card in zone.cards} == {HIDDEN}


async def test_a_round_whose_key_is_gone_leaves_its_table_to_be_served(open_dealer: Open, conn: Connection) -> None:
    """A dealer that cannot open the ended round's seed serves the table without it, to those who watch and who ask."""
    sitting = holdem()
    sitting.finish(Random(1), lapses=0.0)
    sitting.settle()
    await served.publish(conn, sitting)
    stranger = open_dealer(deal=KeyRing("deal", {"deal-2": bytes(32)}, "deal-2"))
    assert not (await asked(stranger, sitting, None)).HasField("round")
    async with looking(stranger, sitting.table_id, STRANGER) as [looker]:
        assert looker.ended is None
        assert looker.version == len(sitting.log)
        assert looker.messages[-1].view.last_result.round_number == 1


async def test_each_message_carries_the_clock_and_the_time_left(open_dealer: Open, conn: Connection) -> None:
    """Server time and milliseconds left are those of the sending, not of the version's first rendering."""
    sitting = holdem()
    await served.publish(conn, sitting)
    dealer, core = open_dealer(), sitting.table.core
    started = sitting.log[-1]
    assert isinstance(started, events.RoundStarted)
    for at_ms in (started.at_ms + 1, started.at_ms + 5_001, core.deadline_ms + 9):
        dealer.feeds._now_ms = lambda at_ms=at_ms: at_ms  # type: ignore[misc]  # bound for this turn of the loop
        for shared in dealer.feeds._feeds.values():
            shared.feed._now_ms = dealer.feeds._now_ms
        async with looking(dealer, sitting.table_id, STRANGER) as [looker]:
            view = looker.messages[0].view
            assert view.clock.server_time.ToMilliseconds() == at_ms
            assert view.clock.time_left_ms == max(0, core.deadline_ms - at_ms)
            assert view.round.turn_ms == core.deadline_ms - started.at_ms
