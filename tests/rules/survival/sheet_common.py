"""What all survival games share, read from the sheet sentence by sentence, for tests to compare with.

Nothing here, or in ``sheet_turns`` and ``sheet_windows``, is shared with the engine. ``order`` lists the seats of the
round from the left of the button, the button last.
"""

from typing import Any

ILLEGAL = "ILLEGAL_ACTION"
Move = dict[str, Any]
"""An action: its word under ``do``, then its arguments."""


def left_of(seats: list[int], seat: int) -> list[int]:
    """List seats clockwise, from the left of one of them; that one itself comes last."""
    ring = sorted(seats)
    return [other for other in ring if other > seat] + [other for other in ring if other <= seat]


class Reading:
    """One round; ``held`` are the face-down cards of each seat, ``out`` who went out, ``winners`` who won."""

    def __init__(self, rules: dict[str, Any], chips: dict[int, int], button: int, deck: list[str]) -> None:
        self.rules = rules
        self.carry = {seat: held for seat, held in chips.items() if held >= rules["ante"]}
        self.button = button if button in self.carry else left_of(list(self.carry), button)[0]
        self.order = left_of(list(self.carry), self.button)
        self.deck = deck
        self.held: dict[int, list[str]] = {seat: [] for seat in self.order}
        self.inside = list(self.order)
        self.out: list[int] = []
        self.winners: list[int] | None = None
        self.begin()

    def begin(self) -> None:
        """Deal, and go on to the first decision."""
        raise NotImplementedError

    def refusal(self, seat: int, move: Move) -> str | None:
        """Return the reason for which a seat of the round is refused a move while the round goes on."""
        raise NotImplementedError

    def act(self, seat: int, move: Move) -> None:
        """Carry out a move that is not refused."""
        raise NotImplementedError

    def late(self) -> None:
        """Let the deadline pass."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return the game's own case keys."""
        raise NotImplementedError

    def deal_all(self) -> None:
        """Deal the whole pack one at a time from the left of the button."""
        for place, card in enumerate(self.deck):
            self.held[self.order[place % len(self.order)]].append(card)

    def next_in(self, seat: int) -> int:
        """Return the next other seat in to the left."""
        return next(other for other in left_of(self.inside, seat) if other != seat)

    def cards_of(self, seat: int) -> int:
        """Count the cards of a seat."""
        return len(self.held[seat])

    def drop_empty(self, after: int) -> None:
        """Let seats without cards go out, in the order in which they sit."""
        gone = [seat for seat in left_of(self.inside, after) if not self.cards_of(seat)]
        self.out += gone
        self.inside = [seat for seat in self.inside if seat not in gone]
        if len(self.inside) == 1:
            self.winners = list(self.inside)

    def most_cards(self) -> None:
        """End the round at its limit: most cards win, equal numbers share."""
        most = max(self.cards_of(seat) for seat in self.inside)
        self.winners = sorted(seat for seat in self.inside if self.cards_of(seat) == most)

    def reason(self, seat: int, move: Move) -> str | None:
        """Return the reason for which a move is refused, None where it is not."""
        if seat not in self.carry:
            return "NOT_SEATED"
        return "ROUND_NOT_OPEN" if self.winners is not None else self.refusal(seat, move)

    def facts(self) -> dict[str, Any]:
        """Return the case keys of the family and of the game."""
        return {"hands": {seat: self.cards_of(seat) for seat in self.order}, "out": self.out, **self.state()}

    def won(self) -> dict[int, int]:
        """Return what each seat wins of the antes before caps and fees: equal parts, odd chips by the left."""
        assert self.winners is not None, "the round goes on"
        ante = self.rules["ante"]
        each, odd = divmod(ante * len(self.order), len(self.winners))
        got = {seat: each + (place < odd) for place, seat in enumerate(left_of(self.winners, self.button))}
        return {seat: got.get(seat, 0) - ante for seat in self.order}

    def net(self) -> dict[int, int]:
        """Return what each seat wins or loses under the win cap."""
        won = self.won()
        if self.rules["win_cap"] != "stake":
            return won
        assert self.winners is not None, "the round goes on"
        around = left_of(self.order, self.button)
        for seat in sorted(self.winners, key=lambda winner: (-won[winner], around.index(winner))):
            over = max(0, won[seat] - self.carry[seat])
            won[seat] -= over
            losers = left_of([other for other in self.order if other not in self.winners], seat)
            # One winner's equal claims are scaled, a shared pot's excess goes back: either way in equal parts, but
            # an odd chip is owed by the first losers in the one case and given back to them in the other.
            each, odd = divmod(over, len(losers)) if losers else (0, 0)
            takers = losers[:odd] if len(self.winners) > 1 else losers[::-1][:odd]
            for other in losers:
                won[other] += each + (other in takers)
        return won
