"""A table as its log tells it, without any key: the fold of its events.

``Core`` is what settlement and lists need. It knows of the running round what everybody may know; the round itself,
hidden cards included, is built by ``services.table.live`` for dealers and auditors, who hold the seed.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from services.fairness.scripted import Script
from services.rules import catalogue
from services.rules.game import HouseRules, Table
from services.rules.outcomes import Outcome
from services.table import events
from services.table.events import Event, NextSeed, Opening, RoundSettled, RoundVoided, SeatRecord, StockRoot

OPEN = "open"
IN_ROUND = "in_round"
SETTLING = "settling"
CLOSED = "closed"


class RoundRecord(msgspec.Struct, kw_only=True):
    """What everybody may know of the running (or just ended) round; ``allowed``: by its seats' limits at the start."""

    round_id: str
    round_number: int
    started_version: int
    house_commitment: str
    player_seeds: dict[int, str]
    sealed: str
    script: Script | None
    carry: dict[int, int]
    button: int | None
    stocks: list[StockRoot]
    outcome: Outcome | None = None
    started_ms: int = 0
    allowed: dict[int, int] = {}


class Core(msgspec.Struct, kw_only=True):
    """The public state of a table at ``version`` of its stream.

    ``allowed``: what seats with a stake limit may stake at most in the coming round, or in the running one.
    """

    table_id: str
    version: int
    opening: Opening
    next_seed: NextSeed
    phase: str = OPEN
    seats: dict[int, SeatRecord] = {}
    button: int | None = None
    pot: int = 0
    memory: dict[str, Any] = {}
    round_number: int = 0
    player_seeds: dict[int, str] = {}
    script: Script | None = None
    round: RoundRecord | None = None
    clock: int = 0
    deadline_ms: int = 0
    ended_ms: int = 0
    settled: RoundSettled | None = None
    voided: RoundVoided | None = None
    last_names: dict[int, str] = {}
    allowed: dict[int, int] = {}

    @property
    def last(self) -> RoundSettled | RoundVoided | None:
        """How the last round ended; None before the first has."""
        return self.settled or self.voided

    @property
    def last_carry(self) -> Collection[int]:
        """The seats of the round that ended last, settled or not; before the first round all taken seats."""
        if self.round is not None:
            return self.round.carry
        if self.settled is not None:
            return {seat.seat for seat in self.settled.seats}
        return self.seats

    def seat_of(self, player: str) -> SeatRecord | None:
        """Find a player's seat."""
        return next((seat for seat in self.seats.values() if seat.player == player), None)

    def for_rules(self) -> Table:
        """Show the table to the rules, as a round would find it now."""
        ordered = sorted(self.seats)
        return Table(
            chips={seat: self.seats[seat].chips for seat in ordered},
            names={seat: self.seats[seat].name for seat in ordered},
            button=self.button,
            first_button=self.opening.first_button,
            pot=self.pot,
            memory=self.memory,
            round_number=self.round_number + 1,
        )

    def at_stake(self) -> Table:
        """Show the table to the rules as a round finds it that starts now: no seat with more than it may stake."""
        found = self.for_rules()
        if not self.allowed:
            return found
        chips = {seat: min(held, self.allowed.get(seat, held)) for seat, held in found.chips.items()}
        return msgspec.structs.replace(found, chips=chips)


def opened(table_id: str, event: events.TableOpened) -> Core:
    """Begin the fold with the event that opened the table."""
    return Core(table_id=table_id, version=1, opening=event.opening, next_seed=event.next_seed)


def restated_before(table_id: str, version: int, event: events.RoundStarted) -> Core:
    """Give the table as a round's start found it, from what that event restates."""
    at = event.table
    return Core(
        table_id=table_id,
        version=version - 1,
        opening=at.opening,
        next_seed=NextSeed(commitment=event.house_commitment, sealed=event.sealed),
        seats={seat.seat: seat for seat in at.seats},
        button=at.button,
        pot=at.pot,
        memory=at.memory,
        round_number=event.round_number - 1,
        player_seeds=dict(event.player_seeds),
        script=event.script,
        allowed=dict(event.allowed),
    )


def restated(table_id: str, version: int, event: events.RoundStarted) -> Core:
    """Begin the fold with a round's start, which restates the table; gives the state after that event."""
    core = restated_before(table_id, version, event)
    fold(core, event)
    return core


def begin(table_id: str, version: int, event: Event) -> Core:
    """Begin the fold with an event from which a table can be rebuilt."""
    if isinstance(event, events.TableOpened):
        assert version == 1, f"table {table_id} was opened at version {version}"
        return opened(table_id, event)
    assert isinstance(event, events.RoundStarted), f"a table cannot be rebuilt from {type(event).__name__}"
    return restated(table_id, version, event)


def rules_of(core: Core, kind: type[HouseRules]) -> HouseRules:
    """Give the house rules of the table as the game's own type."""
    return msgspec.convert(core.opening.rules, kind)


def fold(core: Core, event: Event) -> None:
    """Take one event into the state; the state is at the event's version afterwards."""
    core.version += 1
    _FOLDS[type(event)](core, event)


def _seat_taken(core: Core, event: events.SeatTaken) -> None:
    assert event.seat.seat not in core.seats, f"seat {event.seat.seat} is taken twice"
    core.seats[event.seat.seat] = event.seat


def _chips_added(core: Core, event: events.ChipsAdded) -> None:
    _give(core, event.seat, event.chips)


def _leave_asked(core: Core, event: events.LeaveAsked) -> None:
    core.seats[event.seat] = msgspec.structs.replace(core.seats[event.seat], leaving=True)


def _seat_left(core: Core, event: events.SeatLeft) -> None:
    left = core.seats.pop(event.seat)
    assert left.chips == event.chips, f"seat {event.seat} held {left.chips} and left with {event.chips}"
    core.player_seeds.pop(event.seat, None)
    core.allowed.pop(event.seat, None)
    core.memory = catalogue.game(core.opening.game).left(core.memory, event.seat)


def _seed_set(core: Core, event: events.SeedSet) -> None:
    core.player_seeds[event.seat] = event.seed


def _acted_between(core: Core, event: events.ActedBetween) -> None:
    core.memory = event.memory


def _pot_funded(core: Core, event: events.PotFunded) -> None:
    core.pot += event.chips


def _round_scripted(core: Core, event: events.RoundScripted) -> None:
    core.script = event.script
    if event.memory is not None:
        core.memory = event.memory


def _stakes_allowed(core: Core, event: events.StakesAllowed) -> None:
    core.allowed = dict(event.allowed)


def _round_started(core: Core, event: events.RoundStarted) -> None:
    core.phase = IN_ROUND
    core.round_number = event.round_number
    core.round = RoundRecord(
        round_id=event.round_id,
        round_number=event.round_number,
        started_version=core.version,
        house_commitment=event.house_commitment,
        player_seeds=event.player_seeds,
        sealed=event.sealed,
        script=event.script,
        carry=event.carry,
        button=event.button,
        stocks=list(event.stocks),
        started_ms=event.at_ms,
        allowed=event.allowed,
    )
    core.next_seed = event.next_seed
    core.player_seeds = {}
    core.script = None
    core.clock, core.deadline_ms = event.clock, event.deadline_ms


def _moved(core: Core, event: events.ActionTaken | events.DeadlinePassed) -> None:
    assert core.round is not None, "a move without a round"
    core.round.stocks.extend(event.stocks)
    core.clock, core.deadline_ms = event.clock, event.deadline_ms


def _round_ended(core: Core, event: events.RoundEnded) -> None:
    assert core.round is not None, "a round ended that had not started"
    core.phase = SETTLING
    core.round.outcome = event.outcome
    core.ended_ms = event.at_ms
    core.deadline_ms = 0


def _round_settled(core: Core, event: events.RoundSettled) -> None:
    assert core.phase == SETTLING, f"a round was settled while the table was {core.phase}"
    core.last_names = {seat.seat: seat.name for seat in core.seats.values()}
    for seat, change in event.posting.net.items():
        _give(core, seat, change)
    core.pot += event.posting.pot
    if event.outcome.counts and event.outcome.button is not None:
        core.button = event.outcome.button
    core.memory = event.outcome.memory
    core.settled, core.voided = event, None
    _round_over(core)


def _round_voided(core: Core, event: events.RoundVoided) -> None:
    core.last_names = {seat.seat: seat.name for seat in core.seats.values()}
    core.settled, core.voided = None, event
    _round_over(core)


def _round_over(core: Core) -> None:
    core.round = None
    core.phase = OPEN
    core.deadline_ms = 0
    core.allowed = {}


def _table_closed(core: Core, event: events.TableClosed) -> None:
    for seat, part in event.shares.items():
        _give(core, seat, part)
        core.pot -= part
    core.pot -= event.to_house
    core.phase = CLOSED


def _give(core: Core, seat: int, change: int) -> None:
    held = core.seats[seat]
    assert held.chips + change >= 0, f"seat {seat} holds {held.chips} and would lose {-change}"
    core.seats[seat] = msgspec.structs.replace(held, chips=held.chips + change)


_FOLDS: dict[type[Event], Any] = {
    events.SeatTaken: _seat_taken,
    events.ChipsAdded: _chips_added,
    events.LeaveAsked: _leave_asked,
    events.SeatLeft: _seat_left,
    events.SeedSet: _seed_set,
    events.ActedBetween: _acted_between,
    events.PotFunded: _pot_funded,
    events.RoundScripted: _round_scripted,
    events.StakesAllowed: _stakes_allowed,
    events.RoundStarted: _round_started,
    events.ActionTaken: _moved,
    events.DeadlinePassed: _moved,
    events.RoundEnded: _round_ended,
    events.RoundSettled: _round_settled,
    events.RoundVoided: _round_voided,
    events.TableClosed: _table_closed,
}
