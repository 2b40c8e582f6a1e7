"""The caller's wallet."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pitboss import calls
from pitboss.stubs import Stubs, request_id
from pitboss.v1 import wallet_pb2


class Purse(Stubs):
    """Wallets, as one caller may use them."""

    async def balance(self, currency: str = "") -> int:
        """Return the balance of the caller's wallet, in chips."""
        request = wallet_pb2.GetBalanceRequest(currency=currency)
        return int((await self.call(self.wallets.GetBalance, request)).balance)

    async def watch_wallet(
        self,
        currency: str = "",
        after_sequence: int | None = None,
        player: str = "",
        patience: float | None = calls.PATIENCE_SECONDS,
    ) -> AsyncGenerator[wallet_pb2.WatchWalletResponse, None]:
        """Watch a wallet: its balance, the chips at tables, and the lines that changed it.

        Lines begin after ``after_sequence`` (None: from now on, 0: all). A broken stream is resumed from the last
        sequence seen, so that every line comes once; see ``watch`` for ``patience``.
        """
        seen = after_sequence

        def request() -> wallet_pb2.WatchWalletRequest:
            return wallet_pb2.WatchWalletRequest(player=player, currency=currency, after_sequence=seen)

        async with aclosing(self.stream(self.wallets.WatchWallet, request, patience)) as messages:
            async for message in messages:
                seen = message.sequence
                yield message

    async def deposit(self, player: str, amount: int, currency: str = "", reason: str = "", command: str = "") -> int:
        """Put money into a wallet (staff only). Returns the new balance, in chips."""
        request = wallet_pb2.DepositRequest(
            request_id=command or request_id(), player=player, amount=amount, currency=currency, reason=reason
        )
        return int((await self.call(self.wallets.Deposit, request)).balance)
