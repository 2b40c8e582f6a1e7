"""Niu niu, winner takes from all (showdown, ``tongbi_niu_niu``): five cards, jokers in the pack."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Final

import msgspec

from services.rules import cards, keys
from services.rules.cards import Card
from services.rules.ranking import niu_niu
from services.rules.ranking.pip_counts import Ranked
from services.rules.showdown import keys as showdown_keys
from services.rules.showdown import texts
from services.rules.showdown.comparison import ONE_WINNER, OneWinnerRules
from services.rules.showdown.description import ShowdownGame
from services.rules.showdown.table import ShowdownRound
from services.rules.text import Text

LADDER: Final = {"none": 1, "niu_1-6": 1, "niu_7-9": 2, "niu_niu": 3, "four_court": 4, "five_court": 5}


class Rules(OneWinnerRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of tongbi_niu_niu; ``jokers: false`` plays with 52 cards."""

    multipliers: Annotated[dict[str, int], keys.multipliers(LADDER)] = msgspec.field(
        default_factory=lambda: dict(reversed(LADDER.items()))
    )
    jokers: showdown_keys.Jokers = True
    max_seats: int = 5

    ladder: ClassVar[Mapping[str, int]] = LADDER


class Round(ShowdownRound[Rules], kw_only=True):
    """A round of tongbi_niu_niu."""

    phases = ONE_WINNER
    hand_size: ClassVar[int] = niu_niu.SIZE
    niu: ClassVar[str] = "牛"

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Rank the hand arranged at its best."""
        return niu_niu.tongbi(hand)


class TongbiNiuNiu(ShowdownGame[Rules, Round]):
    """Tongbi niu niu."""

    id = "tongbi_niu_niu"
    name = Text("Niu niu, winner takes from all", "通比牛牛", "通比牛牛")
    summary = texts.summary(
        Text(
            "Everybody chooses a multiple and gets five cards. A counts 1, 2 to 9 their number, 10 J Q K and "
            "jokers 10. Three cards that make a multiple of ten give a niu, the last digit of the other two; both "
            "groups make niu niu. Four court cards with a 10 or a joker beat niu niu, five court cards beat all. A "
            "joker may stand for any number where that makes niu niu. Equal hands are decided by the highest card "
            "(jokers above the king), then by suit. The best hand is paid by every other seat: base × multiplier "
            "of the winning hand × multiple of the winner × multiple of the loser.",
            "各家選擇下注倍數後各發五張牌。A 算 1 點，2 至 9 按其點數，10、J、Q、K 及大小王算 10 點。三張之和為 10 "
            "的倍數即有牛，另兩張之和的個位數為牛幾；兩組都是 10 的倍數為牛牛。四張公仔牌加一張 10 或一張王為四花牛，"
            "五張公仔牌為五花牛。能湊成牛牛時王可當任意點數。牌型相同比最大的單張（大王＞小王＞K），再比花色（黑＞"
            "紅＞梅＞方）。牌最大的一家贏所有其他家：底注×贏家牌型倍數×贏家下注倍數×輸家下注倍數。",
            "各家选择下注倍数后各发五张牌。A 算 1 点，2 至 9 按其点数，10、J、Q、K 及大小王算 10 点。三张之和为 10 "
            "的倍数即有牛，另两张之和的个位数为牛几；两组都是 10 的倍数为牛牛。四张公仔牌加一张 10 或一张王为四花牛，"
            "五张公仔牌为五花牛。能凑成牛牛时王可当任意点数。牌型相同比最大的单张（大王＞小王＞K），再比花色（黑＞"
            "红＞梅＞方）。牌最大的一家赢所有其他家：底注×赢家牌型倍数×赢家下注倍数×输家下注倍数。",
        )
    )
    terms = texts.terms(Rules.ladder)
    words: ClassVar[dict[str, Text]] = {
        **texts.WORDS,
        "five_court": Text("Five court cards", "五花牛", "五花牛"),
        "four_court": Text("Four court cards and a ten", "四花牛", "四花牛"),
        "niu_niu": Text("Niu niu", "牛牛", "牛牛"),
        "niu_7-9": Text("Niu 7 to 9", "牛七至牛九", "牛七至牛九"),
        "niu_1-6": Text("Niu 1 to 6", "牛一至牛六", "牛一至牛六"),
        "none": Text("No niu", "無牛", "无牛"),
    }
    rules_type = Rules
    round_type = Round
    most = 10

    def pack(self, rules: Rules) -> tuple[Card, ...]:
        """Return 54 cards, or 52 without the jokers."""
        return cards.PACK_54 if rules.jokers else cards.PACK_52

    def unit(self, rules: Rules) -> str:
        """Write that both multiples multiply the base."""
        return f"{rules.base} × X × Y"


GAME = TongbiNiuNiu()
