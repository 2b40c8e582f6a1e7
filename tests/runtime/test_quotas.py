"""Rate limits: buckets of one process, shared counts, factors for staff and laboratories, and refusals."""

import math

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from google.rpc import error_details_pb2
from pitboss.v1 import back_office_pb2, dealer_pb2, wallet_pb2

from services.rules.refusals import Reason, Refused
from services.runtime import errors, metrics, server, settings
from services.runtime.identity import Caller, Role
from services.runtime.quotas import MOST_BUCKETS, Kind, Quota, Quotas, kind_of
from tests.support import echo

ANN, BOB = Caller("ann", Role.PLAYER), Caller("bob", Role.PLAYER)


class Clock:
    """A clock that moves only by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Return the moment."""
        return self.now


class Counted:
    """Shared counts with scripted answers."""

    def __init__(self, *waits: float | None) -> None:
        self.waits, self.asked = list(waits), list[tuple[str, str, int, int]]()

    async def count(self, subject: str, kind: str, most: int, span_seconds: int) -> float | None:
        """Return the next of the waits, then None."""
        self.asked.append((subject, kind, most, span_seconds))
        return self.waits.pop(0) if self.waits else None


def given(**more: object) -> settings.Settings:
    """Return settings with small quotas."""
    small = {"quota_tables": "0.5/2", "quota_records": "1/3", "quota_codes": "0.5/1"}
    return echo.given(**(small | {"quota_acts": "10/5", "quota_reads": "10/5"} | more))


async def refused(quotas: Quotas, kind: Kind, caller: Caller) -> float | None:
    """Spend one call; return the requested pause, None if the call may proceed."""
    try:
        await quotas.spend(kind, caller)
    except Refused as refusal:
        found = refusal
    else:
        return None
    assert (found.reason, found.metadata["kind"]) == (Reason.TOO_MANY_REQUESTS, kind.value)
    return found.retry_seconds


async def test_a_burst_goes_and_then_so_many_a_second() -> None:
    """Three at once, then one for each second; the pause that is asked for is just long enough."""
    clock = Clock()
    quotas = Quotas(given(), clock=clock)
    assert [await refused(quotas, Kind.RECORDS, ANN) for _ in range(4)] == [None, None, None, pytest.approx(1.0)]
    clock.now += 0.75
    assert await refused(quotas, Kind.RECORDS, ANN) == pytest.approx(0.25)
    clock.now += 0.25
    assert [await refused(quotas, Kind.RECORDS, ANN) for _ in range(2)] == [None, pytest.approx(1.0)]
    clock.now += 1000
    assert [await refused(quotas, Kind.RECORDS, ANN) is None for _ in range(4)] == [True, True, True, False]


async def test_subjects_and_kinds_have_buckets_of_their_own() -> None:
    """One player's calls do not count for another, nor reads for commands."""
    quotas = Quotas(given(), clock=Clock())
    for _ in range(3):
        await quotas.spend(Kind.RECORDS, ANN)
    assert await refused(quotas, Kind.RECORDS, ANN)
    for kind, caller in ((Kind.RECORDS, BOB), (Kind.TABLES, ANN), (Kind.ACTS, ANN), (Kind.READS, ANN)):
        assert await refused(quotas, kind, caller) is None


@pytest.mark.parametrize(
    ("caller", "most"),
    [
        (Caller("boss", Role.OPERATOR), 3 * 4),
        (Caller("al", Role.AUDITOR), 3 * 4),
        (Caller("lab", Role.PLAYER, test=True), 3 * 4),
        (Caller("ann", Role.PLAYER), 3),
        (Caller("dealer", Role.SERVICE), 1000),
    ],
)
async def test_staff_and_test_players_may_call_faster_and_services_as_they_like(caller: Caller, most: int) -> None:
    """A factor for staff and laboratories; a service calls for others, who were counted where they came in."""
    quotas = Quotas(given(quota_staff_factor=4), clock=Clock())
    went = 0
    while went < 1000 and await refused(quotas, Kind.RECORDS, caller) is None:
        went += 1
    assert went == most


async def test_what_leaves_records_is_counted_together_and_nothing_else() -> None:
    """Tables, records and codes use the shared count with the whole burst and its span; acts and reads never do."""
    shared = Counted(0.0, 0.0, 0.0)
    quotas = Quotas(given(), shared, Clock())
    for kind in Kind:
        await quotas.spend(kind, ANN)
    assert shared.asked == [("ann", "tables", 4, 4), ("ann", "records", 6, 3), ("ann", "codes", 2, 2)]


async def test_a_refusal_of_the_shared_count_holds_without_asking_again() -> None:
    """Until the pause is over, calls are refused here: a flood costs the shared count one question."""
    shared, clock = Counted(2.0, 0.0), Clock()
    quotas = Quotas(given(), shared, clock)
    assert await refused(quotas, Kind.RECORDS, ANN) == 2.0
    assert await refused(quotas, Kind.RECORDS, ANN) == pytest.approx(2.0)
    clock.now += 2.0
    assert await refused(quotas, Kind.RECORDS, ANN) is None
    assert len(shared.asked) == 2


async def test_while_the_shared_count_is_away_the_process_counts_alone() -> None:
    """Nobody is refused because Redis is away, and nobody gets more than one process allows."""
    quotas = Quotas(given(), Counted(), Clock())
    assert [await refused(quotas, Kind.RECORDS, ANN) is None for _ in range(4)] == [True, True, True, False]


async def test_buckets_are_bounded() -> None:
    """A process has a bounded number of buckets; the oldest is dropped first."""
    quotas = Quotas(given(quota_reads="0.001/1"), clock=Clock())
    for number in range(MOST_BUCKETS + 1):
        await quotas.spend(Kind.READS, Caller(f"p{number}", Role.PLAYER))
    assert await refused(quotas, Kind.READS, Caller("p0", Role.PLAYER)) is None
    assert await refused(quotas, Kind.READS, Caller(f"p{MOST_BUCKETS}", Role.PLAYER))


@pytest.mark.parametrize(("text", "seconds", "most"), [("3/200", 67, 401), ("100/1", 1, 101), ("0.5/40", 80, 80)])
def test_a_span_is_that_in_which_a_burst_is_earned_again(text: str, seconds: int, most: int) -> None:
    """In whole seconds, at least one; all processes together allow in it what one of them would."""
    quota = Quota.parse(text)
    assert (quota.span_seconds, quota.within_span) == (seconds, most)


@pytest.mark.parametrize("text", ["", "5", "0/5", "0.0/5", "5/0", "-1/5", "5/5/5", "1e9/5", "nan/5"])
def test_a_quota_that_cannot_be_read_stops_the_process(text: str) -> None:
    """The sentence names the setting."""
    with pytest.raises(settings.SettingsRefused, match="PITBOSS_QUOTA_RECORDS"):
        echo.given(quota_records=text)


def test_the_kind_of_a_method_is_that_of_its_request() -> None:
    """A request with a request id is a command that leaves records, any other one is a read."""
    services = {
        file.services_by_name[name]
        for file, name in (
            (dealer_pb2.DESCRIPTOR, "DealerService"),
            (wallet_pb2.DESCRIPTOR, "WalletService"),
            (back_office_pb2.DESCRIPTOR, "BackOfficeService"),
        )
    }
    records = {method.name for one in services for method in one.methods if kind_of(method) is Kind.RECORDS}
    assert {"SetSeed", "TakeSeat", "Deposit", "SetLimit", "SetSwitch"} <= records
    assert not {name for name in records if name.startswith(("Get", "List", "Watch", "Read"))}


async def test_a_caller_that_is_too_fast_is_told_for_how_long_to_wait() -> None:
    """The refusal is RESOURCE_EXHAUSTED with RetryInfo; a metric counts it by kind, without any id."""
    before = metrics.REGISTRY.get_sample_value("pitboss_haste_refusals_total", {"kind": "reads"}) or 0.0
    async with (
        server.running("echo", echo.given(quota_reads="0.01/3"), echo.build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        say = echo.say_on(channel)
        for _ in range(3):
            await say(StringValue(value="x"), metadata=[echo.bearer()])
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await say(StringValue(value="x"), metadata=[echo.bearer()])
        await say(StringValue(value="x"), metadata=[echo.bearer(Role.OPERATOR, "boss")])
        watch = echo.watch_on(channel)(StringValue(value="count 1"), metadata=[echo.bearer()])
        with pytest.raises(grpc.aio.AioRpcError, match="RESOURCE_EXHAUSTED"):
            await watch.read()
    status, info, retry = errors.status_of(caught.value), error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    assert status is not None
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(retry)
    assert (caught.value.code(), info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_REQUESTS")
    assert 90 < retry.retry_delay.ToTimedelta().total_seconds() <= 100
    after = metrics.REGISTRY.get_sample_value("pitboss_haste_refusals_total", {"kind": "reads"}) or 0.0
    assert math.isclose(after - before, 2)
