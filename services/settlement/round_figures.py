"""The figures of ended rounds as pure functions of the log, for reports; recorded with the event that ends the round.

``rebuild`` makes them again from the log, to fill in figures that an older version did not record.
"""

import hashlib

import msgspec

from services.database import statements
from services.database.statements import Statement
from services.eventlog import log
from services.journal import log_rows
from services.registry import figures
from services.registry.records import PoolShare, RoundFigures, SeatFigures
from services.runtime.pools import Connection
from services.table import event_fold, events
from services.table.events import Event, SeatRecord
from services.table.public_table import PublicTable, RoundRecord
from services.table.records import SeatSettled

PAGE = 1000
HOUSE_SEAT = -1


class Before(msgspec.Struct, frozen=True):
    """The parts of a table, before the events that end a round, that its figures need."""

    round: RoundRecord | None
    seats: dict[int, SeatRecord]


def before(core: PublicTable) -> Before:
    """Return what the figures need, before events are folded."""
    return Before(core.round, dict(core.seats))


def rounds(at: Before, core: PublicTable, made: list[Event]) -> list[RoundFigures]:
    """Return the figures of the round that these events end; empty where no round ends."""
    ended = [event for event in made if isinstance(event, events.RoundSettled | events.RoundVoided)]
    if not ended or at.round is None:
        return []
    [event] = ended
    if isinstance(event, events.RoundVoided):
        seats = tuple(_untouched(at.seats[seat]) for seat in sorted(at.round.carry))
        return [_round(at.round, core, event, seats)]
    return [_round(at.round, core, event, tuple(_seat(seat) for seat in event.seats))]


def shares(at: Before, core: PublicTable, made: list[Event]) -> list[PoolShare]:
    """Return what a closing table paid out of its pool."""
    return [share for event in made if isinstance(event, events.TableClosed) for share in _shares(at, core, event)]


def _shares(at: Before, core: PublicTable, event: events.TableClosed) -> list[PoolShare]:
    paid = [(seat, at.seats[seat].player, chips) for seat, chips in sorted(event.shares.items())]
    paid += [(HOUSE_SEAT, "", event.to_house)]
    opening = core.opening
    return [
        PoolShare(core.table_id, seat, player, opening.game, opening.currency, opening.test, event.at_ms, chips)
        for seat, player, chips in paid
        if chips
    ]


def _round(
    running: RoundRecord,
    core: PublicTable,
    event: events.RoundSettled | events.RoundVoided,
    seats: tuple[SeatFigures, ...],
) -> RoundFigures:
    opening = core.opening
    posting = event.posting if isinstance(event, events.RoundSettled) else None
    rules = msgspec.json.encode(opening.rules, order="sorted").decode()
    return RoundFigures(
        table_id=core.table_id,
        round=event.round_number,
        round_id=running.round_id,
        game=opening.game,
        family=opening.family,
        configuration=hashlib.sha256(f"{opening.game}\0{opening.version}\0{rules}".encode()).hexdigest()[:32],
        rules_version=opening.version,
        rules=rules,
        currency=opening.currency,
        test=opening.test or running.script is not None,
        started_ms=running.started_ms,
        ended_ms=event.at_ms,
        voided=posting is None,
        staked=sum(seat.staked for seat in seats),
        won=sum(seat.won for seat in seats),
        fee=sum(posting.fees.values()) if posting else 0,
        rake=sum(posting.rake) if posting else 0,
        house=posting.house if posting else 0,
        pot=posting.pot if posting else 0,
        seats=seats,
    )


def _seat(seat: SeatSettled) -> SeatFigures:
    return SeatFigures(seat.seat, seat.player, seat.before, seat.staked, seat.won, seat.fee, seat.after)


def _untouched(seat: SeatRecord) -> SeatFigures:
    return SeatFigures(seat.seat, seat.player, seat.chips, 0, 0, 0, seat.chips)


def statements_of(at: Before, core: PublicTable, made: list[Event]) -> list[Statement]:
    """Return the statements that record the figures of these events."""
    ended = [statement for one in rounds(at, core, made) for statement in figures.round_statements(one)]
    return ended + [figures.share_statement(share) for share in shares(at, core, made)]


async def rebuild(conn: Connection, table_id: str) -> int:
    """Record a table's missing figures from the log; return how many of its rounds have ended."""
    core: PublicTable | None = None
    version = ended = 0
    while page := await log.read(conn, table_id, version, PAGE):
        for one in page:
            event = log_rows.from_stored(one)
            if core is None:
                core = event_fold.begin(table_id, one.version, event)
                continue
            at = before(core)
            event_fold.fold(core, event)
            for statement in statements_of(at, core, [event]):
                await statements.execute(conn, *statement)
            ended += isinstance(event, events.RoundSettled | events.RoundVoided)
        version = page[-1].version
    return ended
