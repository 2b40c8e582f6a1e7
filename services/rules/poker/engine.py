"""The engine of the seven poker games [poker 0]: the state of a hand and how it goes from step to step.

Inside the engine seats are *positions*: 0 is the first seat left of the button, the button itself is last. A game
derives a round from ``BlindRound`` or ``AnteRound``, declares its ``streets`` and says how hands rank.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from services.rules.actions import Action, Draw, Expose
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Round
from services.rules.happenings import Decided, Happening, Shuffled
from services.rules.offers import Option, Waiting
from services.rules.outcomes import Outcome
from services.rules.poker import betting, ending, show_or_muck, structures, views, worths
from services.rules.poker.betting import LEFT, NOBODY, Betting
from services.rules.poker.house_rules import PokerRules
from services.rules.poker.positions import Blinds
from services.rules.poker.streets import HAND, Step
from services.rules.poker.words import FIVE_CARDS
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text
from services.rules.views import View
from services.rules.worth import Worth


class PokerRound(Round, kw_only=True):
    """One hand of poker.

    Lists run over positions. ``totals``: chips put in during this betting round, blinds included; ``paid``: during the
    whole hand; ``acted``: the structure's mark of the last action in this betting round, -1 before it. ``to_call``: the
    highest total; ``last_full_raise``: its size; ``raises``: bets and raises so far, a big blind counted;
    ``completion``: the total of a full bet while a bring-in is due or stands; ``reserve``: chips that a bet or raise
    must leave behind. ``dead``: the part of ``paid`` that goes into the main pot whole; empty where there is none.
    ``shown``: the live hands lie open. ``drawn``: cards exchanged by each position, -1 before it;
    ``muck``: the discards; ``chosen``: cards chosen to be exposed, while the window is open. ``boards``: how often the
    table cards are dealt, once seats were asked, 0 before; ``agreed``: positions that have agreed to two boards.
    ``mucked``: live positions whose hands stay hidden; ``to_show``: those that may still show; ``ending``: its outcome.
    """

    streets: ClassVar[tuple[Step, ...]] = ()
    ladders: ClassVar[tuple[Ladder, ...]] = ()
    """The ladders by which pots are won: one, or two where pots are divided into a high and a low half."""
    names: ClassVar[Mapping[str, Text]] = FIVE_CARDS
    """The words of the hands' categories."""
    by_betting: ClassVar[Mapping[str, structures.NoLimit]] = structures.STRUCTURES

    rules: PokerRules
    order: list[int]
    stacks: list[int]
    totals: list[int]
    paid: list[int]
    returned: list[int]
    live: list[bool]
    acted: list[int]
    down: list[list[Card]]
    up: list[list[Card]]
    board: list[Card]
    stock: Stock
    step: int = -1
    turn: int = NOBODY
    to_call: int = 0
    last_full_raise: int = 0
    bet_unit: int = 0
    raises: int = 0
    completion: int = 0
    reserve: int = 0
    dead: list[int] = msgspec.field(default_factory=list)
    shown: bool = False
    drawn: list[int] = msgspec.field(default_factory=list)
    muck: list[Card] = msgspec.field(default_factory=list)
    chosen: dict[int, Card] = msgspec.field(default_factory=dict)
    boards: int = 0
    agreed: list[int] = msgspec.field(default_factory=list)
    second_board: list[Card] = msgspec.field(default_factory=list)
    mucked: list[int] = msgspec.field(default_factory=list)
    to_show: list[int] = msgspec.field(default_factory=list)
    ending: Outcome | None = None

    # -- what a game defines ------------------------------------------------------------------------------------

    def recall(self, memory: Mapping[str, Any], blinds: Blinds | None) -> None:
        """Take over what the last round left for this one, before anything is posted.

        ``blinds``: the seats of the blinds, where they do not follow from the button.
        """

    def remember(self) -> dict[str, Any]:
        """Return what the next round will take over."""
        return {}

    def post(self, log: list[Happening]) -> None:
        """Post blinds or antes."""
        raise NotImplementedError

    def rank(self, position: int, table: Sequence[Card]) -> int:
        """Return the strength of a position's hand with the cards of a table; greater is better."""
        strength = self.ladders[0].strength(self.held(position), table)
        assert strength is not None, f"{self.held(position)} and {table} make no hand"
        return strength

    def category(self, strength: int) -> str:
        """Return the category of a strength."""
        return self.ladders[0].category(strength)

    def dealing_order(self) -> list[int]:
        """List the live positions in the order in which they get cards."""
        return [position for position, live in enumerate(self.live) if live]

    def opener(self, how: str) -> int:
        """Return the position from which a betting round starts."""
        assert how == LEFT, f"{how} is not an opener of this game"
        return 0

    def keeps_back(self, number: int) -> int:
        """Return the chips that a bet or raise must leave behind in a betting round."""
        del number  # show-hand games alone restrict early rounds
        return 0

    def may_open_with_check(self) -> bool:
        """Return whether a seat may check while nobody has bet."""
        return True

    def checks_on_timeout(self) -> bool:
        """Return whether a late seat checks where that is free; else it folds."""
        return True

    def held(self, position: int) -> list[Card]:
        """Return all own cards of a position."""
        return self.down[position] + self.up[position]

    def mark(self) -> int:
        """Return what to remember of a seat's action; by it the structure knows later whether the seat may raise.

        A seat that only posted or called a bring-in has not yet answered a bet [poker 0.10 rule 4].
        """
        return structures.NO_BET_YET if self.completion else self.to_call

    # -- the course of a hand -----------------------------------------------------------------------------------

    @property
    def structure(self) -> structures.NoLimit:
        """The betting structure by the house rule ``betting``."""
        return self.by_betting[self.rules.betting]

    @property
    def current(self) -> Step:
        """The step that the hand is in: one of its streets, or the choice of seats at its end."""
        return show_or_muck.WINDOW if self.to_show else self.streets[self.step]

    def open(self, chance: Chance) -> list[Happening]:
        """Post, deal and go on to the first decision."""
        log: list[Happening] = [Shuffled(self.stock.number, len(self.stock.cards))]
        self.post(log)
        self._advance(chance, log)
        return log

    def open_betting(self, number: int, *, big_bet: bool) -> None:
        """Set what a betting round starts with; blinds posted before stay."""
        rules = self.rules
        self.bet_unit = self.last_full_raise = self.by_betting[rules.betting].bet_unit(rules.minimum, big_bet=big_bet)
        self.reserve = self.keeps_back(number)

    def full_bet(self) -> int:
        """Return the least full bet, in chips."""
        return self.completion or self.bet_unit

    def full_raise(self) -> int:
        """Return the new total of the least full raise; over a bring-in that is its completion."""
        return self.completion or self.to_call + self.last_full_raise

    def close_betting(self) -> None:
        """Clear what belongs to one betting round."""
        positions = len(self.order)
        self.totals = [0] * positions
        self.acted = [structures.NOT_YET] * positions
        self.to_call = self.raises = self.completion = self.reserve = 0

    def put_in(self, position: int, amount: int) -> None:
        """Move chips of a position from its stack into the pots."""
        assert 0 <= amount <= self.stacks[position], f"{amount} of {self.stacks[position]} chips"
        self.stacks[position] -= amount
        self.paid[position] += amount

    def tables(self) -> tuple[list[Card], ...]:
        """Return the table cards of each board: two, where the board is run twice [poker 0.16]."""
        return (self.board, self.second_board) if self.second_board else (self.board,)

    def _advance(self, chance: Chance, log: list[Happening]) -> None:
        streets = self.streets
        while self.step + 1 < len(streets):
            self.step += 1
            if streets[self.step].begin(self, chance, log):
                self.clock += 1
                return
        ending.by_showdown(self, log)

    # -- the interface of all rounds ----------------------------------------------------------------------------

    def waiting(self) -> Waiting | None:
        """Return whose decision it is; None when the hand has ended."""
        if self.outcome is not None:
            return None
        seats = tuple(sorted(self.order[position] for position in self.current.asked(self)))
        return Waiting(seats, self.clock, self.current.seconds(self), has_bank=self.current.has_bank)

    def options(self, seat: int) -> list[Option]:
        """List the legal actions of a seat; none if it is not asked."""
        if self.outcome is not None or seat not in self.order:
            return []
        position = self.order.index(seat)
        return self.current.options(self, position) if position in self.current.asked(self) else []

    def cost(self, seat: int, action: Action) -> int:
        """Return what a bet, raise, call or all-in puts in."""
        step = self.current
        return step.cost(self, self.order.index(seat), action) if isinstance(step, Betting) else 0

    def suggested(self, seat: int, action: str) -> dict[str, int]:
        """Suggest half the pot and the pot; a raise by the pot is counted after calling."""
        return betting.suggested(self, self.order.index(seat), action)

    def verify(self, seat: int, action: Action) -> None:
        """Raise Refused in the order of section 0.4."""
        self._verified(seat, action)

    def do(self, seat: int, action: Action, chance: Chance) -> list[Happening]:
        """Carry out a verified action, and go on to the next decision or the end."""
        return self._done(self.current, self.order.index(seat), action, chance)

    def act(self, seat: int, action: Action, chance: Chance) -> list[Happening]:
        """Verify, then do; the step and the position are looked up once."""
        step, position = self._verified(seat, action)
        return self._done(step, position, action, chance)

    def _verified(self, seat: int, action: Action) -> tuple[Step, int]:
        """Return the step and the position of a legal action. Raises Refused."""
        if seat not in self.carry or self.outcome is not None:
            self.verify_open(seat)
        step: Step = show_or_muck.WINDOW if self.to_show else self.streets[self.step]
        position = self.order.index(seat)
        if position != self.turn:
            self.verify_turn(seat, *sorted(self.order[asked] for asked in step.asked(self)))
        step.verify(self, position, action)
        return step, position

    def _done(self, step: Step, position: int, action: Action, chance: Chance) -> list[Happening]:
        log: list[Happening] = []
        if step.do(self, position, action, chance, log):
            self._go_on(chance, log)
        return log

    def _go_on(self, chance: Chance, log: list[Happening]) -> None:
        if self.ending is not None:
            self.outcome = self.ending
        elif self.live.count(True) == 1:
            ending.without_showdown(self, log)
        else:
            self._advance(chance, log)

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Decide for every position to act, by section 0.6."""
        assert self.outcome is None, "the round has ended, no deadline runs"
        log: list[Happening] = []
        step = self.current
        late = [(position, step.timeout_action(self, position)) for position in step.asked(self)]
        log += [Decided(self.order[one], action) for one, action in late]  # type: ignore[arg-type]  # all in the union
        for position, action in late:
            if step.do(self, position, action, chance, log):
                self._go_on(chance, log)
                break
        return log

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the worth of a seat's hole cards, with its cards that lie open and the table cards."""
        if zone != HAND or owner not in self.order:
            return None
        position = self.order.index(owner)
        return self.hand_worth(position, [*cards, *self.up[position]])

    def hand_worth(self, position: int, own: Sequence[Card]) -> Worth | None:
        """Return the worth of a position's own cards with the table cards, once they make a hand."""
        return worths.of_hand(self, position, own)

    def secret(self, action: Action) -> bool:
        """Discards stay sealed, and exposed cards until all have chosen."""
        return isinstance(action, Draw | Expose)

    def facts(self) -> dict[str, Any]:
        """Return what is public of the case keys."""
        returned = {seat: back for seat, back in zip(self.order, self.returned, strict=True) if back}
        return {"returned": returned, "button": self.button}

    def view(self, viewer: int | None) -> View:
        """Show the hand to a seat or a spectator."""
        return views.view(self, viewer)
