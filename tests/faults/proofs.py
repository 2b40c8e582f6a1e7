"""What must hold after every fault: the log, the live table, the ledger and the auditor say the same."""

from typing import Any, Final

import msgspec
from pitboss.v1 import audit_pb2, dealer_pb2

from services.dealer import vault
from services.dealer.vault import Opener
from services.eventlog import log
from services.journal import log_rows
from services.livestate.store import LiveState
from services.runtime import settings
from services.runtime.identity import Role
from services.table import differences, events, full_table
from services.table.full_table import FullTable
from services.table.replay import Replay
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support.people import Crowd

SETTLED_MS: Final = 2000
"""A round that has ended is settled within two seconds, whichever process has died."""


async def hold(house: Broken, crowd: Crowd, *tables: Played) -> None:
    """Check all that must hold at tables, in mid-round or after it."""
    for table in tables:
        table.dealers = await house.up()
        await every_acknowledgement_is_in_the_log(house, table)
        await live_state_is_the_replay(house, table)
        await all_dealers_show_the_same(table)
        await chips_are_where_the_log_says(house, table)
        await auditor_finds_nothing(crowd, table)
    assert await house.imbalance() == 0, "the ledger does not sum to zero"


async def every_acknowledgement_is_in_the_log(house: Broken, table: Played) -> None:
    """See that what was acknowledged stands in the log once, at the version told, and nothing else of players does."""
    found: set[tuple[str, int]] = set()
    async with await house.connect() as conn:
        for one in table.acknowledged:
            request = await log.find_request(conn, f"{one.player}:{one.request_id}")
            assert request is not None, f"{table.game}: an acknowledged action is not in the log"
            assert request.last_version == one.version, "the answer named another version"
            assert dealer_pb2.ActResponse.FromString(request.answer).version == one.version, "another answer is kept"
            found.add((one.player, request.first_version))
    recorded = await house.stored(table.table_id)
    acted = {
        (str(msgspec.json.decode(one.metadata)["actor"]), one.version)
        for one in recorded
        if log_rows.kind_of(one)[0] == "ActionTaken"
    }
    assert acted == found, f"{table.game}: the log holds other actions than were acknowledged"


async def live_state_is_the_replay(house: Broken, table: Played) -> None:
    """See that the table as Redis holds it is the table as its log makes it again, hidden cards included.

    Redis may be behind (its dealer died): then that is what the log said then.
    """
    keys = vault_of(house)
    found = await _from_redis(house, table)
    kept = None if found is None else keys.open_live(table.table_id, found[1])
    replay = Replay(table.table_id, Opener(keys, table.table_id), compare=True)
    for one in await house.stored(table.table_id):
        replay.take(one.version, log_rows.from_stored(one))
        if kept is not None and kept.core.version == one.version:
            assert replay.table is not None, "a stream begins with its opening"
            replay.table.head_hash = one.hash
            differs = differences.first_difference(_plain(kept), _plain(replay.table))
            assert _plain(kept) == _plain(replay.table), (
                f"{table.game}: the live table is not what the log says: {differs}"
            )
            kept = None
    assert kept is None, f"{table.game}: Redis is ahead of the log"
    assert replay.differences == [], f"{table.game}: the replay decides otherwise"


async def _from_redis(house: Broken, table: Played) -> tuple[int, bytes] | None:
    redis = LiveState(house.redis_url)
    try:
        return await redis.load(table.table_id)
    finally:
        await redis.close()


def vault_of(house: Broken) -> vault.Vault:
    """Return the keys that open the house's seals."""
    kept = house.running.environment
    rings = {name.lower(): msgspec.json.decode(kept[f"PITBOSS_{name}"]) for name in ("DEAL_KEYS", "AUDIT_KEYS")}
    active = {name.lower(): kept[f"PITBOSS_{name}"] for name in ("DEAL_KEY", "AUDIT_KEY")}
    return vault.of_settings(settings.load(**rings, **active))


def _plain(table: FullTable) -> Any:
    # The log is JSON, whose keys are texts; the live state may hold the same facts under numbers.
    return msgspec.to_builtins(msgspec.msgpack.decode(full_table.store(table)), str_keys=True)


async def all_dealers_show_the_same(table: Played) -> None:
    """Every player is shown the same by every dealer, to the byte, the moment of showing and who watches aside."""
    for seat in range(len(table.players)):
        shown = [await table.view(seat, (dealer,)) for dealer in table.dealers]
        for one in shown:
            one.ClearField("clock")
            one.ClearField("presence")
            one.ClearField("spectators")
        assert len({one.SerializeToString(deterministic=True) for one in shown}) == 1, (
            f"{table.game}: seat {seat} is shown two different tables"
        )


async def chips_are_where_the_log_says(house: Broken, table: Played) -> None:
    """See that the ledger holds for the seats what the table shows, and that all that was brought is still there."""
    view = await table.view()
    shown = {seat.seat: seat.chips + seat.added for seat in view.seats if seat.chips + seat.added}
    assert await house.at_seats(table.table_id) == shown, f"{table.game}: log and ledger differ"
    taken = 0
    for event in await house.events(table.table_id):
        match event:
            case events.SeatTaken():
                taken += event.seat.chips
            case events.ChipsAdded():
                taken += event.chips
            case events.RoundSettled(posting=posting):
                assert sum(posting.net.values()) + posting.fee + posting.house + posting.pot == 0, "chips were made"
                taken += sum(posting.net.values())
            case events.SeatLeft() | events.RemovedForAbsence():
                taken -= event.chips
            case _:
                pass
    assert sum(shown.values()) == taken, f"{table.game}: the seats hold other chips than were brought, won and lost"


async def auditor_finds_nothing(crowd: Crowd, table: Played) -> None:
    """See that the auditor replays the table without a mismatch and finds its chain whole."""
    stub, _ = crowd.auditor()
    auditor = crowd.person("auditor", Role.AUDITOR).house
    replay = await auditor.call(stub.ReplayTable, audit_pb2.ReplayTableRequest(table_id=table.table_id))
    assert not replay.mismatches, f"{table.game}: {replay.mismatches[0]}"
    assert replay.rounds_replayed + replay.rounds_in_progress == table.rounds, f"{table.game}: a round is missing"
    chain = await auditor.call(stub.VerifyStream, audit_pb2.VerifyStreamRequest(table_id=table.table_id))
    assert not chain.mismatches, f"{table.game}: {chain.mismatches[0]}"


async def settled_in_time(house: Broken, table: Played, since_ms: int = 0) -> int:
    """Check that the last round was settled once, within two seconds of its end (or of ``since_ms``); return the ms."""
    recorded = await house.events(table.table_id)
    ended = [event for event in recorded if isinstance(event, events.RoundEnded)]
    settled = [event for event in recorded if isinstance(event, events.RoundSettled)]
    assert [event.round_number for event in settled] == [event.round_number for event in ended], "settled once each"
    lag = settled[-1].at_ms - max(ended[-1].at_ms, since_ms)
    assert lag <= SETTLED_MS, f"{table.game}: settled {lag} ms after it could be"
    return lag
