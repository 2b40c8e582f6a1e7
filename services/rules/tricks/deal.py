"""The start of a round of a trick game: the seats dealt in, the button, the deal."""

from collections.abc import Sequence
from typing import Any

from services.rules import chips, game, seating
from services.rules.cards import PACK_52, Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.happenings import Dealt, Happening, Shuffled
from services.rules.refusals import Reason, Refused
from services.rules.tricks.engine import TrickRound

LAST_SEATS = "last_seats"
"""Memory: seats of the last round, each with its player's name (None: that player has left the table); those that are
still there inherit the pool when the table closes."""

Begun = tuple[TrickRound, list[Happening]]


class TrickGame(game.Game):
    """What all trick games share: seats, button, pack, and the heirs of the carried pool."""

    family = "tricks"

    def pack(self, _seats: int) -> tuple[Card, ...]:
        """Return the pack for a number of seats."""
        return PACK_52

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> Begun:
        """Deal; ``order`` lists the seats of the round from the left of the button, the button last."""
        raise NotImplementedError

    def start(self, rules: game.HouseRules, table: game.Table, chance: Chance) -> Begun:
        """Start a round with all seats that hold the least carry. Raises Refused (``NOT_ENOUGH_SEATS``)."""
        least = self.least_carry(rules)
        return self.start_with([seat for seat, held in table.chips.items() if held >= least], rules, table, chance)

    def start_with(self, seats: Sequence[int], rules: game.HouseRules, table: game.Table, chance: Chance) -> Begun:
        """Start a round with these seats. Raises Refused (``NOT_ENOUGH_SEATS``)."""
        if len(seats) < rules.min_seats:
            least = self.least_carry(rules)
            message = f"{len(seats)} of the seats can be dealt in (each needs {least} chips)"
            figures = {"seats": len(seats), "needed": rules.min_seats, "chips": least}
            raise Refused(Reason.NOT_ENOUGH_SEATS, f"{message}; the table needs {rules.min_seats}", metadata=figures)
        assert len(seats) <= self.most, f"{self.id} is played by at most {self.most} seats, not {len(seats)}"
        order = tuple(chips.to_the_left(seats, first_button(table, seats, chance)))
        pack = self.pack(len(order))
        stock = Stock(number=0, cards=chance.shuffle(pack))
        assert len(stock) == len(pack), "a shuffle neither adds nor loses cards"
        round_, record = self.begin(rules, table, order, stock)
        return round_, [Shuffled(stock=0, size=len(pack)), *record]

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Record that a seat's player has left; the next player, even of the same name, inherits nothing."""
        if LAST_SEATS not in memory:
            return memory
        return {**memory, LAST_SEATS: [[at, None if at == seat else name] for at, name in memory[LAST_SEATS]]}

    def pot_heirs(self, rules: game.HouseRules, table: game.Table) -> tuple[int, ...]:
        """Return the seats that share the pool when the table closes: those of the last round that are still there."""
        stayed = [seat for seat, name in table.memory.get(LAST_SEATS, ()) if still_there(table, seat, name)]
        return tuple(chips.to_the_left(stayed, -1 if table.button is None else table.button))


def still_there(table: game.Table, seat: int, name: str | None) -> bool:
    """Return whether a seat is still taken by the same player."""
    return name is not None and seat in table.chips and table.names.get(seat, name) == name


def last_seats(table: game.Table, seats: Sequence[int]) -> dict[str, Any]:
    """Remember the seats of a round and their players."""
    return {LAST_SEATS: [[seat, table.names.get(seat, "")] for seat in sorted(seats)]}


def first_button(table: game.Table, seats: Sequence[int], chance: Chance) -> int:
    """Return the round's button; at a table without one it is drawn [tricks "Common to this file"]."""
    if table.button is None and table.first_button is None:
        return chance.pick(sorted(seats), "seat")
    return seating.next_button(table, seats)


def carry_of(table: game.Table, seats: Sequence[int]) -> dict[int, int]:
    """Return the chips of each seat in the round."""
    return {seat: table.chips[seat] for seat in sorted(seats)}


def deal(stock: Stock, order: Sequence[int], each: int) -> tuple[dict[int, list[Card]], list[Happening]]:
    """Deal ``each`` cards to every seat, face down, one at a time in this order."""
    positions: dict[int, list[int]] = {seat: [] for seat in order}
    hands: dict[int, list[Card]] = {seat: [] for seat in order}
    for _ in range(each):
        for seat in order:
            positions[seat].append(stock.next)
            hands[seat].append(stock.deal())
    return hands, [dealt(seat, stock, positions[seat]) for seat in order]


def dealt(seat: int, stock: Stock, positions: Sequence[int], zone: str = "hand") -> Dealt:
    """Record that a seat got these positions of a stock, face down."""
    cards = face_down(len(positions))
    return Dealt(to=seat, zone=zone, stock=stock.number, positions=tuple(positions), cards=cards)


def turn(stock: Stock) -> tuple[Card, Dealt]:
    """Turn up the top card of the stock: it shows trumps."""
    position, card = stock.next, stock.deal()
    return card, Dealt(to=None, zone="turned", stock=stock.number, positions=(position,), cards=(card,))
