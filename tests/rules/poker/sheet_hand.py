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
    """One hand; ``phase`` is ``bet``, ``draw``, ``expose``, ``run_it``, ``show`` or ``over``.

    ``answers``: who has agreed to two boards; ``common``: the table cards of both, None unless all have agreed.
    """

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
    answers: set[int] = field(default_factory=set)
    choosing: set[int] = field(default_factory=set)
    named: list[tuple[dict[int, str], dict[int, str]]] = field(default_factory=list)
    was_asked: bool = False
    common: list[Card] | None = None
    second: list[Card] = field(default_factory=list)
    second_winners: list[list[int]] = field(default_factory=list)
    second_low_winners: list[list[int]] = field(default_factory=list)
    second_hands: dict[int, str] = field(default_factory=dict)
    second_lows: dict[int, str] = field(default_factory=dict)
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
        elif self.asks_for_boards():
            self.phase, self.turn, self.was_asked = "run_it", None, True
        elif self.game in DRAW_GAMES:
            self.phase, self.queue = "draw", [seat for seat in self.ring if seat in self.live]
            self.turn = self.queue.pop(0)
        else:
            self.street()

    def asks_for_boards(self) -> bool:
        """Return whether the live seats are asked before the next table cards [poker 0.16]."""
        with_chips = [seat for seat in self.live if self.chips[seat]]
        return self.rules["run_it"] == "twice" and not self.was_asked and len(with_chips) < 2

    def answer(self, seat: int, move: Move) -> None:
        """Take an answer; one refusal settles it, and so do all agreements."""
        if move[0] == "run_twice":
            self.answers.add(seat)
            if self.answers != self.live:
                return
            self.common = list(self.board)
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
        if self.phase == "run_it":
            return self.live - self.answers
        if self.phase == "show":
            return set(self.choosing)
        return set() if self.turn is None else {self.turn}

    def reason(self, seat: int, move: Move) -> str | None:
        """Return the reason for which an action is refused, in the order of 0.4; None if it is legal."""
        if seat not in self.ring:
            return "NOT_SEATED"
        if self.phase == "over":
            return "ROUND_NOT_OPEN"
        if seat not in self.asked():
            return "OUT_OF_TURN"
        if self.phase == "show":
            return None if move[0] in ("reveal", "muck") else ILLEGAL
        if self.phase == "run_it":
            return None if move[0] in ("run_twice", "run_once") else ILLEGAL
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
        elif self.phase == "run_it":
            self.answer(seat, move)
        elif self.phase == "show":
            self.show(seat, move)
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
        elif self.phase == "run_it":
            self.street()
        elif self.phase == "show":
            self.phase, self.choosing = "over", set()
        elif self.turn is not None and self.phase == "draw":
            self.act(self.turn, ("draw", ()))
        elif self.turn is not None:
            checks = self.rules["timeout"] != "fold" and self.refusal(self.turn, ("check",)) is None
            self.act(self.turn, ("check",) if checks else ("fold",))

    def finish(self) -> None:
        """Share the pots [poker 0.5], each between the boards first if there are two."""
        self.phase, self.turn = "over", None
        self.net = {seat: -paid for seat, paid in self.paid.items()}
        shows = len(self.live) > 1
        if self.common is not None:
            missing = len(self.board) - len(self.common)
            self.second = self.common + [self.stock.pop(0) for _ in range(missing)]
        boards = [self.board, self.second] if self.second else [self.board]
        made = [{seat: self.best(seat, board) for seat in self.live} if shows else {} for board in boards]
        lows = [{seat: self.low(seat, board) for seat in self.live} if self.splits(shows) else {} for board in boards]
        hands = [{seat: name for seat, (_, name) in of.items()} for of in made]
        spelled = [{seat: sheet_ladders.spelled(low) for seat, low in of.items() if low} for of in lows]
        self.named = list(zip(hands, spelled, strict=True))
        below, winning = 0, set[int]()
        for level in sorted({self.paid[seat] for seat in self.live} - {0}):
            amount = sum(min(paid, level) - min(paid, below) for paid in self.paid.values())
            may_win = [seat for seat in self.ring if seat in self.live and self.paid[seat] >= level]
            won = [self.winners(may_win, of, low) for of, low in zip(made, lows, strict=True)]
            self.share(amount, won)
            winning |= {seat for of_board in won for half in of_board for seat in half}
            below = level
        self.choosing = self.choosers(winning)
        for seat in self.live - self.choosing:
            self.name(seat)
        if self.choosing:
            self.phase = "show"

    def choosers(self, winning: set[int]) -> set[int]:
        """Return the seats that may choose whether to show [poker 0.17]."""
        if len(self.live) == 1:
            return set(self.live) if self.rules["show"] != "all" else set()
        if self.rules["show"] != "losers" or any(not self.chips[seat] for seat in self.live):
            return set()
        return self.live - winning

    def show(self, seat: int, move: Move) -> None:
        """Take a choice."""
        self.choosing.remove(seat)
        if move[0] == "reveal":
            self.name(seat)
        if not self.choosing:
            self.phase = "over"

    def name(self, seat: int) -> None:
        """Name the hand of a seat, on each board, and its low hand."""
        for place, (hands, lows) in enumerate(self.named):
            of, low = (self.second_hands, self.second_lows) if place else (self.hands, self.lows)
            of.update({seat: hands[seat]} if seat in hands else {})
            low.update({seat: lows[seat]} if seat in lows else {})

    def splits(self, shows: bool) -> bool:
        """Return whether the pots of this hand may have a low half."""
        return shows and self.game in SPLIT

    def winners(
        self,
        may_win: list[int],
        made: dict[int, tuple[sheet_ladders.Strength, str]],
        lows: dict[int, sheet_ladders.Strength],
    ) -> tuple[list[int], list[int]]:
        """Return who wins a pot, or one board's half of it: the best hands, and the best low hands."""
        top = max(made[seat][0] for seat in may_win) if made else ()
        highest = [seat for seat in may_win if not made or made[seat][0] == top]
        bottom = min((lows[seat] for seat in may_win if lows.get(seat)), default=())
        return highest, [seat for seat in may_win if bottom and lows[seat] == bottom]

    def low(self, seat: int, board: list[Card]) -> sheet_ladders.Strength:
        """Return the best low hand of a seat, its ranks from high to low; empty where it has none."""
        return sheet_ladders.eight_or_better(self.game, self.down[seat] + self.up[seat], board)

    def best(self, seat: int, board: list[Card]) -> tuple[sheet_ladders.Strength, str]:
        """Rank a seat's hand."""
        return sheet_ladders.best(self.game, self.down[seat] + self.up[seat], board, self.rules["flush_order"])

    def share(self, amount: int, won: list[tuple[list[int], list[int]]]) -> None:
        """Take the rake of a pot, halve it between boards and for low hands; odd chips from the left of the button."""
        (winners, lowest), (others, others_low) = won[0], won[-1]
        self.pots.append((amount, sorted(winners)))
        self.low_winners.append(sorted(lowest))
        self.second_winners.append(sorted(others))
        self.second_low_winners.append(sorted(others_low))
        rake = amount * self.rules["rake_bps"] // 10_000
        if self.rules["rake_cap"]:
            rake = min(rake, self.rules["rake_cap"] - self.fee)
        if self.rules["no_flop_no_drop"] and not self.board:
            rake = 0
        self.fee += rake
        left = amount - rake
        second = left // 2 if len(won) > 1 else 0
        for part, (high, low) in zip((left - second, second), won, strict=False):
            low_half = part // 2 if low else 0
            for half, seats in ((part - low_half, high), (low_half, low)):
                each, odd = divmod(half, len(seats) or 1)
                for place, seat in enumerate(seats):
                    self.net[seat] += each + (place < odd)


def drawn_dealer(seats: list[int], order: list[Card]) -> int:
    """Return the dealer by the cards drawn in seat order: highest rank, then suit [royal_holdem Play 1]."""
    drawn = dict(zip(seats, order, strict=False))
    return max(seats, key=lambda seat: (RANKS.index(drawn[seat][0]), SUITS.index(drawn[seat][1])))
