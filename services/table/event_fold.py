"""The fold: how each event of a table's log changes its core, and with which events a fold can begin."""

from typing import Any

import msgspec

from services.table import (
    absence,
    departures,
    entry_events,
    events,
    idle,
    invitations,
    public_table,
    reservations,
    schedule,
    time_bank,
    top_up,
    waiting_line,
)
from services.table.events import Event, NextSeed
from services.table.public_table import PublicTable


def opened(table_id: str, event: events.TableOpened) -> PublicTable:
    """Begin the fold with the event that opened the table."""
    core = PublicTable(table_id=table_id, version=1, opening=event.opening, next_seed=event.next_seed)
    core.idle_ms = idle.close_ms(core, event)
    return core


def restated_before(table_id: str, version: int, event: events.RoundStarted) -> PublicTable:
    """Return the table before a round's start, from what that event restates."""
    at = event.table
    return PublicTable(
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
        absent=dict(event.absent),
        lapses=dict(event.lapses),
        line=at.line,
        reserved={one.seat: one for one in at.reserved},
        idle_ms=event.idle_ms,
        invitations={one.invitation_id: one for one in at.invitations},
        guests={one.player: one.invitation_id for one in at.guests},
        departed=at.departed,
        time_spent=dict(event.time_spent),
    )


def restated(table_id: str, version: int, event: events.RoundStarted) -> PublicTable:
    """Begin the fold with a round's start, which restates the table. Returns the state after that event."""
    core = restated_before(table_id, version, event)
    fold(core, event)
    return core


def begin(table_id: str, version: int, event: Event) -> PublicTable:
    """Begin the fold with an event from which a table can be rebuilt."""
    if isinstance(event, events.TableOpened):
        assert version == 1, f"table {table_id} was opened at version {version}"
        return opened(table_id, event)
    assert isinstance(event, events.RoundStarted), f"a table cannot be rebuilt from {type(event).__name__}"
    return restated(table_id, version, event)


def fold(core: PublicTable, event: Event) -> None:
    """Apply one event to the state; the state is at the event's version afterwards."""
    core.version += 1
    waiting_line.advance(core, event.at_ms)
    _FOLDS[type(event)](core, event)
    core.start_ms = schedule.start_ms(core, event)
    core.idle_ms = idle.close_ms(core, event)
    waiting_line.hold(core, event.at_ms)


def _seat_taken(core: PublicTable, event: events.SeatTaken) -> None:
    assert event.seat.seat not in core.seats, f"seat {event.seat.seat} is taken twice"
    core.seats[event.seat.seat] = event.seat
    waiting_line.remove(core, event.seat.player)
    reservations.remove(core, event.seat.seat, event.seat.player)
    core.departed = departures.after_return(core, event.seat.player, event.at_ms)
    if core.round is not None:
        core.round.joined.add(event.seat.seat)


def _chips_added(core: PublicTable, event: events.ChipsAdded) -> None:
    top_up.chips_came(core, event.seat)
    if core.round is None or event.seat not in core.round.carry:
        core.give(event.seat, event.chips)
        return
    assert event.chips > 0, f"seat {event.seat} adds {event.chips} chips"
    core.round.added[event.seat] = core.added(event.seat) + event.chips


def _leave_asked(core: PublicTable, event: events.LeaveAsked) -> None:
    core.seats[event.seat] = msgspec.structs.replace(core.seats[event.seat], leaving=True)


def _seat_left(core: PublicTable, event: events.SeatLeft) -> None:
    assert not core.plays(event.seat), f"seat {event.seat} left while its round was open"
    left = core.seats.pop(event.seat)
    assert left.chips == event.chips, f"seat {event.seat} held {left.chips} and left with {event.chips}"
    core.departed = departures.after_leaving(core, left, event.at_ms)
    core.time_spent.pop(event.seat, None)
    core.player_seeds.pop(event.seat, None)
    core.allowed.pop(event.seat, None)
    core.between.pop(event.seat, None)
    core.absent.pop(event.seat, None)
    core.lapses.pop(event.seat, None)
    core.memory = public_table.game_of(core).left(core.memory, event.seat)
    if core.round is not None:
        core.round.joined.discard(event.seat)
        core.round.left.append(event.seat)


def _removed(core: PublicTable, event: events.RemovedForAbsence) -> None:
    _seat_left(core, events.SeatLeft(at_ms=event.at_ms, seat=event.seat, player=event.player, chips=event.chips))


def _sat_out(core: PublicTable, event: events.SatOut) -> None:
    assert event.seat in core.seats, f"seat {event.seat} sits out and is not taken"
    core.absent[event.seat] = absence.begun(core, event.at_ms)
    core.lapses.pop(event.seat, None)


def _sat_in(core: PublicTable, event: events.SatIn) -> None:
    core.absent.pop(event.seat)
    core.lapses.pop(event.seat, None)


def _seed_set(core: PublicTable, event: events.SeedSet) -> None:
    core.player_seeds[event.seat] = event.seed
    _count(core.between, event.seat)


def _acted_between(core: PublicTable, event: events.ActedBetween) -> None:
    core.memory = event.memory
    _count(core.between, event.seat)


def _pot_funded(core: PublicTable, event: events.PotFunded) -> None:
    core.pot += event.chips


def _round_scripted(core: PublicTable, event: events.RoundScripted) -> None:
    core.script = event.script
    if event.memory is not None:
        core.memory = event.memory


def _stakes_allowed(core: PublicTable, event: events.StakesAllowed) -> None:
    core.allowed = dict(event.allowed)


def _round_started(core: PublicTable, event: events.RoundStarted) -> None:
    core.phase = public_table.IN_ROUND
    core.round_number = event.round_number
    core.round = public_table.RoundRecord(
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
    core.absent = {
        seat: one if seat in event.carry else absence.after_start(core, one, event.at_ms)
        for seat, one in core.absent.items()
    }
    core.next_seed = event.next_seed
    core.player_seeds = {}
    core.between = {}
    core.script = None
    core.time_spent = time_bank.after_start(core, event.carry)
    core.clock, core.deadline_ms, core.bank_ms = event.clock, event.deadline_ms, event.bank_ms


def _moved(core: PublicTable, event: events.ActionTaken | events.DeadlinePassed) -> None:
    assert core.round is not None, "a move without a round"
    core.round.stocks.extend(event.stocks)
    if isinstance(event, events.ActionTaken):
        _count(core.round.actions, event.seat)
        core.lapses.pop(event.seat, None)
        if event.deadline_ms != core.deadline_ms:
            core.time_spent = time_bank.after_action(core, event.seat, event.at_ms)
    else:
        lapsed = absence.lapsed(event.happenings)
        core.time_spent = time_bank.after_deadline(core, lapsed)
        for seat in lapsed if absence.is_counted(core) else ():
            _count(core.lapses, seat)
    core.clock, core.deadline_ms, core.bank_ms = event.clock, event.deadline_ms, event.bank_ms


def _round_ended(core: PublicTable, event: events.RoundEnded) -> None:
    assert core.round is not None, "a round ended that had not started"
    core.phase = public_table.SETTLING
    core.round.outcome = event.outcome
    core.ended_ms = event.at_ms
    core.deadline_ms = core.bank_ms = 0


def _round_settled(core: PublicTable, event: events.RoundSettled) -> None:
    assert core.phase == public_table.SETTLING, f"a round was settled while the table was {core.phase}"
    assert core.round is not None, "a round was settled that had not started"
    for seat, change in event.posting.net.items():
        core.give(seat, change)
    core.pot += event.posting.pot
    if event.outcome.counts and event.outcome.button is not None:
        core.button = event.outcome.button
    core.memory = event.outcome.memory
    for seat in core.round.left:
        # The round's memory comes from its start; it does not know who has left the table since.
        core.memory = public_table.game_of(core).left(core.memory, seat)
    core.settled, core.voided = event, None
    _round_over(core)


def _round_voided(core: PublicTable, event: events.RoundVoided) -> None:
    core.settled, core.voided = None, event
    _round_over(core)


def _round_over(core: PublicTable) -> None:
    assert core.round is not None, "a round is over that had not started"
    core.last_names = {seat: core.seats[seat].name for seat in core.round.carry}
    for seat, chips in core.round.added.items():
        core.give(seat, chips)
    core.round = None
    core.phase = public_table.OPEN
    core.deadline_ms = core.bank_ms = 0
    core.allowed = {}


def _table_closed(core: PublicTable, event: events.TableClosed) -> None:
    for seat, part in event.shares.items():
        core.give(seat, part)
        core.pot -= part
    core.pot -= event.to_house
    core.phase = public_table.CLOSED
    core.line, core.reserved, core.invitations = (), {}, {}


def _count(counts: dict[int, int], seat: int) -> None:
    counts[seat] = counts.get(seat, 0) + 1


_FOLDS: dict[type[Event], Any] = {
    events.SeatTaken: _seat_taken,
    events.ChipsAdded: _chips_added,
    events.LeaveAsked: _leave_asked,
    events.SeatLeft: _seat_left,
    events.SatOut: _sat_out,
    events.SatIn: _sat_in,
    events.RemovedForAbsence: _removed,
    events.TopUpSet: top_up.was_set,
    events.TopUpFailed: top_up.has_failed,
    events.WaitingJoined: waiting_line.joined,
    events.WaitingLeft: waiting_line.left,
    events.WaitingEnded: waiting_line.over,
    entry_events.SeatReserved: reservations.made,
    entry_events.ReservationReleased: reservations.released,
    entry_events.ReservationsEnded: reservations.over,
    entry_events.InvitationMade: invitations.made,
    entry_events.InvitationAccepted: invitations.accepted,
    entry_events.InvitationRevoked: invitations.revoked,
    events.SeedSet: _seed_set,
    events.ActedBetween: _acted_between,
    events.PotFunded: _pot_funded,
    events.RoundScripted: _round_scripted,
    events.RulesMoved: public_table.rules_moved,
    events.StakesAllowed: _stakes_allowed,
    events.RoundStarted: _round_started,
    events.ActionTaken: _moved,
    events.DeadlinePassed: _moved,
    events.RoundEnded: _round_ended,
    events.RoundSettled: _round_settled,
    events.RoundVoided: _round_voided,
    events.TableClosed: _table_closed,
}
