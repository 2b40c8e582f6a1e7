"""Descriptions of the house rules that all games have; ``keys`` describes those that some games share."""

from typing import Annotated, Final

from services.rules.kinds import NO_LIMIT, Choice, Flag, Integer
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

MOST_SECONDS: Final = 3600
WHOLE_BPS: Final = 10_000
ACTIVITY_FEE_BPS: Final = 500
"""The activity fee where a sheet names one: 5 % of a seat's net win."""

USUAL: Final = Text("as many as the game usually has", "依遊戲的一般人數", "按游戏的一般人数")

# -- what the house takes

FeeBps = Annotated[
    int,
    Rule(
        label=Text("Fee on a win", "贏家服務費", "赢家服务费"),
        help=Text(
            "The house's share of what a seat wins in a round, in hundredths of a percent: 500 is 5 %.",
            "每局從贏家淨贏額收取的比例，以萬分之一計：500 即 5%。",
            "每局从赢家净赢额收取的比例，以万分之一计：500 即 5%。",
        ),
        group=Group.HOUSE,
        unit=Unit.BASIS_POINTS,
        kind=Integer(greatest=WHOLE_BPS),
    ),
]
WinCap = Annotated[
    str,
    Rule(
        label=Text("Cap of a win", "贏額上限", "赢额上限"),
        help=Text(
            "How much a seat can win in one round.",
            "玩家一局最多能贏多少。",
            "玩家一局最多能赢多少。",
        ),
        group=Group.HOUSE,
        kind=Choice(
            labels={
                "none": Text("No cap", "無上限", "无上限"),
                "stake": Text("What the seat brought to the round", "開局時自己的籌碼", "开局时自己的筹码"),
            }
        ),
    ),
]
RakeBps = Annotated[
    int,
    Rule(
        label=Text("Rake of a pot", "底池抽成", "底池抽成"),
        help=Text(
            "The house's share of every pot, in hundredths of a percent: 500 is 5 %.",
            "系統從每個底池抽取的比例，以萬分之一計：500 即 5%。",
            "系统从每个底池抽取的比例，以万分之一计：500 即 5%。",
        ),
        group=Group.HOUSE,
        unit=Unit.BASIS_POINTS,
        kind=Integer(greatest=WHOLE_BPS),
    ),
]
RakeCap = Annotated[
    int,
    Rule(
        label=Text("Most rake in a round", "每局抽成上限", "每局抽成上限"),
        help=Text(
            "The most that the house takes from all pots of one round.",
            "一局中系統從所有底池抽取的最高總額。",
            "一局中系统从所有底池抽取的最高总额。",
        ),
        group=Group.HOUSE,
        unit=Unit.CHIPS,
        kind=Integer(least=0, zero=NO_LIMIT),
    ),
]
NoFlopNoDrop = Annotated[
    bool,
    Rule(
        label=Text("No flop, no rake", "未翻牌不抽成", "未翻牌不抽成"),
        help=Text(
            "A round that ends before the flop pays no rake.",
            "翻牌前結束的牌局不抽成。",
            "翻牌前结束的牌局不抽成。",
        ),
        group=Group.HOUSE,
        kind=Flag(),
    ),
]

# -- times and seats

TurnSeconds = Annotated[
    int,
    Rule(
        label=Text("Time for a decision", "思考時間", "思考时间"),
        help=Text(
            "A seat that has not acted by then takes the action that the rules name for it.",
            "逾時未行動者，依規則由系統代為行動。",
            "超时未行动者，按规则由系统代为行动。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=1, greatest=MOST_SECONDS),
    ),
]
BetSeconds = Annotated[
    int,
    Rule(
        label=Text("Time for bets", "下注時間", "下注时间"),
        help=Text(
            "How long a betting window stays open in which all seats act at once.",
            "所有玩家同時下注的時間長度。",
            "所有玩家同时下注的时间长度。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=1, greatest=MOST_SECONDS),
    ),
]
_MIN_SEATS: Final = Text("Seats needed", "最少人數", "最少人数")
_MIN_HELP: Final = Text(
    "A round starts only with so many seats or more.", "達到此人數才能開始一局。", "达到此人数才能开始一局。"
)
_MAX_SEATS: Final = Text("Seats at the table", "座位數", "座位数")
_MAX_HELP: Final = Text("How many players can sit down.", "此桌最多可入座的人數。", "此桌最多可入座的人数。")

MinSeats = Annotated[
    int,
    Rule(
        label=_MIN_SEATS,
        help=_MIN_HELP,
        group=Group.SEATS,
        unit=Unit.SEATS,
        kind=Integer(least=1, not_above="max_seats"),
    ),
]
MaxSeats = Annotated[
    int,
    Rule(label=_MAX_SEATS, help=_MAX_HELP, group=Group.SEATS, unit=Unit.SEATS, kind=Integer(least=1)),
]
UsualMinSeats = Annotated[
    int,
    Rule(
        label=_MIN_SEATS,
        help=_MIN_HELP,
        group=Group.SEATS,
        unit=Unit.SEATS,
        kind=Integer(least=1, zero=USUAL, not_above="max_seats"),
    ),
]
UsualMaxSeats = Annotated[
    int,
    Rule(
        label=_MAX_SEATS,
        help=_MAX_HELP,
        group=Group.SEATS,
        unit=Unit.SEATS,
        kind=Integer(least=1, zero=USUAL),
    ),
]
UnlimitedSeats = Annotated[
    int,
    Rule(
        label=_MAX_SEATS,
        help=_MAX_HELP,
        group=Group.SEATS,
        unit=Unit.SEATS,
        kind=Integer(least=1, zero=NO_LIMIT),
    ),
]
