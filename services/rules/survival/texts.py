"""What players read about all survival games; each game's file has the texts of its own.

Names and terms are those of the seed document.
"""

from typing import Final

from services.rules import ante_pot
from services.rules.text import Text
from services.rules.vocabulary import Terms

LAST_LEFT: Final = Text(
    en="the last seat with cards, or the most cards at the limit (equal numbers share)",
    zh_hant="最後唯一持有手牌者，或達上限時持牌最多者（相同則平分）",
    zh_hans="最后唯一持有手牌者，或达上限时持牌最多者（相同则平分）",
)

WORDS: Final[dict[str, Text]] = ante_pot.WORDS | {
    "play": Text(en="play", zh_hant="出牌", zh_hans="出牌"),
    "window": Text(en="window for claims", zh_hant="搶牌時間", zh_hans="抢牌时间"),
    "ended": Text(en="ended", zh_hant="結束", zh_hans="结束"),
    "in": Text(en="in", zh_hant="在場", zh_hans="在场"),
    "out": Text(en="out", zh_hant="退出", zh_hans="退出"),
    "winner": Text(en="winner", zh_hant="贏家", zh_hans="赢家"),
    "winners": Text(en="winners", zh_hant="贏家", zh_hans="赢家"),
    "stack": Text(en="stack", zh_hant="牌堆", zh_hans="牌堆"),
    "pile": Text(en="face-up pile", zh_hant="翻開的牌", zh_hans="翻开的牌"),
    "turn": Text(en="on turn", zh_hant="輪到", zh_hans="轮到"),
    "flip": Text(en="flip", zh_hant="翻牌", zh_hans="翻牌"),
    "flips": Text(en="cards turned", zh_hant="翻牌次數", zh_hans="翻牌次数"),
    "count": Text(en="count", zh_hant="報數", zh_hans="报数"),
}

TERMS: Final = Terms(phase="ended", status="in out", reason="ante pot", happening="winner out", fact="held winners out")
