"""The groups and units of house rules in words, and what a rule takes, as a form or a list shows them."""

from typing import Final

from services.rules.kinds import Choice, Flag, Integer, IntegerList, IntegerTable, Kind, Number
from services.rules.schema import Group, Unit
from services.rules.text import Text

GROUPS: Final[dict[Group, Text]] = {
    Group.STAKES: Text("Stakes", "注額", "注额"),
    Group.SEATS: Text("Seats", "座位", "座位"),
    Group.TIMES: Text("Times", "時間", "时间"),
    Group.PLAY: Text("Play", "玩法", "玩法"),
    Group.PAYS: Text("What is paid", "賠付", "赔付"),
    Group.BANK: Text("The bank", "莊家", "庄家"),
    Group.LENGTH: Text("Length", "長度", "长度"),
    Group.HOUSE: Text("What the house takes", "系統抽成", "系统抽成"),
}
UNITS: Final[dict[Unit, Text]] = {
    Unit.CHIPS: Text("chips", "籌碼", "筹码"),
    Unit.SECONDS: Text("seconds", "秒", "秒"),
    Unit.BASIS_POINTS: Text("hundredths of a percent", "萬分之一", "万分之一"),
    Unit.SEATS: Text("seats", "人", "人"),
    Unit.ROUNDS: Text("rounds", "局", "局"),
    Unit.TURNS: Text("turns", "回合", "回合"),
    Unit.CARDS: Text("cards", "張", "张"),
    Unit.POINTS: Text("points", "點", "点"),
    Unit.MULTIPLE: Text("times", "倍", "倍"),
}
"""All units but ``NONE``."""

YES: Final = Text("yes", "是", "是")
NO: Final = Text("no", "否", "否")


def takes(kind: Kind, language: str) -> str:
    """Return what a rule takes in words of a language: a range, or its choices with their labels."""
    match kind:
        case Integer():
            zero = f", 0: {kind.zero.within(language)}" if kind.zero else ""
            return f"{kind.least}–{kind.greatest}{zero}"
        case Number():
            return f"{kind.least:g}–{kind.greatest:g}"
        case Flag():
            return " / ".join((YES if value else NO).within(language) for value in kind.values)
        case Choice():
            return ", ".join(f"{word} ({label.within(language)})" for word, label in kind.labels.items())
        case IntegerList() | IntegerTable():
            return f"{kind.least}–{kind.greatest}"
