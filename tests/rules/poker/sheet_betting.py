"""Sections 0.2 to 0.4 of the poker sheet, sentence by sentence and without regard to speed, for tests to compare with.

Nothing here is shared with the engine. Seats are seats; ``ring`` lists them from the left of the button.
"""

from dataclasses import dataclass, field
from typing import Any

BOARD_GAMES = ("texas_holdem", "royal_holdem", "omaha", "omaha_hi_lo", "short_deck")
DRAW_GAMES = ("five_card_draw", "deuce_to_seven_triple_draw", "badugi")
BLIND_GAMES = (*BOARD_GAMES, *DRAW_GAMES)
LATE_FROM = {
    "texas_holdem": 3,
    "omaha": 3,
    "omaha_hi_lo": 3,
    "short_deck": 3,
    "five_card_draw": 2,
    "deuce_to_seven_triple_draw": 3,
    "badugi": 3,
    "five_card_stud": 3,
    "seven_card_stud": 3,
}
"""The betting round from which on fixed limit doubles its unit."""

ILLEGAL = "ILLEGAL_ACTION"
RANGE = "AMOUNT_OUT_OF_RANGE"
Move = tuple[Any, ...]
"""An action: its word, then its argument, if it has one."""


@dataclass
class Bets:
    """One hand's chips and its betting; ``number`` counts betting rounds, ``count`` bets and raises in this one.

    ``marks``: price and raises at the last action of each seat that has acted in this betting round.
    """

    game: str
    rules: dict[str, Any]
    chips: dict[int, int]
    ring: list[int]
    live: set[int] = field(default_factory=set)
    paid: dict[int, int] = field(default_factory=dict)
    total: dict[int, int] = field(default_factory=dict)
    returned: dict[int, int] = field(default_factory=dict)
    marks: dict[int, tuple[int, int]] = field(default_factory=dict)
    number: int = 1
    price: int = 0
    full: int = 0
    count: int = 0
    raises: int = 0
    big: int = -1
    turn: int | None = None

    def put(self, seat: int, amount: int) -> None:
        """Move chips from a seat into the pots."""
        self.chips[seat] -= amount
        self.paid[seat] += amount
        self.total[seat] += amount

    def fresh(self) -> None:
        """Begin a betting round with nothing in it."""
        self.total = dict.fromkeys(self.ring, 0)
        self.marks = {}
        self.price = self.full = self.count = self.raises = 0

    def unit(self) -> int:
        """Return the minimum bet, in fixed limit the unit of this betting round."""
        late = self.rules["betting"] == "fixed_limit" and self.number >= LATE_FROM.get(self.game, 99)
        minimum: int = self.rules["minimum"]
        return minimum * 2 if late else minimum

    def last_full(self) -> int:
        """Return the largest full bet or raise of this betting round; if none, the minimum bet."""
        return self.full or self.unit()

    def rich_opponent(self, seat: int) -> bool:
        """Return whether some live opponent has chips left."""
        return any(self.chips[other] for other in self.live if other != seat)

    def must_act(self, seat: int) -> bool:
        """Rule 2 of 0.2, and royal_holdem's big blind that is not asked."""
        if seat not in self.live or not self.chips[seat]:
            return False
        whole = self.total[seat] + self.chips[seat]
        royal_blind = self.game == "royal_holdem" and self.number == 1 and seat == self.big
        if royal_blind and self.price == self.rules["minimum"] and whole < 2 * self.price:
            return False
        rich = self.rich_opponent(seat)
        ahead = any(self.total[other] > self.total[seat] for other in self.live if other != seat)
        return (self.total[seat] < self.price and (ahead or rich)) or (seat not in self.marks and rich)

    def pass_turn(self, start: int) -> bool:
        """Return the turn to the first seat from ``start`` on that must act; False if the betting round closes."""
        self.turn = None
        place = self.ring.index(start)
        if len(self.live) > 1:
            self.turn = next(filter(self.must_act, self.ring[place:] + self.ring[:place]), None)
        return self.turn is not None

    def give_back(self) -> None:
        """Rule 4 of 0.2, and the same for antes [poker 0.1]."""
        *_, second, top = sorted(self.total.values())
        if top > second:
            seat = next(seat for seat, total in self.total.items() if total == top)
            self.chips[seat] += top - second
            self.paid[seat] -= top - second
            self.returned[seat] = self.returned.get(seat, 0) + top - second

    def may_raise(self, seat: int) -> bool:
        """Section 0.4, short all-in; royal_holdem's raise rule."""
        if seat not in self.marks:
            return True
        price, raises = self.marks[seat]
        if self.game == "royal_holdem":
            return bool(self.rules["reraise"]) or raises == self.raises
        return self.price - price >= self.last_full()

    def span(self, seat: int, word: str) -> tuple[int, int] | None:
        """Return least and most of a ``bet`` or of a ``raise``'s new total; None where no amount at all is legal."""
        whole = self.total[seat] + self.chips[seat]
        if not self.rich_opponent(seat) or (word == "bet") != (self.price == 0) or whole <= self.price:
            return None
        capped = self.rules["betting"] == "fixed_limit" and 0 < self.rules["raise_cap"] <= self.count
        if capped or (word == "raise" and not self.may_raise(seat)):
            return None
        if self.game == "royal_holdem" and word == "raise":
            least = max(2 * self.price, self.rules["minimum"])
            return (least, whole) if least <= whole else None
        return self.span_by_structure(seat, whole)

    def span_by_structure(self, seat: int, whole: int) -> tuple[int, int] | None:
        """Apply the house rule ``betting`` and the show-hand rule."""
        least, most = self.price + (self.last_full() if self.price else self.unit()), whole
        if self.rules["betting"] == "pot_limit":
            most = min(whole, self.price + sum(self.paid.values()) + self.price - self.total[seat])
        if self.rules["betting"] == "fixed_limit":
            least = self.price + self.unit()
            most = min(whole, least)
        if self.number < self.rules["showhand_from"]:
            most = min(most, whole - 1)
        if most < least:
            return (whole, whole) if most == whole else None
        return least, most

    def refusal(self, seat: int, move: Move) -> str | None:
        """Return the reason for which a seat on turn is refused a betting action; None if it is legal."""
        word, total, owes = move[0], self.total[seat], self.price - self.total[seat]
        if word in ("bet", "raise"):
            span = self.span(seat, word)
            if span is None:
                return ILLEGAL
            if move[1] > total + self.chips[seat]:
                return "INSUFFICIENT_CHIPS"
            return None if span[0] <= move[1] <= span[1] else RANGE
        if word == "all_in":
            return self.refusal_of_all_in(seat)
        closed = not self.price and not self.rules["open_check"]
        legal = {"fold": True, "check": owes == 0 and not closed, "call": owes > 0}
        return None if legal.get(word, False) else ILLEGAL

    def refusal_of_all_in(self, seat: int) -> str | None:
        """Return the reason for which all-in is refused; None if it is legal."""
        whole = self.total[seat] + self.chips[seat]
        if whole <= self.price:
            return None
        span = self.span(seat, "raise" if self.price else "bet")
        if span is None or (span[1] < whole and self.number < self.rules["showhand_from"]):
            return ILLEGAL
        return None if whole <= span[1] else RANGE

    def bet(self, seat: int, move: Move) -> None:
        """Carry out a legal betting action."""
        whole = self.total[seat] + self.chips[seat]
        if move[0] == "fold":
            self.live.discard(seat)
            return
        if move[0] != "check":
            after = {"call": min(self.price, whole), "all_in": whole}.get(move[0]) or int(move[1])
            if after > self.price:
                self.raises += self.price > 0
                self.count += 1
                size = after - self.price
                self.full = max(self.full, size) if size >= self.last_full() else self.full
                self.price = after
            self.put(seat, after - self.total[seat])
        self.marks[seat] = (self.price, self.raises)
