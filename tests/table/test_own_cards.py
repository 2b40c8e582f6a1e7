"""A player's own cards in its own events: all that its view shows, and never more than that."""

from random import Random

import pytest

from services.rules import actions, catalogue
from services.rules.cards import HIDDEN, Card
from services.rules.happenings import Dealt
from services.table import commands, events, own_cards
from services.table.own_cards import Own
from tests.properties.test_hidden import cards_in
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
FACE_DOWN = {"nickname", "pull_cart", "war", "count_off"}
"""Games in which nobody looks at its own cards."""


class Watching(Sitting):
    """A sitting that notes what each event shows to single players, and what every player's view shows after it."""

    def watch(self) -> None:
        """Begin to note."""
        self.own: list[tuple[events.Event, dict[str, Own]]] = []
        self.zones: list[dict[tuple[int, str], list[Card]]] = []

    def take(self, made: list[events.Event]) -> list[events.Event]:
        """Fold and log what was decided, event by event."""
        for event in made:
            commands.take(self.table, [event])
            self.log.append(event)
            if hasattr(self, "own"):
                self.own.append((event, own_cards.of_event(self.table, len(self.log), event)))
                self.zones.append(self._own_zones())
        return made

    def _own_zones(self) -> dict[tuple[int, str], list[Card]]:
        found: dict[tuple[int, str], list[Card]] = {}
        for seat in self.table.core.seats if self.table.round is not None else ():
            for zone in self.table.round.view(seat).zones:  # type: ignore[union-attr]  # a round runs
                if zone.owner == seat:
                    found.setdefault((seat, zone.name), []).extend(zone.cards)
        return found


def played(game: str, seed: str) -> Watching:
    """Play a round at random and note what it shows."""
    like = sittings.random_sitting(game, seed, rounds=0)
    sitting = Watching(game, like.rules, first_button=like.table.core.opening.first_button)
    sitting.sit({seat: one.chips for seat, one in sorted(like.table.core.seats.items())})
    sitting.watch()
    sitting.start()
    sitting.finish(Random(f"{game} {seed}"))
    return sitting


def seat_of(player: str) -> int:
    """Return the seat of a player of these tables."""
    return int(player[1:])


@pytest.mark.parametrize("game", GAMES)
def test_own_events_show_what_the_own_view_shows(game: str) -> None:
    """A hidden card that was dealt to a seat has a face in its own event exactly if its own view shows that hand."""
    named = 0
    for number in range(3):
        sitting = played(game, f"own {number}")
        for (event, own), zones in zip(sitting.own, sitting.zones, strict=True):
            for place, entry in enumerate(getattr(event, "happenings", ())):
                if not isinstance(entry, Dealt) or entry.to is None or HIDDEN not in entry.cards:
                    continue
                faces = own[f"p{entry.to}"].cards.get(place) if f"p{entry.to}" in own else None
                held = zones.get((entry.to, entry.zone), [])
                if faces is None:
                    assert HIDDEN in held or len(held) < len(entry.cards), f"{entry} shows nothing; the view {held}"
                else:
                    assert HIDDEN not in held
                    assert set(faces) <= set(held)
                    assert all(shown in (HIDDEN, face) for shown, face in zip(entry.cards, faces, strict=True))
                    named += 1
    hides = any(
        HIDDEN in entry.cards and entry.to is not None
        for event, _ in sitting.own
        for entry in getattr(event, "happenings", ())
        if isinstance(entry, Dealt)
    )
    assert named or not hides or game in FACE_DOWN


@pytest.mark.parametrize("game", GAMES)
def test_own_events_hold_no_card_of_another_seat(game: str) -> None:
    """All cards that an event shows to one player were dealt to its seat, or are its own sealed choice."""
    sitting = played(game, "others")
    for event, own in sitting.own:
        for player, more in own.items():
            for place in more.cards:
                entry = getattr(event, "happenings", ())[place]
                assert isinstance(entry, Dealt)
                assert entry.to == seat_of(player)
            if more.action is not None:
                assert isinstance(event, events.ActionTaken)
                assert event.seat == seat_of(player)
                assert "sealed" in event.action


def test_a_sealed_choice_is_shown_to_who_made_it() -> None:
    """Five card draw: the discards are in the own event of their player and in nobody else's."""
    sitting = Watching("five_card_draw")
    sitting.sit({0: 500, 1: 500})
    sitting.watch()
    sitting.start()
    rng = Random(2)
    while sitting.table.round is not None:
        move = worlds.choose(sitting.table.round, rng, lapses=0.0)
        if move.seat is None or move.action is None:
            break
        action = actions.Check() if sitting.table.round.can(move.seat, actions.Check()) else move.action
        sitting.act(move.seat, action)
        if isinstance(action, actions.Draw):
            assert sitting.own[-1][1][f"p{move.seat}"].action == action
            assert sitting.own[-1][1].keys() == {f"p{move.seat}"}
            return
    pytest.fail("nobody drew")


def test_a_table_without_a_round_has_nothing_to_add() -> None:
    """Events between rounds, and events whose round is not at hand, show the same to everybody."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    assert own_cards.of_event(sitting.table, 3, sitting.log[-1]) == {}
    sitting.start()
    started = sitting.log[-1]
    assert set(own_cards.of_event(sitting.table, 4, started)) == {"p0", "p1"}
    assert not set(cards_in(started.happenings)) - {HIDDEN}  # type: ignore[attr-defined]  # a round's start has them
    sitting.void()
    assert own_cards.of_event(sitting.table, 4, started) == {}
