"""The odds table of san gong: what a bet on each spot wins, and what it returns to the player."""

from collections.abc import Mapping
from typing import ClassVar, Final

from services.rules import limits
from services.rules.banker.bank import BetRules
from services.rules.banker.family import returned
from services.rules.game import Fault
from services.rules.ranking import three_cards
from services.rules.ranking.pip_counts import Ranked

PLAYER_WIN: Final = "player_win"
PLAYER_LOSE: Final = "player_lose"
TIE: Final = "tie"
SAN_GONG: Final = "san_gong"
PAIR_PLUS: Final = "pair_plus"
SPOTS: Final = (PLAYER_WIN, PLAYER_LOSE, TIE, SAN_GONG, PAIR_PLUS)

TIE_PAYS: Final = 8
SAN_GONG_PAYS: Final = 16
PAIR_PLUS_PAYS: Final = {
    three_cards.STRAIGHT_FLUSH: 40,
    three_cards.TRIPLE: 30,
    three_cards.STRAIGHT: 6,
    three_cards.FLUSH: 3,
    three_cards.PAIR: 1,
}
HALF_PAY_POINTS: Final = 6
"""A winning hand of so many points pays half the bet."""

POINTS_THEN_COURTS: Final = "points_then_courts"
POINTS: Final = "points"
PLAYER: Final = "player"
EITHER: Final = "either"


HANDS: Final = 22_100
"""Hands of three cards."""
PAIRS_OF_HANDS: Final = 407_170_400
"""Player's and banker's hands together: 22 100 × 18 424."""

WINS: Final[Mapping[str, tuple[int, int]]] = {
    POINTS_THEN_COURTS: (24_886_104, 171_012_136),
    POINTS: (23_684_856, 159_943_336),
}
"""In how many of them the player's hand is higher: with six points, and with any other hand; the banker's as often."""
PLAYER_SAN_GONG: Final = 220
EITHER_SAN_GONG: Final = 8_088_080
"""Hands (of 22 100) with three court cards; pairs of hands (of 407 170 400) of which one or both have them."""
PAIR_PLUS_HANDS: Final = {
    three_cards.STRAIGHT_FLUSH: 48,
    three_cards.TRIPLE: 52,
    three_cards.STRAIGHT: 720,
    three_cards.FLUSH: 1096,
    three_cards.PAIR: 3744,
}
"""Hands of each category, of 22 100."""


class SanGongLiveRules(BetRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 50)
    widest: ClassVar[int | None] = 1000

    tie_rule: str = POINTS_THEN_COURTS
    san_gong_hand: str = PLAYER

    def faults(self) -> list[Fault]:
        """Check the table limits."""
        faults = super().faults() + limits.word(self, "tie_rule", (POINTS_THEN_COURTS, POINTS))
        return faults + limits.word(self, "san_gong_hand", (PLAYER, EITHER))


def pays(spot: str, amount: int, player: Ranked, bank: Ranked, plus: str, rules: SanGongLiveRules) -> int | None:
    """Give what a bet wins [san_gong_live "Pays"]: chips, −amount if it is lost, None if it is returned."""
    if spot in {PLAYER_WIN, PLAYER_LOSE}:
        own, other = (player, bank) if spot == PLAYER_WIN else (bank, player)
        if own.key == other.key:
            return None
        win = amount // 2 if own.points == HALF_PAY_POINTS else amount
        return win if own.key > other.key else -amount
    if spot == TIE:
        return TIE_PAYS * amount if player.key == bank.key else -amount
    if spot == SAN_GONG:
        hands = (player, bank) if rules.san_gong_hand == EITHER else (player,)
        return SAN_GONG_PAYS * amount if any(hand.points is None for hand in hands) else -amount
    assert spot == PAIR_PLUS, f"no spot is called {spot}"
    return PAIR_PLUS_PAYS[plus] * amount if plus in PAIR_PLUS_PAYS else -amount


def exact_return(spot: str, rules: SanGongLiveRules) -> str:
    """Give the return to player of a bet on a spot, from the counts of all hands."""
    six, other = WINS[rules.tie_rule]
    ties = PAIRS_OF_HANDS - 2 * (six + other)
    if spot in {PLAYER_WIN, PLAYER_LOSE}:
        return returned({1: six, 2: other, 0: ties, -2: six + other}, PAIRS_OF_HANDS, rules.fee_bps, unit=2)
    if spot == TIE:
        return returned({TIE_PAYS: ties, -1: PAIRS_OF_HANDS - ties}, PAIRS_OF_HANDS, rules.fee_bps)
    if spot == SAN_GONG:
        hits, total = (EITHER_SAN_GONG, PAIRS_OF_HANDS) if rules.san_gong_hand == EITHER else (PLAYER_SAN_GONG, HANDS)
        return returned({SAN_GONG_PAYS: hits, -1: total - hits}, total, rules.fee_bps)
    results = {PAIR_PLUS_PAYS[name]: hands for name, hands in PAIR_PLUS_HANDS.items()}
    return returned({**results, -1: HANDS - sum(results.values())}, HANDS, rules.fee_bps)
