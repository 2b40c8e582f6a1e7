"""The public state of a table, folded from its log by ``services.table.event_fold``; it needs no key.

``PublicTable`` is what settlement and lists need. Of the running round it holds what everybody may know. The round
itself, hidden cards included, is built by ``services.table.full_table`` for dealers and auditors, who hold the seed.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from services.fairness.scripted import Script
from services.rules import catalogue, chips, table_keys
from services.rules.game import Game, HouseRules, Table
from services.rules.outcomes import Outcome
from services.rules.refusals import Reason, Refused
from services.table.events import (
    Absence,
    NextSeed,
    Opening,
    RoundSettled,
    RoundVoided,
    RulesMoved,
    SeatRecord,
    StockRoot,
    Waiter,
)
from services.table.records import Departure, Invitation, Reservation

OPEN = "open"
IN_ROUND = "in_round"
SETTLING = "settling"
CLOSED = "closed"


class RoundRecord(msgspec.Struct, kw_only=True):
    """The public state of the running (or just ended) round.

    ``allowed``: by its seats' limits at the start; ``actions``: how often each seat has acted. What happens beside the
    round and counts from the next one on: ``added`` chips of its seats, seats that have ``joined`` the table since the
    start, and seats that have ``left`` it without having been in the round.
    """

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
    actions: dict[int, int] = {}
    added: dict[int, int] = {}
    joined: set[int] = set()
    left: list[int] = []


class PublicTable(msgspec.Struct, kw_only=True):
    """The public state of a table at ``version`` of its stream.

    ``allowed``: what seats with a stake limit may stake at most in the coming round, or in the running one;
    ``between``: how many seeds, and actions between rounds, each seat has given since the last start; ``start_ms``:
    when the house starts the next round, 0 where it does not (``schedule``). ``absent``: the seats that sit out;
    ``lapses``: decisions in a row that the clock took for a seat.
    ``idle_ms``: when the house closes the table if nobody uses it until then, 0: never (``idle``).
    ``line``: who waits for a seat (``waiting_line``); ``reserved``: the seats that are kept for a player
    (``reservations``); ``invitations`` by id, and ``guests``: players with the invitation that they used;
    ``departed``: who left lately with chips (``departures``).
    ``time_spent``: what seats have spent of their time banks, in milliseconds; ``bank_ms``: the part of the deadline
    that is the bank of the seat to act (``time_bank``).
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
    between: dict[int, int] = {}
    start_ms: int = 0
    idle_ms: int = 0
    absent: dict[int, Absence] = {}
    lapses: dict[int, int] = {}
    line: tuple[Waiter, ...] = ()
    reserved: dict[int, Reservation] = {}
    invitations: dict[str, Invitation] = {}
    guests: dict[str, str] = {}
    departed: tuple[Departure, ...] = ()
    time_spent: dict[int, int] = {}
    bank_ms: int = 0

    @property
    def due_ms(self) -> int:
        """The moment at which the house acts next: what ``soon_ms`` is of, or the close of an idle table; 0: none."""
        idle_ms = self.idle_ms if self.phase == OPEN else 0
        return min(filter(None, (self.soon_ms, idle_ms)), default=0)

    @property
    def soon_ms(self) -> int:
        """The moment of the next deadline, start, removal or end of a wait; 0 for none."""
        moments = {IN_ROUND: (self.deadline_ms,), OPEN: (self.start_ms, self.removal_ms)}.get(self.phase, ())
        return min(filter(None, (*moments, self.line_ms)), default=0)

    @property
    def removal_ms(self) -> int:
        """The moment at which the first seat has been away for too long; 0 where none will be."""
        return min((one.until_ms for one in self.absent.values() if one.until_ms), default=0)

    @property
    def line_ms(self) -> int:
        """The moment at which the next wait or reservation ends; 0 where there is none."""
        waits = (min(one.until_ms, one.held_until_ms or one.until_ms) for one in self.line)
        return min((*waits, *(one.until_ms for one in self.reserved.values())), default=0)

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

    @property
    def places(self) -> int:
        """The number of seats that the table has at most."""
        return min(self.opening.max_seats or chips.MOST_SEATS, chips.MOST_SEATS)

    def kept(self, now_ms: int) -> dict[int, Reservation]:
        """Return the seats that are kept for a player at a moment."""
        return {seat: one for seat, one in self.reserved.items() if now_ms < one.until_ms}

    def plays(self, seat: int) -> bool:
        """Return whether a seat is in the running round, or in one that is not settled yet."""
        return self.round is not None and seat in self.round.carry

    def added(self, seat: int) -> int:
        """Return the chips that a seat of the running round has added, which count from the next round on."""
        return self.round.added.get(seat, 0) if self.round is not None else 0

    def give(self, seat: int, change: int) -> None:
        """Change what a seat holds, for the fold."""
        held = self.seats[seat]
        assert held.chips + change >= 0, f"seat {seat} holds {held.chips} and would lose {-change}"
        self.seats[seat] = msgspec.structs.replace(held, chips=held.chips + change)

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

    def without_absent(self, found: Table) -> Table:
        """Show a table to the rules without the seats that sit out; a running match keeps its seats."""
        game = game_of(self)
        if not self.absent or game.closed_match(rules_of(self, game.rules_type), found, in_round=False) is not None:
            return found
        return msgspec.structs.replace(
            found,
            chips={seat: held for seat, held in found.chips.items() if seat not in self.absent},
            names={seat: name for seat, name in found.names.items() if seat not in self.absent},
        )

    def at_stake(self) -> Table:
        """Show the table to the rules as a round finds it that starts now: without the seats that sit out.

        No seat has more than it may stake.

        What a seat holds beyond ``chips.MOST_CHIPS`` stays out of the round, so that every round can be paid.
        """
        found = self.without_absent(self.for_rules())
        staked = {seat: min(held, self.allowed.get(seat, held), chips.MOST_CHIPS) for seat, held in found.chips.items()}
        return found if staked == found.chips else msgspec.structs.replace(found, chips=staked)


def game_of(core: PublicTable) -> Game:
    """Return the table's game in the version of its opening. Raises catalogue.UnknownRules."""
    return catalogue.game(core.opening.game, core.opening.version)


def game_and_rules(core: PublicTable) -> tuple[Game, HouseRules]:
    """Return the table's game and its house rules. Raises catalogue.UnknownRules."""
    game = game_of(core)
    return game, rules_of(core, game.rules_type)


def rules_of(core: PublicTable, kind: type[HouseRules]) -> HouseRules:
    """Return the house rules of the table as the game's own type.

    Tables that were opened before the house started rounds are started by their players.
    """
    rules = core.opening.rules
    return msgspec.convert(rules if "start" in rules else {**rules, "start": table_keys.MANUAL}, kind)


def rules_moved(core: PublicTable, event: RulesMoved) -> None:
    """Fold a move: play by the version and its house rules from now on."""
    core.opening = msgspec.structs.replace(
        core.opening, rules_version=event.rules_version, rules=event.rules, least_return=event.least_return
    )
    core.memory = event.memory
    game, rules = game_and_rules(core)
    core.opening = msgspec.structs.replace(core.opening, stake=game.stake(rules))


def require_not_closed(core: PublicTable) -> None:
    """Raise Refused (``TABLE_CLOSED``) at a closed table."""
    if core.phase == CLOSED:
        raise Refused(Reason.TABLE_CLOSED, "this table is closed; open or choose another")
