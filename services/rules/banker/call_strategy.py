"""When to call in casino hold'em: the published advice, in a form that a program can follow.

Advice for players says to call about 82 % of the hands: those with a pair or better of their own, with a draw to a
flush or a straight, with two cards above the flop, and with a high card, and to fold low cards without a draw. Where
"high" begins was set by comparing what calling and folding such hands bring. Best play is not much better.
"""

from collections.abc import Sequence
from typing import Final

from services.rules.cards import RANKS, Card

ALWAYS_HIGH: Final = RANKS.index("J")
"""A card of one's own from which a hand is called without more."""
HIGH_ON_PAIRED_BOARD: Final = RANKS.index("T")
HIGH_WITH_THREE_SUITED: Final = RANKS.index("9")
ACE: Final = RANKS.index("A")

FLUSH_DRAW: Final = 4
BACKDOOR: Final = 3
STRAIGHT_DRAW: Final = 4
STRAIGHT: Final = 5


def calls(own: Sequence[Card], flop: Sequence[Card]) -> bool:
    """Return whether a hand of two cards is called after the flop."""
    mine = sorted(RANKS.index(card[0]) for card in own)
    board = [RANKS.index(card[0]) for card in flop]
    paired_board = len(set(board)) < len(board)
    if mine[0] == mine[1] or set(mine) & set(board) or mine[1] >= ALWAYS_HIGH or mine[0] > max(board):
        return True
    suited = max(_of_suit(card[1], (*own, *flop)) for card in own)
    if suited >= FLUSH_DRAW or _straight_draw({*mine, *board}):
        return True
    if len(set(board)) == 1 or (paired_board and mine[1] >= HIGH_ON_PAIRED_BOARD):
        return True
    return suited >= BACKDOOR and mine[1] >= HIGH_WITH_THREE_SUITED


def _of_suit(suit: str, cards: Sequence[Card]) -> int:
    return sum(card[1] == suit for card in cards)


def _straight_draw(ranks: set[int]) -> bool:
    """Return whether four of five ranks in a row are there; the ace may be low."""
    low = ranks | {-1} if ACE in ranks else ranks
    return any(len(low & set(range(start, start + STRAIGHT))) >= STRAIGHT_DRAW for start in range(-1, ACE - 3))
