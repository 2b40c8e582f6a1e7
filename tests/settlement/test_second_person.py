"""Staff and their own money: another person is another one however its name is written, and nobody serves itself."""

import psycopg
import pytest
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import wallet_pb2

from services.ledger import accounts, books
from services.runtime.identity import Role
from services.table import persons
from tests.settlement import office
from tests.support.served import Connection, request_id
from tests.support.settlement_floor import CURRENCY, Floor

ASKED = (
    "INSERT INTO adjustments (adjustment_id, player, currency, amount, reason, asked_by, request_key, digest)"
    " VALUES (gen_random_uuid(), %s, 'CHIPS', 1, 'x', %s, gen_random_uuid()::text, 'd')"
)
DECIDED = (
    "INSERT INTO adjustment_decisions (adjustment_id, approved, reason, decided_by, request_key, digest)"
    " VALUES (%s, false, 'x', %s, gen_random_uuid()::text, 'd')"
)


@pytest.mark.parametrize(
    ("one", "other"),
    [("alice", "ALICE"), ("alice", "ａlice"), ("straße", "STRASSE"), ("José", "Jose\u0301"), ("K", "k")],
)
def test_names_are_the_same_however_they_are_written(one: str, other: str) -> None:
    """Case, width and composed letters make no other person; another letter does."""
    assert persons.same(one, other)
    assert persons.same(other, one)
    assert not persons.same(one, f"{other}2")


@pytest.mark.parametrize("name", ["alice", "Alice", "ALICE"])
@pytest.mark.parametrize("approve", [True, False])
async def test_who_asked_decides_under_no_spelling_of_its_name(
    floor: Floor, conn: Connection, name: str, *, approve: bool
) -> None:
    """Neither the service nor the database takes the decision, and nothing has moved."""
    player = await floor.player(100)
    wanted = await office.asked(floor, player, 40)
    decision = office.decision(wanted, approve=approve)
    stub = floor.settlement.office
    await floor.settlement.refused("SECOND_PERSON_NEEDED", stub.DecideAdjustment, decision, Role.OPERATOR, name)
    with pytest.raises(psycopg.errors.CheckViolation, match="who cannot decide it"):
        await conn.execute(DECIDED, (wanted.adjustment_id, name))
    assert await books.balance(conn, accounts.wallet(CURRENCY, player)) == 100


@pytest.mark.parametrize("upper", [False, True])
async def test_who_gains_neither_asks_nor_decides(floor: Floor, conn: Connection, *, upper: bool) -> None:
    """Whose wallet it is has no part in its adjustment, whatever the amount; others do it without it."""
    player = await floor.player(100)
    self = player.upper() if upper else player
    stub = floor.settlement.office
    for amount in (40, -40):
        request = pb.RequestAdjustmentRequest(
            request_id=request_id(), player=player, currency=CURRENCY, amount=amount, reason="a lost dispute"
        )
        await floor.settlement.refused("SECOND_PERSON_NEEDED", stub.RequestAdjustment, request, Role.OPERATOR, self)
    with pytest.raises(psycopg.errors.CheckViolation, match="another_person_must_ask"):
        await conn.execute(ASKED, (player, self))
    wanted = await office.asked(floor, player, 40)
    for approve in (True, False):
        decision = office.decision(wanted, approve=approve)
        await floor.settlement.refused("SECOND_PERSON_NEEDED", stub.DecideAdjustment, decision, Role.OPERATOR, self)
    with pytest.raises(psycopg.errors.CheckViolation, match="who cannot decide it"):
        await conn.execute(DECIDED, (wanted.adjustment_id, self))
    assert await books.balance(conn, accounts.wallet(CURRENCY, player)) == 100
    await floor.staff(stub.DecideAdjustment, office.decision(wanted), "bert")
    assert await books.balance(conn, accounts.wallet(CURRENCY, player)) == 140


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("role", [Role.OPERATOR, Role.SERVICE])
async def test_nobody_at_the_cashier_serves_itself(floor: Floor, conn: Connection, role: Role, *, upper: bool) -> None:
    """No deposit to and no withdrawal from the wallet of one's own name; for somebody else both go through."""
    player = await floor.player(100)
    self = player.upper() if upper else player
    wallets = floor.settlement.wallets
    for method, kind in ((wallets.Deposit, wallet_pb2.DepositRequest), (wallets.Withdraw, wallet_pb2.WithdrawRequest)):
        request = kind(request_id=request_id(), player=player, amount=10, currency=CURRENCY)
        await floor.settlement.refused("SECOND_PERSON_NEEDED", method, request, role, self)
        assert await books.balance(conn, accounts.wallet(CURRENCY, player)) == 100
    await floor.deposit(player, 10)
    await floor.withdraw(player, 110)
    assert await books.balance(conn, accounts.wallet(CURRENCY, player)) == 0


async def test_the_database_lets_nobody_decide_its_own_void(conn: Connection) -> None:
    """Whatever the code above it does: who asked is refused under any case of its name, another one is not."""
    asked = (
        "INSERT INTO void_requests (void_id, table_id, round, version, currency, at_risk, reason, asked_by,"
        " request_key, digest) VALUES (gen_random_uuid(), gen_random_uuid(), 1, 1, 'CHIPS', 1, 'x', 'Alice', 'k', 'd')"
        " RETURNING void_id"
    )
    row = await (await conn.execute(asked)).fetchone()
    assert row is not None
    decided = (
        "INSERT INTO void_decisions (void_id, approved, reason, decided_by, request_key, digest)"
        " VALUES (%s, true, 'x', %s, gen_random_uuid()::text, 'd')"
    )
    for name in ("Alice", "alice", "ALICE"):
        with pytest.raises(psycopg.errors.CheckViolation, match="who cannot decide it"):
            await conn.execute(decided, (row[0], name))
    await conn.execute(decided, (row[0], "bert"))
    for change in ("UPDATE void_decisions SET approved = false", "DELETE FROM void_requests"):
        with pytest.raises(psycopg.Error, match="append"):
            await conn.execute(change.encode())
