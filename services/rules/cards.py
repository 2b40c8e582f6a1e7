"""Cards and tiles: how they are written, and the packs that games are played with [rules "Cards"].

A card is a string of two characters, rank then suit: ``As``, ``Td``. Jokers are ``Xr`` (big, red) and ``Xb``
(small, black); tiles are ``1t`` to ``9t`` and ``0t`` (white). Strings keep records readable, compare quickly and
need no conversion on their way to a log, a client or a case file.
"""

from collections.abc import Iterable
from typing import Final

Card = str
"""Two characters, such as ``Qh``; see the module's docstring."""

RANKS: Final = "23456789TJQKA"
"""Ranks from low to high with the ace high; games with another order define it."""

SUITS: Final = "cdhs"
"""Suits from low to high in the order of the home games (``s > h > d > c``)."""

ONLINE_SUITS: Final = "dchs"
"""Suits from low to high in the order of the online games (``s > h > c > d``)."""

BIG_JOKER: Final = "Xr"
SMALL_JOKER: Final = "Xb"
JOKERS: Final = (SMALL_JOKER, BIG_JOKER)

HIDDEN: Final = "??"
"""A card whose face is hidden from the viewer."""

PACK_52: Final[tuple[Card, ...]] = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")
PACK_54: Final[tuple[Card, ...]] = (*PACK_52, *JOKERS)
TILES_40: Final[tuple[Card, ...]] = tuple(f"{number}t" for number in range(10) for _ in range(4))

_KNOWN: Final = frozenset((*PACK_54, *TILES_40))


def parse(text: str) -> list[Card]:
    """Read cards from text, from the top of the deck; spaces and line breaks are free.

    Raises ValueError naming the first piece that is not a card.
    """
    letters = "".join(text.split())
    found = [letters[at : at + 2] for at in range(0, len(letters), 2)]
    for card in found:
        if card not in _KNOWN:
            raise ValueError(f"{card!r} is not a card; write rank and suit, such as As, Td, Xr or 5t")
    return found


def is_card(text: str) -> bool:
    """Return whether the text names a card, a joker or a tile."""
    return text in _KNOWN


def rank(card: Card) -> str:
    """Return the rank's letter, such as ``T``; ``X`` for a joker, the digit for a tile."""
    return card[0]


def suit(card: Card) -> str:
    """Return the suit's letter, one of ``shdc``; ``r`` or ``b`` for a joker, ``t`` for a tile."""
    return card[1]


def show(cards: Iterable[Card]) -> str:
    """Write cards as text with spaces between them."""
    return " ".join(cards)


def face_down(count: int) -> tuple[Card, ...]:
    """Return that many hidden cards."""
    return (HIDDEN,) * count
