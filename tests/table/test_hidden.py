"""What events tell: rounds that differ only in hidden cards give equal texts, apart from seals and roots."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptError
from services.rules import actions, catalogue
from services.rules.refusals import Refused
from services.table import codec, events, public_table
from services.table.events import Event
from tests.properties.test_hidden import cards_in, renamed
from tests.support import sittings, worlds
from tests.support.sittings import Sitting
from tests.support.worlds import Move

SEALED = re.compile(r'"(root|sealed|reveal|house_commitment|commitment)":"[0-9a-f]*"')
SCRIPT = re.compile(r'"script":\{.*?\},"carry"')

OPEN = {"suit_betting", "san_gong_live", "shoot_dragon_gate", "nickname", "pull_cart", "war", "count_off"}
"""Games without cards that anybody holds hidden, or in which the server turns all of them."""


def bare(event: Event) -> str:
    """Return an event's text without seals, roots and the script of the test round."""
    return SCRIPT.sub('"carry"', SEALED.sub("", codec.encode(event)))


def scripted(game: str, like: Sitting, orders: tuple[tuple[str, ...], ...]) -> Sitting:
    """Open the same table again and start a round with these orders of its stocks."""
    sitting = Sitting(game, like.rules, first_button=like.table.core.opening.first_button)
    sitting.sit({seat: one.chips for seat, one in sorted(like.table.core.seats.items())})
    sitting.script(Script(stocks=orders))
    sitting.start()
    return sitting


def spectators(sitting: Sitting) -> bytes:
    """Return the round as a spectator sees it; None where it is over."""
    return b"" if sitting.table.round is None else msgspec.json.encode(sitting.table.round.view(None))


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_rounds_that_differ_in_hidden_cards_leave_equal_events(game: str) -> None:
    """As long as a spectator sees the same, every event of two worlds is the same text."""
    rng = Random(f"{game} worlds of events")
    compared = 0
    for number in range(4):
        like = sittings.random_sitting(game, f"hidden {number}", rounds=0)
        like.start()
        dealing = like.table.dealing
        if dealing is None:
            continue
        orders = tuple(tuple(order) for _, order in sorted(dealing.orders.items()))
        first = scripted(game, like, orders)
        moves, public = _play(first, rng)
        pack = sorted({card for order in orders for card in order} - public)
        for _ in range(6):
            if len(pack) < 2:
                break
            some = rng.sample(pack, min(len(pack), rng.choice((2, 4, 52))))
            swap = dict(zip(some, rng.sample(some, len(some)), strict=True))
            other = tuple(tuple(swap.get(card, card) for card in order) for order in orders)
            compared += _compare(scripted(game, like, orders), scripted(game, like, other), moves, swap)
    assert compared or game in OPEN


def _play(sitting: Sitting, rng: Random) -> tuple[list[Move], set[str]]:
    """Play a few random moves; return them and the cards that a spectator saw."""
    moves: list[Move] = []
    public: set[str] = {card for event in sitting.log for card in cards_in(getattr(event, "happenings", ()))}
    for _ in range(rng.randrange(1, 25)):
        if sitting.table.round is None:
            break
        public |= set(cards_in(sitting.table.round.view(None)))
        move = worlds.choose(sitting.table.round, rng)
        moves.append(move)
        made = _take(sitting, move)
        public |= {card for event in made for card in cards_in(getattr(event, "happenings", ()))}
        if move.action is not None and "sealed" not in getattr(made[0], "action", {}):
            public |= set(cards_in(msgspec.to_builtins(move.action)))
    if sitting.table.round is not None:
        public |= set(cards_in(sitting.table.round.view(None)))
    return moves, public


def _take(sitting: Sitting, move: Move) -> list[Event]:
    return sitting.on_timeout() if move.seat is None or move.action is None else sitting.act(move.seat, move.action)


def _compare(ours: Sitting, theirs: Sitting, moves: list[Move], swap: dict[str, str]) -> int:
    compared = 0
    if spectators(ours) != spectators(theirs):
        return 0
    assert bare(ours.log[-1]) == bare(theirs.log[-1])
    for move in moves:
        try:
            mine = _take(ours, move)
            others = _take(theirs, Move(move.seat, renamed(move.action, swap)))
        except (Refused, ScriptError):
            return compared
        if ours.table.core.phase != public_table.IN_ROUND or theirs.table.core.phase != public_table.IN_ROUND:
            return compared
        if spectators(ours) != spectators(theirs):
            return compared
        assert [bare(event) for event in mine] == [bare(event) for event in others], f"the log tells that {swap}"
        compared += 1
    return compared


def test_a_fold_before_the_showdown_tells_nothing_of_the_hands() -> None:
    """Texas Hold'em, everybody else folds: the whole round, outcome and settlement included, is the same text."""

    def played(order: str) -> list[str]:
        sitting = Sitting("texas_holdem", first_button=0)
        sitting.sit({0: 500, 1: 500, 2: 500})
        sitting.script(Script(stocks=(tuple(order.split()),)))
        sitting.start()
        while sitting.table.round is not None:
            waiting = sitting.table.round.waiting()
            assert waiting is not None
            sitting.act(waiting.seats[0], actions.Fold())
        sitting.settle()
        return [bare(event) for event in sitting.log if not isinstance(event, events.RoundScripted)]

    assert played("2c 7d As 3h 8s Ad") == played("Ks Kd 4s Kh 9s 5d")


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_seeds_and_orders_are_nowhere_in_the_log_in_clear(game: str) -> None:
    """No event holds a house seed, a round seed or an order of the deck, as text or hexadecimal."""
    sitting = sittings.random_sitting(game, "clear", rounds=1)
    started = next(event for event in sitting.log if isinstance(event, events.RoundStarted))
    again = sitting.again()
    assert again.dealing is not None
    secrets: list[Any] = [sitting.house_seed(number) for number in (1, 2)]
    secrets.append(again.dealing.round_seed)
    whole = "\n".join(sittings.texts(sitting.log))
    for secret in secrets:
        assert secret.hex() not in whole
        assert codec.encode(started).count(secret.decode("latin-1")) == 0
    for order in again.dealing.orders.values():
        assert '","'.join(order[:8]) not in whole or len(order) < 8
