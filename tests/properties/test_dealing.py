"""A dealt card does not return [R24]."""

from random import Random

import pytest

from services.rules import catalogue
from services.rules.happenings import Dealt, Happening, Shuffled
from tests.support import worlds
from tests.support.chances import Recording


@pytest.mark.parametrize("game_id", list(catalogue.FILES))
def test_no_position_of_a_stock_is_dealt_twice(game_id: str) -> None:
    """A position goes to a seat once at most; only before that it may lie on the table (the Miss, the kitty)."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} dealing")
    for rules in [worlds.default_rules(game), *(worlds.varied_rules(game, rng) for _ in range(4))]:
        for table in worlds.rounds(game, rules, rng, 3):
            _, moves = worlds.play(game, rules, table, Recording(rng), rng)
            _check([happened for move in moves for happened in move.happenings])


def _check(happenings: list[Happening]) -> None:
    sizes = {entry.stock: entry.size for entry in happenings if isinstance(entry, Shuffled)}
    lain: set[tuple[int, int]] = set()
    held: set[tuple[int, int]] = set()
    for entry in happenings:
        if not isinstance(entry, Dealt):
            continue
        for position in entry.positions:
            place = (entry.stock, position)
            assert 0 <= position < sizes[entry.stock]
            assert place not in held, f"{place} was dealt to a seat and is dealt again"
            assert entry.to is not None or place not in lain, f"{place} is laid on the table a second time"
            (lain if entry.to is None else held).add(place)
