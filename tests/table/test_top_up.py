"""Automatic top-ups: a level within the bounds, chips before the next round, and a failure that is shown."""

import pytest

from services.contract import wire_people
from services.rules.refusals import Reason, Refused
from services.table import absence, event_fold, events, top_up
from tests.support.sittings import Sitting


def table(*, auto: bool = False, most: int = 1000) -> Sitting:
    """Return a table with two seats, one of them without chips."""
    sitting = Sitting("tongbi_san_gong", most=most, auto=auto)
    sitting.sit({0: 500, 1: 0})
    return sitting


def level(sitting: Sitting, seat: int, chips: int) -> list[events.Event]:
    """Set a level."""
    return sitting.take(top_up.set_level(sitting.table.core, seat, chips, sitting.tick()))


def test_a_level_lies_within_the_buy_in_and_zero_ends_it() -> None:
    """A level that is set already makes no event; one above the greatest buy-in is refused with the bounds."""
    sitting = table()
    assert level(sitting, 0, 600)
    assert level(sitting, 0, 600) == []
    with pytest.raises(Refused) as caught:
        level(sitting, 0, 1001)
    assert (caught.value.reason, caught.value.metadata) == (
        "AMOUNT_OUT_OF_RANGE",
        {"least": "1", "greatest": "1000"},
    )
    assert top_up.missing(sitting.table.core) == {0: 100}
    assert level(sitting, 0, 0)
    assert top_up.missing(sitting.table.core) == {}
    assert sitting.again().differences == []


def test_what_is_missing_is_known_between_rounds_only_and_not_for_seats_that_sit_out() -> None:
    """Nobody is topped up in a round or while away."""
    sitting = table()
    level(sitting, 1, 300)
    sitting.take(absence.sit_out(sitting.table.core, 1, sitting.tick()))
    assert top_up.missing(sitting.table.core) == {}
    sitting.take(absence.sit_in(sitting.table.core, 1, sitting.tick()))
    assert top_up.missing(sitting.table.core) == {1: 300}
    sitting.take(top_up.made(sitting.table.core, {1: 300}, {}, sitting.tick()))
    level(sitting, 1, 400)
    sitting.start()
    assert top_up.missing(sitting.table.core) == {}
    assert sitting.again().differences == []


def test_a_failure_is_recorded_once_and_forgotten_once_chips_have_come() -> None:
    """The player sees why nothing was moved; the others do not."""
    sitting = table()
    core = sitting.table.core
    level(sitting, 1, 300)
    short = {1: Reason.INSUFFICIENT_FUNDS}
    assert len(sitting.take(top_up.made(core, {}, short, sitting.tick()))) == 1
    assert top_up.made(core, {}, short, sitting.tick()) == []
    shown = wire_people.own_top_up(core, "p1")
    assert shown is not None
    assert (shown.level, shown.failed, shown.missing) == (300, "INSUFFICIENT_FUNDS", 300)
    assert (shown.words.en, shown.words.zh_hant) == ("Your balance is too low.", "餘額不足。")
    assert wire_people.own_top_up(core, "p0") is None
    sitting.add(1, 10)
    shown = wire_people.own_top_up(core, "p1")
    assert shown is not None
    assert (shown.failed, shown.missing, shown.HasField("words")) == ("", 290, False)
    sitting.take(top_up.made(core, {1: 290}, {}, sitting.tick()))
    shown = wire_people.own_top_up(core, "p1")
    assert shown is not None
    assert not shown.HasField("missing")
    assert sitting.again().differences == []


def test_the_house_counts_on_a_seat_that_will_be_topped_up() -> None:
    """A seat without chips is ready once it has a level, and no longer once its top-up has failed."""
    sitting = table(auto=True)
    core = sitting.table.core
    assert core.start_ms == 0
    level(sitting, 1, 300)
    assert core.start_ms > sitting.now
    sitting.take(top_up.made(core, {}, {1: Reason.LIMIT_REACHED}, sitting.tick()))
    assert core.start_ms == 0


def test_a_level_is_restated_when_a_round_starts() -> None:
    """A table that is rebuilt from a round's start tops up as before."""
    sitting = table()
    level(sitting, 0, 900)
    sitting.take(top_up.made(sitting.table.core, {1: 300}, {}, sitting.tick()))
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    again = event_fold.begin(sitting.table_id, sitting.log.index(started) + 1, started)
    assert top_up.of_seat(again.seats[0]) == events.TopUp(level=900)
