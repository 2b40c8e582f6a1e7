"""Hidden cards of a running round are nowhere in clear: in no view, stream, list, log, store or metric."""

import asyncio
import re
import urllib.request
from typing import Any

import grpc
import pytest
import redis.asyncio
from google.protobuf import json_format
from google.protobuf.message import Message
from pitboss import client, parts
from pitboss.v1 import audit_pb2, dealer_pb2

from services.livestate.store import LiveState
from services.runtime.identity import Role
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import waits
from tests.support.people import Crowd, Person

HIDDEN = "??"
CARD = re.compile(r"(?<![0-9A-Za-z])[2-9TJQKA][shdc](?![0-9A-Za-z])")
GAMES = (*floor.CORE, "loo", "five_card_stud")
"""Hands that nobody else sees, all at once and in turns; a trick game; one with cards both up and down."""


async def _dealt(crowd: Crowd, game: str) -> Played:
    """Start a round in which every seat holds cards that the others do not see."""
    table = await Played.open(crowd, game)
    await table.start()
    await _until_dealt(table)
    return table


async def _until_dealt(table: Played) -> None:
    """Play until every seat holds cards of its own."""
    while not all([_held(await table.view(seat), seat) for seat in range(len(table.players))]):
        await table.step()


def _held(view: Any, seat: int) -> set[str]:
    """Return the cards that a view shows to its own seat."""
    return {
        card
        for zone in view.round.zones
        if zone.HasField("owner") and zone.owner == seat
        for card in zone.cards
        if card != HIDDEN
    }


def _cards(value: Any) -> set[str]:
    """Find every card in any message, mapping or text."""
    if isinstance(value, Message):
        value = json_format.MessageToDict(value)
    if isinstance(value, dict):
        return _cards(list(value.values())) | _cards(list(value))
    if isinstance(value, list):
        return {card for entry in value for card in _cards(entry)}
    return set(CARD.findall(value)) if isinstance(value, str) else set()


async def _order(house: Broken, table: Played) -> list[str]:
    """Open the sealed live table with the house's own key and return the order of all cards."""
    store = LiveState(house.redis_url)
    try:
        found = await waits.eventually(lambda: store.load(table.table_id), "the table is in Redis")
    finally:
        await store.close()
    dealing = proofs.vault_of(house).open_live(table.table_id, found[1]).dealing
    assert dealing is not None, "a round is running"
    return [card for order in dealing.orders.values() for card in order]


async def _hidden(house: Broken, table: Played) -> tuple[dict[int, set[str]], set[str]]:
    """Return each seat's own hidden cards, and all cards that are hidden from a spectator."""
    views = {seat: await table.view(seat) for seat in range(len(table.players))}
    public = set.intersection(*(_shown(view) for view in views.values()))
    own = {seat: _held(view, seat) - public for seat, view in views.items()}
    everything = set(await _order(house, table)) - public
    assert all(own.values()), "every seat holds something of its own"
    assert all(cards <= everything for cards in own.values())
    return own, everything


def _shown(view: Any) -> set[str]:
    return {card for zone in view.round.zones for card in zone.cards if card != HIDDEN}


async def _seen_by(person: Person, table: Played, dealer: int = 0) -> Any:
    request = dealer_pb2.GetTableRequest(table_id=table.table_id)
    return (await floor.once(person, dealer, "GetTable", request)).view


@pytest.mark.parametrize("game", GAMES)
async def test_nobody_is_shown_a_card_of_others(house: Broken, crowd: Crowd, game: str) -> None:
    """Views and streams, from the first event on, show each seat its own cards, and others none but the open ones."""
    table = await _dealt(crowd, game)
    own, everything = await _hidden(house, table)
    auditor = crowd.person("auditor", Role.AUDITOR)
    stranger = await crowd.player("stranger")
    for person in (crowd.operator, auditor, stranger):
        for dealer in (0, 1):
            assert not _cards(await _seen_by(person, table, dealer)) & everything, f"{person.subject} sees a card"
    for seat, player in enumerate(table.players):
        for dealer in (0, 1):
            seen = _cards(await _seen_by(player, table, dealer))
            assert own[seat] <= seen
            assert not seen & (everything - own[seat]), f"seat {seat} sees cards of others"
    masks = {seat: (await table.view(seat)).round.SerializeToString() for seat in range(len(table.players))}
    assert len(set(masks.values())) == len(masks), "two seats are shown the same"
    for person, allowed in ((crowd.operator, set()), (auditor, set()), (stranger, set()), (table.players[1], own[1])):
        async for message in person.at(1).watch(table.table_id, 1):
            assert not _cards(message) & (everything - allowed), f"a stream shows {person.subject} a card"
            assert message.events, "the stream begins after the version that was named"
            break
    listed = await floor.once(stranger, 0, "ListTables", dealer_pb2.ListTablesRequest(page_size=100))
    assert not _cards(listed) & everything
    await table.finish()


@pytest.mark.parametrize("game", GAMES)
async def test_no_store_log_or_metric_holds_a_hidden_card(house: Broken, crowd: Crowd, game: str) -> None:
    """While the round runs, no text of Postgres, value of Redis, log line or metric holds a hidden card in clear."""
    table = await _dealt(crowd, game)
    own, everything = await _hidden(house, table)
    rows = await _rows(house, table)
    assert "RoundStarted" in rows, "the dump holds the log"
    assert not _cards(rows) & everything, "a hidden card stands in Postgres"
    hands = [tuple(hand) for hand in own.values() if len(hand) > 1]
    values = await _redis_values(house)
    assert any(table.table_id.encode() in value for value in values), "the dump holds the live tables"
    for value in (*values, rows.encode(), house.said().encode(), (await _metrics(house)).encode()):
        for hand in hands:
            assert not _side_by_side(hand, value), "a hand stands somewhere in clear"
    assert not _quoted(house.said()) & everything, "a hidden card stands in a log"
    assert table.table_id not in await _metrics(house), "a label holds a table"
    await table.finish()
    await proofs.hold(house, crowd, table)


def _side_by_side(hand: tuple[str, ...], value: bytes) -> bool:
    """Whether two cards of a hand stand side by side, parted by one to four bytes that are no letters or digits."""
    pairs = ((one, other) for one in hand for other in hand if one != other)
    return any(
        re.search(rb"(?<![0-9A-Za-z])" + one.encode() + rb"[^0-9A-Za-z]{1,4}" + other.encode(), value)
        for one, other in pairs
    )


def _quoted(text: str) -> set[str]:
    return set(re.findall(r"[\"'`]([2-9TJQKA][shdc])[\"'`\\]", text))


async def _rows(house: Broken, table: Played) -> str:
    """Return every row that concerns a table as text, all columns included."""
    found: list[str] = []
    async with await house.connect() as conn:
        names = await (await conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).fetchall()
        for (name,) in names:
            query = f'SELECT t::text FROM public."{name}" t WHERE t::text LIKE %s'
            rows = await (await conn.execute(query.encode(), (f"%{table.table_id}%",))).fetchall()
            found += [row[0] for row in rows]
    return "\n".join(found)


async def _redis_values(house: Broken) -> list[bytes]:
    """Return every key of Redis with its value."""
    found: list[bytes] = []
    async with redis.asyncio.Redis.from_url(house.redis_url) as store:
        async for key in store.scan_iter():
            kind = await store.type(key)
            held: Any = await (
                store.hgetall(key)
                if kind == b"hash"
                else store.zrange(key, 0, -1)
                if kind == b"zset"
                else store.dump(key)
            )
            parts = [*held, *held.values()] if isinstance(held, dict) else held if isinstance(held, list) else [held]
            found.append(b"|".join([key, *(bytes(part) for part in parts if part is not None)]))
    return found


async def _metrics(house: Broken) -> str:
    def read() -> str:
        urls = [member.metrics_url for member in house.running.members.values() if member.running()]
        return "\n".join(urllib.request.urlopen(url, timeout=60).read().decode() for url in urls)

    await house.up(len(house.running.dealers))
    return await asyncio.to_thread(read)


@pytest.mark.parametrize("game", floor.CORE)
async def test_a_scripted_deck_is_shown_to_nobody(house: Broken, crowd: Crowd, game: str) -> None:
    """Also where the deck was given, at a test table, views and streams show nobody more than its own hand."""
    table_id, players = await crowd.table(game, ("ann", "bob", "cat"), buy_in=floor.BUY_IN, test=True)
    deck = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
    staff = crowd.operator.house
    script = dealer_pb2.ScriptRoundRequest(
        request_id="script", table_id=table_id, stocks=[dealer_pb2.ScriptedStock(cards=deck)]
    )
    await staff.call(staff.dealer.ScriptRound, script)
    table = Played(game, table_id, players)
    await table.start()
    await _until_dealt(table)
    views = [_shown(await table.view(seat)) for seat in range(3)]
    hidden: set[str] = set(deck) - views[0].intersection(*views[1:])
    for person in (crowd.operator, await crowd.player("stranger")):
        async for message in person.at(1).watch(table_id, 1):
            assert not _cards(message) & hidden
            break
    await table.finish()
    await proofs.hold(house, crowd, table)
    del house


@pytest.mark.parametrize("game", floor.CORE)
async def test_auditors_open_a_round_only_when_it_is_over(house: Broken, crowd: Crowd, game: str) -> None:
    """Read, export, recall and proofs of a running round are refused or empty; the replay counts it as in progress."""
    table = await _dealt(crowd, game)
    own, everything = await _hidden(house, table)
    stub, metadata = crowd.auditor()
    request = audit_pb2.ReadRoundRequest(table_id=table.table_id, round_number=1)
    with pytest.raises(grpc.RpcError) as caught:
        await parts.read_round(stub.ReadRound(request, metadata=metadata, timeout=60))
    refusal = client.refusal(caught.value)
    assert refusal.reason == "ROUND_STILL_OPEN"
    exported = stub.ExportRounds(audit_pb2.ExportRoundsRequest(table_id=table.table_id), metadata=metadata, timeout=60)
    assert [line async for line in exported] == []
    again = audit_pb2.RecallRoundsRequest(table_id=table.table_id)
    recalled = await parts.recalled(stub.RecallRounds(again, metadata=table.players[0].metadata, timeout=60))
    assert not recalled.rounds
    replay = await stub.ReplayTable(
        audit_pb2.ReplayTableRequest(table_id=table.table_id), metadata=metadata, timeout=60
    )
    assert (replay.rounds_in_progress, list(replay.mismatches)) == (1, [])
    assert not _cards(replay) & everything
    foreign = next(iter(own[1]))
    proof = dealer_pb2.GetCardProofRequest(table_id=table.table_id, round_number=1, card=foreign)
    with pytest.raises(client.Refused):
        await floor.once(table.players[0], 0, "GetCardProof", proof)
    await table.finish()
    read = await parts.read_round(stub.ReadRound(request, metadata=metadata, timeout=60))
    assert _cards(read.document) >= own[0] | own[1] | own[2], "an ended round is open to auditors, to the last card"
    await proofs.hold(house, crowd, table)
