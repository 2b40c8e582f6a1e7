"""Razz, 拉茲 (poker, razz): seven-card stud in which the lowest five cards win."""

from collections.abc import Mapping
from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.poker import words
from services.rules.poker.door_stud import DoorStudGame, DoorStudRound, DoorStudRules
from services.rules.ranking import lows
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(DoorStudRules, frozen=True, kw_only=True):
    """Defaults of the sheet."""


class Hand(DoorStudRound, kw_only=True):
    """A hand: the lowest five of the seven cards, aces low [razz D1]."""

    low_opens: ClassVar[bool] = True

    rules: Rules
    ladders: ClassVar[tuple[Ladder, ...]] = (lows.AceToFive(),)
    names: ClassVar[Mapping[str, Text]] = words.LOW_GROUPS


class Razz(DoorStudGame):
    """Razz."""

    id = "razz"
    name = Text(en="Razz", zh_hant="拉茲", zh_hans="拉兹")
    summary = words.joined(
        Text(
            en="Two cards down and one up, then three more up and a seventh down, a betting round after each street. "
            "The lowest five of the seven cards win: aces are low, pairs count against a hand, straights and flushes "
            "do not, so that 5-4-3-2-A is the best hand. The highest first up card (of equal ranks spades are highest) "
            "brings in or makes a full bet; later the lowest visible hand opens, of equal ones the first to the left "
            "of the button.",
            zh_hant="先發兩張底牌與一張明牌，再依序發三張明牌，第七張牌面向下，每次發牌後下注。七張中取最小的五張，牌面最小者獲勝："
            "A算最小，對子算大牌，順子與同花不算，5-4-3-2-A最好。首張明牌最大者（點數相同時黑桃最大）必須下開牌注或完整下"
            "注；之後由明牌最小者先行動，相同時為莊家左手邊最近者。",
            zh_hans="先发两张底牌与一张明牌，再依序发三张明牌，第七张牌面向下，每次发牌后下注。七张中取最小的五张，牌面最小者获胜："
            "A算最小，对子算大牌，顺子与同花不算，5-4-3-2-A最好。首张明牌最大者（点数相同时黑桃最大）必须下开牌注或完整下"
            "注；之后由明牌最小者先行动，相同时为庄家左手边最近者。",
        ),
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = DoorStudGame.terms + words.LOW_GROUP_TERMS
    words: ClassVar[dict[str, Text]] = {**words.COMMON, **words.ANTES, **words.DOOR_STUD, **words.LOW_GROUPS}
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="R", bring_in=True)


GAME = Razz()
