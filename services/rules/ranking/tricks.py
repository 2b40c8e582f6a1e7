"""Ladders of the trick games: which card takes a trick, and which card is the weakest [tricks "Common to this file"].

A ladder answers three questions about a card, given the trump suit (None: no trumps): which suit it counts as, how
high it stands within that suit, and whether it can take a trick in which a suit was led.
"""

from collections.abc import Iterable
from typing import Final

from services.rules.cards import BIG_JOKER, RANKS, SUITS, Card

ACE_OF_HEARTS: Final = "Ah"
ACE_OF_SPADES: Final = "As"


class Ladder:
    """Cards of one suit stand in one order, trumps above all others."""

    def __init__(self, order: str = RANKS) -> None:
        assert len(set(order)) == len(order), f"a rank stands twice in {order}"
        self._order = order

    def suit(self, card: Card, _trump: str | None) -> str:
        """Return the suit that a card counts as when suits are followed."""
        return card[1]

    def place(self, card: Card, _trump: str | None) -> int:
        """Return how high a card stands within the suit that it counts as; 0 is the lowest."""
        return self._order.index(card[0])

    def strength(self, card: Card, led: str | None, trump: str | None) -> tuple[int, int]:
        """Rank a card within a trick: the greatest wins. The first number is 0 where it cannot win."""
        suit = self.suit(card, trump)
        height = 2 if suit == trump else 1 if suit == led else 0
        return height, self.place(card, trump)

    def weakness(self, card: Card, trump: str | None) -> tuple[int, ...]:
        """Order cards for a deadline: the least is played [tricks "Weakest card"]."""
        return int(self.suit(card, trump) == trump), self.place(card, trump), SUITS.index(card[1])

    def weakest(self, cards: Iterable[Card], trump: str | None) -> Card:
        """Return the card that a passed deadline plays; there must be one."""
        return min(cards, key=lambda card: self.weakness(card, trump))


class SpoilFiveLadder(Ladder):
    """Five, jack and ``Ah`` on top of the trumps; low black cards high [spoil_five "Ranking", D1, D2]."""

    TRUMPS: Final = "2346789TQKA*J5"
    """``*`` is the place of the ace of hearts under every trump suit."""
    RED: Final = "23456789TJQKA"
    BLACK: Final = "T98765432AJQK"

    def suit(self, card: Card, trump: str | None) -> str:
        """Return the suit; ``Ah`` is always a trump and never a heart."""
        return trump if trump is not None and card == ACE_OF_HEARTS else card[1]

    def place(self, card: Card, trump: str | None) -> int:
        """Return how high a card stands among the trumps, the red cards or the black ones."""
        if self.suit(card, trump) == trump:
            return self.TRUMPS.index("*" if card == ACE_OF_HEARTS else card[0])
        return (self.RED if card[1] in "hd" else self.BLACK).index(card[0])


class NapoleonLadder(Ladder):
    """The joker above all trumps, ``As`` above the joker [napoleon "Ranking"]; the joker has no suit."""

    def place(self, card: Card, trump: str | None) -> int:
        """Return how high a card stands within its suit; the joker stands alone."""
        return 0 if card == BIG_JOKER else super().place(card, trump)

    def strength(self, card: Card, led: str | None, trump: str | None) -> tuple[int, int]:
        """Rank a card within a trick; joker and ``As`` win also where they do not follow."""
        if card == ACE_OF_SPADES:
            return 4, 0
        return (3, 0) if card == BIG_JOKER else super().strength(card, led, trump)

    def weakness(self, card: Card, trump: str | None) -> tuple[int, ...]:
        """Order cards for a deadline: the joker and then ``As`` go last of all [napoleon Play 8]."""
        if card == ACE_OF_SPADES:
            return (2,)
        return (1,) if card == BIG_JOKER else (0, *super().weakness(card, trump))


HONEYMOON: Final = Ladder("789TJQKA")
PLAIN: Final = Ladder()
SPOIL_FIVE: Final = SpoilFiveLadder()
NAPOLEON: Final = NapoleonLadder()
