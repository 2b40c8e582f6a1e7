"""A night at a settlement process: random tables, players, rounds, voids, cash and adjustments, all posted for real."""

from random import Random
from typing import Any

import msgspec
from pitboss.v1 import back_office_pb2, wallet_pb2
from pitboss.v1 import settlement_pb2 as pb

from services.rules import catalogue
from services.runtime.identity import Role
from services.runtime.settings import TEST_CURRENCY
from services.table import events, public_table
from tests.support import served, worlds
from tests.support.served import Connection, Served, request_id
from tests.support.sittings import Sitting

CURRENCY = "CHIPS"
GAMES = (
    "texas_holdem",
    "royal_holdem",
    "zha_jin_hua",
    "tongbi_san_gong",
    "blackjack",
    "baccarat",
    "bank",
    "shoot_dragon_gate",
    "spoil_five",
    "loo",
    "dou_dizhu",
    "war",
)
"""Pots with and without rake, the house as banker, fees, carried pools, and players against each other."""


def voiding(sitting: Sitting) -> dict[str, Any]:
    """Return a dealer's answer about the seed of the open round."""
    number = sitting.table.core.round_number
    return {"round_number": number, "reveal": sitting.reveal(number)}


class RealSitting(Sitting):
    """The opening of a table, by default of a real one."""

    def __init__(self, game: str, *, test: bool = False, **more: Any) -> None:
        self._is_test = test
        super().__init__(game, table_id=served.table_id(), **more)

    def _opening(self, first_button: int | None, most: int) -> events.Opening:
        made = super()._opening(first_button, most)
        if self._is_test:
            return made
        return msgspec.structs.replace(made, test=False, scripted=False, currency=CURRENCY)


class Floor:
    """One night; ``players`` had money in their wallets, ``testers`` test money; ``tables`` are those opened."""

    def __init__(self, settlement: Served, conn: Connection, rng: Random) -> None:
        self.settlement, self.conn, self.rng = settlement, conn, rng
        self.night = f"{rng.getrandbits(48):x}"
        self.players: list[str] = []
        self.testers: set[str] = set()
        self.tables: list[RealSitting] = []

    async def staff(self, method: Any, request: Any, subject: str = "operator") -> Any:
        """Call a method as an operator."""
        return await self.settlement.call(method, request, Role.OPERATOR, subject)

    async def player(self, chips: int, currency: str = CURRENCY) -> str:
        """Make a player with money in its wallet."""
        name = f"n{self.night}-{len(self.players)}"
        self.players.append(name)
        if currency == TEST_CURRENCY:
            self.testers.add(name)
        await self.deposit(name, chips, currency)
        return name

    async def deposit(self, player: str, chips: int, currency: str = CURRENCY) -> None:
        """Put money into a wallet."""
        request = wallet_pb2.DepositRequest(request_id=request_id(), player=player, amount=chips, currency=currency)
        await self.staff(self.settlement.wallets.Deposit, request)

    async def withdraw(self, player: str, chips: int) -> None:
        """Take money out of a wallet."""
        request = wallet_pb2.WithdrawRequest(request_id=request_id(), player=player, amount=chips, currency=CURRENCY)
        await self.staff(self.settlement.wallets.Withdraw, request)

    async def adjust(self, player: str, chips: int) -> None:
        """Adjust a wallet: one asks, another approves."""
        office = self.settlement.office
        wanted = back_office_pb2.RequestAdjustmentRequest(
            request_id=request_id(), player=player, currency=CURRENCY, amount=chips, reason="goodwill"
        )
        made = (await self.staff(office.RequestAdjustment, wanted, "asker")).adjustment
        decision = back_office_pb2.DecideAdjustmentRequest(
            request_id=request_id(), adjustment_id=made.adjustment_id, approve=True, reason="agreed"
        )
        await self.staff(office.DecideAdjustment, decision, "approver")

    async def open(self, game: str, seats: int, chips: int, *, test: bool = False) -> RealSitting:
        """Open a table and seat players with chips."""
        sitting = RealSitting(game, test=test)
        self.tables.append(sitting)
        await served.publish(self.conn, sitting)
        for _ in range(seats):
            name = await self.player(2 * chips, "XTS" if test else CURRENCY)
            await self.money("BuyIn", sitting, name, amount=chips, test=test)
        return sitting

    async def money(self, method: str, sitting: RealSitting, player: str, *, test: bool = False, **more: Any) -> Any:
        """Send a money command of a player, and apply the events that it appended."""
        kind = {
            "BuyIn": pb.BuyInRequest,
            "TopUp": pb.TopUpRequest,
            "CashOut": pb.CashOutRequest,
            "CloseOut": pb.CloseOutRequest,
            "VoidOut": pb.VoidOutRequest,
        }[method]
        staff = method in ("CloseOut", "VoidOut")
        behalf = served.on_behalf(player, "operator" if staff else "player", test=test)
        request = kind(request_id=request_id(), table_id=sitting.table_id, on_behalf=behalf, **more)
        answer = await self.settlement.call(getattr(self.settlement.money, method), request)
        await served.catch_up(self.conn, sitting)
        return answer

    async def round(self, sitting: RealSitting, *, void: bool = False) -> bool:
        """Play a round to its settlement, or void it on the way; False where none can start."""
        if not worlds.can_start(sitting.game, sitting.rules, sitting.table.core.for_rules()):
            return False
        sitting.start()
        for _ in range(self.rng.randrange(3) if void else 0):
            if sitting.table.core.phase == public_table.IN_ROUND:
                sitting.step(self.rng)
        if not void:
            sitting.finish(self.rng)
        await served.publish(self.conn, sitting, together=True)
        if void:
            await self.money("VoidOut", sitting, "operator", reason="malfunction", **voiding(sitting))
        else:
            await self.settlement.call(
                self.settlement.money.SettleRound, pb.SettleRoundRequest(table_id=sitting.table_id)
            )
            await served.catch_up(self.conn, sitting)
        return True

    async def night_at(self, game: str, *, test: bool = False) -> RealSitting:
        """Let a table have its night."""
        rng = self.rng
        rules = catalogue.game(game).rules_type()
        seats = min(max(rules.min_seats, rng.randint(2, 4)), rules.max_seats or 4)
        sitting = await self.open(game, seats, rng.choice((300, 1000, 5000)), test=test)
        for _ in range(rng.randint(1, 4)):
            if not await self.round(sitting, void=rng.random() < 0.2):
                break
        held = [seat.player for seat in sitting.table.core.seats.values()]
        if held and rng.random() < 0.4:
            await self.money("CashOut", sitting, rng.choice(held), test=test)
        if rng.random() < 0.4:
            await self.money("CloseOut", sitting, "operator", reason="the night is over")
        return sitting
