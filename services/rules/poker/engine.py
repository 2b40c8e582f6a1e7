"""The engine of the seven poker games (poker, section 0): the state of a hand and how it goes from step to step.

Inside the engine seats are *places*: 0 is the first seat left of the button, the button itself is last. A game
derives a round from ``BlindRound`` or ``AnteRound``, declares its ``streets`` and says how hands rank.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from services.rules.actions import Action, Draw, Expose
from services.rules.cards import Card
from services.rules.game import (
    NOT_SEATED,
    OUT_OF_TURN,
    ROUND_NOT_OPEN,
    Chance,
    Claim,
    Decided,
    Happening,
    Noted,
    Option,
    Outcome,
    Phase,
    Pot,
    Refused,
    Round,
    SeatView,
    Shown,
    Shuffled,
    Stake,
    Staked,
    Stock,
    View,
    Waiting,
    Zone,
    face_down,
)
from services.rules.poker import pots, structures
from services.rules.poker.betting import BLINDS, LEFT, NOBODY
from services.rules.poker.house_rules import AnteRules, PokerRules, WithBlinds
from services.rules.poker.streets import BOARD, HAND, UP, Decisions, Step

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
        """Whether at least two live seats have chips left; if not, the hand is run out (0.2, rule 5)."""
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
        self._finish(ranks, hands, log)

    def _finish(self, ranks: dict[int, int], hands: dict[int, str], log: list[Happening]) -> None:
        order = self.order
        layers = pots.layers(self.paid, self.live)
        claims: list[Claim] = []
        shared: list[Pot] = []
        for number, layer in enumerate(layers):
            best = max(ranks[place] for place in layer.contenders) if len(layer.contenders) > 1 else None
            winners = tuple([order[place] for place in layer.contenders if best is None or ranks[place] == best])
            shared.append(Pot(layer.amount, winners))
            name = f"pot:{number}"
            claims += [Claim(order[place], name, part, "pot") for place, part in enumerate(layer.parts) if part]
            log.append(Noted("pot", None, {"pot": number, "amount": layer.amount, "winners": sorted(winners)}))
        self.outcome = Outcome(
            claims=tuple(claims),
            pots=tuple(shared),
            saw_flop=self.saw_flop(),
            stakes=tuple(
                Stake(seat, "pot", self.paid[place] + self.returned[place], self.paid[place])
                for place, seat in enumerate(order)
                if self.paid[place] or self.returned[place]
            ),
            facts={
                "pots": [pot.amount for pot in shared],
                "winners": [sorted(pot.winners) for pot in shared],
                "hands": {order[place]: hand for place, hand in sorted(hands.items(), key=lambda item: order[item[0]])},
                **self.facts(),
            },
            button=self.button,
        )
        self.turn = NOBODY

    def saw_flop(self) -> bool:
        """Whether three table cards were dealt; games without table cards always pay rake."""
        return len(self.board) >= FLOP_CARDS

    # -- the interface of all rounds ----------------------------------------------------------------------------

    def _deciding(self) -> Decisions:
        step = self.streets[self.step]
        assert isinstance(step, Decisions), f"step {self.step} asks nobody"
        return step

    def waiting(self) -> Waiting | None:
        """Say whose decision it is; None when the hand has ended."""
        if self.outcome is not None:
            return None
        seats = tuple(sorted(self.order[place] for place in self._deciding().asked(self)))
        return Waiting(seats, self.clock, self.rules.turn_seconds)

    def options(self, seat: int) -> list[Option]:
        """List the legal actions of a seat; none if it is not asked."""
        if self.outcome is not None or seat not in self.order:
            return []
        place = self.order.index(seat)
        step = self._deciding()
        return step.options(self, place) if place in step.asked(self) else []

    def verify(self, seat: int, action: Action) -> None:
        """Raise Refused in the order of section 0.4."""
        if seat not in self.carry:
            raise Refused(NOT_SEATED, f"seat {seat} is not in this round; the seats {sorted(self.order)} are")
        if self.outcome is not None:
            raise Refused(ROUND_NOT_OPEN, "the round has ended; wait for the next one")
        step = self._deciding()
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
        self._do(self.order.index(seat), action, chance, log)
        return log

    def _do(self, place: int, action: Action, chance: Chance, log: list[Happening]) -> None:
        if not self._deciding().do(self, place, action, chance, log):
            return
        if self.live.count(True) == 1:
            self._finish({}, {}, log)
        else:
            self._advance(chance, log)

    def lapse(self, chance: Chance) -> list[Happening]:
        """Decide for every place that is asked, as section 0.6 says."""
        assert self.outcome is None, "the round has ended, no deadline runs"
        log: list[Happening] = []
        step = self._deciding()
        for place in step.asked(self):
            action = step.late(self, place)
            log.append(Decided(self.order[place], action))  # type: ignore[arg-type]  # every action is in the union
            self._do(place, action, chance, log)
        return log

    def secret(self, action: Action) -> bool:
        """Discards stay sealed, and exposed cards until all have chosen."""
        return isinstance(action, Draw | Expose)

    def facts(self) -> dict[str, Any]:
        """Give what is public of the case keys."""
        returned = {seat: back for seat, back in sorted(zip(self.order, self.returned, strict=True)) if back}
        return {"returned": returned, "button": self.button}

    def view(self, viewer: int | None) -> View:
        """Show the hand to a seat or a spectator."""
        by_seat = sorted(range(len(self.order)), key=self.order.__getitem__)
        zones = [zone for place in by_seat for zone in self._zones(place, viewer)]
        if self.board:
            zones.append(Zone(None, BOARD, tuple(self.board)))
        settled = [paid - total for paid, total in zip(self.paid, self.totals, strict=True)]
        return View(
            phase=self.phase(),
            button=self.button,
            seats=tuple(self._seat_view(place) for place in by_seat),
            zones=tuple(zones),
            pots=tuple(layer.amount for layer in pots.layers(settled, self.live)),
            facts=self.public(by_seat, viewer),
        )

    def phase(self) -> str:
        """Name the step that waits, or ``ended``."""
        return ENDED if self.outcome is not None else self._deciding().name

    def public(self, by_seat: list[int], viewer: int | None) -> dict[str, Any]:
        """Give the facts of a view: the price, each seat's total and, once there are any, its exchanged cards."""
        seats = [(str(self.order[place]), place) for place in by_seat]
        found: dict[str, Any] = {"price": self.price, "totals": {seat: self.totals[place] for seat, place in seats}}
        if self.drawn:
            found["drawn"] = {seat: self.drawn[place] for seat, place in seats if self.drawn[place] >= 0}
        if self.chosen:
            found["chosen"] = [self.order[place] for place in by_seat if place in self.chosen]
            found["exposes"] = next((card for place, card in self.chosen.items() if self.order[place] == viewer), None)
        return found if self.outcome is None else {**found, **self.outcome.facts}

    def _zones(self, place: int, viewer: int | None) -> list[Zone]:
        seat = self.order[place]
        known = seat == viewer or (self.shown and self.live[place])
        down = self.down[place]
        found = [Zone(seat, HAND, tuple(down) if known else face_down(len(down)))]
        if self.up[place]:
            found.append(Zone(seat, UP, tuple(self.up[place])))
        return found

    def _seat_view(self, place: int) -> SeatView:
        status = "folded" if not self.live[place] else "in" if self.stacks[place] else "all_in"
        return SeatView(self.order[place], self.stacks[place], self.paid[place], status)


class BlindRound(PokerRound, kw_only=True):
    """A hand with blinds (0.1)."""

    rules: WithBlinds

    def small_place(self) -> int:
        """Give the place of the small blind: left of the button, of two seats by the house rules (engine D7)."""
        two = len(self.order) == 2  # noqa: PLR2004 - heads-up
        return 1 if two and self.rules.button_is_small else 0

    def big_place(self) -> int:
        """Give the place of the big blind: left of the small blind."""
        return (self.small_place() + 1) % len(self.order)

    def post(self, log: list[Happening]) -> None:
        """Post both blinds; who has less posts all. The price is the full big blind."""
        rules = self.rules
        for place, what, blind in (
            (self.small_place(), "small_blind", rules.small),
            (self.big_place(), "big_blind", rules.minimum),
        ):
            amount = min(blind, self.stacks[place])
            self.put_in(place, amount)
            self.totals[place] = amount
            log.append(Staked(self.order[place], what, amount))
        self.price = rules.minimum
        self.raises = 1

    def opener(self, how: str) -> int:
        """Start left of the big blind in the first betting round, then left of the button."""
        return self.big_place() + 1 if how == BLINDS else super().opener(how)


class AnteRound(PokerRound, kw_only=True):
    """A hand with antes (0.1); antes are not part of a betting round's totals."""

    rules: AnteRules

    def post(self, log: list[Happening]) -> None:
        """Put in every ante; who has less puts in all."""
        for place, seat in enumerate(self.order):
            amount = min(self.rules.ante, self.stacks[place])
            if amount:
                self.put_in(place, amount)
                log.append(Staked(seat, "ante", amount))

    def may_open_with_check(self) -> bool:
        """By the house rule ``open_check``."""
        return self.rules.open_check
