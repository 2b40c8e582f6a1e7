"""The texts that players mix into the next round's shuffle; the log keeps only their digests."""

from typing import Final

from services.fairness import seed as seeds
from services.rules.refusals import invalid
from services.table import events
from services.table.events import Event
from services.table.public_table import PublicTable

LONGEST_SEED: Final = 64


def set_seed(core: PublicTable, seat: int, text: str, at_ms: int) -> list[Event]:
    """Mix a player's text into the next round; only its digest is kept. Raises Refused (``INVALID_ARGUMENT``)."""
    _check_seed(text)
    return note_seed(seat, seeds.digest(core.table_id, core.round_number + 1, seat, text), at_ms)


def note_seed(seat: int, seed: str, at_ms: int) -> list[Event]:
    """Record what is mixed for a seat: a digest, in older logs a text. Raises Refused (``INVALID_ARGUMENT``)."""
    if not seed.startswith(seeds.DIGEST):
        _check_seed(seed)
    return [events.SeedSet(at_ms=at_ms, seat=seat, seed=seed)]


def _check_seed(text: str) -> None:
    if not 1 <= len(text) <= LONGEST_SEED or not text.isprintable():
        message = f"a seed has 1 to {LONGEST_SEED} printable characters"
        raise invalid("seed", message, characters=(1, LONGEST_SEED))
