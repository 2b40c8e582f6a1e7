"""Omaha eight or better, 奧馬哈高低牌 (poker, omaha_hi_lo): Omaha whose pots are divided into a high and a low half."""

from collections.abc import Mapping
from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import omaha, structures, words
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.house_rules import BoardRules
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import Step
from services.rules.ranking import highs, lows
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(BoardRules, frozen=True, kw_only=True):
    """Defaults of the sheet: fixed limit [omaha_hi_lo D5]."""

    betting: str = structures.FIXED_LIMIT


class Hand(BlindRound, kw_only=True):
    """A hand: two own and three table cards for each half, not necessarily the same ones [omaha_hi_lo D1]."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = omaha.Hand.streets
    ladders: ClassVar[tuple[Ladder, ...]] = (highs.Omaha(), lows.EightOrBetter(own=2))
    names: ClassVar[Mapping[str, Text]] = {**words.FIVE_CARDS, **words.HALVES}


class OmahaHiLo(BlindGame):
    """Omaha eight or better."""

    id = "omaha_hi_lo"
    name = Text(en="Omaha eight or better", zh_hant="奧馬哈高低牌", zh_hans="奥马哈高低牌")
    summary = words.joined(
        Text(
            en="Four hole cards each, five table cards (three, one, one), four betting rounds. A hand is made of "
            "exactly two hole cards and exactly three table cards, for the low half perhaps others than for the high.",
            zh_hant="每人四張底牌，公牌依序三張、一張、一張，共四輪下注。必須由四張底牌選出兩張、五張公牌選出三張組成牌型，高牌"
            "與低牌可各選不同的牌。",
            zh_hans="每人四张底牌，公牌依序三张、一张、一张，共四轮下注。必须由四张底牌选出两张、五张公牌选出三张组成牌型，高牌"
            "与低牌可各选不同的牌。",
        ),
        words.SPLIT,
        words.LADDER,
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    rules_type = Rules
    round_type = Hand
    terms = omaha.GAME.terms + words.HALVES_TERMS + words.SECOND_HALVES_TERMS
    words: ClassVar[dict[str, Text]] = {**omaha.GAME.words, **words.HALVES}
    hand_history = HandHistory(phh="O/8", ohh="OmahaHiLo")
    most = 10
    flop = True


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstOmahaHiLo(FirstVersion, OmahaHiLo):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = OmahaHiLo()
PAST = (FirstOmahaHiLo(),)
