"""Seats that are looked through before a round: what was found must still hold when the round starts."""

import pytest

from services.dealer.admission import Cleared, LookAgain
from tests.table.playing import Sitting


def test_a_round_starts_only_on_what_was_looked_through() -> None:
    """Who sat down since, or a limit that was set since, makes the dealer look again; who left does not."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 100, 1: 100, 2: 100})
    seen = Cleared(frozenset({"p0", "p1", "p2"}))
    seen.holds(sitting.table.core)
    sitting.leave(2)
    seen.holds(sitting.table.core)
    sitting.allow({0: 50})
    with pytest.raises(LookAgain):
        seen.holds(sitting.table.core)
    limited = Cleared(frozenset({"p0", "p1"}), {0: 50})
    limited.holds(sitting.table.core)
    sitting.allow({0: 0})
    with pytest.raises(LookAgain):
        limited.holds(sitting.table.core)
    sitting.allow({0: 50})
    sitting.sit({3: 100})
    with pytest.raises(LookAgain):
        limited.holds(sitting.table.core)
