"""Finding, taking and leaving seats."""

import uuid

from pitboss import client
from pitboss.v1 import dealer_pb2

from tests.support import people


async def test_tables_are_listed_filtered_and_paged(crowd: people.Crowd) -> None:
    """Lists hold exactly the matching tables, page by page, oldest first."""
    stake = 1_000 + uuid.uuid4().int % 1_000_000
    made = [(await crowd.operator.house.create_table("san_gong", {"base": stake})).table_id for _ in range(5)]
    house = crowd.operator.house
    found: list[str] = []
    token = ""
    while True:
        request = dealer_pb2.ListTablesRequest(page_size=2, page_token=token, game="san_gong", stake=stake)
        page = await house.call(house.dealer.ListTables, request)
        assert len(page.tables) <= 2
        found += [table.table_id for table in page.tables]
        token = page.next_page_token
        if not token:
            break
    assert found == made
    assert await house.tables(game="san_gong", stake=stake, family="poker") == []
    await people.refused("UNKNOWN_GAME", house.tables(game="zzz"))
    await people.refused("INVALID_ARGUMENT", house.tables(family="zzz"))
    await people.refused(
        "INVALID_ARGUMENT", house.call(house.dealer.ListTables, dealer_pb2.ListTablesRequest(page_token="nonsense"))
    )


async def test_any_seat_of_a_game_and_stake_is_taken_once(crowd: people.Crowd) -> None:
    """A quick seat fills the fullest table first, and the same request again gets the same seat."""
    stake = 1_000 + uuid.uuid4().int % 1_000_000
    table = (await crowd.operator.house.create_table("san_gong", {"base": stake}, **people.ANY_BUY_IN)).table_id
    players = [await crowd.player(f"p{at}", 10**7) for at in range(3)]
    for at, player in enumerate(players):
        request = dealer_pb2.TakeAnySeatRequest(
            request_id=client.request_id(), game="san_gong", stake=stake, buy_in=2_000_000
        )
        answers = [await player.at(dealer).call(player.at(dealer).dealer.TakeAnySeat, request) for dealer in (0, 1, 0)]
        assert {(one.table_id, one.seat, one.version) for one in answers} == {(table, at, answers[0].version)}
        assert await player.house.balance() == 8_000_000
    stranger = await crowd.player("late")
    await people.refused("TABLE_FULL", stranger.house.take_any_seat("san_gong", 1000, stake + 1))
    await people.refused("UNKNOWN_GAME", stranger.house.take_any_seat("bridge", 1000))


async def test_a_seat_is_one_player_and_a_player_one_seat(crowd: people.Crowd) -> None:
    """Taken seats, second seats, seats that do not exist and buy-ins out of bounds are refused, and no chip moves."""
    table, (ann, _) = await crowd.table("texas_holdem", ("ann", "bob"), least_buy_in=500, greatest_buy_in=2000)
    cid = await crowd.player("cid")
    await people.refused("ALREADY_SEATED", ann.house.take_seat(table, 1000))
    await people.refused("SEAT_TAKEN", cid.house.take_seat(table, 1000, 0))
    await people.refused("INVALID_ARGUMENT", cid.house.take_seat(table, 1000, 99))
    await people.refused("AMOUNT_OUT_OF_RANGE", cid.house.take_seat(table, 499))
    await people.refused("AMOUNT_OUT_OF_RANGE", cid.house.take_seat(table, 2001))
    await people.refused("INVALID_ARGUMENT", cid.house.take_seat(table, -5))
    poor = await crowd.player("poor", 400)
    await people.refused("INSUFFICIENT_FUNDS", poor.house.take_seat(table, 500))
    assert [await who.house.balance() for who in (cid, poor)] == [people.WALLET, 400]


async def test_joining_leaving_and_adding_chips_in_a_round(crowd: people.Crowd) -> None:
    """Players who join or add chips in a round play in the next one; those who leave are paid out at its end."""
    table, (ann, bob) = await crowd.table("tongbi_san_gong", ("ann", "bob"))
    await ann.house.add_chips(table, 200)
    await ann.house.start_round(table)
    await ann.house.add_chips(table, 100)
    late, passer = await crowd.player("late"), await crowd.player("passer")
    assert (await late.house.take_seat(table, 1000)).seat == 2
    assert await late.house.balance() == people.WALLET - 1000
    assert (await passer.house.take_seat(table, 500)).seat == 3
    assert not (await passer.house.leave(table)).after_round
    assert await passer.house.balance() == people.WALLET
    seen = await late.house.table(table)
    assert [(seat.seat, seat.chips, seat.added) for seat in seen.seats] == [(0, 1200, 100), (1, 1000, 0), (2, 1000, 0)]
    assert (seen.own_seat, len(seen.round.seats), list(seen.round.options)) == (2, 2, [])
    assert (await bob.house.leave(table)).after_round
    for player in (ann, bob):
        await player.house.act(table, people.action("bet_multiple", multiple=1))
    for player in (ann, bob):
        await player.house.act(table, people.action("reveal"))
    view = await people.until_settled(ann.house, table, 1)
    kept = {seat.seat: seat.chips_after for seat in view.last_result.seats}
    assert [seat.seat for seat in view.seats] == [0, 2]
    assert await bob.house.balance() == people.WALLET - 1000 + kept[1]
    assert (view.seats[0].chips, view.seats[0].added) == (kept[0] + 100, 0)
    await ann.house.start_round(table)
    assert [seat.seat for seat in (await ann.house.table(table)).round.seats] == [0, 2]
    for player in (ann, late):
        await player.house.act(table, people.action("bet_multiple", multiple=1))
    for player in (ann, late):
        await player.house.act(table, people.action("reveal"))
    view = await people.until_settled(ann.house, table, 2)
    kept = {seat.seat: seat.chips_after for seat in view.last_result.seats}
    assert not (await late.house.leave(table)).after_round
    await people.refused("NOT_ENOUGH_SEATS", ann.house.start_round(table))
    assert not (await ann.house.leave(table)).after_round
    assert await ann.house.balance() == people.WALLET - 1300 + kept[0]
    assert await late.house.balance() == people.WALLET - 1000 + kept[2]


async def test_a_voided_round_gives_all_back_and_counts_for_nothing(crowd: people.Crowd) -> None:
    """After a void all seats have their chips back, the button is unmoved, and the next round starts normally."""
    table, (ann, bob) = await crowd.table("texas_holdem", ("ann", "bob"))
    await ann.house.start_round(table)
    first = await ann.house.table(table)
    await ann.house.act(table, people.action("raise", to=500))
    request = dealer_pb2.VoidRoundRequest(request_id=client.request_id(), table_id=table, reason="a lamp went out")
    staff = crowd.operator
    await people.refused("PERMISSION_DENIED", bob.house.call(bob.house.dealer.VoidRound, request))
    versions = {
        (await staff.at(dealer).call(staff.at(dealer).dealer.VoidRound, request)).version for dealer in (0, 1, 0)
    }
    assert len(versions) == 1
    view = await bob.house.table(table)
    assert [seat.chips for seat in view.seats] == [1000, 1000]
    assert (view.last_result.voided, view.last_result.void_reason) == (True, "a lamp went out")
    await ann.house.start_round(table)
    assert (await ann.house.table(table)).round.button == first.round.button


async def test_a_closed_table_pays_everybody_out_and_takes_nobody(crowd: people.Crowd) -> None:
    """Closing shares the carried pool, pays the seats out and refuses whatever comes later."""
    table, players = await crowd.table("shoot_dragon_gate", ("ann", "bob", "cid"))
    await players[0].house.start_round(table)
    for player in players[1:] + players[:1]:
        await player.house.act(table, people.action("pass"))
    view = await people.until_settled(players[0].house, table, 1)
    assert view.carried_pot == 30
    request = dealer_pb2.CloseTableRequest(request_id=client.request_id(), table_id=table, reason="the night is over")
    house = crowd.operator.house
    await house.call(house.dealer.CloseTable, request)
    assert [await player.house.balance() for player in players] == [people.WALLET] * 3
    await people.refused("TABLE_CLOSED", players[0].house.take_seat(table, 1000))
    assert table not in [one.table_id for one in await house.tables(game="shoot_dragon_gate")]


async def test_an_answer_returns_the_id_of_its_command(crowd: people.Crowd) -> None:
    """The first answer and the answer of a repetition both return the command's request id, for chips and for play."""
    table, (ann,) = await crowd.table("blackjack", ("ann",))
    added, started = client.request_id(), client.request_id()
    for _time in range(2):
        assert (await ann.house.add_chips(table, 10, command=added)).request_id == added
    for _time in range(2):
        assert (await ann.house.start_round(table, command=started)).request_id == started
