"""The chips at risk in a round: what seats have staked so far, and what a void of the round would take back."""

from collections.abc import Iterable

from services.rules.happenings import Returned, Staked
from services.table import events
from services.table.events import Event
from services.table.public_table import PublicTable


def staked(recorded: Iterable[Event]) -> int:
    """Return what seats have put in since the last start among these events, in chips."""
    total = 0
    for event in recorded:
        if isinstance(event, events.RoundEnded):
            return sum(stake.amount for stake in event.outcome.stakes)
        if isinstance(event, events.RoundStarted):
            total = 0
        if isinstance(event, events.RoundStarted | events.ActionTaken | events.DeadlinePassed):
            total += sum(happened.amount for happened in event.happenings if isinstance(happened, Staked))
            total -= sum(happened.amount for happened in event.happenings if isinstance(happened, Returned))
    return total


def at_risk(core: PublicTable, recorded: Iterable[Event]) -> int:
    """Return the chips that a void of the open round would take from somebody; 0 at test tables and in scripted rounds.

    While it runs: what was put in, or all that its seats hold where nothing was put in for all to see. In such games
    (showdown, climbing) a decision binds chips that no event stakes. Once it has ended: what was staked, or what seats
    have won if it is more.
    """
    round_ = core.round
    if round_ is None or core.opening.test or round_.script is not None:
        return 0
    if round_.outcome is None:
        return staked(recorded) or sum(round_.carry.values())
    won = sum(claim.amount for claim in round_.outcome.claims if isinstance(claim.payee, int))
    pots = sum(pot.amount for pot in round_.outcome.pots)
    return max(sum(stake.amount for stake in round_.outcome.stakes), won, pots)
