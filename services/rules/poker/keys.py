"""Descriptions of the house rules of poker [poker 0.1]."""

from typing import Annotated, Final

from services.rules.kinds import MOST_FACTOR, NO_LIMIT, Choice, Flag, Integer
from services.rules.ranking import five_cards
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

BUTTON_SMALL: Final = "button_small"
LEFT_SMALL: Final = "left_small"
BLINDS: Final = "blinds"
BUTTON_BLIND: Final = "button_blind"
LIVE: Final = "live"
DEAD: Final = "dead"
BIG_BLIND: Final = "big_blind"
NOTHING: Final = "nothing"
POST: Final = "post"
MOST_BET: Final = 10**12
"""Greatest blind, ante or minimum bet, in chips: so far below int64 that no limit derived from it overflows."""

Betting = Annotated[
    str,
    Rule(
        label=Text("Betting", "下注限制", "下注限制"),
        help=Text("How much may be bet and raised.", "每次下注與加注的幅度。", "每次下注与加注的幅度。"),
        group=Group.STAKES,
        kind=Choice(
            labels={
                "no_limit": Text("No limit: up to all chips", "無限注：最多全部籌碼", "无限注：最多全部筹码"),
                "pot_limit": Text("Pot limit: up to the pot", "底池限注：最多底池大小", "底池限注：最多底池大小"),
                "fixed_limit": Text(
                    "Fixed limit: one size for each round", "固定限注：每輪金額固定", "固定限注：每轮金额固定"
                ),
            }
        ),
    ),
]
RaiseCap = Annotated[
    int,
    Rule(
        label=Text("Bets and raises in a round", "每輪加注次數", "每轮加注次数"),
        help=Text(
            "With fixed limit: how many bets and raises one betting round has; a big blind counts.",
            "固定限注時，每輪下注與加注的總次數；大盲注計入。",
            "固定限注时，每轮下注与加注的总次数；大盲注计入。",
        ),
        group=Group.STAKES,
        kind=Integer(least=0, greatest=MOST_FACTOR, zero=NO_LIMIT),
    ),
]
BigBlind = Annotated[
    int,
    Rule(
        label=Text("Big blind", "大盲注", "大盲注"),
        help=Text(
            "The greater of the two forced bets; also the least bet.",
            "兩個強制注中較大的一個，也是最低下注額。",
            "两个强制注中较大的一个，也是最低下注额。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=2, greatest=MOST_BET),
    ),
]
SmallBlind = Annotated[
    int | None,
    Rule(
        label=Text("Small blind", "小盲注", "小盲注"),
        help=Text("The smaller of the two forced bets.", "兩個強制注中較小的一個。", "两个强制注中较小的一个。"),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1, greatest=MOST_BET, not_above="big_blind"),
        absent=Text("half of the big blind, rounded down", "大盲注的一半，捨去小數", "大盲注的一半，舍去小数"),
    ),
]
HeadsUpBlinds = Annotated[
    str,
    Rule(
        label=Text("Blinds of two players", "兩人時的盲注", "两人时的盲注"),
        help=Text(
            "Which of two players posts the small blind.", "只剩兩人時由誰下小盲注。", "只剩两人时由谁下小盲注。"
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                BUTTON_SMALL: Text("The dealer button", "莊家下小盲", "庄家下小盲"),
                LEFT_SMALL: Text("The player left of the button", "莊家左手邊下小盲", "庄家左手边下小盲"),
            }
        ),
    ),
]
ForcedBets = Annotated[
    str,
    Rule(
        label=Text("Forced bets", "強制注", "强制注"),
        help=Text(
            "Which forced bets open a hand.",
            "每局以何種強制注開始。",
            "每局以何种强制注开始。",
        ),
        group=Group.STAKES,
        kind=Choice(
            labels={
                BLINDS: Text("Small and big blind", "小盲注與大盲注", "小盲注与大盲注"),
                BUTTON_BLIND: Text(
                    "Antes, and one blind of the button", "底注，莊家下一個盲注", "底注，庄家下一个盲注"
                ),
            }
        ),
    ),
]
FlushOrder = Annotated[
    str,
    Rule(
        label=Text("Order of flushes", "同花比法", "同花比法"),
        help=Text("What decides between two flushes.", "兩副同花如何分出大小。", "两副同花如何分出大小。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                five_cards.SUIT_FIRST: Text("The suit, then the ranks", "先比花色，再比點數", "先比花色，再比点数"),
                five_cards.RANK_FIRST: Text("The ranks, then the suit", "先比點數，再比花色", "先比点数，再比花色"),
                five_cards.RANK_ONLY: Text("The ranks alone; suits never", "只比點數，不比花色", "只比点数，不比花色"),
            }
        ),
    ),
]
MinBet = Annotated[
    int,
    Rule(
        label=Text("Least bet", "最低下注", "最低下注"),
        help=Text("The least opening bet and raise.", "開注與加注的最低籌碼。", "开注与加注的最低筹码。"),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1, greatest=MOST_BET),
    ),
]
Ante = Annotated[
    int,
    Rule(
        label=Text("Ante", "底注", "底注"),
        help=Text(
            "What each seat puts into the pot before the deal.",
            "發牌前每位玩家放入底池的籌碼。",
            "发牌前每位玩家放入底池的筹码。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=0, greatest=MOST_BET),
    ),
]
BlindAnte = Annotated[
    int,
    Rule(
        label=Text("Ante", "前注", "前注"),
        help=Text(
            "What is put into the pot before the blinds.", "下盲注之前放入底池的籌碼。", "下盲注之前放入底池的筹码。"
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=0, greatest=MOST_BET),
    ),
]
AnteMode = Annotated[
    str,
    Rule(
        label=Text("Kind of ante", "前注方式", "前注方式"),
        help=Text(
            "Who antes, and what a seat that could not ante in full may win.",
            "由誰下前注，以及前注不足者可贏得多少。",
            "由谁下前注，以及前注不足者可赢得多少。",
        ),
        group=Group.STAKES,
        kind=Choice(
            labels={
                LIVE: Text(
                    "Every seat; each matches the others'", "每人下注，依各人金額對抵", "每人下注，依各人金额对抵"
                ),
                DEAD: Text("Every seat; all into the main pot", "每人下注，全數進入主池", "每人下注，全数进入主池"),
                BIG_BLIND: Text("The big blind for all", "大盲代全桌下注", "大盲代全桌下注"),
            }
        ),
    ),
]
OpenCheck = Annotated[
    bool,
    Rule(
        label=Text("The first player may check", "首家可過牌", "首家可过牌"),
        help=Text(
            "If off, a seat must bet or fold until somebody has bet.",
            "關閉時，無人下注前只能下注或棄牌。",
            "关闭时，无人下注前只能下注或弃牌。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
ShowhandFrom = Annotated[
    int,
    Rule(
        label=Text("All-in from betting round", "可梭哈的輪次", "可梭哈的轮次"),
        help=Text(
            "The first betting round in which a bet may take a seat's last chip; 1 allows it always.",
            "從第幾輪起可以押上全部籌碼；1 表示隨時可以。",
            "从第几轮起可以押上全部筹码；1 表示随时可以。",
        ),
        group=Group.PLAY,
        kind=Integer(least=1, greatest=MOST_FACTOR),
    ),
]

# -- the royal club

RoyalBase = Annotated[
    int,
    Rule(
        label=Text("Base stake", "底注", "底注"),
        help=Text(
            "The big blind; half of it is the small blind.", "即大盲注；其一半為小盲注。", "即大盲注；其一半为小盲注。"
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=2, greatest=MOST_BET, step=2),
    ),
]
Reraise = Annotated[
    bool,
    Rule(
        label=Text("Raising again", "可再加注", "可再加注"),
        help=Text(
            "A player who has acted may raise again after another's raise.",
            "已行動的玩家在他人加注後可以再加注。",
            "已行动的玩家在他人加注后可以再加注。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
DealerDraw = Annotated[
    str,
    Rule(
        label=Text("Draw for the dealer", "抽牌定莊", "抽牌定庄"),
        help=Text("When cards are drawn to decide who deals.", "何時抽牌決定莊家。", "何时抽牌决定庄家。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "first": Text("In the first round", "第一局", "第一局"),
                "every": Text("In every round", "每一局", "每一局"),
                "none": Text("Never; the button moves to the left", "不抽，由左手邊輪流", "不抽，由左手边轮流"),
            }
        ),
    ),
]
Timeout = Annotated[
    str,
    Rule(
        label=Text("When time runs out", "逾時處理", "超时处理"),
        help=Text(
            "What is done for a player who does not decide in time.",
            "玩家逾時未決定時由系統採取的動作。",
            "玩家超时未决定时由系统采取的动作。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "fold": Text("Fold, always", "一律蓋牌", "一律盖牌"),
                "check_or_fold": Text(
                    "Check where that is free, else fold", "可過牌則過，否則蓋牌", "可过牌则过，否则盖牌"
                ),
            }
        ),
    ),
]
