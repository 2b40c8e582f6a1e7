"""Descriptions of the house rules of poker on a seat's session: its time bank, its return to the table [poker 0.11]."""

from typing import Annotated, Final

from services.rules.kinds import Integer
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

MOST_BANK_SECONDS: Final = 3600
MOST_RETURN_MINUTES: Final = 1440

TimeBankS = Annotated[
    int,
    Rule(
        label=Text("Time bank", "時間銀行", "时间银行"),
        help=Text(
            "Seconds that a seat may spend beyond the time for a decision, over the whole time that it is taken.",
            "每個座位在思考時間之外，整段在座期間可額外使用的秒數。",
            "每个座位在思考时间之外，整段在座期间可额外使用的秒数。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=1, greatest=MOST_BANK_SECONDS, zero=Text("no time bank", "無時間銀行", "无时间银行")),
    ),
]
TimeBankRefillS = Annotated[
    int,
    Rule(
        label=Text("Refill of the time bank", "時間銀行補充", "时间银行补充"),
        help=Text(
            "Seconds by which each round that deals the seat in refills its time bank, up to its size.",
            "每參與一局，時間銀行補充的秒數，最多補滿。",
            "每参与一局，时间银行补充的秒数，最多补满。",
        ),
        group=Group.TIMES,
        unit=Unit.SECONDS,
        kind=Integer(least=1, greatest=MOST_BANK_SECONDS, zero=Text("no refill", "不補充", "不补充")),
    ),
]
ReturnMinutes = Annotated[
    int,
    Rule(
        label=Text("Minutes until a smaller return", "可減少籌碼回桌的分鐘數", "可减少筹码回桌的分钟数"),
        help=Text(
            "Who returns to the table within so many minutes brings at least the chips that it left with.",
            "離桌後在此分鐘數內返回者，至少須帶回離桌時的籌碼。",
            "离桌后在此分钟数内返回者，至少须带回离桌时的筹码。",
        ),
        group=Group.STAKES,
        kind=Integer(least=1, greatest=MOST_RETURN_MINUTES, zero=Text("at once", "不限", "不限")),
    ),
]
