"""Versions of a game's rules in a running house: tables of both beside each other, and one that is moved."""

from collections.abc import AsyncIterator
from random import Random

import msgspec
import pytest
from pitboss.v1 import audit_pb2, back_office_pb2, catalogue_pb2, settlement_pb2, table_pb2
from pitboss.v1 import dealer_pb2 as pb

from services.audit import table_ledger
from services.eventlog import log
from services.journal import log_rows
from services.runtime import pools
from services.runtime.identity import Role
from services.table import codec, events
from tests.settlement.test_money import seated
from tests.support import aged, served
from tests.support.served import Connection, Served, request_id
from tests.support.sittings import Sitting

OPENERS = catalogue_pb2.TEMPLATE_OPENERS_PLAYERS


@pytest.fixture(autouse=True)
def _catalogue(aged_house: aged.House) -> None:
    """Begin in a house that keeps both versions."""
    aged_house(aged.TODAY)


@pytest.fixture
async def dealer(settlement: Served, postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve a dealer of all families."""
    given = served.given(postgres_url, redis_url, settlement_address=settlement.address)
    async with served.serve("dealer", given) as process:
        yield process


async def opened(settlement: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch) -> Sitting:
    """Return a table that was opened yesterday, with two seats, in the log and the ledger."""
    aged.house(monkeypatch, aged.YESTERDAY)
    sitting = await seated(settlement, conn, aged.SHOWDOWN)
    aged.house(monkeypatch, aged.TODAY)
    return sitting


def moving(sitting: Sitting, version: int = 2, **more: object) -> pb.MoveRulesRequest:
    """Return an operator's request."""
    wanted = {"request_id": request_id(), "table_id": sitting.table_id, "reason": "as announced", **more}
    return pb.MoveRulesRequest(rules_version=version, **wanted)  # type: ignore[arg-type]  # by the contract's names


async def view(dealer: Served, table_id: str) -> table_pb2.TableView:
    """Return a table as staff sees it."""
    request = pb.GetTableRequest(table_id=table_id)
    seen: table_pb2.TableView = (await dealer.call(dealer.dealer.GetTable, request, Role.OPERATOR)).view
    return seen


async def test_tables_of_two_versions_are_played_beside_each_other(
    dealer: Served, settlement: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yesterday's table goes on under the first version, a new one has the second, and each says which."""
    sitting = await opened(settlement, conn, monkeypatch)
    created = pb.CreateTableRequest(request_id=request_id(), game=aged.SHOWDOWN, test=True)
    new = await dealer.call(dealer.dealer.CreateTable, created, Role.OPERATOR)
    versions = [(await view(dealer, one)).table.rules_version for one in (sitting.table_id, new.table_id)]
    assert versions == [1, 2]
    sitting.start()
    await served.publish(conn, sitting)
    sitting.finish(Random(3))
    await served.publish(conn, sitting)
    assert sitting.table.game.version == 1
    expected = sitting.settle()[0]
    seen = await view(dealer, sitting.table_id)
    assert seen.version == len(sitting.log) - 1
    sitting.log.pop()
    settled = await settlement.call(settlement.money.SettleRound, _settle(sitting))
    assert settled.version > seen.version
    recorded = await log.read(conn, sitting.table_id, seen.version, 1)
    assert isinstance(expected, events.RoundSettled)
    found = log_rows.from_stored(recorded[0])
    assert isinstance(found, events.RoundSettled)
    assert codec.encode(msgspec.structs.replace(found, at_ms=expected.at_ms)) == codec.encode(expected)


async def test_an_operator_moves_a_table_between_rounds(
    dealer: Served, settlement: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event, the significant event and the view name the versions; a repeated request is answered as before."""
    sitting = await opened(settlement, conn, monkeypatch)
    request = moving(sitting)
    done = await dealer.call(dealer.dealer.MoveRules, request, Role.OPERATOR)
    assert done.rules_version_before == 1
    assert await dealer.call(dealer.dealer.MoveRules, request, Role.OPERATOR) == done
    [moved] = await served.catch_up(conn, sitting)
    assert isinstance(moved, events.RulesMoved)
    assert (moved.was, moved.rules_version, moved.moved_by) == (1, 2, "operator")
    assert (await view(dealer, sitting.table_id)).table.rules_version == 2
    asked = back_office_pb2.ListSignificantEventsRequest(kind="rules_moved", page_size=10)
    told = await settlement.call(settlement.office.ListSignificantEvents, asked, Role.OPERATOR)
    assert [(one.actor, one.reason, one.before, one.after) for one in told.significant_events] == [
        ("operator", "as announced", f"version 1 of {aged.SHOWDOWN}", f"version 2 of {aged.SHOWDOWN}")
    ]
    again = await dealer.call(dealer.dealer.MoveRules, moving(sitting), Role.OPERATOR)
    assert (again.version, again.rules_version_before) == (done.version, 2)
    assert sitting.again().differences == []


async def test_a_move_is_refused_with_its_reason(
    dealer: Served, settlement: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players, seated staff, an unknown version, a running round, a stale version and a closed table."""
    sitting = await opened(settlement, conn, monkeypatch)
    method = dealer.dealer.MoveRules
    await dealer.refused("PERMISSION_DENIED", method, moving(sitting), Role.PLAYER, "p0")
    await dealer.refused("PERMISSION_DENIED", method, moving(sitting), Role.SERVICE)
    await dealer.refused("SECOND_PERSON_NEEDED", method, moving(sitting), Role.OPERATOR, "p0")
    assert "it knows 1, 2" in await dealer.refused("UNKNOWN_RULES", method, moving(sitting, 3), Role.OPERATOR)
    for version in (0, -1):
        await dealer.refused("UNKNOWN_RULES", method, moving(sitting, version), Role.OPERATOR)
    await dealer.refused("INVALID_ARGUMENT", method, moving(sitting, reason=""), Role.OPERATOR)
    await dealer.refused("STALE_VERSION", method, moving(sitting, expected_version=1), Role.OPERATOR)
    await dealer.refused("TABLE_NOT_FOUND", method, moving(sitting, table_id=served.table_id()), Role.OPERATOR)
    sitting.start()
    await served.publish(conn, sitting)
    await dealer.refused("ROUND_IN_PROGRESS", method, moving(sitting), Role.OPERATOR)
    sitting.void()
    await served.publish(conn, sitting)
    close = pb.CloseTableRequest(request_id=request_id(), table_id=sitting.table_id, reason="the night is over")
    await dealer.call(dealer.dealer.CloseTable, close, Role.OPERATOR)
    await dealer.refused("TABLE_CLOSED", method, moving(sitting), Role.OPERATOR)


async def test_a_template_opens_tables_of_the_version_that_it_was_approved_for(
    dealer: Served, settlement: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terms that two persons approved keep their rules when the game changes; a later proposal has the newest."""
    aged.house(monkeypatch, aged.YESTERDAY)
    names = ("aged_first", "aged_second")
    opened_as = []
    for name in names:
        proposal = back_office_pb2.ProposeTemplateRequest(
            request_id=request_id(), template_id=name, game=aged.POKER, openers=OPENERS, reason="for the house"
        )
        await settlement.call(settlement.office.ProposeTemplate, proposal, Role.OPERATOR, "olga")
        decision = back_office_pb2.DecideTemplateRequest(
            request_id=request_id(), template_id=name, version=1, approve=True, reason="as agreed"
        )
        await settlement.call(settlement.office.DecideTemplate, decision, Role.OPERATOR, "otto")
        aged.house(monkeypatch, aged.TODAY)
    for name in names:
        created = pb.CreateTableRequest(request_id=request_id(), template_id=name)
        table = await dealer.call(dealer.dealer.CreateTable, created, Role.OPERATOR)
        opened_as.append((await view(dealer, table.table_id)).table.rules_version)
    assert opened_as == [1, 2]
    aged.house(monkeypatch, aged.FORGETFUL)
    created = pb.CreateTableRequest(request_id=request_id(), template_id=names[0])
    refusal = await dealer.refused("TEMPLATE_CLOSED", dealer.dealer.CreateTable, created, Role.OPERATOR)
    assert "propose it anew" in refusal
    listing = catalogue_pb2.ListTemplatesRequest(game=aged.POKER, page_size=10)
    shown = await dealer.call(dealer.catalogue.ListTemplates, listing, Role.OPERATOR)
    assert set(names) <= {one.template_id for one in shown.templates}


async def test_each_version_of_a_game_is_described(dealer: Served) -> None:
    """Rules, words and house rules are shown by version; without one it is the newest."""
    found = []
    for version in (0, 1, 2):
        request = catalogue_pb2.GetGameRequest(game=aged.SHOWDOWN, rules_version=version)
        found.append(await dealer.call(dealer.catalogue.GetGame, request, Role.PLAYER))
    assert [one.game.rules_version for one in found] == [2, 1, 2]
    assert [list(one.rules_versions) for one in found] == [[1, 2]] * 3
    assert found[0] == found[2]
    assert found[1].game.name.en == "San gong, winner takes from all"
    assert found[2].game.name.en == "Low san gong"
    for version in (3, -1):
        request = catalogue_pb2.GetGameRequest(game=aged.SHOWDOWN, rules_version=version)
        await dealer.refused("UNKNOWN_RULES", dealer.catalogue.GetGame, request, Role.PLAYER)


async def test_a_house_that_does_not_keep_a_version_leaves_its_tables_alone(
    dealer: Served, settlement: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command there is refused with the version; nothing is appended, and other tables are served."""
    sitting = await opened(settlement, conn, monkeypatch)
    aged.house(monkeypatch, aged.FORGETFUL)
    table = sitting.table_id
    for method, request, role in (
        (dealer.dealer.GetTable, pb.GetTableRequest(table_id=table), Role.OPERATOR),
        (dealer.dealer.MoveRules, moving(sitting), Role.OPERATOR),
        (dealer.dealer.StartRound, pb.StartRoundRequest(request_id=request_id(), table_id=table), Role.OPERATOR),
        (dealer.dealer.WatchTable, pb.WatchTableRequest(table_id=table), Role.OPERATOR),
    ):
        message = await dealer.refused("UNKNOWN_RULES", method, request, role)
        assert f"version 1 of '{aged.SHOWDOWN}' is not in this house; it knows 2" in message
    created = pb.CreateTableRequest(request_id=request_id(), game=aged.SHOWDOWN, test=True)
    new = await dealer.call(dealer.dealer.CreateTable, created, Role.OPERATOR)
    assert (await view(dealer, new.table_id)).table.rules_version == 2
    async with pools.opened(dealer.settings, "pitboss_audit", "test") as pool:
        assert await table_ledger.compare(pool, table) == [], "whose chips are where needs no rules"
    aged.house(monkeypatch, aged.TODAY)
    assert await served.catch_up(conn, sitting) == []
    assert (await view(dealer, table)).table.rules_version == 1


async def test_auditors_are_told_of_rules_that_they_do_not_keep(
    settlement: Served, conn: Connection, postgres_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An audit service of another release answers a replay with mismatches that say so, and a reading with words."""
    sitting = await opened(settlement, conn, monkeypatch)
    sitting.start()
    sitting.finish(Random(3))
    await served.publish(conn, sitting)
    await settlement.call(settlement.money.SettleRound, _settle(sitting))
    await served.catch_up(conn, sitting)
    async with served.serve("audit", served.given(postgres_url, redis_url)) as audit:  # its workers lack these games
        request = audit_pb2.ReplayTableRequest(table_id=sitting.table_id)
        whole = await audit.call(audit.audit.ReplayTable, request, Role.AUDITOR)
        assert {one.field for one in whole.mismatches if one.kind == "decision"} == {"rules_version"}
        said = f"version 1 of '{aged.SHOWDOWN}' is not in this house; it knows no version"
        assert [one.found for one in whole.mismatches if one.field == "rules_version"] == [said, said]
        reading = audit_pb2.ReadRoundRequest(table_id=sitting.table_id, round_number=1)
        assert said in (await audit.call(audit.audit.ReadRound, reading, Role.AUDITOR)).document
        recalled = audit_pb2.RecallRoundsRequest(table_id=sitting.table_id)
        [told] = (await audit.call(audit.audit.RecallRounds, recalled, Role.PLAYER, "p0")).rounds
        assert told.hidden
        assert aged.SHOWDOWN in told.steps[0].words


def _settle(sitting: Sitting) -> settlement_pb2.SettleRoundRequest:
    return settlement_pb2.SettleRoundRequest(table_id=sitting.table_id)
