"""What cards that lie open are worth, in words: a hand's category, the cards that count, its points."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec

from services.rules.cards import RANKS, Card
from services.rules.ranking import badugi, five_cards, lows, three_cards
from services.rules.ranking.ladder import Ladder
from services.rules.ranking.pip_counts import Ranked
from services.rules.text import Text

HAND_CARDS: Final = 5


class Worth(msgspec.Struct, frozen=True):
    """The worth of a hand.

    ``category`` is a word of the game; ``words`` is said in its place where it says more. ``key`` is greater for the
    better hand of one round; None where hands are not ranked. ``best``: the cards that count, the weightiest first.
    ``low``: the worth for the low half of divided pots; ``second``: that of the same cards with a second board; None
    where there is none.
    """

    category: str = ""
    words: Text | None = None
    key: int | tuple[int, ...] | None = None
    best: tuple[Card, ...] = ()
    points: int | None = None
    low: "Worth | None" = None
    second: "Worth | None" = None


def counted(count: int, ranked: Ranked | None = None) -> Worth:
    """Return a hand that counts points, ranked or not."""
    text = Text(f"{count} point{'' if count == 1 else 's'}", f"{count}點", f"{count}点")
    return Worth(ranked.category, text, ranked.key, points=count) if ranked else Worth(words=text, points=count)


def of_card(card: Card, key: int | None = None) -> Worth:
    """Return a single card that counts, such as the king of hearts."""
    suit, figure = _SUITS[card[1]], _FIGURES.get(card[0], card[0])
    text = Text(f"{_ONE[card[0]]} of {suit.en}", f"{suit.zh_hant}{figure}", f"{suit.zh_hans}{figure}")
    return Worth(words=text, key=key, best=(card,))


def of_halves(halves: int) -> Worth:
    """Return a hand that counts points and half points."""
    count = half_points(halves)
    return Worth(words=Text(f"{count} points", f"{count}點", f"{count}点"))


def half_points(halves: int) -> str:
    """Write half points as people read them."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def of_two(first: Card, second: Card) -> Worth:
    """Return two cards by their ranks, the first named first; a pair where the ranks are equal."""
    if first[0] == second[0]:
        figure = _FIGURES.get(first[0], first[0])
        return Worth(words=Text(f"pair of {_many(first[0])}", f"對{figure}", f"对{figure}"))
    one, two = (_FIGURES.get(card[0], card[0]) for card in (first, second))
    return Worth(words=Text(f"{_ONE[first[0]]} and {_ONE[second[0]]}", f"{one}和{two}", f"{one}和{two}"))


def of_ranked(ranked: Ranked, niu: str = "") -> Worth:
    """Return a hand of a counting game: its category, or its points; ``niu`` is written before those of a niu."""
    if ranked.points is None or not (ranked.points or not niu):
        return Worth(ranked.category, key=ranked.key, points=ranked.points)
    if not niu:
        return counted(ranked.points, ranked)
    chinese = niu + _DIGITS[ranked.points]
    return Worth(ranked.category, Text(f"niu {ranked.points}", chinese, chinese), ranked.key, points=ranked.points)


def of_seven(cards: Sequence[Card], key: int, names: Mapping[str, Text]) -> Worth:
    """Return the best five of five to seven cards; ``names`` are the game's words of the categories."""
    hand = max(combinations(cards, HAND_CARDS), key=five_cards.plain)
    category, _ = five_cards.of_five(hand)
    best = five_cards.weighty(hand)
    return Worth(category, _words(category, names[category], best), key, best)


def of_three(cards: Sequence[Card], key: int, names: Mapping[str, Text]) -> Worth:
    """Return a hand of three cards."""
    category = three_cards.category(three_cards.strength(cards))
    best = five_cards.weighty(cards)
    return Worth(category, _words(_LIKE_FIVE.get(category, category), names[category], best), key, best)


def of_ladder(ladder: Ladder, own: Sequence[Card], table: Sequence[Card], names: Mapping[str, Text]) -> Worth | None:
    """Return the best hand of a ladder; None where the cards make none."""
    strength = ladder.strength(own, table)
    if strength is None:
        return None
    best, category = ladder.best(own, table), ladder.category(strength)
    return Worth(category, _words(category, names[category], best), strength, best)


def spelled(best: Sequence[Card]) -> str:
    """Return the ranks of cards as they are said, such as ``8-6-4-2-A``."""
    return "-".join(_FIGURES.get(card[0], card[0]) for card in best)


def _words(category: str, name: Text, best: Sequence[Card]) -> Text:
    ranks = list(dict.fromkeys(card[0] for card in best))
    if category == lows.LOW:
        return Text(f"{spelled(best)} {name.en}", spelled(best) + name.zh_hant, spelled(best) + name.zh_hans)
    if category in badugi.CATEGORIES:
        listed = spelled(best)
        return Text(f"{name.en}, {listed}", f"{name.zh_hant}，{listed}", f"{name.zh_hans}，{listed}")
    if category == five_cards.STRAIGHT_FLUSH and len(best) == HAND_CARDS and ranks[0] == "A":
        return _ROYAL
    first, second = ranks[0], ranks[min(1, len(ranks) - 1)]
    given = {"one": _ONE[first], "many": _many(first), "others": _many(second)}
    chinese = {"first": _FIGURES.get(first, first), "second": _FIGURES.get(second, second)}
    said = _SAID[category]
    return Text(
        said.en.format(**given),
        said.zh_hant.format(name=name.zh_hant, **chinese),
        said.zh_hans.format(name=name.zh_hans, **chinese),
    )


def _many(rank: str) -> str:
    return "sixes" if rank == "6" else f"{_ONE[rank]}s"


_ONE: Final = dict(
    zip(
        RANKS,
        ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
_SUITS: Final = {
    "s": Text("spades", "黑桃", "黑桃"),
    "h": Text("hearts", "紅心", "红心"),
    "d": Text("diamonds", "方塊", "方块"),
    "c": Text("clubs", "梅花", "梅花"),
}
_DIGITS: Final = "零一二三四五六七八九"
_FIGURES: Final = {"T": "10"}
_LIKE_FIVE: Final = {three_cards.PAIR: five_cards.ONE_PAIR, three_cards.TRIPLE: five_cards.THREE_OF_A_KIND}
_ROYAL: Final = Text("royal flush", "皇家同花順", "皇家同花顺")
_TOP: Final = "{name}，最大{first}"
_OF: Final = "{name}{first}"
_SAID: Final[dict[str, Text]] = {
    five_cards.HIGH_CARD: Text("{one} high", _TOP, _TOP),
    five_cards.ONE_PAIR: Text("pair of {many}", _OF, _OF),
    five_cards.TWO_PAIR: Text("two pair, {many} and {others}", "{name}{first}、{second}", "{name}{first}、{second}"),
    five_cards.THREE_OF_A_KIND: Text("three {many}", _OF, _OF),
    five_cards.STRAIGHT: Text("{one}-high straight", _TOP, _TOP),
    five_cards.FLUSH: Text("{one}-high flush", _TOP, _TOP),
    five_cards.FULL_HOUSE: Text(
        "full house, {many} over {others}", "{name}，{first}帶{second}", "{name}，{first}带{second}"
    ),
    five_cards.FOUR_OF_A_KIND: Text("four {many}", _OF, _OF),
    five_cards.STRAIGHT_FLUSH: Text("{one}-high straight flush", _TOP, _TOP),
}
"""What is said of a category, by the ranks that decide it; ``{name}`` is the game's own word for it."""
