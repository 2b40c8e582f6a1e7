"""Texts of Napoleon."""

from typing import Final

from services.rules.text import Text
from services.rules.tricks.texts import COMMON, PASS, SUITS, summary
from services.rules.tricks.texts import TERMS as TRICK_TERMS
from services.rules.vocabulary import Terms

NAME: Final = Text(en="Napoleon", zh_hant="拿破崙", zh_hans="拿破仑")

SUMMARY: Final = summary(
    en=(
        "Four to seven players, 53 cards with the joker less some low ones, four cards each; the rest is the "
        "stock. Everybody bids once how many card points he will take with which trumps; the highest bidder is "
        "Napoleon. With six or seven players he names a card whose holder is his secret adjutant. Napoleon "
        "leads; in the first trick neither trumps nor spades may be led, and a player who holds nothing else "
        "lays a card face down and passes the lead on. Follow suit if you can; the joker may be played at any "
        "time. Spade ace beats joker beats trumps. A player who leads the joker may call for trumps; one who "
        "leads the three of clubs may call for the joker. After each trick all draw from the stock (by house "
        "rule only the winner). Napoleon's army wins with the points bid: each ally pays him twice the base "
        "and the adjutant the base; with fewer points, they pay each ally the same. A player who does not bid "
        "in time passes. A Napoleon who names no card in time gets the first that he does not hold of spade "
        "ace, joker, trump A K Q J 10. At a deadline the joker and the spade ace are played last, and nothing "
        "is called."
    ),
    zh_hant=(
        "4至7人，用連飛牌53張減去若干小牌，每人4張，餘為貯存牌。各人輪流喊一次王牌花色與分數，最高者為拿破崙；6、"
        "7人時由其指名一張牌，持有者為秘密副官。拿破崙先出，首墩不得出王牌與黑桃；別無他牌者扣一張牌，出牌權讓"
        "左鄰。須跟同花色，飛牌隨時可出；黑桃A大於飛牌，飛牌大於王牌。出飛牌者可請王牌，出梅花3者可請飛牌。每墩"
        "後各人抽一張貯存牌（或依房規僅贏家抽牌）。拿破崙軍得分達到所喊分數即勝：聯合軍每人付拿破崙兩倍底注、付"
        "副官一倍底注；未達則反向支付。逾時未喊視為不喊；逾時未指名者，取黑桃A、飛牌、王牌A、K、Q、J、10中自己"
        "未持有的第一張。逾時出牌以飛牌、黑桃A為最後，且不請牌。"
    ),
    zh_hans=(
        "4至7人，用连飞牌53张减去若干小牌，每人4张，余为贮存牌。各人轮流喊一次王牌花色与分数，最高者为拿破仑；6、"
        "7人时由其指名一张牌，持有者为秘密副官。拿破仑先出，首墩不得出王牌与黑桃；别无他牌者扣一张牌，出牌权让"
        "左邻。须跟同花色，飞牌随时可出；黑桃A大于飞牌，飞牌大于王牌。出飞牌者可请王牌，出梅花3者可请飞牌。每墩"
        "后各人抽一张贮存牌（或依房规仅赢家抽牌）。拿破仑军得分达到所喊分数即胜：联合军每人付拿破仑两倍底注、付"
        "副官一倍底注；未达则反向支付。逾时未喊视为不喊；逾时未指名者，取黑桃A、飞牌、王牌A、K、Q、J、10中自己"
        "未持有的第一张。逾时出牌以飞牌、黑桃A为最后，且不请牌。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    "pass": PASS,
    "bidding": Text(en="bidding", zh_hant="宣言", zh_hans="宣言"),
    "bid": Text(en="bid", zh_hant="喊分", zh_hans="喊分"),
    "bidder": Text(en="highest bidder", zh_hant="最高宣言者", zh_hans="最高宣言者"),
    "bid_trump": Text(en="trumps of the highest bid", zh_hant="最高宣言之王牌", zh_hans="最高宣言之王牌"),
    "points": Text(en="points", zh_hant="分數", zh_hans="分数"),
    "army_points": Text(en="points of Napoleon's army", zh_hant="拿破崙軍的分數", zh_hans="拿破仑军的分数"),
    "napoleon": Text(en="Napoleon", zh_hant="拿破崙", zh_hans="拿破仑"),
    "adjutant": Text(en="adjutant", zh_hant="副官", zh_hans="副官"),
    "ally": Text(en="ally", zh_hant="聯合軍", zh_hans="联合军"),
    "alone": Text(en="Napoleon stands alone", zh_hant="拿破崙獨自作戰", zh_hans="拿破仑独自作战"),
    "naming": Text(en="naming the adjutant", zh_hant="指名副官", zh_hans="指名副官"),
    "name_adjutant": Text(en="name the adjutant's card", zh_hant="指名副官牌", zh_hans="指名副官牌"),
    "named": Text(en="named card", zh_hant="指名的牌", zh_hans="指名的牌"),
    "card": Text(en="card", zh_hant="牌", zh_hans="牌"),
    "play_down": Text(en="lay a card face down", zh_hant="扣牌", zh_hans="扣牌"),
    "down": Text(en="laid face down", zh_hant="扣下的牌", zh_hans="扣下的牌"),
    "call": Text(en="call", zh_hant="請牌", zh_hans="请牌"),
    "trumps": Text(en="trumps are called", zh_hant="請王牌", zh_hans="请王牌"),
    "joker": Text(en="the joker is called", zh_hant="請飛牌", zh_hans="请飞牌"),
    "no_bid": Text(en="nobody bids", zh_hant="無人宣言", zh_hans="无人宣言"),
    "won": Text(en="Napoleon's army has won", zh_hant="拿破崙軍勝", zh_hans="拿破仑军胜"),
    "lost": Text(en="the allies have won", zh_hant="聯合軍勝", zh_hans="联合军胜"),
}

TERMS: Final = TRICK_TERMS + Terms(
    phase="play bidding naming",
    zone="down",
    status="napoleon adjutant ally",
    reason="napoleon adjutant",
    action="bid pass name_adjutant play_down",
    argument="points trump card call",
    word=f"{SUITS} joker trumps",
    suggestion="min max",
    happening="bid no_bid napoleon named call down decided adjutant alone won lost",
    fact="napoleon adjutant army_points bid bid_trump bidder call named points trump cards action",
)

WON: Final = Text(
    en="Napoleon's army makes the bid: each ally pays Napoleon and the adjutant",
    zh_hant="拿破崙軍達到所喊分數：聯合軍每人付拿破崙與副官",
    zh_hans="拿破仑军达到所喊分数：联合军每人付拿破仑与副官",
)
LOST: Final = Text(
    en="Napoleon's army fails: Napoleon and the adjutant pay each ally",
    zh_hant="拿破崙軍未達分數：拿破崙與副官付聯合軍每人",
    zh_hans="拿破仑军未达分数：拿破仑与副官付联合军每人",
)


def greatest(base: int, seats: int) -> Text:
    """Return what Napoleon can win at most."""
    most = 2 * base * (seats - 1)
    return Text(
        en=f"{most} chips: Napoleon alone against {seats - 1} allies",
        zh_hant=f"{most} 籌碼：拿破崙獨自對 {seats - 1} 名聯合軍",
        zh_hans=f"{most} 筹码：拿破仑独自对 {seats - 1} 名联合军",
    )
