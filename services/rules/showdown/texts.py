"""Texts that all showdown games share, in the three languages of the house."""

from collections.abc import Iterable
from typing import Final

from services.rules.text import Text
from services.rules.vocabulary import Terms

WORDS: Final[dict[str, Text]] = {
    # phases
    "multiples": Text("multiples", "下注倍數", "下注倍数"),
    "reveal": Text("show the cards", "攤牌", "摊牌"),
    "showdown": Text("showdown", "比牌", "比牌"),
    "ended": Text("ended", "結束", "结束"),
    # what a seat does, and where it stands
    "bet_multiple": Text("choose the multiple", "選擇倍數", "选择倍数"),
    "choosing": Text("choosing its multiple", "選擇倍數中", "选择倍数中"),
    "chosen": Text("has chosen its multiple", "已選倍數", "已选倍数"),
    "looking": Text("looking at its cards", "看牌中", "看牌中"),
    "revealed": Text("has shown its cards", "已攤牌", "已摊牌"),
    # facts
    "hand": Text("Hand", "手牌", "手牌"),
    "hands": Text("Hands", "牌型", "牌型"),
    "points": Text("Points", "點數", "点数"),
    "winners": Text("Winners", "贏家", "赢家"),
    "seat_points": Text("Points", "點數", "点数"),
    "multiple": Text("Multiple", "倍數", "倍数"),
}

_TERMS: Final = Terms(
    phase="reveal showdown ended",
    zone="hand",
    status="looking revealed",
    action="reveal",
    happening="showdown",
    fact="hands points seat_points",
)
_CHOSEN: Final = Terms(
    phase="multiples",
    status="choosing chosen",
    action="bet_multiple",
    argument="multiple",
    happening="multiple",
    fact="multiple multiples winners",
)


def terms(ladder: Iterable[str], *, multiples: bool = True) -> Terms:
    """Return the words of a game with these hand categories; ``multiples``: seats choose one, and one hand wins."""
    categories = " ".join(ladder)
    return _TERMS + (_CHOSEN if multiples else Terms()) + Terms(reason=categories, word=categories)


CAPPED_WIN: Final = Text(
    "A seat wins at most the chips that it held when the round started, before the fee.",
    "每局最多贏取本局帶入的籌碼數（未扣活動費）。",
    "每局最多赢取本局带入的筹码数（未扣活动费）。",
)

DUTIES: Final = Text(
    "If a seat does not act in time or is disconnected, the system acts for it: it takes the first "
    "multiple where one must be chosen, and its cards are shown. If a malfunction occurs, the round is "
    "void and all chips are returned.",
    "逾時未動作或斷線的座位由系統代為處理：需選倍數時取第一個倍數，手牌自動攤開。如遇故障，本局無效，各座位籌碼全數退還。",
    "超时未操作或断线的座位由系统代为处理：需选倍数时取第一个倍数，手牌自动摊开。如遇故障，本局无效，各座位筹码全数退还。",
)


def uncapped_win(chips: int) -> Text:
    """Return what a seat can win without a win cap: what all others owe at most, in chips."""
    return Text(
        f"A seat wins at most {chips} chips in a round, and never more than the other seats hold.",
        f"每局最多贏取 {chips} 籌碼，且不超過其他座位所帶的籌碼。",
        f"每局最多赢取 {chips} 筹码，且不超过其他座位所带的筹码。",
    )


def summary(rules: Text) -> Text:
    """Put the duties that all these games share behind a game's own rules."""
    return Text(
        f"{rules.en} {DUTIES.en}",
        f"{rules.zh_hant}{DUTIES.zh_hant}",
        f"{rules.zh_hans}{DUTIES.zh_hans}",
    )
