"""Watched wallets: one look at the ledger for all of them at a time, and for each watcher the lines that it lacks."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Final

from pitboss.v1 import wallet_pb2 as pb

from services.contract import wire_tables
from services.database import retry
from services.ledger import accounts, books
from services.ledger.records import Line
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, logs, streams
from services.runtime.identity import Caller
from services.runtime.pools import Connection, Pool
from services.settlement import seats

LOOK_SECONDS: Final = 0.5
"""Interval at which the accounts of all watched wallets are read."""
AT_ONCE: Final = 1000
MOST_LINES: Final = 100
"""Lines of one message; more follow in the next."""
MOST_PER_CALLER: Final = 4
MOST_WALLETS: Final = 5000
MOST_FAILURES: Final = 3
"""Failed looks in a row before the watchers are notified."""

trace = logs.get("wallets")
_Head = tuple[int, int]
"""An account's balance and the number of its last line."""


class _Wallet:
    """A watched wallet: its account and those of the player's seats, as the last look found them."""

    def __init__(self, account: str) -> None:
        self.account = account
        self.seats: tuple[str, ...] = ()
        self.heads: dict[str, _Head] = {}
        self.failure: Refused | None = None
        self.watchers = 0
        self._changed = asyncio.Event()

    def look(self, heads: dict[str, _Head]) -> None:
        """Wake the watchers where an account is another than before."""
        now = {name: heads[name] for name in (self.account, *self.seats) if name in heads}
        if now != self.heads:
            self.heads = now
            self.wake()

    def wake(self) -> None:
        """Wake the watchers."""
        self._changed.set()
        self._changed = asyncio.Event()

    def next(self) -> asyncio.Event:
        """Return what is set at the next change; take it before the wallet is read, so that none is missed."""
        return self._changed


class WalletFeeds:
    """Serves the watchers of wallets in one process."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._wallets: dict[str, _Wallet] = {}
        self._callers = streams.PerCaller(
            MOST_PER_CALLER,
            f"you watch {MOST_PER_CALLER} wallets here, as many as one caller may; end one",
            {"most": MOST_PER_CALLER},
        )
        self._looking: asyncio.Task[None] | None = None

    async def watch(
        self, caller: Caller, player: str, currency: str, after: int | None
    ) -> AsyncGenerator[pb.WatchWalletResponse, None]:
        """Yield the wallet as it is, then after each change; lines are those after ``after``. Raises Refused."""
        if after is not None and after < 0:
            raise invalid("after_sequence", f"{after} is negative; give one that was sent, or 0 for all lines")
        with self._callers.hold(caller), self._entered(accounts.wallet(currency, player)) as wallet:
            sent, shown = after, None
            while True:
                changed = wallet.next()
                message, line = await self._message(wallet, player, currency, sent)
                sent = message.sequence
                context.current().resume = {"sequence": sent}
                now = message.balance, [(held.table_id, held.seat, held.chips) for held in message.at_tables]
                if message.lines or now != shown:
                    yield message
                shown = now
                if sent < line:
                    continue
                await changed.wait()
                if wallet.failure is not None:
                    raise Refused(wallet.failure.reason, wallet.failure.message)

    async def close(self) -> None:
        """Stop looking."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    @contextmanager
    def _entered(self, account: str) -> Iterator[_Wallet]:
        """Count a watcher of an account while it watches. Raises Refused (``TOO_MANY_REQUESTS``) beyond a bound."""
        if account not in self._wallets and len(self._wallets) >= MOST_WALLETS:
            message = f"{MOST_WALLETS} wallets are watched here, as many as may; try later"
            raise Refused(Reason.TOO_MANY_REQUESTS, message, retry_seconds=streams.RETRY_SECONDS)
        wallet = self._wallets.setdefault(account, _Wallet(account))
        wallet.watchers += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_on(), name="watched wallets")
        try:
            yield wallet
        finally:
            wallet.watchers -= 1
            if not wallet.watchers and self._wallets.get(account) is wallet:
                del self._wallets[account]

    async def _message(
        self, wallet: _Wallet, player: str, currency: str, after: int | None
    ) -> tuple[pb.WatchWalletResponse, int]:
        """Read a wallet at one moment; return the next message and the number of the wallet's last line."""

        async def read(conn: Connection) -> tuple[_Head, list[Line], list[tuple[str, int, int]]]:
            head = (await books.heads(conn, [wallet.account])).get(wallet.account, (0, 0))
            begin = head[1] if after is None else after
            lines = await books.statement(conn, wallet.account, begin, MOST_LINES) if begin < head[1] else []
            return head, lines, await seats.of_player(conn, player, currency)

        (balance, last), lines, held = await retry.at_one_moment(self._pool.connection, read)
        if after is not None and after > last:
            raise invalid("after_sequence", f"{after} is beyond the wallet's last line, {last}; give one that was sent")
        wallet.seats = tuple(accounts.seat(table, seat) for table, seat, _ in held)
        message = pb.WatchWalletResponse(
            balance=lines[-1].balance_after if lines else balance,
            at_tables=[pb.ChipsAtTable(table_id=table, seat=seat, chips=chips) for table, seat, chips in held],
            reserved=sum(chips for _, _, chips in held),
            lines=[shown_line(line) for line in lines],
            sequence=lines[-1].number if lines else last,
        )
        return message, last

    async def _look_on(self) -> None:
        """Look at all watched wallets at intervals, until none is watched or they cannot be read."""
        failures = 0
        while self._wallets:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._look()
            except Exception as error:  # any failure is reported to the watchers
                failures += 1
                trace.warning("watched wallets cannot be read", cause=type(error).__name__, failures=failures)
                if failures == MOST_FAILURES:
                    self._fail()
                    return
            else:
                failures = 0

    async def _look(self) -> None:
        left = iter(list(self._wallets.values()))
        while some := list(islice(left, AT_ONCE)):
            heads: dict[str, _Head] = {}
            names: Sequence[str] = sorted({name for one in some for name in (one.account, *one.seats)})
            for begin in range(0, len(names), AT_ONCE):
                async with self._pool.connection() as conn:
                    heads |= await books.heads(conn, names[begin : begin + AT_ONCE])
            for one in some:
                one.look(heads)

    def _fail(self) -> None:
        problem = Refused(Reason.UNAVAILABLE, "the ledger cannot be read now; watch the wallet again")
        for wallet in self._wallets.values():
            wallet.failure = problem
            wallet.wake()
        self._wallets.clear()


def shown_line(line: Line) -> pb.StatementLine:
    """Return a wallet's line as its owner sees it."""
    return pb.StatementLine(
        entry_id=line.entry_id,
        entry_time=wire_tables.timestamp(line.at_ms),
        kind=line.kind,
        reason=line.reason,
        amount=line.amount,
        balance_after=line.balance_after,
        table_id=line.table or "",
        round_number=line.round or 0,
        sequence=line.number,
    )
