"""Everything that can happen at a table, as the log records it.

An event's ``data`` is JSON of the fields below, in their order; its type and schema number stand beside it. Nothing
hidden is in an event in clear: dealing says positions, secret arguments of actions are sealed, seeds are sealed until
they are revealed to auditors. Times are milliseconds since 1970 by the clock of the process that decided.
"""

from typing import Any, Final

import msgspec

from services.fairness.scripted import Script
from services.house.settlement import Posting
from services.rules.happenings import AnyHappening
from services.rules.outcomes import Outcome
from services.table import entry_events
from services.table.entry_events import WaitingEnded, WaitingJoined, WaitingLeft
from services.table.records import (
    Absence,
    Event,
    NextSeed,
    Opening,
    SeatRecord,
    SeatSettled,
    StockRoot,
    TableAtStart,
    TopUp,
    Waiter,
)

__all__ = [
    "Absence",
    "Event",
    "NextSeed",
    "Opening",
    "SeatRecord",
    "StockRoot",
    "TableAtStart",
    "TopUp",
    "Waiter",
    "WaitingEnded",
    "WaitingJoined",
    "WaitingLeft",
]


class TableOpened(Event, frozen=True):
    """A table was opened."""

    opening: Opening
    next_seed: NextSeed


class SeatTaken(Event, frozen=True):
    """A player took a seat with chips from its wallet."""

    seat: SeatRecord


class ChipsAdded(Event, frozen=True):
    """Chips came from the wallet to a taken seat."""

    seat: int
    chips: int


class LeaveAsked(Event, frozen=True):
    """A seat of a running round asked to leave; it stays until the round is settled."""

    seat: int


class SeatLeft(Event, frozen=True):
    """A seat was freed; its chips went back to the wallet."""

    seat: int
    player: str
    chips: int


class SatOut(Event, frozen=True):
    """A seat sits out from the next round on; ``by_clock``: because the clock took its last decisions."""

    seat: int
    by_clock: bool


class SatIn(Event, frozen=True):
    """A seat that sat out is dealt in again from the next round on."""

    seat: int


class RemovedForAbsence(Event, frozen=True):
    """A seat that sat out for too long was freed; its chips went back to the wallet."""

    seat: int
    player: str
    chips: int


class TopUpSet(Event, frozen=True):
    """A seat is to be topped up to a level before each round; 0: no longer."""

    seat: int
    level: int


class TopUpFailed(Event, frozen=True):
    """A seat could not be topped up, for a reason of the closed list; no chip has moved."""

    seat: int
    reason: str


class SeedSet(Event, frozen=True):
    """A player gave its seed for the next round; ``seed`` is the digest of its text, in older logs the text itself."""

    seat: int
    seed: str


class ActedBetween(Event, frozen=True):
    """A seat acted between rounds; ``memory`` is what the game carries from now on."""

    seat: int
    action: dict[str, Any]
    memory: dict[str, Any]


class PotFunded(Event, frozen=True):
    """The house put chips into the carried pool of a test table."""

    chips: int


class RoundScripted(Event, frozen=True):
    """The chance of the next round was scripted: the round is permanently marked as a test."""

    script: Script
    memory: dict[str, Any] | None


class RulesMoved(Event, frozen=True):
    """An operator moved the table to another version of its game's rules, from the next round on.

    ``was``: the version before; ``rules``: the house rules under the new one; ``memory``: what the game carries;
    ``least_return``: as in the opening.
    """

    rules_version: int
    was: int
    rules: dict[str, Any]
    memory: dict[str, Any]
    least_return: str
    moved_by: str
    reason: str


class StakesAllowed(Event, frozen=True):
    """The most that seats with a stake limit may stake, in chips; other seats may stake all they have.

    Between rounds it is said of the coming one, else of the running one; it is over with the round.
    """

    allowed: dict[int, int]


class RoundStarted(Event, frozen=True, omit_defaults=True):
    """A round was started.

    ``sealed`` holds the house's seed for dealers; ``house_commitment`` was in the log before ``player_seeds`` closed.
    ``carry`` lists the seats in the round with their chips, as far as they may be staked. ``deadline_ms`` belongs to
    clock number ``clock``. ``allowed`` restates the last ``StakesAllowed``; it is left out where nobody has a limit.
    ``absent`` and ``lapses`` restate which seats sit out, and how many decisions in a row the clock took for a seat.
    ``idle_ms`` restates when the idle table closes, where no player watched this start: it is no use of the table.
    ``time_spent`` restates what seats had spent of their time banks, in milliseconds. The last ``bank_ms`` before the
    deadline are the time bank of the seat to act; so in all events with a deadline.
    """

    round_id: str
    round_number: int
    started_by: str
    table: TableAtStart
    house_commitment: str
    player_seeds: dict[int, str]
    sealed: str
    next_seed: NextSeed
    script: Script | None
    carry: dict[int, int]
    button: int | None
    stocks: tuple[StockRoot, ...]
    happenings: tuple[AnyHappening, ...]
    clock: int
    deadline_ms: int
    allowed: dict[int, int] = msgspec.field(default_factory=dict)
    absent: dict[int, Absence] = msgspec.field(default_factory=dict)
    lapses: dict[int, int] = msgspec.field(default_factory=dict)
    idle_ms: int = 0
    time_spent: dict[int, int] = msgspec.field(default_factory=dict)
    bank_ms: int = 0


class ActionTaken(Event, frozen=True, omit_defaults=True):
    """A seat acted; ``action`` holds its name and arguments, or its name and ``sealed`` arguments (hex)."""

    round_number: int
    seat: int
    action: dict[str, Any]
    stocks: tuple[StockRoot, ...]
    happenings: tuple[AnyHappening, ...]
    clock: int
    deadline_ms: int
    bank_ms: int = 0


class DeadlinePassed(Event, frozen=True, omit_defaults=True):
    """The deadline of clock number ``passed`` passed; the happenings hold what the system decided."""

    round_number: int
    passed: int
    stocks: tuple[StockRoot, ...]
    happenings: tuple[AnyHappening, ...]
    clock: int
    deadline_ms: int
    bank_ms: int = 0


class RoundEnded(Event, frozen=True):
    """A round came to its end; claims wait for settlement. ``reveal`` is the house's seed, sealed for auditors."""

    round_number: int
    outcome: Outcome
    reveal: str


class RoundSettled(Event, frozen=True):
    """A round's chips were posted; ``outcome`` is completed with what depends on them."""

    round_number: int
    posting: Posting
    outcome: Outcome
    seats: tuple[SeatSettled, ...]


class RoundVoided(Event, frozen=True, omit_defaults=True):
    """A round was voided: every seat holds what it held at the start, nothing of it counts.

    ``reveal`` is the house's seed, sealed for auditors; it is empty where ``seed_lost``: the key to it is gone.
    """

    round_number: int
    reason: str
    voided_by: str
    reveal: str
    seed_lost: bool = False


class TableClosed(Event, frozen=True):
    """A table was closed; ``shares`` of the carried pool went to seats before they were paid out.

    ``to_house`` is a pool that nobody was left to share.
    """

    reason: str
    closed_by: str
    shares: dict[int, int]
    to_house: int = 0


_KINDS: Final[tuple[type[Event], ...]] = (
    TableOpened,
    SeatTaken,
    ChipsAdded,
    LeaveAsked,
    SeatLeft,
    SatOut,
    SatIn,
    RemovedForAbsence,
    TopUpSet,
    TopUpFailed,
    *entry_events.KINDS,
    SeedSet,
    ActedBetween,
    PotFunded,
    RoundScripted,
    RulesMoved,
    StakesAllowed,
    RoundStarted,
    ActionTaken,
    DeadlinePassed,
    RoundEnded,
    RoundSettled,
    RoundVoided,
    TableClosed,
)

TYPES: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in _KINDS}
"""The class of each event type; the names in the log are these keys and never change, even if a class is renamed."""
