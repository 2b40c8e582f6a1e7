"""Players' texts are nowhere in clear in a whole house, and unreadable after an erasure; the log still holds."""

import asyncio
import base64
import json
from typing import Any

import psycopg
import pytest
import redis
from pitboss import client, parts
from pitboss.v1 import audit_pb2, dealer_pb2, privacy_pb2
from pitboss.v1 import back_office_pb2 as office
from psycopg import sql

from services.audit import offline
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.support import people, waits
from tests.support.people import Crowd, Person

CANARY = "canary"
"""A word that every name and text of these players holds."""


class Night:
    """Three players who write names and texts in every place where a player can."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.players: list[Person] = []
        self.nicknames = ""
        self.poker = ""

    @property
    def owner(self) -> Person:
        """The player who opened the table."""
        return self.players[0]

    async def spend(self) -> None:
        """Sit down, be seen, play a round and leave."""
        for number in range(3):
            plain = await self.crowd.player(f"w{number}")
            name, avatar = f"{CANARY} name {number}", f"https://pictures.example/{CANARY}/{number}"
            self.players.append(self.crowd.person(plain.subject, name=name, avatar=avatar))
        await self._nicknames()
        await self._poker()
        await self._registry()

    async def _nicknames(self) -> None:
        owner = self.owner.house
        self.nicknames = (await owner.create_table("nickname", people.MANUAL, title=f"{CANARY} title")).table_id
        for player in self.players:
            await player.house.take_seat(self.nicknames, 1000)
        await owner.act(self.nicknames, people.action("set_nickname", name=f"{CANARY} nick"))
        await people.refused(
            "ILLEGAL_ACTION",
            self.players[1].house.act(self.nicknames, people.action("set_nickname", name=f"{CANARY.upper()} nick")),
        )
        await owner.set_seed(self.nicknames, f"{CANARY} seed")
        view = await self.players[1].house.table(self.nicknames)
        assert view.table.title == f"{CANARY} title"
        assert [seat.name for seat in view.seats] == [f"{CANARY} name {number}" for number in range(3)]
        assert [seat.avatar for seat in view.seats] == [f"https://pictures.example/{CANARY}/{at}" for at in range(3)]
        ids = [seat.player_id for seat in view.seats]
        assert len(set(ids)) == len(ids)
        assert not [player for player in self.players if any(player.subject in one for one in ids)]
        assert f"{CANARY} nick" in view.carried.nicknames.values()
        await owner.start_round(self.nicknames)
        assert f"{CANARY} nick" in (await owner.table(self.nicknames)).round.facts.survival.nicknames.values()
        boss = self.crowd.operator.house
        void = dealer_pb2.VoidRoundRequest(request_id=client.request_id(), table_id=self.nicknames, reason="a test")
        await boss.call(boss.dealer.VoidRound, void)

    async def _poker(self) -> None:
        self.poker = (
            await self.crowd.operator.house.create_table("texas_holdem", people.MANUAL, title="of the house")
        ).table_id
        for player in self.players[:2]:
            await player.house.take_seat(self.poker, 1000)
        await self.owner.house.start_round(self.poker)
        waits = (await self.owner.house.table(self.poker)).round.waiting_for[0]
        await self.players[waits].house.act(self.poker, people.action("fold"))
        await people.until_settled(self.owner.house, self.poker, 1)

    async def _registry(self) -> None:
        owner, boss = self.owner.house, self.crowd.operator.house
        limit = office.SetLimitRequest(
            request_id=client.request_id(),
            kind=office.LIMIT_KIND_DEPOSIT,
            span=office.LIMIT_SPAN_DAY,
            amount=10**9,
            reason=f"{CANARY} limit",
        )
        assert (await owner.call(owner.office.SetLimit, limit)).limit.reason == f"{CANARY} limit"
        for off in (True, False):
            switch = office.SetSwitchRequest(
                request_id=client.request_id(),
                scope=office.SWITCH_SCOPE_PLAYER,
                subject=self.players[2].subject,
                off=off,
                reason=f"{CANARY} note",
            )
            assert (await boss.call(boss.office.SetSwitch, switch)).switch.reason == f"{CANARY} note"

    async def leave(self) -> None:
        """Leave all tables; the owner closes its own."""
        for player in self.players:
            await player.house.leave(self.nicknames)
        for player in self.players[:2]:
            await player.house.leave(self.poker)
        close = dealer_pb2.CloseTableRequest(
            request_id=client.request_id(), table_id=self.nicknames, reason=f"{CANARY} goodbye"
        )
        await self.owner.house.call(self.owner.house.dealer.CloseTable, close)

    async def words(self, language: str) -> list[str]:
        """Return the auditor's narrative of the round of poker."""
        audit, metadata = self.crowd.auditor()
        request = audit_pb2.ReadRoundRequest(table_id=self.poker, round_number=1, language=language)
        found = await parts.read_round(audit.ReadRound(request, metadata=metadata, timeout=60))
        return list(found.words)

    async def erase(self) -> None:
        """Erase all three players, by two persons."""
        first = self.crowd.operator.house
        second = self.crowd.person("second-person", Role.OPERATOR).house
        for player in self.players:
            asked = privacy_pb2.RequestErasureRequest(
                request_id=client.request_id(), player=player.subject, reason="a test"
            )
            made = (await first.call(first.privacy.RequestErasure, asked)).erasure
            decided = privacy_pb2.DecideErasureRequest(
                request_id=client.request_id(), erasure_id=made.erasure_id, approve=True, reason="a test"
            )
            await people.refused("SECOND_PERSON_NEEDED", first.call(first.privacy.DecideErasure, decided))
            await second.call(second.privacy.DecideErasure, decided)


@pytest.fixture
async def night(crowd: Crowd) -> Night:
    """Return a night whose rounds are settled."""
    made = Night(crowd)
    await made.spend()
    return made


def _holds(data: bytes) -> int:
    """Return where a dump holds the canary, plain, as hexadecimal or as base64 at any offset; -1: nowhere."""
    plain = CANARY.encode()
    coded = [base64.b64encode(b" " * shift + plain)[4 if shift else 0 : -4] for shift in range(3)]
    places = [data.lower().find(one) for one in (plain, plain.hex().encode())] + [data.find(one) for one in coded]
    return max(places)


def test_the_canary_is_found_in_every_spelling() -> None:
    """What looks for the canary sees it in a text, in bytes shown as hexadecimal, and in base64."""
    for shift in range(3):
        text = b"x" * shift + b"the Canary sings" if shift else b"the Canary sings"
        assert _holds(text) >= 0
        assert _holds(text.lower().hex().encode()) >= 0
        assert _holds(base64.b64encode(text.lower())) >= 0
    assert _holds(b"nothing of the kind") < 0


def _everything(house: local_house.LocalHouse) -> dict[str, bytes]:
    """Return everything that a house stores: every table of its database, its Redis, and its logs."""
    kept: dict[str, bytes] = {}
    with psycopg.connect(house.environment["PITBOSS_DATABASE_URL"]) as conn:
        tables = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            found = conn.execute(sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier(table))).fetchall()
            kept[f"table {table}"] = "\n".join(row for (row,) in found).encode()
    with redis.Redis.from_url(house.environment["PITBOSS_REDIS_URL"]) as store:
        for key in store.scan_iter():
            kept[f"redis {key!r}"] = key + (store.dump(key) or b"")
    kept |= {f"log {path.name}": path.read_bytes() for path in house.folder.glob("*.log")}
    return kept


def _found(house: local_house.LocalHouse) -> list[str]:
    return [
        f"{where}: {data[max(0, at - 60) : at + 60]!r}"
        for where, data in _everything(house).items()
        if (at := _holds(data)) >= 0
    ]


async def _shown(night: Night, language: str) -> Any:
    """Return the table of poker as another player sees it, in a language."""
    house = client.House(
        client.open_channel(night.crowd.reach.dealers[1]), night.crowd.reach.token("stranger"), language=language
    )
    return await house.table(night.poker)


async def test_what_players_wrote_is_sealed_until_it_is_erased(house: local_house.LocalHouse, night: Night) -> None:
    """No table, Redis key or log line holds a player's texts; views show them until they are erased."""
    assert _found(house) == []
    assert any(f"{CANARY} name" in line for line in await night.words("en"))
    boss = night.crowd.operator.house
    request = privacy_pb2.RequestErasureRequest(
        request_id=client.request_id(), player=night.owner.subject, reason="a test"
    )
    await people.refused("PLAYER_SEATED", boss.call(boss.privacy.RequestErasure, request))
    await night.leave()
    assert _found(house) == []
    assert [seat.name for seat in (await _shown(night, "en")).last_result.seats] == [
        f"{CANARY} name 0",
        f"{CANARY} name 1",
    ]
    assert f"{CANARY} name 0" in await _watched(night)
    await night.erase()
    await asyncio.wait_for(_until_erased(night), 15)
    assert _found(house) == []
    for language, word in (("en", "erased"), ("zh-Hant", "已刪除"), ("zh-Hans", "已删除")):
        told = await night.words(language)
        assert any(word in line for line in told)
        assert not any(CANARY in line for line in told)
        assert all(seat.name.startswith(word) for seat in (await _shown(night, language)).last_result.seats)
    await _registry_says_so(night)
    await _log_holds(night)


async def _watched(night: Night) -> str:
    """Return the first message of a stream of the table of poker, which its feed has rendered before."""
    house = night.crowd.person("watcher").at(1)
    async for message in house.watch(night.poker):
        return str(message.view)
    raise AssertionError("the stream of views ended")


async def _until_erased(night: Night) -> None:
    """Wait until no process shows a name any more: seconds, by the beat at which each reads the erasures."""

    async def is_erased() -> bool:
        told = [str(await _shown(night, "en")), await _watched(night), *await night.words("en")]
        return not any(CANARY in text for text in told)

    await waits.eventually(is_erased, "no process shows the name", pause=0.2)


async def _registry_says_so(night: Night) -> None:
    boss = night.crowd.operator.house
    limits = await boss.call(boss.office.ListLimits, office.ListLimitsRequest(player=night.owner.subject))
    switches = await boss.call(boss.office.ListSwitches, office.ListSwitchesRequest(include_on=True, page_size=500))
    told = await boss.call(
        boss.office.ListSignificantEvents, office.ListSignificantEventsRequest(kind="limit", page_size=500)
    )
    assert [one.reason for one in limits.limits] == ["erased"]
    assert "erased" in {one.reason for one in switches.switches if one.subject == night.players[2].subject}
    assert not any(CANARY in str(answer) for answer in (limits, switches, told))


async def _log_holds(night: Night) -> None:
    """Replay, chain and an offline check of an export pass without any player's key."""
    audit, metadata = night.crowd.auditor()
    for table_id in (night.nicknames, night.poker):
        replayed = await audit.ReplayTable(audit_pb2.ReplayTableRequest(table_id=table_id), metadata=metadata)
        verified = await audit.VerifyStream(audit_pb2.VerifyStreamRequest(table_id=table_id), metadata=metadata)
        assert not [*replayed.mismatches, *verified.mismatches]
        assert replayed.rounds_replayed == 1
    request = audit_pb2.ReadRoundRequest(table_id=night.poker, round_number=1)
    found = await parts.read_round(audit.ReadRound(request, metadata=metadata, timeout=60))
    assert [findings for _, findings in offline.check([json.loads(found.document)])] == [[]]
