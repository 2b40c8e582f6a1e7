"""Casino hold'em (賭場撲克): one player hand for all seats against the dealer; ante, bonus, then call or fold."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from services.rules import actions
from services.rules.banker import words
from services.rules.banker.bank import Bank, seats_needed
from services.rules.banker.call_strategy import calls
from services.rules.banker.casino_bets import ANTE, BONUS, CALL_MULTIPLE, CasinoHoldemRules
from services.rules.banker.casino_holdem_round import BOARD, CALL, DEALER, DECISION, FOLD, PLAYER, CasinoHoldemRound
from services.rules.banker.casino_pays import ANTE_ODDS, BONUS_ODDS, ROYAL_FLUSH
from services.rules.banker.engine import BETS
from services.rules.banker.family import BankerGame, returned
from services.rules.cards import PACK_52
from services.rules.chance import Chance, Rng, Stock
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Happening, Shuffled
from services.rules.offers import Between, OneOf, Option
from services.rules.ranking import five_cards
from services.rules.refusals import NOT_ENOUGH_SEATS, Refused
from services.rules.text import Text

BONUS_HANDS: Final[Mapping[str, int]] = {
    ROYAL_FLUSH: 4,
    five_cards.STRAIGHT_FLUSH: 36,
    five_cards.FOUR_OF_A_KIND: 624,
    five_cards.FULL_HOUSE: 3744,
    five_cards.FLUSH: 5108,
    five_cards.STRAIGHT: 10_200,
    five_cards.THREE_OF_A_KIND: 54_912,
    five_cards.TWO_PAIR: 123_552,
    five_cards.ONE_PAIR: 84_480,
}
"""How many of the 2 598 960 first five cards win the bonus with each category."""
ALL_STARTS: Final = 2_598_960

BEST_PLAY_RETURN: Final = "61849287523/63213204600"
"""Return of ante and call per ante with best play, enumerated over all deals [casino_holdem "Acceptance figures"]."""


class CasinoHoldem(BankerGame):
    """賭場撲克."""

    id = "casino_holdem"
    most_actions = 20  # two spots, at tables of many seats
    name = Text("Casino hold'em", "賭場撲克", "赌场扑克")
    rules_type = CasinoHoldemRules
    round_type = CasinoHoldemRound
    case_keys = frozenset()
    summary = words.paragraphs(
        Text(
            "Seats place an ante, and may add a bonus of at most the ante; twice the ante is held back for the "
            "call. One player hand, shared by all seats, and the dealer get two cards each, then three table cards "
            "are turned. Every seat calls (twice the ante) or folds; a seat that does not decide in time folds. If "
            "anybody called, two more table cards follow and the best five of seven cards win. The dealer needs a "
            "pair of fours to qualify: otherwise the ante is paid and the call returned. A better hand wins ante "
            "and call; an equal one gets both back. The ante pays by the player's hand, the call 1:1. The bonus "
            "pays on the first five cards from a pair of aces on, whatever else happens.",
            "玩家下底注，可加獎金注（不超過底注），並預扣雙倍底注作叫牌。閒家（全桌共用）與莊家各發兩張，"
            "再翻三張公共牌。玩家叫牌（兩倍底注）"
            "或棄牌，逾時視為棄牌。有人叫牌則再發兩張，七張取最好五張比大小。莊家須有一對4或以上才合格："
            "不合格時賠付底注並退還叫牌。牌較大贏得底注與叫牌，"
            "完全相同則退還。底注按閒家牌型賠付，叫牌1賠1。獎金按前五張，一對A或以上即賠，與其他結果無關。",
            "玩家下底注，可加奖金注（不超过底注），并预扣双倍底注作叫牌。闲家（全桌共用）与庄家各发两张，"
            "再翻三张公共牌。玩家叫牌（两倍底注）"
            "或弃牌，逾时视为弃牌。有人叫牌则再发两张，七张取最好五张比大小。庄家须有一对4或以上才合格："
            "不合格时赔付底注并退还叫牌。牌较大赢得底注与叫牌，"
            "完全相同则退还。底注按闲家牌型赔付，叫牌1赔1。奖金按前五张，一对A或以上即赔，与其他结果无关。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    words = words.COMMON | {
        ANTE: Text("ante", "底注", "底注"),
        BONUS: Text("bonus", "獎金", "奖金"),
        CALL: Text("call", "叫牌", "叫牌"),
        FOLD: Text("fold", "棄牌", "弃牌"),
        DECISION: Text("call or fold", "叫牌或棄牌", "叫牌或弃牌"),
        PLAYER: Text("player's hand", "閒家牌", "闲家牌"),
        DEALER: Text("dealer's hand", "莊家牌", "庄家牌"),
        BOARD: words.same("table cards", "公共牌"),
        "river": Text("turn and river", "轉牌與河牌", "转牌与河牌"),
        "player_hand": Text("player's best hand", "閒家牌型", "闲家牌型"),
        "dealer_hand": Text("dealer's best hand", "莊家牌型", "庄家牌型"),
        "bonus_hand": Text("hand of the bonus", "獎金牌型", "奖金牌型"),
        "qualified": Text("the dealer qualifies", "莊家合格", "庄家合格"),
        ROYAL_FLUSH: Text("royal flush", "皇家同花順", "皇家同花顺"),
        five_cards.STRAIGHT_FLUSH: Text("straight flush", "同花順", "同花顺"),
        five_cards.FOUR_OF_A_KIND: Text("four of a kind", "四條", "四条"),
        five_cards.FULL_HOUSE: Text("full house", "葫蘆", "葫芦"),
        five_cards.FLUSH: Text("flush", "同花", "同花"),
        five_cards.STRAIGHT: Text("straight", "順子", "顺子"),
        five_cards.THREE_OF_A_KIND: Text("three of a kind", "三條", "三条"),
        five_cards.TWO_PAIR: Text("two pair", "兩對", "两对"),
        five_cards.ONE_PAIR: Text("one pair", "對子", "对子"),
        five_cards.HIGH_CARD: Text("high card", "高牌", "高牌"),
    }

    def least_carry(self, rules: HouseRules) -> int:
        """Return the chips that the least ante needs, the call included."""
        assert isinstance(rules, CasinoHoldemRules)
        return (1 + CALL_MULTIPLE) * rules.min_bet

    def start(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Open the betting for every seat at the table; refused where none holds the least ante.

        Source: [banker "Who is in"].
        """
        assert isinstance(rules, CasinoHoldemRules)
        seats_needed(rules, table)
        if max(table.chips.values(), default=0) < rules.min_bet:
            message = f"no seat at this table holds the {rules.min_bet} chips of the least ante; add chips first"
            raise Refused(NOT_ENOUGH_SEATS, message)
        seats = sorted(table.chips)
        round_ = CasinoHoldemRound(
            carry={seat: table.chips[seat] for seat in seats},
            rules=rules,
            bank=Bank(None),
            players=seats,
            seated=seats.copy(),
            stock=Stock(0, chance.shuffle(PACK_52)),
        )
        return round_, [Shuffled(0, len(PACK_52)), *round_.enter(BETS)]

    def strategy(self, round_: Round, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:
        """Bet the least ante with an equal bonus, and call as ``call_strategy`` says."""
        del rng
        assert isinstance(round_, CasinoHoldemRound)
        if round_.phase == DECISION:
            return actions.Call() if calls(round_.player_hand.cards, round_.board) else actions.Fold()
        for option in options:
            spot, amount = option.arguments.get("spot"), option.arguments.get("amount")
            if (
                isinstance(spot, OneOf)
                and isinstance(amount, Between)
                and not round_.laid_on(seat, str(spot.values[0]))
            ):
                least = max(amount.least, min(round_.antes.get(seat, 0), amount.most))
                return actions.PlaceBet(spot=str(spot.values[0]), amount=least)
        return actions.Done()

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction]:
        """Return what ante with call and bonus return with best play."""
        del rules
        return {ANTE: Fraction(BEST_PLAY_RETURN), BONUS: Fraction(bonus_return(0))}

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what every bet pays; the ante's return is that of ante and call with best play, per ante."""
        with_call = None if rules.fee_bps else BEST_PLAY_RETURN
        found = [Payout(ANTE, self.words[name], f"{odds}:1", with_call) for name, odds in ANTE_ODDS.items()]
        found.append(
            Payout(CALL, Text("better than a dealer that qualifies", "大於合格的莊家", "大于合格的庄家"), "1:1")
        )
        exact = bonus_return(rules.fee_bps)
        found += [Payout(BONUS, self.bonus_text(name), f"{odds}:1", exact) for name, odds in BONUS_ODDS.items()]
        return tuple(found)

    def bonus_text(self, name: str) -> Text:
        """Return with which first five cards the bonus wins."""
        return Text("a pair of aces", "一對A", "一对A") if name == five_cards.ONE_PAIR else self.words[name]

    def greatest_win(self, rules: HouseRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(
            "202", "per ante: a royal flush on the ante, the call and an equal bonus", "皇家同花順", "皇家同花顺"
        )


def bonus_return(fee_bps: int) -> str:
    """Return the return to player of the bonus from the counts of all first five cards."""
    results: dict[int, int] = {}
    for name, hands in BONUS_HANDS.items():
        results[BONUS_ODDS[name]] = results.get(BONUS_ODDS[name], 0) + hands
    return returned({**results, -1: ALL_STARTS - sum(results.values())}, ALL_STARTS, fee_bps)


GAME = CasinoHoldem()
