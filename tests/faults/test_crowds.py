"""Many at once at one table: a hundred claims, two hundred seats in one betting window."""

import asyncio
import time
import uuid
from collections import Counter
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import catalogue_pb2, dealer_pb2

from services.rules.happenings import Noted
from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people, waits
from tests.support.people import Crowd

CLAIMS = 100
PACK = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]


async def _scripted(crowd: Crowd, game: str, seats: int, tops: str, rules: dict[str, Any]) -> Played:
    """Start a round whose cards come from the top as given, the rest in any order."""
    names = tuple(f"p{seat}" for seat in range(seats))
    table_id, players = await crowd.table(game, names, rules, buy_in=floor.BUY_IN, test=True)
    wanted = tops.split()
    deck = [*wanted, *(card for card in PACK if card not in wanted)]
    staff = crowd.operator.house
    await staff.call(
        staff.dealer.ScriptRound,
        dealer_pb2.ScriptRoundRequest(
            request_id=client.request_id(), table_id=table_id, stocks=[dealer_pb2.ScriptedStock(cards=deck)]
        ),
    )
    table = Played(game, table_id, players)
    await table.start()
    return table


async def _pass(crowd: Crowd, table: Played) -> None:
    staff = crowd.operator.house
    request = dealer_pb2.PassDeadlineRequest(request_id=client.request_id(), table_id=table.table_id)
    await staff.call(staff.dealer.PassDeadline, request)


async def _claims(table: Played, *claims: tuple[int, str, dict[str, Any]]) -> Counter[str]:
    """Send a hundred claims at once, those given again and again, over two dealers; counts the answers by reason."""
    answers: Counter[str] = Counter()

    async def send(at: int) -> None:
        seat, word, arguments = claims[at % len(claims)]
        request = dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex, table_id=table.table_id, action=people.action(word, **arguments)
        )
        try:
            answer = await floor.insist(table.players[seat], (at % 2, (at + 1) % 2), "Act", request)
        except client.Refused as refusal:
            answers[refusal.reason] += 1
        else:
            table.note(seat, request, answer)
            answers["done"] += 1

    await asyncio.gather(*(send(at) for at in range(CLAIMS)))
    return answers


async def _noted(house: Broken, table: Played) -> Counter[tuple[str, int | None]]:
    """Count what the log notes of seats in the last round."""
    return Counter(
        (happening.what, happening.seat)
        for event in await house.events(table.table_id)
        if isinstance(event, events.ActionTaken)
        for happening in event.happenings
        if isinstance(happening, Noted)
    )


async def _void(crowd: Crowd, table: Played) -> None:
    staff = crowd.operator.house
    request = dealer_pb2.VoidRoundRequest(request_id=client.request_id(), table_id=table.table_id, reason="seen enough")
    await staff.call(staff.dealer.VoidRound, request)


async def test_a_hundred_slaps_at_once(house: Broken, crowd: Crowd) -> None:
    """Of a hundred wrong slaps each seat pays one card, once; of a hundred right ones the first in the log wins."""
    # The deal begins left of the button: the tenth card is the button's first, turned at one; seat 1 turns 2c at two.
    table = await _scripted(crowd, "count_off", 10, "2c 3c 4c 5c 6c 7c 8c 9c Tc Kh", {"claim_seconds": 60})
    slaps = [(seat, "slap", {"flip": 1}) for seat in range(10)]
    assert await _claims(table, *slaps) == {"done": 10, "ILLEGAL_ACTION": CLAIMS - 10}
    noted = await _noted(house, table)
    assert noted == {("wrong_slap", seat): 1 for seat in range(10)}
    await _pass(crowd, table)
    assert await _claims(table, *((seat, "slap", {"flip": 2}) for seat in range(10))) == {
        "done": 1,
        "ILLEGAL_ACTION": CLAIMS - 1,
    }
    won = (await _noted(house, table)) - noted
    assert sum(count for (what, _), count in won.items() if what == "right_slap") == 1
    assert not any(what == "wrong_slap" for what, _ in won)
    await _void(crowd, table)
    await proofs.hold(house, crowd, table)


async def test_a_hundred_calls_of_nicknames_at_once(house: Broken, crowd: Crowd) -> None:
    """Of two seats that show the same rank the first call takes the pile; each wrong caller pays once."""
    table = await _scripted(crowd, "nickname", 6, "7s 7h 2c 9c 4d Jd", {"claim_seconds": 60})
    right = [(1, "call_nickname", {"target": 2, "flip": 1}), (2, "call_nickname", {"target": 1, "flip": 1})]
    wrong = [(seat, "call_nickname", {"target": 3 + (seat - 2) % 3, "flip": 1}) for seat in (3, 4, 5)]
    answers = await _claims(table, *right, *wrong)
    assert answers == {"done": 4, "ILLEGAL_ACTION": CLAIMS - 4}
    noted = await _noted(house, table)
    assert noted[("right_call", 1)] + noted[("right_call", 2)] == 1
    assert {key: count for key, count in noted.items() if key[0] == "wrong_call"} == {
        ("wrong_call", seat): 1 for seat in (3, 4, 5)
    }
    await _void(crowd, table)
    await proofs.hold(house, crowd, table)


async def test_a_hundred_collects_at_once(house: Broken, crowd: Crowd) -> None:
    """The seat whose card matched collects once, however many collects of all seats arrive with it."""
    table = await _scripted(crowd, "pull_cart", 4, "9h 5h 9c 8d", {"turn_seconds": 60})
    for seat in (1, 2, 3):
        request = dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex, table_id=table.table_id, action=people.action("flip")
        )
        await table.act(seat, request)
    answers = await _claims(table, *((seat, "collect", {}) for seat in range(4)))
    assert answers == {"done": 1, "ILLEGAL_ACTION": CLAIMS - 1}
    noted = await _noted(house, table)
    assert {key: count for key, count in noted.items() if key[0] == "collected"} == {("collected", 3): 1}
    await _void(crowd, table)
    await proofs.hold(house, crowd, table)


SEATS = 200
WINDOW = 8
SPOTS = {"suit_betting": ("spade", "odd"), "san_gong_live": ("player_win", "pair_plus")}


@pytest.mark.parametrize("game", list(SPOTS))
async def test_two_hundred_seats_bet_in_one_window(house: Broken, crowd: Crowd, game: str) -> None:
    """Two hundred seats bet at once over two dealers: no bet is lost, each call answered, the window closes on time."""
    rules = {"max_seats": SEATS, "bet_seconds": WINDOW}
    template_id = await crowd.template(game, {"max_seats": SEATS}, varies=[catalogue_pb2.TEMPLATE_FIELD_TIMES])
    made = await crowd.operator.house.create_table(template_id=template_id, house_rules=rules)
    subject = [f"{game}-{number}-{uuid.uuid4().hex[:6]}" for number in range(SEATS)]
    await asyncio.gather(*(crowd.operator.house.deposit(name, 1000) for name in subject))
    players = [crowd.person(name) for name in subject]
    for batch in range(0, SEATS, 20):
        await asyncio.gather(
            *(players[seat].at(seat % 2).take_seat(made.table_id, 1000, seat) for seat in range(batch, batch + 20))
        )
    table = Played(game, made.table_id, players)
    await table.start()
    began = time.monotonic()

    async def bet(seat: int) -> None:
        request = dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex,
            table_id=table.table_id,
            action=people.action("place_bet", spot=SPOTS[game][seat % 2], amount=10 + seat),
        )
        table.note(seat, request, await floor.insist(players[seat], (seat % 2, 1 - seat % 2), "Act", request))

    await asyncio.gather(*(bet(seat) for seat in range(SEATS)))
    spent = time.monotonic() - began

    async def is_closed() -> bool:
        return (await table.view()).last_result.round_number >= 1

    await waits.eventually(is_closed, "the window closes", pause=0.2)
    recorded = await house.events(table.table_id)
    closed = next(event for event in recorded if isinstance(event, events.DeadlinePassed))
    started = next(event for event in recorded if isinstance(event, events.RoundStarted))
    assert 0 <= closed.at_ms - started.at_ms - 1000 * WINDOW <= 2000, "the window did not close on time"
    bets = {event.seat: event.action for event in recorded if isinstance(event, events.ActionTaken)}
    assert {seat: taken["amount"] for seat, taken in bets.items()} == {seat: 10 + seat for seat in range(SEATS)}
    assert spent < WINDOW
    await proofs.every_acknowledgement_is_in_the_log(house, table)
    await proofs.chips_are_where_the_log_says(house, table)
    await proofs.auditor_finds_nothing(crowd, table)
    await proofs.settled_in_time(house, table)
    assert await house.imbalance() == 0
