"""Descriptions of the house rules of single showdown games."""

from typing import Annotated

from services.rules.kinds import Choice, Flag
from services.rules.schema import Group, Rule
from services.rules.text import Text

Jokers = Annotated[
    bool,
    Rule(
        label=Text("Play with jokers", "使用鬼牌", "使用鬼牌"),
        help=Text(
            "54 cards with both jokers, or 52 without them.",
            "54 張含大小王，或 52 張不含。",
            "54 张含大小王，或 52 张不含。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
Ranking = Annotated[
    str,
    Rule(
        label=Text("Ranking of hands", "牌型規則", "牌型规则"),
        help=Text(
            "Which categories there are, and whether hands can be equal.",
            "有哪些牌型，以及是否可能平手。",
            "有哪些牌型，以及是否可能平手。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "online": Text("Online rules: never equal", "線上規則：必分大小", "线上规则：必分大小"),
                "home": Text("Home rules: equal hands tie", "家庭規則：同點為和", "家庭规则：同点为和"),
            }
        ),
    ),
]
