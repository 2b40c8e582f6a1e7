"""Command handlers (pure): each function takes a table and a command and returns the events that record it.

Time, seeds and seals are arguments. A function that refuses (``Refused``) has changed nothing. One that advances the
round does so in place. The caller folds the events with ``take`` and appends them; if the append fails, the live table
is dropped.
"""

from collections.abc import Collection
from typing import Final

import msgspec

from services.rules import actions, game
from services.rules.refusals import Reason, Refused, invalid
from services.table import (
    action_bound,
    event_fold,
    event_writer,
    events,
    full_table,
    public_table,
    stake_allowance,
    time_bank,
    turn_clock,
)
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.public_table import PublicTable
from services.table.turn_clock import TurnClock

LONGEST_REASON: Final = 200


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A dealer's part of a round: its id, the caller, the opened house seed and its seals, and the next house seed.

    ``unwatched``: the house starts it, and none of the players watches.
    """

    round_id: str
    started_by: str
    house_seed: bytes
    reveal: str
    sealed: str
    next_seed: events.NextSeed
    unwatched: bool = False


def take(table: FullTable, made: list[Event]) -> None:
    """Fold events that were decided on this table into its public state."""
    for event in made:
        full_table.keep_ended(table, event)
        event_fold.fold(table.core, event)
        if isinstance(event, events.RulesMoved):
            full_table.follow_rules(table)
        if isinstance(event, events.LeaveAsked) and table.round is not None:
            table.round.leave_asked(event.seat)
        if isinstance(event, events.StakesAllowed) and table.round is not None:
            _allow(table.round, event.allowed)
    if table.core.phase != public_table.IN_ROUND:
        table.round = None
        table.dealing = None


def start_round(table: FullTable, command: Start, at_ms: int) -> list[Event]:
    """Start a round. Raises Refused (``ROUND_IN_PROGRESS``, ``NOT_ENOUGH_SEATS``).

    Seats are dealt in with their chips, those with a stake limit with what they may stake if that is less.
    """
    core = table.core
    require_open(core)
    dealing = full_table.deal(command.house_seed, command.reveal, core, core.player_seeds, core.script)
    chance = dealing.chance()
    round_, happened = table.game.start(table.rules, core.at_stake(), chance)
    _allow(round_, core.allowed)
    stocks = dealing.after(chance)
    spent = time_bank.after_start(core, round_.carry)
    clock = turn_clock.BEFORE_START.after(core, round_, at_ms, spent)
    started = events.RoundStarted(
        at_ms=at_ms,
        round_id=command.round_id,
        round_number=core.round_number + 1,
        started_by=command.started_by,
        table=event_writer.restate(core),
        house_commitment=core.next_seed.commitment,
        player_seeds=dict(sorted(core.player_seeds.items())),
        sealed=command.sealed,
        next_seed=command.next_seed,
        script=core.script,
        carry=round_.carry,
        button=round_.button,
        stocks=stocks,
        happenings=event_writer.happenings(round_, happened),
        clock=clock.number,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
        allowed=dict(sorted(core.allowed.items())),
        absent=dict(sorted(core.absent.items())),
        lapses=dict(sorted(core.lapses.items())),
        idle_ms=core.idle_ms if command.unwatched else 0,
        time_spent=dict(sorted(core.time_spent.items())),
    )
    table.round, table.dealing = round_, dealing
    return [started, *_ended(table, at_ms)]


def act(table: FullTable, seat: int, action: actions.Action, at_ms: int, *, recorded: bool = False) -> list[Event]:
    """Act for a seat; ``recorded``: an action that the log holds already, whatever bound it was made under.

    Raises Refused as the rules say, between rounds ``ROUND_NOT_OPEN`` or ``NOT_SEATED``; Refused
    (``LIMIT_REACHED``) where the seat would stake more than its player's limit allows, (``ILLEGAL_ACTION``) where it
    may not repeat the action once more.
    """
    core, round_, dealing = table.core, table.round, table.dealing
    if round_ is None or dealing is None:
        if not recorded:
            action_bound.require_room_between(core, seat, Reason.ILLEGAL_ACTION)
        return [_act_between(table, seat, action, at_ms)]
    if core.allowed:
        stake_allowance.verify(table, seat, action)
    else:
        round_.verify(seat, action)
    if not recorded:
        action_bound.verify(table, seat, action)
    secret, spent = round_.secret(action), time_bank.after_action(core, seat, at_ms)
    chance = dealing.chance()
    happened = round_.do(seat, action, chance)
    stocks = dealing.after(chance)
    clock = TurnClock.at(core).after(core, round_, at_ms, spent)
    taken = events.ActionTaken(
        at_ms=at_ms,
        round_number=core.round_number,
        seat=seat,
        action=event_writer.write_action(action, dealing.round_seed, core.version + 1, secret=secret),
        stocks=stocks,
        happenings=event_writer.happenings(round_, happened),
        clock=clock.number,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
    )
    return [taken, *_ended(table, at_ms)]


def allow(core: PublicTable, allowed: dict[int, int], at_ms: int, leaving: Collection[int] = ()) -> list[Event]:
    """Set what seats may stake at most in the coming round or the rest of the running one; no event if unchanged.

    ``leaving``: seats that are freed just before.
    """
    stays = core.seats.keys() - set(leaving)
    assert allowed.keys() <= stays, f"{sorted(allowed)} are not all seats of the table {sorted(stays)}"
    ordered = dict(sorted(allowed.items()))
    stands = {seat: chips for seat, chips in core.allowed.items() if seat in stays}
    return [events.StakesAllowed(at_ms=at_ms, allowed=ordered)] if ordered != stands else []


def pass_deadline(table: FullTable, at_ms: int) -> list[Event]:
    """Pass the current deadline. Raises Refused (``ROUND_NOT_OPEN``) if none is running."""
    core, round_, dealing = table.core, table.round, table.dealing
    if round_ is None or dealing is None or (waiting := round_.waiting()) is None:
        raise Refused(Reason.ROUND_NOT_OPEN, "no deadline runs at this table")
    spent = time_bank.after_deadline(core, waiting.seats)
    chance = dealing.chance()
    passed = core.clock
    happened = round_.on_timeout(chance)
    stocks = dealing.after(chance)
    clock = TurnClock.at(core).after(core, round_, at_ms, spent, restart=True)
    lapsed = events.DeadlinePassed(
        at_ms=at_ms,
        round_number=core.round_number,
        passed=passed,
        stocks=stocks,
        happenings=event_writer.happenings(round_, happened),
        clock=clock.number,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
    )
    return [lapsed, *_ended(table, at_ms)]


def require_reveal(core: PublicTable, round_number: int, reveal: str, *, seed_lost: bool) -> None:
    """Check that a void brings the seed of the round that is open now. Raises Refused (``STALE_VERSION``).

    ``round_number`` is the round that the seed was read for, 0 where none was open. Between rounds there is nothing to
    check: ``void_round`` refuses then.
    """
    if core.phase not in (public_table.IN_ROUND, public_table.SETTLING):
        return
    if round_number != core.round_number:
        seen = f"round {round_number}" if round_number else "no open round"
        raise Refused(
            Reason.STALE_VERSION,
            f"the void was asked for {seen}, but round {core.round_number} is open now; read the table again",
            metadata={"version": core.version},
        )
    if bool(reveal) == seed_lost:
        right = "an empty one where the seed is lost" if seed_lost else "the round's seed, sealed for auditors"
        raise invalid("reveal", f"{len(reveal)} characters; give {right}")


def require_reason(reason: str) -> None:
    """Check the reason that staff state. Raises Refused (``INVALID_ARGUMENT``)."""
    if not 1 <= len(reason) <= LONGEST_REASON or not reason.isprintable():
        message = f"give a reason of 1 to {LONGEST_REASON} printable characters"
        raise invalid("reason", message, characters=(1, LONGEST_REASON))


def void_round(
    table: FullTable | PublicTable, reason: str, voided_by: str, reveal: str, at_ms: int, *, seed_lost: bool = False
) -> list[Event]:
    """Void the running round, or an ended one that is not settled. Needs no hidden card: it works on a broken round."""
    core = table.core if isinstance(table, FullTable) else table
    if core.phase not in (public_table.IN_ROUND, public_table.SETTLING):
        raise Refused(Reason.ROUND_NOT_OPEN, "no round is open at this table, there is nothing to void")
    require_reason(reason)
    return [
        events.RoundVoided(
            at_ms=at_ms,
            round_number=core.round_number,
            reason=reason,
            voided_by=voided_by,
            reveal=reveal,
            seed_lost=seed_lost,
        ),
        *leavers(core, at_ms, {seat.seat: seat.chips for seat in core.seats.values()}),
    ]


def leavers(core: PublicTable, at_ms: int, chips: dict[int, int]) -> list[Event]:
    """Free the seats that asked to leave during the round; ``chips`` are those after it, without added ones."""
    return [
        events.SeatLeft(at_ms=at_ms, seat=seat.seat, player=seat.player, chips=chips[seat.seat] + core.added(seat.seat))
        for seat in sorted(core.seats.values(), key=lambda seat: seat.seat)
        if seat.leaving
    ]


def script_round(core: PublicTable, command: events.RoundScripted) -> list[Event]:
    """Script the chance of the next round. Raises Refused (``SCRIPTED_DECKS_OFF``)."""
    require_open(core)
    if not (core.opening.scripted and core.opening.test):
        raise Refused(
            Reason.SCRIPTED_DECKS_OFF, "this table takes no scripted decks; only test tables of such a house do"
        )
    return [command]


def require_open(core: PublicTable) -> None:
    """Raise Refused unless the table is between rounds."""
    public_table.require_not_closed(core)
    if core.phase != public_table.OPEN:
        message = f"round {core.round_number} is not over; wait until it is settled"
        figures = {"round_number": core.round_number, **({"deadline_ms": core.deadline_ms} if core.deadline_ms else {})}
        raise Refused(Reason.ROUND_IN_PROGRESS, message, metadata=figures)


def _act_between(table: FullTable, seat: int, action: actions.Action, at_ms: int) -> Event:
    core = table.core
    if seat not in core.seats:
        raise Refused(Reason.NOT_SEATED, f"seat {seat} is not taken here", metadata={"table_id": core.table_id})
    if not action.between_rounds and seat not in core.last_carry:
        message = f"seat {seat} was not in the round that is over; no other is open"
        raise Refused(Reason.NOT_SEATED, message, metadata={"seat": seat})
    if core.phase != public_table.OPEN:
        raise Refused(Reason.ROUND_NOT_OPEN, "the round is over and is being settled")
    memory = table.game.between(table.rules, core.for_rules(), seat, action)
    return events.ActedBetween(at_ms=at_ms, seat=seat, action=msgspec.to_builtins(action), memory=memory)


def _allow(round_: game.Round, allowed: dict[int, int]) -> None:
    for seat, chips in allowed.items():
        if seat in round_.carry:
            round_.allow(seat, chips)


def _ended(table: FullTable, at_ms: int) -> list[Event]:
    round_, dealing = table.round, table.dealing
    assert round_ is not None, "a round that ends must have started"
    assert dealing is not None, "a round has its chance"
    if round_.outcome is None:
        assert round_.waiting() is not None, "a round that has not ended waits for something"
        return []
    number = table.core.round_number + (0 if table.core.phase == public_table.IN_ROUND else 1)
    return [events.RoundEnded(at_ms=at_ms, round_number=number, outcome=round_.outcome, reveal=dealing.reveal)]
