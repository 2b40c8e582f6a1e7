"""Texts of Loo."""

from typing import Final

from services.rules.text import Text
from services.rules.tricks.texts import COMMON, PASS, POT, SUITS, summary
from services.rules.tricks.texts import TERMS as TRICK_TERMS
from services.rules.vocabulary import Terms

NAME: Final = Text(en="Three-card Loo", zh_hant="單雙賭金", zh_hans="单双赌金")

SUMMARY: Final = summary(
    en=(
        "Five to eight players, three cards each, two pools. Single pool: the dealer puts in the stake and may "
        "change his hand for the Miss, three cards that lie apart. No trumps; each trick wins a third of the "
        "stake. Double pool: everybody puts in the stake, the carried pot is added, a card is turned for "
        "trumps, and new cards are dealt. Each opponent supports or folds; the dealer stays in. If the dealer "
        "left the Miss, a supporter may take it. Three trumps in one hand win the pot at once. Each trick wins "
        "a third of the pot; a player who stays in and gets no trick pays the stake into the next pot. Follow "
        "suit if you can; the first card of another suit ends the trick. A player who does not answer in time "
        "keeps the hand, or folds."
    ),
    zh_hant=(
        "5至8人，各發3張，分單、雙賭金兩段。單賭金：莊家放入賭注，可用手牌換「Miss」；無王牌，每勝一墩得賭注三分之一。"
        "雙賭金：每人放入賭注，併入累積彩池，翻一張定王牌，重新發牌。對手支持或放棄，莊家必須參加；莊家未換Miss時，支持者可依序交換。"
        "三張全是王牌為同花，立即贏得彩池。每勝一墩得彩池三分之一；參加而一墩未得者，放入賭注作下局雙賭金。"
        "須跟同花色；第一張不同花色的牌使該墩立即結束。逾時未答者視為不換或放棄。"
    ),
    zh_hans=(
        "5至8人，各发3张，分单、双赌金两段。单赌金：庄家放入赌注，可用手牌换“Miss”；无王牌，每胜一墩得赌注三分之一。"
        "双赌金：每人放入赌注，并入累积彩池，翻一张定王牌，重新发牌。对手支持或放弃，庄家必须参加；庄家未换Miss时，支持者可依序交换。"
        "三张全是王牌为同花，立即赢得彩池。每胜一墩得彩池三分之一；参加而一墩未得者，放入赌注作下局双赌金。"
        "须跟同花色；第一张不同花色的牌使该墩立即结束。逾时未答者视为不换或放弃。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    "pot": POT,
    "pass": PASS,
    "miss": Text(en="Miss", zh_hant="Miss", zh_hans="Miss"),
    "exchange": Text(en="change for the Miss", zh_hant="換Miss", zh_hans="换Miss"),
    "exchanged": Text(en="changed the hand for the Miss", zh_hant="以手牌換Miss", zh_hans="以手牌换Miss"),
    "single": Text(en="single pool", zh_hant="單賭金", zh_hans="单赌金"),
    "double": Text(en="double pool", zh_hant="雙賭金", zh_hans="双赌金"),
    "supporting": Text(en="support or fold", zh_hant="支持或放棄", zh_hans="支持或放弃"),
    "support": Text(en="support", zh_hant="支持", zh_hans="支持"),
    "fold": Text(en="fold", zh_hant="放棄", zh_hans="放弃"),
    "folded": Text(en="folded", zh_hant="已放棄", zh_hans="已放弃"),
    "all_fold": Text(en="all opponents folded", zh_hant="對手全部放棄", zh_hans="对手全部放弃"),
    "flush": Text(en="flush", zh_hant="同花", zh_hans="同花"),
    "looed": Text(en="no trick in the double pool", zh_hant="雙賭金未得一墩", zh_hans="双赌金未得一墩"),
    "turned": Text(en="turned card", zh_hant="翻開的牌", zh_hans="翻开的牌"),
}

TERMS: Final = TRICK_TERMS + Terms(
    phase="exchange single supporting miss double",
    zone="miss turned",
    status="folded",
    reason="single double looed flush all_fold",
    action="exchange support fold pass",
    word=SUITS,
    happening="exchanged all_fold flush",
    fact="single double trump flush",
)

SINGLE_TRICK: Final = Text(en="a trick in the single pool", zh_hant="單賭金勝一墩", zh_hans="单赌金胜一墩")
DOUBLE_TRICK: Final = Text(en="a trick in the double pool", zh_hant="雙賭金勝一墩", zh_hans="双赌金胜一墩")
FLUSH: Final = Text(en="three trumps in the double pool", zh_hant="雙賭金同花", zh_hans="双赌金同花")
ALL_FOLD: Final = Text(en="the dealer, if all fold", zh_hant="對手全部放棄，莊家勝", zh_hans="对手全部放弃，庄家胜")


def greatest(stake: int, seats: int) -> Text:
    """Return what a seat can win at most in both pools."""
    most = stake * seats
    return Text(
        en=f"{most} chips with {seats} seats (both pools, less the winner's own stake), and the carried pot",
        zh_hant=f"{seats} 人時 {most} 籌碼（兩段賭金，扣除自己的賭注），另加彩池累積",
        zh_hans=f"{seats} 人时 {most} 筹码（两段赌金，扣除自己的赌注），另加彩池累积",
    )
