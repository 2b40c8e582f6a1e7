"""Wallets: deposits, withdrawals, balances, statements."""

import asyncio
from typing import Any

from pitboss import client
from pitboss.v1 import wallet_pb2 as pb

from services.runtime.identity import Role
from tests.support.served import Served, request_id


def moving(kind: type[Any], amount: int, player: str = "ann", **more: object) -> Any:
    """Ask for a deposit or a withdrawal."""
    return kind(**{"request_id": request_id(), "player": player, "amount": amount, "currency": "TWD", **more})


async def test_a_statement_adds_up_to_the_balance_page_by_page(settlement: Served) -> None:
    """The lines' amounts sum to each line's balance and to the wallet's; pages follow each other without a gap."""
    for amount in (500, 70, 1, 30):
        await settlement.call(settlement.wallets.Deposit, moving(pb.DepositRequest, amount), Role.OPERATOR)
    await settlement.call(settlement.wallets.Withdraw, moving(pb.WithdrawRequest, 101), Role.OPERATOR)
    lines: list[pb.StatementLine] = []
    token = ""
    while True:
        request = pb.ListStatementLinesRequest(currency="TWD", page_size=2, page_token=token)
        page = await settlement.call(settlement.wallets.ListStatementLines, request, Role.PLAYER, "ann")
        lines += page.lines
        token = page.next_page_token
        if not token:
            break
    held = 0
    for line in reversed(lines):
        held += line.amount
        assert line.balance_after == held
    assert [line.amount for line in lines] == [-101, 30, 1, 70, 500], "newest first"
    balance = await settlement.call(
        settlement.wallets.GetBalance, pb.GetBalanceRequest(currency="TWD"), Role.PLAYER, "ann"
    )
    assert balance.balance == held == 500


async def test_the_same_request_is_paid_once(settlement: Served) -> None:
    """Sent again, also at the same moment, a deposit gives the same entry; with another amount it is refused."""
    request = moving(pb.DepositRequest, 40)
    done = await asyncio.gather(
        *(settlement.call(settlement.wallets.Deposit, request, Role.OPERATOR) for _ in range(5))
    )
    assert {(one.entry_id, one.balance) for one in done} == {(done[0].entry_id, 40)}
    request.amount = 41
    await settlement.refused("REQUEST_CONFLICT", settlement.wallets.Deposit, request, Role.OPERATOR)


async def test_a_wallet_never_falls_below_zero(settlement: Served) -> None:
    """Of withdrawals at the same moment as many succeed as the wallet covers; the others get its balance."""
    await settlement.call(settlement.wallets.Deposit, moving(pb.DepositRequest, 100), Role.OPERATOR)
    asked = (
        settlement.call(settlement.wallets.Withdraw, moving(pb.WithdrawRequest, 40), Role.OPERATOR) for _ in range(5)
    )
    done = await asyncio.gather(*asked, return_exceptions=True)
    refused = [one for one in done if isinstance(one, client.Refused)]
    assert [one.reason for one in refused] == ["INSUFFICIENT_FUNDS"] * 3
    request = pb.GetBalanceRequest(player="ann", currency="TWD")
    assert (await settlement.call(settlement.wallets.GetBalance, request, Role.OPERATOR)).balance == 20


BOUNDS: list[tuple[dict[str, object], str]] = [
    ({"amount": 0}, "amount"),
    ({"amount": -5}, "amount"),
    ({"amount": 10**15 + 1}, "amount"),
    ({"player": ""}, "player"),
    ({"player": "a:b"}, "player"),
    ({"player": "x" * 65}, "player"),
    ({"currency": "twd"}, "currency"),
    ({"currency": "TW"}, "currency"),
    ({"currency": "T:D"}, "currency"),
    ({"reason": "x" * 201}, "reason"),
    ({"request_id": ""}, "request_id"),
    ({"currency": "XTS", "amount": 10**12 + 1}, "amount"),
]


async def test_what_is_out_of_bounds_is_refused_by_its_field(settlement: Served) -> None:
    """Amounts, names, currencies, reasons and ids are bounded; the refusal names the field."""
    for change, field in BOUNDS:
        request = moving(pb.DepositRequest, **{"amount": 5, **change})  # type: ignore[arg-type]  # fields by name
        said = await settlement.refused("INVALID_ARGUMENT", settlement.wallets.Deposit, request, Role.OPERATOR)
        assert said.startswith(field), f"{change}: {said}"


async def test_players_see_their_own_wallet_only_and_move_none(settlement: Served) -> None:
    """A player neither pays itself nor looks into others' wallets; staff may look."""
    deposit = moving(pb.DepositRequest, 5, "bob")
    await settlement.refused("TEST_ONLY", settlement.wallets.Deposit, deposit, Role.PLAYER, "bob")
    withdrawal = moving(pb.WithdrawRequest, 5, "bob")
    await settlement.refused("PERMISSION_DENIED", settlement.wallets.Withdraw, withdrawal, Role.PLAYER, "bob")
    for method, request in (
        (settlement.wallets.GetBalance, pb.GetBalanceRequest(player="bob", currency="TWD")),
        (settlement.wallets.ListStatementLines, pb.ListStatementLinesRequest(player="bob", currency="TWD")),
    ):
        await settlement.refused("PERMISSION_DENIED", method, request, Role.PLAYER, "ann")
        await settlement.call(method, request, Role.PLAYER, "bob")
        await settlement.call(method, request, Role.OPERATOR)


async def test_pages_are_bounded(settlement: Served) -> None:
    """A negative size, and a token that no page returned, are refused; a size above the bound is the bound."""
    longest = pb.ListStatementLinesRequest(currency="TWD", page_size=1 << 30)
    await settlement.call(settlement.wallets.ListStatementLines, longest, Role.PLAYER, "ann")
    changes: list[dict[str, Any]] = [{"page_size": -1}, {"page_token": "x"}]
    for change in changes:
        request = pb.ListStatementLinesRequest(currency="TWD", **change)
        await settlement.refused("INVALID_ARGUMENT", settlement.wallets.ListStatementLines, request, Role.PLAYER, "ann")


async def test_currencies_are_kept_apart(settlement: Served) -> None:
    """The same player's wallets of two currencies know nothing of each other."""
    await settlement.call(settlement.wallets.Deposit, moving(pb.DepositRequest, 5), Role.OPERATOR)
    request = pb.GetBalanceRequest(player="ann", currency="XTS")
    assert (await settlement.call(settlement.wallets.GetBalance, request, Role.OPERATOR)).balance == 0
    await settlement.refused(
        "INSUFFICIENT_FUNDS", settlement.wallets.Withdraw, moving(pb.WithdrawRequest, 5, currency="XTS"), Role.OPERATOR
    )
