"""Games whose rules have changed once, of two families: a payout, a ranking and a phase differ between the versions.

``house`` puts them into the catalogue as a house would have them: ``YESTERDAY`` only the first version, ``TODAY`` the
second with the first beside it, ``FORGETFUL`` the second alone.
"""

import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import pytest

from services.rules import catalogue
from services.rules.cards import Card
from services.rules.game import Game
from services.rules.poker import texas_holdem
from services.rules.poker.betting import BLINDS, Betting
from services.rules.poker.boards import Board
from services.rules.poker.streets import HAND, Own, Step
from services.rules.ranking.pip_counts import Ranked
from services.rules.showdown import tongbi_san_gong
from services.rules.text import Text
from services.rules.vocabulary import Terms

YESTERDAY, TODAY, FORGETFUL = "yesterday", "today", "forgetful"
SHOWDOWN: Final = "aged_san_gong"
POKER: Final = "aged_holdem"
GAMES: Final = (SHOWDOWN, POKER)
House = Callable[[str], None]
"""Takes one of the three houses; the fixture ``aged_house`` yields it and clears the catalogue's cache afterwards."""


class DearRules(tongbi_san_gong.Rules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of the second version: every hand pays twice as much, and a round can be played for nothing."""

    def factors(self) -> dict[str, int]:
        """Return twice the first version's multipliers."""
        return {category: 2 * factor for category, factor in super().factors().items()}


class LowRound(tongbi_san_gong.Round, kw_only=True):
    """A round of the second version: the worst hand wins."""

    rules: DearRules

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Rank the other way round."""
        first = super().rank(hand)
        return Ranked(first.category, tuple(-part for part in first.key), first.points)


class SanGong(tongbi_san_gong.TongbiSanGong):
    """The first version of the showdown game."""

    id = SHOWDOWN


class LowSanGong(SanGong):
    """The second version: another payout, another ranking, another word."""

    version = 2
    name = Text("Low san gong", "比小三公", "比小三公")
    words: ClassVar[dict[str, Text]] = {**SanGong.words, "0-6": Text("A fine hand", "好牌", "好牌")}
    rules_type = DearRules
    round_type: type[tongbi_san_gong.Round] = LowRound


class QuickHand(texas_holdem.Hand, kw_only=True):
    """A hand of the second version: five table cards at once, and two betting rounds."""

    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 2),
        Betting("preflop", 1, BLINDS),
        Board(5),
        Betting("last_bets", 2, big_bet=True),
    )

    def rank(self, position: int, table: Sequence[Card]) -> int:
        """Rank the other way round."""
        return -super().rank(position, table)

    def category(self, strength: int) -> str:
        """Return the category of a strength."""
        return super().category(-strength)


class Holdem(texas_holdem.TexasHoldem):
    """The first version of the poker game."""

    version = 1
    id = POKER


class QuickHoldem(Holdem):
    """The second version: another phase, another ranking."""

    version = 2
    terms = Holdem.terms + Terms(phase="last_bets")
    words: ClassVar[dict[str, Text]] = {**Holdem.words, "last_bets": Text("last bets", "最後下注", "最后下注")}
    round_type = QuickHand


VERSIONS: Final[dict[str, tuple[Game[Any, Any], Game[Any, Any]]]] = {
    SHOWDOWN: (SanGong(), LowSanGong()),
    POKER: (Holdem(), QuickHoldem()),
}


def house(patch: pytest.MonkeyPatch, which: str) -> None:
    """Make the catalogue that of a house of yesterday, of today, or of one that has not kept what was."""
    for game_id, (first, second) in VERSIONS.items():
        file = f"{first.family}.{game_id}"
        module = types.ModuleType(f"services.rules.{file}")
        module.__dict__["GAME"] = first if which == YESTERDAY else second
        module.__dict__["PAST"] = (first,) if which == TODAY else ()
        patch.setitem(sys.modules, module.__name__, module)
        patch.setitem(catalogue.FILES, game_id, file)
    catalogue.game.cache_clear()
