"""The games that PokerKit plays too: random house rules and stacks, and PokerKit's game for them."""

import functools
import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Final

import msgspec
from pokerkit import (
    BadugiHand,
    BettingStructure,
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    HoleBoardCombinationHand,
    NoLimitShortDeckHoldem,
    Poker,
)

from services.cli.certify.rules_only import rules_for
from services.rules import catalogue
from services.rules.cards import Card
from services.rules.poker.house_rules import PokerRules

LIMITS: Final = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "fixed_limit": BettingStructure.FIXED_LIMIT,
}
MOST_RAISES: Final = 4
Make = Callable[["Setting", Any], Poker]


class Setting(msgspec.Struct, frozen=True):
    """House rules and stacks of one hand, and what makes PokerKit's game of them."""

    rules: PokerRules
    stacks: tuple[int, ...]
    make: Make

    def poker(self, automations: Sequence[Any]) -> Poker:
        """Return PokerKit's game."""
        return self.make(self, automations)

    @property
    def keys(self) -> dict[str, Any]:
        """The house rules by name."""
        found: dict[str, Any] = msgspec.to_builtins(self.rules)
        return found


def draw(game_id: str, rng: random.Random) -> Setting:
    """Draw house rules and stacks; every seat can pay what it may be forced to."""
    make, keys = VARIANTS[game_id]
    rules = rules_for(catalogue.game(game_id), {key: rng.choice(values) for key, values in keys.items()})
    assert isinstance(rules, PokerRules), f"{game_id} is no game of poker"
    seats = rng.randint(2, rules.max_seats)
    least = 1 if rules.forced_bet else rules.minimum + getattr(rules, "ante", 0) + 1
    deep = rng.choice([2, 6, 30]) * rules.minimum
    return Setting(rules, tuple(rng.randint(least, least + deep) for _ in range(seats)), make)


def _blinds(setting: Setting) -> tuple[int, ...]:
    """Return PokerKit's blinds: from the left of the button; with two seats it turns them round itself."""
    keys, seats = setting.keys, len(setting.stacks)
    small = getattr(setting.rules, "small", 0)
    if keys.get("forced_bets") == "button_blind":
        return (keys["big_blind"], 0) if seats == 2 else (*(0,) * (seats - 1), keys["big_blind"])
    return (small, keys["big_blind"], *(0,) * (seats - 2))


def _omaha_hi_lo(setting: Setting, automations: Any) -> Poker:
    """PokerKit's own game bets by pot limit, in spite of its name; only its hands are taken from it."""
    unit, fixed = setting.keys["big_blind"], setting.rules.betting == "fixed_limit"
    fields = {
        "betting_structure": LIMITS[setting.rules.betting],
        "max_completion_betting_or_raising_count": MOST_RAISES if fixed else None,
    }
    kind: Any = type("OmahaHiLo", (FixedLimitOmahaHoldemHighLowSplitEightOrBetter,), fields)
    made: Poker = kind(automations, True, 0, _blinds(setting), unit, unit * 2 if fixed else unit)
    return made


def _short_deck(setting: Setting, automations: Any) -> Poker:
    fields = {"betting_structure": LIMITS[setting.rules.betting]}
    kind: Any = type("ShortDeck", (NoLimitShortDeckHoldem,), fields)
    made: Poker = kind(automations, True, setting.keys["ante"], _blinds(setting), setting.keys["big_blind"])
    return made


def _triple_draw(kind: Any) -> Make:
    def make(setting: Setting, automations: Any) -> Poker:
        unit, fixed = setting.keys["big_blind"], setting.rules.betting == "fixed_limit"
        fields = {
            "betting_structure": LIMITS[setting.rules.betting],
            "max_completion_betting_or_raising_count": MOST_RAISES if fixed else None,
        }
        made: Poker = type("Draws", (kind,), fields)(
            automations, True, 0, _blinds(setting), unit, unit * 2 if fixed else unit
        )
        return made

    return make


def _stud(kind: Any) -> Make:
    def make(setting: Setting, automations: Any) -> Poker:
        keys = setting.keys
        unit, bring_in = keys["min_bet"], setting.rules.forced_bet
        made: Poker = kind(automations, True, keys["ante"], bring_in, unit, 2 * unit)
        return made

    return make


BIG: Final = [2, 3, 10]
RUNS: Final[dict[str, list[Any]]] = {"run_it": ["once", "twice"]}
STUDS: Final[dict[str, list[Any]]] = {"ante": [0, 1, 2], "min_bet": [4, 10], "bring_in": [None, 1, 3]}
DRAWS: Final[dict[str, list[Any]]] = {
    "betting": ["fixed_limit", "fixed_limit", "pot_limit", "no_limit"],
    "big_blind": BIG,
    "small_blind": [None, 1],
}
VARIANTS: Final[dict[str, tuple[Make, dict[str, list[Any]]]]] = {
    "omaha_hi_lo": (
        _omaha_hi_lo,
        {"betting": ["fixed_limit", "pot_limit", "no_limit"], "big_blind": BIG, "small_blind": [None, 1], **RUNS},
    ),
    "short_deck": (
        _short_deck,
        {
            "betting": ["no_limit", "pot_limit"],
            "big_blind": BIG,
            "small_blind": [None, 1],
            "forced_bets": ["blinds", "button_blind"],
            "ante": [0, 1, 3],
            **RUNS,
        },
    ),
    "deuce_to_seven_triple_draw": (_triple_draw(FixedLimitDeuceToSevenLowballTripleDraw), DRAWS),
    "badugi": (_triple_draw(FixedLimitBadugi), DRAWS),
    "razz": (_stud(FixedLimitRazz), STUDS),
    "seven_card_stud_hi_lo": (_stud(FixedLimitSevenCardStudHighLowSplitEightOrBetter), STUDS),
}
"""What makes PokerKit's game, and the values of house rules that are drawn."""


def worth(kind: Any, own: Sequence[Card], table: Sequence[Card]) -> int | None:
    """Return PokerKit's place of the best hand that a type makes of cards, greater is better; None if it makes none.

    Its own ``from_game`` takes most of a comparison's time. What the look-up of five cards answers depends on their
    ranks and on whether they are of one suit, so that it is remembered by these.
    """
    if issubclass(kind, BadugiHand):
        return _badugi(tuple(sorted(own)))
    if issubclass(kind, HoleBoardCombinationHand):
        hands = [two + three for two in combinations(own, 2) for three in combinations(table, 3)]
    else:
        hands = list(combinations([*own, *table], kind.card_count))
    places = [
        _place(kind, "".join(sorted(card[0] for card in hand)), len({card[1] for card in hand}) == 1) for hand in hands
    ]
    known = [place for place in places if place is not None]
    return max(known, default=None)


@functools.cache
def _badugi(own: tuple[Card, ...]) -> int:
    return -int(BadugiHand.from_game("".join(own)).entry.index)


@functools.cache
def _place(kind: Any, ranks: str, suited: bool) -> int | None:
    suits = "ccccc" if suited else "ccccd" if len(set(ranks)) == len(ranks) else "cdhsc"
    entry = kind.lookup.get_entry_or_none("".join(rank + suit for rank, suit in zip(ranks, suits, strict=True)))
    return None if entry is None else -entry.index if kind.low else entry.index
