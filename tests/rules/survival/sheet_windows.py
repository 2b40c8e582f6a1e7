"""Nicknames and Counting Off by the sheet, see ``sheet_common``."""

from typing import Any

from tests.rules.survival.sheet_common import ILLEGAL, Move, Reading

NUMBERS = "A23456789TJQK"


class Nickname(Reading):
    """``piles`` are the face-up cards in the order in which they were turned, the last one shows."""

    def begin(self) -> None:
        """Deal all, and flip [nickname Play 2, Play 3]."""
        self.piles: dict[int, list[str]] = {seat: [] for seat in self.order}
        self.deal_all()
        self.flips = 0
        self.flip()

    def flip(self) -> None:
        """Let every seat in turn its top card, its pile first where it has no other [nickname Play 3]."""
        self.flips += 1
        self.called: set[int] = set()
        self.taken: set[int] = set()
        for seat in self.inside:
            if not self.held[seat]:
                self.held[seat], self.piles[seat] = self.piles[seat], []
            self.piles[seat].append(self.held[seat].pop(0))

    def cards_of(self, seat: int) -> int:
        """Count face-down and face-up cards."""
        return len(self.held[seat]) + len(self.piles[seat])

    def refusal(self, seat: int, move: Move) -> str | None:
        """Check the caller, the called seat and the flip [nickname Play 4, Play 5]."""
        if move["do"] != "call_nickname" or move.get("flip", self.flips) != self.flips:
            return ILLEGAL
        fit = [other for other in self.inside if other not in self.taken]
        wrong = seat not in fit or seat in self.called or move["target"] not in fit or move["target"] == seat
        return ILLEGAL if wrong else None

    def act(self, seat: int, move: Move) -> None:
        """Work off a call [nickname Play 4, Play 6]."""
        other = move["target"]
        self.called.add(seat)
        if self.piles[seat][-1][0] == self.piles[other][-1][0]:
            self.held[seat] += self.piles[other]
            self.piles[other] = []
            self.taken.add(other)
            return
        if not self.held[seat]:
            self.held[seat], self.piles[seat] = self.piles[seat][:-1], self.piles[seat][-1:]
        if self.held[seat]:
            self.held[other].append(self.held[seat].pop(0))

    def late(self) -> None:
        """Close the window [nickname Play 7, Play 8]."""
        self.drop_empty(self.button)
        if self.winners is None and self.flips >= self.rules["max_flips"]:
            self.most_cards()
        if self.winners is None:
            self.flip()

    def state(self) -> dict[str, Any]:
        """Return the flips and the showing cards of the seats in."""
        return {"flips": self.flips, "tops": {seat: self.piles[seat][-1] for seat in self.inside if self.piles[seat]}}


class CountOff(Reading):
    """``table`` lists the cards on it; ``last`` turned the one that shows."""

    def begin(self) -> None:
        """Deal all; the button begins with one [count_off Play 1]."""
        self.deal_all()
        self.table: list[str] = []
        self.flips = 0
        self.turn_card(self.button, 1)

    def turn_card(self, seat: int, count: int) -> None:
        """Turn a seat's top card and say the count [count_off Play 2]."""
        self.table.append(self.held[seat].pop(0))
        self.flips += 1
        self.count = count
        self.last = seat
        self.slapped: set[int] = set()

    def refusal(self, seat: int, move: Move) -> str | None:
        """Let seats in slap once a window, for the card that shows."""
        wrong = move["do"] != "slap" or seat not in self.inside or seat in self.slapped
        return ILLEGAL if wrong or move.get("flip", self.flips) != self.flips else None

    def act(self, seat: int, move: Move) -> None:
        """Work off a slap [count_off Play 3, Play 5]."""
        assert move["do"] == "slap", "nothing else is accepted"
        if NUMBERS.index(self.table[-1][0]) + 1 == self.count:
            self.held[seat] += self.table
            self.table = []
            self.close(seat)
            return
        self.slapped.add(seat)
        payee = self.next_in(seat) if seat == self.last else self.last
        if self.held[seat]:
            self.held[payee].append(self.held[seat].pop(0))

    def late(self) -> None:
        """Close the window; the next seat in turns [count_off Play 2, Play 4]."""
        self.close(None)

    def close(self, taker: int | None) -> None:
        """Let seats without cards go out; the next card is turned, by who took the table if anybody did.

        Source: [count_off Play 3, Play 6].
        """
        self.drop_empty(self.button)
        if self.winners is None and self.flips >= self.rules["max_flips"]:
            self.most_cards()
        if self.winners is not None:
            return
        if taker is not None:
            self.turn_card(taker, 1)
        else:
            self.turn_card(self.next_in(self.last), 1 if self.count == 13 else self.count + 1)

    def state(self) -> dict[str, Any]:
        """Return the cards on the table, the count, and the seat that turned the last one."""
        return {"flips": self.flips, "table": len(self.table), "count": self.count, "last": self.last}
