"""The objects that the dealer's methods work with, assembled once per process."""

from typing import Any, TypeVar

import msgspec
from google.protobuf.message import Message
from pitboss.v1 import settlement_pb2

from services.commands.runner import Command
from services.database import retry
from services.dealer.admission import AdmissionPolicy, ClearedSeats
from services.dealer.cashier import Cashier
from services.dealer.commands import Commands
from services.dealer.feeds import Feeds
from services.dealer.lobby_feeds import LobbyFeeds
from services.dealer.presence import Presence
from services.dealer.seat_wait_feed import SeatWaits
from services.dealer.tables import Tables
from services.dealer.vault import Vault
from services.eventlog.log import Appender
from services.fairness import seal
from services.journal import log_rows
from services.livestate.store import LiveState
from services.privacy.keys import PlayerKeys
from services.privacy.names import Names
from services.runtime import logs, metrics
from services.runtime.clock import NowMs
from services.runtime.pools import Pool
from services.runtime.settings import Settings
from services.table import public_table
from services.table.events import Event, RoundEnded, RoundStarted
from services.table.full_table import FullTable

log = logs.get("dealer")

Answer = TypeVar("Answer", bound=Message)


class DealerContext(msgspec.Struct, kw_only=True):
    """The context of one dealer process: its stores, its tables and its client of settlement."""

    settings: Settings
    pool: Pool
    appender: Appender
    live: LiveState
    vault: Vault
    tables: Tables
    commands: Commands
    feeds: Feeds
    presence: Presence
    lobbies: LobbyFeeds
    waits: SeatWaits
    cashier: Cashier
    admission: AdmissionPolicy
    keys: PlayerKeys
    names: Names
    now_ms: NowMs
    process: str = "dealer"

    async def refresh(self, table_id: str, version: int | None = None) -> None:
        """Catch a table up after settlement has appended to it, and notify its watchers.

        ``version`` is the version that settlement returned; a table that has it already is left alone.
        """
        try:
            async with self.tables.checkout(table_id, fresh=False) as held:
                if version is None or held.table.core.version < version:
                    await held.catch_up()
                    held.save()
        except seal.KeyMissingError as error:
            # Settlement has committed: the command is answered even if this dealer cannot show the round.
            log.warning("a round cannot be shown without its key", table=table_id, key=error.key_id)

    async def settle_if_due(self, table_id: str, *, fresh: bool = True) -> bool:
        """Settle an ended round before the next one starts; return whether one was to be settled.

        ``fresh``: look at the log's state. The one in memory may be older: another dealer may have ended the round.
        """
        async with self.tables.checkout(table_id, fresh=fresh) as held:
            waits = held.table.core.phase == public_table.SETTLING
        if waits:
            await self.refresh(table_id, await self.cashier.settle(table_id))
        return waits

    async def clear_seats(self, table_id: str) -> ClearedSeats:
        """Cash out seats that may no longer play and record stake allowances. Usually a no-op."""
        async with self.tables.checkout(table_id, fresh=False) as held:
            core = held.table.core
        cleared = await self.admission.clear_seats(core)
        if cleared.by_settlement:
            await self.refresh(table_id)
        return cleared

    async def close_idle(self, table_id: str) -> None:
        """Close a table through settlement that nobody has used for too long; do nothing where somebody has."""
        request = settlement_pb2.CloseOutRequest(table_id=table_id, if_idle=True)
        answer = await self.cashier.stub.CloseOut(request)
        await self.refresh(table_id, answer.version)

    async def run(self, command: Command[FullTable, Answer]) -> Answer:
        """Run a command; a round that it ends is settled after the answer. Raises Refused."""
        answer, made = await self.commands.run(command)
        self.appended(command.table_id, made)
        return answer

    def appended(self, table_id: str, made: list[Event]) -> None:
        """Count a round that these events start; settle one that they end after the answer."""
        for event in made:
            if isinstance(event, RoundStarted):
                metrics.ROUNDS_STARTED.labels(event.table.opening.game).inc()
        if any(isinstance(event, RoundEnded) for event in made):
            self.cashier.settle_soon(table_id, lambda version: self.refresh(table_id, version))

    async def reveal_of(self, table_id: str) -> dict[str, Any]:
        """Return the fields of a void that reveal the open round's seed: the round's number and the sealed seed.

        Empty if no round is open. ``seed_lost`` is set if this dealer lacks the key to the seed.
        """
        core = await self.tables.core(table_id)
        if core.round is None:
            return {}
        number = core.round.round_number
        try:
            opened = self.vault.open_round(table_id, number, core.round.sealed)
        except seal.KeyMissingError as error:
            log.warning("a round is voided without its seed", table=table_id, round=number, key=error.key_id)
            return {"round_number": number, "seed_lost": True}
        return {"round_number": number, "reveal": opened.reveal}

    async def seal(self, player: str, field: str, text: str) -> str:
        """Return a player's text sealed under its key; an empty one stays empty. Raises psycopg.Error."""
        if not text:
            return text
        return await retry.transaction(self.pool.connection, lambda conn: self.keys.seal(conn, player, field, text))

    def metadata(self, caller: Any, command: str) -> log_rows.Metadata:
        """Return an event's metadata: its actor, role and command."""
        return log_rows.Metadata(actor=caller.subject, role=caller.role.value, command=command, process=self.process)
