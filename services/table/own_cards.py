"""The parts of an event that only one player sees: the faces of its own cards, its own sealed choice."""

from collections import Counter
from typing import Final

import msgspec

from services.rules import actions
from services.rules.cards import HIDDEN, Card
from services.rules.game import Round
from services.rules.happenings import Dealt
from services.table import event_writer, events
from services.table.events import Event
from services.table.full_table import Dealing, FullTable


class Own(msgspec.Struct, frozen=True):
    """The parts of an event that one player sees: cards of happenings by their place, and arguments of its action."""

    cards: dict[int, tuple[Card, ...]]
    action: actions.Action | None = None


NOTHING: Final[dict[str, Own]] = {}


def of_event(table: FullTable, version: int, event: Event) -> dict[str, Own]:
    """Return what an event shows to single players, by player; the table is as it was right after the event.

    A card is named only if the player's own view names all cards of its zone then: what a player may not see of its own
    hand stays hidden in its events too.
    """
    round_, dealing = table.round, table.dealing
    if round_ is None or dealing is None:
        return NOTHING
    if not isinstance(event, events.RoundStarted | events.ActionTaken | events.DeadlinePassed):
        return NOTHING
    cards: dict[int, dict[int, tuple[Card, ...]]] = {}
    for place, entry in enumerate(event.happenings):
        if isinstance(entry, Dealt) and entry.to is not None and HIDDEN in entry.cards:
            faces = _faces(round_, dealing, entry)
            if faces:
                cards.setdefault(entry.to, {})[place] = faces
    chosen = _chosen(dealing, version, event)
    seats = cards.keys() | chosen.keys()
    return {table.core.seats[seat].player: Own(cards.get(seat, {}), chosen.get(seat)) for seat in sorted(seats)}


def _faces(round_: Round, dealing: Dealing, entry: Dealt) -> tuple[Card, ...]:
    """Return the faces of cards that were dealt to a seat; nothing where its own view does not show them all."""
    view = round_.view(entry.to)
    held = [card for zone in view.zones if (zone.owner, zone.name) == (entry.to, entry.zone) for card in zone.cards]
    order = dealing.orders[entry.stock]
    faces = tuple(order[position] for position in entry.positions)
    return () if HIDDEN in held or Counter(faces) - Counter(held) else faces


def _chosen(dealing: Dealing, version: int, event: Event) -> dict[int, actions.Action]:
    if not isinstance(event, events.ActionTaken) or "sealed" not in event.action:
        return {}
    return {event.seat: event_writer.read_action(event.action, dealing.round_seed, version)}
