"""Stud as card rooms play it: always with a bring-in, without exposure and show-hand rule [poker 0.10].

A game adds its ladders; one for low hands lets the highest door card bring in and the lowest visible hand open.
"""

from collections.abc import Sequence
from typing import ClassVar

from services.rules.cards import RANKS, Card
from services.rules.happenings import Happening
from services.rules.poker import keys, structures, stud_keys, words
from services.rules.poker.betting import DOOR, VISIBLE, Betting
from services.rules.poker.bring_in import Opening
from services.rules.poker.engine import PokerRound
from services.rules.poker.game import AnteGame
from services.rules.poker.house_rules import PokerRules, bring_in_chips, completion_chips
from services.rules.poker.stakes import post_antes
from services.rules.poker.streets import HAND, UP, Own, Step
from services.rules.poker.stud import groups, height
from services.rules.ranking.lows import ACE_LOW


class DoorStudRules(PokerRules, frozen=True, kw_only=True):
    """Keys of stud with a bring-in; seven seats at most, so that 52 cards are always enough [razz D5]."""

    betting: str = structures.FIXED_LIMIT
    ante: keys.Ante = 2
    min_bet: keys.MinBet = 10
    bring_in: stud_keys.BringIn = None
    completion: stud_keys.Completion = None
    max_seats: int = 7

    @property
    def minimum(self) -> int:
        """The house rule ``min_bet``."""
        return self.min_bet

    @property
    def forced_bet(self) -> int:
        """The house rule ``bring_in``, in chips; by default half of the minimum bet."""
        return bring_in_chips(self.bring_in, self.min_bet)

    @property
    def full_bet(self) -> int:
        """The house rule ``completion``, in chips; by default the minimum bet."""
        return completion_chips(self.completion, self.min_bet)


class DoorStudRound(PokerRound, kw_only=True):
    """A hand: two cards down and one up, three more up, the seventh down.

    ``low_opens``: aces are low; the highest door card brings in, and the lowest visible hand opens later rounds.
    """

    low_opens: ClassVar[bool] = False

    rules: DoorStudRules
    streets: ClassVar[tuple[Step, ...]] = (
        Own(HAND, 2),
        Own(UP),
        Opening("round_1", 1, VISIBLE),
        Own(UP),
        Betting("round_2", 2, VISIBLE),
        Own(UP),
        Betting("round_3", 3, VISIBLE, big_bet=True),
        Own(UP),
        Betting("round_4", 4, VISIBLE, big_bet=True),
        Own(HAND),
        Betting("round_5", 5, VISIBLE, big_bet=True),
    )

    def post(self, log: list[Happening]) -> None:
        """Post every ante."""
        post_antes(self, self.rules.ante, log)

    def opener(self, how: str) -> int:
        """Start with the door card that brings in, later with the best visible hand, first to the left if equal."""
        order = ACE_LOW if self.low_opens else RANKS
        if how == DOOR:
            choose = max if self.low_opens else min
            return choose(range(len(self.order)), key=lambda position: height(self.up[position][0], order))
        assert how == VISIBLE, f"{how} is not an opener of stud"
        positions = [position for position, live in enumerate(self.live) if live]
        choose = min if self.low_opens else max
        return choose(positions, key=lambda position: visible(self.up[position], order))


def visible(up: Sequence[Card], order: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how high face-up cards are: the sizes of their groups, biggest first, then the ranks of the groups."""
    found = groups(up, order)
    return tuple(count for count, _ in found), tuple(rank for _, rank in found)


class DoorStudGame(AnteGame):
    """A game of stud with a bring-in."""

    most = 7
    terms = words.COMMON_TERMS + words.ANTE_TERMS + words.BRING_IN_TERMS
