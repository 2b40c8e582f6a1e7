"""Events and happenings of a table as the contract shows them to everybody."""

from collections.abc import Callable
from typing import Any

from pitboss.v1 import table_pb2 as pb

from services.contract import comings, wire_actions, wire_facts, wire_tables, wire_texts
from services.rules import actions, personal
from services.rules.happenings import (
    AnyHappening,
    Dealt,
    Decided,
    Happening,
    Noted,
    Phase,
    Returned,
    Shown,
    Shuffled,
    Staked,
)
from services.rules.personal import Show
from services.table import entry_events, events, idle, rules_move
from services.table.own_cards import Own


def happening(entry: AnyHappening) -> pb.Happening:
    """Write one public fact."""
    return _HAPPENINGS[type(entry)](entry)


def _dealt(entry: Dealt) -> pb.Happening:
    dealt = pb.DealtHappening(
        to=entry.to, zone=entry.zone, stock=entry.stock, positions=entry.positions, cards=entry.cards
    )
    return pb.Happening(dealt=dealt)


def _decided(entry: Decided) -> pb.Happening:
    action = wire_actions.to_wire(entry.action)
    return pb.Happening(decided=pb.DecidedHappening(seat=entry.seat, action=action, name=entry.action.name))


_HAPPENINGS: dict[type[Happening], Callable[[Any], pb.Happening]] = {
    Shuffled: lambda e: pb.Happening(shuffled=pb.ShuffledHappening(stock=e.stock, size=e.size)),
    Dealt: _dealt,
    Shown: lambda e: pb.Happening(shown=pb.ShownHappening(owner=e.owner, zone=e.zone, cards=e.cards)),
    Staked: lambda e: pb.Happening(staked=pb.StakedHappening(seat=e.seat, what=e.what, amount=e.amount)),
    Returned: lambda e: pb.Happening(returned=pb.ReturnedHappening(seat=e.seat, amount=e.amount)),
    Phase: lambda e: pb.Happening(phase=pb.PhaseHappening(name=e.name)),
    Decided: _decided,
    Noted: lambda e: pb.Happening(noted=pb.NotedHappening(what=e.what, seat=e.seat, facts=wire_facts.noted(e))),
}


def texts_in(happened: events.Event) -> list[Any]:
    """Return everything that an event shows and that may be a sealed text of a player."""
    match happened:
        case events.ActedBetween():
            return [happened.action]
        case events.RoundVoided() | events.TableClosed():
            return [happened.reason]
        case _:
            return []


def _seat_of(happened: events.Event) -> int | None:
    """Return the seat that an event is about; None where it is about no single one."""
    match happened:
        case events.SeatTaken():
            return happened.seat.seat
        case entry_events.SeatReserved():
            return happened.reservation.seat
        case _:
            seat: int | None = getattr(happened, "seat", None)
            return seat


def _chips_of(happened: events.Event) -> int | None:
    """Return the chips that come to a seat or go with it; None where none do."""
    match happened:
        case events.SeatTaken():
            return happened.seat.chips
        case events.ChipsAdded() | events.SeatLeft() | events.RemovedForAbsence():
            return happened.chips
        case _:
            return None


def event(
    version: int, kind: str, happened: events.Event, family: str, show: Show = personal.veiled, own: Own | None = None
) -> pb.TableEvent:
    """Write an event of a table of this family as it may be shown to everybody: sealed arguments stay away, seeds too.

    ``show`` opens the texts of players that are sealed; without it they are shown as if they were erased. ``own`` adds
    what one player sees of it: the event is for that player alone.
    """
    shown = pb.TableEvent(
        version=version,
        type=kind,
        event_time=wire_tables.timestamp(happened.at_ms),
        reason_text=wire_texts.text(idle.REASON) if idle.is_own(happened) else None,
        text=wire_texts.text(words) if (words := comings.of_everybody(happened)) is not None else None,
        chips=_chips_of(happened),
        seat=_seat_of(happened),
    )
    match happened:
        case events.ActionTaken() | events.ActedBetween():
            shown.action_name = happened.action["is"]
            if "sealed" not in happened.action:
                given = {name: value for name, value in happened.action.items() if name != "is"}
                given = personal.shown_in(given, show)
                shown.action.CopyFrom(wire_actions.to_wire(actions.build(happened.action["is"], given)))
        case events.RoundVoided() | events.TableClosed():
            shown.reason = show(happened.reason)
        case events.RulesMoved():
            shown.reason = happened.reason
            shown.text.CopyFrom(wire_texts.text(rules_move.text(happened)))
        case events.RoundSettled():
            shown.result.CopyFrom(wire_tables.result(happened, family, {}))
        case _:
            pass
    if isinstance(happened, events.RoundStarted | events.ActionTaken | events.DeadlinePassed):
        shown.happenings.extend(happening(entry) for entry in happened.happenings)
    if own is not None:
        _add_own(shown, own)
    return shown


def _add_own(shown: pb.TableEvent, own: Own) -> None:
    for place, cards in own.cards.items():
        shown.happenings[place].dealt.cards[:] = cards
    if own.action is not None:
        shown.action.CopyFrom(wire_actions.to_wire(own.action))
