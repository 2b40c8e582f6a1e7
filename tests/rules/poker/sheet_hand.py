"""The games of the poker sheets, read literally: deal, streets, draw, exposure, showdown, pots and rake."""

from collections.abc import Callable
from dataclasses import dataclass, field

from services.rules.cards import PACK_52, RANKS, SUITS, Card
from tests.rules.poker import sheet_ladders
from tests.rules.poker.sheet_betting import BLIND_GAMES, BOARD_GAMES, DRAW_GAMES, ILLEGAL, Bets, Move

SHORT = "6789TJQKA"
Shuffle = Callable[[list[Card]], list[Card]]
DOWN_FIRST = {
    "texas_holdem": 2,
    "royal_holdem": 2,
    "omaha": 4,
    "omaha_hi_lo": 4,
    "short_deck": 2,
    "five_card_draw": 5,
    "deuce_to_seven_triple_draw": 5,
    "badugi": 4,
    "zha_jin_hua": 3,
    "five_card_stud": 1,
    "seven_card_stud": 2,
}
SPLIT = ("omaha_hi_lo",)
"""Games whose pots are divided into a high and a low half."""
LAST_ROUND = {"five_card_draw": 2, "zha_jin_hua": 1, "seven_card_stud": 5}
"""The last betting round; in all other games the fourth."""


@dataclass
class Hand(Bets):
    """One hand; ``phase`` is ``bet``, ``draw``, ``expose`` or ``over``."""

    shuffle: Shuffle = list
    button: int = 0
    phase: str = "bet"
    stock: list[Card] = field(default_factory=list)
    down: dict[int, list[Card]] = field(default_factory=dict)
    up: dict[int, list[Card]] = field(default_factory=dict)
    board: list[Card] = field(default_factory=list)
    queue: list[int] = field(default_factory=list)
    discards: list[Card] = field(default_factory=list)
    chosen: dict[int, Card] = field(default_factory=dict)
    pots: list[tuple[int, list[int]]] = field(default_factory=list)
    hands: dict[int, str] = field(default_factory=dict)
    lows: dict[int, str] = field(default_factory=dict)
    low_winners: list[list[int]] = field(default_factory=list)
    net: dict[int, int] = field(default_factory=dict)
    fee: int = 0

    def start(self) -> None:
        """Post, deal, and open the first betting round."""
        self.live = set(self.ring)
        self.paid = dict.fromkeys(self.ring, 0)
        self.down, self.up = {seat: [] for seat in self.ring}, {seat: [] for seat in self.ring}
        self.fresh()
        small = self.post()
        self.stock = self.shuffle([card for card in PACK_52 if self.game != "short_deck" or card[0] in SHORT])
        first = self.ring.index(small) if self.game == "royal_holdem" else 0
        order = self.ring[first:] + self.ring[:first]
        for _ in range(DOWN_FIRST[self.game]):
            self.deal(order, self.down)
        if self.game.endswith("stud"):
            self.deal(order, self.up)
        self.open(self.left_of(self.big) if self.game in BLIND_GAMES else self.opener())

    def post(self) -> int:
        """Post blinds or antes [poker 0.1]; return the seat of the small blind."""
        if self.game not in BLIND_GAMES or self.game == "short_deck":
            for seat in self.ring:
                self.put(seat, min(self.rules["ante"], self.chips[seat]))
            self.give_back()
            self.fresh()
        if self.game not in BLIND_GAMES:
            return self.ring[0]
        if self.rules["forced_bets"] == "button_blind":
            self.big = self.button
            self.put(self.big, min(self.rules["minimum"], self.chips[self.big]))
            self.price, self.count = self.rules["minimum"], 1
            return self.ring[0]
        two = len(self.ring) == 2
        small = self.button if two and self.rules["heads_up_blinds"] == "button_small" else self.ring[0]
        self.big = self.left_of(small)
        self.put(small, min(self.rules["small"], self.chips[small]))
        self.put(self.big, min(self.rules["minimum"], self.chips[self.big]))
        self.price, self.count = self.rules["minimum"], 1
        return small

    def left_of(self, seat: int) -> int:
        """Return the next seat to the left."""
        return self.ring[(self.ring.index(seat) + 1) % len(self.ring)]

    def deal(self, order: list[int], hands: dict[int, list[Card]]) -> None:
        """Deal one card to each live seat."""
        for seat in order:
            if seat in self.live:
                hands[seat].append(self.stock.pop(0))

    def opener(self) -> int:
        """Return the seat from which a betting round after the blinds starts."""
        if self.game.endswith("stud"):
            order = self.rules["flush_order"]
            return max(self.live, key=lambda seat: sheet_ladders.visible(self.up[seat], order))
        return next(seat for seat in self.ring if seat in self.live)

    def open(self, first: int) -> None:
        """Open a betting round, or pass over it where nobody must act."""
        self.phase = "bet"
        if not self.pass_turn(first):
            self.close()

    def close(self) -> None:
        """Close a betting round and go on."""
        self.give_back()
        self.fresh()
        if len(self.live) == 1:
            self.finish()
            return
        self.number += 1
        if self.number > LAST_ROUND.get(self.game, 4):
            self.finish()
        elif self.game in DRAW_GAMES:
            self.phase, self.queue = "draw", [seat for seat in self.ring if seat in self.live]
            self.turn = self.queue.pop(0)
        else:
            self.street()

    def street(self) -> None:
        """Deal a street; then an exposure before the last round of stud, else betting."""
        exposure = self.game.endswith("stud") and self.number == LAST_ROUND.get(self.game, 4)
        if self.game in BOARD_GAMES:
            for _ in range(3 if self.number == 2 else 1):
                self.board.append(self.stock.pop(0))
        else:
            self.deal(self.ring, self.down if exposure else self.up)
        if exposure and sum(self.chips[seat] > 0 for seat in self.live) > 1:
            self.phase, self.turn = "expose", None
        else:
            self.open(self.opener())

    def asked(self) -> set[int]:
        """Return the seats that may decide now."""
        if self.phase == "expose":
            return self.live - set(self.chosen)
        return set() if self.turn is None else {self.turn}

    def reason(self, seat: int, move: Move) -> str | None:
        """Return the reason for which an action is refused, in the order of 0.4; None if it is legal."""
        if seat not in self.ring:
            return "NOT_SEATED"
        if self.phase == "over":
            return "ROUND_NOT_OPEN"
        if seat not in self.asked():
            return "OUT_OF_TURN"
        return self.refusal(seat, move) if self.phase == "bet" else self.refusal_of_cards(seat, move)

    def refusal_of_cards(self, seat: int, move: Move) -> str | None:
        """Return the reason for which an action is refused in a draw or an exposure; None if it is legal."""
        if move[0] != self.phase:
            return ILLEGAL
        cards = list(move[1]) if self.phase == "draw" else [move[1]]
        if any(card not in self.down[seat] + self.up[seat] for card in cards):
            return "CARD_NOT_HELD"
        return "ILLEGAL_CARDS" if len(set(cards)) < len(cards) or set(cards) & set(self.up[seat]) else None

    def act(self, seat: int, move: Move) -> None:
        """Carry out a legal action."""
        if self.phase == "bet":
            self.bet(seat, move)
            if not self.pass_turn(self.left_of(seat)):
                self.close()
        elif self.phase == "draw":
            self.draw(seat, list(move[1]))
        else:
            self.chosen[seat] = move[1]
            if not self.asked():
                self.turn_up()

    def draw(self, seat: int, cards: list[Card]) -> None:
        """Exchange cards (five_card_draw, steps 4 and 5)."""
        self.down[seat] = [card for card in self.down[seat] if card not in cards]
        for _ in cards:
            if not self.stock:
                folded = [card for other in self.ring if other not in self.live for card in self.down[other]]
                self.stock, self.discards = self.shuffle(self.discards + folded), []
                self.down |= {other: [] for other in self.ring if other not in self.live}
            self.down[seat].append(self.stock.pop(0))
        self.discards += cards
        self.turn = self.queue.pop(0) if self.queue else None
        if self.turn is None:
            self.open(self.opener())

    def turn_up(self) -> None:
        """Show the chosen cards together and open the last betting round."""
        for seat, card in self.chosen.items():
            self.down[seat].remove(card)
            self.up[seat].append(card)
        self.open(self.opener())

    def late(self) -> None:
        """Let the deadline pass [poker 0.6]."""
        if self.phase == "expose":
            for seat in self.asked():
                self.chosen[seat] = self.down[seat][-1]
            self.turn_up()
        elif self.turn is not None and self.phase == "draw":
            self.act(self.turn, ("draw", ()))
        elif self.turn is not None:
            checks = self.rules["timeout"] != "fold" and self.refusal(self.turn, ("check",)) is None
            self.act(self.turn, ("check",) if checks else ("fold",))

    def finish(self) -> None:
        """Share the pots [poker 0.5]."""
        self.phase, self.turn = "over", None
        shown = {} if len(self.live) == 1 else {seat: self.best(seat) for seat in self.live}
        self.hands = {seat: name for seat, (_, name) in shown.items()}
        lows = {seat: self.low(seat) for seat in self.live} if shown and self.game in SPLIT else {}
        self.lows = {seat: sheet_ladders.spelled(low) for seat, low in lows.items() if low}
        self.net = {seat: -paid for seat, paid in self.paid.items()}
        below = 0
        for level in sorted({self.paid[seat] for seat in self.live} - {0}):
            amount = sum(min(paid, level) - min(paid, below) for paid in self.paid.values())
            may_win = [seat for seat in self.ring if seat in self.live and self.paid[seat] >= level]
            top = max(shown[seat][0] for seat in may_win) if shown else ()
            highest = [seat for seat in may_win if not shown or shown[seat][0] == top]
            bottom = min((lows[seat] for seat in may_win if lows.get(seat)), default=())
            self.share(amount, highest, [seat for seat in may_win if bottom and lows[seat] == bottom])
            below = level

    def low(self, seat: int) -> sheet_ladders.Strength:
        """Return the best low hand of a seat, its ranks from high to low; empty where it has none."""
        return sheet_ladders.eight_or_better(self.game, self.down[seat] + self.up[seat], self.board)

    def best(self, seat: int) -> tuple[sheet_ladders.Strength, str]:
        """Rank a seat's hand."""
        return sheet_ladders.best(self.game, self.down[seat] + self.up[seat], self.board, self.rules["flush_order"])

    def share(self, amount: int, winners: list[int], lowest: list[int]) -> None:
        """Take the rake of a pot, halve it for low hands, and share it, odd chips from the left of the button."""
        self.pots.append((amount, sorted(winners)))
        self.low_winners.append(sorted(lowest))
        rake = amount * self.rules["rake_bps"] // 10_000
        if self.rules["rake_cap"]:
            rake = min(rake, self.rules["rake_cap"] - self.fee)
        if self.rules["no_flop_no_drop"] and not self.board:
            rake = 0
        self.fee += rake
        low_half = (amount - rake) // 2 if lowest else 0
        for half, seats in ((amount - rake - low_half, winners), (low_half, lowest)):
            each, odd = divmod(half, len(seats) or 1)
            for place, seat in enumerate(seats):
                self.net[seat] += each + (place < odd)


def drawn_dealer(seats: list[int], order: list[Card]) -> int:
    """Return the dealer by the cards drawn in seat order: highest rank, then suit [royal_holdem Play 1]."""
    drawn = dict(zip(seats, order, strict=False))
    return max(seats, key=lambda seat: (RANKS.index(drawn[seat][0]), SUITS.index(drawn[seat][1])))
