"""Twenty-one (二十一點): one card, the bets, the second card, then hands played in turn against the banker."""

from collections.abc import Sequence
from typing import Final

from services.rules import actions
from services.rules.banker import words
from services.rules.banker.bank import rotated
from services.rules.banker.blackjack_round import SECOND, THREE_TO_TWO, BlackjackRound, BlackjackRules, total
from services.rules.banker.engine import open_round
from services.rules.banker.family import BankerGame
from services.rules.banker.turns import FIVE_CARDS
from services.rules.chance import Chance
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Happening
from services.rules.offers import Between
from services.rules.ranking import pip_counts
from services.rules.text import Text

HARD_STANDS: Final = {2: 15, 3: 16, 4: 18}
SOFT_STANDS: Final = {2: 19, 3: 20, 4: 21}
"""Totals from which a simulated player stands, by its number of cards: the choices that bring most against a banker
who draws to 17, worked out for cards drawn from many decks."""

ACE: Final = 1
TEN: Final = 10

WARNING: Final = (
    "bet_when: after_cards without a max_bet lets players bet high on good cards only: a seat that sees an ace wins "
    "about 24 % of its bet on average, one that sees a ten-card about 9 %, and the house loses it. Set max_bet close "
    "to min_bet, or bet_when: before_deal."
)
"""The house's expected loss, for who opens such a table [blackjack D1]."""


class Blackjack(BankerGame):
    """二十一點."""

    id = "blackjack"
    name = Text("Twenty-one", "二十一點", "二十一点")
    rules_type = BlackjackRules
    round_type = BlackjackRound
    summary = words.paragraphs(
        Text(
            "Everybody is dealt one card face down and then must bet (min_bet at the deadline); with bet_when: "
            "before_deal the bets come first and may be left out. A second card follows, face up to the players, face "
            "down to the banker. In turn each hand hits or stands; below 15 it must hit. It ends at 21, at five cards, "
            "or bust above 21. Two aces may be split for a second bet; each ace gets one card. The banker draws to 17. "
            "Higher total wins the bet, equal totals push, bust loses even if the banker busts, five cards without "
            "bust win twice the bet at once. A hand whose deadline passes hits below 15 and then stands.",
            "每家先發一張暗牌，看牌後必須下注（逾時押最低注）；bet_when: before_deal 時改為發牌前下注，可不下注。"
            "再發一張：閒家明牌、"
            "莊家暗牌。輪流補牌或停牌，不到15點必須補牌；21點、五張或爆牌（超過21點）即結束。兩張A可分牌，須加注同額，"
            "每張A只補"
            "一張。莊家補至17點以上。點數大者贏，同點退回，爆牌即輸（即使莊家也爆），過五關立即贏兩倍。"
            "逾時者不到15點補牌，其後停牌。",
            "每家先发一张暗牌，看牌后必须下注（逾时押最低注）；bet_when: before_deal 时改为发牌前下注，可不下注。"
            "再发一张：闲家明牌、"
            "庄家暗牌。轮流补牌或停牌，不到15点必须补牌；21点、五张或爆牌（超过21点）即结束。两张A可分牌，须加注同额，"
            "每张A只补"
            "一张。庄家补至17点以上。点数大者赢，同点退回，爆牌即输（即使庄家也爆），过五关立即赢两倍。"
            "逾时者不到15点补牌，其后停牌。",
        ),
        words.MALFUNCTION,
    )
    words = (
        words.COMMON
        | words.TURNS
        | {
            "split": words.same("split", "分牌"),
            SECOND: words.same("second hand", "第二手牌"),
            "natural": Text("natural: ace and ten-card", "天生二十一點", "天生二十一点"),
            "full": Text("twenty-one", "二十一點", "二十一点"),
        }
    )

    def open(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Deal the first cards, or open the window for bets."""
        assert isinstance(rules, BlackjackRules)
        round_, happened = open_round(
            BlackjackRound, rules, table, chance, banked=rotated(rules, table), least=rules.least()
        )
        return round_, happened + round_.begin()

    def standard_rules(self) -> HouseRules:
        """Return the sheet's defaults with one size of bets, the guard against bets on good cards [blackjack D1]."""
        least = BlackjackRules().min_bet
        return BlackjackRules(max_bet=least)

    def best_bet(self, round_: Round, seat: int, able: Between) -> int:
        """Bet the most on an ace or a ten-card that is seen before the bet, else the least [blackjack D1]."""
        assert isinstance(round_, BlackjackRound)
        if not round_.duty():
            return super().best_bet(round_, seat, able)
        good = pip_counts.value(round_.hands[seat].cards[0], TEN) in (ACE, TEN)
        return able.most if good else able.least

    def least_carry(self, rules: HouseRules) -> int:
        """Give the least bet, covered where it is a duty."""
        assert isinstance(rules, BlackjackRules)
        return rules.least()

    def warnings(self, rules: HouseRules) -> list[str]:
        """Warn of bets after a look at a card [blackjack D1]."""
        assert isinstance(rules, BlackjackRules)
        return [WARNING] if rules.open_to_peekers() else []

    def turn_action(self, round_: Round, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Stand where another card loses more than it brings, by the number of cards, on soft and hard hands."""
        assert isinstance(round_, BlackjackRound)
        if seat != round_.turn:
            return None
        cards = round_.hands[seat].cards
        soft = total(cards) != sum(pip_counts.value(card, 10) for card in cards)
        stands = total(cards) >= (SOFT_STANDS if soft else HARD_STANDS)[len(cards)]
        return actions.Stand() if stands and "stand" in able else actions.Hit()

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what a bet pays."""
        assert isinstance(rules, BlackjackRules)
        found = [
            Payout(
                "bet", Text("higher total, or the banker is bust", "點數較大或莊家爆牌", "点数较大或庄家爆牌"), "1:1"
            ),
            Payout("bet", self.words[FIVE_CARDS], "2:1"),
        ]
        if rules.natural_pays == THREE_TO_TWO:
            found.append(Payout("bet", self.words["natural"], rules.natural_pays))
        return tuple(found)

    def greatest_win(self, rules: HouseRules) -> Text:
        """Say what a seat can win at most."""
        del rules
        return words.per_bet(
            "2", "five cards, or both hands after a split", "過五關或分牌兩手皆贏", "过五关或分牌两手皆赢"
        )


GAME = Blackjack()
