"""Metrics of ended rounds, counted after the commit: an attempt that lost a race has ended nothing."""

from collections.abc import Sequence

from services.runtime import metrics
from services.table import events
from services.table.events import Event
from services.table.public_table import PublicTable


def committed(core: PublicTable, made: Sequence[Event]) -> None:
    """Count the rounds ended by these committed events; ``core`` is the table after them."""
    for event in made:
        if isinstance(event, events.RoundSettled):
            metrics.ROUNDS.labels(core.opening.game, "settled").inc()
            metrics.SETTLEMENT_LAG.observe(max(0, event.at_ms - core.ended_ms) / 1000)
        elif isinstance(event, events.RoundVoided):
            metrics.ROUNDS.labels(core.opening.game, "voided").inc()
