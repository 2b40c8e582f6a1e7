"""Waiting for a seat at any table of a game and stake, over gRPC, with two dealers and a settlement that sweeps."""

from collections.abc import Callable
from typing import Any

from pitboss.v1 import dealer_pb2

from tests.e2e.test_reserved_seats import soon
from tests.support.people import Crowd, Person, refused

GAME = "tongbi_san_gong"
RULES: dict[str, Any] = {"max_seats": 2, "seat_hold_s": 120}


async def kind(crowd: Crowd, rules: dict[str, Any] | None = None, **more: Any) -> str:
    """Approve a template that nobody else uses."""
    return await crowd.template(GAME, RULES | (rules or {}), least_buy_in=1, greatest_buy_in=10_000, **more)


async def until(
    player: Person, holds: Callable[[dealer_pb2.SeatWait | None], bool], dealer: int = 0
) -> dealer_pb2.SeatWait | None:
    """Watch a player's wait until something holds of it."""
    async for wait in player.at(dealer).watch_wait():
        if holds(wait):
            return wait
    raise AssertionError("the stream ended")


def is_offered(wait: dealer_pb2.SeatWait | None) -> bool:
    """Return whether a seat is offered."""
    return wait is not None and wait.HasField("offer")


async def test_a_seat_of_any_fitting_table_is_offered_to_the_first_in_line(crowd: Crowd) -> None:
    """Each watches its place; the seat that comes up is kept for the first, and a stranger cannot take it."""
    name = await kind(crowd)
    full = [await crowd.table(GAME, ("ann", "bob"), template_id=name) for _ in range(2)]
    cid, dan, eve = [await crowd.player(who) for who in ("cid", "dan", "eve")]
    joined = await cid.house.wait_for_any_seat(GAME, template_ids=[name])
    assert (joined.place, joined.waiting) == (1, 1)
    assert (await dan.at(1).wait_for_any_seat(GAME, template_ids=[name])).place == 2
    waits = await until(dan, lambda wait: wait is not None and wait.place == 2)
    assert waits is not None
    assert (waits.game, waits.waiting, waits.HasField("offer")) == (GAME, 2, False)
    table, (_, bob) = full[1]
    await bob.house.leave(table)
    assert (await refused("SEAT_RESERVED", eve.at(1).take_seat(table, 1000))).metadata["seat"] == "1"
    offered = await until(cid, is_offered)
    assert offered is not None
    assert (offered.offer.table_id, offered.offer.seat, offered.place) == (table, 1, 0)
    own = (await cid.at(1).table(table)).own_reserved_seat
    assert own.offered
    assert own.until_time == offered.expire_time
    assert (await until(dan, lambda wait: wait is not None and wait.place == 1, dealer=1)) is not None
    assert (await cid.at(1).take_seat(table, 1000)).seat == 1
    assert await until(cid, lambda wait: wait is None) is None


async def test_a_seat_that_is_free_already_is_offered_at_once(crowd: Crowd) -> None:
    """The fullest table comes first; the same wish again keeps the offer."""
    name = await kind(crowd, {"max_seats": 3})
    empty, _ = await crowd.table(GAME, (), template_id=name)
    fuller, _ = await crowd.table(GAME, ("ann",), template_id=name)
    cid = await crowd.player("cid")
    await cid.house.wait_for_any_seat(GAME, template_ids=[name])
    offered = await until(cid, is_offered)
    assert offered is not None
    assert offered.offer.table_id == fuller
    assert (await cid.at(1).wait_for_any_seat(GAME, template_ids=[name])).place == 0
    assert (await cid.house.table(empty)).table.seats_reserved == 0


async def test_a_wait_is_left_and_an_offered_seat_is_given_back(crowd: Crowd) -> None:
    """The seat passes to the next in line; stopping again changes nothing."""
    name = await kind(crowd)
    table, _ = await crowd.table(GAME, ("ann",), template_id=name)
    cid, dan = [await crowd.player(who) for who in ("cid", "dan")]
    await cid.house.wait_for_any_seat(GAME, template_ids=[name])
    await until(cid, is_offered)
    await dan.house.wait_for_any_seat(GAME, template_ids=[name])
    await refused("PERMISSION_DENIED", cid.house.release_seat(table, 1))
    await cid.at(1).stop_waiting(command="enough")
    await cid.house.stop_waiting(command="enough")
    await cid.house.stop_waiting()
    assert is_offered(await until(dan, is_offered, dealer=1))
    assert await until(cid, lambda wait: wait is None) is None


async def test_an_offer_that_is_not_used_ends_the_wait_and_passes_on(crowd: Crowd) -> None:
    """Nobody calls anything; the second gets the seat."""
    name = await kind(crowd, {"seat_hold_s": 2})
    table, _ = await crowd.table(GAME, ("ann",), template_id=name)
    cid, dan = [await crowd.player(who) for who in ("cid", "dan")]
    await cid.house.wait_for_any_seat(GAME, template_ids=[name])
    await until(cid, is_offered)
    await dan.house.wait_for_any_seat(GAME, template_ids=[name])
    assert await until(cid, lambda wait: wait is None) is None
    offered = await until(dan, is_offered)
    assert offered is not None
    assert offered.offer.table_id == table


async def test_a_repeated_wish_gets_its_first_answer(crowd: Crowd) -> None:
    """The same request id answers the same place; another content is refused, another filter begins at the end."""
    name, other = await kind(crowd), await kind(crowd)
    cid, dan = [await crowd.player(who) for who in ("cid", "dan")]
    first = await cid.house.wait_for_any_seat(GAME, template_ids=[name], command="mine")
    await dan.house.wait_for_any_seat(GAME, template_ids=[name, other])
    await cid.house.wait_for_any_seat(GAME, template_ids=[name, other])
    waits = await until(cid, lambda wait: wait is not None)
    assert waits is not None
    assert (waits.place, waits.waiting) == (2, 2)
    assert await cid.at(1).wait_for_any_seat(GAME, template_ids=[name], command="mine") == first
    await refused("REQUEST_CONFLICT", cid.house.wait_for_any_seat(GAME, template_ids=[other], command="mine"))
    for player in (cid, dan):
        await player.house.stop_waiting()


async def test_what_nobody_could_wait_for_is_refused(crowd: Crowd) -> None:
    """An unknown game or template, one of another game, and a stake below zero."""
    cid = await crowd.player("cid")
    await refused("UNKNOWN_GAME", cid.house.wait_for_any_seat("whist of mars"))
    await refused("NOT_FOUND", cid.house.wait_for_any_seat(GAME, template_ids=["no-such-template"]))
    await refused("INVALID_ARGUMENT", cid.house.wait_for_any_seat(GAME, template_ids=["war"]))
    await refused("INVALID_ARGUMENT", cid.house.wait_for_any_seat(GAME, stake=-1))
    many = await refused(
        "INVALID_ARGUMENT", cid.house.wait_for_any_seat(GAME, template_ids=[str(n) for n in range(11)])
    )
    assert many.metadata["template_ids_greatest_entries"] == "10"


async def test_nobody_waits_in_a_currency_that_no_fitting_table_has(crowd: Crowd) -> None:
    """One that the house has not, the other kind of money, and one that no named template is played for."""
    cid, guinea = await crowd.player("cid"), await crowd.player("guinea", test=True)
    away = await kind(crowd, currencies=["XTS"])
    for player, currency in ((cid, "ZZZ"), (cid, "XTS"), (guinea, "ZZZ"), (guinea, "CHIPS")):
        refusal = await refused("WRONG_CURRENCY", player.house.wait_for_any_seat(GAME, currency=currency))
        assert "currency" in refusal.fields
    await refused("WRONG_CURRENCY", cid.house.wait_for_any_seat(GAME, currency="CHIPS", template_ids=[away]))


async def test_a_test_player_waits_at_test_tables_only(crowd: Crowd) -> None:
    """Without a currency it waits in test money: a real table passes it by, a test table is offered."""
    name = await kind(crowd)
    real, _ = await crowd.table(GAME, ("ann",), template_id=name)
    guinea = await crowd.player("guinea", test=True)
    assert (await guinea.house.wait_for_any_seat(GAME, template_ids=[name])).place == 1
    waits = await until(guinea, lambda wait: wait is not None)
    assert waits is not None
    assert (waits.currency, waits.HasField("offer")) == ("XTS", False)
    test, _ = await crowd.table(GAME, (), template_id=name, test=True)
    offered = await until(guinea, is_offered)
    assert offered is not None
    assert offered.offer.table_id == test != real
    assert (await guinea.house.take_seat(test, 1000)).seat == offered.offer.seat


async def test_a_private_table_and_a_reserved_seat_are_offered_to_nobody(crowd: Crowd) -> None:
    """The line passes both by, and a seat that the table's own waiting line is due."""
    name = await kind(crowd)
    await crowd.table(GAME, (), template_id=name, private=True)
    kept, _ = await crowd.table(GAME, ("ann",), template_id=name)
    own_line, (_, bob) = await crowd.table(GAME, ("ann", "bob"), template_id=name)
    cid, dan, guest = [await crowd.player(who) for who in ("cid", "dan", "guest")]
    await crowd.operator.house.reserve_seat(kept, 1, guest.subject, soon())
    await dan.house.join_line(own_line)
    await bob.house.leave(own_line)
    await cid.house.wait_for_any_seat(GAME, template_ids=[name])
    assert (await guest.house.take_seat(kept, 1000)).seat == 1
    assert (await dan.house.take_seat(own_line, 1000)).seat == 1
    waits = await until(cid, lambda wait: wait is not None)
    assert not is_offered(waits)
    await dan.house.leave(own_line)
    offered = await until(cid, is_offered)
    assert offered is not None
    assert offered.offer.table_id == own_line


async def test_one_player_has_few_streams_of_its_wait(crowd: Crowd) -> None:
    """The fifth at a dealer is refused; the others go on, and another player is not kept out."""
    cid, dan = [await crowd.player(who) for who in ("cid", "dan")]
    opened = [cid.house.watch_wait(patience=0) for _ in range(5)]
    for stream in opened[:4]:
        assert await anext(stream) is None
    await refused("TOO_MANY_REQUESTS", anext(opened[4]))
    assert await until(dan, lambda wait: wait is None) is None
    for stream in opened:
        await stream.aclose()
