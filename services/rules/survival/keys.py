"""Descriptions of the house rules of single survival games."""

from typing import Annotated

from services.rules.kinds import Choice, Flag
from services.rules.schema import Group, Rule
from services.rules.text import Text

Five = Annotated[
    str,
    Rule(
        label=Text("A five", "5 的作用", "5 的作用"),
        help=Text("What a played five does.", "打出 5 時的效果。", "打出 5 时的效果。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "skip": Text("Skips the next seat", "跳過下一家", "跳过下一家"),
                "choose": Text("Lets its player choose who goes next", "由出牌者指定下一家", "由出牌者指定下一家"),
            }
        ),
    ),
]
AutoFlip = Annotated[
    bool,
    Rule(
        label=Text("Cards are turned by the house", "自動翻牌", "自动翻牌"),
        help=Text(
            "If off, every player turns its own card in time.",
            "關閉時，由玩家在時限內自行翻牌。",
            "关闭时，由玩家在时限内自行翻牌。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
