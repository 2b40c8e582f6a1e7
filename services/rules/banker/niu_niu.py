"""Niu niu against a banker (妞妞): five cards, the winner's category multiplies the bet."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Final

import msgspec

from services.rules import keys
from services.rules.banker import duels, words
from services.rules.banker.bank import BetRules
from services.rules.banker.family import BankerGame
from services.rules.banker.table import BankRound
from services.rules.banker.windows import Deal, OneBet, Reveal
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.game import Payout
from services.rules.happenings import Happening, Noted
from services.rules.phases import Phase
from services.rules.ranking import niu_niu
from services.rules.text import Text
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_ranked

MULTIPLIERS: Final = {"ultimate": 5, "niu_niu": 3, "big": 2, "small": 1, "none": 1}
"""Multiplier of each category, from the highest [niu_niu "Pays"]."""

CARDS: Final = 5

WINS: Final = {
    "ultimate": 6_699_236_544,
    "niu_niu": 276_712_149_792,
    "big": 448_267_008_860,
    "small": 1_036_704_468_972,
    "none": 224_940_187_552,
}
"""In how many pairs of hands one hand wins with each category; the other wins as often."""
PAIRS_OF_HANDS: Final = 3_986_646_103_440
"""Player's and banker's hands together: 2 598 960 × 1 533 939."""


class NiuNiuRules(BetRules, frozen=True, kw_only=True):
    """House rules; multipliers that are left out keep the sheet's value."""

    players: ClassVar[tuple[int, int]] = (1, 9)

    fee_bps: int = ACTIVITY_FEE_BPS
    cover: int = 5
    multipliers: Annotated[dict[str, int], keys.multipliers(MULTIPLIERS)] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill in the sheet's multipliers."""
        super().__post_init__()
        msgspec.structs.force_setattr(self, "multipliers", {**MULTIPLIERS, **self.multipliers})


class Compare(Phase["NiuNiuRound"], frozen=True):
    """Each hand meets the banker's; two hands are never equal."""

    def begin(self, round_: "NiuNiuRound", chance: Chance, log: list[Happening]) -> bool:
        """Pay the winner's category, seat or banker [niu_niu D2]."""
        payouts, times = round_.new_payouts(), round_.rules.multipliers
        bank = niu_niu.home(round_.bank_hand.cards)
        log.append(Noted("hand", round_.bank.seat, {"category": bank.category}))
        for seat in round_.bettors():
            own, bet = niu_niu.home(round_.hands[seat].cards), round_.bets[seat]
            log.append(Noted("hand", seat, {"category": own.category}))
            if own.key > bank.key:
                payouts.won(seat, "bet", bet, bet * times[own.category], own.category)
            else:
                payouts.lost(seat, "bet", bet, bet * times[bank.category], bank.category)
        round_.finish(payouts, log)
        return False


class NiuNiuRound(BankRound[NiuNiuRules], kw_only=True):
    """Five cards each."""

    phases = (OneBet(), Deal(count=CARDS), Reveal(), Compare())

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a hand's category, or its niu."""
        del owner, zone
        return of_ranked(niu_niu.home(cards), "妞") if len(cards) == CARDS else None


class NiuNiu(BankerGame[NiuNiuRules, NiuNiuRound]):
    """妞妞."""

    id = "niu_niu"
    name = Text("Niu niu against a banker", "妞妞", "妞妞")
    rules_type = NiuNiuRules
    round_type = NiuNiuRound
    summary = words.paragraphs(
        Text(
            "Each player bets before the deal, then everybody is dealt five cards. Three cards that make a "
            "multiple of ten are the niu; the last digit of the other two counts. None < small (1 to 7) < big (8, "
            "9) < niu niu (10 or 20) < ultimate (only 10, J, Q, K). Equal hands are decided by the highest card, K "
            "down to A, then by suit: spades, hearts, diamonds, clubs. The winner, player or banker, gets the bet "
            "times its multiplier.",
            "發牌前下注，每家發五張。任三張湊成10的倍數為「妞」，比其餘兩張點數的個位數。無爛＜小點（1至7）＜大點（8、"
            "9）＜妞妞"
            "（10或20）＜終極妞妞（五張全為10、J、Q、K）。同級比最大單張（K最大、A最小），"
            "再比花色（黑桃＞紅心＞方塊＞梅花）。"
            "贏家（閒家或莊家）贏得下注金額乘以贏家牌型倍數。",
            "发牌前下注，每家发五张。任三张凑成10的倍数为“妞”，比其余两张点数的个位数。无烂＜小点（1至7）＜大点（8、"
            "9）＜妞妞"
            "（10或20）＜终极妞妞（五张全为10、J、Q、K）。同级比最大单张（K最大、A最小），"
            "再比花色（黑桃＞红心＞方块＞梅花）。"
            "赢家（闲家或庄家）赢得下注金额乘以赢家牌型倍数。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.BET_TERMS + Terms(
        reason=" ".join(MULTIPLIERS), word=" ".join(MULTIPLIERS), happening="hand", fact="hand"
    )
    words = words.COMMON | {
        "none": Text("nothing", "無爛", "无烂"),
        "small": Text("small", "小點", "小点"),
        "big": Text("big", "大點", "大点"),
        "niu_niu": words.same("niu niu", "妞妞"),
        "ultimate": Text("ultimate niu niu", "終極妞妞", "终极妞妞"),
    }

    def best_returns(self, rules: NiuNiuRules) -> dict[str, Fraction]:
        """Return what a bet returns; more than 1 only where the carry need not cover the greatest loss."""
        exact = duels.best_return(rules, rules.multipliers, WINS, PAIRS_OF_HANDS, cover=rules.cover)
        return {"bet": exact}

    def payouts(self, rules: NiuNiuRules) -> tuple[Payout, ...]:
        """List what a win with each category pays; the banker wins at the same multipliers."""
        return tuple(Payout("bet", self.words[name], f"{times}:1") for name, times in rules.multipliers.items())

    def greatest_win(self, rules: NiuNiuRules) -> Text:
        """Return what a seat can win at most."""
        return words.per_bet(str(max(rules.multipliers.values())), "the best hand", "最大牌型", "最大牌型")


GAME = NiuNiu()
