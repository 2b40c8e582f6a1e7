"""What only dealers can do: make house seeds, seal and open them, seal live tables. All chance enters here."""

import base64
import os
from typing import Final

import msgspec

from services.fairness import seal, seed
from services.fairness.seal import KeyRing
from services.runtime.settings import Settings
from services.table import commands, events, full_table
from services.table.full_table import FullTable
from services.table.public_table import PublicTable
from services.table.replay import Opened

CODE_BYTES: Final = 16
"""Chance in the code of an invitation."""


class _Sealed(msgspec.Struct, frozen=True):
    """What ``RoundStarted.sealed`` holds: the house's seed, and the same sealed for auditors (hex)."""

    house_seed: bytes
    reveal: str


class Vault:
    """The rings of a dealer; the operating system's randomness is read here and nowhere else."""

    def __init__(self, deal: KeyRing, audit: KeyRing) -> None:
        self._deal = deal
        self._audit = audit

    def __repr__(self) -> str:
        return "Vault(…)"

    def next_seed(self, table_id: str, round_number: int) -> events.NextSeed:
        """Make the house's seed of a coming round and commit to it."""
        fresh = os.urandom(seed.SEED_BYTES)
        sealed = self._seal(self._deal, fresh, _next_place(table_id, round_number))
        return events.NextSeed(commitment=seed.commitment(fresh).hex(), sealed=sealed)

    def start(self, core: PublicTable, round_id: str, started_by: str) -> commands.Start:
        """Open the seed that was committed to, seal it for the round, and make the next one."""
        number = core.round_number + 1
        house_seed = self._open(self._deal, core.next_seed.sealed, _next_place(core.table_id, number))
        assert seed.commitment(house_seed).hex() == core.next_seed.commitment, "the seed is not the committed one"
        reveal = self._seal(self._audit, house_seed, reveal_place(core.table_id, number))
        plain = msgspec.msgpack.encode(_Sealed(house_seed=house_seed, reveal=reveal))
        return commands.Start(
            round_id=round_id,
            started_by=started_by,
            house_seed=house_seed,
            reveal=reveal,
            sealed=self._seal(self._deal, plain, _round_place(core.table_id, number)),
            next_seed=self.next_seed(core.table_id, number + 1),
        )

    def open_round(self, table_id: str, number: int, sealed: str) -> Opened:
        """Open the seed of a started round."""
        plain = self._open(self._deal, sealed, _round_place(table_id, number))
        opened = msgspec.msgpack.decode(plain, type=_Sealed)
        return Opened(house_seed=opened.house_seed, reveal=opened.reveal)

    def code(self, table_id: str, invitation_id: str, key_id: str = "") -> tuple[str, str]:
        """Return the code of an invitation, and the id of the key that it follows from; "" as code if that is gone.

        ``key_id``: the key that the invitation was made with, by default the active one.
        """
        used = key_id or self._deal.active
        made = self._deal.derived(used, f"invitation|{table_id}|{invitation_id}".encode())
        return base64.b32encode(made[:CODE_BYTES]).decode().rstrip("=").lower() if made else "", used

    def seal_live(self, table: FullTable) -> bytes:
        """Seal a live table for the store."""
        place = f"live|{table.core.table_id}".encode()
        sealed = seal.seal(self._deal, full_table.store(table), place, nonce=os.urandom(seal.NONCE_BYTES))
        return seal.to_bytes(sealed)

    def open_live(self, table_id: str, blob: bytes) -> FullTable:
        """Open a live table. Raises seal.SealError (other keys), msgspec.DecodeError (another release)."""
        return full_table.load(seal.open(self._deal, seal.from_bytes(blob), f"live|{table_id}".encode()))

    @staticmethod
    def _seal(ring: KeyRing, plain: bytes, place: bytes) -> str:
        return seal.to_bytes(seal.seal(ring, plain, place, nonce=os.urandom(seal.NONCE_BYTES))).hex()

    @staticmethod
    def _open(ring: KeyRing, sealed: str, place: bytes) -> bytes:
        return seal.open(ring, seal.from_bytes(bytes.fromhex(sealed)), place)


def reveal_place(table_id: str, number: int) -> bytes:
    """Return the place of a revealed seed, to which its seal is bound."""
    return f"reveal|{table_id}|{number}".encode()


def _next_place(table_id: str, number: int) -> bytes:
    return f"next|{table_id}|{number}".encode()


def _round_place(table_id: str, number: int) -> bytes:
    return f"round|{table_id}|{number}".encode()


def of_settings(settings: Settings) -> Vault:
    """Make the vault of a process. Raises SettingsRefused."""
    deal, audit = settings.deal_ring(), settings.audit_ring()
    return Vault(KeyRing("deal", deal.keys, deal.active), KeyRing("audit", audit.keys, audit.active))


class Opener:
    """Opens the seeds of one table's rounds."""

    def __init__(self, vault: Vault, table_id: str) -> None:
        self._vault, self._table_id = vault, table_id

    def __call__(self, started: events.RoundStarted) -> Opened:
        """Open one round's seed."""
        return self._vault.open_round(self._table_id, started.round_number, started.sealed)
