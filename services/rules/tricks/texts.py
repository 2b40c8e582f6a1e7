"""Texts of the trick games for players; the words that several of them show."""

from typing import Final

from services.rules.game import HouseRules
from services.rules.text import Text
from services.rules.vocabulary import Terms

COMMON: Final[dict[str, Text]] = {
    "play": Text(en="play", zh_hant="出牌", zh_hans="出牌"),
    "ended": Text(en="ended", zh_hant="結束", zh_hans="结束"),
    "hand": Text(en="hand", zh_hant="手牌", zh_hans="手牌"),
    "stock": Text(en="stock", zh_hant="牌堆", zh_hans="贮存牌"),
    "trick": Text(en="trick", zh_hant="一墩", zh_hans="一墩"),
    "last_trick": Text(en="last trick", zh_hant="上一墩", zh_hans="上一墩"),
    "trump": Text(en="trumps", zh_hant="王牌", zh_hans="王牌"),
    "playing": Text(en="in play", zh_hant="進行中", zh_hans="进行中"),
    "out": Text(en="out", zh_hant="淘汰", zh_hans="淘汰"),
    "cards": Text(en="cards", zh_hant="牌", zh_hans="牌"),
    "s": Text(en="spades", zh_hant="黑桃", zh_hans="黑桃"),
    "h": Text(en="hearts", zh_hant="紅心", zh_hans="红心"),
    "d": Text(en="diamonds", zh_hant="方塊", zh_hans="方块"),
    "c": Text(en="clubs", zh_hant="梅花", zh_hans="梅花"),
}
"""Phases, zones, facts and suits of all trick games."""

TERMS: Final = Terms(
    phase="ended",
    zone="hand stock trick last_trick",
    status="playing",
    action="play",
    argument="cards",
    happening="trick",
    fact="trick_number trick tricks_completed seat card",
)
SUITS: Final = "s h d c"
"""The words of the suits."""

POT: Final = Text(en="pot", zh_hant="彩池", zh_hans="彩池")
PASS: Final = Text(en="pass", zh_hant="不要", zh_hans="不要")

SILENCE: Final = Text(
    en=(
        "A player who runs out of time plays the weakest legal card: plain cards before trumps, then the "
        "lowest of its suit, then clubs, diamonds, hearts, spades. A lost connection is treated the same way. "
        "If a malfunction occurs, the round is void and all chips are returned."
    ),
    zh_hant=(
        "逾時未出牌者，由系統打出可出之牌中最弱的一張：先出非王牌，再出同花色中最小者，再依梅花、方塊、紅心、黑"
        "桃之序。斷線視同逾時。遇故障則該局作廢，各玩家取回開局時的籌碼。"
    ),
    zh_hans=(
        "逾时未出牌者，由系统打出可出之牌中最弱的一张：先出非王牌，再出同花色中最小者，再依梅花、方块、红心、黑"
        "桃之序。断线视同逾时。遇故障则该局作废，各玩家取回开局时的筹码。"
    ),
)
"""The part of all summaries on deadlines, disconnection and malfunction [R16]."""


def summary(en: str, zh_hant: str, zh_hans: str) -> Text:
    """Join a game's rules in words with what is common to all."""
    return Text(en=f"{en} {SILENCE.en}", zh_hant=f"{zh_hant}{SILENCE.zh_hant}", zh_hans=f"{zh_hans}{SILENCE.zh_hans}")


def capped(most: Text, rules: HouseRules) -> Text:
    """Add to the greatest win that a win cap bounds it by the carry."""
    if rules.win_cap != "stake":
        return most
    return Text(
        en=f"{most.en}; never more than the seat's own carry",
        zh_hant=f"{most.zh_hant}；不超過自己的帶入",
        zh_hans=f"{most.zh_hans}；不超过自己的带入",
    )


def tricks(count: int) -> Text:
    """Return a number of tricks in words."""
    return Text(f"{count} trick{'' if count == 1 else 's'}", f"{count}墩", f"{count}墩")


def points(count: int) -> Text:
    """Return a number of points in words."""
    return Text(f"{count} point{'' if count == 1 else 's'}", f"{count}分", f"{count}分")


def listed(*parts: Text) -> Text:
    """Return texts in a row, as the parts of one result."""
    return Text(
        ", ".join(part.en for part in parts),
        "，".join(part.zh_hant for part in parts),
        "，".join(part.zh_hans for part in parts),
    )


def said(of: Text, what: Text) -> Text:
    """Return a text with what it is about in front."""
    return Text(f"{of.en}: {what.en}", f"{of.zh_hant}：{what.zh_hant}", f"{of.zh_hans}：{what.zh_hans}")
