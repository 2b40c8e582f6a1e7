"""Tables in memory, Redis and log: where one is stale, unreadable or missing, the log decides."""

import asyncio
from random import Random

import pytest
import redis

from services.fairness import seal
from services.fairness.seal import KeyRing
from services.rules.refusals import Reason, Refused
from services.table import full_table
from tests.dealer.conftest import Dealer, Open
from tests.support import served
from tests.support.served import Connection
from tests.support.sittings import Sitting
from tests.table.test_replay import as_read, without_the_past


async def running(conn: Connection, game: str = "tongbi_san_gong") -> Sitting:
    """Write a table with a running round."""
    sitting = Sitting(game, table_id=served.table_id())
    sitting.sit({0: 500, 1: 500, 2: 500})
    sitting.start()
    await served.publish(conn, sitting)
    return sitting


async def test_a_table_comes_from_the_log_then_from_memory(open_dealer: Open, conn: Connection) -> None:
    """The first look rebuilds it, certainly new; the next one finds it at hand, perhaps behind."""
    sitting = await running(conn)
    dealer = open_dealer()
    held = await dealer.at_hand(sitting.table_id)
    assert held.newest
    assert as_read(without_the_past(held.table)) == as_read(without_the_past(sitting.table))
    again = await dealer.at_hand(sitting.table_id)
    assert again.table is held.table
    assert not again.newest


async def test_a_table_is_dropped_where_its_changes_may_not_be_in_the_log(open_dealer: Open, conn: Connection) -> None:
    """Whatever ends the work on a dirty table, it is read anew; one that was only read is kept through any error."""
    sitting = await running(conn)
    dealer = open_dealer()
    table = await dealer.table(sitting.table_id)
    for error in (ValueError, asyncio.CancelledError):
        with pytest.raises(error):
            await interrupted(dealer, sitting, error, dirty=False)
        assert (await dealer.at_hand(sitting.table_id)).table is table
        with pytest.raises(error):
            await interrupted(dealer, sitting, error, dirty=True)
        assert (await dealer.at_hand(sitting.table_id)).table is not table
        table = await dealer.table(sitting.table_id)


async def interrupted(dealer: Dealer, sitting: Sitting, error: type[BaseException], *, dirty: bool) -> None:
    """Work on a table until an error ends it."""
    async with dealer.tables.checkout(sitting.table_id) as held:
        held.dirty = dirty
        raise error


async def test_a_table_in_redis_serves_another_dealer_in_mid_round(open_dealer: Open, conn: Connection) -> None:
    """What one dealer saved the other reads, hidden cards included, without touching the log."""
    sitting = await running(conn, "texas_holdem")
    one, other = open_dealer(), open_dealer()
    await one.saved(sitting.table_id)
    held = await other.at_hand(sitting.table_id)
    assert not held.newest, "it came from the log"
    assert held.table.round is not None
    assert as_read(without_the_past(held.table)) == as_read(without_the_past(sitting.table))


async def test_a_stale_copy_is_caught_up_event_by_event(open_dealer: Open, conn: Connection) -> None:
    """A copy far behind, over the end of its round and the start of the next, ends up as the log is."""
    sitting = await running(conn)
    dealer = open_dealer()
    assert await dealer.version(sitting.table_id) == len(sitting.log)
    sitting.finish(Random(1), lapses=0.0)
    sitting.settle()
    sitting.start()
    sitting.leave(2)
    await served.publish(conn, sitting)
    held = await dealer.at_hand(sitting.table_id)
    assert not held.newest
    assert held.table.core.version < len(sitting.log)
    assert await held.catch_up()
    assert as_read(without_the_past(held.table)) == as_read(without_the_past(sitting.table))


@pytest.mark.parametrize("blob", [b"", b"garbage", b"\x01" + bytes(60)], ids=["empty", "garbage", "no such key"])
async def test_what_cannot_be_read_in_redis_is_rebuilt(
    open_dealer: Open, conn: Connection, redis_url: str, blob: bytes
) -> None:
    """No bytes in Redis can stop a table: it is loaded from the log."""
    sitting = await running(conn)
    dealer = open_dealer()
    await dealer.live.save(sitting.table_id, len(sitting.log), blob, None, "showdown")
    held = await dealer.at_hand(sitting.table_id)
    assert held.newest
    assert held.table.core.version == len(sitting.log)
    with redis.Redis.from_url(redis_url) as client:
        client.flushdb()
    await dealer.saved(sitting.table_id)
    assert not (await open_dealer().at_hand(sitting.table_id)).newest


async def test_a_table_moved_to_anothers_place_in_redis_is_not_taken(open_dealer: Open, conn: Connection) -> None:
    """A sealed state is bound to its table: under another id it does not open, and the log is read."""
    one, other = await running(conn), await running(conn)
    dealer = open_dealer()
    blob = dealer.vault.seal_live(await dealer.table(one.table_id))
    await dealer.live.save(other.table_id, 4, blob, None, "showdown")
    held = await dealer.at_hand(other.table_id)
    assert held.newest
    assert held.table.core.table_id == other.table_id


async def test_other_keys_read_neither_redis_nor_a_running_round(open_dealer: Open, conn: Connection) -> None:
    """A dealer without the deal key names the missing one; with the key added it reads both."""
    sitting = await running(conn)
    mine = open_dealer()
    await mine.saved(sitting.table_id)
    stranger = open_dealer(deal=KeyRing("deal", {"deal-2": bytes(32)}, "deal-2"))
    with pytest.raises(seal.KeyMissingError, match="deal-test"):
        await stranger.at_hand(sitting.table_id)
    rotated = open_dealer(deal=KeyRing("deal", {"deal-2": bytes(32), "deal-test": bytes(range(32))}, "deal-2"))
    held = await rotated.at_hand(sitting.table_id)
    assert not held.newest
    assert held.table.core.version == len(sitting.log)


async def test_states_in_redis_hold_no_card_in_clear(open_dealer: Open, conn: Connection) -> None:
    """The bytes in Redis are sealed: they contain neither the order of the deck nor the seed."""
    sitting = await running(conn, "texas_holdem")
    dealer = open_dealer()
    table = await dealer.saved(sitting.table_id)
    found = await dealer.live.load(sitting.table_id)
    assert found is not None
    assert table.dealing is not None
    plain = full_table.store(table)
    assert table.dealing.round_seed in plain
    assert table.dealing.round_seed not in found[1]
    assert table.dealing.house_seed not in found[1]
    assert sitting.table_id.encode() not in found[1]


async def test_tables_of_other_families_and_none_are_refused(open_dealer: Open, conn: Connection) -> None:
    """A dealer of poker refuses a showdown table with its family; an unknown table is not found."""
    sitting = await running(conn)
    poker = open_dealer(families=["poker"])
    with pytest.raises(Refused) as caught:
        await poker.at_hand(sitting.table_id)
    assert caught.value.reason is Reason.WRONG_FAMILY
    assert caught.value.metadata["family"] == "showdown"
    with pytest.raises(Refused) as caught:
        await poker.at_hand(served.table_id())
    assert caught.value.reason is Reason.TABLE_NOT_FOUND


async def test_a_redis_that_is_away_is_gone_around(open_dealer: Open, conn: Connection) -> None:
    """Redis is not needed: with a store that never answers, tables are loaded from the log."""
    sitting = await running(conn)
    dealer = open_dealer()
    away = type(dealer.live)("redis://127.0.0.1:9/0", call_seconds=0.2)
    dealer.tables._live = away
    held = await dealer.at_hand(sitting.table_id)
    assert held.newest
    assert held.table.core.version == len(sitting.log)
    await away.close()


async def test_the_public_core_needs_no_keys(open_dealer: Open, conn: Connection) -> None:
    """Voiding and lists work for a dealer that cannot open the round."""
    sitting = await running(conn)
    stranger = open_dealer(deal=KeyRing("deal", {"deal-2": bytes(32)}, "deal-2"))
    core = await stranger.tables.core(sitting.table_id)
    assert core.version == len(sitting.log)
    assert core.round is not None
