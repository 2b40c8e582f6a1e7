"""Climbing games: bidding where there is one, then lead, beat or pass, until a seat has no cards left.

A seat whose play all others passed leads anything. A game's file gives the pack, the shapes of its
combinations, what a play sets off (a bomb doubles) and what the end pays.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from services.rules import actions, chips, facts, game, illegal_actions
from services.rules.cards import Card, face_down
from services.rules.chance import Chance
from services.rules.climbing import plays
from services.rules.climbing.bidding import Points, Robbing
from services.rules.happenings import Decided, Happening, Noted, Phase
from services.rules.offers import Option, Sets, Waiting
from services.rules.outcomes import Outcome
from services.rules.ranking import climbing
from services.rules.ranking.climbing import Combination, Shape
from services.rules.refusals import Reason, Refused
from services.rules.views import SeatView, View, Zone

BIDDING: Final = "bidding"
PLAY: Final = "play"
ENDED: Final = "ended"
HAND: Final = "hand"
PLAYED: Final = "played"


class LastPlay(msgspec.Struct, frozen=True):
    """The play that must be beaten: whose it is, which cards, and what they are read as."""

    seat: int
    cards: tuple[Card, ...]
    reading: Combination


class ClimbingRound(game.Round, kw_only=True):
    """One round: hands by seat, who is on turn, the play to beat (None: the seat on turn leads).

    ``passes`` counts those since the last play; ``plays_made`` the plays of each seat; ``multiplier`` is what bombs and
    the like have made of the bid.
    """

    turn: int
    hands: dict[int, list[Card]]
    bidding: Points | Robbing | None = None
    to_beat: LastPlay | None = None
    passes: int = 0
    plays_made: dict[int, int] = msgspec.field(default_factory=dict)
    multiplier: int = 1

    # -- what the game's file gives

    def shapes(self) -> dict[str, Shape]:
        """Return the types of combinations that are played."""
        raise NotImplementedError

    def seconds(self) -> int:
        """Return the time for one decision."""
        raise NotImplementedError

    def bidding_over(self) -> list[Happening]:
        """Begin the play, or end the round if nobody bid."""
        raise NotImplementedError

    def after_play(self, reading: Combination) -> None:
        """Apply a play's effect on the stakes."""

    def finish(self, winner: int) -> Outcome:
        """Return the outcome once a seat has no cards left."""
        raise NotImplementedError

    def status(self, seat: int) -> str:
        """Return a seat's part in the round, by a word of the game."""
        raise NotImplementedError

    def table_zones(self) -> tuple[Zone, ...]:
        """Show the cards that belong to no seat."""
        return ()

    # -- questions

    @property
    def phase(self) -> str:
        """Return the phase."""
        if self.outcome is not None:
            return ENDED
        return PLAY if self.bidding is None else BIDDING

    @property
    def standing(self) -> Combination | None:
        """Return the reading that must be beaten; None for the leader."""
        return None if self.to_beat is None else self.to_beat.reading

    def waiting(self) -> Waiting | None:
        """Wait for the seat on turn."""
        if self.outcome is not None:
            return None
        return Waiting(seats=(self.turn,), clock=self.clock, seconds=self.seconds())

    def options(self, seat: int) -> list[Option]:
        """List the words of the bidding, or every legal play; plays that differ in suits only are listed once."""
        if self.outcome is not None or seat != self.turn:
            return []
        if self.bidding is not None:
            return self.bidding.options()
        legal = plays.legal(self.hands[seat], self.standing, self.shapes())
        found = [Option("play", {"cards": Sets(tuple(legal))})] if legal else []
        return found if self.to_beat is None else [*found, Option("pass")]

    def offers(self, seat: int) -> list[Option]:
        """Offer the words of the bidding without the second way to pass."""
        offered = self.options(seat)
        return self.bidding.offers() if offered and self.bidding is not None else offered

    def verify(self, seat: int, action: actions.Action) -> None:
        """Test in the order of tricks.md, "Refusals"."""
        self.verify_open(seat)
        self.verify_turn(seat, self.turn)
        if self.bidding is not None:
            self.bidding.verify(action)
        elif isinstance(action, actions.Play):
            self._verify_play(seat, action)
        elif not isinstance(action, actions.Pass):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; play cards, or pass", illegal_actions.PLAY_OR_PASS
            )
        elif self.to_beat is None:
            raise illegal_actions.illegal("the leader may not pass; play any combination", illegal_actions.LEADER_PLAYS)

    def _verify_play(self, seat: int, action: actions.Play) -> None:
        if (action.call, action.sign, action.next) != (None, None, None):
            raise illegal_actions.illegal(
                "this game has no call, sign or next; play cards alone", illegal_actions.CARDS_ALONE
            )
        held = self.hands[seat]
        for at, card in enumerate(action.cards):
            if card not in held or card in action.cards[:at]:
                raise Refused(
                    Reason.CARD_NOT_HELD, f"{card} is not in the hand, or named twice; play cards that you hold"
                )
        reading = self._read(action.cards)
        shown = " ".join(action.cards) or "no card at all"
        if reading is None:
            raise Refused(Reason.ILLEGAL_CARDS, f"{shown} is not a combination; play one of the game's types")
        if self.to_beat is not None and not climbing.beats(reading, self.to_beat.reading):
            last = " ".join(self.to_beat.cards)
            raise Refused(Reason.ILLEGAL_CARDS, f"{shown} does not beat {last}; play a higher one of its type, or pass")

    def _read(self, some: Sequence[Card]) -> Combination | None:
        return climbing.read(some, self.standing, self.shapes())

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
        seen = tuple(sorted(held, key=climbing.sort_key)) if seat == viewer else face_down(len(held))
        return Zone(seat, HAND, seen)

    def _played(self) -> tuple[Zone, ...]:
        return () if self.to_beat is None else (Zone(self.to_beat.seat, PLAYED, self.to_beat.cards),)

    # -- moves

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Take a word of the bidding, a play or a pass."""
        self.clock += 1
        if self.bidding is not None:
            happenings = self.bidding.take(action)
            if self.bidding.turn is None:
                return happenings + self.bidding_over()
            self.turn = self.bidding.turn
            return happenings
        if isinstance(action, actions.Play):
            return self._play(seat, action.cards)
        self.passes += 1
        self.turn = self._next()
        if self.passes == len(self.carry) - 1:
            self.to_beat, self.passes = None, 0
        return [Noted("passed", seat)]

    def _play(self, seat: int, some: tuple[Card, ...]) -> list[Happening]:
        reading = self._read(some)
        assert reading is not None, "an unverified play"
        self.hands[seat] = [card for card in self.hands[seat] if card not in some]
        self.to_beat, self.passes = LastPlay(seat, some, reading), 0
        self.plays_made[seat] = self.plays_made.get(seat, 0) + 1
        self.after_play(reading)
        left = len(self.hands[seat])
        shown = {"cards": some, "type": reading.kind, "left": left, "multiplier": self.multiplier}
        happenings: list[Happening] = [Noted(PLAYED, seat, shown)]
        if left:
            self.turn = self._next()
            return happenings
        self.outcome = self.finish(seat)
        return [*happenings, Phase(ENDED)]

    def _next(self) -> int:
        return chips.to_the_left(self.carry, self.turn)[0]

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Pass for the seat on turn; where it leads, play its lowest single."""
        action: actions.AnyAction = actions.Pass()
        if self.bidding is None and self.to_beat is None:
            action = actions.Play(cards=(min(self.hands[self.turn], key=climbing.sort_key),))
        return [Decided(self.turn, action), *self.do(self.turn, action, chance)]
