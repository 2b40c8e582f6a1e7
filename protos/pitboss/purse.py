"""The caller's wallet."""

from pitboss.stubs import Stubs, request_id
from pitboss.v1 import wallet_pb2


class Purse(Stubs):
    """Wallets, as one caller may use them."""

    async def balance(self, currency: str = "") -> int:
        """Return the balance of the caller's wallet, in chips."""
        request = wallet_pb2.GetBalanceRequest(currency=currency)
        return int((await self.call(self.wallets.GetBalance, request)).balance)

    async def deposit(self, player: str, amount: int, currency: str = "", reason: str = "", command: str = "") -> int:
        """Put money into a wallet (staff only). Returns the new balance, in chips."""
        request = wallet_pb2.DepositRequest(
            request_id=command or request_id(), player=player, amount=amount, currency=currency, reason=reason
        )
        return int((await self.call(self.wallets.Deposit, request)).balance)
