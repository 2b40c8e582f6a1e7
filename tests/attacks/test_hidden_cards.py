"""Two tables that differ only in hidden cards: a viewer who may not know these cards receives the same bytes.

For every game of the catalogue two test tables play in lock step. Their decks differ in two cards that have changed
places and that neither seat 0 nor a spectator sees: both held by other seats, or one of them in the stock.
"""

import random
import re
from contextlib import aclosing
from typing import Any, Final

import msgspec
import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2, table_pb2

from services.cli.certify import over_grpc
from services.fairness.scripted import Script, ScriptedChance
from services.rules import catalogue
from services.rules.cards import HIDDEN, Card
from services.rules.game import Game, HouseRules, Table
from services.runtime.identity import Role
from tests.support.people import Crowd

CHIPS: Final = 20_000
MOST_STEPS: Final = 8
NAMES: Final = ("ann", "bob", "cat", "dan", "eve", "fay")
HOUSE_RULES: Final = {
    "turn_seconds": 600,
    "bet_seconds": 600,
    "claim_seconds": 600,
    "auto_flip": False,
    "decks": 1,
}
"""The rules of both tables, as far as a game has them: slow clocks, and one pack, for a script holds no more."""
VIEWERS: Final = (None, 0)
"""A spectator, and the seat whose player attacks."""

CARD: Final = re.compile(r"(?<=\")(?:[AKQJT98765432][shdc]|X[rb]|\dt)(?=\")")
"""A card or tile in the text form of a message."""

Orders = list[list[Card]]
Seen = tuple[table_pb2.TableView, dealer_pb2.WatchTableResponse]
"""The view of GetTable and the messages of a stream."""


def _rules(game: Game) -> dict[str, Any]:
    known = {entry.name for entry in msgspec.structs.fields(game.rules_type)}
    return {key: value for key, value in HOUSE_RULES.items() if key in known}


def _orders(game: Game, rules: HouseRules, seats: int, rng: random.Random) -> Orders:
    """Return shuffled packs for the start of a round with ``seats`` seats."""
    chance = ScriptedChance(Script())
    game.start(rules, Table(chips=dict.fromkeys(range(seats), CHIPS), first_button=0), chance)
    packs = [list(pack) for _, pack in sorted(chance.packs.items())]
    for pack in packs:
        rng.shuffle(pack)
    return packs


async def _table(crowd: Crowd, game: Game, seats: int, orders: Orders) -> over_grpc.Bench:
    """Open a test table, seat players and start a round with these packs."""

    def player(named: str) -> client.House:
        subject, _, name = named.partition("|")
        return crowd.person(subject, Role.PLAYER, test=True, name=name).house

    bench = over_grpc.Bench(crowd.operator.house, player)
    await bench.set_up(game.id, _rules(game), NAMES[:seats], (CHIPS,) * seats, 0)
    await bench.start(Script(stocks=tuple(tuple(order) for order in orders)), {}, 0)
    return bench


async def _seen(bench: over_grpc.Bench, seat: int | None) -> Seen:
    """Return what a seat (None: a spectator) receives from GetTable, and from a stream after the opening.

    A stream of play must show what a watch shows, so that what is compared holds for both. All are of one version: a
    settlement may come between two calls, and then all is asked again.
    """
    house = bench.operator if seat is None else bench.seats[seat]
    for _ in range(MOST_STEPS):
        view = await house.table(bench.table_id)
        async with aclosing(house.watch(bench.table_id, 1)) as messages:
            message = await anext(messages)
        followed = message if seat is None else await _followed(house, bench.table_id)  # players alone have streams
        if view.version == message.view.version == followed.view.version:
            same = _bytes((view, followed)) == _bytes((view, message))
            assert same, "a stream of play shows something else than a watch"
            return view, message
    raise AssertionError("the table went on at every call")


async def _followed(house: client.House, table_id: str) -> dealer_pb2.WatchTableResponse:
    """Return the first message of a table that is followed on a stream of play."""
    async with house.session() as session, aclosing(session.follow(table_id, 1)) as messages:
        return await anext(messages)


def _bytes(seen: Seen) -> tuple[bytes, bytes]:
    """Return both without the fields that differ between any two tables: ids, commitments and times."""
    view, message = table_pb2.TableView(), dealer_pb2.WatchTableResponse()
    view.CopyFrom(seen[0])
    message.CopyFrom(seen[1])
    for one in (view, message.view):
        one.table.table_id = one.next_seed_commitment = one.round.round_id = ""
        one.round.ClearField("deadline_time")
        one.ClearField("clock")
        one.ClearField("presence")
        one.ClearField("spectators")
        one.ClearField("idle_close_time")
        for seat in one.seats:
            seat.player_id = seat.player = ""
        for stock in one.round.stocks:
            stock.root = ""
    for event in message.events:
        event.ClearField("event_time")
    return view.SerializeToString(deterministic=True), message.SerializeToString(deterministic=True)


def _named(seen: Seen) -> set[Card]:
    """Return every card in what a viewer received."""
    return set(CARD.findall(str(seen[0]) + str(seen[1])))


def _shown(view: table_pb2.TableView) -> set[Card]:
    return {card for zone in view.round.zones for card in zone.cards if card != HIDDEN}


async def _known(bench: over_grpc.Bench) -> set[Card]:
    """Return the cards that seat 0 or a spectator sees."""
    views = [await (bench.operator if seat is None else bench.seats[seat]).table(bench.table_id) for seat in VIEWERS]
    return set().union(*(_shown(view) for view in views))


async def _swapped(bench: over_grpc.Bench, orders: Orders, rng: random.Random, *, stock: bool) -> Orders | None:
    """Return the packs with two hidden cards exchanged; None where the game has none."""
    known = await _known(bench)
    hands = [_shown(await house.table(bench.table_id)) - known for seat, house in sorted(bench.seats.items()) if seat]
    held = sorted(set().union(*hands))
    unseen = sorted(set(orders[0]) - known - set(held) if orders else set())
    first, second = (held or unseen, unseen) if stock else (sorted(hands[0]), sorted(hands[-1]) or unseen)
    pairs = [(one, other) for one in first for other in second if one != other]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    places = {one: other, other: one}
    return [[places.get(card, card) for card in order] for order in orders]


async def _step(benches: list[over_grpc.Bench]) -> bool:
    """Take an action without arguments that is open to the same seat at both tables; False where there is none."""
    seats = (await benches[0].view()).round.waiting_for
    for seat in seats:
        views = [await bench.seats[seat].table(bench.table_id) for bench in benches]
        open_ = [{option.action for option in view.round.options if not option.arguments} for view in views]
        for word in sorted(open_[0] & open_[1] - {"fold"}):
            for bench in benches:
                await bench.act(seat, word, {})
            return True
    return False


async def _compare(benches: list[over_grpc.Bench], changed: set[Card]) -> int:
    """Compare both tables for each viewer after every step, until a changed card was shown; return the comparisons."""
    compared = 0
    for _ in range(MOST_STEPS):
        seen = [[await _seen(bench, seat) for bench in benches] for seat in VIEWERS]
        for pair in seen:
            if any(one[0].table.state != table_pb2.TABLE_STATE_IN_ROUND or _named(one) & changed for one in pair):
                return compared
        for seat, (one, other) in zip(VIEWERS, seen, strict=True):
            assert _bytes(one) == _bytes(other), f"seat {seat} can tell the tables apart"
            compared += 1
        if not await _step(benches):
            return compared
    return compared


@pytest.mark.parametrize("game_id", list(catalogue.FILES))
async def test_hidden_cards_change_no_byte(crowd: Crowd, game_id: str) -> None:
    """Views and event streams of seat 0 and of a spectator are the same whatever cards others and the stock hold."""
    game = catalogue.game(game_id)
    rules = game.rules_type(**_rules(game))
    seats = max(rules.min_seats, min(3, rules.max_seats or 3))
    compared = 0
    for stock in (False, True):
        rng = random.Random(f"{game_id} {stock}")
        orders = _orders(game, rules, seats, rng)
        benches = [await _table(crowd, game, seats, orders)]
        try:
            swapped = await _swapped(benches[0], orders, rng, stock=stock) if orders else None
            if swapped is not None:
                benches.append(await _table(crowd, game, seats, swapped))
                changed = {
                    card
                    for order, other in zip(orders, swapped, strict=True)
                    for card, new in zip(order, other, strict=True)
                    if card != new
                }
                compared += await _compare(benches, changed)
        finally:
            for bench in benches:
                await bench.close()
    assert compared, "nothing was compared"
