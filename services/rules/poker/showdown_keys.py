"""Descriptions of the house rules of poker on the end of a hand: a second board [poker 0.16]."""

from typing import Annotated, Final

from services.rules.kinds import Choice
from services.rules.schema import Group, Rule
from services.rules.text import Text

ONCE: Final = "once"
TWICE: Final = "twice"

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
