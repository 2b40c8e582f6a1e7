"""A common pool: seats stake against it and are paid out of it, and the chips move at once within the round."""

from collections.abc import Sequence
from typing import Final

import msgspec

from services.rules.game import Round
from services.rules.happenings import Happening, Staked
from services.rules.outcomes import POT, Claim, Stake
from services.rules.views import SeatView

ANTE: Final = "ante"
POOL: Final = "pool"


class PoolRound(Round, kw_only=True):
    """A round against a pool; ``order``: seats in the order of turns.

    ``held`` are the chips of each seat now, ``pool`` those of the pool. ``allowed``: what a seat may stake in this
    round at most, of seats for which that is bounded.
    """

    order: list[int]
    held: dict[int, int]
    pool: int
    stakes: list[Stake] = msgspec.field(default_factory=list)
    allowed: dict[int, int] = msgspec.field(default_factory=dict)

    def take_antes(self, seats: Sequence[int], ante: int) -> list[Happening]:
        """Move an ante of each seat into the pool."""
        for seat in seats:
            self.move(seat, -ante)
            self.stakes.append(Stake(seat, ANTE, ante, ante))
        return [Staked(seat, ANTE, ante) for seat in seats]

    def move(self, seat: int, change: int) -> None:
        """Move chips out of the pool to a seat; negative: from the seat into the pool."""
        self.held[seat] += change
        self.pool -= change

    def allow(self, seat: int, chips: int) -> None:
        """Bound what a seat may stake in this round, chips won in it included."""
        self.allowed[seat] = chips

    def staked(self, seat: int) -> int:
        """Return what a seat has staked in this round."""
        return sum(stake.amount for stake in self.stakes if stake.seat == seat)

    def free(self, seat: int) -> int:
        """Return what a seat may still stake: the chips that it holds, unless it is allowed fewer."""
        held = self.held[seat]
        return max(0, min(held, self.allowed[seat] - self.staked(seat))) if seat in self.allowed else held

    def claims(self) -> tuple[Claim, ...]:
        """Return one claim between the pool and each seat that holds more, or less, than it brought."""
        nets = ((seat, self.held[seat] - self.carry[seat]) for seat in self.order)
        return tuple(
            Claim(POT, seat, net, POOL) if net > 0 else Claim(seat, POT, -net, POOL) for seat, net in nets if net
        )

    def seat_view(self, seat: int) -> SeatView:
        """Show chips, stakes and status of a seat."""
        return SeatView(seat, self.held[seat], self.staked(seat), self.status(seat))

    def status(self, seat: int) -> str:
        """Return the status of a seat, a word of the game."""
        raise NotImplementedError
