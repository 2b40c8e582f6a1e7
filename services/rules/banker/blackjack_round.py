"""A round of twenty-one: a card, the bets, a second card, then hands played in turn; two aces may be split."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

import msgspec

from services.rules import actions, limits
from services.rules.banker.bets import covered
from services.rules.banker.engine import SHOWDOWN
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Reckoning
from services.rules.banker.peek import PeekRound, PeekRules
from services.rules.banker.turns import BUST, FIVE_CARDS, STOOD, TurnsRound
from services.rules.cards import Card
from services.rules.game import Fault
from services.rules.happenings import Happening, Noted, Phase, Staked
from services.rules.offers import Option
from services.rules.ranking import pip_counts
from services.rules.refusals import ILLEGAL_ACTION, Refused
from services.rules.views import Zone

LIMIT: Final = 21
MUST_HIT_BELOW: Final = 15
BANKER_STANDS_ON: Final = 17
SOFT_ACE: Final = 10
"""What an ace counts more than one where the hand can bear it."""

THREE_TO_TWO: Final = "3:2"
SECOND: Final = "second"


class BlackjackRules(PeekRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 7)

    natural_pays: str = "1:1"

    def faults(self) -> list[Fault]:
        """Check the table limits."""
        return super().faults() + limits.word(self, "natural_pays", ("1:1", THREE_TO_TWO))


def total(cards: Sequence[Card]) -> int:
    """Count a hand: its highest total not above 21, one ace at most counting 11, else its lowest."""
    lowest = sum(pip_counts.value(card, 10) for card in cards)
    soft = any(card[0] == "A" for card in cards) and lowest + SOFT_ACE <= LIMIT
    return lowest + SOFT_ACE if soft else lowest


def is_natural(cards: Sequence[Card]) -> bool:
    """Whether a hand is an ace and a ten-card."""
    return len(cards) == 2 and total(cards) == LIMIT  # noqa: PLR2004 - the first two cards


class BlackjackRound(TurnsRound, PeekRound, kw_only=True):
    """``second``: the second hand of a seat that has split."""

    free_from: ClassVar[int] = MUST_HIT_BELOW
    limit: ClassVar[int] = LIMIT

    rules: BlackjackRules
    second: dict[int, Hand] = msgspec.field(default_factory=dict)

    def total(self, cards: Sequence[Card]) -> int:
        """Count a hand."""
        return total(cards)

    # -- dealing ----------------------------------------------------------------------------------------------

    def deal_first(self) -> list[Happening]:
        """Deal one card face down to each hand, the banker last."""
        return self.deal(self.takers())

    def deal_rest(self) -> list[Happening]:
        """Deal one card face up to each seat and one face down to the banker."""
        up = self.deal([(seat, self.hands[seat]) for seat in self.bettors()], up=True)
        return [Phase("deal"), *up, *self.deal([self.bank_taker()]), *self.begin_turns()]

    # -- splitting --------------------------------------------------------------------------------------------

    def turn_actions(self) -> tuple[type[actions.Action], ...]:
        """Allow to split beside hit and stand."""
        return (*super().turn_actions(), actions.Split)

    def two_aces(self) -> bool:
        """Whether the hand whose turn it is can be split."""
        cards = self.hand_in_turn().cards
        return len(cards) == 2 and all(card[0] == "A" for card in cards)  # noqa: PLR2004 - the first two cards

    def options(self, seat: int) -> list[Option]:
        """List split where the seat has two aces and can cover a second bet."""
        found = super().options(seat)
        if seat == self.turn and self.two_aces() and 2 * self.bets[seat] * self.rules.cover <= self.carry[seat]:
            found.append(Option("split"))
        return found

    def check(self, seat: int, action: actions.Action) -> None:
        """Test a split, too."""
        super().check(seat, action)
        if isinstance(action, actions.Split):
            if not self.two_aces():
                raise Refused(ILLEGAL_ACTION, "only two aces as the first two cards can be split; hit or stand")
            covered(2 * self.bets[seat], self.rules.cover, self.carry[seat])

    def play_action(self, seat: int, action: actions.Action) -> list[Happening]:
        """Split: one card to the first ace, one to the second, and both hands stand."""
        if not isinstance(action, actions.Split):
            return super().play_action(seat, action)
        first, second = self.hands[seat], Hand()
        second.take(first.cards.pop(), up=first.up.pop())
        self.second[seat] = second
        happened: list[Happening] = [Noted("split", seat), Staked(seat, "bet", self.bets[seat])]
        for hand in (first, second):
            happened += self.deal([(seat, hand)], up=True)
            hand.state = STOOD
        return happened

    def staked_by(self, seat: int) -> int:
        """Count the bet of a second hand, too."""
        return super().staked_by(seat) * (2 if seat in self.second else 1)

    # -- the banker and the end -------------------------------------------------------------------------------

    def players_done(self) -> list[Happening]:
        """Let the banker draw to 17 where a hand is left to beat, then settle."""
        happened: list[Happening] = [Phase(SHOWDOWN), *self.show([self.bank_taker()])]
        if self.live():
            while self.total(self.bank_hand.cards) < BANKER_STANDS_ON:
                happened += self.deal([self.bank_taker()], up=True)
        happened += self.show(self.takers())
        happened += self.show((seat, hand) for seat, hand in self.second.items())
        happened.append(Noted("total", self.bank.seat, {"total": self.total(self.bank_hand.cards)}))
        reckoning = self.reckon()
        for seat, hand in self.all_hands():
            happened.append(Noted("total", seat, {"total": self.total(hand.cards)}))
            self.settle(seat, hand, reckoning)
        return happened + self.finish(reckoning)

    def all_hands(self) -> Iterator[tuple[int, Hand]]:
        """List every player's hands; each split hand has a bet of its own."""
        for seat in self.bettors():
            yield seat, self.hands[seat]
            if seat in self.second:
                yield seat, self.second[seat]

    def settle(self, seat: int, hand: Hand, reckoning: Reckoning) -> None:
        """Settle one hand with the banker's [blackjack "Pays"]."""
        bet = self.bets[seat]
        if hand.state == BUST:
            reckoning.lost(seat, "bet", bet, bet, BUST)
            return
        if hand.state == FIVE_CARDS:
            reckoning.won(seat, "bet", bet, 2 * bet, FIVE_CARDS)
            return
        pays_more = self.rules.natural_pays == THREE_TO_TWO
        natural = pays_more and is_natural(hand.cards) and seat not in self.second
        banks_natural = pays_more and is_natural(self.bank_hand.cards)
        own, bank = self.total(hand.cards), self.total(self.bank_hand.cards)
        if natural and not banks_natural:
            reckoning.won(seat, "bet", bet, 3 * bet // 2, "natural")
        elif bank > LIMIT:
            reckoning.won(seat, "bet", bet, bet, "banker_bust")
        elif own > bank:
            reckoning.won(seat, "bet", bet, bet, "win")
        elif own < bank or (banks_natural and not natural):
            reckoning.lost(seat, "bet", bet, bet, "lose")
        else:
            reckoning.returned(seat, "bet", bet)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show second hands, too."""
        return super().zones(viewer) + [
            Zone(seat, SECOND, hand.known() if seat == viewer else hand.seen())
            for seat, hand in sorted(self.second.items())
        ]
