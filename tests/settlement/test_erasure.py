"""Erasures by two people, requested by one and decided by another: their effects, and races with play."""

import asyncio
from typing import Any

import msgspec
import psycopg
import pytest
from pitboss.v1 import privacy_pb2 as pb
from pitboss.v1 import settlement_pb2

from services.database import retry
from services.ledger import accounts, books
from services.registry import player_keys
from services.rules import personal
from services.runtime.identity import Role
from services.table import events
from tests.privacy import opening
from tests.settlement import office
from tests.support import log_events, served
from tests.support.served import Connection, request_id
from tests.support.settlement_floor import CURRENCY, Floor, RealSitting


async def asked(floor: Floor, player: str, by: str = "alice") -> pb.Erasure:
    """Ask for an erasure as one operator."""
    request = pb.RequestErasureRequest(request_id=request_id(), player=player, reason="asked for by the player")
    erasure: pb.Erasure = (await floor.staff(floor.settlement.privacy.RequestErasure, request, by)).erasure
    return erasure


def decision(erasure: pb.Erasure, *, approve: bool = True) -> pb.DecideErasureRequest:
    """Decide an erasure."""
    return pb.DecideErasureRequest(
        request_id=request_id(), erasure_id=erasure.erasure_id, approve=approve, reason="looked into"
    )


async def sat(floor: Floor, *, leaves: bool = True) -> tuple[str, str, Any]:
    """Seat a player at a table; return the player, its sealed name, and the table."""
    sitting = await floor.open("texas_holdem", 1, 300)
    [seat] = sitting.table.core.seats.values()
    if leaves:
        await floor.money("CashOut", sitting, seat.player)
    return seat.player, seat.name, sitting


async def test_nothing_is_erased_until_another_person_approves(floor: Floor, conn: Connection) -> None:
    """The requester cannot decide; once another person approves, the name is unreadable and the money untouched."""
    player, name, _ = await sat(floor)
    wallet = accounts.wallet(CURRENCY, player)
    held = await books.balance(conn, wallet)
    erasure = await asked(floor, player)
    assert erasure.state == pb.ERASURE_STATE_PENDING
    stub = floor.settlement.privacy
    await floor.settlement.refused(
        "SECOND_PERSON_NEEDED", stub.DecideErasure, decision(erasure), Role.OPERATOR, "ALICE"
    )
    assert await opening.shown(conn, name) == f"Player {player}"
    made = (await floor.staff(stub.DecideErasure, decision(erasure), "bert")).erasure
    assert (made.state, made.requested_by, made.decided_by) == (pb.ERASURE_STATE_APPROVED, "alice", "bert")
    assert await opening.shown(conn, name) == "erased"
    assert await books.balance(conn, wallet) == held > 0
    [stone] = (await floor.staff(stub.ListErasedKeys, pb.ListErasedKeysRequest())).keys
    assert (stone.player, stone.requested_by, stone.decided_by) == (player, "alice", "bert")
    told = [*await office.events(floor, "erasure_requested"), *await office.events(floor, "erasure_decided")]
    assert [one.actor for one in told] == ["alice", "bert"]
    assert all(player in one.subject and f"Player {player}" not in str(one) for one in told)


async def test_a_rejected_erasure_erases_nothing_and_stays_decided(floor: Floor, conn: Connection) -> None:
    """What was rejected cannot be approved later."""
    player, name, _ = await sat(floor)
    erasure, stub = await asked(floor, player), floor.settlement.privacy
    made = (await floor.staff(stub.DecideErasure, decision(erasure, approve=False), "bert")).erasure
    assert made.state == pb.ERASURE_STATE_REJECTED
    await floor.settlement.refused("ALREADY_DECIDED", stub.DecideErasure, decision(erasure), Role.OPERATOR, "carla")
    assert await opening.shown(conn, name) == f"Player {player}"


async def test_requests_are_told_from_their_repetitions(floor: Floor) -> None:
    """The same request again has the same answer and one record; with other content it is refused."""
    player, _, _ = await sat(floor)
    stub = floor.settlement.privacy
    request = pb.RequestErasureRequest(request_id=request_id(), player=player, reason="its wish")
    first, again = [await floor.staff(stub.RequestErasure, request, "alice") for _ in range(2)]
    assert first == again
    request.reason = "another"
    await floor.settlement.refused("REQUEST_CONFLICT", stub.RequestErasure, request, Role.OPERATOR, "alice")
    decide = decision(first.erasure)
    answers = await asyncio.gather(*(floor.staff(stub.DecideErasure, decide, "bert") for _ in range(20)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    assert len((await floor.staff(stub.ListErasures, pb.ListErasuresRequest())).erasures) == 1
    assert len((await floor.staff(stub.ListErasedKeys, pb.ListErasedKeysRequest())).keys) == 1


async def test_who_is_not_stored_cannot_be_erased(floor: Floor) -> None:
    """A player without any sealed text, and one that was erased, is not found; a subject that cannot be is refused."""
    stub = floor.settlement.privacy
    request = pb.RequestErasureRequest(request_id=request_id(), player="nobody", reason="its wish")
    await floor.settlement.refused("NOT_FOUND", stub.RequestErasure, request, Role.OPERATOR)
    request.player = "no body"
    await floor.settlement.refused("INVALID_ARGUMENT", stub.RequestErasure, request, Role.OPERATOR)
    request.player = "operator"
    await floor.settlement.refused("SECOND_PERSON_NEEDED", stub.RequestErasure, request, Role.OPERATOR, "Operator")


async def test_a_seated_player_is_refused_with_what_to_do_first(floor: Floor, conn: Connection) -> None:
    """Neither asked for nor approved while the player sits: the refusal names the table; after leaving it works."""
    player, name, sitting = await sat(floor, leaves=False)
    stub = floor.settlement.privacy
    request = pb.RequestErasureRequest(request_id=request_id(), player=player, reason="its wish")
    words = await floor.settlement.refused("PLAYER_SEATED", stub.RequestErasure, request, Role.OPERATOR, "alice")
    assert sitting.table_id in words
    assert "must leave" in words
    await floor.money("CashOut", sitting, player)
    erasure = (await floor.staff(stub.RequestErasure, request, "alice")).erasure
    await floor.money("BuyIn", sitting, player, amount=300)
    await floor.settlement.refused("PLAYER_SEATED", stub.DecideErasure, decision(erasure), Role.OPERATOR, "bert")
    assert await opening.shown(conn, name) == f"Player {player}"
    await floor.money("CashOut", sitting, player)
    await floor.staff(stub.DecideErasure, decision(erasure), "bert")
    assert await opening.shown(conn, name) == "erased"


async def test_an_erased_player_may_come_back_under_a_new_key(floor: Floor, conn: Connection) -> None:
    """Its money is there; what it writes from now on is readable, what it wrote before stays erased."""
    player, name, sitting = await sat(floor)
    await floor.staff(floor.settlement.privacy.DecideErasure, decision(await asked(floor, player)), "bert")
    await floor.money("BuyIn", sitting, player, amount=300)
    [seat] = sitting.table.core.seats.values()
    assert seat.name != name
    assert await opening.shown(conn, [name, seat.name]) == ["erased", f"Player {player}"]
    assert sitting.again().differences == []


async def test_a_seat_that_is_being_taken_is_seen_by_the_erasure(floor: Floor, conn: Connection) -> None:
    """While a seat is being taken (held by hand) an approval waits; once it is taken the erasure is refused."""
    player, _, sitting = await sat(floor)
    erasure = await asked(floor, player)
    holder = await served.connect(conn.info.dsn + f" password={conn.info.password}")
    async with holder, holder.transaction():
        # The row that every buy-in of this player writes first.
        await holder.execute("SELECT take_turn(%s)", (player,))
        approval = asyncio.create_task(
            floor.settlement.refused(
                "PLAYER_SEATED", floor.settlement.privacy.DecideErasure, decision(erasure), Role.OPERATOR, "bert"
            )
        )
        await log_events.wait_for_waiting(conn)
        await holder.execute(
            "UPDATE streams SET summary = jsonb_set(summary, '{seated}', %s::jsonb) WHERE stream_id = %s::uuid",
            (f'[{{"player": "{player}", "seat": 0}}]', sitting.table_id),
        )
        await holder.execute("SELECT keep_terms(stream_id, summary) FROM streams")
    assert sitting.table_id in await approval


async def test_a_seat_taken_after_the_erasure_began_is_sealed_under_a_new_key(floor: Floor, conn: Connection) -> None:
    """While a key is being destroyed (held by hand) a buy-in waits; then its name is sealed under a key of its own."""
    player, name, sitting = await sat(floor)
    held = await player_keys.of_player(conn, player)
    assert held is not None
    holder = await served.connect(conn.info.dsn + f" password={conn.info.password}")
    async with holder, holder.transaction():
        await holder.execute("SELECT take_turn(%s)", (player,))
        await holder.execute("DELETE FROM player_keys WHERE player = %s", (player,))
        buying = asyncio.create_task(floor.money("BuyIn", sitting, player, amount=300))
        await log_events.wait_for_waiting(conn)
        assert not buying.done()
    await buying
    [seat] = sitting.table.core.seats.values()
    assert held.key_id not in seat.name
    assert await opening.shown(conn, [name, seat.name]) == ["erased", f"Player {player}"]


class OwnTable(RealSitting):
    """A table that a player opened."""

    def _opening(self, first_button: int | None, most: int) -> events.Opening:
        return msgspec.structs.replace(super()._opening(first_button, most), opened_by="owner")


@pytest.mark.parametrize("role", ["player", "operator"])
async def test_a_reason_for_closing_goes_with_its_player(floor: Floor, conn: Connection, role: str) -> None:
    """A player's words for closing its table are sealed in event, ledger and record; an operator's are not."""
    sitting, words = OwnTable("texas_holdem"), "words of my own"
    await served.publish(conn, sitting)
    request = settlement_pb2.CloseOutRequest(
        request_id=request_id(),
        table_id=sitting.table_id,
        reason=words,
        on_behalf=served.on_behalf("owner" if role == "player" else "boss", role),
    )
    await floor.settlement.call(floor.settlement.money.CloseOut, request)
    [closed] = await served.catch_up(conn, sitting)
    assert isinstance(closed, events.TableClosed)
    assert personal.is_sealed(closed.reason) == (role == "player")
    assert await opening.shown(conn, closed.reason) == words
    stored = await conn.execute("SELECT reason FROM significant_events WHERE kind = 'table_closed'")
    assert await stored.fetchall() == [(closed.reason,)]


async def test_keys_are_wrapped_anew_while_settlement_serves(floor: Floor, conn: Connection) -> None:
    """After a rotation every key is under the new one, by batches, without a break."""
    players = [(await sat(floor))[0] for _ in range(3)]
    turned = opening.turned()
    await turned.rewrap_all(opening.connect_of(conn))
    assert not await retry.transaction(opening.connect_of(conn), turned.rewrap)
    assert all([await turned.of_player(conn, player) for player in players])


@pytest.mark.parametrize("statement", ["DELETE FROM erasure_requests", "UPDATE player_erasures SET player = 'x'"])
async def test_the_records_of_erasures_stay(conn: Connection, statement: str) -> None:
    """What was asked, decided and destroyed cannot be changed, not even by the owner."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await conn.execute(statement.encode())
