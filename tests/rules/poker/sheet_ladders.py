"""The ladders of the poker sheet, read literally and by brute force: what tests compare the look-up tables with."""

import itertools
from collections import Counter
from collections.abc import Sequence

from services.rules.cards import RANKS, SUITS, Card

Strength = tuple[int, ...]
FIVE = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
)
SHORT = (*FIVE[:5], "full_house", "flush", *FIVE[7:])
"""The ladder of the short deck: a flush beats a full house."""
THREE = ("high_card", "pair", "straight", "flush", "straight_flush", "triple")
BADUGI = ("one_card", "two_cards", "three_cards", "four_cards")
GROUPS = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
HOME = {"five_card_stud", "seven_card_stud", "five_card_draw"}


def ranks_of(cards: Sequence[Card]) -> list[int]:
    """Return the ranks from high to low, the ace as 14."""
    return sorted((RANKS.index(card[0]) + 2 for card in cards), reverse=True)


def groups_of(cards: Sequence[Card]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of the groups of equal ranks, the biggest first, and their ranks in the same order."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks_of(cards)).items()), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


def straight_of_five(ranks: list[int]) -> int:
    """Return the top card of a straight, 0 if the hand is not a straight."""
    if ranks == [14, 5, 4, 3, 2]:
        return 5
    return ranks[0] if len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4 else 0


def flushes(cards: Sequence[Card], order: str | None) -> Strength:
    """Rank a flush: by ranks; with suits before them or after them by ``order``."""
    suit, ranks = SUITS.index(cards[0][1]), ranks_of(cards)
    if order is None:
        return tuple(ranks)
    return (suit, *ranks) if order == "suit_first" else (*ranks, suit)


def of_five(cards: Sequence[Card], order: str | None) -> Strength:
    """Rank exactly five cards [poker 0.7]; ``order``: the home ladder's ``flush_order``, None for the plain ladder."""
    sizes, ranks = groups_of(cards)
    flush = len({card[1] for card in cards}) == 1
    top = straight_of_five(ranks_of(cards))
    if flush and top:
        return (8, top, SUITS.index(cards[0][1]) if order else 0)
    if flush:
        return (5, *flushes(cards, order))
    return (4, top) if top else (GROUPS.get(sizes, 0), *ranks)


def of_three(cards: Sequence[Card], order: str) -> Strength:
    """Rank three cards (zha_jin_hua)."""
    ranks = ranks_of(cards)
    flush = len({card[1] for card in cards}) == 1
    row = 3 if ranks == [14, 3, 2] else ranks[0] if len(set(ranks)) == 3 and ranks[0] - ranks[2] == 2 else 0
    if len(set(ranks)) == 1:
        return (5, ranks[0])
    if flush:
        return (4, row, SUITS.index(cards[0][1])) if row else (3, *flushes(cards, order))
    if row:
        return (2, row)
    return (1 if len(set(ranks)) == 2 else 0, *groups_of(cards)[1])


def best(game: str, own: Sequence[Card], table: Sequence[Card], order: str) -> tuple[Strength, str]:
    """Rank a seat's hand at the showdown of a game, and name its category."""
    if game == "zha_jin_hua":
        strength = of_three(own, order)
        return strength, THREE[strength[0]]
    if game == "badugi":
        low = max(badugis(own))
        return low, BADUGI[low[0] - 1]
    fives = fives_of(game, own, table)
    if game == "deuce_to_seven_triple_draw":
        strength = deuce_to_seven(fives[0])
        return strength, ("low", *FIVE[1:])[-strength[0]]
    if game == "short_deck":
        strength = max(of_five_short(five) for five in fives)
        return strength, SHORT[strength[0]]
    strength = max(of_five(five, order if game in HOME else None) for five in fives)
    return strength, FIVE[strength[0]]


def fives_of(game: str, own: Sequence[Card], table: Sequence[Card]) -> list[tuple[Card, ...]]:
    """List all hands of five that a seat can make."""
    if game.startswith("omaha"):
        pairs, triples = itertools.combinations(own, 2), itertools.combinations(table, 3)
        return [(*pair, *triple) for pair, triple in itertools.product(pairs, triples)]
    return list(itertools.combinations([*own, *table], 5))


def of_five_short(cards: Sequence[Card]) -> Strength:
    """Rank five cards of the short deck (short_deck, ranking)."""
    strength = of_five(cards, None)
    ranks = ranks_of(cards)
    if ranks == [14, 9, 8, 7, 6]:
        return (8, 9) if strength[0] == 5 else (4, 9)
    return ({5: 6, 6: 5}.get(strength[0], strength[0]), *strength[1:])


def eight_or_better(game: str, own: Sequence[Card], table: Sequence[Card]) -> Strength:
    """Return the ranks of the lowest five that are no higher than eight and differ, from high to low; empty if none."""
    hands = [
        sorted((rank % 13 if rank == 14 else rank for rank in ranks_of(five)), reverse=True)
        for five in fives_of(game, own, table)
    ]
    return min((tuple(hand) for hand in hands if len(set(hand)) == 5 and hand[0] <= 8), default=())


def spelled(ranks: Strength) -> str:
    """Write ranks with an ace that is low."""
    return "-".join("A" if rank == 1 else str(rank) for rank in ranks)


def deuce_to_seven(cards: Sequence[Card]) -> Strength:
    """Rank five cards by how low they are (deuce_to_seven_triple_draw, ranking)."""
    high = of_five(cards, None)
    ranks = ranks_of(cards)
    if ranks == [14, 5, 4, 3, 2]:
        high = (0 if high[0] == 4 else 5, *ranks)
    return tuple(-one for one in high)


def badugis(own: Sequence[Card]) -> list[Strength]:
    """List all choices of cards of different ranks and suits: their number, then the ranks, the lower the better."""
    found = []
    for count in range(1, 5):
        for cards in itertools.combinations(own, count):
            if len({card[0] for card in cards}) == len({card[1] for card in cards}) == count:
                ranks = sorted((1 if card[0] == "A" else RANKS.index(card[0]) + 2 for card in cards), reverse=True)
                found.append((count, *(-rank for rank in ranks)))
    return found


def visible(cards: Sequence[Card], order: str) -> tuple[Strength, int]:
    """Rank face-up cards (five_card_stud, opener): groups, with five cards the whole ladder; then the highest suit."""
    suit = max((RANKS.index(card[0]), SUITS.index(card[1])) for card in cards)[1]
    if len(cards) == 5:
        return of_five(cards, order), suit
    sizes, ranks = groups_of(cards)
    return (*(sizes + (0,) * 4)[:4], *ranks), suit
