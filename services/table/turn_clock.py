"""The clock of a turn: its number, its deadline, and the part of it that is a seat's time bank."""

from typing import Self

import msgspec

from services.rules.game import Round
from services.table import time_bank
from services.table.public_table import PublicTable


class TurnClock(msgspec.Struct, frozen=True):
    """The clock that runs: its number, its deadline in milliseconds since 1970 (0: none), the bank's part of it."""

    number: int
    deadline_ms: int = 0
    bank_ms: int = 0

    @classmethod
    def at(cls, core: PublicTable) -> Self:
        """Return the clock that runs at a table."""
        return cls(core.clock, core.deadline_ms, core.bank_ms)

    def after(
        self, core: PublicTable, round_: Round, at_ms: int, spent: dict[int, int], *, restart: bool = False
    ) -> Self:
        """Return the clock after a step of the round at a moment; ``spent``: what seats have spent of their banks."""
        waiting = round_.waiting()
        if waiting is None:
            return type(self)(self.number)
        if waiting.clock == self.number and not restart:
            return self
        bank_ms = time_bank.of_turn(core, waiting.seats, spent) if waiting.has_bank else 0
        return type(self)(waiting.clock, at_ms + 1000 * waiting.seconds + bank_ms, bank_ms)


BEFORE_START = TurnClock(-1)
