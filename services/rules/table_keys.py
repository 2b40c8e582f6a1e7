"""Descriptions of the house rules on the life of a table: its rounds, absent seats, and idle tables."""

from typing import Annotated, Final

from services.rules.kinds import NO_LIMIT, Choice, Integer
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

AUTO: Final = "auto"
MANUAL: Final = "manual"
MOST_COUNTDOWN_SECONDS: Final = 600
MOST_ABSENT_ROUNDS: Final = 1000
MOST_ABSENT_MINUTES: Final = 1440
MOST_HOLD_SECONDS: Final = 300
MOST_IDLE_MINUTES: Final = 10_080

Start = Annotated[
    str,
    Rule(
        label=Text("Start of a round", "開局方式", "开局方式"),
        help=Text("Who starts the next round.", "由誰開始下一局。", "由谁开始下一局。"),
        group=Group.TIMES,
        kind=Choice(
            labels={
                AUTO: Text("The house, after a countdown", "倒數後自動開始", "倒数后自动开始"),
                MANUAL: Text("A player or the staff", "由玩家或工作人員開始", "由玩家或工作人员开始"),
            }
        ),
    ),
]
StartCountdownS = Annotated[
    int,
    Rule(
        label=Text("Countdown to a round", "開局倒數", "开局倒数"),
        help=Text(
            "How long the house waits, once enough players are ready, before it starts a round.",
            "人數足夠後，系統等待多久才開始一局。",
            "人数足够后，系统等待多久才开始一局。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=0, greatest=MOST_COUNTDOWN_SECONDS),
    ),
]
ReadyCountdownS = Annotated[
    int | None,
    Rule(
        label=Text("Countdown to a first round", "首局倒數", "首局倒数"),
        help=Text(
            "How long the house waits where nobody has just played: once enough players have come, or are back.",
            "先前並無牌局時，人數足夠後，系統等待多久才開始一局。",
            "先前并无牌局时，人数足够后，系统等待多久才开始一局。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=0, greatest=MOST_COUNTDOWN_SECONDS),
        absent=Text("as long as between rounds", "與兩局之間相同", "与两局之间相同"),
    ),
]
LeastReady = Annotated[
    int,
    Rule(
        label=Text("Players ready for a start", "自動開局人數", "自动开局人数"),
        help=Text(
            "How many players must be ready before the house starts a round.",
            "有多少玩家就緒後，系統才開始一局。",
            "有多少玩家就绪后，系统才开始一局。",
        ),
        group=Group.SEATS,
        unit=Unit.SEATS,
        kind=Integer(least=1, zero=Text("the seats needed", "依最少人數", "按最少人数"), not_above="max_seats"),
    ),
]
AbsentRounds = Annotated[
    int,
    Rule(
        label=Text("Rounds a seat may sit out", "可離座局數", "可离座局数"),
        help=Text(
            "A seat that sits out for so many rounds is cashed out.",
            "離座達此局數後，座位由系統結清收回。",
            "离座达此局数后，座位由系统结清收回。",
        ),
        group=Group.TIMES,
        unit=Unit.ROUNDS,
        kind=Integer(least=1, greatest=MOST_ABSENT_ROUNDS, zero=NO_LIMIT),
    ),
]
AbsentMinutes = Annotated[
    int,
    Rule(
        label=Text("Minutes a seat may sit out", "可離座分鐘數", "可离座分钟数"),
        help=Text(
            "A seat that sits out for so many minutes is cashed out.",
            "離座達此分鐘數後，座位由系統結清收回。",
            "离座达此分钟数后，座位由系统结清收回。",
        ),
        group=Group.TIMES,
        kind=Integer(least=1, greatest=MOST_ABSENT_MINUTES, zero=NO_LIMIT),
    ),
]
SeatHoldS = Annotated[
    int,
    Rule(
        label=Text("Time to take a held seat", "保留座位時間", "保留座位时间"),
        help=Text(
            "How long a seat that came up is held for the player who is first in the waiting list.",
            "有空位時，為候補名單上的第一位玩家保留座位多久。",
            "有空位时，为候补名单上的第一位玩家保留座位多久。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=1, greatest=MOST_HOLD_SECONDS),
    ),
]
IdleMinutes = Annotated[
    int,
    Rule(
        label=Text("Minutes until an idle table closes", "閒置關桌分鐘數", "闲置关桌分钟数"),
        help=Text(
            "A table that nobody uses for so many minutes is closed; every seat is paid out.",
            "此桌無人使用達此分鐘數後，由系統關閉並退還所有座位的籌碼。",
            "此桌无人使用达此分钟数后，由系统关闭并退还所有座位的筹码。",
        ),
        group=Group.TIMES,
        kind=Integer(least=1, greatest=MOST_IDLE_MINUTES, zero=Text("never closes", "永不關閉", "永不关闭")),
    ),
]
