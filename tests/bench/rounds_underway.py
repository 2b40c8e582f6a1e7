"""Tables in a round, written straight into a house's log: their first deadline comes at a moment that is chosen."""

import os
import uuid
from typing import Final
from unittest import mock

import msgspec

from services.dealer import vault
from services.dealer.vault import Vault
from services.eventlog import log
from services.eventlog.records import APPENDED, Append
from services.journal import log_rows
from services.localhouse import local_house
from services.rules import catalogue
from services.runtime import settings
from services.table import commands, event_fold, events, full_table
from services.table.events import Event
from services.table.full_table import FullTable
from tests.bench.history import METADATA
from tests.support import served

GAME: Final = "texas_holdem"
SEATS: Final = 3
"""With three seats a deadline folds one hand and ends no round: nothing is to be settled."""
CHIPS: Final = 1000
AT_ONCE: Final = 50


def vault_of(house: local_house.LocalHouse) -> Vault:
    """Return the vault of a house's dealers."""
    with mock.patch.dict(os.environ, house.environment):
        return vault.of_settings(settings.load())


def _opening(turn_seconds: int) -> events.Opening:
    played = catalogue.game(GAME)
    rules = played.rules_type(turn_seconds=turn_seconds)
    return events.Opening(
        game=GAME,
        family=played.family,
        rules_version=played.version,
        rules=msgspec.to_builtins(rules),
        title=GAME,
        currency="CHIPS",
        stake=10,
        max_seats=rules.max_seats,
        least_buy_in=1,
        greatest_buy_in=0,
        test=False,
        scripted=False,
        first_button=None,
        opened_by="bench",
    )


def begun(sealed: Vault, due_ms: int, turn_seconds: int) -> Append:
    """Return the whole stream of a new table whose first deadline is at ``due_ms`` (ms since 1970)."""
    table_id, at_ms = str(uuid.uuid4()), due_ms - 1000 * turn_seconds
    first = events.TableOpened(at_ms=at_ms, opening=_opening(turn_seconds), next_seed=sealed.next_seed(table_id, 1))
    table: FullTable = full_table.of_core(event_fold.opened(table_id, first))
    made: list[Event] = [first]
    for seat in range(SEATS):
        taken = events.SeatRecord(seat=seat, player=f"p{seat}", name=f"p{seat}", test=False, chips=CHIPS)
        sitting: list[Event] = [events.SeatTaken(at_ms=at_ms, seat=taken)]
        commands.take(table, sitting)
        made += sitting
    started = commands.start_round(table, sealed.start(table.core, str(uuid.uuid4()), "p0"), at_ms)
    commands.take(table, started)
    assert table.core.deadline_ms == due_ms, f"the deadline is at {table.core.deadline_ms}, not at {due_ms}"
    one = log_rows.append(table.core, made + started, METADATA, follows=None)
    return msgspec.structs.replace(one, rebuild=len(made))


async def write(house: local_house.LocalHouse, count: int, due_ms: int, turn_seconds: int) -> list[str]:
    """Write so many tables into a house's log; return their ids."""
    sealed, table_ids = vault_of(house), []
    async with await served.connect(house.environment["PITBOSS_DATABASE_URL"]) as conn:
        for at in range(0, count, AT_ONCE):
            batch = [begun(sealed, due_ms, turn_seconds) for _ in range(min(AT_ONCE, count - at))]
            done = await log.append(conn, batch)
            assert all(one.outcome == APPENDED for one in done), "new tables are appended"
            table_ids += [one.stream_id for one in batch]
    return table_ids
