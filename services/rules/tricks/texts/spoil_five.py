"""Texts of Spoil Five."""

from typing import Final

from services.rules.text import Text
from services.rules.tricks.texts import COMMON, PASS, POT, summary

NAME: Final = Text(en="Spoil Five", zh_hant="三勝二負", zh_hans="三胜二负")

SUMMARY: Final = summary(
    en=(
        "Two to ten players. Everybody puts the ante into the pot and gets five cards; the next card is turned, its "
        "suit is trumps. If it is an ace the dealer, or else the next one who wants it, may take it for a card of his "
        "hand; otherwise the holder of the ace of trumps may. Who says nothing in time passes. Follow suit if you can; "
        "the ace of hearts is always a trump. Where the five of trumps lies, who holds the jack of trumps, the ace of "
        "hearts or the ace of trumps must play one of them; where the jack lies, one of the aces. Three tricks win the "
        "pot, all five also an ante from everybody else. If nobody has three, the pot stays for the next round."
    ),
    zh_hant=(
        "2至10人。每人出一份底注，各發5張牌，翻開牌堆頂牌，其花色為王牌。若為A，莊家可用手牌一張交換，不換則依序讓左鄰；"
        "若非A，持有王牌A者可交換，逾時視為不換。須跟同花色，紅心A永遠是王牌。王牌5出現時，持有王牌J、紅心A或王牌A者必須打出其一；"
        "王牌J出現時，持有紅心A或王牌A者必須打出。勝3次以上者得彩池，5次全勝者另向每人收一份底注。無人勝3次時，彩池留待下局。"
    ),
    zh_hans=(
        "2至10人。每人出一份底注，各发5张牌，翻开贮存牌顶牌，其花色为王牌。若为A，庄家可用手牌一张交换，不换则依序让左邻；"
        "若非A，持有王牌A者可交换，逾时视为不换。须跟同花色，红心A永远是王牌。王牌5出现时，持有王牌J、红心A或王牌A者必须打出其一；"
        "王牌J出现时，持有红心A或王牌A者必须打出。胜3次以上者得彩池，5次全胜者另向每人收一份底注。无人胜3次时，彩池留待下局。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    "pot": POT,
    "pass": PASS,
    "ante": Text(en="ante", zh_hant="底注", zh_hans="底注"),
    "all_five": Text(en="all five tricks", zh_hant="五次全勝", zh_hans="五次全胜"),
    "rob": Text(en="take the turned card", zh_hant="換王牌", zh_hans="换王牌"),
    "robbing": Text(en="taking the turned card", zh_hant="王牌交換", zh_hans="王牌交换"),
    "robbed": Text(en="took the turned card", zh_hant="換走王牌", zh_hans="换走王牌"),
    "discard": Text(en="card given for it", zh_hant="換出的牌", zh_hans="换出的牌"),
    "turned": Text(en="turned card", zh_hant="翻開的牌", zh_hans="翻开的牌"),
    "tricks": Text(en="tricks won", zh_hant="勝次", zh_hans="胜次"),
    "spoiled": Text(
        en="nobody has three tricks; the pot stays",
        zh_hant="無人勝三次，彩池留待下局",
        zh_hans="无人胜三次，彩池留待下局",
    ),
}

THREE: Final = Text(en="three or four tricks", zh_hant="勝三次或四次", zh_hans="胜三次或四次")
FIVE: Final = Text(en="all five tricks", zh_hant="五次全勝", zh_hans="五次全胜")


def greatest(ante: int, seats: int) -> Text:
    """Say what the winner can take at most."""
    most = 2 * ante * (seats - 1)
    return Text(
        en=f"{most} chips with {seats} seats (the others' antes, as much again for five tricks), and the carried pot",
        zh_hant=f"{seats} 人時 {most} 分（其他人的底注，五次全勝再加一倍），另加彩池累積",
        zh_hans=f"{seats} 人时 {most} 分（其他人的底注，五次全胜再加一倍），另加彩池累积",
    )
