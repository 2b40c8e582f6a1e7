"""Who takes a seat under the name of the player that left it inherits nothing: neither pool nor nickname."""

from random import Random

import msgspec
import pytest

from services.rules import actions, catalogue
from services.table import events, money
from tests.support.sittings import Sitting

SEATS = (0, 1, 2)
CHIPS = 1_000
POT = 90


def sitting_of(game_id: str, seats: tuple[int, ...] = SEATS) -> Sitting:
    """Seat players at a table."""
    sitting = Sitting(game_id, msgspec.convert({}, catalogue.game(game_id).rules_type))
    sitting.sit(dict.fromkeys(seats, CHIPS))
    return sitting


def replaced(sitting: Sitting, seat: int) -> None:
    """Let a player leave and a namesake take the seat."""
    name = sitting.table.core.seats[seat].name
    sitting.leave(seat)
    taken = money.choose_seat(sitting.table.core, player="namesake", name=name, test=True, seat=seat, buy_in=CHIPS)
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=taken)])


def with_pool(game_id: str, seats: tuple[int, ...]) -> Sitting:
    """Play rounds until a pool is carried."""
    for seed in range(50):
        sitting = sitting_of(game_id, seats)
        sitting.start()
        sitting.finish(Random(seed))
        sitting.settle()
        if sitting.table.core.pot:
            return sitting
    pytest.fail("no pool is ever carried")


@pytest.mark.parametrize(("game_id", "seats"), [("loo", (0, 1, 2, 3, 4)), ("spoil_five", SEATS)])
def test_a_namesake_has_no_share_of_the_pool(game_id: str, seats: tuple[int, ...]) -> None:
    """When the table closes the pool is shared by the seats of the last round that are still there, by them alone."""
    sitting = with_pool(game_id, seats)
    replaced(sitting, 1)
    [closed, *_] = money.close(sitting.table.core, "over", "boss", sitting.tick())
    assert isinstance(closed, events.TableClosed)
    assert set(closed.shares) == set(seats) - {1}
    assert sum(closed.shares.values()) + closed.to_house == sitting.table.core.pot > 0


def test_a_namesake_has_no_nickname() -> None:
    """A nickname leaves with the player who chose it."""
    sitting = sitting_of("nickname")
    sitting.act(1, actions.SetNickname(name_="Tiger"))
    replaced(sitting, 1)
    sitting.start()
    round_ = sitting.table.round
    assert round_ is not None
    assert round_.facts()["nicknames"] == {seat: record.name for seat, record in sitting.table.core.seats.items()}
