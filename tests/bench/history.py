"""Long histories of a table for measurements: real events, decided by the table room and appended in bulk."""

import os
import uuid
from collections.abc import Iterator

import msgspec

from services.database.retry import Connection
from services.dealer.vault import Vault
from services.eventlog import log
from services.eventlog.records import APPENDED, Append
from services.fairness.seal import KeyRing
from services.journal import log_rows
from services.journal.log_rows import Metadata
from services.rules import actions, catalogue
from services.table import commands, event_fold, events, full_table, money
from services.table.events import Event
from services.table.full_table import FullTable

METADATA = Metadata(actor="ann", role="player", command="Act", process="dealer")
BULK = 200
CHIPS = 10**9


def rings() -> tuple[KeyRing, KeyRing]:
    """Make a ring for dealers and one for auditors."""
    return KeyRing("deal", {"a": os.urandom(32)}, "a"), KeyRing("audit", {"a": os.urandom(32)}, "a")


class History:
    """One table, whose rounds are played by the quickest legal decisions."""

    def __init__(self, game: str, vault: Vault) -> None:
        self.table_id = str(uuid.uuid4())
        self._vault = vault
        played = catalogue.game(game)
        rules = played.rules_type()
        opening = events.Opening(
            game=game,
            family=played.family,
            rules_version=played.version,
            rules=msgspec.to_builtins(rules),
            title=game,
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
        first = events.TableOpened(at_ms=1, opening=opening, next_seed=vault.next_seed(self.table_id, 1))
        self.table: FullTable = full_table.of_core(event_fold.opened(self.table_id, first))
        self._waiting: list[Event] = [first]
        for seat in (0, 1):
            taken = events.SeatRecord(seat=seat, player=f"p{seat}", name=f"p{seat}", test=False, chips=CHIPS)
            self._take([events.SeatTaken(at_ms=1, seat=taken)])

    def rounds(self, count: int) -> Iterator[Append]:
        """Play rounds; yield appends of many events each."""
        for _ in range(count):
            start = self._vault.start(self.table.core, str(uuid.uuid4()), "p0")
            self._take(commands.start_round(self.table, start, 1))
            while self.table.round is not None:
                self._take(self._decide())
            self._take(money.settle(self.table.core, 1))
            if len(self._waiting) >= BULK:
                yield self._append()
        if self._waiting:
            yield self._append()

    def _decide(self) -> list[Event]:
        assert self.table.round is not None, "a round runs"
        waiting = self.table.round.waiting()
        assert waiting is not None, "a running round waits"
        for action in (actions.Check(), actions.Call()):
            for seat in waiting.seats:
                if self.table.round.can(seat, action):
                    return commands.act(self.table, seat, action, 1)
        return commands.pass_deadline(self.table, 1)

    def _take(self, made: list[Event]) -> None:
        commands.take(self.table, made)
        self._waiting += made

    def _append(self) -> Append:
        """Append what waits; the last round's start is where the table is rebuilt from."""
        made, self._waiting = self._waiting, []
        starts = [at for at, event in enumerate(made) if isinstance(event, events.RoundStarted | events.TableOpened)]
        one = log_rows.append(self.table.core, made, METADATA, follows=None)
        return msgspec.structs.replace(one, rebuild=starts[-1] if starts else None)


async def write(conn: Connection, history: History, rounds: int) -> int:
    """Write so many rounds to the log; return the number of events."""
    count = 0
    for one in history.rounds(rounds):
        [done] = await log.append(conn, [one])
        assert done.outcome == APPENDED, done
        count = done.version
    return count
