"""San gong with an odds table (三公: 閒贏, 閒輸, 和, 三公, 對牌以上): one player hand and one banker hand for all."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import msgspec

from services.rules import happenings
from services.rules.banker import keys, spots, words
from services.rules.banker.bank import BetRules
from services.rules.banker.family import BankerGame, returned
from services.rules.banker.hands import Hand
from services.rules.banker.spots import SpotBets
from services.rules.banker.table import BANK_HAND, BankRound
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.game import Payout
from services.rules.happenings import Dealt, Happening, Noted
from services.rules.phases import Phase
from services.rules.ranking import san_gong, three_cards
from services.rules.ranking.pip_counts import Ranked
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_ranked

PLAYER_WIN: Final = "player_win"
PLAYER_LOSE: Final = "player_lose"
TIE: Final = "tie"
SAN_GONG: Final = "san_gong"
PAIR_PLUS: Final = "pair_plus"
SPOTS: Final = (PLAYER_WIN, PLAYER_LOSE, TIE, SAN_GONG, PAIR_PLUS)

TIE_PAYS: Final = 8
SAN_GONG_PAYS: Final = 16
PAIR_PLUS_PAYS: Final = {
    three_cards.STRAIGHT_FLUSH: 40,
    three_cards.TRIPLE: 30,
    three_cards.STRAIGHT: 6,
    three_cards.FLUSH: 3,
    three_cards.PAIR: 1,
}
HALF_PAY_POINTS: Final = 6
"""Points with which a winning hand pays half the bet."""

POINTS_THEN_COURTS: Final = "points_then_courts"
POINTS: Final = "points"
PLAYER: Final = "player"
EITHER: Final = "either"


HANDS: Final = 22_100
"""Hands of three cards."""
PAIRS_OF_HANDS: Final = 407_170_400
"""Player's and banker's hands together: 22 100 × 18 424."""

WINS: Final[Mapping[str, tuple[int, int]]] = {
    POINTS_THEN_COURTS: (24_886_104, 171_012_136),
    POINTS: (23_684_856, 159_943_336),
}
"""In how many of them the player's hand is higher: with six points, and with any other hand; the banker's as often."""
PLAYER_SAN_GONG: Final = 220
EITHER_SAN_GONG: Final = 8_088_080
"""Hands (of 22 100) with three court cards; pairs of hands (of 407 170 400) of which one or both have them."""
PAIR_PLUS_HANDS: Final = {
    three_cards.STRAIGHT_FLUSH: 48,
    three_cards.TRIPLE: 52,
    three_cards.STRAIGHT: 720,
    three_cards.FLUSH: 1096,
    three_cards.PAIR: 3744,
}
"""Hands of each category, of 22 100."""


class SanGongLiveRules(BetRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 50)
    widest: ClassVar[int | None] = 1000

    tie_rule: keys.TieRule = POINTS_THEN_COURTS
    san_gong_hand: keys.SanGongHand = PLAYER


def pays(spot: str, amount: int, player: Ranked, bank: Ranked, plus: str, rules: SanGongLiveRules) -> int | None:
    """Return what a bet wins [san_gong_live "Pays"]: chips, −amount if it is lost, None if it is returned."""
    if spot in {PLAYER_WIN, PLAYER_LOSE}:
        own, other = (player, bank) if spot == PLAYER_WIN else (bank, player)
        if own.key == other.key:
            return None
        win = amount // 2 if own.points == HALF_PAY_POINTS else amount
        return win if own.key > other.key else -amount
    if spot == TIE:
        return TIE_PAYS * amount if player.key == bank.key else -amount
    if spot == SAN_GONG:
        hands = (player, bank) if rules.san_gong_hand == EITHER else (player,)
        return SAN_GONG_PAYS * amount if any(hand.points is None for hand in hands) else -amount
    assert spot == PAIR_PLUS, f"no spot is called {spot}"
    return PAIR_PLUS_PAYS[plus] * amount if plus in PAIR_PLUS_PAYS else -amount


def exact_return(spot: str, rules: SanGongLiveRules) -> str:
    """Return the return to player of a bet on a spot, from the counts of all hands."""
    six, other = WINS[rules.tie_rule]
    ties = PAIRS_OF_HANDS - 2 * (six + other)
    if spot in {PLAYER_WIN, PLAYER_LOSE}:
        return returned({1: six, 2: other, 0: ties, -2: six + other}, PAIRS_OF_HANDS, rules.fee_bps, unit=2)
    if spot == TIE:
        return returned({TIE_PAYS: ties, -1: PAIRS_OF_HANDS - ties}, PAIRS_OF_HANDS, rules.fee_bps)
    if spot == SAN_GONG:
        hits, total = (EITHER_SAN_GONG, PAIRS_OF_HANDS) if rules.san_gong_hand == EITHER else (PLAYER_SAN_GONG, HANDS)
        return returned({SAN_GONG_PAYS: hits, -1: total - hits}, total, rules.fee_bps)
    results = {PAIR_PLUS_PAYS[name]: hands for name, hands in PAIR_PLUS_HANDS.items()}
    return returned({**results, -1: HANDS - sum(results.values())}, HANDS, rules.fee_bps)


CARDS: Final = 3


class DealBoth(Phase["SanGongLiveRound"], frozen=True):
    """Both hands are dealt, a card each in turn, and every bet is decided."""

    def begin(self, round_: "SanGongLiveRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal and settle."""
        rules, stock = round_.rules, round_.stock
        both = ((PLAYER, round_.player_hand), (BANK_HAND, round_.bank_hand))
        log.append(happenings.Phase("deal"))
        for (zone, hand), (positions, dealt) in zip(both, stock.deal_around(len(both), CARDS), strict=True):
            for card in dealt:
                hand.take(card, up=True)
            log.append(Dealt(None, zone, stock.number, positions, hand.known()))
        player, bank = round_.ranked(round_.player_hand.cards), round_.ranked(round_.bank_hand.cards)
        plus = three_cards.category(three_cards.strength(round_.player_hand.cards))
        log.append(Noted("result", None, {PLAYER: shown(player), "bank": shown(bank), PAIR_PLUS: plus}))
        payouts = round_.new_payouts()
        for seat, laid in round_.spots.items():
            for spot, amount in laid.items():
                payouts.settled(seat, spot, amount, pays(spot, amount, player, bank, plus, rules))
        round_.finish(payouts, log)
        return False


class SanGongLiveRound(BankRound[SanGongLiveRules], kw_only=True):
    """Two hands on the table: the bank's, and one that is shared by all players."""

    phases = (SpotBets(spots=SPOTS), DealBoth())

    player_hand: Hand = msgspec.field(default_factory=Hand)

    def ranked(self, cards: Sequence[Card]) -> Ranked:
        """Rank a hand as the table breaks ties."""
        return san_gong.live(cards, count_courts=self.rules.tie_rule == POINTS_THEN_COURTS)

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a hand's points, or that it is san gong."""
        del owner, zone
        ranked = self.ranked(cards)
        return of_ranked(ranked if ranked.points is None else ranked._replace(category=""))

    def status(self, seat: int) -> str:
        """Return the status of a seat."""
        return spots.status(self, seat)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show both hands."""
        del viewer
        if not self.player_hand.cards:
            return []
        return [Zone(None, PLAYER, self.player_hand.known()), Zone(None, BANK_HAND, self.bank_hand.known())]


def shown(hand: Ranked) -> str:
    """Write a hand's worth for the record."""
    return SAN_GONG if hand.points is None else str(hand.points)


class SanGongLive(BankerGame[SanGongLiveRules, SanGongLiveRound]):
    """三公 (閒贏/閒輸/和/三公/對牌以上)."""

    id = "san_gong_live"
    name = Text("San gong, odds table", "三公（派彩）", "三公（派彩）")
    rules_type = SanGongLiveRules
    round_type = SanGongLiveRound
    open_cards = True
    summary = words.paragraphs(
        Text(
            "Seats bet on one player hand against one banker hand, of three cards each. Three court cards (san "
            "gong) beat 9 points, and so on down to 0; points are the last digit of the sum, 10 J Q K counting "
            "nothing. At equal points the hand with more court cards wins, otherwise it is a tie. “Player wins” "
            "and “player loses” pay 1:1, or half of that if the winning hand has 6 points, and are returned on a "
            "tie; tie pays 8, san gong (the player's hand) 16; pair or better (the player's hand): straight flush "
            "40, three of a kind 30, straight 6, flush 3, pair 1. Betting closes when the time is up or every seat "
            "is done.",
            "押閒家與莊家各三張牌的勝負。三公（三張J、Q、K）＞9點＞…＞0點；點數取和的個位數，10、J、Q、K為零點；同"
            "點時比公牌數，再相同為和局。閒贏、閒輸1賠1，以6點勝出則1賠0.5，和局退回；和1賠8；三公（閒家牌）1賠16；"
            "對牌以上（閒家牌）：同花順40、三條30、順子6、同花3、一對1。下注時間結束或所有玩家完成下注後開牌。",
            "押闲家与庄家各三张牌的胜负。三公（三张J、Q、K）＞9点＞…＞0点；点数取和的个位数，10、J、Q、K为零点；同"
            "点时比公牌数，再相同为和局。闲赢、闲输1赔1，以6点胜出则1赔0.5，和局退回；和1赔8；三公（闲家牌）1赔16；"
            "对牌以上（闲家牌）：同花顺40、三条30、顺子6、同花3、一对1。下注时间结束或所有玩家完成下注后开牌。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.SPOT_TERMS + Terms(
        zone=f"{PLAYER} bank",
        reason=" ".join(SPOTS),
        word=" ".join((*SPOTS, *three_cards.CATEGORIES)),
        happening="result",
        fact="player_points bank_points player_hand bank_hand pair_plus",
    )
    words = words.COMMON | {
        PLAYER: Text("player's hand", "閒家牌", "闲家牌"),
        "player_points": Text("points of the player's hand", "閒家點數", "闲家点数"),
        "player_hand": Text("the player's hand", "閒家牌型", "闲家牌型"),
        "bank_points": Text("points of the banker's hand", "莊家點數", "庄家点数"),
        "bank_hand": Text("the banker's hand", "莊家牌型", "庄家牌型"),
        "result": Text("result", "結果", "结果"),
        PLAYER_WIN: Text("player wins", "閒贏", "闲赢"),
        PLAYER_LOSE: Text("player loses", "閒輸", "闲输"),
        SAN_GONG: Text("san gong: three court cards", "三公", "三公"),
        PAIR_PLUS: Text("pair or better", "對牌以上", "对牌以上"),
        three_cards.STRAIGHT_FLUSH: Text("straight flush", "同花順", "同花顺"),
        three_cards.TRIPLE: Text("three of a kind", "三條", "三条"),
        three_cards.STRAIGHT: Text("straight", "順子", "顺子"),
        three_cards.FLUSH: Text("flush", "同花", "同花"),
        three_cards.PAIR: Text("pair", "一對", "一对"),
        three_cards.HIGH_CARD: Text("no pair", "無對", "无对"),
    }

    def payouts(self, rules: SanGongLiveRules) -> tuple[Payout, ...]:
        """List what every spot pays with its exact return, the fee taken off."""
        pays = {
            PLAYER_WIN: "1:1, 1:2",
            PLAYER_LOSE: "1:1, 1:2",
            TIE: f"{TIE_PAYS}:1",
            SAN_GONG: f"{SAN_GONG_PAYS}:1",
        }
        found = [Payout(spot, self.words[spot], pay, exact_return(spot, rules)) for spot, pay in pays.items()]
        found += [
            Payout(PAIR_PLUS, self.words[name], f"{times}:1", exact_return(PAIR_PLUS, rules))
            for name, times in PAIR_PLUS_PAYS.items()
        ]
        return tuple(found)

    def greatest_win(self, rules: SanGongLiveRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(str(max(PAIR_PLUS_PAYS.values())), "a straight flush", "同花順", "同花顺")


GAME = SanGongLive()
