"""San gong, winner takes from all (showdown, ``tongbi_san_gong``): three cards, points and court hands."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Final

import msgspec

from services.rules import keys
from services.rules.cards import Card
from services.rules.ranking import san_gong
from services.rules.ranking.pip_counts import Ranked
from services.rules.showdown import texts
from services.rules.showdown.comparison import ONE_WINNER, OneWinnerRules
from services.rules.showdown.description import ShowdownGame
from services.rules.showdown.table import ShowdownRound
from services.rules.text import Text

LADDER: Final = {"0-6": 1, "7-9": 2, "san_gong": 3, "da_san_gong": 4, "zhi_zun": 5}


class Rules(OneWinnerRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of tongbi_san_gong."""

    multipliers: Annotated[dict[str, int], keys.multipliers(LADDER)] = msgspec.field(
        default_factory=lambda: dict(reversed(LADDER.items()))
    )
    max_seats: int = 5

    ladder: ClassVar[Mapping[str, int]] = LADDER


class Round(ShowdownRound[Rules], kw_only=True):
    """A round of tongbi_san_gong."""

    phases = ONE_WINNER
    hand_size: ClassVar[int] = san_gong.SIZE

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Rank by points < 三公 < 大三公 < 至尊."""
        return san_gong.tongbi(hand)


class TongbiSanGong(ShowdownGame[Rules, Round]):
    """Tongbi san gong."""

    id = "tongbi_san_gong"
    name = Text("San gong, winner takes from all", "通比三公", "通比三公")
    summary = texts.summary(
        Text(
            "Everybody chooses a multiple and gets three cards. A counts 1, 2 to 9 their number, 10 J Q K nothing; "
            "the last digit of the sum counts. Three court cards beat every number of points, three of one rank "
            "beat those, three threes beat all. Equal points are decided by more court cards, then the highest "
            "court card, then the highest other card, then the suit. The best hand is paid by every other seat: "
            "base × multiplier of the winning hand × multiple of the winner × multiple of the loser.",
            "各家選擇下注倍數後各發三張牌。A 算 1 點，2 至 9 按其點數，10、J、Q、K 算 0 點，取總和的個位數。三張公"
            "仔牌為三公，大於任何點數；三張同點為大三公，又大於三公；三張 3 為至尊，最大。點數相同先比公仔牌數量，"
            "再比最大的公仔牌，再比最大的散牌，最後比花色（黑＞紅＞梅＞方）。牌最大的一家贏所有其他家：底注×贏家牌"
            "型倍數×贏家下注倍數×輸家下注倍數。",
            "各家选择下注倍数后各发三张牌。A 算 1 点，2 至 9 按其点数，10、J、Q、K 算 0 点，取总和的个位数。三张公"
            "仔牌为三公，大于任何点数；三张同点为大三公，又大于三公；三张 3 为至尊，最大。点数相同先比公仔牌数量，"
            "再比最大的公仔牌，再比最大的散牌，最后比花色（黑＞红＞梅＞方）。牌最大的一家赢所有其他家：底注×赢家牌"
            "型倍数×赢家下注倍数×输家下注倍数。",
        )
    )
    terms = texts.terms(Rules.ladder)
    words: ClassVar[dict[str, Text]] = {
        **texts.WORDS,
        "zhi_zun": Text("Supreme (three threes)", "至尊", "至尊"),
        "da_san_gong": Text("Three of one rank", "大三公", "大三公"),
        "san_gong": Text("Three court cards", "三公", "三公"),
        "7-9": Text("7 to 9 points", "7 至 9 點", "7 至 9 点"),
        "0-6": Text("0 to 6 points", "0 至 6 點", "0 至 6 点"),
    }
    rules_type = Rules
    round_type = Round
    most = 5

    def unit(self, rules: Rules) -> str:
        """Write that both multiples multiply the base."""
        return f"{rules.base} × X × Y"


GAME = TongbiSanGong()
