"""The play of climbing games: lead, beat or pass, until a seat has no cards left [climbing]."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from services.rules import illegal_actions
from services.rules.actions import Action, AnyAction, Pass, Play
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.climbing.round import PLAYED, ClimbingRound, LastPlay
from services.rules.happenings import Happening, Noted
from services.rules.offers import Option, Sets
from services.rules.phases import OneTurn
from services.rules.refusals import Reason, Refused

ClimbingRoundT = TypeVar("ClimbingRoundT", bound=ClimbingRound[Any])


class InTurn(OneTurn[ClimbingRoundT], Generic[ClimbingRoundT], frozen=True):
    """A phase in which ``turn`` of the round alone may act; tests are in the order of tricks.md, "Refusals"."""

    def asked(self, round_: ClimbingRoundT) -> Sequence[int]:
        """List the seat on turn."""
        return (round_.turn,)

    def forced(self, round_: ClimbingRoundT, seat: int) -> AnyAction:
        """Pass."""
        del round_, seat  # the same for all
        return Pass()


class Plays(InTurn[ClimbingRound[Any]], frozen=True):
    """Plays and passes; a seat whose play all others passed leads anything."""

    name: str = "play"

    def offered(self, round_: ClimbingRound[Any], seat: int) -> list[Option]:
        """List every legal play; plays that the game does not distinguish are listed once."""
        legal = round_.combinations().legal(round_.hands[seat], round_.standing)
        if round_.opening is not None:
            legal = [play for play in legal if round_.opening in play]
        found = [Option("play", {"cards": Sets(tuple(legal))})] if legal else []
        return found if round_.to_beat is None else [*found, Option("pass")]

    def check(self, round_: ClimbingRound[Any], seat: int, action: Action) -> None:
        """Accept a play that beats the last one, and a pass of a seat that does not lead."""
        if isinstance(action, Play):
            self._check_play(round_, seat, action)
        elif not isinstance(action, Pass):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; play cards, or pass", illegal_actions.PLAY_OR_PASS
            )
        elif round_.to_beat is None:
            raise illegal_actions.illegal("the leader may not pass; play any combination", illegal_actions.LEADER_PLAYS)

    def _check_play(self, round_: ClimbingRound[Any], seat: int, action: Play) -> None:
        if (action.call, action.sign, action.next) != (None, None, None):
            raise illegal_actions.illegal(
                "this game has no call, sign or next; play cards alone", illegal_actions.CARDS_ALONE
            )
        held = round_.hands[seat]
        for at, card in enumerate(action.cards):
            if card not in held or card in action.cards[:at]:
                raise Refused(
                    Reason.CARD_NOT_HELD, f"{card} is not in the hand, or named twice; play cards that you hold"
                )
        combinations = round_.combinations()
        reading = combinations.read(action.cards, round_.standing)
        shown = " ".join(action.cards) or "no card at all"
        if reading is None:
            raise Refused(Reason.ILLEGAL_CARDS, f"{shown} is not a combination; play one of the game's types")
        if round_.opening is not None and round_.opening not in action.cards:
            raise Refused(Reason.ILLEGAL_CARDS, f"the first play of the round must hold {round_.opening}")
        if round_.to_beat is not None and not combinations.beats(reading, round_.to_beat.reading):
            last = " ".join(round_.to_beat.cards)
            raise Refused(Reason.ILLEGAL_CARDS, f"{shown} does not beat {last}; play a higher one of its type, or pass")

    def do(self, round_: ClimbingRound[Any], seat: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Take a play or a pass; the phase is over when a seat has no cards left."""
        del chance  # nothing is drawn
        round_.clock += 1
        if isinstance(action, Play):
            return self._play(round_, seat, action.cards, log)
        log.append(Noted("passed", seat))
        round_.passes += 1
        round_.turn = round_.following(seat)
        if round_.passes == len(round_.carry) - 1:
            round_.to_beat, round_.passes = None, 0
        return False

    def _play(self, round_: ClimbingRound[Any], seat: int, some: tuple[Card, ...], log: list[Happening]) -> bool:
        reading = round_.combinations().read(some, round_.standing)
        assert reading is not None, "an unverified play"
        round_.hands[seat] = left = [card for card in round_.hands[seat] if card not in some]
        round_.to_beat, round_.passes, round_.opening = LastPlay(seat, some, reading), 0, None
        round_.plays_made[seat] = round_.plays_made.get(seat, 0) + 1
        more = round_.after_play(reading)
        log.append(Noted(PLAYED, seat, {"cards": some, "type": reading.kind, "left": len(left), **more}))
        round_.turn = round_.following(seat) if left else seat
        return not left

    def forced(self, round_: ClimbingRound[Any], seat: int) -> AnyAction:
        """Pass; where the seat leads, play its lowest single."""
        if round_.to_beat is not None:
            return Pass()
        return Play(cards=(min(round_.hands[seat], key=round_.combinations().sort_key),))
