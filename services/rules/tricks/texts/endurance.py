"""Texts of Endurance."""

from typing import Final

from services.rules import ante_pot
from services.rules.text import Text
from services.rules.tricks.texts import COMMON, summary

NAME: Final = Text(en="Endurance", zh_hant="持久戰", zh_hans="持久战")

SUMMARY: Final = summary(
    en=(
        "Four to six players. Each gets six, five or four cards; the dealer's last card is shown, its suit is trumps. "
        "Follow suit if you can, otherwise trump or discard. The highest trump, else the highest card of the led suit, "
        "wins the trick; the winner draws a card and leads. Who has no cards left is out; the last one wins the antes."
    ),
    zh_hant=(
        "4至6人，各發6、5或4張牌；發牌者翻開最後一張，其花色為王牌。須跟同花色，無則可用王牌切牌或墊牌。"
        "王牌最大者、否則同花色最大者贏得該輪，抽一張牌並先出下一輪。手牌出盡者淘汰，最後持有手牌者贏得所有底注。"
    ),
    zh_hans=(
        "4至6人，各发6、5或4张牌；发牌者翻开最后一张，其花色为王牌。须跟同花色，无则可用王牌切牌或垫牌。"
        "王牌最大者、否则同花色最大者赢得该轮，抽一张牌并先出下一轮。手牌出尽者淘汰，最后持有手牌者赢得所有底注。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    **ante_pot.WORDS,
    "tricks": Text(en="tricks played", zh_hant="已打輪數", zh_hans="已打轮数"),
    "eliminated": Text(en="out, in this order", zh_hant="依序淘汰", zh_hans="依序淘汰"),
    "winner": Text(en="winner", zh_hant="贏家", zh_hans="赢家"),
    "trump_card": Text(en="card that shows trumps", zh_hant="王牌指示牌", zh_hans="王牌指示牌"),
}

WINS: Final = Text(en="the last seat that holds cards", zh_hant="最後持有手牌的玩家", zh_hans="最后持有手牌的玩家")
