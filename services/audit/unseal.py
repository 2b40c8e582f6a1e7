"""Seeds of ended rounds, opened with the audit ring; a running round always stays sealed."""

from services.eventlog.records import StoredEvent
from services.fairness import seal
from services.fairness.seal import KeyRing
from services.journal import log_rows
from services.rules import catalogue
from services.runtime.settings import Settings
from services.table import events
from services.table.replay import Opened


def ring_of(settings: Settings) -> KeyRing:
    """Return the audit ring of a process. Raises SettingsRefused."""
    ring = settings.audit_ring()
    return KeyRing("audit", ring.keys, ring.active)


class Reveals:
    """The revealed seeds of one table, in the part of its log that has been read."""

    def __init__(self, ring: KeyRing, table_id: str) -> None:
        self._ring = ring
        self._table_id = table_id
        self._sealed: dict[int, str] = {}
        self._lost: set[int] = set()

    def learn(self, recorded: list[StoredEvent]) -> None:
        """Read the reveals in events that will be replayed.

        A reveal belongs to the round started before it; its own round number is compared in the replay.
        """
        started = None
        for one in recorded:
            kind, _ = log_rows.kind_of(one)
            if kind not in ("RoundStarted", "RoundEnded", "RoundVoided"):
                continue
            try:
                event = log_rows.from_stored(one)
            except (ValueError, TypeError):
                continue  # manipulated: the replay reports it
            if isinstance(event, events.RoundStarted):
                started = event.round_number
                continue
            assert isinstance(event, events.RoundEnded | events.RoundVoided), "these two reveal"
            number = started or event.round_number
            self._sealed.setdefault(number, event.reveal)
            if isinstance(event, events.RoundVoided) and event.seed_lost:
                self._lost.add(number)

    def seed(self, number: int) -> bytes | None:
        """Return the house's seed of an ended round; None where it is not revealed. Raises SealError."""
        sealed = self._sealed.get(number)
        if not sealed:
            return None
        place = f"reveal|{self._table_id}|{number}".encode()
        return seal.open(self._ring, seal.from_bytes(bytes.fromhex(sealed)), place)

    def lost(self, number: int) -> bool:
        """Return whether the round was voided without its seed, because its key was lost according to the log."""
        return number in self._lost and not self._sealed.get(number)

    def hidden(self, number: int) -> str:
        """Return the reason why a round's seed cannot be opened; "" where it can."""
        if self.lost(number):
            return "the key to the house's seed was gone when the round was voided"
        try:
            if self.seed(number) is None:
                return "no seed of this round was revealed"
        except seal.KeyMissingError as error:
            return f"this auditor does not hold the key {error.key_id!r} that the seed was revealed under"
        except ValueError:  # sealed bytes that do not open, or invalid hexadecimal text
            return "what was revealed is not the seed of this round"
        return ""

    def unplayable(self, started: events.RoundStarted) -> str:
        """Return the reason why a round cannot be replayed: its seed, or rules that this house does not keep; or ""."""
        opening = started.table.opening
        try:
            catalogue.game(opening.game, opening.version)
        except catalogue.UnknownRules as unknown:
            return unknown.message
        return self.hidden(started.round_number)

    def __call__(self, started: events.RoundStarted) -> Opened | None:
        """Open a round's seed for a replay."""
        house_seed = self.seed(started.round_number)
        if house_seed is None:
            return None
        return Opened(house_seed=house_seed, reveal=self._sealed[started.round_number])
