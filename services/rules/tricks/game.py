"""What all trick games share: the seats dealt in, the button, the pack, and the heirs of the carried pool."""

from collections.abc import Sequence
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from services.rules import chips, game, seating
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.happenings import Happening, Shuffled
from services.rules.phases import BEFORE_ALL
from services.rules.refusals import Reason, Refused
from services.rules.tricks.round import TrickRound

LAST_SEATS = "last_seats"
"""Memory: seats of the last round, each with its player's name (None: that player has left the table); those that are
still there inherit the pool when the table closes."""

RulesT = TypeVar("RulesT", bound=game.HouseRules, default=game.HouseRules)
TrickRoundT = TypeVar("TrickRoundT", bound=TrickRound[Any], default=TrickRound[Any])


class TrickGame(game.Game[RulesT, TrickRoundT], Generic[RulesT, TrickRoundT]):
    """The description of a trick game."""

    family = "tricks"
    carries: ClassVar[bool] = False
    """Whether chips stay in the table's pool from round to round; the table then remembers whose they are."""

    def pack(self, _seats: int) -> tuple[Card, ...]:
        """Return the pack for a number of seats."""
        return PACK_52

    def start(self, rules: RulesT, table: game.Table, chance: Chance) -> tuple[TrickRoundT, list[Happening]]:
        """Start a round with all seats that hold the least carry. Raises Refused (``NOT_ENOUGH_SEATS``)."""
        least = self.least_carry(rules)
        return self.start_with([seat for seat, held in table.chips.items() if held >= least], rules, table, chance)

    def start_with(
        self, seats: Sequence[int], rules: RulesT, table: game.Table, chance: Chance
    ) -> tuple[TrickRoundT, list[Happening]]:
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
        round_ = self.new_round(rules, table, order, stock)
        return round_, [Shuffled(stock=0, size=len(pack)), *round_.begin(chance)]

    def new_round(self, rules: RulesT, table: game.Table, order: tuple[int, ...], stock: Stock) -> TrickRoundT:
        """Return a round before its first phase; ``order`` lists its seats from the left of the button."""
        return self.round_type(
            rules=rules,
            at=BEFORE_ALL,
            carry={seat: table.chips[seat] for seat in sorted(order)},
            button=order[-1],
            order=order,
            hands={seat: [] for seat in order},
            stock=stock,
            table_pot=table.pot,
            memory=last_seats(table, order) if self.carries else {},
        )

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Record that a seat's player has left; the next player, even of the same name, inherits nothing."""
        if LAST_SEATS not in memory:
            return memory
        return {**memory, LAST_SEATS: [[at, None if at == seat else name] for at, name in memory[LAST_SEATS]]}

    def pot_heirs(self, rules: RulesT, table: game.Table) -> tuple[int, ...]:
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
