"""Deuce-to-seven triple draw, 2-7 三次換牌 (poker, deuce_to_seven_triple_draw): three draws, the lowest hand wins."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from services.rules.cards import Card
from services.rules.hand_history import HandHistory
from services.rules.poker import structures, words
from services.rules.poker.betting import BLINDS, Betting
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.exchange import Exchange
from services.rules.poker.house_rules import BlindRules
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking import lows
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(BlindRules, frozen=True, kw_only=True):
    """Defaults of the sheet: fixed limit; six seats at most [deuce_to_seven_triple_draw D3]."""

    betting: str = structures.FIXED_LIMIT
    max_seats: int = 6


class Hand(BlindRound, kw_only=True):
    """A hand: five own cards, exchanged three times."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 5),
        Betting("round_1", 1, BLINDS),
        Exchange("draw_1"),
        Betting("round_2", 2),
        Exchange("draw_2"),
        Betting("round_3", 3, big_bet=True),
        Exchange("draw_3"),
        Betting("round_4", 4, big_bet=True),
    )
    ladders: ClassVar[tuple[Ladder, ...]] = (lows.DeuceToSeven(),)
    names: ClassVar[Mapping[str, Text]] = words.LOW_FIVE_CARDS


class DeuceToSevenTripleDraw(BlindGame):
    """Deuce-to-seven triple draw."""

    id = "deuce_to_seven_triple_draw"
    name = Text(en="Deuce-to-seven triple draw", zh_hant="2-7 三次換牌", zh_hans="2-7 三次换牌")
    summary = words.joined(
        Text(
            en="Five cards each and a betting round, then three times each seat exchanges up to five cards and a "
            "betting round follows. The lowest hand wins. Aces are high, and pairs, straights and flushes count "
            "against a hand: 7-5-4-3-2 of mixed suits is the best, and A-2-3-4-5 is no straight. A player who runs out "
            "of time in a draw keeps all five cards.",
            zh_hant="每人五張牌，下注一輪後每人可換零至五張牌並再下注，如此共三次。牌面最小者獲勝：A算最大，對子、順子與同花都算大牌，"
            "不同花色的7-5-4-3-2最好，A2345不算順子。換牌逾時者保留原有五張。",
            zh_hans="每人五张牌，下注一轮后每人可换零至五张牌并再下注，如此共三次。牌面最小者获胜：A算最大，对子、顺子与同花都算大牌，"
            "不同花色的7-5-4-3-2最好，A2345不算顺子。换牌逾时者保留原有五张。",
        ),
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.BLIND_TERMS + words.TRIPLE_DRAW_TERMS + words.LOW_FIVE_CARD_TERMS
    words: ClassVar[dict[str, Text]] = {
        **words.COMMON,
        **words.BLINDS,
        **words.TRIPLE_DRAW,
        **words.LOW_FIVE_CARDS,
    }
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="2L3D", ohh="Draw")
    most = 6

    def kept(self, hand: Sequence[Card], most: int) -> Sequence[Card]:
        """Keep one card of each rank up to eight, and the whole of a nine-low."""
        del most  # all five cards may go
        nine_low = lows.low_cards(hand, "23456789")
        return nine_low if len(nine_low) == len(hand) else lows.low_cards(hand, "2345678")


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstDeuceToSevenTripleDraw(FirstVersion, DeuceToSevenTripleDraw):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = DeuceToSevenTripleDraw()
PAST = (FirstDeuceToSevenTripleDraw(),)
