"""Chips at risk in a running round: what a void would return is never reported as zero."""

from random import Random

import msgspec
import pytest

from services.rules import catalogue
from services.table import public_table, stakes
from tests.support import worlds
from tests.support.sittings import Sitting

SEATS = 3
CHIPS = 1000


@pytest.mark.parametrize("game_id", list(catalogue.FILES))
def test_a_running_round_of_any_game_has_chips_at_risk(game_id: str) -> None:
    """At every moment of a round some chips are at risk, and never more than the seats hold."""
    by_hand = {"auto_flip": False} if game_id == "war" else {}
    sitting = Sitting(game_id, worlds.default_rules(catalogue.game(game_id), **by_hand))
    seats = 2 if sitting.rules.max_seats == 2 else max(SEATS, sitting.rules.min_seats)
    sitting.sit(dict.fromkeys(range(seats), CHIPS))
    sitting.start()
    rng = Random(game_id)
    looked = 0
    while (core := sitting.table.core).phase == public_table.IN_ROUND:
        assert core.round is not None
        at_risk = stakes.at_risk(_for_money(core), sitting.log)
        assert 0 < at_risk <= sum(core.round.carry.values())
        looked += 1
        sitting.step(rng)
    assert looked > 0


def _for_money(core: public_table.PublicTable) -> public_table.PublicTable:
    """Return the table as it would be with real money."""
    return msgspec.structs.replace(core, opening=msgspec.structs.replace(core.opening, test=False))
