"""An ended round shows each viewer what it had seen, and what was shown to all; nothing that stayed hidden."""

from random import Random

import msgspec
import pytest
from pitboss.v1 import table_pb2

from services.contract import wire_tables
from services.fairness.scripted import ScriptError
from services.rules import catalogue
from services.rules.refusals import Refused
from services.table import public_table
from services.table.events import Event
from tests.properties.test_hidden import cards_in, renamed
from tests.support import sittings, worlds
from tests.support.sittings import Sitting
from tests.support.worlds import Move
from tests.table.test_hidden import OPEN, bare, scripted

GAMES = list(catalogue.FILES)
MOST_MOVES = 400


class Played:
    """A round that was played to its end, with what each viewer saw on the way; None is a spectator."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.seen: dict[int | None, set[str]] = {viewer: set() for viewer in (None, *sitting.table.core.seats)}
        self.told: dict[int | None, list[str]] = {viewer: [] for viewer in self.seen}
        self.moves: list[Move] = []
        self.note(sitting.log[sitting.last_start - 1 :])

    def note(self, made: list[Event]) -> None:
        """Note the cards of events, and those of each viewer's view while the round runs."""
        told = {card for event in made for card in cards_in([getattr(event, "happenings", ()), _action(event)])}
        for viewer in self.seen:
            self.seen[viewer] |= told | set(cards_in(running(self.sitting, viewer)))
            self.told[viewer].append(experience(self.sitting, viewer, made))

    def finish(self, rng: Random) -> None:
        """Play to the end at random."""
        while self.sitting.table.round is not None:
            assert len(self.moves) < MOST_MOVES, "the round does not end"
            move = worlds.choose(self.sitting.table.round, rng)
            self.moves.append(move)
            if move.seat is not None and move.action is not None:
                self.seen[move.seat] |= set(cards_in(move.action))  # its own secret choice
            self.note(_take(self.sitting, move))
        for viewer in self.seen:  # its own hand, with what it drew in the last move
            own = [
                zone for zone in ended(self.sitting, viewer).zones if zone.HasField("owner") and zone.owner == viewer
            ]
            self.seen[viewer] |= {card for zone in own for card in zone.cards}


def running(sitting: Sitting, viewer: int | None) -> object:
    """Return what a viewer sees of the running round."""
    return None if sitting.table.round is None else sitting.table.round.view(viewer)


def experience(sitting: Sitting, viewer: int | None, made: list[Event]) -> str:
    """Return all that a viewer gets with some events, as text: the events, and the view after them."""
    return "\n".join([*(bare(event) for event in made), msgspec.json.encode(running(sitting, viewer)).decode()])


def _action(event: Event) -> object:
    given = getattr(event, "action", {})
    return {} if "sealed" in given else given


def _take(sitting: Sitting, move: Move) -> list[Event]:
    return sitting.on_timeout() if move.seat is None or move.action is None else sitting.act(move.seat, move.action)


def ended(sitting: Sitting, viewer: int | None) -> table_pb2.RoundView:
    """Return the ended round as a viewer sees it, without the commitments to the stocks."""
    found = wire_tables.view(sitting.table, viewer).round
    for stock in found.stocks:
        stock.root = ""
    return found


def like(game: str, number: int) -> tuple[Sitting, tuple[tuple[str, ...], ...]]:
    """Return a table with a round that has begun, and the orders of its stocks."""
    sitting = sittings.random_sitting(game, f"ended {number}", rounds=0)
    sitting.start()
    dealing = sitting.table.dealing
    orders = () if dealing is None else tuple(tuple(order) for _, order in sorted(dealing.orders.items()))
    return sitting, orders


@pytest.mark.parametrize("game", GAMES)
def test_an_ended_round_names_no_card_that_its_viewer_had_not_seen(game: str) -> None:
    """Every card in the ended round was in an event, or in the viewer's own view while the round ran."""
    for number in range(3):
        sitting, _ = like(game, number)
        played = Played(sitting)
        played.finish(Random(f"{game} {number}"))
        for settled in (False, True):
            if settled:
                sitting.settle()
            for viewer, seen in played.seen.items():
                shown = ended(sitting, viewer)
                assert shown.state == table_pb2.ROUND_STATE_ENDED
                new = set(cards_in(str(shown).split('"'))) - seen
                assert not new, f"viewer {viewer} is shown {new} at the end"


@pytest.mark.parametrize("game", GAMES)
def test_ended_rounds_that_differ_in_hidden_cards_look_the_same(game: str) -> None:
    """Two worlds whose difference a viewer never saw give that viewer the same ended round, byte for byte."""
    compared = 0
    for number in range(6):
        sitting, orders = like(game, number)
        if not orders:
            continue
        first = Played(scripted(game, sitting, orders))
        rng = Random(f"{game} worlds {number}")
        first.finish(rng)
        for viewer, seen in first.seen.items():
            hidden = sorted({card for order in orders for card in order} - seen)
            if len(hidden) < 2:
                continue
            some = rng.sample(hidden, min(len(hidden), rng.choice((2, 52))))
            swap = dict(zip(some, [*some[1:], some[0]], strict=True))
            other = scripted(game, sitting, tuple(tuple(swap.get(card, card) for card in order) for order in orders))
            if not _follow(other, first, viewer, swap):
                continue
            assert ended(other, viewer).SerializeToString(deterministic=True) == ended(
                first.sitting, viewer
            ).SerializeToString(deterministic=True), f"viewer {viewer} can tell that {swap}"
            compared += 1
    assert compared or game in OPEN | ALL_SEEN


ALL_SEEN = {"honeymoon", "napoleon", "whist"}
"""Games whose rounds show every card by their end."""


def _follow(sitting: Sitting, first: Played, viewer: int | None, swap: dict[str, str]) -> bool:
    """Make the same moves in another world; return whether the viewer got the same from it, up to its end."""
    told = iter(first.told[viewer])
    next(told)
    try:
        for move in first.moves:
            made = _take(sitting, Move(move.seat, renamed(move.action, swap)))
            if experience(sitting, viewer, made) != next(told):
                return False
    except (Refused, ScriptError):
        return False
    return sitting.table.core.phase == public_table.SETTLING
