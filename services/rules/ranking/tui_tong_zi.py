"""Two tiles of 推筒子 (banker, tui_tong_zi): points < 2 + 8 < pairs < two whites."""

from collections.abc import Sequence
from typing import Final

from services.rules.cards import Card
from services.rules.ranking.pip_counts import Ranked

POINTS: Final = "points"
TWO_EIGHT: Final = "two_eight"
PAIR: Final = "pair"
LEOPARD: Final = "leopard"

CATEGORIES: Final = (POINTS, TWO_EIGHT, PAIR, LEOPARD)
"""The categories from low to high."""

SIZE: Final = 2
WHITE: Final = 0


def rank(tiles: Sequence[Card], *, white_half: bool = True) -> Ranked:
    """Rank two tiles; the key counts half points. Hands are equal only if they hold the same two tiles.

    Source: [tui_tong_zi D1, D2].
    """
    assert len(tiles) == SIZE, f"a hand of 推筒子 has two tiles, not {len(tiles)}"
    low, high = sorted(int(tile[0]) for tile in tiles)
    if low == high:
        return Ranked(LEOPARD, (3,)) if low == WHITE else Ranked(PAIR, (2, low))
    if (low, high) == (2, 8):
        return Ranked(TWO_EIGHT, (1,))
    halves = (2 * high + (2 * low if low != WHITE else int(white_half))) % 20
    return Ranked(POINTS, (0, halves, high), halves // 2)
