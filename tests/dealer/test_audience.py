"""Players who are switched off or excluded may watch only a round in which they play, to its end."""

import os
import time
from collections.abc import Iterable
from random import Random

import pytest

from services.dealer.pace import Pace, Turn
from services.limits.policy import EXCLUSION, Limit
from services.registry import limits, switches
from services.registry.records import PLAYER, Command
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role
from tests.dealer.conftest import Dealer, Open
from tests.dealer.test_tables import running
from tests.dealer.watchers import Looker, looking, player
from tests.support import served
from tests.support.served import Connection
from tests.support.sittings import Sitting

STAFF = Caller(subject="stranger", role=Role.OPERATOR)
HOUR_MS = 3_600_000


@pytest.fixture(autouse=True)
def _read_switches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read switches on every request instead of periodically."""
    monkeypatch.setattr(switches, "OLDEST_SECONDS", 0.0)


async def bar(conn: Connection, reason: Reason, who: str) -> None:
    """Switch a player off, or exclude it."""
    command = Command(key=served.request_id(), digest=os.urandom(32))
    if reason is Reason.SWITCHED_OFF:
        await switches.record(
            conn, command, scope=PLAYER, subject=who, off=True, reason="a test of watchers", actor="boss"
        )
        return
    now_ms = time.time_ns() // 1_000_000
    limit = Limit(
        number=0,
        player=who,
        kind=EXCLUSION,
        span="",
        currency="",
        set_by="player",
        amount=now_ms + HOUR_MS,
        effective_ms=now_ms - 1,
        made_ms=now_ms - 1,
        reason="",
        actor=who,
    )
    await limits.record(conn, command, limit)


def ended_for(looker: Looker) -> Reason | None:
    """Return the reason for which a stream was ended."""
    assert looker.ended is None or isinstance(looker.ended, Refused), str(looker.ended)
    return None if looker.ended is None else looker.ended.reason


async def until_ended(dealer: Dealer, looker: Looker) -> Reason | None:
    """Run the check of all watchers, and wait for the end of a stream."""
    await dealer.feeds.audience.look_through()
    await looker.until(lambda one: one.ended is not None)
    return ended_for(looker)


@pytest.mark.parametrize("reason", [Reason.SWITCHED_OFF, Reason.EXCLUDED])
async def test_a_player_who_is_barred_watches_no_longer(open_dealer: Open, conn: Connection, reason: Reason) -> None:
    """A barred player's stream ends with the reason and the last version, new ones are refused; others continue."""
    sitting = await running(conn)
    dealer = open_dealer()
    everybody = (player("stranger"), player("other"), STAFF)
    async with looking(dealer, sitting.table_id, *everybody) as [barred, other, staff]:
        await dealer.feeds.audience.look_through()
        assert [ended_for(one) for one in (barred, other, staff)] == [None, None, None]
        await bar(conn, reason, "stranger")
        assert await until_ended(dealer, barred) is reason
        assert barred.resume == {"version": len(sitting.log)}
        assert [ended_for(one) for one in (other, staff)] == [None, None]
    async with looking(dealer, sitting.table_id, *everybody) as lookers:
        assert [ended_for(one) for one in lookers] == [reason, None, None]


@pytest.mark.parametrize("reason", [Reason.SWITCHED_OFF, Reason.EXCLUDED])
async def test_a_player_who_is_barred_sees_the_end_of_its_round(
    open_dealer: Open, conn: Connection, reason: Reason
) -> None:
    """A player who is dealt in may act to the round's end and sees it until it is settled; then the stream ends."""
    sitting = await running(conn)
    dealer = open_dealer()
    await bar(conn, reason, "p0")
    async with looking(dealer, sitting.table_id, player("p0"), player("p1")) as [barred, neighbour]:
        await dealer.feeds.audience.look_through()
        assert ended_for(barred) is None
        sitting.finish(Random(1), lapses=0.0)
        await served.publish(conn, sitting, together=True)
        await barred.sees(len(sitting.log))
        await dealer.feeds.audience.look_through()
        assert ended_for(barred) is None, "what the round brings is known when it is settled"
        sitting.settle()
        await served.publish(conn, sitting, together=True)
        await barred.sees(len(sitting.log))
        assert await until_ended(dealer, barred) is reason
        assert ended_for(neighbour) is None


async def test_the_end_of_its_round_is_sent_to_a_barred_player_whose_turn_is_late(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A watch that is ended before it was sent the round's end sends that end first, then the reason."""
    sitting = await running(conn)
    dealer = open_dealer()
    await bar(conn, Reason.EXCLUDED, "p0")
    async with looking(dealer, sitting.table_id, player("p0"), STAFF) as [barred, staff]:
        _hold_back_players(monkeypatch)
        await _finish(conn, sitting)
        await staff.sees(len(sitting.log))
        assert barred.version < len(sitting.log)
        assert await until_ended(dealer, barred) is Reason.EXCLUDED
        assert barred.version == len(sitting.log)
        assert barred.resume == {"version": len(sitting.log)}


def _hold_back_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, deliver to spectators only."""
    queue = Pace.queue

    def hold_back(pace: Pace, table_id: str, turns: Iterable[Turn], *, first: bool = False) -> None:
        if not first:
            queue(pace, table_id, turns)

    monkeypatch.setattr(Pace, "queue", hold_back)


async def _finish(conn: Connection, sitting: Sitting) -> None:
    """Play the running round to its end and settle it."""
    sitting.finish(Random(1), lapses=0.0)
    sitting.settle()
    await served.publish(conn, sitting, together=True)
