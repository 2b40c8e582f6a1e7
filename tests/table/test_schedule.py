"""When the house starts the next round: from the event that makes enough seats ready, a countdown later."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.contract import wire_tables
from services.rules import catalogue
from services.rules.refusals import Reason, Refused
from services.table import codec, events, public_table, schedule
from tests.support import worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


def automatic(game: str = "tongbi_san_gong", **rules: Any) -> Sitting:
    """Return a table at which the house starts the rounds."""
    return Sitting(game, worlds.default_rules(catalogue.game(game), **rules), auto=True)


def test_the_moment_is_set_by_the_event_that_makes_enough_seats_ready() -> None:
    """One seat is not enough; the second sets the moment, a third does not move it; leaving takes it back."""
    sitting = automatic(start_countdown_s=7)
    core = sitting.table.core
    sitting.sit({0: 500})
    assert core.start_ms == 0
    sitting.sit({1: 500})
    assert core.start_ms == sitting.now + 7000
    due = core.start_ms
    sitting.sit({2: 500})
    sitting.leave(2)
    assert core.start_ms == core.due_ms == due
    sitting.leave(1)
    assert core.start_ms == core.due_ms == 0


def test_seats_that_come_wait_less_than_those_that_have_just_played() -> None:
    """``ready_countdown_s`` counts where nobody has a result to read: at the first round, and after a pause."""
    sitting = automatic(start_countdown_s=7, ready_countdown_s=1)
    core = sitting.table.core
    sitting.sit({0: 500, 1: 500})
    assert core.start_ms == sitting.now + 1000
    sitting.start()
    sitting.finish(Random(1))
    sitting.settle()
    assert core.start_ms == sitting.now + 7000
    sitting.sit_out(1)
    assert core.start_ms == 0
    sitting.sit_in(1)
    assert core.start_ms == sitting.now + 1000
    assert Sitting.folded(sitting.log, sitting.table_id) == core


def test_seats_without_the_chips_to_play_are_not_ready() -> None:
    """A seat counts once it holds what the game needs, and no more of its player may be at stake than its limit."""
    sitting = automatic()
    core = sitting.table.core
    sitting.sit({0: 500, 1: 0})
    assert core.start_ms == 0
    sitting.add(1, 300)
    assert core.start_ms == sitting.now + 5000
    sitting.allow({1: 0})
    assert core.start_ms == 0


def test_the_house_waits_for_as_many_seats_as_the_rules_ask_for() -> None:
    """``least_ready`` is more than the game needs: the third seat sets the moment."""
    sitting = automatic(least_ready=3)
    sitting.sit({0: 500, 1: 500})
    assert sitting.table.core.start_ms == 0
    assert schedule.ready(sitting.table.core).needed == 3
    sitting.sit({4: 500})
    assert sitting.table.core.start_ms == sitting.now + 5000


@pytest.mark.parametrize("void", [False, True])
def test_after_a_round_the_house_counts_down_again(void: bool) -> None:
    """In a round no start is set; its settlement, or its void, sets the next one. The log alone gives the same."""
    sitting = automatic()
    sitting.sit({0: 500, 1: 500})
    assert wire_tables.view(sitting.table, 0).start_time.ToMilliseconds() == sitting.now + 5000
    sitting.start()
    assert (sitting.table.core.start_ms, sitting.table.core.due_ms) == (0, sitting.table.core.deadline_ms)
    assert not wire_tables.view(sitting.table, 0).HasField("start_time")
    sitting.finish(Random(1))
    assert sitting.table.core.due_ms == 0
    if void:
        sitting.void()
    else:
        sitting.settle()
    assert sitting.table.core.start_ms == sitting.now + 5000
    assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core
    assert sitting.again().differences == []


def test_tables_of_older_logs_are_started_by_hand() -> None:
    """An opening without the key is one of a manual table, whatever the default is for new ones."""
    sitting = automatic()
    opened = msgspec.json.decode(codec.encode(sitting.log[0]))
    for key in ("start", "start_countdown_s", "least_ready"):
        del opened["opening"]["rules"][key]
    older = [codec.decode_lifted("TableOpened", opened)]
    sitting.sit({0: 500, 1: 500})
    core = Sitting.folded([*older, *sitting.log[1:]], sitting.table_id)
    assert core.start_ms == 0
    assert public_table.rules_of(core, sitting.game.rules_type).start == "manual"


@pytest.mark.parametrize("game", GAMES)
def test_what_the_house_starts_is_never_refused(game: str) -> None:
    """Of random tables: where enough seats are ready a round starts, and all ready seats are in it."""
    found = catalogue.game(game)
    started = 0
    fewest, most = found.seats(worlds.default_rules(found))
    # A game for a fixed number of seats starts only where all of them are ready.
    for number in range(60 if fewest < most else 240):
        rng = Random(f"{game} ready {number}")
        rules = worlds.varied_rules(found, rng) if number % 2 else worlds.default_rules(found)
        table = worlds.table_for(found, rules, rng)
        for seat in table.chips:
            if rng.random() < 0.3:
                table.chips[seat] = rng.choice((0, 1, max(1, found.least_carry(rules)) - 1))
        ready = found.ready(rules, table)
        able = worlds.can_start(found, rules, table)
        if found.enough(rules, table, len(ready)):
            assert able, f"{rules} {table}"
            started += 1
    assert started > 10


def test_a_match_goes_on_with_the_seats_it_has() -> None:
    """Between its rounds the house goes on whatever its seats hold, and ends it once one of them has left."""
    sitting = automatic("honeymoon", least_ready=5)
    sitting.sit(dict.fromkeys(range(4), 500))
    sitting.start()
    sitting.finish(Random(3))
    sitting.settle()
    core = sitting.table.core
    assert core.pot > 0
    assert core.start_ms == sitting.now + 5000
    sitting.leave(1)
    assert core.start_ms
    sitting.start()
    assert core.phase == public_table.SETTLING
    sitting.settle()
    assert (core.pot, core.start_ms) == (0, 0)
    with pytest.raises(Refused) as caught:
        sitting.start()
    assert caught.value.reason is Reason.NOT_ENOUGH_SEATS
    assert isinstance(sitting.log[-1], events.RoundSettled)
