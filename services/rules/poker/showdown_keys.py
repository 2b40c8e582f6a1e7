"""Descriptions of the house rules of poker on the end of a hand: second board, hidden hands [poker 0.16, 0.17]."""

from typing import Annotated, Final

from services.rules.kinds import Choice
from services.rules.schema import Group, Rule
from services.rules.text import Text

ONCE: Final = "once"
TWICE: Final = "twice"
ALL: Final = "all"
WINNER: Final = "winner"
LOSERS: Final = "losers"

RunIt = Annotated[
    str,
    Rule(
        label=Text("Run it twice", "發兩次牌", "发两次牌"),
        help=Text(
            "Whether the table cards still to come may be dealt twice once nobody can bet any more.",
            "無人能再下注時，剩餘的公牌可否發兩次。",
            "无人能再下注时，剩余的公牌可否发两次。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                ONCE: Text("Never: one board", "不可：只發一次", "不可：只发一次"),
                TWICE: Text(
                    "If all live players agree; each pot is halved",
                    "未蓋牌者全部同意時；各底池平分為二",
                    "未盖牌者全部同意时；各底池平分为二",
                ),
            }
        ),
    ),
]
Show = Annotated[
    str,
    Rule(
        label=Text("Hands at the end", "結束時亮牌", "结束时亮牌"),
        help=Text(
            "Which hands are shown at the end, and who may choose.",
            "牌局結束時哪些牌須亮出、誰可選擇不亮。",
            "牌局结束时哪些牌须亮出、谁可选择不亮。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                ALL: Text("All hands of a showdown", "攤牌者全部亮牌", "摊牌者全部亮牌"),
                WINNER: Text(
                    "All of a showdown; a winner whom nobody called may show",
                    "攤牌者全部亮牌；無人跟注的贏家可自選",
                    "摊牌者全部亮牌；无人跟注的赢家可自选",
                ),
                LOSERS: Text(
                    "Winners of a showdown; losers and a winner whom nobody called may show",
                    "攤牌贏家亮牌；輸家與無人跟注的贏家可自選",
                    "摊牌赢家亮牌；输家与无人跟注的赢家可自选",
                ),
            }
        ),
    ),
]
