"""Recorded hands: poker hands whose result is known from another source, one JSON object a line.

A hand lists its seats in dealing order: seat 0 is the first left of the button, the button is the last seat. With two
seats, seat 0 has the big blind, and seat 1 has the button and the small blind.
"""

import functools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from services.cli.certify import cases
from services.cli.certify.cases import CaseError
from services.cli.certify.forced_bets import ForcedBets
from services.rules import actions, catalogue, schema
from services.rules.cards import Card
from services.rules.poker.game import PokerGame


class Decision(msgspec.Struct, frozen=True):
    """One recorded action; ``to`` is the seat's total on this street after it.

    ``legal`` holds the totals that the recording engine allowed: [call] or [call, least raise, greatest raise].
    """

    seat: int
    street: int
    action: str
    to: int = 0
    all_in: bool = False
    legal: tuple[int, ...] = ()
    discard: tuple[Card, ...] = ()
    draw: tuple[Card, ...] = ()


class Returned(msgspec.Struct, frozen=True):
    """Chips that were returned to a seat because nobody called them."""

    seat: int
    amount: int


class RecordedPot(msgspec.Struct, frozen=True):
    """One pot: its chips, the seats that could win it, the winners, and their shares."""

    amount: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    shares: tuple[int, ...]


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded hand; lists run over seats. ``blinds`` are nominal, posted as far as the stack goes."""

    source: str
    id: str = ""
    variant: str
    betting: str
    seats: int
    button: int
    min_bet: int
    antes: tuple[int, ...]
    ante_mode: str = ""
    bring_in: int = 0
    blinds: tuple[int, ...]
    starting_stacks: tuple[int, ...]
    hole: tuple[tuple[Card, ...], ...]
    board: tuple[Card, ...]
    actions: tuple[Decision, ...]
    finishing_stacks: tuple[int, ...]
    uncalled: tuple[Returned, ...]
    pots: tuple[RecordedPot, ...]
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError if lists do not fit the number of seats or the variant's number of hole cards."""
        for key in ("antes", "blinds", "starting_stacks", "hole", "finishing_stacks"):
            if len(getattr(self, key)) != self.seats:
                raise ValueError(f"{key} lists {len(getattr(self, key))} seats; the hand has {self.seats}")
        for seat, cards in enumerate(self.hole):
            wanted = _hole_cards(self.variant) or len(cards)
            if len(cards) != wanted:
                raise ValueError(f"seat {seat} has {len(cards)} hole cards; {self.variant} deals {wanted}")

    @property
    def name(self) -> str:
        """The hand's id, or where it comes from."""
        return self.id or self.source

    def unplayable(self) -> str:
        """Return why the house cannot play this hand; empty where it can."""
        declared = _declared(self.variant)
        if any(self.antes) and "ante" not in declared:
            return f"it has antes {list(self.antes)}; {self.variant} has none in this house"
        if not any(self.blinds) and "big_blind" in declared:
            return f"it has no blinds; {self.variant} has blinds in this house"
        return self.forced.fault()

    @property
    def forced(self) -> ForcedBets:
        """Antes, blinds and bring-in."""
        return ForcedBets(antes=self.antes, ante_mode=self.ante_mode, blinds=self.blinds, bring_in=self.bring_in)

    def house_rules(self) -> dict[str, Any]:
        """Return the house rules of the table at which this hand was played."""
        declared = _declared(self.variant)
        keys: dict[str, Any] = {"betting": self.betting, **self.forced.keys(declared)}
        if "min_bet" in declared:
            keys["min_bet"] = self.min_bet
        if "flush_order" in declared:
            keys["flush_order"] = "rank_only" if self.bring_in else "rank_first"
        return keys

    def stocks(self) -> tuple[tuple[Card, ...], ...]:
        """Return the cards in the order dealt; a repeated card begins the stock after a reshuffle."""
        passes = range(max(map(len, self.hole)))
        rows = [cards[number] for number in passes for cards in self.hole if number < len(cards)]
        stocks: list[list[Card]] = [[]]
        for card in (*rows, *self.board, *(card for decision in self.actions for card in decision.draw)):
            if card in stocks[0] or len(stocks) > 1:
                stocks += [[]] if len(stocks) == 1 else []
                stocks[1].append(card)
            else:
                stocks[0].append(card)
        return tuple(tuple(stock) for stock in stocks)


@functools.cache
def _hole_cards(variant: str) -> int:
    """Return how many cards a seat is dealt, where it gets all before the first betting round; else 0: any number."""
    game = catalogue.game(variant) if variant in catalogue.FILES else None
    return game.own_cards() if isinstance(game, PokerGame) and game.hole_cards() == game.own_cards() else 0


@functools.cache
def _declared(variant: str) -> tuple[str, ...]:
    """Return the house rules of a game; none for one that this house does not have."""
    return tuple(schema.declared(catalogue.game(variant).rules_type)) if variant in catalogue.FILES else ()


def load(path: Path) -> Iterator[RecordedHand]:
    """Yield the hands of a file, or of all ``*.jsonl`` below a folder. Raises CaseError naming file and line."""
    decoder = msgspec.json.Decoder(RecordedHand)
    for file in cases.files(path, "*.jsonl"):
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    yield decoder.decode(line)
                except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                    raise CaseError(f"{file}:{number}: this is not a recorded hand: {error}") from error


def needless(decision: Decision, asked: tuple[int, ...]) -> bool:
    """Return whether a recorded check does not occur in the rules: no opponent has chips left [poker 0.2 rule 2]."""
    return decision.action == "check" and decision.seat not in asked


BRING_IN = frozenset({"post_bring_in", "call", "check"})
FULL_BETS = frozenset({"bet", "raise", "complete", "complete_bet_or_raise_to"})


def action_of(decision: Decision, offered: Collection[str]) -> actions.Action:
    """Convert a recorded decision into an action.

    ``offered``: the actions that the seat may take. Records name the opening and the completion of a bring-in in
    several ways; no chips were put in on the street before a bet.
    """
    word, to = decision.action, decision.to
    if word not in offered and offered:
        if "bring_in" in offered and word in BRING_IN:
            word = "bring_in"
        elif decision.all_in and "all_in" in offered:
            word = "all_in"
        elif word in FULL_BETS:
            word = "bet" if "bet" in offered else "raise"
    arguments: dict[str, dict[str, Any]] = {
        "draw": {"discards": decision.discard},
        "bet": {"amount": to},
        "raise": {"to": to},
    }
    word = "draw" if word == "discard" else word
    return actions.build(word, arguments.get(word, {}))
