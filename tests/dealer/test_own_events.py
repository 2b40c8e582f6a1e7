"""Events in a stream: each player sees its own cards, and events that are equal for all are encoded once."""

from random import Random

from pitboss.v1 import table_pb2

from services.dealer.views import Views
from services.journal import log_rows
from services.rules import actions, personal
from services.rules.cards import HIDDEN
from services.table import events, money, own_cards
from services.table.full_table import FullTable
from tests.dealer.conftest import Open
from tests.dealer.watchers import Looker, looking, player
from tests.support import served
from tests.support.served import Connection
from tests.support.sittings import Sitting

STRANGER = player("a-stranger")


def holdem() -> Sitting:
    """Seat two players at a hold'em table."""
    sitting = Sitting("texas_holdem", table_id=served.table_id())
    sitting.sit({0: 500, 1: 500})
    return sitting


def events_of(looker: Looker) -> list[table_pb2.TableEvent]:
    """Return all events that a watcher received."""
    return [event for message in looker.messages for event in message.events]


def dealt(looker: Looker, seat: int) -> list[str]:
    """Return the cards dealt to a seat in a watcher's events."""
    return [
        card
        for event in events_of(looker)
        for entry in event.happenings
        if entry.WhichOneof("kind") == "dealt" and entry.dealt.HasField("to") and entry.dealt.to == seat
        for card in entry.dealt.cards
    ]


async def test_each_player_is_sent_its_own_cards_and_nobody_elses(open_dealer: Open, conn: Connection) -> None:
    """The start of a hand deals both players their cards face up in their own streams, face down in all others."""
    sitting = holdem()
    await served.publish(conn, sitting)
    async with looking(open_dealer(), sitting.table_id, player("p0"), player("p1"), STRANGER) as lookers:
        sitting.start()
        await served.publish(conn, sitting)
        for looker in lookers:
            await looker.sees(len(sitting.log))
        for looker, own in zip(lookers, (0, 1, None), strict=True):
            for seat in (0, 1):
                held = next(zone.cards for zone in looker.view.round.zones if zone.owner == seat)
                assert sorted(dealt(looker, seat)) == sorted(held)
                assert (HIDDEN in dealt(looker, seat)) == (seat != own)


async def test_who_comes_later_is_sent_the_same_events(open_dealer: Open, conn: Connection) -> None:
    """Two rounds later another dealer sends the same events that others received live."""
    sitting = holdem()
    await served.publish(conn, sitting)
    callers = player("p0"), player("p1"), STRANGER
    async with looking(open_dealer(), sitting.table_id, *callers, after=1) as there:
        for number in (1, 2):
            sitting.start()
            while sitting.table.round is not None:
                sitting.act(sitting.table.round.waiting().seats[0], actions.Fold())  # type: ignore[union-attr]  # it waits
            sitting.settle()
            assert sitting.table.core.round_number == number
        await served.publish(conn, sitting)
        for looker in there:
            await looker.sees(len(sitting.log))
    async with looking(open_dealer(), sitting.table_id, *callers, after=1) as later:
        for early, late in zip(there, later, strict=True):
            assert events_of(late) == events_of(early)
    assert HIDDEN not in dealt(there[0], 0)


async def test_a_new_player_in_a_seat_is_not_sent_the_old_ones_cards(open_dealer: Open, conn: Connection) -> None:
    """Own cards belong to the player who held them, not to the seat."""
    sitting = holdem()
    sitting.start()
    sitting.act(sitting.table.round.waiting().seats[0], actions.Fold())  # type: ignore[union-attr]  # it waits
    sitting.settle()
    sitting.leave(0)
    taken = money.choose_seat(sitting.table.core, player="new", name="New", test=True, seat=0, buy_in=500)
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=taken)])
    await served.publish(conn, sitting)
    async with looking(open_dealer(), sitting.table_id, player("new"), player("p0"), after=1) as [new, old]:
        assert set(dealt(new, 0)) == {HIDDEN}
        assert HIDDEN not in dealt(old, 0)


async def test_what_all_see_alike_is_encoded_once(open_dealer: Open) -> None:
    """Spectators, and a seat that sees no more than they do, receive the same bytes."""
    views, sitting = Views(open_dealer().names), holdem()
    views.take("en", (personal.veiled, ""))
    sitting.start()
    _note(views, sitting.table, sitting.log[-1], len(sitting.log))
    assert views.events(1, "en", "p0") != views.events(1, "en", "p1")
    assert views.events(1, "en", "p0") is views.events(1, "en", "p0")
    assert views.events(1, "en", "somebody") is views.events(1, "en")
    sitting.step(Random(1), lapses=0.0)
    _note(views, sitting.table, sitting.log[-1], len(sitting.log))
    assert views.events(1, "en", "p0") is views.events(1, "en")


def _note(views: Views, table: FullTable, event: events.Event, version: int) -> None:
    views.clear()
    views.take("en", (personal.veiled, ""))
    [row] = log_rows.append(table.core, [event], served.METADATA, follows=None).events
    views.note(version, row, event, table.core.opening.family, own_cards.of_event(table, version, event))
