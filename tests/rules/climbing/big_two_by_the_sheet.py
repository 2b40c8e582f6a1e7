"""Big Two read from the sheet sentence by sentence, for tests to compare with; no code of the house is used."""

import itertools
from collections.abc import Iterable

RANKS = "3456789TJQKA2"
SUITS = "dchs"
HANDS = ("straight", "flush", "full_house", "four_one", "straight_flush")
Weight = tuple[int, ...]


def rank(card: str) -> int:
    """Return a card's rank."""
    return RANKS.index(card[0])


def single(card: str) -> Weight:
    """Compare rank, then suit."""
    return rank(card), SUITS.index(card[1])


def weight(cards: Iterable[str]) -> tuple[str, Weight] | None:
    """Return the type of a play and what it is compared by among plays of as many cards; None for no play."""
    some = sorted(cards, key=single, reverse=True)
    ranks = [rank(card) for card in some]
    if len(some) in (1, 2, 3) and ranks.count(ranks[0]) == len(some):
        kind = ("single", "pair", "triple")[len(some) - 1]
        return kind, single(some[0]) if len(some) < 3 else (ranks[0],)
    if len(some) != 5:
        return None
    times = sorted(((ranks.count(one), one) for one in set(ranks)), reverse=True)
    row = all(ranks[place] == ranks[0] - place for place in range(5)) and "2" not in "".join(some)
    suited = len({card[1] for card in some}) == 1
    if row:
        kind, key = ("straight_flush" if suited else "straight"), single(some[0])
    elif suited:
        kind, key = "flush", (*ranks, SUITS.index(some[0][1]))
    elif [count for count, _ in times] == [3, 2]:
        kind, key = "full_house", (times[0][1],)
    elif times[0][0] == 4:
        kind, key = "four_one", (times[0][1],)
    else:
        return None
    return kind, (HANDS.index(kind), *key)


class Deal:
    """One deal: whose turn it is, what is lying, and who holds what."""

    def __init__(self, seats: Iterable[int], button: int, deck: list[str]) -> None:
        ring = sorted(seats)
        at = ring.index(button) + 1
        self.order = ring[at:] + ring[:at]
        self.hands = {seat: deck[place : 52 : len(ring)] for place, seat in enumerate(self.order)}
        self.turn = next(seat for seat, hand in self.hands.items() if "3d" in hand)
        self.lying: tuple[str, ...] = ()
        self.passed = 0
        self.opened = False

    def over(self) -> bool:
        """Return whether a seat has no cards left."""
        return any(not hand for hand in self.hands.values())

    def allowed(self, cards: tuple[str, ...]) -> bool:
        """Return whether the seat on turn may play these cards of its hand."""
        new = weight(cards)
        if new is None or (not self.opened and "3d" not in cards):
            return False
        if not self.lying:
            return True
        old = weight(self.lying)
        assert old is not None
        return len(cards) == len(self.lying) and new[1] > old[1]

    def plays(self) -> set[frozenset[str]]:
        """List every legal play of the seat on turn, by trying every set of cards."""
        hand = self.hands[self.turn]
        sizes = (len(self.lying),) if self.lying else (1, 2, 3, 4, 5)
        return {frozenset(some) for size in sizes for some in itertools.combinations(hand, size) if self.allowed(some)}

    def play(self, cards: Iterable[str]) -> None:
        """Play cards of the seat on turn."""
        self.lying, self.passed, self.opened = tuple(cards), 0, True
        self.hands[self.turn] = [card for card in self.hands[self.turn] if card not in self.lying]
        self._next()

    def skip(self) -> None:
        """Pass; after three passes in a row the next seat, which played last, leads."""
        self.passed += 1
        if self.passed == 3:
            self.lying, self.passed = (), 0
        self._next()

    def _next(self) -> None:
        if not self.over():
            self.turn = self.order[(self.order.index(self.turn) + 1) % 4]

    def owed(self, base: int) -> dict[int, int]:
        """Return what each seat pays the winner."""
        left = {seat: len(hand) for seat, hand in self.hands.items() if hand}
        return {seat: base * count * (3 if count == 13 else 2 if count > 9 else 1) for seat, count in left.items()}
