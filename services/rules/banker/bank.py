"""The banker, its term, and its opponents [banker "Common to this family"]."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec

from services.rules import chips, common_keys, keys
from services.rules.banker import keys as banker_keys
from services.rules.game import HouseRules, Table
from services.rules.refusals import Reason, Refused

BY_HOUSE: Final = "house"
BY_SEAT: Final = "seat"

BANKER: Final = "banker"
BANK_ROUNDS: Final = "bank_rounds"
"""Keys of the memory: the seat that has the bank, and how many counted rounds it has banked."""
LEFT: Final = "left"
"""Key of the memory: the player who had the bank has left the table."""


class BankRules(HouseRules, frozen=True, kw_only=True):
    """House rules of a game with a banker; ``min_seats`` and ``max_seats`` of 0 stand for the sheet's numbers."""

    players: ClassVar[tuple[int, int]]
    """Fewest and most players against the bank, the banker not counted."""
    widest: ClassVar[int | None] = None
    """Most players that a table may be opened for, where the sheet's number is only the default."""

    min_seats: common_keys.UsualMinSeats = 0
    max_seats: common_keys.UsualMaxSeats = 0
    banker: banker_keys.Banker = BY_HOUSE

    def __post_init__(self) -> None:
        """Put the sheet's numbers of seats in place; a banker who is a seat needs one more."""
        fewest, most = self.seats_of_sheet()
        if self.min_seats == 0:
            msgspec.structs.force_setattr(self, "min_seats", fewest)
        if self.max_seats == 0:
            msgspec.structs.force_setattr(self, "max_seats", most)

    def seats_of_sheet(self) -> tuple[int, int]:
        """Return the fewest and the most seats of the sheet for this kind of banker."""
        more = 1 if self.banker == BY_SEAT else 0
        return self.players[0] + more, self.players[1] + more

    @property
    def least_carry(self) -> int:
        """The chips that a player must hold to be in [banker "Who is in"]."""
        return 1

    def next_bank(self, table: Table) -> "Bank":
        """Return the bank of the table's next round: the house, or as the bank moves in the game."""
        del table
        return Bank(None)


class RotatingRules(BankRules, frozen=True, kw_only=True):
    """House rules of a game whose bank moves to the left after a number of rounds."""

    banker_rounds: banker_keys.BankerRounds = 1

    def next_bank(self, table: Table) -> "Bank":
        """Return the bank, which moves to the left."""
        return rotated(self, table)


class BetRules(RotatingRules, frozen=True, kw_only=True):
    """House rules of a game in which players choose the amounts that they bet against the bank."""

    min_bet: keys.MinBet = 1
    max_bet: keys.MaxBet = 0
    cover: banker_keys.Cover = 1

    @property
    def least_carry(self) -> int:
        """The least bet."""
        return self.min_bet

    @property
    def duty(self) -> bool:
        """Whether every player must bet: no pass, and the least bet at the deadline."""
        return False


class Bank(msgspec.Struct):
    """The banking seat (None: the house) and the number of counted rounds that it banked before this one."""

    seat: int | None = None
    rounds: int = 0

    def memory(self, *, counts: bool) -> dict[str, Any]:
        """Return the memory for the next round."""
        return {BANKER: self.seat, BANK_ROUNDS: self.rounds + (1 if counts else 0)}


def rotated(rules: RotatingRules, table: Table) -> Bank:
    """Return this round's bank, which moves to the left after ``banker_rounds`` rounds.

    It passes over seats without chips, and a banker without chips, or gone, passes it on at once.
    """
    rounds = int(table.memory.get(BANK_ROUNDS, 0))
    if rules.banker == BY_HOUSE:
        return Bank(None, rounds if rounds < rules.banker_rounds else 0)
    last = last_banker(table)
    if last is None:
        return Bank(first_banker(table))
    if rounds < rules.banker_rounds and still_banks(table, last):
        return Bank(last, rounds)
    return Bank(next_with_chips(table, last))


def last_banker(table: Table) -> int | None:
    """Return the seat that had the bank last, None before the first round."""
    banker: int | None = table.memory.get(BANKER, table.button)
    return banker


def still_banks(table: Table, banker: int) -> bool:
    """Return whether the last banker is still there and has chips; a player who took the seat later does not bank."""
    return table.chips.get(banker, 0) > 0 and not table.memory.get(LEFT, False)


def banker_left(memory: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the memory once the player of a seat has left."""
    return {**memory, LEFT: True} if memory.get(BANKER) == seat else memory


def first_banker(table: Table) -> int:
    """Return the first banker: the seat that the table names, else the first one; without chips the next with some."""
    first = min(table.chips) if table.first_button is None else table.first_button
    return next_with_chips(table, first - 1)


def chips_needed(table: Table) -> None:
    """Refuse a round at a table where nobody has chips."""
    if not any(table.chips.values()):
        message = "nobody at this table has chips; add chips first"
        raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata={"seats": 0, "needed": 1, "chips": 1})


def next_with_chips(table: Table, left_of: int) -> int:
    """Return the seat with chips that is closest to the left of a seat. Raises Refused where nobody has chips."""
    chips_needed(table)
    return next(seat for seat in chips.to_the_left(table.chips, left_of) if table.chips[seat] > 0)


def dealing_order(table: Table, banker: int | None, plays: Callable[[int], bool]) -> list[int]:
    """List the players, the banker left out: from seat 0 with the house, else from the banker's left.

    ``plays`` says by a seat's chips whether it is in the round. Raises Refused where no seat is.
    """
    around = sorted(table.chips) if banker is None else chips.to_the_left(table.chips, banker)
    players = [seat for seat in around if seat != banker and plays(table.chips[seat])]
    if not players:
        message = "no player at this table holds enough chips for a round; add chips first"
        raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata={"seats": 0, "needed": 1})
    return players


def seats_needed(rules: HouseRules, table: Table) -> None:
    """Refuse a round at a table where fewer than ``min_seats`` seats are taken."""
    if len(table.chips) < rules.min_seats:
        message = f"{len(table.chips)} seats are taken; a round needs at least {rules.min_seats}"
        figures = {"seats": len(table.chips), "needed": rules.min_seats}
        raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
