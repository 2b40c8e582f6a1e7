"""The engine of the seven poker games [poker 0]: the state of a hand and how it goes from step to step.

Inside the engine seats are *places*: 0 is the first seat left of the button, the button itself is last. A game
derives a round from ``BlindRound`` or ``AnteRound``, declares its ``streets`` and says how hands rank.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from services.rules.actions import Action, Draw, Expose
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Round
from services.rules.happenings import Decided, Happening, Noted, Phase, Shown, Shuffled
from services.rules.offers import Option, Waiting
from services.rules.poker import showdown, structures, views
from services.rules.poker.betting import LEFT, NOBODY
from services.rules.poker.house_rules import PokerRules
from services.rules.poker.streets import HAND, Board, Step
from services.rules.refusals import NOT_SEATED, OUT_OF_TURN, ROUND_NOT_OPEN, Refused
from services.rules.views import View

SHOWDOWN = "showdown"
ENDED = "ended"
FLOP_CARDS = 3


class PokerRound(Round, kw_only=True):
    """One hand of poker.

    Lists run over places. ``totals``: chips put in during this betting round, blinds included; ``paid``: during the
    whole hand; ``acted``: the structure's mark of the last action in this betting round, -1 before it. ``price``: the
    highest total; ``full``: the last full raise; ``raises``: bets and raises so far, a big blind counted; ``reserve``:
    chips that a bet or raise must leave behind. ``shown``: the live hands lie open. ``drawn``: cards exchanged by each
    place, -1 before it; ``muck``: the discards; ``chosen``: cards chosen to be exposed, while the window is open.
    """

    streets: ClassVar[tuple[Step, ...]] = ()
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
    price: int = 0
    full: int = 0
    unit: int = 0
    raises: int = 0
    reserve: int = 0
    shown: bool = False
    drawn: list[int] = msgspec.field(default_factory=list)
    muck: list[Card] = msgspec.field(default_factory=list)
    chosen: dict[int, Card] = msgspec.field(default_factory=dict)

    # -- what a game says ---------------------------------------------------------------------------------------

    def post(self, log: list[Happening]) -> None:
        """Post blinds or antes."""
        raise NotImplementedError

    def rank(self, place: int) -> int:
        """Give the strength of a place's hand at the showdown; greater is better."""
        raise NotImplementedError

    def category(self, strength: int) -> str:
        """Name the category of a strength."""
        raise NotImplementedError

    def dealing_order(self) -> list[int]:
        """List the live places in the order in which they get cards."""
        return [place for place, live in enumerate(self.live) if live]

    def opener(self, how: str) -> int:
        """Give the place from which a betting round starts."""
        assert how == LEFT, f"{how} is no opener of this game"
        return 0

    def keeps_back(self, number: int) -> int:
        """Give the chips that a bet or raise must leave behind in a betting round."""
        del number  # show-hand games alone restrict early rounds
        return 0

    def may_open_with_check(self) -> bool:
        """Whether a seat may check while nobody has bet."""
        return True

    def checks_when_late(self) -> bool:
        """Whether a late seat checks where that is free; else it folds."""
        return True

    # -- the course of a hand -----------------------------------------------------------------------------------

    @property
    def structure(self) -> structures.NoLimit:
        """The betting structure by the house rule ``betting``."""
        return self.by_betting[self.rules.betting]

    def open(self, chance: Chance) -> list[Happening]:
        """Post, deal and go on to the first decision."""
        log: list[Happening] = [Shuffled(self.stock.number, len(self.stock.cards))]
        self.post(log)
        self._advance(chance, log)
        return log

    def open_betting(self, number: int, *, late: bool) -> None:
        """Set what a betting round starts with; blinds posted before stay."""
        self.unit = self.full = self.structure.unit(self.rules.minimum, late=late)
        self.reserve = self.keeps_back(number)

    def close_betting(self) -> None:
        """Clear what belongs to one betting round."""
        places = len(self.order)
        self.totals = [0] * places
        self.acted = [-1] * places
        self.price = self.raises = self.reserve = 0

    def put_in(self, place: int, amount: int) -> None:
        """Move chips of a place from its stack into the pots."""
        assert 0 <= amount <= self.stacks[place], f"{amount} of {self.stacks[place]} chips"
        self.stacks[place] -= amount
        self.paid[place] += amount

    def contested(self) -> bool:
        """Whether at least two live seats have chips left; if not, the hand is run out [poker 0.2 rule 5]."""
        return sum(1 for live, stack in zip(self.live, self.stacks, strict=True) if live and stack) > 1

    def _advance(self, chance: Chance, log: list[Happening]) -> None:
        streets = self.streets
        while self.step + 1 < len(streets):
            self.step += 1
            if streets[self.step].begin(self, chance, log):
                self.clock += 1
                return
        self._compare(log)

    def _compare(self, log: list[Happening]) -> None:
        log.append(Phase(SHOWDOWN))
        self.shown = True
        places = [place for place, live in enumerate(self.live) if live]
        ranks = {place: self.rank(place) for place in places}
        hands = {place: self.category(rank) for place, rank in ranks.items()}
        for place in places:
            seat = self.order[place]
            log.append(Shown(seat, HAND, tuple(self.down[place])))
            log.append(Noted(SHOWDOWN, seat, {"hand": hands[place]}))
        self._end(ranks, hands, log)

    def _end(self, ranks: dict[int, int], hands: dict[int, str], log: list[Happening]) -> None:
        self.turn = NOBODY
        self.outcome = showdown.outcome(self, ranks, hands, log)

    def saw_flop(self) -> bool:
        """Whether three table cards were dealt; games without table cards always pay rake."""
        return len(self.board) >= FLOP_CARDS or not any(isinstance(step, Board) for step in self.streets)

    # -- the interface of all rounds ----------------------------------------------------------------------------

    def waiting(self) -> Waiting | None:
        """Say whose decision it is; None when the hand has ended."""
        if self.outcome is not None:
            return None
        seats = tuple(sorted(self.order[place] for place in self.streets[self.step].asked(self)))
        return Waiting(seats, self.clock, self.rules.turn_seconds)

    def options(self, seat: int) -> list[Option]:
        """List the legal actions of a seat; none if it is not asked."""
        if self.outcome is not None or seat not in self.order:
            return []
        place = self.order.index(seat)
        step = self.streets[self.step]
        return step.options(self, place) if place in step.asked(self) else []

    def verify(self, seat: int, action: Action) -> None:
        """Raise Refused in the order of section 0.4."""
        if seat not in self.carry:
            raise Refused(NOT_SEATED, f"seat {seat} is not in this round; the seats {sorted(self.order)} are")
        if self.outcome is not None:
            raise Refused(ROUND_NOT_OPEN, "the round has ended; wait for the next one")
        step = self.streets[self.step]
        place = self.order.index(seat)
        if place != self.turn and place not in step.asked(self):
            raise Refused(OUT_OF_TURN, f"seat {seat} is not on turn; {self.waiting_for()}")
        step.verify(self, place, action)

    def waiting_for(self) -> str:
        """Say in words whose turn it is."""
        waiting = self.waiting()
        return "" if waiting is None else "the turn is with seat " + ", ".join(map(str, waiting.seats))

    def do(self, seat: int, action: Action, chance: Chance) -> list[Happening]:
        """Carry out a verified action, and go on to the next decision or the end."""
        log: list[Happening] = []
        if self.streets[self.step].do(self, self.order.index(seat), action, chance, log):
            self._go_on(chance, log)
        return log

    def _go_on(self, chance: Chance, log: list[Happening]) -> None:
        if self.live.count(True) == 1:
            self._end({}, {}, log)
        else:
            self._advance(chance, log)

    def lapse(self, chance: Chance) -> list[Happening]:
        """Decide for every place that is asked, as section 0.6 says."""
        assert self.outcome is None, "the round has ended, no deadline runs"
        log: list[Happening] = []
        step = self.streets[self.step]
        for place in step.asked(self):
            action = step.late(self, place)
            log.append(Decided(self.order[place], action))  # type: ignore[arg-type]  # every action is in the union
            if step.do(self, place, action, chance, log):
                self._go_on(chance, log)
        return log

    def secret(self, action: Action) -> bool:
        """Discards stay sealed, and exposed cards until all have chosen."""
        return isinstance(action, Draw | Expose)

    def facts(self) -> dict[str, Any]:
        """Give what is public of the case keys."""
        returned = {seat: back for seat, back in zip(self.order, self.returned, strict=True) if back}
        return {"returned": returned, "button": self.button}

    def view(self, viewer: int | None) -> View:
        """Show the hand to a seat or a spectator."""
        return views.view(self, viewer)
