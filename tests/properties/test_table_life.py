"""The life of a table, in every game: whatever comes beside its rounds, chips are conserved and it never stalls.

Players join, wait in line, take held and reserved seats, add chips, are topped up, sit out, come back, let their time
pass and leave at any moment, drawn at random. The house starts the rounds, cashes out the absent, ends waits and closes
the table at last. The log is folded, and replayed, to the very same table.
"""

from random import Random

import pytest

from services.rules import catalogue
from services.table import entry_events, events, public_table
from tests.support.nights import Night
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
STEPS = 400
ROUNDS = 4
NIGHTS = 3
SLEEP_STEPS = 4000
"""Moments of a table that nobody uses, by which the house has closed it; each of its rounds ends within its bound."""


@pytest.mark.parametrize("game", GAMES)
def test_a_table_lives_on_whatever_its_players_do(game: str) -> None:
    """Rounds follow each other however people come and go; no chip is lost, and the log alone gives the same table."""
    rounds = 0
    for number in range(NIGHTS):
        night = Night(game, Random(f"{game} night {number}"))
        for _ in range(STEPS):
            night.step()
            if night.core.round_number >= ROUNDS and night.core.phase == public_table.OPEN:
                break
        rounds += night.core.round_number
        is_replayed(night.sitting)
    assert rounds >= NIGHTS, "hardly a round was started"


def is_replayed(sitting: Sitting) -> None:
    """Check that the log gives the same table: folded, replayed from its first event and from the last start."""
    assert sitting.again().differences == []
    assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core
    if not sitting.table.core.round_number:
        return
    later = sitting.again(sitting.log[sitting.last_start - 1 :], sitting.last_start)
    assert later.differences == []
    assert later.table is not None
    again, core = later.table.core, sitting.table.core
    assert (again.absent, again.line, again.reserved) == (core.absent, core.line, core.reserved)
    assert (again.start_ms, again.due_ms, again.idle_ms) == (core.start_ms, core.due_ms, core.idle_ms)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_everybody_has_left_alone_pays_out_and_closes(game: str) -> None:
    """From any moment on the house alone ends the round, cashes seats out or closes the table; wallets hold it all."""
    for number in range(NIGHTS):
        night = Night(game, Random(f"{game} sleep {number}"))
        for _ in range(night.rng.randrange(20, 120)):
            night.step()
        for _ in range(SLEEP_STEPS):
            if night.core.phase == public_table.CLOSED:
                break
            night.asleep()
        assert night.core.phase == public_table.CLOSED
        assert not night.core.seats
        assert sum(night.purse.held.values()) == night.purse.brought
        assert sum(isinstance(event, events.TableClosed) for event in night.sitting.log) == 1
        is_replayed(night.sitting)


def test_the_nights_hold_everything_that_can_happen_beside_a_round() -> None:
    """Over all games the nights draw every event of a table's life, and chips that come while a round runs."""
    kinds: set[type[events.Event]] = set()
    for game in GAMES:
        night = Night(game, Random(f"{game} sleep 0"))
        for _ in range(120):
            night.step()
        kinds |= {type(event) for event in night.sitting.log}
    assert kinds >= {
        events.SeatTaken,
        events.ChipsAdded,
        events.LeaveAsked,
        events.SeatLeft,
        events.SatOut,
        events.SatIn,
        events.RemovedForAbsence,
        events.TopUpSet,
        events.TopUpFailed,
        events.WaitingJoined,
        events.WaitingLeft,
        events.WaitingEnded,
        events.SeedSet,
        events.RoundVoided,
        entry_events.SeatReserved,
        entry_events.ReservationReleased,
        entry_events.ReservationsEnded,
    }
