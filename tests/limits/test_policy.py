"""The pure policy of limits: spans, the strictest of several, when they come into force, and what is left."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.limits import policy
from services.limits.policy import DAY_MS, DEPOSIT, EXCLUSION, LOSS, STAKE, Limit

MOMENTS = st.integers(0, 253_402_300_799_999)


def limit(amount: int | None, kind: str = STAKE, set_by: str = "player", span: str = "day") -> Limit:
    """Return a limit of ann."""
    return Limit(1, "ann", kind, span, "CHIP", set_by, amount, 0, 0, "", "ann")


@given(MOMENTS)
def test_spans_begin_where_the_calendar_says(at_ms: int) -> None:
    """Day, week and month of any moment up to the year 9999 begin as ``datetime`` has them."""
    day = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(days=at_ms // DAY_MS)
    starts = {"day": day, "week": day - dt.timedelta(days=day.weekday()), "month": day.replace(day=1)}
    assert {span: policy.span_start(span, at_ms) for span in policy.SPANS} == {
        span: int(start.timestamp()) * 1000 for span, start in starts.items() if start.year >= 1970
    } | ({"week": -3 * DAY_MS} if at_ms < 4 * DAY_MS else {})


def test_the_strictest_limit_counts_of_player_and_house() -> None:
    """Of player and house the lower amount and the longer exclusion remain; a lifted limit limits nothing."""
    assert policy.strictest([limit(500), limit(300, set_by="house")]) == [limit(300, set_by="house")]
    longer = limit(900, EXCLUSION, "house", "")
    assert policy.strictest([limit(800, EXCLUSION, span=""), longer, limit(None)]) == [longer]
    assert len(policy.strictest([limit(500), limit(900, span="week")])) == 2


@pytest.mark.parametrize(
    ("wanted", "before", "delay"),
    [(300, 500, 0), (500, 500, 0), (501, 500, DAY_MS), (None, 500, DAY_MS), (500, None, 0)],
)
def test_only_a_looser_limit_is_delayed(wanted: int | None, before: int | None, delay: int) -> None:
    """A limit that is stricter or new is in force at once, a looser or lifted one after a day."""
    held = None if before is None else limit(before)
    assert policy.effective_ms(limit(wanted), held, 7) == 7 + delay


@pytest.mark.parametrize(
    ("kind", "used", "chips", "forbidden"),
    [
        (STAKE, 99, 1, False),
        (STAKE, 99, 2, True),
        (STAKE, 100, 0, True),
        (LOSS, 100, 0, False),
        (DEPOSIT, 100, 1, True),
    ],
)
def test_a_limit_forbids_what_exceeds_it(kind: str, used: int, chips: int, forbidden: bool) -> None:
    """The amount itself is within the limit; a stake limit that is used up forbids the next round as well."""
    assert policy.forbids(limit(100, kind), used, chips) is forbidden


def test_an_allowance_leaves_room_for_rounds_elsewhere() -> None:
    """It is what is left less what other rounds may take, at most the seat's chips, and never negative."""
    assert policy.allowance(600, 500, 500) == 100
    assert policy.allowance(600, 0, 500) == 500
    assert policy.allowance(600, 700, 500) == 0
    assert policy.left(3, 5) == 0


def test_an_exclusion_holds_until_its_end() -> None:
    """At the end itself it no longer holds; other limits exclude nobody."""
    assert policy.excludes(limit(10, EXCLUSION), 9)
    assert not policy.excludes(limit(10, EXCLUSION), 10)
    assert not policy.excludes(limit(10), 9)
