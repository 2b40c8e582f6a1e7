"""Four knives (四支刀): four cards in two piles of two, each against the banker's pile."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from services.rules import actions
from services.rules.banker import words
from services.rules.banker.bank import rotated
from services.rules.banker.engine import open_round
from services.rules.banker.family import BankerGame
from services.rules.banker.four_knives_round import ARRANGE, HIGH, KNIVES_PAY, LOW, FourKnivesRound, FourKnivesRules
from services.rules.chance import Chance
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Happening
from services.rules.ranking import four_knives
from services.rules.text import Text

BEST_LAID: Final = {
    "won": 15_003_572_688, "pushed": 22_406_624_992, "lost": 15_262_413_896, "knives": 2_529_462,
}  # fmt: skip
"""In how many pairs of hands a player who lays each hand the best way wins both piles, one, or none; and in how many
one side has the better four knives (the other as often)."""


class FourKnives(BankerGame):
    """四支刀."""

    id = "four_knives"
    name = Text("Four knives", "四支刀", "四支刀")
    rules_type = FourKnivesRules
    round_type = FourKnivesRound
    summary = words.paragraphs(
        Text(
            "Each player bets before the deal, then everybody is dealt four cards and lays them in two piles of two, "
            "the first not better than the second. Points (last digit of the sum; J Q K half a point, 10 nothing) < "
            "two different court cards, KQ > KJ > QJ, < pairs, KK high, AA low. Who is better in both piles wins the "
            "bet, one each is a push, equal piles are the banker's. Four cards of one rank win ten bets outright. A "
            "hand not laid within turn_seconds is laid the house's way: the best first pile that the rule allows.",
            "發牌前下注，每家發四張，分成兩堆各兩張，第二堆須不小於第一堆。點數（和的個位數；J、Q、K半點，10為零點）"
            "＜羅梭（兩張"
            "不同的J、Q、K，KQ＞KJ＞QJ）＜對子（KK最大，AA最小）。兩堆全勝贏一倍，全敗輸一倍，一勝一負為和局，"
            "同大算莊家大。四支刀"
            "（四張相同）直接贏十倍。逾時未排牌者按館規代排：取第一堆最大的排法。",
            "发牌前下注，每家发四张，分成两堆各两张，第二堆须不小于第一堆。点数（和的个位数；J、Q、K半点，10为零点）"
            "＜罗梭（两张"
            "不同的J、Q、K，KQ＞KJ＞QJ）＜对子（KK最大，AA最小）。两堆全胜赢一倍，全败输一倍，一胜一负为和局，"
            "同大算庄家大。四支刀"
            "（四张相同）直接赢十倍。逾时未排牌者按馆规代排：取第一堆最大的排法。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    words = words.COMMON | {
        ARRANGE: Text("arrange", "排牌", "排牌"),
        "arranging": Text("arranging", "排牌中", "排牌中"),
        "arranged": Text("has arranged", "已排牌", "已排牌"),
        LOW: Text("first pile", "第一堆", "第一堆"),
        HIGH: Text("second pile", "第二堆", "第二堆"),
        "four_knives": Text("four knives", "四支刀", "四支刀"),
    }

    def open(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Open the window for bets."""
        assert isinstance(rules, FourKnivesRules)
        round_, happened = open_round(
            FourKnivesRound, rules, table, chance, banked=rotated(rules, table), least=rules.min_bet
        )
        return round_, happened + round_.open_window()

    def turn_action(self, round_: Round, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Lay the hand the house's way."""
        assert isinstance(round_, FourKnivesRound)
        hand = round_.hand_of(seat)
        if ARRANGE not in able or hand is None:
            return None
        low, high = four_knives.house_way(hand.cards)
        return actions.Arrange(low=low, high=high)

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction]:
        """Give what a bet returns with the best way to lay every hand against the house's way."""
        assert isinstance(rules, FourKnivesRules)
        won, lost = (BEST_LAID[result] for result in ("won", "lost"))
        # Knives win ten bets and lose no more than the carry: at least ``cover`` bets, and capped wins are no more.
        loses = min(rules.cover, KNIVES_PAY)
        wins = loses if rules.win_cap == "stake" else KNIVES_PAY
        knives = BEST_LAID["knives"] * (wins - loses)
        return {"bet": 1 + Fraction(won - lost + knives, sum(BEST_LAID.values()) + BEST_LAID["knives"])}

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what a bet pays."""
        del rules
        return (
            Payout("bet", Text("better in both piles", "兩堆全勝", "两堆全胜"), "1:1"),
            Payout("bet", self.words["four_knives"], f"{KNIVES_PAY}:1"),
        )

    def greatest_win(self, rules: HouseRules) -> Text:
        """Say what a seat can win at most."""
        del rules
        return words.per_bet(str(KNIVES_PAY), "four knives", "四支刀", "四支刀")


GAME = FourKnives()
