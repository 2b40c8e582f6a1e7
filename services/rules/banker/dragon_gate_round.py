"""A round of dragon gate: turns against a common pool, each with two cards, a bet and a third card."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from services.rules import actions, facts, illegal_actions, keys
from services.rules.banker import keys as banker_keys
from services.rules.banker.engine import ENDED, PLAY, amount_within, listed
from services.rules.banker.pool import PoolRound
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.game import HouseRules
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Shuffled, Staked
from services.rules.offers import HALF_POT, POT, Between, OneOf, Option, Waiting
from services.rules.outcomes import Outcome, Stake
from services.rules.ranking import pip_counts
from services.rules.refusals import Reason, Refused
from services.rules.views import View, Zone

LOW: Final = "low"
HIGH: Final = "high"
GATE: Final = "gate"
PLAYED: Final = "played"

HIGHER: Final = "higher"
LOWER: Final = "lower"
SIDES: Final = (HIGHER, LOWER)
"""What is guessed of the third card where the two are equal."""

WINS: Final = 1
LOSES: Final = -1
HITS_POST: Final = -2
"""What a bet brings, in bets."""

TURN_CARDS: Final = 3
"""Cards that a turn may need: the gate, and the one that is bet on."""


def equal_ranks(gate: Sequence[Card]) -> bool:
    """Return whether the two cards of a gate are of one rank."""
    return gate[0][0] == gate[1][0]


def brings(gate: Sequence[Card], guess: str | None, *, ace_high: bool) -> int:
    """Return what a bet brings, in bets: two cards and the third, with the guess if the two are equal."""
    low, high = sorted(value(card, ace_high=ace_high) for card in gate[:2])
    third = value(gate[2], ace_high=ace_high)
    if third in (low, high):
        return HITS_POST
    won = low < third < high if guess is None else (third > high) == (guess == HIGHER)
    return WINS if won else LOSES


def value(card: Card, *, ace_high: bool) -> int:
    """Return a card's value: A 1 (14 if high), 2 … 10, J 11, Q 12, K 13."""
    order = pip_counts.order(card)
    return pip_counts.order("Ks") + 1 if ace_high and card[0] == "A" else order


class DragonGateRules(HouseRules, frozen=True, kw_only=True):
    """House rules."""

    max_seats: int = 10
    ante: keys.Ante = 10
    ace: banker_keys.Ace = LOW


class DragonGateRound(PoolRound, kw_only=True):
    """``at``: whose turn it is, by place in ``order``; ``out``: seats that could not pay a new ante."""

    rules: DragonGateRules
    stock: Stock
    phase: str = PLAY
    at: int = 0
    out: list[int] = msgspec.field(default_factory=list)
    gate: list[Card] = msgspec.field(default_factory=list)
    guess: str | None = None

    # -- turns ------------------------------------------------------------------------------------------------

    def begin(self, chance: Chance) -> list[Happening]:
        """Take the antes and deal the first turn."""
        return [*self.take_antes(self.order, self.rules.ante), Phase(PLAY), *self.next_turn(chance)]

    def next_turn(self, chance: Chance) -> list[Happening]:
        """Deal two cards to the next seat that is still in and has chips; after the last one the round is over."""
        happened: list[Happening] = []
        while self.at < len(self.order):
            seat = self.order[self.at]
            if seat not in self.out and self.free(seat) > 0:
                return happened + self.deal_turn(seat, chance)
            happened.append(Noted("passed_over", seat))
            self.at += 1
        return happened + self.finish()

    def deal_turn(self, seat: int, chance: Chance) -> list[Happening]:
        """Deal two cards face up; too few cards left for a turn: all are shuffled again [shoot_dragon_gate Play 7]."""
        happened: list[Happening] = []
        if len(self.stock) < TURN_CARDS:
            self.stock = Stock(self.stock.number + 1, chance.shuffle(PACK_52))
            happened.append(Shuffled(self.stock.number, len(PACK_52)))
        at = self.stock.next
        self.gate = [self.stock.deal(), self.stock.deal()]
        self.guess = None
        self.clock += 1
        return [*happened, Dealt(seat, GATE, self.stock.number, (at, at + 1), tuple(self.gate))]

    def turn(self) -> int:
        """Return the seat whose turn it is."""
        return self.order[self.at]

    # -- moves ------------------------------------------------------------------------------------------------

    def waiting(self) -> Waiting | None:
        """Wait for the seat whose turn it is."""
        return None if self.outcome is not None else Waiting((self.turn(),), self.clock, self.rules.turn_seconds)

    def bounds(self) -> tuple[int, int]:
        """Return the least bet and the greatest [shoot_dragon_gate Play 4]."""
        free = self.free(self.turn())
        return min(self.rules.ante, self.pool, free), min(self.pool, free)

    def options(self, seat: int) -> list[Option]:
        """List pass, guess and bet as the turn allows; a seat that may stake nothing can only pass."""
        if self.outcome is not None or seat != self.turn():
            return []
        if not self.free(seat):
            return [Option("pass")]
        least, most = self.bounds()
        bet = Option("bet", {"amount": Between(least, most)})
        if not equal_ranks(self.gate):
            return [Option("pass"), bet]
        return [bet] if self.guess else [Option("pass"), Option("guess", {"side": OneOf(SIDES)})]

    def suggested(self, seat: int, action: str) -> dict[str, int]:
        """Suggest half the pool and the pool."""
        del seat
        return {HALF_POT: self.pool // 2, POT: self.pool} if action == "bet" else {}

    def verify(self, seat: int, action: actions.Action) -> None:
        """Test an action in the family's order of refusals."""
        self.verify_open(seat)
        if not isinstance(action, actions.Pass | actions.Guess | actions.Bet):
            raise illegal_actions.illegal(
                f"nobody can {action.name} in this game; pass, guess or bet", illegal_actions.GATE
            )
        self.verify_turn(seat, self.turn())
        if isinstance(action, actions.Bet):
            self.verify_bet(action.amount)
        elif self.guess and self.free(seat):
            raise illegal_actions.illegal(
                f"seat {seat} has guessed {self.guess} and must bet now", illegal_actions.BET_GUESS
            )
        elif isinstance(action, actions.Guess):
            self.verify_guess(seat, action.side)

    def verify_guess(self, seat: int, side: str) -> None:
        """Test a guess of the seat whose turn it is."""
        if not equal_ranks(self.gate):
            raise illegal_actions.illegal(
                "a guess needs two cards of one rank; bet or pass", illegal_actions.GUESS_PAIR
            )
        if not self.free(seat):
            message = f"seat {seat} has no chips to bet after a guess; pass"
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": 0, "needed": 1})
        if side not in SIDES:
            raise illegal_actions.illegal(
                f"{side!r} is not a side; guess {listed(SIDES, 'or')}", illegal_actions.GUESS_SIDE
            )

    def verify_bet(self, amount: int) -> None:
        """Test a bet of the seat whose turn it is."""
        if equal_ranks(self.gate) and not self.guess:
            raise illegal_actions.illegal(
                "the two cards are of one rank; guess higher or lower first, or pass", illegal_actions.GUESS_FIRST
            )
        least, _ = self.bounds()
        amount_within(amount, max(1, least), self.pool)
        free = self.free(self.turn())
        if amount > free:
            message = f"the seat has {free} chips to stake and cannot bet {amount}"
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": free, "needed": amount})

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Pass, guess or bet."""
        if isinstance(action, actions.Guess):
            self.guess = action.side
            self.clock += 1
            return [Noted("guess", seat, {"side": action.side})]
        if isinstance(action, actions.Bet):
            return self.bet(seat, action.amount, chance)
        self.at += 1
        return [Noted("pass", seat), *self.next_turn(chance)]

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Pass for the seat; after a guess make the least bet, if there is anything to stake."""
        seat = self.turn()
        action = actions.Bet(self.bounds()[0]) if self.guess and self.free(seat) else actions.Pass()
        return [Decided(seat, action), *self.do(seat, action, chance)]

    # -- bets -------------------------------------------------------------------------------------------------

    def bet(self, seat: int, amount: int, chance: Chance) -> list[Happening]:
        """Turn the third card and move the chips at once."""
        at = self.stock.next
        third = self.stock.deal()
        self.gate.append(third)
        times = brings(self.gate, self.guess, ace_high=self.rules.ace == HIGH)
        # What a seat lacks of a double loss is forgiven [shoot_dragon_gate D2]; a win is never greater than the pool.
        change = max(times * amount, -self.held[seat])
        self.move(seat, change)
        self.stakes.append(Stake(seat, "bet", amount, amount))
        word = {
            WINS: "between" if self.guess is None else "guessed",
            LOSES: "outside",
            HITS_POST: "post",
        }[times]
        happened: list[Happening] = [
            Staked(seat, "bet", amount),
            Dealt(seat, GATE, self.stock.number, (at,), (third,)),
            Noted(word, seat, {"chips": change, "pool": self.pool}),
        ]
        if self.pool > 0:
            self.at += 1
            return happened + self.next_turn(chance)
        return happened + self.refill(chance)

    def refill(self, chance: Chance) -> list[Happening]:
        """Take a new ante of everybody after a win that emptied the pool, unless it was the last turn.

        Source: [shoot_dragon_gate Play 5].
        """
        inside = [seat for seat in self.order if seat not in self.out]
        if self.turn() == inside[-1]:
            return self.finish()
        able = [seat for seat in inside if self.free(seat) >= self.rules.ante]
        if len(able) < 2:
            return self.finish()
        dropped = [seat for seat in inside if seat not in able]
        self.out += dropped
        happened: list[Happening] = [Noted("drops_out", seat) for seat in dropped]
        happened += self.take_antes(able, self.rules.ante)
        # The seat that emptied the pool is dealt a new turn; next_turn passes it over if it dropped out.
        # Source: [shoot_dragon_gate D3].
        return happened + self.next_turn(chance)

    def finish(self) -> list[Happening]:
        """End the round with one claim between each seat and the pool."""
        self.phase = ENDED
        self.outcome = Outcome(
            claims=self.claims(),
            stakes=tuple(self.stakes),
            memory={PLAYED: sorted(self.order)},
            button=self.button,
        )
        return [Phase(ENDED)]

    # -- what is seen -----------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> View:
        """Show everything: nothing is hidden in this game."""
        del viewer
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self.seat_view(seat) for seat in sorted(self.carry)),
            zones=() if self.outcome is not None else (Zone(self.turn(), GATE, tuple(self.gate)),),
            pots=(self.pool,),
            facts=facts.of("banker", self.facts()),
        )

    def facts(self) -> dict[str, Any]:
        """Return the pool as it stands, and the guess of the turn."""
        return {"pool": self.pool, **({"guess": self.guess} if self.guess else {})}

    def status(self, seat: int) -> str:
        """Return the status of a seat: on turn, or out of the round."""
        if self.outcome is None and seat == self.turn():
            return "turn"
        return "out" if seat in self.out else "waiting"
