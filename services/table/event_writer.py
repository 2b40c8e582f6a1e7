"""How what was decided is written down for the log: actions, their secrets sealed, happenings, the table itself."""

from typing import Any

import msgspec

from services.fairness import seal
from services.rules import actions, game
from services.rules.happenings import AnyHappening, Decided, Happening, Noted
from services.table import records
from services.table.public_table import PublicTable
from services.table.records import Guest


def restate(core: PublicTable) -> records.TableAtStart:
    """Write a table down whole, as a round's start does."""
    return records.TableAtStart(
        opening=core.opening,
        seats=tuple(core.seats[seat] for seat in sorted(core.seats)),
        button=core.button,
        pot=core.pot,
        memory=core.memory,
        line=core.line,
        reserved=tuple(core.reserved[seat] for seat in sorted(core.reserved)),
        invitations=tuple(core.invitations.values()),
        guests=tuple(Guest(player=who, invitation_id=by) for who, by in core.guests.items()),
        departed=core.departed,
    )


def happenings(round_: game.Round, happened: list[Happening]) -> tuple[AnyHappening, ...]:
    """Put happenings on record; of a decision with secret arguments only its name (replay finds the rest again)."""
    return tuple(
        Noted(what="decided", seat=entry.seat, facts={"action": entry.action.name})
        if isinstance(entry, Decided) and round_.secret(entry.action)
        else entry  # type: ignore[misc]  # the union lists every kind of happening there is
        for entry in happened
    )


def write_action(action: actions.Action, round_seed: bytes, version: int, *, secret: bool) -> dict[str, Any]:
    """Write an action for the log; secret arguments are sealed under the round's seed and the event's version."""
    if not secret:
        found: dict[str, Any] = msgspec.to_builtins(action)
        return found
    plain = msgspec.json.encode(actions.arguments(action))
    return {"is": action.name, "sealed": seal.seal_action(round_seed, version, plain).hex()}


def read_action(recorded: dict[str, Any], round_seed: bytes, version: int) -> actions.Action:
    """Read an action of the log, opening sealed arguments with the round's seed."""
    if "sealed" not in recorded:
        return actions.build(recorded["is"], {key: value for key, value in recorded.items() if key != "is"})
    plain = seal.open_action(round_seed, version, bytes.fromhex(recorded["sealed"]))
    return actions.build(recorded["is"], msgspec.json.decode(plain))
