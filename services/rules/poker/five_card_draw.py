"""Five-card draw, 5張換 (poker, five_card_draw)."""

from collections.abc import Sequence
from typing import ClassVar

from services.rules.cards import Card
from services.rules.hand_history import HandHistory
from services.rules.poker import house_rules, words
from services.rules.poker.betting import BLINDS, Betting
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.exchange import Exchange
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking import five_cards
from services.rules.text import Text


class Rules(house_rules.DrawRules, frozen=True, kw_only=True):
    """Defaults of the sheet; six seats at most, so that the stock lasts [five_card_draw D3]."""

    max_seats: int = 6


class Hand(BlindRound, kw_only=True):
    """A hand: five own cards, of which up to five are exchanged once."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 5),
        Betting("before_draw", 1, BLINDS),
        Exchange("draw", most=5),
        Betting("after_draw", 2, big_bet=True),
    )

    def rank(self, position: int, table: Sequence[Card]) -> int:
        """Rank by the home ladder."""
        del table  # own cards only
        return five_cards.home(self.down[position], self.rules.flush_order)

    def category(self, strength: int) -> str:
        """Return the category on the home ladder."""
        return five_cards.home_category(strength)


class FiveCardDraw(BlindGame):
    """Five-card draw."""

    id = "five_card_draw"
    name = Text(en="Five-card draw", zh_hant="5張換", zh_hans="5张换")
    summary = words.joined(
        Text(
            en="Five cards each, a betting round, then each seat exchanges up to five cards once, and a second "
            "betting round. A player who runs out of time in the draw keeps all five cards.",
            zh_hant="每人五張牌，第一輪下注後每人可換零至五張牌一次，再進行第二輪下注。換牌逾時者保留原有五張。",
            zh_hans="每人五张牌，第一轮下注后每人可换零至五张牌一次，再进行第二轮下注。换牌逾时者保留原有五张。",
        ),
        words.LADDER,
        words.HOME,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.BLIND_TERMS + words.DRAW_TERMS + words.FIVE_CARD_TERMS
    words: ClassVar[dict[str, Text]] = {**words.COMMON, **words.BLINDS, **words.DRAW, **words.FIVE_CARDS}
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="5D", ohh="Draw")
    most = 6


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstFiveCardDraw(FirstVersion, FiveCardDraw):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = FiveCardDraw()
PAST = (FirstFiveCardDraw(),)
