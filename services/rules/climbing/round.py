"""What a round of a climbing game holds, and how it is shown."""

from typing import Any, Final, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import chips, facts, happenings
from services.rules.cards import Card, face_down
from services.rules.chance import Stock
from services.rules.game import HouseRules
from services.rules.happenings import Happening
from services.rules.outcomes import Outcome
from services.rules.phases import ENDED, PhasedRound
from services.rules.ranking.combination import Combination, Combinations
from services.rules.views import SeatView, View, Zone

HAND: Final = "hand"
PLAYED: Final = "played"

RulesT = TypeVar("RulesT", bound=HouseRules, default=Any)


class LastPlay(msgspec.Struct, frozen=True):
    """The play that must be beaten: whose it is, which cards, and what they are read as."""

    seat: int
    cards: tuple[Card, ...]
    reading: Combination


class ClimbingRound(PhasedRound[RulesT], Generic[RulesT], kw_only=True):
    """One round: hands by seat, who is on turn, the play to beat (None: the seat on turn leads).

    ``passes`` counts those since the last play; ``plays_made`` the plays of each seat; ``opening`` is a card that the
    first play of the round must hold, if the game has one.
    """

    stock: Stock
    hands: dict[int, list[Card]]
    turn: int
    to_beat: LastPlay | None = None
    passes: int = 0
    plays_made: dict[int, int] = msgspec.field(default_factory=dict)
    opening: Card | None = None

    # -- what the game's file gives

    def combinations(self) -> Combinations:
        """Return the combinations that are played."""
        raise NotImplementedError

    def after_play(self, reading: Combination) -> dict[str, Any]:
        """Apply a play's effect on the stakes, and return what is noted of it besides the cards."""
        del reading  # in most games a play has none
        return {}

    def status(self, seat: int) -> str:
        """Return a seat's part in the round, by a word of the game."""
        raise NotImplementedError

    def table_zones(self) -> tuple[Zone, ...]:
        """Show the cards that belong to no seat."""
        return ()

    # -- for the phases

    @property
    def standing(self) -> Combination | None:
        """The reading that must be beaten; None for the leader."""
        return None if self.to_beat is None else self.to_beat.reading

    def following(self, seat: int) -> int:
        """Return the seat to the left."""
        return chips.to_the_left(self.carry, seat)[0]

    def empty_handed(self) -> int:
        """Return the seat that has no cards left, which ends the play."""
        return next(seat for seat, held in self.hands.items() if not held)

    def end(self, outcome: Outcome, log: list[Happening]) -> None:
        """End the round."""
        self.outcome = outcome
        log.append(happenings.Phase(ENDED))

    # -- showing

    def view(self, viewer: int | None) -> View:
        """Show the own hand, how many cards the others hold, and the play to beat."""
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(SeatView(seat, held, 0, self.status(seat)) for seat, held in self.carry.items()),
            zones=(*self.table_zones(), *(self._hand(seat, viewer) for seat in self.carry), *self._played()),
            pots=(),
            facts=facts.of("climbing", self.facts() if self.outcome is None else self.outcome.facts),
        )

    def _hand(self, seat: int, viewer: int | None) -> Zone:
        held = self.hands[seat]
        if seat != viewer:
            return Zone(seat, HAND, face_down(len(held)))
        return Zone(seat, HAND, tuple(sorted(held, key=self.combinations().sort_key)))

    def _played(self) -> tuple[Zone, ...]:
        return () if self.to_beat is None else (Zone(self.to_beat.seat, PLAYED, self.to_beat.cards),)
