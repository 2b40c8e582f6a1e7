"""Hands that need not be shown: their seats are asked once the result is certain [poker 0.17]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from services.rules import actions, illegal_actions
from services.rules.chance import Chance
from services.rules.happenings import Happening, Phase
from services.rules.offers import Option
from services.rules.outcomes import Outcome
from services.rules.poker import showdown, showdown_keys
from services.rules.poker.streets import Decisions

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

SECONDS: Final = 5
"""Most time for the choice."""
_OPTIONS: Final = (Option("reveal"), Option("muck"))


class ShowOrMuck(Decisions, frozen=True):
    """The window at the end of a hand; the result stands already."""

    has_bank: ClassVar[bool] = False

    def seconds(self, hand: "PokerRound") -> int:
        """Return the time for the choice, in seconds: a short one."""
        return min(SECONDS, hand.rules.turn_seconds)

    def asked(self, hand: "PokerRound") -> list[int]:
        """List the positions that have not answered."""
        return list(hand.to_show)

    def verify(self, hand: "PokerRound", position: int, action: actions.Action) -> None:
        """Raise Refused for another action."""
        del hand, position  # every position that is asked may choose
        if not isinstance(action, actions.Reveal | actions.Muck):
            message = f"you cannot {action.name} now; the hand is over: reveal or muck"
            raise illegal_actions.illegal(message, illegal_actions.SHOW_OR_MUCK)

    def do(
        self, hand: "PokerRound", position: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Show the hand, or keep it hidden."""
        del chance  # nothing is dealt
        hand.to_show.remove(position)
        if isinstance(action, actions.Reveal):
            hand.shown = True
            hand.mucked.remove(position)
            showdown.reveal(hand, position, log)
        if not hand.to_show:
            hand.clock += 1
        return not hand.to_show

    def options(self, hand: "PokerRound", position: int) -> list[Option]:
        """Show or muck."""
        del hand, position  # the same for all
        return list(_OPTIONS)

    def timeout_action(self, hand: "PokerRound", position: int) -> actions.Action:
        """Muck."""
        del hand, position  # the same for all
        return actions.Muck()


WINDOW: Final = ShowOrMuck("show_or_muck")


def may_muck(hand: "PokerRound", compared: Sequence[showdown.Compared]) -> list[int]:
    """Return the positions whose hands need not be shown at the end [poker 0.17]."""
    show = hand.rules.show
    if show == showdown_keys.ALL:
        return []
    live = [position for position, may_win in enumerate(hand.live) if may_win]
    if len(live) == 1:
        return live
    if show != showdown_keys.LOSERS or not all(hand.stacks[position] for position in live):
        return []
    won = showdown.winning_positions(hand, compared)
    return [position for position in live if position not in won]


def ask(hand: "PokerRound", ending: Outcome, log: list[Happening]) -> None:
    """Open the window for the hands that need not be shown; ``ending`` stands, but for their names."""
    assert hand.mucked, "nobody has a choice"
    hand.to_show, hand.ending = list(hand.mucked), ending
    hand.clock += 1
    log.append(Phase(WINDOW.name))
