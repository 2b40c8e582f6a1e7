"""Badugi, 巴都吉 (poker, badugi): four cards of different ranks and suits, three draws, the lowest wins."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from services.rules.cards import Card
from services.rules.hand_history import HandHistory
from services.rules.poker import deuce_to_seven_triple_draw, words
from services.rules.poker.betting import BLINDS, Betting
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.exchange import Exchange
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking import badugi
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(deuce_to_seven_triple_draw.Rules, frozen=True, kw_only=True):
    """Defaults of the sheet; eight seats at most [badugi D3]."""

    max_seats: int = 8


class Hand(BlindRound, kw_only=True):
    """A hand: four own cards, exchanged three times."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 4),
        Betting("round_1", 1, BLINDS),
        Exchange("draw_1", most=4),
        Betting("round_2", 2),
        Exchange("draw_2", most=4),
        Betting("round_3", 3, big_bet=True),
        Exchange("draw_3", most=4),
        Betting("round_4", 4, big_bet=True),
    )
    ladders: ClassVar[tuple[Ladder, ...]] = (badugi.Badugi(),)
    names: ClassVar[Mapping[str, Text]] = words.BADUGI


class BadugiGame(BlindGame):
    """Badugi."""

    id = "badugi"
    name = Text(en="Badugi", zh_hant="巴都吉", zh_hans="巴都吉")
    summary = words.joined(
        Text(
            en="Four cards each and a betting round, then three times each seat exchanges up to four cards and a "
            "betting round follows. Only cards of different ranks and different suits count: four of them, a badugi, "
            "beat three, three beat two. Among equally many the lowest win, aces low: 4-3-2-A is the best badugi. A "
            "player who runs out of time in a draw keeps all four cards.",
            zh_hant="每人四張牌，下注一輪後每人可換零至四張牌並再下注，如此共三次。只有點數與花色皆不同的牌才算：四張（巴都吉）大於三張，"
            "三張大於兩張；張數相同則點數小者勝，A算最小，4-3-2-A最好。換牌逾時者保留原有四張。",
            zh_hans="每人四张牌，下注一轮后每人可换零至四张牌并再下注，如此共三次。只有点数与花色皆不同的牌才算：四张（巴都吉）大于三张，"
            "三张大于两张；张数相同则点数小者胜，A算最小，4-3-2-A最好。换牌逾时者保留原有四张。",
        ),
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.BLIND_TERMS + words.TRIPLE_DRAW_TERMS + words.BADUGI_TERMS
    words: ClassVar[dict[str, Text]] = {**words.COMMON, **words.BLINDS, **words.TRIPLE_DRAW, **words.BADUGI}
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="B", ohh="Draw")
    most = 8

    def kept(self, hand: Sequence[Card], most: int) -> Sequence[Card]:
        """Keep the cards that count, without those above nine."""
        del most  # all four cards may go
        return [card for card in badugi.Badugi().best(hand, ()) if card[0] in "A23456789"]


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstBadugiGame(FirstVersion, BadugiGame):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = BadugiGame()
PAST = (FirstBadugiGame(),)
