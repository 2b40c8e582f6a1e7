"""A round of bank: one face-down row for each player, taken and bet on in turn, against the banker's card."""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, limits
from services.rules.banker.bank import BANKER, BY_SEAT, BankRules, max_bet_faults
from services.rules.banker.engine import BANK_HAND, SHOWDOWN, amount_within
from services.rules.banker.in_turn import InTurnRound
from services.rules.cards import RANKS, SUITS, Card, face_down
from services.rules.game import Fault
from services.rules.happenings import Dealt, Happening, Phase, Shown, Staked
from services.rules.offers import Between, Choice, OneOf, Option
from services.rules.refusals import ILLEGAL_ACTION, INSUFFICIENT_CHIPS, Refused
from services.rules.views import Zone

PACK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in reversed(SUITS) for rank in "AKQJ")
MATCH_ROUND: Final = "match_round"
ROWS: Final = "rows"


class BankGameRules(BankRules, frozen=True, kw_only=True):
    """House rules; ``match_rounds`` 0: a match has no limit of rounds."""

    players: ClassVar[tuple[int, int]] = (2, 6)

    banker: str = BY_SEAT
    min_bet: int = 1000
    max_bet: int = 0
    match_rounds: int = 20

    def faults(self) -> list[Fault]:
        """Check the table limits."""
        faults = super().faults() + limits.between(self, "min_bet", 1)
        return faults + max_bet_faults(self, self.min_bet, self.max_bet) + limits.between(self, "match_rounds", 0)


class BankGameRound(InTurnRound, kw_only=True):
    """``rows``: the face-down cards, ``chosen``: the row of each seat; nobody sees a card before the end."""

    turn_actions: ClassVar[tuple[type[actions.Action], ...]] = (actions.PlaceBet,)

    rules: BankGameRules
    rows: list[Card] = msgspec.field(default_factory=list)
    bank_card: Card = ""
    chosen: dict[int, str] = msgspec.field(default_factory=dict)
    match_round: int = 0

    def begin(self) -> list[Happening]:
        """Lay one row for each player, and the banker's card."""
        count = len(self.players)
        self.rows = [self.stock.deal() for _ in range(count)]
        self.bank_card = self.stock.deal()
        return [
            Phase("deal"),
            Dealt(None, ROWS, self.stock.number, tuple(range(count)), face_down(count)),
            Dealt(None, BANK_HAND, self.stock.number, (count,), face_down(1)),
            *self.begin_turns(),
        ]

    # -- choosing rows ----------------------------------------------------------------------------------------

    def free_rows(self) -> list[str]:
        """List the rows that nobody has taken yet, lowest first."""
        taken = set(self.chosen.values())
        return [row for row in map(str, range(1, len(self.rows) + 1)) if row not in taken]

    def least(self, seat: int) -> int:
        """Give the least bet of a seat: all it has, if that is less than ``min_bet``."""
        return min(self.rules.min_bet, self.carry[seat])

    def options(self, seat: int) -> list[Option]:
        """List the free rows with the amounts that may be bet."""
        if self.outcome is not None or seat != self.turn:
            return []
        most = min(self.carry[seat], self.rules.max_bet) if self.rules.max_bet else self.carry[seat]
        arguments: dict[str, Choice] = {
            "spot": OneOf(tuple(self.free_rows())),
            "amount": Between(self.least(seat), most),
        }
        return [Option("place_bet", arguments)]

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Test row and amount."""
        assert isinstance(action, actions.PlaceBet), "a turn has no other action"
        if action.spot not in self.free_rows():
            message = f"row {action.spot!r} is not free; take one of {', '.join(self.free_rows())}"
            raise Refused(ILLEGAL_ACTION, message)
        amount_within(action.amount, self.least(seat), self.rules.max_bet or None)
        if action.amount > self.carry[seat]:
            message = f"seat {seat} has {self.carry[seat]} chips and cannot bet {action.amount}"
            raise Refused(INSUFFICIENT_CHIPS, message)

    def silent(self, seat: int) -> actions.AnyAction:
        """Take the lowest free row with the least bet."""
        return actions.PlaceBet(spot=self.free_rows()[0], amount=self.least(seat))

    def take(self, seat: int, action: actions.Action) -> list[Happening]:
        """Write down row and bet."""
        assert isinstance(action, actions.PlaceBet), "a turn has no other action"
        self.chosen[seat], self.bets[seat] = action.spot, action.amount
        return [Staked(seat, action.spot, action.amount)]

    # -- showdown ---------------------------------------------------------------------------------------------

    def all_had_turn(self) -> list[Happening]:
        """Turn over the banker's card, then the rows, and settle."""
        happened: list[Happening] = [Phase(SHOWDOWN), Shown(None, BANK_HAND, (self.bank_card,))]
        happened.append(Shown(None, ROWS, tuple(self.rows)))
        bank = RANKS.index(self.bank_card[0])
        reckoning = self.reckon()
        for seat in self.players:
            row, bet = self.chosen[seat], self.bets[seat]
            own = RANKS.index(self.rows[int(row) - 1][0])
            if own > bank:
                reckoning.won(seat, row, bet, bet, "win")
            elif own < bank:
                reckoning.lost(seat, row, bet, bet, "lose")
            else:
                reckoning.returned(seat, row, bet)
        return happened + self.finish(reckoning)

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the banker and the number of this round within the match."""
        return {BANKER: self.bank.seat, MATCH_ROUND: self.match_round + (1 if counts else 0)}

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show rows and the banker's card, face down until the end."""
        del viewer
        if self.outcome is None:
            return [Zone(None, ROWS, face_down(len(self.rows))), Zone(None, BANK_HAND, face_down(1))]
        return [Zone(None, ROWS, tuple(self.rows)), Zone(None, BANK_HAND, (self.bank_card,))]

    def facts(self) -> dict[str, Any]:
        """Show who has taken which row."""
        return {ROWS: {row: seat for seat, row in self.chosen.items()}}
