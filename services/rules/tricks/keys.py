"""Descriptions of the house rules of trick-taking games."""

from typing import Annotated

from services.rules.kinds import Choice, Integer
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

Stake = Annotated[
    int,
    Rule(
        label=Text("Stake of a match", "每場底注", "每场底注"),
        help=Text(
            "What each seat puts into the pot when a match starts.",
            "一場開始時每位玩家放入公池的籌碼。",
            "一场开始时每位玩家放入公池的筹码。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1),
    ),
]
PoolStake = Annotated[
    int,
    Rule(
        label=Text("Stake of a pool", "每池底注", "每池底注"),
        help=Text(
            "What the dealer puts into the single pool, and every seat into the double one: a multiple of 3.",
            "單池由莊家放入、雙池由每位玩家放入的籌碼；由三墩平分，故須為 3 的倍數。",
            "单池由庄家放入、双池由每位玩家放入的筹码；由三墩平分，故须为 3 的倍数。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=3, step=3),
    ),
]
Point = Annotated[
    int,
    Rule(
        label=Text("Chips for a point", "每點籌碼", "每点筹码"),
        help=Text("What one point is worth.", "每一點可得的籌碼。", "每一点可得的筹码。"),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1),
    ),
]
PointFrom = Annotated[
    str,
    Rule(
        label=Text("Who pays a point", "由誰付點", "由谁付点"),
        help=Text("Where the chips for a point come from.", "得點時籌碼的來源。", "得点时筹码的来源。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "pot": Text("The pot", "公池", "公池"),
                "others": Text("Every other seat", "其他每位玩家", "其他每位玩家"),
            }
        ),
    ),
]
Queens = Annotated[
    str,
    Rule(
        label=Text("Queens that count", "計點的 Q", "计点的 Q"),
        help=Text("Which queens win a point.", "哪些 Q 可以得點。", "哪些 Q 可以得点。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "any": Text("Any queen", "任何 Q", "任何 Q"),
                "club": Text("The queen of clubs only", "只有梅花 Q", "只有梅花 Q"),
            }
        ),
    ),
]
MinBid = Annotated[
    int,
    Rule(
        label=Text("Least bid", "最低叫分", "最低叫分"),
        help=Text(
            "The card points that a first bid promises at least.",
            "首次叫牌至少須叫的分數。",
            "首次叫牌至少须叫的分数。",
        ),
        group=Group.PLAY,
        unit=Unit.POINTS,
        kind=Integer(least=1),
    ),
]
Draw = Annotated[
    str,
    Rule(
        label=Text("Drawing from the stock", "補牌方式", "补牌方式"),
        help=Text("Who draws after a trick.", "每墩之後由誰補牌。", "每墩之后由谁补牌。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "each": Text("Every seat", "每位玩家", "每位玩家"),
                "winner": Text("The winner of the trick", "該墩的贏家", "该墩的赢家"),
            }
        ),
    ),
]
