"""Wallets: deposits and withdrawals by staff, balances and statements for their owners."""

import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, Final

from pitboss.v1 import wallet_pb2 as pb
from pitboss.v1 import wallet_pb2_grpc

from services.contract import pages, requests
from services.database import retry
from services.ledger import accounts, books
from services.ledger import records as ledger
from services.ledger.signatures import EntryKey
from services.rules import refusals
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, identity, metrics
from services.runtime.identity import Caller, Role
from services.runtime.pools import Connection, Pool
from services.runtime.settings import TEST_CURRENCY, Settings
from services.settlement import seats, second_person, wallet_bounds
from services.settlement.backoffice import request_fields
from services.settlement.limits.admission import Admission
from services.settlement.wallet_feeds import WalletFeeds, shown_line
from services.table.commands import LONGEST_REASON

LONGEST_KIND: Final = 32
_SPACE: Final = uuid.UUID("1f0b4bd5-3f51-5d0a-9a53-27a9b9a6e7c4")


class WalletService(wallet_pb2_grpc.WalletServiceServicer):
    """See ``protos/pitboss/v1/wallet.proto``."""

    def __init__(self, pool: Pool, settings: Settings, admission: Admission, key: EntryKey) -> None:
        self._pool = pool
        self._settings = settings
        self._admission = admission
        self._key = key
        self.feeds = WalletFeeds(pool)

    async def Deposit(self, request: pb.DepositRequest, _: Any) -> pb.DepositResponse:
        """Put money into a wallet."""
        currency = requests.currency(
            request.currency or self._settings.default_currency, self._settings.all_currencies()
        )
        _require_own_test_wallet(request.player, currency)
        amount = requests.amount(request.amount, "amount")
        if currency == TEST_CURRENCY and amount > wallet_bounds.MOST_TEST_CHIPS:
            most = wallet_bounds.MOST_TEST_CHIPS
            raise invalid("amount", f"test wallets can be funded with at most {most}", greatest=most)
        entry_id, balance = await self._move("deposit", request, currency, amount)
        return pb.DepositResponse(entry_id=entry_id, balance=balance)

    async def Withdraw(self, request: pb.WithdrawRequest, _: Any) -> pb.WithdrawResponse:
        """Take money out of a wallet."""
        currency, amount = self._currency(request), requests.amount(request.amount, "amount")
        entry_id, balance = await self._move("withdrawal", request, currency, -amount)
        return pb.WithdrawResponse(entry_id=entry_id, balance=balance)

    async def GetBalance(self, request: pb.GetBalanceRequest, _: Any) -> pb.GetBalanceResponse:
        """Return what a wallet holds, and the chips at each table."""
        player = _whose(request.player)
        async with self._pool.connection() as conn:
            balance = await books.balance(conn, accounts.wallet(self._currency(request), player))
            held = await seats.of_player(conn, player, self._currency(request))
        at_tables = [pb.ChipsAtTable(table_id=table, seat=seat, chips=chips) for table, seat, chips in held]
        return pb.GetBalanceResponse(balance=balance, at_tables=at_tables)

    async def WatchWallet(self, request: pb.WatchWalletRequest, _: Any) -> AsyncIterator[pb.WatchWalletResponse]:
        """Stream a wallet."""
        player, currency = _whose(request.player), self._currency(request)
        after = request.after_sequence if request.HasField("after_sequence") else None
        async with aclosing(self.feeds.watch(context.caller(), player, currency, after)) as messages:
            async for message in messages:
                yield message

    async def ListStatementLines(self, request: pb.ListStatementLinesRequest, _: Any) -> pb.ListStatementLinesResponse:
        """List the entries of a wallet, newest first."""
        player = _whose(request.player)
        size = request_fields.page_size(request)
        before = pages.after(request, pages.Number, ledger.LINES_END)
        kind, wallet = (
            requests.text(request.kind, "kind", LONGEST_KIND),
            accounts.wallet(self._currency(request), player),
        )
        table = requests.table_id(request) if request.table_id else ""
        async with self._pool.connection() as conn:
            page = await books.newest(conn, wallet, before, size + 1, kind=kind, table=table)
        shown, token = request_fields.numbered(request, page, size)
        lines = [shown_line(line) for line in shown]
        return pb.ListStatementLinesResponse(lines=lines, next_page_token=token)

    async def _move(self, kind: str, request: Any, currency: str, amount: int) -> tuple[str, int]:
        caller = context.caller()
        if caller.role is not Role.PLAYER:
            second_person.refuse_own(_subject(request.player))
        requests.text(request.reason, "reason", LONGEST_REASON)
        command = requests.command(caller.subject, request)
        wallet = accounts.wallet(currency, request.player)
        entry = ledger.Entry(
            entry_id=str(uuid.uuid5(_SPACE, command.key)),
            kind=kind,
            currency=currency,
            legs=accounts.legs({wallet: amount, accounts.cashier(currency, request.player): -amount}),
            reason=request.reason or kind,
            actor=caller.subject,
            request_key=command.key,
            request_digest=command.digest,
        )

        async def post(conn: Connection) -> ledger.Posted:
            if amount > 0 and not await books.known_request(conn, command.key):
                await wallet_bounds.keep_apart(conn, currency, request.player)
                await self._admission.deposit(conn, request.player, currency, amount)
            posted = await books.post(conn, entry, self._key)
            if amount > 0 and posted.outcome == ledger.POSTED:
                await wallet_bounds.see_room(conn, currency, request.player, posted.balances[wallet])
            return posted

        posted = await retry.transaction(self._pool.connection, post)
        metrics.POSTINGS.labels(kind, posted.outcome).inc()
        if posted.outcome == ledger.REQUEST_CONFLICT:
            raise refusals.conflict()
        if posted.outcome == ledger.INSUFFICIENT_FUNDS:
            held = posted.balances.get(wallet, 0)
            message = f"the wallet holds {held} {currency}, less than {-amount}"
            lack = wallet_bounds.lack(held, -amount, currency)
            raise Refused(Reason.INSUFFICIENT_FUNDS, message, metadata=lack)
        return entry.entry_id, posted.balances[wallet]

    def _currency(self, request: Any) -> str:
        return requests.currency(request.currency or self._settings.default_currency)


def _whose(player: str) -> str:
    """Return the wallet's owner: the calling player, or for staff any player. Raises Refused."""
    caller: Caller = context.caller()
    if caller.role is Role.PLAYER and player not in ("", caller.subject):
        raise Refused(Reason.PERMISSION_DENIED, "players may see only their own wallet")
    return _subject(player or caller.subject)


def _require_own_test_wallet(player: str, currency: str) -> None:
    """Raise Refused (``TEST_ONLY``) where a player deposits, unless a house player fills its own test wallet."""
    caller: Caller = context.caller()
    if caller.role is not Role.PLAYER:
        return
    if not caller.house_player or player != caller.subject or currency != TEST_CURRENCY:
        message = f"of players, only house players deposit: {TEST_CURRENCY}, into their own wallet"
        raise Refused(Reason.TEST_ONLY, message)


def _subject(player: str) -> str:
    if not identity.SUBJECT.fullmatch(player):
        raise invalid("player", "1 to 64 letters, digits and . _ @ | -")
    return player


ACCESS: dict[str, tuple[Role, ...]] = {
    "Deposit": (Role.PLAYER, Role.OPERATOR, Role.SERVICE),
    "Withdraw": (Role.OPERATOR, Role.SERVICE),
    "GetBalance": tuple(Role),
    "WatchWallet": tuple(Role),
    "ListStatementLines": tuple(Role),
}
