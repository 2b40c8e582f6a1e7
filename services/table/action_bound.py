"""A bound on what a seat may repeat in one round, so that every round stays short enough to be read again.

Bets on spots, bets and raises can be made as often as chips last, one chip at a time. A seat that has acted
``Game.most_actions`` times in a round may make no more of them; neither may any seat once all of them together have
acted that often. What ends a seat's turn is never refused, and deadlines end the round as usual. A table's log is not
held to the bound: what was accepted once is replayed as it was.
"""

from typing import Final

from services.rules import actions
from services.rules.offers import Option
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.table.full_table import FullTable
from services.table.public_table import PublicTable

MOST_BETWEEN: Final = 40
"""Seeds, and actions between rounds, that a seat may give for each coming round."""


def within(table: FullTable, seat: int, offered: list[Option]) -> list[Option]:
    """Return what is offered to a seat without what it may not repeat; never nothing where something was offered."""
    if not _reached(table, seat):
        return offered
    return [option for option in offered if not actions.BY_NAME[option.action].repeats] or offered


def verify(table: FullTable, seat: int, action: actions.Action) -> None:
    """Raise Refused (``ILLEGAL_ACTION``) where a seat may not repeat an action that the rules allow."""
    if not action.repeats or not _reached(table, seat):
        return
    assert table.round is not None, "no round runs"
    names = {option.action for option in table.round.options(seat)}
    left = sorted(name for name in names if not actions.BY_NAME[name].repeats)
    if not left:
        return
    most = table.game.most_actions
    raise Refused(
        Reason.ILLEGAL_ACTION,
        f"seat {seat} may {action.name} no more: {most} actions for each seat are the most in one round;"
        f" what is left is {', '.join(left)}",
        metadata={"limit": "actions", "most": most},
        text=Text(
            f"No more bets in this round: {most} actions for each seat are the most.",
            f"本局每個座位最多 {most} 次操作，不能再加注。",
            f"本局每个座位最多 {most} 次操作，不能再加注。",
        ),
    )


def require_room_between(core: PublicTable, seat: int, reason: Reason) -> None:
    """Raise Refused with a reason where a seat has given enough seeds or actions for the coming round."""
    if core.between.get(seat, 0) >= MOST_BETWEEN:
        message = f"seat {seat} has given {MOST_BETWEEN} seeds or actions since the last start; wait for the next round"
        raise Refused(reason, message, metadata={"limit": "actions", "most": MOST_BETWEEN})


def _reached(table: FullTable, seat: int) -> bool:
    round_ = table.core.round
    assert round_ is not None, "no round runs"
    most = table.game.most_actions
    return round_.actions.get(seat, 0) >= most or sum(round_.actions.values()) >= most * len(round_.carry)
