"""Which chips move with which events: balanced, named, and never changed."""

from collections import Counter
from random import Random

import pytest

from services.contract import movements
from services.ledger import accounts
from services.ledger.records import Entry
from services.rules import catalogue
from services.table import events, money, public_table
from services.table.events import Event
from tests.support import sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


class Ledger:
    """Adds up entries."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        self.ids: set[str] = set()

    def post(self, entry: Entry | None) -> Entry | None:
        """Post an entry; none of its accounts but wallets and the house may fall below zero."""
        if entry is None:
            return None
        assert entry.entry_id not in self.ids
        self.ids.add(entry.entry_id)
        assert sum(leg.amount for leg in entry.legs) == 0
        for leg in entry.legs:
            self.balances[leg.account] += leg.amount
            assert self.balances[leg.account] >= 0 or leg.account.startswith(("wallet:", "house:")), leg
        return entry

    def kind(self, prefix: str) -> int:
        """Add up the accounts of a kind."""
        return sum(amount for account, amount in self.balances.items() if account.startswith(prefix))


def appends(sitting: Sitting) -> list[list[Event]]:
    """Part a log as commands appended it: leavers go with the settlement, the void or the close that frees them."""
    parts: list[list[Event]] = []
    for event in sitting.log:
        follows = isinstance(event, events.RoundEnded) or (
            isinstance(event, events.SeatLeft)
            and isinstance(parts[-1][0], events.RoundSettled | events.RoundVoided | events.TableClosed)
        )
        if follows:
            parts[-1].append(event)
        else:
            parts.append([event])
    return parts


@pytest.mark.parametrize("game", GAMES)
def test_the_ledger_holds_what_the_table_shows_after_every_event(game: str) -> None:
    """Rounds, a leaver, a void, a close: after each entry seats, pool and wallets are what the core says."""
    rng = Random(f"{game} ledger")
    sitting = sittings.random_sitting(game, "ledger", rounds=1)
    try:
        sitting.start()
        sitting.leave(min(sitting.table.core.seats))
        sitting.void()
        sitting.start()
        sitting.finish(rng)
        sitting.settle()
    except Exception:  # too few are left for another round
        if sitting.table.core.phase != public_table.OPEN:
            sitting.void()
    sitting.take([events.PotFunded(at_ms=sitting.tick(), chips=7)])
    sitting.close()
    ledger, core = Ledger(), None
    for made in appends(sitting):
        core = Sitting.grown(core, made, sitting.table_id)
        ledger.post(movements.entry(core, made, "boss"))
        assert ledger.balances[accounts.pot(sitting.table_id)] == core.pot
        held = {accounts.seat(sitting.table_id, seat): one.chips for seat, one in core.seats.items()}
        assert {name: amount for name, amount in ledger.balances.items() if name.startswith("seat:") and amount} == {
            name: amount for name, amount in held.items() if amount
        }
    assert ledger.kind("seat:") == ledger.kind("pot:") == 0
    assert ledger.kind("wallet:") + ledger.kind("house:") + ledger.kind("fees:") == 0


def one(event: Event, *before: Event) -> Entry | None:
    """Return the entry of one event at a table with a seat of 100 chips and a pool of 40."""
    sitting = Sitting("loo")
    sitting.sit({0: 100})
    sitting.take([events.PotFunded(at_ms=1, chips=40)])
    for earlier in before:
        sitting.take([earlier])
    sitting.take([event])
    return movements.entry(sitting.table.core, [event], "boss")


SEAT = events.SeatRecord(seat=3, player="dan", name="Dan", test=True, chips=60)


@pytest.mark.parametrize(
    ("event", "kind", "moves"),
    [
        (events.SeatTaken(at_ms=1, seat=SEAT), "buy_in", {"wallet:XTS:dan": -60, "seat:3": 60}),
        (events.ChipsAdded(at_ms=1, seat=0, chips=9), "top_up", {"wallet:XTS:p0": -9, "seat:0": 9}),
        (events.SeatLeft(at_ms=1, seat=0, player="p0", chips=100), "cash_out", {"wallet:XTS:p0": 100, "seat:0": -100}),
        (
            events.RemovedForAbsence(at_ms=1, seat=0, player="p0", chips=100),
            "cash_out",
            {"wallet:XTS:p0": 100, "seat:0": -100},
        ),
        (events.PotFunded(at_ms=1, chips=5), "fund_pot", {"house": -5, "pot": 5}),
        (
            events.TableClosed(at_ms=1, reason="x", closed_by="boss", shares={0: 30}, to_house=10),
            "close",
            {"seat:0": 30, "pot": -40, "house": 10},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_kind_of_event_moves_its_chips(event: Event, kind: str, moves: dict[str, int]) -> None:
    """From whom to whom, under which name, for which table."""
    entry = one(event)
    assert entry is not None
    short = {
        leg.account.replace(f":{sittings.TABLE}", "") if not leg.account.startswith("house") else "house": leg.amount
        for leg in entry.legs
    }
    assert short == moves
    assert (entry.kind, entry.table, entry.currency, entry.actor) == (kind, sittings.TABLE, "XTS", "boss")


@pytest.mark.parametrize(
    "event",
    [
        events.SeedSet(at_ms=1, seat=0, seed="x"),
        events.ActedBetween(at_ms=1, seat=0, action={"is": "set_nickname", "name": "A"}, memory={}),
        events.SeatTaken(at_ms=1, seat=events.SeatRecord(seat=3, player="dan", name="D", test=True, chips=0)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_events_that_move_nothing_have_no_entry(event: Event) -> None:
    """No chip, no entry: also where a seat is taken without chips at a test table."""
    assert one(event) is None


def test_a_void_moves_nothing_but_its_leavers() -> None:
    """A voided round has no entry; the seats that left with it are paid out by one."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 100, 1: 100})
    sitting.start()
    quiet = sitting.void()
    assert movements.entry(sitting.table.core, quiet, "boss") is None
    sitting.start()
    sitting.leave(1)
    made = sitting.void("torn card")
    entry = movements.entry(sitting.table.core, made, "boss")
    assert entry is not None
    assert {leg.amount for leg in entry.legs} == {100, -100}
    assert (entry.kind, entry.reason, entry.round) == ("void", "tongbi_san_gong: torn card", 2)


def test_the_same_version_is_the_same_entry() -> None:
    """Settling twice gives one id, another version another, another table another: nothing can be paid twice."""
    ids = []
    for table_id, rounds in (
        (sittings.TABLE, 1),
        (sittings.TABLE, 1),
        (sittings.TABLE, 2),
        (sittings.TABLE[:-1] + "2", 1),
    ):
        sitting = Sitting("tongbi_san_gong", table_id=table_id)
        sitting.sit({0: 500, 1: 500})
        for _ in range(rounds):
            sitting.start()
            sitting.finish(Random(1), lapses=0.0)
            made = money.settle(sitting.table.core, 5)
            sitting.take(made)
        entry = movements.entry(sitting.table.core, made, "house")
        assert entry is not None
        ids.append(entry.entry_id)
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_every_event_that_can_lead_an_entry_has_its_kind() -> None:
    """Each event that moves chips has a name in the ledger."""
    leading = {
        events.SeatTaken,
        events.ChipsAdded,
        events.SeatLeft,
        events.RemovedForAbsence,
        events.RoundSettled,
        events.RoundVoided,
        events.TableClosed,
        events.PotFunded,
    }
    assert set(movements._KINDS) == leading
