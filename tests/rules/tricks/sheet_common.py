"""What all trick games share, read from the sheet sentence by sentence, for tests to compare with.

Nothing here, or in ``sheet_pools`` and ``sheet_napoleon``, is shared with the engine. ``order`` lists the seats of the
round from the left of the button, the button last; ``ledger`` is what each seat and the pot has won or lost by claims.
"""

from collections.abc import Iterable
from typing import Any

ILLEGAL = "ILLEGAL_ACTION"
RANKS = "23456789TJQKA"
SUITS = "cdhs"
Move = dict[str, Any]
"""An action: its word under ``do``, then its arguments."""


def left_of(seats: Iterable[int], seat: int) -> list[int]:
    """List seats clockwise, from the left of one of them; that one itself comes last."""
    ring = sorted(seats)
    return [other for other in ring if other > seat] + [other for other in ring if other <= seat]


class Reading:
    """One round; ``lying`` is the trick: seat, card and whether it is face down."""

    def __init__(self, rules: dict[str, Any], table: Any, deck: list[str]) -> None:
        self.rules = rules
        self.pot: int = table.pot
        self.match_round = table.memory.get("match_round", 1)
        self.seats = [seat for seat, held in table.chips.items() if held >= self.least()]
        first = table.first_button
        self.button = first if first in self.seats else left_of(self.seats, first)[0]
        self.order = left_of(self.seats, self.button)
        self.stock = list(deck)
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.order}
        self.ledger: dict[int | str, int] = {"pot": 0, **dict.fromkeys(self.order, 0)}
        self.lying: list[tuple[int, str, bool]] = []
        self.trump: str | None = None
        self.asked: list[int] = []
        self.turn = self.order[0]
        self.tricks = 0
        self.done = False
        self.begin()

    # -- what a game says of itself

    def least(self) -> int:
        """Return the least carry."""
        raise NotImplementedError

    def begin(self) -> None:
        """Stake, deal, and go on to the first decision."""
        raise NotImplementedError

    def won(self, winner: int) -> None:
        """Do what a trick brings; it lies there still."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Return the case keys at the end."""
        raise NotImplementedError

    def asked_refusal(self, seat: int, move: Move) -> str | None:
        """Return the reason for which an answer is refused."""
        raise NotImplementedError

    def answer(self, seat: int, move: Move) -> None:
        """Carry out an answer."""
        raise NotImplementedError

    def silent_answer(self) -> Move:
        """Return the answer of a deadline."""
        return {"do": "pass"}

    def players(self) -> list[int]:
        """Return the seats that play to a trick."""
        return [seat for seat in self.order if self.hands[seat]]

    def suit(self, card: str) -> str | None:
        """Return the suit that a card belongs to."""
        return card[1]

    def height(self, card: str) -> int:
        """Return the rank of a card within its suit."""
        return RANKS.index(card[0])

    def strength(self, card: str) -> tuple[int, int]:
        """Rank a card of the trick: trumps over the led suit over all else."""
        led = self.led()
        return 2 if self.suit(card) == self.trump else 1 if self.suit(card) == led else 0, self.height(card)

    def weakness(self, card: str) -> tuple[int, ...]:
        """Order cards for a deadline: plain before trumps, then the lowest, then c d h s."""
        return int(self.suit(card) == self.trump), self.height(card), SUITS.find(card[1])

    def legal(self, seat: int) -> list[str]:
        """List the cards that may be played: those that follow suit, or any."""
        led = self.led()
        return [card for card in self.hands[seat] if self.suit(card) == led] or list(self.hands[seat])

    def cut_short(self) -> bool:
        """Return whether the last card ended the trick at once."""
        return False

    # -- mechanics

    def deal(self, count: int, order: list[int]) -> None:
        """Deal ``count`` cards each, one at a time."""
        for _ in range(count):
            for seat in order:
                self.hands[seat].append(self.stock.pop(0))

    def pay(self, payer: int | str, payee: int | str, amount: int) -> None:
        """Note a claim."""
        self.ledger[payer] -= amount
        self.ledger[payee] += amount
        self.pot += amount * ((payee == "pot") - (payer == "pot"))

    def led(self) -> str | None:
        """Return the suit of the first card that is face up."""
        open_ = [card for _, card, down in self.lying if not down]
        return self.suit(open_[0]) if open_ else None

    def reason(self, seat: int, move: Move) -> str | None:
        """Return the reason for which a move is refused, None where it is not."""
        if seat not in self.seats:
            return "NOT_SEATED"
        if self.done:
            return "ROUND_NOT_OPEN"
        if seat != self.now():
            return "OUT_OF_TURN"
        return self.asked_refusal(seat, move) if self.asked else self.play_refusal(seat, move)

    def now(self) -> int:
        """Return the seat that must act."""
        return self.asked[0] if self.asked else self.turn

    def play_refusal(self, seat: int, move: Move) -> str | None:
        """Let exactly one card be played, held and legal."""
        if move["do"] != "play":
            return ILLEGAL
        return self.card_refusal(seat, move["cards"], self.legal(seat))

    def card_refusal(self, seat: int, cards: list[str], legal: list[str]) -> str | None:
        """Test that all are held, then that it is one of the legal ones."""
        if any(card not in self.hands[seat] for card in cards):
            return "CARD_NOT_HELD"
        return None if len(cards) == 1 and cards[0] in legal else "ILLEGAL_CARDS"

    def act(self, seat: int, move: Move) -> None:
        """Carry out a move that is not refused."""
        if self.asked:
            self.answer(seat, move)
        else:
            self.lay(seat, move["cards"][0])

    def late(self) -> None:
        """Let the deadline pass."""
        if self.asked:
            self.answer(self.asked[0], self.silent_answer())
        else:
            self.lay(self.turn, min(self.legal(self.turn), key=self.weakness))

    def lay(self, seat: int, card: str, *, down: bool = False) -> None:
        """Lay a card; the next seat plays, or the trick is over."""
        taking_part = self.players()
        self.hands[seat].remove(card)
        self.lying.append((seat, card, down))
        played = [other for other, _, _ in self.lying]
        rest = [other for other in left_of(taking_part, seat) if other not in played]
        if rest and not self.cut_short():
            self.turn = rest[0]
            return
        winner = max((entry for entry in self.lying if not entry[2]), key=lambda entry: self.strength(entry[1]))[0]
        self.tricks += 1
        self.turn = winner
        self.won(winner)
        self.lying = []
