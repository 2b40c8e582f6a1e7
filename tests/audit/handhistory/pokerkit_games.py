"""PokerKit's reader of hand histories, extended by the variants for which the format has no code."""

from typing import Any, ClassVar

from pokerkit import (
    BettingStructure,
    Deck,
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    FixedLimitTexasHoldem,
    HandHistory,
    NoLimitShortDeckHoldem,
    NoLimitTexasHoldem,
    OmahaHoldemHand,
    Opening,
    Poker,
    PotLimitOmahaHoldem,
    ShortDeckHoldemHand,
    StandardHighHand,
    Street,
)

LIMITS = {
    "N": BettingStructure.NO_LIMIT,
    "P": BettingStructure.POT_LIMIT,
    "F": BettingStructure.FIXED_LIMIT,
}
MOST_RAISES = 4


class Own(Poker):
    """A game of own cards; ``rows`` holds for each street the numbers of down and up cards, or a draw."""

    deck = Deck.STANDARD
    hand_types = (StandardHighHand,)
    rows: ClassVar[tuple[tuple[bool, ...] | None, ...]]
    late_from: ClassVar[int]
    opening: ClassVar[Opening]

    def __init__(
        self,
        automations: Any,
        ante_trimming_status: bool,
        raw_antes: Any,
        raw_blinds_or_straddles: Any = 0,
        min_bet: int = 0,
        small_bet: int = 0,
        big_bet: int = 0,
        bring_in: int = 0,
        **kwargs: Any,
    ) -> None:
        fixed = self.betting_structure is BettingStructure.FIXED_LIMIT
        assert not bring_in
        streets = tuple(
            Street(
                False,
                row or (),
                0,
                row is None,
                self.opening,
                (big_bet if number >= self.late_from else small_bet) if fixed else min_bet,
                MOST_RAISES if fixed else None,
            )
            for number, row in enumerate(self.rows)
        )
        super().__init__(automations, streets, ante_trimming_status, raw_antes, raw_blinds_or_straddles, 0, **kwargs)


def own(limit: str, rows: tuple[tuple[bool, ...] | None, ...], late_from: int, opening: Opening) -> type[Poker]:
    """Return the class of a game of own cards."""
    fields = {"rows": rows, "late_from": late_from, "opening": opening, "betting_structure": LIMITS[limit]}
    return type(f"Own{limit}{len(rows)}", (Own,), fields)


def limited(kind: type[Poker], limit: str) -> type[Poker]:
    """Return the class of one of PokerKit's games with small and big bets, with another betting structure."""

    def init(self: Any, *, min_bet: int, **kwargs: Any) -> None:
        one = issubclass(kind, NoLimitShortDeckHoldem)
        bets = {"min_bet": min_bet} if one else {"small_bet": min_bet, "big_bet": min_bet}
        start: Any = kind.__init__
        start(self, **kwargs, **bets)

    fields = {
        "betting_structure": LIMITS[limit],
        "max_completion_betting_or_raising_count": None,
        "__init__": init,
    }
    return type(f"{limit}{kind.__name__}", (kind,), fields)


BRING_INS = {"R", "7S/8"}
"""Codes without the betting structure of games that PokerKit plays with a bring-in alone."""
DOWN, UP = (False,), (True,)
DRAW = ((False,) * 5, None)
FIVE_STUD = (DOWN + UP, UP, UP, UP)
SEVEN_STUD = (DOWN + DOWN + UP, UP, UP, UP, UP)
"""In stud the card that a player turns up is written as the one dealt last, so the last street falls face up."""


class Taught(HandHistory):
    """The reader with the codes of this house."""

    game_types: ClassVar[dict[str, type[Poker]]] = {
        **HandHistory.game_types,
        "PT": type("PotLimitTexas", (NoLimitTexasHoldem,), {"betting_structure": LIMITS["P"]}),
        "NO": type("NoLimitOmaha", (PotLimitOmahaHoldem,), {"betting_structure": LIMITS["N"]}),
        "FO": type(
            "FixedLimitOmaha", (FixedLimitTexasHoldem,), {"hole_dealing_count": 4, "hand_types": (OmahaHoldemHand,)}
        ),
        **{f"{limit}O/8": limited(FixedLimitOmahaHoldemHighLowSplitEightOrBetter, limit) for limit in "NP"},
        **{f"{limit}S": limited(NoLimitShortDeckHoldem, limit) for limit in "P"},
        "FS": type(
            "FixedLimitShortDeck",
            (FixedLimitTexasHoldem,),
            {"deck": Deck.SHORT_DECK_HOLDEM, "hand_types": (ShortDeckHoldemHand,)},
        ),
        **{f"{limit}2L3D": limited(FixedLimitDeuceToSevenLowballTripleDraw, limit) for limit in "NP"},
        **{f"{limit}B": limited(FixedLimitBadugi, limit) for limit in "NP"},
        **{f"{limit}R": limited(FixedLimitRazz, limit) for limit in "NP"},
        **{f"{limit}7S/8": limited(FixedLimitSevenCardStudHighLowSplitEightOrBetter, limit) for limit in "NP"},
        **{f"{limit}5D": own(limit, DRAW, 1, Opening.POSITION) for limit in LIMITS},
        **{f"{limit}5S": own(limit, FIVE_STUD, 2, Opening.HIGH_HAND) for limit in LIMITS},
        **{f"{limit}7S": own(limit, SEVEN_STUD, 2, Opening.HIGH_HAND) for limit in LIMITS},
    }
    required_field_names: ClassVar[dict[str, tuple[str, ...]]] = {
        code: (
            "variant",
            "antes",
            "bring_in" if code[1:] in BRING_INS else "blinds_or_straddles",
            *(("small_bet", "big_bet") if code.startswith("F") else ("min_bet",)),
            "starting_stacks",
            "actions",
        )
        for code in game_types
    }


def finishing_stacks(text: str, *, taught: bool) -> list[int]:
    """Read a hand, play it to its end, and return the final stacks in the format's order of players."""
    reader = Taught if taught else HandHistory
    history = reader.loads(text)
    state = None
    for state in history:  # noqa: B007 - the last state is what is asked for
        pass
    assert state is not None
    assert not state.status, f"the hand has not ended: {state.actor_indices=} {state.operations[-1]}"
    return [int(stack) for stack in state.stacks]
