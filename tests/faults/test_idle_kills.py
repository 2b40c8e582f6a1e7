"""Settlement and dealers are killed while the house closes a table that nobody has used: every seat is paid once."""

import contextlib
import signal

import msgspec
import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.contract import movements
from services.eventlog import log
from services.journal import log_rows
from services.ledger import books
from services.ledger.signatures import EntryKey
from services.runtime import settings
from services.table import events, idle, money
from services.table.events import Event
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.faults.test_kills import SETTLEMENT_STEPS
from tests.support import people, served, waits
from tests.support.people import Crowd, Person
from tests.support.sittings import Sitting

GAME = "tongbi_san_gong"
CURRENCY = "XTS"
BUY_IN = 500


class Abandoned(msgspec.Struct, frozen=True):
    """A table that nobody has used since long ago, with one seat; a request of its player that is no use of it."""

    table: Played
    player: Person
    wallet: int
    request: dealer_pb2.SitOutRequest

    async def sit_out(self, dealers: tuple[int, ...]) -> None:
        """Let the player sit out: the dealer that decides it finds that the table is idle."""
        await floor.insist(self.player, dealers, "SitOut", self.request)


@pytest.mark.parametrize("step", SETTLEMENT_STEPS)
async def test_settlement_killed_on_an_idle_close_pays_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Killed before it commits, settlement has moved no chip and closed nothing; back, it pays the seat out once."""
    player = await crowd.player("gone", test=True)
    first, *_ = await house.up()
    house.doom(house.settlement, step)  # before the table is there, which a dealer that is starting may find by itself
    left = await _abandoned(house, player)
    await left.sit_out((first,))
    await house.died(house.settlement)
    assert await _closes(house, left) == []
    assert await house.at_seats(left.table.table_id) == {0: BUY_IN}
    assert await house.wallet(left.player.subject, CURRENCY) == left.wallet
    house.revive(house.settlement)
    await house.until_up(house.settlement)
    await _paid_once(house, crowd, left)


@pytest.mark.parametrize("step", ["dealer.decided", "dealer.appended", "dealer.saving", "dealer.saving:2"])
async def test_a_dealer_killed_on_an_idle_close_pays_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Killed before it asks for the close, or after it was paid, the dealer is not missed: the seat is paid out once.

    Killed between log and Redis, it has told no other dealer; back, it finds the table by its first look at the log.
    """
    player = await crowd.player("gone", test=True)
    doomed, *rest = await house.up(len(house.running.dealers))
    for other in rest:  # one of them may else close the table before the doomed one has come to its step
        house.signal(house.dealer(other), signal.SIGSTOP)
    left = await _abandoned(house, player)
    house.doom(house.dealer(doomed), step)
    with contextlib.suppress(client.Refused):  # it may die before it answers
        await floor.once(player, doomed, "SitOut", left.request)
    await house.died(house.dealer(doomed))
    for other in rest:
        house.signal(house.dealer(other), signal.SIGCONT)
    await left.sit_out(tuple(rest))
    house.revive(house.dealer(doomed))
    await _paid_once(house, crowd, left)


async def _abandoned(house: Broken, player: Person) -> Abandoned:
    """Write a table of long ago into log and ledger, as the house would have written it then."""
    sitting = Sitting(GAME, table_id=served.table_id(), idle=True)
    seat = money.choose_seat(
        sitting.table.core, player=player.subject, name="gone", test=True, seat=0, buy_in=BUY_IN, at_ms=sitting.now
    )
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=seat)])
    entry = movements.entry(sitting.table.core, sitting.log[-1:], player.subject)
    assert entry is not None, "a buy-in moves chips"
    seed = settings.load(ledger_key=house.running.environment["PITBOSS_LEDGER_KEY"]).ledger_seed()
    async with await house.connect() as conn:
        posted = await books.post(conn, entry, EntryKey(seed))
        assert posted.outcome == "posted"
        whole = None
        for event, actor, role in zip(sitting.log, ("boss", player.subject), ("operator", "player"), strict=True):
            whole = Sitting.grown(whole, [event], sitting.table_id)
            by = log_rows.Metadata(actor=actor, role=role, command=type(event).__name__, process="settlement")
            await log.append(conn, [log_rows.append(whole, [event], by, follows=None)])
    request = dealer_pb2.SitOutRequest(request_id=client.request_id(), table_id=sitting.table_id)
    wallet = await house.wallet(player.subject, CURRENCY)
    return Abandoned(Played(GAME, sitting.table_id, [player]), player, wallet, request)


async def _closes(house: Broken, left: Abandoned) -> list[Event]:
    recorded = await house.events(left.table.table_id)
    return [event for event in recorded if isinstance(event, events.TableClosed)]


async def _paid_once(house: Broken, crowd: Crowd, left: Abandoned) -> None:
    """Wait for the close; the seat's chips are in the wallet, once, and all that must hold does."""
    [closed] = await waits.eventually(lambda: _closes(house, left), "the close", seconds=floor.ROUND_SECONDS)
    assert isinstance(closed, events.TableClosed)
    assert (closed.closed_by, closed.reason) == (idle.CLOSED_BY, idle.REASON.en)
    assert await house.at_seats(left.table.table_id) == {}
    assert await house.wallet(left.player.subject, CURRENCY) == left.wallet + BUY_IN
    first, *_ = await house.up()
    await people.refused("TABLE_CLOSED", left.player.at(first).take_seat(left.table.table_id, BUY_IN))
    await proofs.hold(house, crowd, left.table)
    assert len(await _closes(house, left)) == 1
