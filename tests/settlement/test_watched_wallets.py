"""Watched wallets: the balance and why it changed, each line once, nothing of others."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import wallet_pb2 as pb

from services.ledger import books
from services.runtime.identity import Role
from services.settlement import wallet_feeds
from tests.settlement.test_wallets import moving
from tests.support import waits
from tests.support.served import Served
from tests.support.settlement_floor import CURRENCY, Floor

SECONDS = 20.0
Messages = AsyncGenerator[pb.WatchWalletResponse, None]


@asynccontextmanager
async def house(served: Served, who: str = "ann", role: Role = Role.PLAYER) -> AsyncIterator[client.House]:
    """Yield somebody's client of settlement."""
    async with client.connect(served.address, served.token(who, role), served.address, patience=0) as found:
        yield found


async def following(messages: Messages) -> pb.WatchWalletResponse:
    """Return the next message."""
    async with asyncio.timeout(SECONDS):
        return await anext(messages)


async def refused(messages: Messages) -> str:
    """Return the reason for which a stream is refused."""
    with pytest.raises(client.Refused) as caught:
        await following(messages)
    return caught.value.reason


async def deposit(served: Served, amount: int, player: str = "ann") -> None:
    """Put money into a wallet."""
    await served.call(served.wallets.Deposit, moving(pb.DepositRequest, amount, player), Role.OPERATOR)


async def test_a_watch_shows_the_balance_and_then_every_line(settlement: Served) -> None:
    """The first message has no line; each change comes with its line and the balance after it."""
    await deposit(settlement, 500)
    async with house(settlement) as ann, aclosing(ann.watch_wallet("TWD")) as seen:
        first = await following(seen)
        assert (first.balance, list(first.lines), first.sequence) == (500, [], 1)
        await deposit(settlement, 70)
        second = await following(seen)
        [line] = second.lines
        assert (second.balance, line.kind, line.amount, line.sequence) == (570, "deposit", 70, 2)
        await settlement.call(settlement.wallets.Withdraw, moving(pb.WithdrawRequest, 30), Role.OPERATOR)
        third = await following(seen)
        assert (third.balance, [one.kind for one in third.lines]) == (540, ["withdrawal"])


async def test_a_watch_is_resumed_without_a_gap_or_a_repetition(
    settlement: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines after any sequence come in order, however many messages they take; from 0 on it is the whole wallet."""
    monkeypatch.setattr(wallet_feeds, "MOST_LINES", 2)
    for amount in (1, 2, 3, 4, 5):
        await deposit(settlement, amount)
    async with house(settlement) as ann:
        for after in range(6):
            async with aclosing(ann.watch_wallet("TWD", after)) as seen:
                lines: list[Any] = []
                while True:
                    message = await following(seen)
                    lines += message.lines
                    assert message.balance == sum(range(message.sequence + 1))
                    if message.sequence == 5:
                        break
            assert [line.sequence for line in lines] == list(range(after + 1, 6))
        for wrong in (-1, 6, 2**62):
            assert await refused(ann.watch_wallet("TWD", wrong)) == "INVALID_ARGUMENT"


async def test_chips_at_tables_are_shown_and_change_with_rounds(floor: Floor) -> None:
    """A buy-in moves chips from the balance to the table; a settled round changes them without a line."""
    sitting = await floor.open("tongbi_san_gong", 2, 500)
    player = sitting.table.core.seats[0].player
    async with house(floor.settlement, player) as ann, aclosing(ann.watch_wallet(CURRENCY)) as seen:
        first = await following(seen)
        assert (first.balance, first.reserved) == (500, 500)
        assert [(one.table_id, one.chips) for one in first.at_tables] == [(sitting.table_id, 500)]
        await floor.round(sitting)
        changed = await following(seen)
        assert (changed.balance, list(changed.lines)) == (500, [])
        assert changed.reserved != 500
        await floor.money("CashOut", sitting, player)
        left = await following(seen)
        assert [(line.kind, line.table_id) for line in left.lines] == [("cash_out", sitting.table_id)]
        assert (left.balance, left.reserved) == (500 + changed.reserved, 0)


async def test_nothing_of_others_is_shown(settlement: Served) -> None:
    """Players watch their own wallet only, and are woken by no other; staff may watch any."""
    await deposit(settlement, 500)
    async with (
        house(settlement) as ann,
        house(settlement, "bob") as bob,
        house(settlement, "boss", Role.OPERATOR) as boss,
    ):
        assert await refused(bob.watch_wallet("TWD", player="ann")) == "PERMISSION_DENIED"
        async with (
            aclosing(ann.watch_wallet("TWD")) as anns,
            aclosing(bob.watch_wallet("TWD")) as bobs,
            aclosing(boss.watch_wallet("TWD", player="ann")) as watched,
        ):
            assert (await following(bobs)).balance == 0
            assert (await following(anns)).balance == (await following(watched)).balance == 500
            await deposit(settlement, 7)
            assert (await following(anns)).balance == (await following(watched)).balance == 507
            await deposit(settlement, 9, player="bob")
            message = await following(bobs)
            assert (message.balance, message.sequence) == (9, 1)


async def test_watches_of_one_caller_and_wallets_are_bounded(
    settlement: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One caller watches a few wallets at most, a process a bounded number; who ends one may begin another."""
    monkeypatch.setattr(wallet_feeds, "MOST_WALLETS", 1)
    async with house(settlement) as ann, house(settlement, "bob") as bob:
        for _ in range(2):
            async with AsyncExitStack() as watches:
                for _ in range(wallet_feeds.MOST_PER_CALLER):
                    seen = await watches.enter_async_context(aclosing(ann.watch_wallet("TWD", patience=0)))
                    await following(seen)
                assert await refused(ann.watch_wallet("TWD", patience=0)) == "TOO_MANY_REQUESTS"
                assert await refused(bob.watch_wallet("TWD", patience=0)) == "TOO_MANY_REQUESTS"

            async def left() -> bool:
                async with aclosing(bob.watch_wallet("TWD", patience=0)) as other:
                    try:
                        return bool(await following(other)) or True
                    except client.Refused:
                        return False

            await waits.eventually(left, "a wallet that nobody watches any more is not counted")


async def test_a_ledger_that_cannot_be_read_ends_the_watch(settlement: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some failures the watcher is refused; with the last sequence it goes on when the ledger is back."""
    await deposit(settlement, 500)
    async with house(settlement) as ann:
        async with aclosing(ann.watch_wallet("TWD", patience=0)) as seen:
            assert (await following(seen)).sequence == 1
            with monkeypatch.context() as broken:
                broken.setattr(wallet_feeds, "LOOK_SECONDS", 0.0)
                broken.setattr(books, "heads", None)
                assert await refused(seen) == "UNAVAILABLE"
        await deposit(settlement, 1)
        async with aclosing(ann.watch_wallet("TWD", 1)) as again:
            message = await following(again)
            assert (message.balance, [line.amount for line in message.lines]) == (501, [1])
