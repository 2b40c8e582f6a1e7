"""Seeds and seals of a dealer."""

import pytest

from services.dealer import vault
from services.dealer.vault import Vault
from services.fairness import seal, seed
from services.fairness.seal import KeyRing
from services.table import commands, event_fold, events, full_table
from tests.support import echo, sittings
from tests.support.sittings import Sitting

DEALER = Vault(sittings.DEAL, sittings.AUDIT)


def opened() -> Sitting:
    """Return a table with two seats whose next seed belongs to this vault."""
    sitting = Sitting("tongbi_san_gong")
    sitting.table.core.next_seed = DEALER.next_seed(sitting.table_id, 1)
    sitting.sit({0: 500, 1: 500})
    return sitting


def test_a_seed_is_committed_to_and_opens_for_its_own_round_only() -> None:
    """The opened seed gives the commitment; at another round or table the seal does not open."""
    sitting = opened()
    command = DEALER.start(sitting.table.core, "r1", "p0")
    assert seed.commitment(command.house_seed).hex() == sitting.table.core.next_seed.commitment
    sitting.table.core.round_number = 1
    with pytest.raises(seal.TamperedError):
        DEALER.start(sitting.table.core, "r2", "p0")


def test_another_commitment_than_the_sealed_seeds_is_noticed() -> None:
    """A log in which the commitment was replaced starts no round."""
    sitting = opened()
    sitting.table.core.next_seed = events.NextSeed(commitment="00" * 32, sealed=sitting.table.core.next_seed.sealed)
    with pytest.raises(AssertionError, match="not the committed one"):
        DEALER.start(sitting.table.core, "r1", "p0")


def test_a_started_round_is_opened_again_with_the_key() -> None:
    """Seed and reveal are opened from the event; the reveal needs the audit ring and is bound to table and round."""
    sitting = opened()
    command = DEALER.start(sitting.table.core, "r1", "p0")
    started = commands.start_round(sitting.table, command, 5)[0]
    assert isinstance(started, events.RoundStarted)
    again = DEALER.open_round(sitting.table_id, 1, started.sealed)
    assert (again.house_seed, again.reveal) == (command.house_seed, command.reveal)
    reveal = seal.from_bytes(bytes.fromhex(again.reveal))
    assert seal.open(sittings.AUDIT, reveal, vault.reveal_place(sitting.table_id, 1)) == command.house_seed
    with pytest.raises(seal.SealError):
        seal.open(sittings.DEAL, reveal, vault.reveal_place(sitting.table_id, 1))
    with pytest.raises(seal.SealError):
        seal.open(sittings.AUDIT, reveal, vault.reveal_place(sitting.table_id, 2))
    with pytest.raises(seal.SealError):
        DEALER.open_round(sitting.table_id, 2, started.sealed)


def test_seeds_are_never_the_same_twice() -> None:
    """Every seed, and every seal of an equal one, is new."""
    made = [DEALER.next_seed(sittings.TABLE, 1) for _ in range(50)]
    assert len({one.commitment for one in made}) == len({one.sealed for one in made}) == 50


def test_a_live_table_is_bound_to_its_id_and_opens_after_a_rotation() -> None:
    """Under another id, or with a byte changed, it does not open; with an older key still in the ring it does."""
    sitting = opened()
    blob = DEALER.seal_live(sitting.table)
    assert full_table.store(DEALER.open_live(sitting.table_id, blob)) == full_table.store(sitting.table)
    with pytest.raises(seal.TamperedError):
        DEALER.open_live(sittings.TABLE[:-1] + "2", blob)
    with pytest.raises(seal.TamperedError):
        DEALER.open_live(sitting.table_id, blob[:-1] + bytes([blob[-1] ^ 1]))
    rotated = Vault(KeyRing("deal", {"deal-2": bytes(32), "deal-test": bytes(range(32))}, "deal-2"), sittings.AUDIT)
    assert rotated.open_live(sitting.table_id, blob).core.version == sitting.table.core.version
    assert rotated.next_seed(sitting.table_id, 2).sealed != ""


def test_a_vault_shows_no_key() -> None:
    """Printed or in an error, no key is in the text."""
    shown = repr(DEALER) + repr(sittings.DEAL) + repr(sittings.AUDIT)
    assert bytes(range(32)).hex() not in shown
    assert "\\x00\\x01" not in shown


def test_a_vault_is_made_of_the_settings() -> None:
    """Seals of the settings' keys are opened with the same settings."""
    given = echo.given(
        deal_keys={"a": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
        deal_key="a",
        audit_keys={"b": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
        audit_key="b",
    )
    one, other = vault.of_settings(given), vault.of_settings(given)
    core = event_fold.opened(
        sittings.TABLE,
        events.TableOpened(at_ms=1, opening=opened().table.core.opening, next_seed=one.next_seed(sittings.TABLE, 1)),
    )
    assert other.start(core, "r", "p").house_seed
