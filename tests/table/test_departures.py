"""Who leaves with chips and comes back soon brings them again."""

from random import Random
from typing import Any

import pytest

from services.contract import wire_people
from services.rules import catalogue
from services.rules.refusals import Refused
from services.table import departures, events, money
from services.table.events import SeatRecord
from tests.support import worlds
from tests.support.sittings import Sitting

MINUTES = 60
MOST = 2000


def table(**rules: Any) -> Sitting:
    """Return a table of hold'em whose seats hold 500, 1000 and 1500 chips, at most 2000 when they sit down."""
    told = {"return_minutes": MINUTES} | rules
    sitting = Sitting("texas_holdem", worlds.default_rules(catalogue.game("texas_holdem"), **told), most=MOST)
    sitting.sit({0: 500, 1: 1000, 2: 1500})
    return sitting


def come_back(sitting: Sitting, buy_in: int, after_ms: int = 1000) -> SeatRecord:
    """Take seat 2 again as its player."""
    return money.choose_seat(
        sitting.table.core,
        player="p2",
        name="Player 2",
        test=True,
        seat=2,
        buy_in=buy_in,
        at_ms=sitting.tick(after_ms),
    )


def test_who_returns_soon_brings_at_least_what_it_left_with() -> None:
    """One chip less is refused with the bound and the minutes left; the same chips are taken."""
    sitting = table()
    sitting.leave(2)
    with pytest.raises(Refused) as caught:
        come_back(sitting, 1499)
    assert caught.value.reason == "AMOUNT_OUT_OF_RANGE"
    figures = {key: int(value) for key, value in caught.value.metadata.items()}
    assert figures == {"left_with": 1500, "least": 1500, "greatest": MOST, "minutes": MINUTES}
    assert come_back(sitting, 1500).chips == 1500
    assert come_back(sitting, MOST).chips == MOST


def test_what_was_won_comes_back_beyond_the_greatest_buy_in() -> None:
    """A seat that left with 3,000 chips brings all of them, no more and no less."""
    sitting = table()
    sitting.take([events.ChipsAdded(at_ms=sitting.tick(), seat=2, chips=1500)])
    sitting.leave(2)
    for wrong in (MOST, 2999, 3001):
        with pytest.raises(Refused, match="3000"):
            come_back(sitting, wrong)
    assert come_back(sitting, 3000).chips == 3000


@pytest.mark.parametrize(
    ("rules", "after_ms"), [({"return_minutes": 0}, 1000), ({}, 60_000 * MINUTES)], ids=["switched off", "over"]
)
def test_nothing_binds_where_the_rule_is_off_or_the_time_is_over(rules: dict[str, int], after_ms: int) -> None:
    """The table's own bounds hold then."""
    sitting = table(**rules)
    sitting.leave(2)
    assert come_back(sitting, 10, after_ms).chips == 10


def test_others_and_who_left_without_chips_are_free() -> None:
    """The bound is that of one player; a seat that lost everything may bring any buy-in."""
    sitting = table()
    sitting.leave(2)
    stranger = money.choose_seat(
        sitting.table.core, player="new", name="New", test=True, seat=2, buy_in=10, at_ms=sitting.tick()
    )
    assert stranger.chips == 10
    sitting.sit({3: 0})
    sitting.leave(3)
    assert departures.of_player(sitting.table.core, "p3", sitting.now) is None


def test_a_return_is_shown_to_its_player_until_it_ends() -> None:
    """The player sees the bound and its end; others see nothing; a seat taken again ends it."""
    sitting = table()
    sitting.leave(2)
    core, left_ms = sitting.table.core, sitting.now
    shown = wire_people.own_return(core, "p2", sitting.tick())
    assert shown is not None
    assert (shown.least_buy_in, shown.end_time.ToMilliseconds()) == (1500, left_ms + 60_000 * MINUTES)
    assert wire_people.own_return(core, "p1", sitting.now) is None
    assert wire_people.own_return(core, "p2", left_ms + 60_000 * MINUTES) is None
    sitting.sit({2: 1500})
    assert wire_people.own_return(core, "p2", sitting.now) is None


def test_departures_outlive_the_start_of_a_round_and_are_replayed() -> None:
    """A round's start restates them, so that a table rebuilt from there still asks for the chips."""
    sitting = table()
    sitting.leave(2)
    sitting.start()
    sitting.finish(Random(3))
    sitting.settle()
    assert sitting.again().differences == []
    rebuilt = Sitting.folded(sitting.log, sitting.table_id)
    assert rebuilt.departed == sitting.table.core.departed
    started = sitting.log[sitting.last_start - 1]
    assert isinstance(started, events.RoundStarted)
    assert [(one.player, one.chips) for one in started.table.departed] == [("p2", 1500)]


def test_a_bounded_number_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of too many the earliest is forgotten."""
    monkeypatch.setattr(departures, "MOST_REMEMBERED", 2)
    sitting = table()
    for seat in (0, 1, 2):
        sitting.leave(seat)
    assert [one.player for one in sitting.table.core.departed] == ["p1", "p2"]
