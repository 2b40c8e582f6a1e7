"""Omaha, 奧馬哈 (poker, omaha): hold'em with four own cards, of which exactly two count."""

from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import house_rules, texas_holdem, words
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking import highs
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(house_rules.BoardRules, frozen=True, kw_only=True):
    """Defaults of the sheet: as Texas hold'em."""


class Hand(BlindRound, kw_only=True):
    """A hand: exactly two of four own and three of five table cards [omaha D1]."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (Own(HAND, 4), *texas_holdem.Hand.streets[1:])
    ladders: ClassVar[tuple[Ladder, ...]] = (highs.Omaha(),)


class Omaha(BlindGame):
    """Omaha."""

    id = "omaha"
    name = Text(en="Omaha", zh_hant="奧馬哈", zh_hans="奥马哈")
    summary = words.joined(
        Text(
            en="Four hole cards each, five table cards (three, one, one), four betting rounds. A hand is made of "
            "exactly two hole cards and exactly three table cards.",
            zh_hant="每人四張底牌，公牌依序三張、一張、一張，共四輪下注。必須由四張底牌選出兩張、五張公牌選出三張組成牌型。",
            zh_hans="每人四张底牌，公牌依序三张、一张、一张，共四轮下注。必须由四张底牌选出两张、五张公牌选出三张组成牌型。",
        ),
        words.LADDER,
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    rules_type = Rules
    round_type = Hand
    terms = texas_holdem.GAME.terms
    words: ClassVar[dict[str, Text]] = texas_holdem.GAME.words
    hand_history = HandHistory(phh="O", ohh="Omaha")
    most = 10
    flop = True


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstOmaha(FirstVersion, Omaha):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = Omaha()
PAST = (FirstOmaha(),)
