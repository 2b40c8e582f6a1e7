"""Ninety-nine, Pull the Cart and War by the sheet, see ``sheet_common``."""

from typing import Any

from tests.rules.survival.sheet_common import ILLEGAL, Move, Reading, left_of

NUMBERS = {"A": 1, "2": 2, "3": 3, "6": 6, "7": 7, "8": 8, "9": 9}
SIGNED = {"T": 10, "Q": 20}
STRENGTH = "23456789TJQKA"


class NinetyNine(Reading):
    """``held`` are hands in the order of receipt; ``refill`` gives the order of a new stock."""

    def begin(self) -> None:
        """Deal five each, turn a card, and let it act as if the button had played it [ninety_nine Play 1, Play 2]."""
        self.stock = list(self.deck)
        for _ in range(5):
            for seat in self.order:
                self.held[seat].append(self.stock.pop(0))
        self.total, self.direction, self.played = 0, 1, 0
        self.pile: list[str] = []
        self.turn = self.button
        self.look_at(self.effect(self.button, self.stock.pop(0), "plus", None))

    def beside(self, seat: int) -> int:
        """Return the next seat in, in the direction of play."""
        others = [other for other in left_of(self.inside, seat) if other != seat]
        return others[0] if self.direction == 1 else others[-1]

    def fits(self, card: str, sign: str | None) -> bool:
        """Return whether a card leaves the total at 99 or below."""
        if card[0] in "45JK" or sign == "minus":
            return True
        return self.total + {**NUMBERS, **SIGNED}[card[0]] <= 99

    def able(self, seat: int) -> list[str]:
        """List the playable cards, the one held longest first; T and Q always go with minus."""
        return [card for card in self.held[seat] if self.fits(card, "minus" if card[0] in SIGNED else None)]

    def effect(self, seat: int, card: str, sign: str | None, named: int | None) -> int:
        """Apply a card's effect, and return the seat that is next."""
        self.pile.append(card)
        rank = card[0]
        if rank in NUMBERS:
            self.total += NUMBERS[rank]
        if rank in SIGNED:
            self.total = self.total + SIGNED[rank] if sign == "plus" else max(0, self.total - SIGNED[rank])
        if rank == "K":
            self.total = 99
        if rank == "4":
            self.direction = -self.direction
        if named is not None:
            return named
        after = self.beside(seat)
        return self.beside(after) if rank == "5" else after

    def look_at(self, seat: int) -> None:
        """Put out a seat on turn without a playable card; the last seat left wins at once [ninety_nine Play 4]."""
        while len(self.inside) > 1 and not self.able(seat):
            after = self.beside(seat)
            self.pile += self.held[seat]
            self.held[seat] = []
            self.out.append(seat)
            self.inside.remove(seat)
            seat = after
        self.turn = seat
        if len(self.inside) == 1:
            self.winners = list(self.inside)

    def refusal(self, seat: int, move: Move) -> str | None:
        """Test turn, words, holding, and the total."""
        if seat != self.turn:
            return "OUT_OF_TURN"
        if move["do"] != "play":
            return ILLEGAL
        cards = move["cards"]
        if len(cards) == 1 and not self.words_fit(seat, cards[0], move.get("sign"), move.get("next")):
            return ILLEGAL
        if any(card not in self.held[seat] for card in cards):
            return "CARD_NOT_HELD"
        return None if len(cards) == 1 and self.fits(cards[0], move.get("sign")) else "ILLEGAL_CARDS"

    def words_fit(self, seat: int, card: str, sign: str | None, named: int | None) -> bool:
        """Return whether sign and next are given exactly where they are needed."""
        choosing = card[0] == "5" and self.rules["five"] == "choose"
        signs = ("plus", "minus") if card[0] in SIGNED else (None,)
        seats = [other for other in self.inside if other != seat] if choosing else [None]
        return sign in signs and named in seats

    def act(self, seat: int, move: Move) -> None:
        """Play a card, draw one, look at the next seat [ninety_nine Play 3, Play 5, Play 6]."""
        card = move["cards"][0]
        self.held[seat].remove(card)
        after = self.effect(seat, card, move.get("sign"), move.get("next"))
        self.played += 1
        if not self.stock:
            self.stock, self.pile = self.pile, []
        self.held[seat].append(self.stock.pop(0))
        if self.played >= self.rules["max_turns"]:
            self.winners = sorted(self.inside)
        else:
            self.look_at(after)

    def late(self) -> None:
        """Play the playable card held longest [ninety_nine Play 6]."""
        card = self.able(self.turn)[0]
        move: Move = {"do": "play", "cards": [card]}
        if card[0] in SIGNED:
            move["sign"] = "plus" if self.fits(card, "plus") else "minus"
        if card[0] == "5" and self.rules["five"] == "choose":
            move["next"] = self.beside(self.turn)
        self.act(self.turn, move)

    def state(self) -> dict[str, Any]:
        """Return total, direction and stock; and whose turn it is while the round goes on."""
        known = {"total": self.total, "direction": self.direction, "stock": len(self.stock)}
        return known if self.winners else {**known, "turn": self.turn}


class PullCart(Reading):
    """``row`` is on the table; ``right`` is the seat that may collect."""

    def begin(self) -> None:
        """Deal all; the seat left of the button begins [pull_cart Play 1, D2]."""
        self.deal_all()
        self.row: list[str] = []
        self.right: int | None = None
        self.flips = 0
        self.turn = self.order[0]

    def over(self) -> bool:
        """Return whether the last permitted card was turned."""
        return self.flips >= int(self.rules["max_turns"])

    def refusal(self, seat: int, move: Move) -> str | None:
        """Let only the right's seat collect, and only the seat in turn flip."""
        if move["do"] == "collect":
            return None if seat == self.right else ILLEGAL
        if seat != self.turn:
            return "OUT_OF_TURN"
        return ILLEGAL if self.over() or move["do"] != "flip" else None

    def act(self, seat: int, move: Move) -> None:
        """Flip or collect [pull_cart Play 2, Play 3]."""
        if move["do"] == "flip":
            self.flip()
            return
        earlier = [place for place, card in enumerate(self.row[:-1]) if card[0] == self.row[-1][0]]
        self.held[seat] += self.row[earlier[-1] :]
        self.row = self.row[: earlier[-1]]
        self.right = None
        self.turn = seat
        if self.over():
            self.most_cards()

    def flip(self) -> None:
        """Turn the top card of the seat in turn; an open right ends before [pull_cart Play 4, Play 5]."""
        seat = self.turn
        if self.right is not None:
            self.right = None
            self.count_out()
        if self.winners is not None:
            return
        card = self.held[seat].pop(0)
        self.flips += 1
        matched = any(card[0] == other[0] for other in self.row)
        self.row.append(card)
        self.turn = self.next_in(seat)
        if matched:
            self.right = seat
            return
        self.count_out()
        if self.winners is None and self.over():
            self.most_cards()

    def count_out(self) -> None:
        """Let seats without cards go out; the last one's is the row too [pull_cart Play 5]."""
        self.drop_empty(self.button)
        if self.winners is not None:
            self.held[self.winners[0]] += self.row
            self.row = []

    def late(self) -> None:
        """Flip; after the last permitted card the right ends [pull_cart Play 4, Play 6]."""
        if not self.over():
            self.flip()
            return
        self.right = None
        self.count_out()
        if self.winners is None:
            self.most_cards()

    def state(self) -> dict[str, Any]:
        """Return the row and the flips; and whose turn it is while the round goes on."""
        known = {"line": " ".join(self.row), "flips": self.flips}
        return known if self.winners else {**known, "turn": self.turn}


class War(Reading):
    """``queue`` lists who still turns a card before the next comparison, ``shown`` who turned what since the last."""

    def begin(self) -> None:
        """Deal all; the button turns first [war Play 1, Play 2, D5]; with ``auto_flip`` the server turns all."""
        self.deal_all()
        self.battles = 0
        self.muster(self.button)
        while self.rules["auto_flip"] and self.winners is None:
            self.flip()

    def muster(self, first: int) -> None:
        """Begin a battle."""
        self.queue = [first, *(seat for seat in left_of(self.inside, first) if seat != first)]
        self.turned: list[str] = []
        self.shown: dict[int, int] = {}

    def refusal(self, seat: int, move: Move) -> str | None:
        """Let only the seat in turn flip."""
        if seat != self.queue[0]:
            return "OUT_OF_TURN"
        return None if move["do"] == "flip" else ILLEGAL

    def act(self, seat: int, move: Move) -> None:
        """Flip."""
        assert (seat, move["do"]) == (self.queue[0], "flip"), "nothing else is accepted"
        self.flip()

    def late(self) -> None:
        """Flip [war Play 2]."""
        self.flip()

    def flip(self) -> None:
        """Turn a card; once all have, compare [war Play 3, Play 4]."""
        seat = self.queue.pop(0)
        card = self.held[seat].pop(0)
        self.turned.append(card)
        self.shown[seat] = STRENGTH.index(card[0])
        if self.queue:
            return
        tied = [other for other in self.shown if self.shown[other] == max(self.shown.values())]
        able = [other for other in tied if self.held[other]]
        if len(tied) == 1 or not able:
            self.take(tied[0])
        elif len(able) == 1:
            self.take(able[0])
        else:
            self.queue, self.shown = able, {}

    def take(self, winner: int) -> None:
        """Put all cards of the battle under the winner's stack; who has none is out [war Play 3, Play 5, Play 6]."""
        self.held[winner] += self.turned
        self.battles += 1
        self.drop_empty(winner)
        if self.winners is None and self.battles >= self.rules["max_turns"]:
            self.most_cards()
        self.muster(winner)

    def state(self) -> dict[str, Any]:
        """Return the battles fought."""
        return {"battles": self.battles}
