"""What a house player sees of its table: the parts of a view that strategies decide by, and nothing else.

A view holds no card that the seat may not know, so that no strategy can use one.
"""

import msgspec
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_tables
from services.rules.cards import HIDDEN, Card
from services.rules.offers import Option


class Priced(msgspec.Struct, frozen=True):
    """An option with the chips that it costs at least, and the amounts that are suggested for it, by their words."""

    option: Option
    cost: int = 0
    suggested: dict[str, int] = {}

    @property
    def action(self) -> str:
        """The name of its action."""
        return self.option.action


class Spread(msgspec.Struct, frozen=True):
    """Cards that lie together, as the seat sees them; owner None: the table's or the bank's."""

    owner: int | None
    name: str
    cards: tuple[Card, ...]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a round, seen from a seat that may act; ``stakes`` holds the chips that each seat has staked.

    ``sides`` holds the side of each seat in a game of partnerships. ``count`` is the total of the cards played, or the
    number that was called last.
    """

    game: str
    rules_version: int = 0
    family: str
    phase: str
    seat: int
    stake: int
    options: tuple[Priced, ...]
    spreads: tuple[Spread, ...]
    pot: int
    stakes: dict[int, int]
    statuses: dict[int, str]
    trump: str | None
    sides: dict[int, int]
    count: int

    @property
    def names(self) -> frozenset[str]:
        """The names of the actions that the seat may take."""
        return frozenset(option.action for option in self.options)

    def find(self, action: str) -> Priced | None:
        """Return the first option of an action."""
        return next((option for option in self.options if option.action == action), None)

    def own(self, name: str = "hand") -> tuple[Card, ...]:
        """Return the seat's own cards in a zone."""
        return self.cards(name, self.seat)

    def cards(self, name: str, owner: int | None = None) -> tuple[Card, ...]:
        """Return the cards of a zone that the seat sees."""
        return tuple(
            card
            for spread in self.spreads
            if (spread.owner, spread.name) == (owner, name)
            for card in spread.cards
            if card != HIDDEN
        )


def of_view(view: pb.TableView) -> Seen:
    """Return what a seat sees in the view that was sent to it."""
    round_ = view.round
    return Seen(
        game=view.table.game,
        rules_version=view.table.rules_version,
        family=view.table.family,
        phase=round_.phase,
        seat=view.own_seat,
        stake=view.table.stake,
        options=tuple(_priced(option) for option in round_.options),
        spreads=tuple(
            Spread(zone.owner if zone.HasField("owner") else None, zone.name, tuple(zone.cards))
            for zone in round_.zones
        ),
        pot=sum(round_.pots),
        stakes={seat.seat: seat.staked for seat in round_.seats},
        statuses={seat.seat: seat.status for seat in round_.seats},
        trump=round_.facts.trump or None,
        sides=dict(round_.facts.sides),
        count=round_.facts.count,
    )


def _priced(option: pb.Option) -> Priced:
    suggested = {
        one.word: one.value
        for choice in option.arguments.values()
        if choice.HasField("range")
        for one in choice.range.suggestions
    }
    return Priced(wire_tables.option_from_wire(option), option.cost, suggested)
