"""Texts of Three-fold Honeymoon."""

from typing import Final

from services.rules.text import Text
from services.rules.tricks.texts import COMMON, POT, summary
from services.rules.tricks.texts import TERMS as TRICK_TERMS
from services.rules.vocabulary import Terms

NAME: Final = Text(en="Three-fold Honeymoon", zh_hant="三度蜜月", zh_hans="三度蜜月")

SUMMARY: Final = summary(
    en=(
        "Four to six players, 32 cards from seven to ace (30 with five or six players), no trumps. When the "
        "pot is empty a match starts: everybody puts in the stake. Follow suit if you can; the highest card of "
        "the led suit takes the trick and leads next. First trick, last trick and every trick with a queen in "
        "it bring a point, paid from the pot. The match is over when the pot is empty or, by house rule, after "
        "a number of rounds; then the rest is shared. A player who leaves during the match forfeits the share, "
        "and the match ends with that round."
    ),
    zh_hant=(
        "4至6人，用7至A的32張牌（5、6人時30張），無王牌。彩池為空時開始一場，每人放入賭注。須跟同花色，同花色最大者贏得該墩並先出下一墩。"
        "第一墩、最後一墩以及有Q出現的各墩各得1分，由彩池支付。彩池用完，或依房規打滿局數，該場即結束，餘額均分。"
        "中途離開者放棄其份，該場隨該局結束。"
    ),
    zh_hans=(
        "4至6人，用7至A的32张牌（5、6人时30张），无王牌。彩池为空时开始一场，每人放入赌注。须跟同花色，同花色最大者赢得该墩并先出下一墩。"
        "第一墩、最后一墩以及有Q出现的各墩各得1分，由彩池支付。彩池用完，或依房规打满局数，该场即结束，余额均分。"
        "中途离开者放弃其份，该场随该局结束。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    "pot": POT,
    "stake": Text(en="stake", zh_hant="賭注", zh_hans="赌注"),
    "point": Text(en="point", zh_hant="分", zh_hans="分"),
    "points": Text(en="points", zh_hant="得分", zh_hans="得分"),
    "paid": Text(en="paid from the pot", zh_hant="彩池支付", zh_hans="彩池支付"),
    "rest": Text(en="rest of the pot", zh_hant="彩池餘額", zh_hans="彩池余额"),
}

TERMS: Final = TRICK_TERMS + Terms(
    phase="play",
    reason="stake point rest",
    happening="points match_over",
    fact="match_round match_over points paid",
)

FIRST: Final = Text(en="the first trick", zh_hant="第一墩", zh_hans="第一墩")
LAST: Final = Text(en="the last trick", zh_hant="最後一墩", zh_hans="最后一墩")
QUEEN: Final = {
    "any": Text(en="a trick with a queen in it", zh_hant="有Q出現的一墩", zh_hans="有Q出现的一墩"),
    "club": Text(
        en="the trick with the queen of clubs in it", zh_hant="有梅花Q出現的一墩", zh_hans="有梅花Q出现的一墩"
    ),
}


def greatest_from_pot(stake: int, seats: int) -> Text:
    """Return what a match's pot can pay at most."""
    return Text(
        en=f"the whole pot: {stake} chips of each seat, {stake * seats} with {seats} seats",
        zh_hant=f"彩池全部：每人 {stake} 籌碼，{seats} 人共 {stake * seats} 籌碼",
        zh_hans=f"彩池全部：每人 {stake} 筹码，{seats} 人共 {stake * seats} 筹码",
    )


def greatest_from_others(most: int, points: int) -> Text:
    """Return what the other seats can owe at most."""
    return Text(
        en=f"{most} chips: {points} points from every other seat",
        zh_hant=f"{most} 籌碼：其他玩家每人 {points} 分",
        zh_hans=f"{most} 筹码：其他玩家每人 {points} 分",
    )
