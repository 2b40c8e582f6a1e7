"""Main pot and side pots: every chip is in one pot, and nobody wins more from another than their own payment."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.poker import pots


def test_example_of_three_levels() -> None:
    """All-ins of 50, 100 and 200 with a folded 80 make pots of 230, 130 and 100."""
    made = pots.layers([50, 80, 100, 200], [True, False, True, True])
    assert [layer.amount for layer in made] == [50 * 4, 30 + 50 + 50, 100]
    assert [layer.contenders for layer in made] == [(0, 2, 3), (2, 3), (3,)]
    assert [layer.parts for layer in made] == [(50, 50, 50, 50), (0, 30, 50, 50), (0, 0, 0, 100)]


def test_nobody_paid_no_pots() -> None:
    """A round into which nobody put a chip has no pots."""
    assert pots.layers([0, 0, 0], [True, True, False]) == []
    assert pots.layers([0, 0], [False, True]) == []


def test_last_live_seat_takes_one_pot() -> None:
    """Where one live seat is left there is one pot, with all chips."""
    made = pots.layers([10, 30, 20], [False, True, False])
    assert [(layer.amount, layer.contenders) for layer in made] == [(60, (1,))]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=2, max_size=10))
def test_pots_hold_every_chip_once(seats: list[tuple[int, bool]]) -> None:
    """Parts add up to what each seat paid, contenders shrink from pot to pot, and each paid its full part."""
    most_live = max([paid for paid, live in seats if live], default=0)
    if not most_live:
        return
    paid = [min(amount, most_live) for amount, _ in seats]
    live = [alive for _, alive in seats]
    made = pots.layers(paid, live)
    for place, amount in enumerate(paid):
        assert sum(layer.parts[place] for layer in made) == amount
    for layer in made:
        assert layer.amount == sum(layer.parts) > 0
        assert all(live[place] and layer.parts[place] == max(layer.parts) for place in layer.contenders)
    for outer, inner in itertools.pairwise(made):
        assert set(inner.contenders) < set(outer.contenders)
