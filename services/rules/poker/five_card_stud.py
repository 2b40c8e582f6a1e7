"""Five-card stud, "show hand", 梭哈 (poker, five_card_stud)."""

from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import house_rules, words
from services.rules.poker.betting import VISIBLE, Betting
from services.rules.poker.bring_in import Opening
from services.rules.poker.game import StudGame
from services.rules.poker.streets import HAND, UP, Own, Step
from services.rules.poker.stud import Exposure, LastCard, StudRound
from services.rules.text import Text


class Rules(house_rules.StudRules, frozen=True, kw_only=True):
    """Defaults of the sheet."""


class Hand(StudRound, kw_only=True):
    """A hand: one card down, three up, a fifth down; one of the two is turned up."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND),
        Own(UP),
        Opening("round_1", 1, VISIBLE),
        Own(UP),
        Betting("round_2", 2, VISIBLE),
        Own(UP),
        Betting("round_3", 3, VISIBLE, big_bet=True),
        LastCard(UP),
        Exposure("exposure"),
        Betting("round_4", 4, VISIBLE, big_bet=True),
    )


class FiveCardStud(StudGame):
    """Five-card stud."""

    id = "five_card_stud"
    name = Text(en="Five-card stud (show hand)", zh_hant="梭哈", zh_hans="梭哈")
    summary = words.joined(
        Text(
            en="One card down and one up, then two more up and a fifth down, a betting round after each street. "
            "The best five cards win.",
            zh_hant="先發一張底牌與一張明牌，再依序發兩張明牌，第五張牌面向下，每次發牌後下注，五張牌面最大者獲勝。",
            zh_hans="先发一张底牌与一张明牌，再依序发两张明牌，第五张牌面向下，每次发牌后下注，五张牌面最大者获胜。",
        ),
        words.SHOW_HAND,
        words.BRING_IN,
        words.LADDER,
        words.HOME,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.ANTE_TERMS + words.STUD_TERMS + words.FIVE_CARD_TERMS
    words: ClassVar[dict[str, Text]] = {**words.COMMON, **words.ANTES, **words.STUD, **words.FIVE_CARDS}
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="5S", ohh="Stud", bring_in=True)
    most = 10


GAME = FiveCardStud()
