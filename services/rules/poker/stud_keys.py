"""Descriptions of the house rules of stud [poker 0.10]."""

from typing import Annotated, Final

from services.rules.kinds import Choice, Flag, Integer
from services.rules.poker.keys import MOST_BET
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

BEST_HAND: Final = "best_hand"
BRING_IN: Final = "bring_in"

Opening = Annotated[
    str,
    Rule(
        label=Text("Opening of the first round", "首輪開注", "首轮开注"),
        help=Text(
            "Who opens the first betting round, and whether that seat must put chips in.",
            "第一輪下注由誰先行動，以及是否必須下注。",
            "第一轮下注由谁先行动，以及是否必须下注。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                BEST_HAND: Text("The best visible hand, freely", "明牌最大者，可自由決定", "明牌最大者，可自由决定"),
                BRING_IN: Text("A forced bring-in by the door card", "依首張明牌強制開牌注", "依首张明牌强制开牌注"),
            }
        ),
    ),
]
BringIn = Annotated[
    int | None,
    Rule(
        label=Text("Bring-in", "開牌注", "开牌注"),
        help=Text(
            "The forced first bet where the opening is a bring-in.",
            "首輪採強制開牌注時，開牌者必須下的籌碼。",
            "首轮采用强制开牌注时，开牌者必须下的筹码。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1, greatest=MOST_BET, not_above="min_bet"),
        absent=Text(
            "half of the least bet, rounded down, at least 1",
            "最低下注的一半，捨去小數，至少為 1",
            "最低下注的一半，舍去小数，至少为 1",
        ),
    ),
]
Completion = Annotated[
    int | None,
    Rule(
        label=Text("Completion of the bring-in", "開牌注補足額", "开牌注补足额"),
        help=Text(
            "The full bet to which a bring-in is completed; it counts as the first bet of the round.",
            "把開牌注補足為完整下注的金額，視為該輪的第一注。",
            "把开牌注补足为完整下注的金额，视为该轮的第一注。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1, greatest=MOST_BET, not_below="min_bet"),
        absent=Text("the least bet", "最低下注", "最低下注"),
    ),
]
Exposure = Annotated[
    bool,
    Rule(
        label=Text("Choice of the last up card", "自選最後一張明牌", "自选最后一张明牌"),
        help=Text(
            "Before the last betting round each seat turns up a down card of its choice. If off, the last card of "
            "five-card stud is dealt face up, and that of seven-card stud stays down.",
            "最後一輪下注前，各玩家自選一張暗牌亮出。關閉時，五張梭哈的第五張直接發明牌，七張梭哈的第七張保持暗牌。",
            "最后一轮下注前，各玩家自选一张暗牌亮出。关闭时，五张梭哈的第五张直接发明牌，七张梭哈的第七张保持暗牌。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
