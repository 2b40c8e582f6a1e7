"""Replay of a table from its log: for a dealer that lost its live table, and for an auditor that checks it.

Both go through the recorded events in order. Where the log records a decision (a round's start, an action, a passed
deadline, a settlement …) the command is taken from the event and run again; the result must be the event
that was recorded, byte for byte. A dealer trusts the log and skips the comparison.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from services.rules.refusals import Refused
from services.table import (
    absence,
    codec,
    commands,
    differences,
    entry_events,
    event_fold,
    event_writer,
    full_table,
    invitations,
    money,
    player_seeds,
    public_table,
    reservations,
    rules_move,
    top_up,
    waiting_line,
)
from services.table import events as ev
from services.table.events import Event
from services.table.full_table import FullTable


class Opened(msgspec.Struct, frozen=True):
    """A round's seed as the holder of a key opened it: the house seed, and its seal for auditors (hex)."""

    house_seed: bytes
    reveal: str


Opener = Callable[[ev.RoundStarted], Opened | None]
"""Opens the seed of a round; None where it may not be opened yet."""


class Difference(msgspec.Struct, frozen=True):
    """A recorded event differs from the rules' result; the texts are short forms of the two values."""

    version: int
    field: str
    expected: str
    found: str


class Sealed(Exception):
    """The running round cannot be replayed: its seed is not revealed before it ends."""


class Replay:
    """Goes through one stream from an event from which a table can be rebuilt.

    ``table`` is the current table; ``dealing`` the chance of the last round, also after it has ended.
    """

    def __init__(self, table_id: str, opener: Opener, *, compare: bool) -> None:
        self.table_id = table_id
        self.opener = opener
        self.compare = compare
        self.table: FullTable | None = None
        self.differences: list[Difference] = []
        self.rounds = 0
        self.dealing: full_table.Dealing | None = None
        self._due: deque[Event] = deque()
        self._text = ""

    def restart(self) -> None:
        """Forget the table; the next event must be one from which it can be rebuilt."""
        self.table = None
        self.rounds = 0
        self._due.clear()

    def take(self, version: int, event: Event, text: str = "") -> None:
        """Replay the next recorded event. Raises Sealed if its round may not be opened.

        ``text`` is the event's recorded data; without it the event is written anew to be compared.
        """
        self._text = text
        if self.table is None:
            self.table = self._begin(version, event)
            return
        if self._due:
            self._compare(version, self._due.popleft(), event)
        elif self.compare and isinstance(event, ev.RoundEnded):
            # A round ends with the event that ended it, in one append; this one follows from nothing.
            self.differences.append(Difference(version, "type", "a round that goes on", codec.name(event)))
        elif self.compare or isinstance(event, ev.RoundStarted | ev.ActionTaken | ev.DeadlinePassed):
            self._again(version, event)
        commands.take(self.table, [event])

    def _begin(self, version: int, event: Event) -> FullTable:
        if isinstance(event, ev.RoundStarted):
            table = full_table.of_core(event_fold.restated(self.table_id, version, event))
            before = event_fold.restated_before(self.table_id, version, event)
            self.table = full_table.of_core(before)
            self._again(version, event)
            again, self.table = self.table, None
            table.round, table.dealing = again.round, again.dealing
            return table
        return full_table.of_core(event_fold.begin(self.table_id, version, event))

    def _again(self, version: int, event: Event) -> None:
        assert self.table is not None, "a replay begins with an event from which a table can be rebuilt"
        try:
            made = self._decide(version, event)
        except Refused as refusal:
            self.differences.append(Difference(version, "", f"refused: {refusal.reason}", codec.name(event)))
            return
        if not made:
            self.differences.append(Difference(version, "", "nothing to record", codec.name(event)))
            return
        self._compare(version, made[0], event)
        self._due.extend(made[1:])

    def _decide(self, version: int, event: Event) -> list[Event]:
        assert self.table is not None, "a replay has a table"
        if isinstance(event, ev.RoundStarted):
            self.rounds += 1
            opened = self.opener(event)
            if opened is None:
                raise Sealed(f"round {event.round_number} has not ended; its seed is sealed")
            made = commands.start_round(self.table, _start(event, opened), event.at_ms)
            self.dealing = self.table.dealing
            return made
        again = _AGAIN.get(type(event))
        return again(self.table, version, event) if again else [event]

    def _compare(self, version: int, expected: Event, found: Event) -> None:
        if not self.compare or codec.encode(expected) == (self._text or codec.encode(found)):
            return
        want = differences.plain(expected)
        have = msgspec.json.decode(self._text) if self._text else differences.plain(found)
        if want == have:
            self.differences.append(
                Difference(
                    version, "spelling", differences.short(codec.encode(expected)), differences.short(self._text)
                )
            )
            return
        if type(expected) is not type(found):
            self.differences.append(Difference(version, "type", codec.name(expected), codec.name(found)))
            return
        field, left, right = differences.first_difference(want, have)
        self.differences.append(Difference(version, field, left, right))


def _unseen(table: FullTable, version: int, event: Event) -> None:
    """Pass an event by."""


def rebuilt(
    table_id: str,
    recorded: Sequence[tuple[int, Event]],
    opener: Opener,
    failed: Callable[[Exception], None],
    seen: Callable[[FullTable, int, Event], None] = _unseen,
) -> Replay:
    """Replay recorded events, the first of which is one from which a table can be rebuilt.

    ``seen`` is called after each event with the table as it then is.
    An ended round need not be replayed: where that fails (its key was lost, its rules were wrong),
    ``failed`` is called and the table comes from the fold alone, without the ended round. Raises what the replay raises
    where the round still runs.
    """
    replay = Replay(table_id, opener, compare=False)
    try:
        for version, event in recorded:
            replay.take(version, event)
            assert replay.table is not None, "a replay has a table after its first event"
            seen(replay.table, version, event)
    except Exception as error:  # whatever it is: the fold says whether the round is needed
        (version, first), *rest = recorded
        core = event_fold.begin(table_id, version, first)
        for _, event in rest:
            event_fold.fold(core, event)
        if core.phase == public_table.IN_ROUND:
            raise
        failed(error)
        replay = Replay(table_id, opener, compare=False)
        replay.table = full_table.of_core(core)
    return replay


def _start(event: ev.RoundStarted, opened: Opened) -> commands.Start:
    return commands.Start(
        round_id=event.round_id,
        started_by=event.started_by,
        house_seed=opened.house_seed,
        reveal=opened.reveal,
        sealed=event.sealed,
        next_seed=event.next_seed,
        unwatched=bool(event.idle_ms),
    )


def _acted(table: FullTable, version: int, event: ev.ActionTaken | ev.ActedBetween) -> list[Event]:
    seed = table.dealing.round_seed if table.dealing else b""
    return commands.act(
        table, event.seat, event_writer.read_action(event.action, seed, version), event.at_ms, recorded=True
    )


def _seated(table: FullTable, version: int, event: ev.SeatTaken) -> list[Event]:
    del version
    seat = event.seat
    chosen = money.choose_seat(
        table.core,
        player=seat.player,
        name=seat.name,
        test=seat.test,
        seat=seat.seat,
        buy_in=seat.chips,
        avatar=seat.avatar if isinstance(seat.avatar, str) else "",
        at_ms=event.at_ms,
    )
    return [ev.SeatTaken(at_ms=event.at_ms, seat=chosen)]


def _leaving(table: FullTable, version: int, event: ev.LeaveAsked) -> list[Event]:
    """Decide a wish to leave; in older logs seats that were not dealt in waited for the end of the round too."""
    del version
    core = table.core
    seat = core.seats.get(event.seat)
    if core.round is not None and seat is not None and not seat.leaving and seat.seat not in core.round.joined:
        return [ev.LeaveAsked(at_ms=event.at_ms, seat=event.seat)]
    return money.leave(core, _player(table, event.seat), event.at_ms)


def _moved(table: FullTable, version: int, event: ev.RulesMoved) -> list[Event]:
    """Decide a move again; what the bets return was found when it was made, by what was known then."""
    del version
    return rules_move.move(
        table.core,
        event.rules_version,
        moved_by=event.moved_by,
        reason=event.reason,
        at_ms=event.at_ms,
        least_return=event.least_return,
    )


def _player(table: FullTable, seat: int) -> str:
    return table.core.seats[seat].player if seat in table.core.seats else ""


_AGAIN: dict[type[Event], Callable[[FullTable, int, Any], list[Event]]] = {
    ev.ActionTaken: _acted,
    ev.ActedBetween: _acted,
    ev.SeatTaken: _seated,
    ev.DeadlinePassed: lambda t, _, e: commands.pass_deadline(t, e.at_ms),
    ev.RoundSettled: lambda t, _, e: money.settle(t.core, e.at_ms),
    ev.RoundVoided: lambda t, _, e: commands.void_round(
        t, e.reason, e.voided_by, e.reveal, e.at_ms, seed_lost=e.seed_lost
    ),
    ev.TableClosed: lambda t, _, e: money.close_again(t.core, e),
    ev.SeedSet: lambda _, __, e: player_seeds.note_seed(e.seat, e.seed, e.at_ms),
    ev.ChipsAdded: lambda t, _, e: money.add_chips(t.core, _player(t, e.seat), e.chips, e.at_ms),
    ev.LeaveAsked: _leaving,
    ev.RulesMoved: _moved,
    ev.SatOut: lambda t, _, e: absence.sit_out(t.core, e.seat, e.at_ms),
    ev.SatIn: lambda t, _, e: absence.sit_in(t.core, e.seat, e.at_ms),
    ev.RemovedForAbsence: lambda t, _, e: money.remove(t.core, e.seat, e.at_ms),
    ev.TopUpSet: lambda t, _, e: top_up.set_level(t.core, e.seat, e.level, e.at_ms),
    ev.WaitingJoined: lambda t, _, e: waiting_line.join(t.core, e.player, e.at_ms, e.until_ms),
    ev.WaitingLeft: lambda t, _, e: waiting_line.leave(t.core, e.player, e.at_ms),
    ev.WaitingEnded: lambda t, _, e: waiting_line.ended(t.core, e.at_ms),
    entry_events.SeatReserved: lambda t, _, e: reservations.reserve(t.core, e.reservation, e.at_ms),
    entry_events.ReservationReleased: lambda t, _, e: reservations.release(t.core, e.seat, e.at_ms),
    entry_events.ReservationsEnded: lambda t, _, e: reservations.ended(t.core, e.at_ms),
    entry_events.InvitationMade: lambda t, _, e: invitations.make(t.core, e.invitation, e.at_ms),
    entry_events.InvitationAccepted: lambda t, _, e: invitations.admit(t.core, e.guest, e.at_ms),
    entry_events.InvitationRevoked: lambda t, _, e: invitations.revoke(t.core, e.invitation_id, e.at_ms),
    ev.SeatLeft: lambda t, _, e: money.leave(t.core, e.player, e.at_ms),
}
"""How the command behind each kind of event is replayed; kinds left out record no decision and must
be written as they would be written now."""
