"""How a hand ends: by comparing hands, or because one live seat is left [poker 0.5]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.rules.happenings import Happening, Phase
from services.rules.poker import show_or_muck, showdown
from services.rules.poker.betting import NOBODY

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound


def by_showdown(hand: "PokerRound", log: list[Happening]) -> None:
    """Compare the live hands on each board, show them, and award the pots."""
    log.append(Phase(showdown.SHOWDOWN))
    hand.shown = True
    compared = [showdown.compare(hand, table) for table in hand.tables()]
    hand.mucked = show_or_muck.may_muck(hand, compared)
    showdown.show(hand, compared, log)
    _award(hand, compared, log)


def without_showdown(hand: "PokerRound", log: list[Happening]) -> None:
    """Award the pots to the one live seat; by house rule it may show its hand."""
    hand.mucked = show_or_muck.may_muck(hand, ())
    _award(hand, showdown.NOT_COMPARED, log)


def _award(hand: "PokerRound", compared: Sequence[showdown.Compared], log: list[Happening]) -> None:
    """Settle who wins what; the hand has ended unless a seat may still show its cards."""
    hand.turn = NOBODY
    outcome = showdown.outcome(hand, compared, log)
    if hand.mucked:
        show_or_muck.ask(hand, outcome, log)
    else:
        hand.outcome = outcome
