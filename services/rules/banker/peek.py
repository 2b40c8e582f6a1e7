"""Bets made after a look at the own cards, or before the deal: the house rule ``bet_when`` (blackjack, baccarat)."""

from typing import Final

from services.rules.banker import keys
from services.rules.banker.bank import BY_HOUSE, BetRules
from services.rules.banker.bets import OneBetRound
from services.rules.banker.hands import Hand
from services.rules.chance import Chance
from services.rules.happenings import Happening, Phase

AFTER_CARDS: Final = "after_cards"


class PeekRules(BetRules, frozen=True, kw_only=True):
    """House rules of a game whose seats see cards before they bet, unless ``bet_when`` says otherwise."""

    bet_when: keys.BetWhen = AFTER_CARDS

    def least(self) -> int:
        """Return what a player must hold to be in: after cards a bet is a duty, and must be covered."""
        return self.cover * self.min_bet if self.bet_when == AFTER_CARDS else self.min_bet

    def open_to_peekers(self) -> bool:
        """Return whether players at the house's bank bet freely after seeing cards [blackjack D1; baccarat D5]."""
        return self.banker == BY_HOUSE and self.bet_when == AFTER_CARDS and self.max_bet == 0


class PeekRound(OneBetRound, kw_only=True):
    """A round that deals its first cards before the bets, or after them."""

    rules: PeekRules

    def duty(self) -> bool:
        """Return whether every seat must bet, having got a card."""
        return self.rules.bet_when == AFTER_CARDS

    def deal_first(self) -> list[Happening]:
        """Deal the cards that the seats see before they bet."""
        raise NotImplementedError

    def deal_rest(self) -> list[Happening]:
        """Go on once bets and first cards are there."""
        raise NotImplementedError

    def begin(self) -> list[Happening]:
        """Begin with cards or with bets."""
        if not self.duty():
            return self.open_window()
        self.hands = {seat: Hand() for seat in self.players}
        return [Phase("deal"), *self.deal_first(), *self.open_window()]

    def all_bet(self, chance: Chance) -> list[Happening]:
        """Deal on, or from the start."""
        del chance
        if self.duty():
            return self.deal_rest()
        self.give_hands()
        return [Phase("deal"), *self.deal_first(), *self.deal_rest()]
