"""Live tables as bytes and back."""

from random import Random

import msgspec
import pytest

from services.rules import catalogue, random_play
from services.table import full_table, public_table
from tests.support import sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


@pytest.mark.parametrize("game", GAMES)
def test_a_live_table_goes_on_from_its_bytes_as_if_nothing_had_been(game: str) -> None:
    """Stored and loaded at every step of a round, the table makes the same events of the same moves as one kept."""
    rng = Random(f"{game} live")
    kept, moved = (sittings.random_sitting(game, "stored", rounds=0) for _ in range(2))
    for sitting in (kept, moved):
        sitting.start()
    for _ in range(200):
        moved.table = full_table.load(full_table.store(moved.table))
        assert full_table.store(moved.table) == full_table.store(kept.table)
        if kept.table.core.phase != public_table.IN_ROUND:
            break
        state = rng.getstate()
        made = kept.step(rng)
        rng.setstate(state)
        assert sittings.texts(moved.step(rng)) == sittings.texts(made)


@pytest.mark.parametrize("game", GAMES)
def test_a_loaded_round_is_a_whole_round_of_its_game(game: str) -> None:
    """A round that comes back from its bytes is of the game's own class, with its chance, options and views."""
    sitting = sittings.random_sitting(game, "whole", rounds=0)
    sitting.start()
    if sitting.table.round is None:
        return  # a round that ends by itself leaves nothing running
    again = full_table.load(full_table.store(sitting.table))
    assert type(again.round) is sitting.game.round_type
    assert again.dealing == sitting.table.dealing
    for seat in sitting.table.round.carry:
        assert again.round.view(seat) == sitting.table.round.view(seat)
        assert again.round.options(seat) == sitting.table.round.options(seat)


def test_a_table_between_rounds_has_no_round_in_its_bytes() -> None:
    """Where no round runs none comes back."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    again = full_table.load(full_table.store(sitting.table))
    assert again.round is None
    assert again.dealing is None
    assert full_table.store(again) == full_table.store(sitting.table)


@pytest.mark.parametrize("data", [b"", b"\x80", b"\x81\xa4core\x01", b"not a table"])
def test_bytes_of_another_release_are_refused(data: bytes) -> None:
    """Such bytes raise one error, after which the log is read."""
    with pytest.raises(msgspec.DecodeError):
        full_table.load(data)


def test_bytes_cut_short_are_refused() -> None:
    """No prefix of a stored table is a table."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    whole = full_table.store(sitting.table)
    for size in range(0, len(whole), 97):
        with pytest.raises(msgspec.DecodeError):
            full_table.load(whole[:size])


def test_the_chance_of_a_round_goes_on_where_it_was_left() -> None:
    """A game that shuffles and picks in mid-round draws the same from a reloaded table (blackjack's shoe)."""
    rng = Random(4)
    kept = Sitting("shoot_dragon_gate")
    kept.sit({0: 500, 1: 500, 2: 500})
    kept.start()
    assert kept.table.dealing is not None
    used = kept.table.dealing.used
    again = full_table.load(full_table.store(kept.table))
    assert again.dealing is not None
    assert again.dealing.chance().used == used
    one, other = kept.table.dealing.chance(), again.dealing.chance()
    assert one.shuffle(["As", "Kd", "2c"] * 10) == other.shuffle(["As", "Kd", "2c"] * 10)
    assert [one.pick(range(9), "seat") for _ in range(5)] == [other.pick(range(9), "seat") for _ in range(5)]
    assert one.dice(3) == other.dice(3)
    round_ = kept.table.round
    assert round_ is not None
    assert random_play.sample([option for seat in (0, 1, 2) for option in round_.options(seat)], rng)
