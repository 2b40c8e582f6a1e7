"""Bets made after a look at the own cards, or before the deal: the house rule ``bet_when`` (blackjack, baccarat)."""

from typing import Any, Final

from services.rules import happenings
from services.rules.banker import keys
from services.rules.banker.bank import BY_HOUSE, BetRules
from services.rules.banker.hands import Hand
from services.rules.banker.table import BankRound
from services.rules.banker.windows import give_hands
from services.rules.chance import Chance
from services.rules.happenings import Happening
from services.rules.phases import Phase

AFTER_CARDS: Final = "after_cards"


class PeekRules(BetRules, frozen=True, kw_only=True):
    """House rules of a game whose seats see cards before they bet, unless ``bet_when`` says otherwise."""

    bet_when: keys.BetWhen = AFTER_CARDS

    @property
    def duty(self) -> bool:
        """Whether every seat must bet, having got a card."""
        return self.bet_when == AFTER_CARDS

    @property
    def least_carry(self) -> int:
        """The least bet, covered where it is a duty."""
        return self.cover * self.min_bet if self.duty else self.min_bet

    def open_to_peekers(self) -> bool:
        """Return whether players at the house's bank bet freely after seeing cards [blackjack D1; baccarat D5]."""
        return self.banker == BY_HOUSE and self.duty and self.max_bet == 0


class FirstCards(Phase[BankRound[PeekRules]], frozen=True):
    """The cards that seats see before they bet; where bets come first, they are dealt after them.

    A row of phases has it twice, on either side of the bets; the one on the other side is skipped.
    """

    after_bets: bool = False

    def begin(self, round_: BankRound[PeekRules], chance: Chance, log: list[Happening]) -> bool:
        """Deal to all players, or to those that bet."""
        if self.after_bets == round_.rules.duty:
            return False
        log.append(happenings.Phase("deal"))
        if self.after_bets:
            give_hands(round_)
        else:
            round_.hands = {seat: Hand() for seat in round_.players}
        self.deal(round_, log)
        return False

    def deal(self, round_: BankRound[Any], log: list[Happening]) -> None:
        """Deal one card face down to each hand, the banker last."""
        round_.deal(round_.takers(), log)
