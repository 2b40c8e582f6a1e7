"""Texas hold'em, 德州撲克 (poker, texas_holdem)."""

from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import house_rules, words
from services.rules.poker.betting import BLINDS, Betting
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.boards import Board
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking import highs
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(house_rules.BoardRules, frozen=True, kw_only=True):
    """Defaults of the sheet."""


class Hand(BlindRound, kw_only=True):
    """A hand: the best five of two own and five table cards."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 2),
        Betting("preflop", 1, BLINDS),
        Board(3),
        Betting("flop", 2),
        Board(1),
        Betting("turn", 3, big_bet=True),
        Board(1),
        Betting("river", 4, big_bet=True),
    )
    ladders: ClassVar[tuple[Ladder, ...]] = (highs.Plain(),)


class TexasHoldem(BlindGame):
    """Texas hold'em."""

    id = "texas_holdem"
    name = Text(en="Texas hold'em", zh_hant="德州撲克", zh_hans="德州扑克")
    summary = words.joined(
        Text(
            en="Two hole cards each, five table cards (three, one, one), four betting rounds. The best five of the "
            "seven cards win.",
            zh_hant="每人兩張底牌，公牌依序三張、一張、一張，共四輪下注。由底牌與公牌任選五張，牌面最大者獲勝。",
            zh_hans="每人两张底牌，公牌依序三张、一张、一张，共四轮下注。由底牌与公牌任选五张，牌面最大者获胜。",
        ),
        words.LADDER,
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.BLIND_TERMS + words.BOARD_TERMS + words.FIVE_CARD_TERMS
    words: ClassVar[dict[str, Text]] = {**words.COMMON, **words.BLINDS, **words.BOARD, **words.FIVE_CARDS}
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="T", ohh="Holdem")
    most = 10
    flop = True


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstTexasHoldem(FirstVersion, TexasHoldem):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = TexasHoldem()
PAST = (FirstTexasHoldem(),)
