"""Descriptions of the house rules of dou dizhu."""

from typing import Annotated

from services.rules.kinds import Choice, Flag
from services.rules.schema import Group, Rule
from services.rules.text import Text

Bidding = Annotated[
    str,
    Rule(
        label=Text("How the landlord is found", "叫地主方式", "叫地主方式"),
        help=Text("How seats bid to play against the two others.", "玩家如何爭當地主。", "玩家如何争当地主。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "points": Text("Bids of 1 to 3 points", "叫 1 至 3 分", "叫 1 至 3 分"),
                "rob": Text("Calling, then robbing", "叫地主、搶地主", "叫地主、抢地主"),
            }
        ),
    ),
]
Spring = Annotated[
    bool,
    Rule(
        label=Text("Spring doubles", "春天加倍", "春天加倍"),
        help=Text(
            "The stake doubles where the losers never played, or the landlord only once.",
            "輸家從未出牌，或地主只出過一手時，輸贏加倍。",
            "输家从未出牌，或地主只出过一手时，输赢加倍。",
        ),
        group=Group.PAYS,
        kind=Flag(),
    ),
]
EqualWings = Annotated[
    bool,
    Rule(
        label=Text("Equal wings of a plane", "飛機可帶相同單張", "飞机可带相同单张"),
        help=Text(
            "The single cards that a plane carries may be of one rank.",
            "飛機所帶的單張可以同點數。",
            "飞机所带的单张可以同点数。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
