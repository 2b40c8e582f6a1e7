"""House rules of the poker family and their table limits [poker 0.1]."""

from services.rules import limits
from services.rules.game import Fault, HouseRules
from services.rules.poker import structures
from services.rules.ranking import five_cards

BUTTON_SMALL = "button_small"
LEFT_SMALL = "left_small"
MOST_BET = 10**12
"""Greatest blind, ante or minimum bet, in chips: so far below int64 that no limit derived from it overflows."""


class PokerRules(HouseRules, frozen=True, kw_only=True):
    """Keys of every game with betting rounds."""

    betting: str = structures.NO_LIMIT
    raise_cap: int = 4

    @property
    def minimum(self) -> int:
        """The minimum bet, in chips."""
        raise NotImplementedError


class WithBlinds(PokerRules, frozen=True, kw_only=True):
    """What the engine asks of house rules with blinds; the minimum bet is the big blind."""

    @property
    def small(self) -> int:
        """The small blind, in chips."""
        raise NotImplementedError

    @property
    def button_is_small(self) -> bool:
        """Return whether the button has the small blind where two seats play."""
        return True


class BlindRules(WithBlinds, frozen=True, kw_only=True):
    """Keys of the games with blinds; ``small_blind`` left out means half of ``big_blind``, rounded down."""

    big_blind: int = 10
    small_blind: int | None = None
    heads_up_blinds: str = BUTTON_SMALL

    @property
    def minimum(self) -> int:
        """The big blind."""
        return self.big_blind

    @property
    def small(self) -> int:
        """The small blind, in chips."""
        return self.big_blind // 2 if self.small_blind is None else self.small_blind

    @property
    def button_is_small(self) -> bool:
        """By the house rule ``heads_up_blinds`` [poker D7]."""
        return self.heads_up_blinds == BUTTON_SMALL


class DrawRules(BlindRules, frozen=True, kw_only=True):
    """Keys of five-card draw."""

    flush_order: str = five_cards.SUIT_FIRST


class AnteRules(PokerRules, frozen=True, kw_only=True):
    """Keys of the games with antes."""

    ante: int = 10
    min_bet: int = 10
    open_check: bool = True
    flush_order: str = five_cards.SUIT_FIRST

    @property
    def minimum(self) -> int:
        """The house rule ``min_bet``."""
        return self.min_bet


class StudRules(AnteRules, frozen=True, kw_only=True):
    """Keys of the two stud games; ``showhand_from`` is the first betting round in which all chips may be bet."""

    showhand_from: int = 4


def poker_faults(rules: PokerRules, *, most_seats: int, flop: bool) -> list[Fault]:
    """Check what holds for all seven games."""
    faults = limits.common(rules, fewest=2, most=most_seats, pots=True, flop=flop, capped=False)
    faults += limits.word(rules, "betting", structures.STRUCTURES)
    return faults + limits.between(rules, "raise_cap", 0, limits.MOST_FACTOR)


def blind_faults(rules: BlindRules) -> list[Fault]:
    """Check blinds: ``big_blind`` ≥ 2, 1 ≤ ``small_blind`` ≤ ``big_blind``."""
    faults = limits.between(rules, "big_blind", 2, MOST_BET)
    if rules.small_blind is not None:
        faults += limits.between(rules, "small_blind", 1, max(1, rules.big_blind))
    return faults + limits.word(rules, "heads_up_blinds", (BUTTON_SMALL, LEFT_SMALL))


def ante_faults(rules: AnteRules, *, least_ante: int) -> list[Fault]:
    """Check ``ante`` and ``min_bet``."""
    return limits.between(rules, "ante", least_ante, MOST_BET) + limits.between(rules, "min_bet", 1, MOST_BET)


def flush_faults(rules: HouseRules) -> list[Fault]:
    """Check ``flush_order``."""
    return limits.word(rules, "flush_order", five_cards.FLUSH_ORDERS)


def showhand_faults(rules: StudRules, *, rounds: int) -> list[Fault]:
    """Check ``showhand_from``: one of the betting rounds of the game."""
    return limits.between(rules, "showhand_from", 1, rounds)
