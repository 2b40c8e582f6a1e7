"""Significant events: who, what, why, before and after, and how many at most."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import grpc
from google.protobuf import timestamp_pb2
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import catalogue_pb2, settlement_pb2, wallet_pb2

from services.registry.incidents import MOST_KINDS, Incidents
from services.runtime import metrics, pools
from services.runtime.identity import Role
from services.settlement.backoffice import significant_event_list
from tests.settlement import office
from tests.support import served, waits
from tests.support.served import Connection, request_id
from tests.support.settlement_floor import CURRENCY, Floor


async def test_voids_are_told_with_reason_before_and_after_and_count_in_the_reports(floor: Floor) -> None:
    """A voided round is one significant event, however often it is asked for, and one void of its game."""
    table = await floor.open("tongbi_san_gong", 2, 500)
    table.start()
    await served.publish(floor.conn, table, together=True)
    request = settlement_pb2.VoidOutRequest(
        request_id=request_id(),
        table_id=table.table_id,
        reason="power failed",
        round_number=1,
        seed_lost=True,
        on_behalf=served.on_behalf("boss", "operator", test=False),
    )
    for _ in range(3):
        await floor.settlement.call(floor.settlement.money.VoidOut, request)
    [told] = await office.events(floor, "round_voided")
    assert (told.actor, told.reason, told.component) == ("boss", "power failed", "settlement")
    assert table.table_id in told.subject
    assert told.before == "round 1 running"
    assert told.after.startswith("round 1 voided")
    report = await floor.staff(
        floor.settlement.office.ListGamePerformance, pb.ListGamePerformanceRequest(currency=CURRENCY)
    )
    assert [(one.game, one.rounds, one.voided, one.staked) for one in report.games] == [("tongbi_san_gong", 0, 1, 0)]


async def test_large_wins_and_stakes_are_told(floor: Floor) -> None:
    """Each seat of a real table beyond a threshold is reported with its chips before and after; test tables are not."""
    for test in (True, False):
        table = await floor.open("texas_holdem", 2, 5000, test=test)
        for _ in range(6):
            await floor.round(table)
    told = await office.events(floor, "large_stake") + await office.events(floor, "large_win")
    played: list[pb.PlayedRound] = []
    for player in floor.players:
        request = pb.ListPlayedRoundsRequest(player=player, currency=CURRENCY)
        played += (await floor.staff(floor.settlement.office.ListPlayedRounds, request)).rounds
    stakes = [(one.player, str(one.chips_before)) for one in played if one.staked >= 50]
    wins = [(one.player, str(one.chips_before)) for one in played if one.won - one.staked >= 50]
    assert stakes, "the night was too quiet to show anything"
    assert sorted((one.actor, one.before) for one in told) == sorted(stakes + wins)


async def test_rules_and_settings_are_told_when_they_change(floor: Floor, postgres_url: str, redis_url: str) -> None:
    """Each start compares with what was recorded last; only a change is recorded, with before and after."""
    await waits.eventually(lambda: office.events(floor, "settings"), "the first start is recorded")
    same = served.given(postgres_url, redis_url, large_win=50, large_stake=50)
    async with pools.opened(same, "pitboss_settlement", "test") as pool:
        await significant_event_list.record_changes(pool, same)
    assert len(await office.events(floor, "rules")) == len(await office.events(floor, "settings")) == 1

    async def is_recorded() -> bool:
        return len(await office.events(floor, "settings")) == 2

    async with served.serve("settlement", served.given(postgres_url, redis_url, large_win=60, large_stake=50)):
        await waits.eventually(is_recorded, "the start with other settings is recorded")
    assert len(await office.events(floor, "rules")) == 1
    first, second = await office.events(floor, "settings")
    assert second.before == first.after
    assert '"large_win":60' in second.after


async def test_refused_sign_ins_are_told_at_a_bounded_rate(floor: Floor) -> None:
    """A hundred bad tokens are a few records that say how many there were."""
    request = wallet_pb2.GetBalanceRequest()
    for _ in range(100):
        with contextlib.suppress(grpc.aio.AioRpcError):
            await floor.settlement.wallets.GetBalance(request, metadata=(("authorization", "Bearer forged"),))

    async def all_told() -> list[pb.SignificantEvent]:
        found = await office.events(floor, "sign_in_refused")
        return found if sum(int(one.after.split()[0]) if one.after else 1 for one in found) >= 100 else []

    found = await waits.eventually(all_told, "a hundred refused sign-ins are recorded")
    assert sum(int(one.after.split()[0]) if one.after else 1 for one in found) == 100
    assert len(found) <= 10
    assert {(one.actor, one.component, one.subject) for one in found} == {
        ("anonymous", "settlement", "WalletService/GetBalance")
    }
    assert all("token" in one.reason and "forged" not in one.reason for one in found)


async def test_incidents_of_many_kinds_are_counted_together(floor: Floor, postgres_url: str) -> None:
    """A caller that invents ever new incidents fills a bounded number of records, and all are counted."""
    incidents = Incidents("test")
    for number in range(1000):
        incidents.happened("error", "", f"method {number}", "Boom")

    @contextlib.asynccontextmanager
    async def connected() -> AsyncIterator[Connection]:
        async with await served.connect(postgres_url) as connection:
            yield connection

    await incidents.flush(connected)
    found = await office.events(floor, "error")
    assert len(found) <= MOST_KINDS + 1
    assert sum(int(one.after.split()[0]) if one.after else 1 for one in found) == 1000


async def test_events_are_listed_by_span(floor: Floor) -> None:
    """What happened before the span, or at its end, is not in it; an empty span says so."""
    player = await floor.player(5)
    await office.asked(floor, player, 1)
    middle = timestamp_pb2.Timestamp()
    await waits.next_millisecond()
    middle.GetCurrentTime()
    await waits.next_millisecond()
    await office.asked(floor, player, 2)
    kind = "adjustment_requested"
    assert len(await office.events(floor, kind)) == 2
    [early] = await office.events(floor, kind, to_time=middle)
    [late] = await office.events(floor, kind, from_time=middle)
    assert early.number < late.number
    stub = floor.settlement.office
    empty = await floor.settlement.call(
        stub.ListSignificantEvents, pb.ListSignificantEventsRequest(kind="large_win"), Role.AUDITOR
    )
    assert (empty.header.note, empty.header.title) == ("no activity", "Significant events")


async def test_every_recorded_event_is_counted_by_its_kind(floor: Floor) -> None:
    """What Prometheus reads after a day of the back office is what the registry holds, kind by kind."""
    office_stub = floor.settlement.office
    player, before = await floor.player(500), counted()
    made = await office.asked(floor, player, 7)
    await floor.staff(office_stub.DecideAdjustment, office.decision(made), "bert")
    switch = pb.SetSwitchRequest(scope=pb.SWITCH_SCOPE_GAME, subject="war", off=True, **why())
    await floor.staff(office_stub.SetSwitch, switch, "alice")
    limit = pb.SetLimitRequest(
        player=player, kind=pb.LIMIT_KIND_DEPOSIT, span=pb.LIMIT_SPAN_DAY, currency=CURRENCY, amount=9, **why()
    )
    await floor.staff(office_stub.SetLimit, limit, "alice")
    proposal = pb.ProposeTemplateRequest(
        template_id="quick-war", game="war", openers=catalogue_pb2.TEMPLATE_OPENERS_STAFF, **why()
    )
    await floor.staff(office_stub.ProposeTemplate, proposal, "alice")
    decision = pb.DecideTemplateRequest(template_id="quick-war", version=1, approve=True, **why())
    await floor.staff(office_stub.DecideTemplate, decision, "bert")
    await floor.staff(office_stub.RetireTemplate, pb.RetireTemplateRequest(template_id="quick-war", **why()), "alice")
    recorded = Counter(one.kind for one in await office.events(floor) if one.kind not in AT_THE_START)
    assert len(recorded) == 7
    now = counted()
    assert {kind: now[kind] - before[kind] for kind in recorded} == recorded


AT_THE_START = {"rules", "settings"}
"""Kinds that a process records when it starts."""


def why() -> dict[str, Any]:
    """Return the fields of a command of staff: an id of its own, and a reason."""
    return {"request_id": request_id(), "reason": "a test"}


def counted() -> Counter[str]:
    """Return how many significant events this process has counted so far, by kind."""
    [family] = metrics.SIGNIFICANT.collect()
    return Counter({one.labels["kind"]: int(one.value) for one in family.samples if one.name.endswith("_total")})
