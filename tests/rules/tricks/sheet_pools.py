"""Honeymoon, Spoil Five, Loo and Endurance by the sheet, see ``sheet_common``."""

from typing import Any

from tests.rules.tricks.sheet_common import ILLEGAL, Move, Reading, left_of


def counted(seats: list[int]) -> dict[int, int]:
    """Count how often each seat stands there; who does not is left out."""
    return {seat: seats.count(seat) for seat in sorted(set(seats))}


class Honeymoon(Reading):
    """``points`` lists the winner of each point."""

    def least(self) -> int:
        """Return the stake where a match starts from the pot."""
        return 0 if self.others() or self.pot else int(self.rules["stake"])

    def others(self) -> bool:
        """Return whether the other seats pay the points [honeymoon D3]."""
        return bool(self.rules["point_from"] == "others")

    def begin(self) -> None:
        """Stake at an empty pot, deal all cards [honeymoon Play 1, Play 2]."""
        self.points: list[int] = []
        if not self.others() and not self.pot:
            for seat in self.order:
                self.pay(seat, "pot", self.rules["stake"])
        self.deal(len(self.stock) // len(self.order), self.order)

    def won(self, winner: int) -> None:
        """Pay the points at once; at the end of a match the rest is shared [honeymoon Play 4, Play 5, D4]."""
        last = not self.hands[winner]
        queens = ["Qc"] if self.rules["queens"] == "club" else ["Qs", "Qh", "Qd", "Qc"]
        count = (self.tricks == 1) + last + any(card in queens for _, card, _ in self.lying)
        self.points += [winner] * count
        for _ in range(count):
            if self.others():
                for seat in self.order:
                    self.pay(seat, winner, self.rules["point"] if seat != winner else 0)
            else:
                self.pay("pot", winner, min(self.rules["point"], self.pot))
        self.done = last
        if last and not self.others() and 0 < self.rules["match_rounds"] <= self.match_round:
            each, odd = divmod(self.pot, len(self.order))
            for place, seat in enumerate(self.order):
                self.pay("pot", seat, each + (place < odd))

    def facts(self) -> dict[str, Any]:
        """Return the points."""
        return {"points": counted(self.points)}


class SpoilFive(Reading):
    """``takers`` lists the winner of each trick."""

    TRUMPS = "2346789TQKA*J5"
    RED = "23456789TJQKA"
    BLACK = "T98765432AJQK"

    def least(self) -> int:
        """Return two antes."""
        return 2 * int(self.rules["ante"])

    def begin(self) -> None:
        """Stake, deal five each, turn a card, ask who may rob [spoil_five Play 1, Play 2]."""
        self.takers: list[int] = []
        for seat in self.order:
            self.pay(seat, "pot", self.rules["ante"])
        self.deal(5, self.order)
        self.turned = self.stock.pop(0)
        self.trump = self.turned[1]
        ace = "A" + self.trump
        if self.turned == ace:
            self.asked = [self.button, *self.order[:-1]]
        else:
            self.asked = [seat for seat in self.order if ace in self.hands[seat]]

    def asked_refusal(self, seat: int, move: Move) -> str | None:
        """Let a card be given for the turned one, but not the ace that gives the right [spoil_five Play 2]."""
        if move["do"] == "pass":
            return None
        if move["do"] != "rob":
            return ILLEGAL
        fit = [card for card in self.hands[seat] if card != f"A{self.trump}"]
        return self.card_refusal(seat, [move["discard"]], fit)

    def answer(self, seat: int, move: Move) -> None:
        """Take the turned card, or let the right go on."""
        if move["do"] == "rob":
            self.hands[seat].remove(move["discard"])
            self.hands[seat].append(self.turned)
            self.asked = []
        else:
            self.asked.pop(0)

    def suit(self, card: str) -> str | None:
        """Return the suit; the ace of hearts is always a trump [spoil_five Play 3]."""
        return self.trump if card == "Ah" else card[1]

    def height(self, card: str) -> int:
        """Return the rank of a card among trumps, red or black cards."""
        if self.suit(card) == self.trump:
            return self.TRUMPS.index("*" if card == "Ah" else card[0])
        return (self.RED if card[1] in "hd" else self.BLACK).index(card[0])

    def legal(self, seat: int) -> list[str]:
        """Let five and jack of trumps call for the cards above which they stand [spoil_five Play 4]."""
        lie = [card for _, card, _ in self.lying]
        called: list[str] = []
        if f"J{self.trump}" in lie:
            called = ["Ah", f"A{self.trump}"]
        if f"5{self.trump}" in lie:
            called = ["Ah", f"A{self.trump}", f"J{self.trump}"]
        return [card for card in self.hands[seat] if card in called] or super().legal(seat)

    def won(self, winner: int) -> None:
        """Pay the pot for three tricks, and an ante of each for all five [spoil_five "Pays"]."""
        self.takers.append(winner)
        self.done = len(self.takers) == 5
        for seat in self.order if self.done else []:
            if self.takers.count(seat) >= 3:
                self.pay("pot", seat, self.pot)
            if self.takers.count(seat) == 5:
                for other in self.order:
                    self.pay(other, seat, self.rules["ante"] if other != seat else 0)

    def facts(self) -> dict[str, Any]:
        """Return the tricks."""
        return {"tricks": counted(self.takers)}


class Loo(Reading):
    """``part``: miss, single, support, exchange, double; ``stay``, ``pool``: who and what is in the double pool."""

    def least(self) -> int:
        """Return three stakes."""
        return 3 * int(self.rules["stake"])

    def begin(self) -> None:
        """Let the dealer stake, deal hands and Miss, ask the dealer [loo Play 1, Play 2]."""
        self.hands[-1] = []
        self.pay(self.button, "pot", self.rules["stake"])
        self.deal(3, [*self.order, -1])
        self.miss = self.hands.pop(-1)
        self.part = "miss"
        self.asked = [self.button]
        self.stay = list(self.order)
        self.taken: dict[str, list[int]] = {"single": []}
        self.flush: int | None = None
        self.pool = 0

    def players(self) -> list[int]:
        """Return the seats that take part: all, or those in the double pool."""
        return self.order if self.part == "single" else self.stay

    def asked_refusal(self, seat: int, move: Move) -> str | None:
        """Let either of the two answers be given."""
        assert seat == self.asked[0], "whose turn it is was tested"
        fit = ("support", "fold") if self.part == "support" else ("exchange", "pass")
        return None if move["do"] in fit else ILLEGAL

    def silent_answer(self) -> Move:
        """Fold or pass [loo Play 5, Play 2, Play 6]."""
        return {"do": "fold" if self.part == "support" else "pass"}

    def answer(self, seat: int, move: Move) -> None:
        """Carry out an answer; once all have answered, go on."""
        self.asked.pop(0)
        if move["do"] == "exchange":
            self.hands[seat], self.miss, self.asked = self.miss, [], []
        if move["do"] == "fold":
            self.stay.remove(seat)
        if self.asked:
            return
        if self.part == "miss":
            self.part = "single"
        elif self.part == "support" and self.stay == [self.button]:
            self.taken["double"] = []
            self.pay("pot", self.button, self.pool)
            self.done = True
        elif self.part == "support" and self.miss:
            self.part, self.asked = "exchange", self.stay[:-1]
        else:
            self.play_double()

    def start_double(self) -> None:
        """Stake, turn trumps, deal anew, ask the opponents [loo Play 4, Play 5]."""
        for seat in self.order:
            self.pay(seat, "pot", self.rules["stake"])
        self.pool = self.pot
        self.trump = self.stock.pop(0)[1]
        self.hands = {seat: [] for seat in self.order}
        self.deal(3, self.order)
        self.part, self.asked = "support", self.order[:-1]

    def play_double(self) -> None:
        """Let a flush win, otherwise begin to play [loo Play 7, Play 8]."""
        flushes = [seat for seat in self.stay if {card[1] for card in self.hands[seat]} == {self.trump}]
        self.part, self.turn = "double", self.stay[0]
        if not flushes:
            self.taken["double"] = []
            return
        self.flush = flushes[0]
        self.pay("pot", self.flush, self.pool)
        self.loo([self.flush])

    def loo(self, spared: list[int]) -> None:
        """Put the stakes of seats that stayed and are not spared into the next pot [loo Play 7, Play 9]."""
        for seat in self.stay:
            self.pay(seat, "pot", 0 if seat in spared else self.rules["stake"])
        self.done = True

    def legal(self, seat: int) -> list[str]:
        """Let two trumps bind the first lead of the double pool [loo Play 8]."""
        trumps = [card for card in self.hands[seat] if card[1] == self.trump]
        first = self.part == "double" and not self.taken["double"] and not self.lying
        return trumps if first and len(trumps) >= 2 else super().legal(seat)

    def cut_short(self) -> bool:
        """Return whether the last card is of another suit [loo Play 3, Play 8]."""
        return self.lying[-1][1][1] != self.lying[0][1][1]

    def won(self, winner: int) -> None:
        """Pay a third; after three tricks the pool is over [loo Play 3, Play 8, Play 9]."""
        taken = self.taken[self.part]
        taken.append(winner)
        self.pay("pot", winner, (self.rules["stake"] if self.part == "single" else self.pool) // 3)
        if len(taken) == 3 and self.part == "single":
            self.start_double()
        elif len(taken) == 3:
            self.loo(taken)

    def facts(self) -> dict[str, Any]:
        """Return the tricks of both pools, or the flush."""
        found: dict[str, Any] = {part: counted(taken) for part, taken in self.taken.items()}
        return found if self.flush is None else {**found, "flush": self.flush}


class Endurance(Reading):
    """``gone`` lists the seats that ran out of cards, in order."""

    def least(self) -> int:
        """Return the ante."""
        return int(self.rules["ante"])

    def begin(self) -> None:
        """Deal; the dealer's last card shows trumps [endurance Play 1]."""
        self.gone: list[int] = []
        self.deal({4: 6, 5: 5, 6: 4}[len(self.order)], self.order)
        self.trump = self.hands[self.button][-1][1]

    def won(self, winner: int) -> None:
        """Let the winner draw, then put out empty seats; the last one wins [endurance Play 3, Play 4, D2, D4]."""
        self.hands[winner].append(self.stock.pop(0))
        self.gone += [seat for seat, _, _ in self.lying if not self.hands[seat]]
        if len(self.gone) == len(self.order) - 1:
            self.done = True
            for seat in left_of(self.gone, winner):
                self.pay(seat, winner, self.rules["ante"])

    def facts(self) -> dict[str, Any]:
        """Return the winner, the seats that ran out, and the number of tricks."""
        return {"winner": self.turn, "eliminated": self.gone, "tricks": self.tricks}
