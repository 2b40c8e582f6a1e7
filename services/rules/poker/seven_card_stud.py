"""Seven-card stud, 7張梭哈 (poker, seven_card_stud)."""

from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import house_rules, words
from services.rules.poker.betting import VISIBLE, Betting
from services.rules.poker.bring_in import Opening
from services.rules.poker.game import StudGame
from services.rules.poker.streets import HAND, UP, Own, Step
from services.rules.poker.stud import Exposure, StudRound
from services.rules.text import Text
from services.rules.vocabulary import Terms


class Rules(house_rules.StudRules, frozen=True, kw_only=True):
    """Defaults of the sheet; seven seats at most, so that 52 cards are always enough [seven_card_stud D2]."""

    showhand_from: int = 5
    max_seats: int = 7


class Hand(StudRound, kw_only=True):
    """A hand: two cards down, four up, a seventh down; one of the three is turned up."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 2),
        Own(UP),
        Opening("round_1", 1, VISIBLE),
        Own(UP),
        Betting("round_2", 2, VISIBLE),
        Own(UP),
        Betting("round_3", 3, VISIBLE, big_bet=True),
        Own(UP),
        Betting("round_4", 4, VISIBLE, big_bet=True),
        Own(HAND),
        Exposure("exposure"),
        Betting("round_5", 5, VISIBLE, big_bet=True),
    )


class SevenCardStud(StudGame):
    """Seven-card stud."""

    id = "seven_card_stud"
    name = Text(en="Seven-card stud", zh_hant="7張梭哈", zh_hans="7张梭哈")
    summary = words.joined(
        Text(
            en="Two cards down and one up, then three more up and a seventh down, a betting round after each street. "
            "The best five of the seven cards win.",
            zh_hant="先發兩張底牌與一張明牌，再依序發三張明牌，第七張牌面向下，每次發牌後下注，由七張中任選五張，牌面最大者獲勝。",
            zh_hans="先发两张底牌与一张明牌，再依序发三张明牌，第七张牌面向下，每次发牌后下注，由七张中任选五张，牌面最大者获胜。",
        ),
        words.SHOW_HAND,
        words.BRING_IN,
        words.LADDER,
        words.HOME,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.ANTE_TERMS + words.STUD_TERMS + words.FIVE_CARD_TERMS + Terms(phase="round_5")
    words: ClassVar[dict[str, Text]] = {**words.COMMON, **words.ANTES, **words.STUD, **words.FIVE_CARDS}
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="7S", ohh="Stud", bring_in=True)
    most = 7


GAME = SevenCardStud()
