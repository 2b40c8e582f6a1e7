"""Reserved seats over gRPC: who may reserve, who gets the seat, and that a reservation ends by itself."""

from datetime import UTC, datetime, timedelta

from pitboss.v1 import table_pb2

from tests.support.people import Crowd, Person, refused

FULL = {"max_seats": 3}


def soon(seconds: float = 600) -> datetime:
    """Return a moment of the near future."""
    return datetime.now(UTC) + timedelta(seconds=seconds)


async def until_free(player: Person, table_id: str) -> table_pb2.TableView:
    """Watch a table until no seat of it is reserved."""
    async for message in player.house.watch(table_id):
        if not message.view.reserved_seats:
            return message.view
    raise AssertionError("the stream of views ended")


async def test_a_reserved_seat_goes_to_its_player_at_any_dealer(crowd: Crowd) -> None:
    """Staff reserves; watchers see the seat, the player that it is for it, and others are refused with figures."""
    table, _ = await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL)
    cid, eve = [await crowd.player(name) for name in ("cid", "eve")]
    await crowd.operator.house.reserve_seat(table, 2, cid.subject, soon())
    [shown] = (await eve.at(1).table(table)).reserved_seats
    own = (await cid.at(1).table(table)).own_reserved_seat
    assert (shown.seat, own.seat, own.until_time) == (2, 2, shown.until_time)
    assert (await eve.house.table(table)).table.seats_reserved == 1
    refusal = await refused("SEAT_RESERVED", eve.at(1).take_seat(table, 1000))
    assert (refusal.metadata["seat"], refusal.metadata["free_seats"]) == ("2", "-")
    assert int(refusal.metadata["until_ms"]) == shown.until_time.ToMilliseconds()
    open_tables = await eve.house.tables(game="tongbi_san_gong", open_seats_only=True)
    assert table not in {one.table_id for one in open_tables}
    assert (await cid.at(1).take_seat(table, 1000)).seat == 2
    assert not (await eve.house.table(table)).reserved_seats


async def test_only_the_opener_and_staff_reserve_and_the_player_may_decline(crowd: Crowd) -> None:
    """Another player is refused; staff with a seat at the table as well; the invited player gives its seat back."""
    opener, cid, eve = [await crowd.player(name) for name in ("opener", "cid", "eve")]
    table = (await opener.house.create_table("tongbi_san_gong", {"start": "manual"})).table_id
    await refused("PERMISSION_DENIED", eve.house.reserve_seat(table, 1, eve.subject, soon()))
    until = soon()
    first = await opener.house.reserve_seat(table, 1, cid.subject, until, command="for-cid")
    assert await opener.at(1).reserve_seat(table, 1, cid.subject, until, command="for-cid") == first
    await refused("REQUEST_CONFLICT", opener.house.reserve_seat(table, 2, cid.subject, until, command="for-cid"))
    await refused("PERMISSION_DENIED", eve.house.release_seat(table, 1))
    await cid.at(1).release_seat(table, 1)
    await cid.house.release_seat(table, 1)
    assert (await eve.house.take_seat(table, 1000, 1)).seat == 1


async def test_a_reservation_that_is_not_used_ends_without_any_call(crowd: Crowd) -> None:
    """A dealer records the end; a player who waits gets the seat."""
    table, _ = await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL | {"seat_hold_s": 120})
    cid, dan = [await crowd.player(name) for name in ("cid", "dan")]
    await crowd.operator.house.reserve_seat(table, 2, cid.subject, soon(2))
    await dan.house.join_line(table)
    view = await until_free(dan, table)
    assert view.waiting_list.HasField("own_hold_end_time")
    await refused("SEAT_HELD", cid.house.take_seat(table, 1000))
    assert (await dan.house.take_seat(table, 1000)).seat == 2


async def test_lists_and_lobbies_tell_when_an_idle_table_closes(crowd: Crowd) -> None:
    """The moment is the same in the list, in the lobby and in the view."""
    opener = await crowd.player("opener")
    table = (await opener.house.create_table("tongbi_san_gong", {"start": "manual"})).table_id
    view = await opener.house.table(table)
    listed = {one.table_id: one for one in await opener.at(1).tables(game="tongbi_san_gong")}
    assert listed[table].idle_close_time == view.idle_close_time == view.table.idle_close_time
    async for lobby in opener.house.watch_lobby(game="tongbi_san_gong"):
        if table in lobby.tables:  # a lobby that was watched before may be a moment older than the table
            assert lobby.tables[table].idle_close_time == view.idle_close_time
            break
