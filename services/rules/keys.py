"""Descriptions of the house rules that some games share; a game declares ``ante: keys.Ante = 10`` in its own class."""

from collections.abc import Mapping
from typing import Annotated

from services.rules.chips import MOST_CHIPS
from services.rules.common_keys import MOST_SECONDS
from services.rules.kinds import NO_LIMIT, Integer, IntegerList, IntegerTable
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

# -- stakes

Base = Annotated[
    int,
    Rule(
        label=Text("Base stake", "底注", "底注"),
        help=Text(
            "The chips that multipliers multiply.",
            "各種倍數所乘的籌碼數。",
            "各种倍数所乘的筹码数。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1),
    ),
]
Ante = Annotated[
    int,
    Rule(
        label=Text("Ante", "底注", "底注"),
        help=Text(
            "What each seat puts in at the start of a round.",
            "每局開始時每位玩家放入的籌碼。",
            "每局开始时每位玩家放入的筹码。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1),
    ),
]
FreeAnte = Annotated[
    int,
    Rule(
        label=Text("Ante", "底注", "底注"),
        help=Text(
            "What each seat puts in at the start of a round; without one, only the winner is recorded.",
            "每局開始時每位玩家放入的籌碼；無底注則只記錄勝者。",
            "每局开始时每位玩家放入的筹码；无底注则只记录胜者。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=0),
    ),
]
MinBet = Annotated[
    int,
    Rule(
        label=Text("Least bet", "最低下注", "最低下注"),
        help=Text("The least chips of one bet.", "每次下注的最低籌碼。", "每次下注的最低筹码。"),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1),
    ),
]
MaxBet = Annotated[
    int,
    Rule(
        label=Text("Greatest bet", "最高下注", "最高下注"),
        help=Text(
            "The most chips of one bet; a seat never bets more than it holds.",
            "每次下注的最高籌碼；不會超過玩家持有的籌碼。",
            "每次下注的最高筹码；不会超过玩家持有的筹码。",
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1, greatest=MOST_CHIPS, zero=NO_LIMIT, not_below="min_bet"),
    ),
]

# -- what is paid

Multiples = Annotated[
    tuple[int, ...],
    Rule(
        label=Text("Multiples to choose from", "可選倍數", "可选倍数"),
        help=Text(
            "Before the deal a seat multiplies its stake by one of these.",
            "發牌前玩家從中選擇下注倍數。",
            "发牌前玩家从中选择下注倍数。",
        ),
        group=Group.STAKES,
        unit=Unit.MULTIPLE,
        kind=IntegerList(),
    ),
]

# -- how long it lasts

ClaimSeconds = Annotated[
    int,
    Rule(
        label=Text("Time to claim", "搶牌時間", "抢牌时间"),
        help=Text(
            "How long seats may claim after each turned card.",
            "每翻一張牌後，玩家可以搶牌的時間。",
            "每翻一张牌后，玩家可以抢牌的时间。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=1, greatest=MOST_SECONDS),
    ),
]
MatchRounds = Annotated[
    int,
    Rule(
        label=Text("Rounds in a match", "每場局數", "每场局数"),
        help=Text(
            "A match is over after so many rounds, or earlier where the rules say so.",
            "打滿此局數即結束一場；規則另有規定時提前結束。",
            "打满此局数即结束一场；规则另有规定时提前结束。",
        ),
        group=Group.LENGTH,
        unit=Unit.ROUNDS,
        kind=Integer(least=0, zero=NO_LIMIT),
    ),
]
MaxTurns = Annotated[
    int,
    Rule(
        label=Text("Turns in a round", "回合上限", "回合上限"),
        help=Text(
            "After so many turns the round ends, and the rules name its winner.",
            "達到此回合數即結束該局，依規則判定勝者。",
            "达到此回合数即结束该局，按规则判定胜者。",
        ),
        group=Group.LENGTH,
        unit=Unit.TURNS,
        kind=Integer(least=1),
    ),
]
MaxFlips = Annotated[
    int,
    Rule(
        label=Text("Cards turned in a round", "翻牌上限", "翻牌上限"),
        help=Text(
            "After so many turned cards the round ends, and most cards win.",
            "翻滿此張數即結束該局，牌最多者勝。",
            "翻满此张数即结束该局，牌最多者胜。",
        ),
        group=Group.LENGTH,
        unit=Unit.CARDS,
        kind=Integer(least=1),
    ),
]


def multipliers(entries: Mapping[str, int]) -> Rule:
    """Return the description of a table of multipliers by category of hand; ``entries`` are the sheet's."""
    return Rule(
        label=Text("Multipliers of hands", "牌型倍數", "牌型倍数"),
        help=Text(
            "What each category of hand multiplies; one that is left out keeps the game's own.",
            "各牌型的倍數；未填者沿用遊戲預設。",
            "各牌型的倍数；未填者沿用游戏默认。",
        ),
        group=Group.PAYS,
        unit=Unit.MULTIPLE,
        kind=IntegerTable(entries=entries),
    )


def odds(entries: Mapping[str, int]) -> Rule:
    """Return the description of a table of odds by spot; ``entries`` are the sheet's."""
    return Rule(
        label=Text("Odds", "賠率", "赔率"),
        help=Text(
            "What a won bet on each spot pays to 1; one that is left out keeps the game's own.",
            "各注區每贏 1 注所賠的倍數；未填者沿用遊戲預設。",
            "各注区每赢 1 注所赔的倍数；未填者沿用游戏默认。",
        ),
        group=Group.PAYS,
        unit=Unit.MULTIPLE,
        kind=IntegerTable(entries=entries),
    )
