"""Win three cards, 炸金花 (poker, zha_jin_hua)."""

from collections.abc import Sequence
from typing import ClassVar

from services.rules.cards import Card
from services.rules.hand_history import HandHistory
from services.rules.kinds import Limit, Only
from services.rules.poker import house_rules, words
from services.rules.poker.betting import Betting
from services.rules.poker.game import AnteGame
from services.rules.poker.stakes import AnteRound
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking import five_cards, three_cards
from services.rules.text import Text
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_three


class Rules(house_rules.AnteRules, frozen=True, kw_only=True):
    """Defaults of the sheet: nobody may check [zha_jin_hua D2]."""

    open_check: bool = False


class Hand(AnteRound, kw_only=True):
    """A hand: three own cards and one betting round from the banker's left."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = (Own(HAND, 3), Betting("round_1", 1))

    def rank(self, position: int, table: Sequence[Card]) -> int:
        """Rank by the three-card ladder."""
        del table  # own cards only
        return three_cards.strength(self.down[position], self.rules.flush_order)

    def hand_worth(self, position: int, own: Sequence[Card]) -> Worth | None:
        """Return the worth of the three cards."""
        return of_three(own, self.rank(position, self.board), words.THREE_CARDS)

    def category(self, strength: int) -> str:
        """Return the category on the three-card ladder."""
        return three_cards.category(strength)


class ZhaJinHua(AnteGame):
    """Win three cards."""

    id = "zha_jin_hua"
    name = Text(en="Win three cards (zha jin hua)", zh_hant="炸金花", zh_hans="炸金花")
    summary = words.joined(
        Text(
            en="Every seat antes and gets three cards. There is one betting round, from the banker's left; nobody may "
            "check unless the table allows it. From low to high: high card, pair, straight (Q-K-A highest, A-2-3 "
            "lowest), flush, straight flush, three of a kind. Flushes compare by suit first (spades, hearts, "
            "diamonds, clubs) unless the table compares ranks first; straight flushes compare by top card, then "
            "suit. All other equal hands split the pot. A player who runs out of time folds, or checks where the "
            "table allows it and checking is free.",
            zh_hant="每位玩家先下底注並分得三張牌，由莊家左手邊開始進行一輪下注，除非該桌另有設定，否則不得選擇不喊。牌型由"
            "小到大：無爛、對子、順子（QKA最大，A23最小）、同花（金花）、同花順（順金）、豹子。同花先比花色（黑桃＞"
            "紅心＞方塊＞梅花）再比點數，除非該桌設定先比點數；同花順先比最大張再比花色；其餘牌面相同則平分底池。逾"
            "時視為蓋牌；若該桌可不喊且無須跟注，則視為不喊。",
            zh_hans="每位玩家先下底注并分得三张牌，由庄家左手边开始进行一轮下注，除非该桌另有设定，否则不得选择不喊。牌型由"
            "小到大：无烂、对子、顺子（QKA最大，A23最小）、同花（金花）、同花顺（顺金）、豹子。同花先比花色（黑桃＞"
            "红心＞方块＞梅花）再比点数，除非该桌设定先比点数；同花顺先比最大张再比花色；其余牌面相同则平分底池。逾"
            "时视为盖牌；若该桌可不喊且无须跟注，则视为不喊。",
        ),
        words.MONEY_RULES,
        words.MALFUNCTION,
    )
    terms = words.COMMON_TERMS + words.ANTE_TERMS + words.THREE_CARD_TERMS + Terms(phase="round_1")
    words: ClassVar[dict[str, Text]] = {
        **words.COMMON,
        **words.ANTES,
        **words.THREE_CARDS,
        "round_1": Text(en="betting round", zh_hant="下注", zh_hans="下注"),
    }
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="3C")
    most = 10
    least_ante = 1

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int:
        """Return the strength of the three cards."""
        return three_cards.strength([*own, *table])

    def limits(self, rules: house_rules.PokerRules) -> dict[str, Limit]:
        """Return also that suits always decide between flushes."""
        return {**super().limits(rules), "flush_order": Only(five_cards.FLUSH_ORDERS)}


GAME = ZhaJinHua()
