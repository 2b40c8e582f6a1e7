"""Cards and tiles as pictures: the same ones as at the browser's table, and their names for people who hear them."""

from collections.abc import Sequence
from html import escape
from typing import Final

from markupsafe import Markup

_SHAPES: Final = {
    "s": "M50 4C62 26 94 44 94 66c0 22-28 26-38 10 1 10 4 16 10 20H34c6-4 9-10 10-20-10 16-38 12-38-10"
    "C6 44 38 26 50 4z",
    "h": "M50 94C30 74 6 56 6 32 6 8 38 2 50 26 62 2 94 8 94 32c0 24-24 42-44 62z",
    "d": "M50 3 88 50 50 97 12 50z",
    "c": "M50 5c16 0 26 14 20 30-2 4-4 7-6 9 16-8 32 4 32 20 0 24-30 28-40 10 1 10 4 18 10 22H34c6-4 9-12 10-22"
    "C34 92 4 88 4 64c0-16 16-28 32-20-2-2-4-5-6-9-6-16 4-30 20-30z",
}
"""Suits in a box of 100 by 100."""
_DOTS: Final = (
    (),
    ((50, 70),),
    ((50, 42), (50, 98)),
    ((28, 36), (50, 70), (72, 104)),
    ((32, 42), (68, 42), (32, 98), (68, 98)),
    ((30, 38), (70, 38), (50, 70), (30, 102), (70, 102)),
    ((32, 34), (68, 34), (32, 70), (68, 70), (32, 106), (68, 106)),
    ((26, 26), (50, 38), (74, 50), (32, 82), (68, 82), (32, 112), (68, 112)),
    ((32, 26), (68, 26), (32, 55), (68, 55), (32, 85), (68, 85), (32, 114), (68, 114)),
    ((26, 30), (50, 30), (74, 30), (26, 70), (50, 70), (74, 70), (26, 110), (50, 110), (74, 110)),
)
_RANKS: Final = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
_SUITS: Final = {
    "en": {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"},
    "zh-Hant": {"s": "黑桃", "h": "紅心", "d": "方塊", "c": "梅花"},
    "zh-Hans": {"s": "黑桃", "h": "红心", "d": "方块", "c": "梅花"},
}
_BACKS: Final = {"en": "face-down card", "zh-Hant": "蓋住的牌", "zh-Hans": "盖住的牌"}
_NUMBERS: Final = "白一二三四五六七八九"
_LENGTH: Final = 2
"""Characters of a card as the contract writes it."""


def name(card: str, language: str) -> str:
    """Return a card's name in a language, such as ``ace of spades``."""
    rank, suit = (card[0], card[1]) if len(card) == _LENGTH else ("", "")
    if suit in _SUITS["en"] and rank in _RANKS:
        word = _SUITS[language][suit]
        return f"{_RANKS[rank]} of {word}" if language == "en" else f"{word}{_index(rank)}"
    if rank == "X" and suit in ("r", "b"):
        english, chinese = ("big joker", "大王") if suit == "r" else ("small joker", "小王")
        return english if language == "en" else chinese
    if suit == "t" and rank.isdigit():
        pips = int(rank)
        if language == "en":
            return f"{pips} dots" if pips else "white tile"
        return f"{_NUMBERS[pips]}筒" if pips else "白板"
    return _BACKS[language]


def picture(card: str, language: str) -> Markup:
    """Return a card as an SVG picture with its name."""
    tile = card.endswith("t") and card[0].isdigit()
    said = escape(name(card, language))
    paper = f'<rect class="paper{" tile" if tile else ""}" x="1" y="1" width="98" height="138" rx="9"/>'
    return Markup(  # noqa: S704 - of shapes alone; the name is escaped
        f'<svg class="card" viewBox="0 0 100 140" role="img" aria-label="{said}">{paper}{_face(card)}</svg>'
    )


def row(cards: Sequence[str], language: str) -> Markup:
    """Return cards side by side."""
    many = " many" if len(cards) > _FEW else ""
    return Markup('<span class="cards{}">{}</span>').format(
        many, Markup("").join(picture(card, language) for card in cards)
    )


_FEW: Final = 8


def _index(rank: str) -> str:
    return "10" if rank == "T" else rank


def _face(card: str) -> str:
    rank, suit = (card[0], card[1]) if len(card) == _LENGTH else ("", "")
    if suit in _SHAPES and rank in _RANKS:
        narrow = ' textLength="38" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
        corner = f'<text x="{4 if rank == "T" else 8}" y="44"{narrow}>{_index(rank)}</text>'
        return f'<g class="suit-{suit}">{corner}{_suit(suit, 9, 52, 0.28)}{_suit(suit, 42, 78, 0.52)}</g>'
    if rank == "X" and suit in ("r", "b"):
        star = '<path d="M62 74l8 18 20 2-15 13 5 20-18-11-18 11 5-20-15-13 20-2z"/>'
        words = '<text x="8" y="34" class="joker">JO</text><text x="8" y="62" class="joker">KER</text>'
        return f'<g class="suit-{"h" if suit == "r" else "s"}">{words}{star}</g>'
    if suit == "t" and rank.isdigit():
        if rank == "0":
            return '<rect class="blank" x="20" y="26" width="60" height="88" rx="6"/>'
        dots = "".join(f'<circle cx="{x}" cy="{y}" r="11.5"/>' for x, y in _DOTS[int(rank)])
        return f'<g class="dots">{dots}</g>'
    lattice = '<path class="lattice" d="M7 70 50 7l43 63-43 63zM28 38l44 64M72 38 28 102"/>'
    return f'<rect class="back" x="7" y="7" width="86" height="126" rx="7"/>{lattice}'


def _suit(suit: str, x: int, y: int, scale: float) -> str:
    return f'<path d="{_SHAPES[suit]}" transform="translate({x} {y}) scale({scale})"/>'
