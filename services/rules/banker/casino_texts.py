"""Texts of casino hold'em."""

from typing import Final

from services.rules.banker import words
from services.rules.ranking import five_cards
from services.rules.text import Text
from services.rules.vocabulary import Terms

SUMMARY: Final = words.paragraphs(
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

WORDS: Final[dict[str, Text]] = words.COMMON | {
    "ante": Text("ante", "底注", "底注"),
    "bonus": Text("bonus", "獎金", "奖金"),
    "call": Text("call", "叫牌", "叫牌"),
    "fold": Text("fold", "棄牌", "弃牌"),
    "decision": Text("call or fold", "叫牌或棄牌", "叫牌或弃牌"),
    "player": Text("player's hand", "閒家牌", "闲家牌"),
    "dealer": Text("dealer's hand", "莊家牌", "庄家牌"),
    "board": words.same("table cards", "公共牌"),
    "river": Text("turn and river", "轉牌與河牌", "转牌与河牌"),
    "player_hand": Text("player's best hand", "閒家牌型", "闲家牌型"),
    "dealer_hand": Text("dealer's best hand", "莊家牌型", "庄家牌型"),
    "bonus_hand": Text("hand of the bonus", "獎金牌型", "奖金牌型"),
    "qualified": Text("the dealer qualifies", "莊家合格", "庄家合格"),
    "royal_flush": Text("royal flush", "皇家同花順", "皇家同花顺"),
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

TERMS: Final = Terms(
    phase="bets deal decision river showdown ended",
    zone="player dealer board",
    status="betting call done fold passed turn",
    reason="ante bonus call net",
    action="place_bet done call fold",
    argument="spot amount",
    word=" ".join(("ante", "bonus", "royal_flush", *five_cards.CATEGORIES)),
    happening="done fold no_bets",
    suggestion="min max",
    fact="house_banks bonus_hand dealer_hand player_hand qualified",
)
