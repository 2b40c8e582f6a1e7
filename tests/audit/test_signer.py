"""The signer signs only continuations of its last checkpoint, and reports the difference otherwise."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from services.audit import statements, watch
from services.audit.signer import Signer
from services.audit.statements import SigningKey
from services.eventlog import canonical, checkpoints, log
from services.rules.refusals import Reason, Refused
from services.runtime import metrics
from tests.audit import signing
from tests.audit.signing import House
from tests.support import log_events


@pytest.fixture
async def house(fast_postgres_url: str) -> AsyncIterator[House]:
    """Yield a house of records with a few streams."""
    async with signing.house(fast_postgres_url) as found:
        yield found


def scraped() -> float | None:
    """Return the value of the scraped metric."""
    return metrics.REGISTRY.get_sample_value("pitboss_checkpoint_refused")


async def refused(house: House, signer: Signer | None = None) -> list[tuple[str, str, str]]:
    """Expect that nothing is signed; return stream or record, kind and field of the finding."""
    signer = signer or house.signer
    before = await checkpoints.last(house.owner)
    with pytest.raises(Refused, match="nothing is signed") as caught:
        await signer.create()
    assert caught.value.reason == Reason.HISTORY_CHANGED
    assert await checkpoints.last(house.owner) == before
    assert scraped() == len(signer.refused) > 0
    return [(one.stream_id or one.record, one.kind, one.field) for one in signer.refused]


async def rewrite(house: House, stream: str, version: int) -> None:
    """Change an event's data and rewrite every hash from there on, including the stream's."""
    cursor = await house.owner.execute(
        "SELECT version, type, data, metadata, (extract(epoch FROM recorded_at) * 1000)::bigint FROM events"
        " WHERE stream_id = %s ORDER BY version",
        (stream,),
    )
    previous = canonical.FIRST
    for number, type_, stored, metadata, moment in await cursor.fetchall():
        data = stored + " " if number == version else stored
        previous = canonical.event_hash(previous, stream, number, type_, data, metadata, moment)
        change = "UPDATE events SET data = %s, hash = %s WHERE stream_id = %s AND version = %s"
        await house.tamper(change, data, previous, stream, number)
    await house.tamper("UPDATE streams SET head_hash = %s WHERE stream_id = %s", previous, stream)


async def filled(house: House, events: int = 10) -> str:
    """Append ``count`` events to a new stream; return its id."""
    stream = log_events.stream()
    await log.append(house.owner, [log_events.one(stream, 0, *(log_events.event(number) for number in range(events)))])
    return stream


async def test_play_goes_on_and_is_signed(house: House) -> None:
    """Every checkpoint of a growing house is signed, and each text names the one before."""
    made = []
    for _ in range(3):
        await filled(house)
        await signing.live(house.owner)
        made.append(await house.signer.create())
    assert [one.number for one in made] == [1, 2, 3]
    assert scraped() == 0
    assert all([await house.held(one) == [] for one in made])


async def test_a_rewritten_history_is_not_signed(house: House) -> None:
    """After a stream is rewritten with valid hashes nothing is signed, the stream is reported, and the metric rises."""
    stream, other = await filled(house), await filled(house)
    await house.signer.create()
    await rewrite(house, stream, 4)
    found = await refused(house)
    assert (stream, "fork", "hash") in found
    assert other not in {where for where, *_ in found}
    await filled(house)
    assert (stream, "fork", "hash") in await refused(house)
    house.signer.past_was_checked([])  # by a pass that had read the stream before it was rewritten
    assert scraped() == len(house.signer.refused) > 0


async def test_a_history_rewritten_and_played_on_is_not_signed(house: House) -> None:
    """A rewritten stream that has grown since is found too: the known head is not on its chain any more."""
    stream = await filled(house)
    await house.signer.create()
    await rewrite(house, stream, 4)
    await log.append(house.owner, [log_events.one(stream, 10)])
    assert (stream, "fork", "hash") in await refused(house)


async def test_a_cut_tail_is_not_signed(house: House) -> None:
    """A cut-off end with adjusted rows of stream and shard is reported, with the tree and the stream."""
    stream = await filled(house)
    await house.signer.create()
    await house.tamper("DELETE FROM events WHERE stream_id = %s AND version > 7", stream)
    await house.tamper(
        "UPDATE streams s SET version = 7, head_hash = e.hash FROM events e WHERE s.stream_id = %s"
        " AND e.stream_id = s.stream_id AND e.version = 7",
        stream,
    )
    await house.tamper("UPDATE shards SET head = head - 3 WHERE shard = %s", canonical.shard_of(stream))
    found = await refused(house)
    assert (stream, "gap", "version") in found
    assert ("", "checkpoint", f"log {canonical.shard_of(stream)}") in found


async def test_a_table_that_is_gone_is_not_signed(house: House) -> None:
    """A removed stream is reported as a gap from its first version on."""
    stream = await filled(house)
    await house.signer.create()
    await house.tamper("DELETE FROM events WHERE stream_id = %s", stream)
    await house.tamper("DELETE FROM streams WHERE stream_id = %s", stream)
    await filled(house)
    found = await refused(house)
    assert {(stream, "gap", "version"), ("", "checkpoint", "trees")} <= set(found)


async def test_leaves_that_were_cut_or_changed_are_not_signed(house: House) -> None:
    """If the last leaf of a kind is removed or changed, its tree does not begin with the signed one."""
    for player in ("ann", "bob"):
        await signing.live(house.owner, player)
    await house.signer.create()
    await house.tamper("UPDATE proof_leaves SET hash = sha256('x') WHERE tree = 'limits' AND position = 1")
    assert ("", "checkpoint", "records limits") in await refused(house)
    await house.tamper("DELETE FROM proof_leaves WHERE tree = 'limits' AND position = 1")
    await house.tamper("DELETE FROM limits WHERE number = 2")
    assert await refused(house) == [("", "checkpoint", "records limits")]


async def test_its_own_checkpoints_cannot_be_taken_back(house: House) -> None:
    """If the last checkpoint is missing, has another text or another key, nothing is signed."""
    await filled(house)
    for _ in range(2):
        last = await house.signer.create()
    await house.tamper("DELETE FROM checkpoint_heads WHERE number = 2")
    await house.tamper("DELETE FROM checkpoints WHERE number = 2")
    assert await refused(house) == [("", "checkpoint", "checkpoint 2")]
    stranger = SigningKey(bytes(32))
    body = msgspec.json.encode(msgspec.structs.replace(statements.read(last.body), key=stranger.key_id)).decode()
    forged = checkpoints.Checkpoint(2, body, stranger.sign(body), stranger.key_id)
    assert await checkpoints.store(house.owner, forged) == checkpoints.STORED
    for signer in (house.signer, Signer(house.pool, signing.KEY)):
        assert await refused(house, signer) == [("", "checkpoint", "checkpoint 2")]


async def test_a_key_is_changed_when_the_old_one_is_named(house: House) -> None:
    """A new key continues only if the settings name the previous one."""
    await house.signer.create()
    fresh = SigningKey(bytes(32))
    await refused(house, Signer(house.pool, fresh))
    made = await Signer(house.pool, fresh, [signing.KEY.key_id]).create()
    assert (made.number, made.key_id) == (2, fresh.key_id)


async def test_it_costs_by_what_is_new(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint after one more event reads that event and the one before, however long the past is."""
    stream = await filled(house, 250)
    for at in range(250, 2000, 250):
        await log.append(
            house.owner, [log_events.one(stream, at, *(log_events.event(number) for number in range(250)))]
        )
    await house.signer.create()
    await log.append(house.owner, [log_events.one(stream, 2000)])
    read = 0
    original = log.read

    async def counted(*arguments: Any) -> Any:
        nonlocal read
        found = await original(*arguments)
        read += len(found)
        return found

    monkeypatch.setattr(log, "read", counted)
    await house.signer.create()
    assert read == 2


async def test_auditors_that_sign_at_once_find_nothing_wrong(house: House) -> None:
    """Three signers at the same time, with new records, make numbers without holes and no false alarm."""
    signers = [Signer(house.pool, signing.KEY) for _ in range(3)]
    for _ in range(4):
        await signing.live(house.owner)
        await asyncio.gather(*(signer.create() for signer in signers))
    assert [one.number for one in await checkpoints.page(house.owner)] == list(range(1, 13))
    assert all(signer.refused == [] for signer in signers)
    last = await checkpoints.last(house.owner)
    assert last is not None
    assert await house.held(last) == []


async def test_the_watch_over_the_past_stops_the_signer_and_lets_it_go_on(house: House) -> None:
    """A changed old record is reported by the pass, and nothing is signed until a pass finds it repaired."""
    key = (await signing.live(house.owner))["limits"]
    over = watch.Watch(house.pool, house.signer)
    assert await over.once() == watch.FIRST_SECONDS
    await house.signer.create()
    assert await over.once() == watch.BETWEEN_SECONDS
    await house.signer.create()
    await house.tamper("UPDATE limits SET amount = amount + 1 WHERE number::text = %s", key)
    assert await over.once() == watch.SOON_SECONDS
    assert await refused(house) == [("limits", "edit", "record")]
    await house.tamper("UPDATE limits SET amount = amount - 1 WHERE number::text = %s", key)
    await over.once()
    assert (await house.signer.create()).number == 3
    assert scraped() == 0
