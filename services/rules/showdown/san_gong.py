"""San gong, every pair (showdown, ``san_gong``): three cards, no choices, every two hands are compared."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Final

import msgspec

from services.rules import keys
from services.rules.cards import Card
from services.rules.ranking import san_gong
from services.rules.ranking.pip_counts import Ranked
from services.rules.showdown import keys as showdown_keys
from services.rules.showdown import texts
from services.rules.showdown.comparison import EVERY_PAIR
from services.rules.showdown.description import ShowdownGame
from services.rules.showdown.table import ShowdownRound, ShowdownRules
from services.rules.text import Text

ONLINE: Final = {"0-6": 1, "7-9": 2, "hun": 3, "xiao": 4, "da": 5}
HOME: Final = {"0-6": 1, "7-9": 2, "san_gong": 3}


class Rules(ShowdownRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of san_gong; ``ranking`` is ``online`` (never equal) or ``home`` (equal hands tie)."""

    multipliers: Annotated[dict[str, int], keys.multipliers({**ONLINE, **HOME})] = msgspec.field(
        default_factory=lambda: dict(reversed(ONLINE.items()))
    )
    ranking: showdown_keys.Ranking = "online"
    max_seats: int = 6

    ladder: ClassVar[Mapping[str, int]] = {**ONLINE, **HOME}

    def factors(self) -> dict[str, int]:
        """Return the multiplier in force of each category of the ladder in use."""
        used = HOME if self.ranking == "home" else ONLINE
        return {category: self.multipliers.get(category, factor) for category, factor in used.items()}


class Round(ShowdownRound[Rules], kw_only=True):
    """A round of san_gong."""

    phases = EVERY_PAIR
    hand_size: ClassVar[int] = san_gong.SIZE

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Rank by the ladder that the house rules name."""
        return san_gong.home(hand) if self.rules.ranking == "home" else san_gong.online(hand)


class SanGong(ShowdownGame[Rules, Round]):
    """San gong, every pair."""

    id = "san_gong"
    name = Text("San gong, every pair", "三公", "三公")
    summary = texts.summary(
        Text(
            "Everybody gets three cards. A counts 1, 2 to 9 their number, 10 J Q K nothing; the last digit of the "
            "sum counts. Three court cards beat every number of points, three of one rank up to the ten beat "
            "those, three jacks, queens or kings beat all. Equal points are decided by more court cards, then the "
            "highest card, then its suit. By the home rules any three court cards are equal, and so are equal "
            "points. Every two hands are compared: the better one is paid base × its own multiplier.",
            "各家發三張牌。A 算 1 點，2 至 9 按其點數，10、J、Q、K 算 0 點，取總和的個位數。三張公牌為混三公，大於"
            "任何點數；三張同點（至 10）為小三公；三張 J、Q 或 K 為大三公，最大。點數相同先比公牌數，再比最大的單張，"
            "最後比花色（黑＞紅＞梅＞方）。家庭規則：任何三張公牌皆為三公，彼此相等；點數相同為和局。每兩家互相比牌，"
            "勝者得底注×自己牌型的倍數。",
            "各家发三张牌。A 算 1 点，2 至 9 按其点数，10、J、Q、K 算 0 点，取总和的个位数。三张公牌为混三公，大于"
            "任何点数；三张同点（至 10）为小三公；三张 J、Q 或 K 为大三公，最大。点数相同先比公牌数，再比最大的单张，"
            "最后比花色（黑＞红＞梅＞方）。家庭规则：任何三张公牌皆为三公，彼此相等；点数相同为和局。每两家互相比牌，"
            "胜者得底注×自己牌型的倍数。",
        )
    )
    terms = texts.terms(Rules.ladder, multiples=False)
    words: ClassVar[dict[str, Text]] = {
        **texts.WORDS,
        "da": Text("Three jacks, queens or kings", "大三公", "大三公"),
        "xiao": Text("Three of one rank up to the ten", "小三公", "小三公"),
        "hun": Text("Three court cards of different ranks", "混三公", "混三公"),
        "san_gong": Text("Three court cards", "三公", "三公"),
        "7-9": Text("7 to 9 points", "7 至 9 點", "7 至 9 点"),
        "0-6": Text("0 to 6 points", "0 至 6 點", "0 至 6 点"),
    }
    rules_type = Rules
    round_type = Round
    most = 6


GAME = SanGong()
