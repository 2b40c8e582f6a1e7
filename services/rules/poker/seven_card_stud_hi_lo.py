"""Seven-card stud eight or better, 7張梭哈高低牌 (poker, seven_card_stud_hi_lo): stud whose pots are divided."""

from collections.abc import Mapping
from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import words
from services.rules.poker.door_stud import DoorStudGame, DoorStudRound, DoorStudRules
from services.rules.ranking import highs, lows
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(DoorStudRules, frozen=True, kw_only=True):
    """Defaults of the sheet."""


class Hand(DoorStudRound, kw_only=True):
    """A hand: any five of the seven cards for each half, not necessarily the same ones [seven_card_stud_hi_lo D1]."""

    rules: Rules
    ladders: ClassVar[tuple[Ladder, ...]] = (highs.Plain(), lows.EightOrBetter())
    names: ClassVar[Mapping[str, Text]] = {**words.FIVE_CARDS, **words.HALVES}


class SevenCardStudHiLo(DoorStudGame):
    """Seven-card stud eight or better."""

    id = "seven_card_stud_hi_lo"
    name = Text(en="Seven-card stud eight or better", zh_hant="7張梭哈高低牌", zh_hans="7张梭哈高低牌")
    summary = words.joined(
        Text(
            en="Two cards down and one up, then three more up and a seventh down, a betting round after each street. "
            "Any five of the seven cards make the high hand, and any five the low hand. The lowest first up card (aces "
            "high, of equal ranks clubs are lowest) brings in or makes a full bet; later the best visible hand opens, "
            "of equal ones the first to the left of the button.",
            zh_hant="先發兩張底牌與一張明牌，再依序發三張明牌，第七張牌面向下，每次發牌後下注。高牌與低牌各由七張中任選五張。首張明"
            "牌最小者（A算最大，點數相同時梅花最小）必須下開牌注或完整下注；之後由明牌最大者先行動，相同時為莊家左手邊最近"
            "者。",
            zh_hans="先发两张底牌与一张明牌，再依序发三张明牌，第七张牌面向下，每次发牌后下注。高牌与低牌各由七张中任选五张。首张明"
            "牌最小者（A算最大，点数相同时梅花最小）必须下开牌注或完整下注；之后由明牌最大者先行动，相同时为庄家左手边最近"
            "者。",
        ),
        words.SPLIT,
        words.LADDER,
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = DoorStudGame.terms + words.FIVE_CARD_TERMS + words.HALVES_TERMS
    words: ClassVar[dict[str, Text]] = {
        **words.COMMON,
        **words.ANTES,
        **words.DOOR_STUD,
        **words.FIVE_CARDS,
        **words.HALVES,
    }
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="7S/8", ohh="StudHiLo", bring_in=True)


GAME = SevenCardStudHiLo()
