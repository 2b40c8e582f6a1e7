"""The public fold: restating, voiding, closing, and what it refuses to believe."""

from random import Random

import msgspec
import pytest

from services.fairness import seed
from services.rules import catalogue
from services.rules.refusals import Refused
from services.table import commands, event_fold, events, full_table, player_seeds, public_table
from services.table.public_table import PublicTable
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


def folded(sitting: Sitting, first: int = 1) -> PublicTable:
    """Fold a table's log from a version on."""
    core = event_fold.begin(sitting.table_id, first, sitting.log[first - 1])
    for event in sitting.log[first:]:
        event_fold.fold(core, event)
    return core


def held(core: PublicTable) -> object:
    """Return everything that a voided round must leave unchanged."""
    return msgspec.json.decode(
        msgspec.json.encode(
            ({seat: (one.player, one.chips) for seat, one in core.seats.items()}, core.button, core.pot, core.memory)
        )
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_fold_of_the_log_is_the_table(game: str) -> None:
    """Folding the events without keys gives the dealer's public table, also from the last start on."""
    sitting = sittings.random_sitting(game, "fold")
    assert folded(sitting) == sitting.table.core
    late = folded(sitting, sitting.last_start)
    assert late == sitting.table.core


@pytest.mark.parametrize("game", GAMES)
def test_a_void_in_any_state_of_a_round_restores_everything(game: str) -> None:
    """Void at every step and after the end: chips, button, pool, memory are as before the start, and play goes on."""
    rng = Random(f"{game} void")
    sitting = sittings.random_sitting(game, "void", rounds=1)
    if not worlds.can_start(sitting.game, sitting.rules, sitting.table.core.for_rules()):
        sitting = sittings.random_sitting(game, "void", rounds=0)
    before = held(sitting.table.core)
    number = sitting.table.core.round_number
    sitting.start()
    states = [full_table.store(sitting.table)]
    while sitting.table.core.phase == public_table.IN_ROUND and len(states) < 40:
        sitting.step(rng)
        states.append(full_table.store(sitting.table))
    for stored in states:
        table = full_table.load(stored)
        made = commands.void_round(table, "a jammed reader", "boss", "ff", 5)
        commands.take(table, made)
        assert [type(event) for event in made] == [events.RoundVoided]
        assert held(table.core) == before
        assert (table.core.phase, table.core.round, table.round, table.dealing) == (public_table.OPEN, None, None, None)
        assert table.core.round_number == number + 1
        assert table.core.deadline_ms == 0
        assert table.core.last == made[0]
        assert worlds.can_start(table.game, table.rules, table.core.for_rules())


def test_a_void_needs_no_working_round() -> None:
    """The public core alone is enough to void, so that a round that broke its rules can be voided too."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    made = commands.void_round(sitting.table.core, "broken", "boss", "", 5)
    assert isinstance(made[0], events.RoundVoided)


@pytest.mark.parametrize(("reason", "says"), [("", "1 to 200"), ("x" * 201, "1 to 200")])
def test_a_void_says_why_within_bounds(reason: str, says: str) -> None:
    """A reason is asked for, and a bounded one."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    with pytest.raises(Refused, match=says) as caught:
        sitting.void(reason)
    assert caught.value.reason == "INVALID_ARGUMENT"


def test_nothing_is_voided_between_rounds_or_twice() -> None:
    """Before a round, after its void, after its settlement and at a closed table there is nothing to void."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})

    def refused() -> None:
        with pytest.raises(Refused) as caught:
            sitting.void()
        assert caught.value.reason == "ROUND_NOT_OPEN"

    refused()
    sitting.start()
    sitting.void()
    refused()
    sitting.start()
    sitting.finish(Random(1))
    sitting.settle()
    refused()
    sitting.close()
    refused()


def test_who_asked_to_leave_leaves_with_a_void_round() -> None:
    """A leaver gets the chips of the round's start when the round is voided."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 400})
    sitting.start()
    sitting.leave(1)
    made = sitting.void()
    assert made[1:] == [events.SeatLeft(at_ms=sitting.now, seat=1, player="p1", chips=400)]
    assert set(sitting.table.core.seats) == {0}
    assert sitting.again().differences == []


def test_scripts_and_seeds_serve_one_round_only() -> None:
    """After a start neither the players' seeds nor a script are left for the next round, nor after a void."""
    sitting = sittings.random_sitting("tongbi_san_gong", "once", rounds=0)
    seat = min(sitting.table.core.seats)
    sitting.take(player_seeds.set_seed(sitting.table.core, seat, "luck", 1))
    mixed = {seat: seed.digest(sitting.table_id, 1, seat, "luck")}
    assert sitting.table.core.player_seeds == mixed
    before = sitting.table.core.next_seed
    sitting.start()
    assert sitting.table.core.round is not None
    assert sitting.table.core.round.player_seeds == mixed
    assert sitting.table.core.player_seeds == {}
    assert sitting.table.core.round.house_commitment == before.commitment
    assert sitting.table.core.next_seed != before
    sitting.void()
    assert sitting.table.core.script is None


@pytest.mark.parametrize(
    "event",
    [
        events.SeatTaken(at_ms=1, seat=events.SeatRecord(seat=0, player="x", name="X", test=True, chips=5)),
        events.SeatLeft(at_ms=1, seat=0, player="p0", chips=499),
        events.ChipsAdded(at_ms=1, seat=0, chips=-501),
        events.ActionTaken(
            at_ms=1, round_number=1, seat=0, action={"is": "done"}, stocks=(), happenings=(), clock=0, deadline_ms=0
        ),
    ],
    ids=lambda event: type(event).__name__,
)
def test_the_fold_does_not_believe_the_impossible(event: events.Event) -> None:
    """A seat taken twice, other chips than were held, fewer than none, a move without a round: no state comes of it."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    with pytest.raises(AssertionError):
        event_fold.fold(sitting.table.core, event)


def test_only_openings_and_starts_begin_a_fold() -> None:
    """Nothing else restates the table."""
    with pytest.raises(AssertionError, match="SeedSet"):
        event_fold.begin(sittings.TABLE, 7, events.SeedSet(at_ms=1, seat=0, seed="x"))
    with pytest.raises(AssertionError, match="version 2"):
        event_fold.begin(sittings.TABLE, 2, Sitting("war").log[0])


def test_every_event_has_its_fold() -> None:
    """No event type but the opening, which begins the fold, lacks one."""
    assert set(event_fold._FOLDS) == set(events.TYPES.values()) - {events.TableOpened}
