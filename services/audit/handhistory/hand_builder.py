"""Builds the neutral record of a hand from its events in the log, once its deck is revealed."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.audit.handhistory import record
from services.house.settlement import Posting
from services.rules import actions, game
from services.rules.cards import Card
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Returned, Shown, Staked
from services.rules.outcomes import POT, Outcome
from services.rules.poker.house_rules import PokerRules, WithBlinds
from services.rules.poker.streets import DEALER_DRAW, UP

POSTS = frozenset({"ante", "small_blind", "big_blind", "post", "dead_blind", "straddle"})
DEAD = frozenset({"ante", "dead_blind"})
"""Posts that are not part of a betting round's totals."""
MOVES = {"call": "call", "bet": "bet", "raise": "raise", "complete": "raise", "bring_in": "bring_in"}
"""The action of a record by the word for the chips that it put in."""


class Move(msgspec.Struct, frozen=True):
    """A step of the round: its seat (None: the start, or a passed deadline), its action, and its happenings."""

    seat: int | None
    action: actions.Action | None
    happenings: Sequence[Happening]


def build(
    *,
    played: game.Game,
    rules: PokerRules,
    table: game.Table,
    moves: Sequence[Move],
    orders: Mapping[int, Sequence[Card]],
    outcome: Outcome,
    posting: Posting,
    table_name: str,
    hand: str,
    started: str = "",
    currency: str = "",
) -> record.HandRecord:
    """Return the record of a settled hand.

    ``table`` is the table before the round; ``orders`` is the revealed order of each stock, by number.
    """
    builder = _Builder(orders, table.chips)
    steps = tuple(step for move in moves for step in builder.take(move))
    assert outcome.button is not None, "a hand of poker has a button"
    return record.HandRecord(
        game=played.id,
        formats=played.hand_history,
        betting=rules.betting,
        table=table_name,
        hand=hand,
        started=started,
        currency=currency,
        max_seats=rules.max_seats,
        button=outcome.button,
        ante=getattr(rules, "ante", 0),
        antes_are_live=rules.antes_are_live if isinstance(rules, WithBlinds) else True,
        small_blind=rules.small if isinstance(rules, WithBlinds) else 0,
        big_blind=rules.minimum if isinstance(rules, WithBlinds) else 0,
        minimum=rules.minimum,
        bring_in=rules.forced_bet,
        full_bet=rules.full_bet,
        players=tuple(
            record.Player(seat, table.names.get(seat, f"seat {seat}"), table.chips[seat], table.chips[seat] + net)
            for seat, net in sorted(posting.net.items())
        ),
        steps=steps,
        pots=tuple(_pots(outcome, posting)),
    )


def _pots(outcome: Outcome, posting: Posting) -> Iterator[record.PotRecord]:
    for number, pot in enumerate(outcome.pots):
        shares = {
            claim.payee: claim.amount
            for claim in posting.claims
            if claim.payer == f"{POT}:{number}" and isinstance(claim.payee, int)
        }
        yield record.PotRecord(pot.amount, posting.rake[number], shares)


class _Builder:
    """Follows a hand: which cards each seat holds, and its total in the betting round."""

    def __init__(self, orders: Mapping[int, Sequence[Card]], chips: Mapping[int, int]) -> None:
        self._orders = orders
        self._stacks = dict(chips)
        self._held: dict[int, list[Card]] = {}
        self._totals: dict[int, int] = {}
        self._acting: tuple[int, actions.Action, bool] | None = None
        self._draw: tuple[int, tuple[Card, ...]] | None = None
        self._drawn: list[Card] = []

    def take(self, move: Move) -> Iterator[record.AnyStep]:
        """Return the steps of a move."""
        if move.action is not None:
            assert move.seat is not None, "an action has its seat"
            yield from self._begin(move.seat, move.action, late=False)
        for happening in move.happenings:
            yield from self._happening(happening)
        compared = any(isinstance(happening, Noted) for happening in move.happenings)
        if isinstance(move.action, actions.Reveal) and move.seat is not None and not compared:
            yield record.Show(move.seat, tuple(self._held[move.seat]), "")
        yield from self._end_of_draw()

    def _begin(self, seat: int, action: actions.Action, *, late: bool) -> Iterator[record.AnyStep]:
        yield from self._end_of_draw()
        self._acting = (seat, action, late)
        if isinstance(action, actions.Fold | actions.Check):
            yield record.Act(seat, action.name, 0, self._totals.get(seat, 0), all_in=False, late=late)
        if isinstance(action, actions.Muck):
            yield record.Muck(seat)
        if isinstance(action, actions.Draw):
            self._draw = (seat, action.discards)

    def _happening(self, happening: Happening) -> Iterator[record.AnyStep]:
        if isinstance(happening, Decided):
            yield from self._begin(happening.seat, happening.action, late=True)
        elif isinstance(happening, Phase):
            yield from self._end_of_draw()
            if self._acting is not None:  # before the first action the totals are the blinds
                self._totals = {}
            yield record.Street(happening.name)
        elif isinstance(happening, Dealt):
            yield from self._dealt(happening)
        elif isinstance(happening, Staked):
            yield self._staked(happening)
        elif isinstance(happening, Returned):
            self._stacks[happening.seat] += happening.amount
            yield record.Back(happening.seat, happening.amount)
        elif isinstance(happening, Shown) and happening.zone == UP and happening.owner is not None:
            yield record.Expose(happening.owner, happening.cards[0])
        elif isinstance(happening, Noted) and "hand" in happening.facts and happening.seat is not None:
            yield record.Show(happening.seat, tuple(self._held[happening.seat]), happening.facts["hand"])

    def _dealt(self, dealt: Dealt) -> Iterator[record.AnyStep]:
        if dealt.zone == DEALER_DRAW:
            return
        faces = tuple(self._orders[dealt.stock][position] for position in dealt.positions)
        if self._draw is not None and dealt.to == self._draw[0]:
            self._drawn += faces
            return
        if dealt.to is not None:
            self._held.setdefault(dealt.to, []).extend(faces)
        yield record.Deal(dealt.to, dealt.zone, faces)

    def _end_of_draw(self) -> Iterator[record.AnyStep]:
        if self._draw is None:
            return
        seat, discards = self._draw
        self._held[seat] = [card for card in self._held[seat] if card not in discards] + self._drawn
        yield record.Exchange(seat, discards, tuple(self._drawn))
        self._draw, self._drawn = None, []

    def _staked(self, staked: Staked) -> record.AnyStep:
        seat = staked.seat
        self._stacks[seat] -= staked.amount
        if staked.what not in DEAD:
            self._totals[seat] = self._totals.get(seat, 0) + staked.amount
        all_in = not self._stacks[seat]
        if staked.what in POSTS:
            return record.Post(seat, staked.what, staked.amount, all_in)
        assert staked.what in MOVES, f"{staked.what} is not an action of a betting round"
        assert self._acting is not None, "chips of a betting round are put in by an action"
        return record.Act(seat, MOVES[staked.what], staked.amount, self._totals[seat], all_in, late=self._acting[2])
