"""Returns of games in which a hand meets the bank's and the winner's category multiplies the bet.

Both hands are drawn alike, so each side wins as often with each category. What tips the scales are the carry, beyond
which a player loses nothing, a cap on wins, and ties that are the banker's.
"""

from collections.abc import Mapping
from fractions import Fraction

from services.rules.game import HouseRules


def best_return(
    rules: HouseRules,
    multipliers: Mapping[str, int],
    wins: Mapping[str, int],
    total: int,
    *,
    cover: int,
    ties: Mapping[str, int] | None = None,
) -> Fraction:
    """Return what a bet brings back for each chip, with the carry that is best for the player, before the fee.

    ``wins``: in how many of ``total`` pairs of hands the player's wins, by its category; the banker's wins as often.
    ``ties``: those that the banker wins. ``cover``: the least carry for each chip bet; 0 where any carry will do.
    """
    capped = rules.win_cap == "stake"
    # Between two multipliers the net goes with the carry in a straight line, so that the ends alone must be looked at.
    carries = {Fraction(cover), *(Fraction(times) for times in multipliers.values() if times > cover)}
    if cover == 0:
        carries = (carries - {Fraction(0)}) | {Fraction(1, 1_000_000)}
    return 1 + max(_net(carry, multipliers, wins, ties or {}, capped=capped) for carry in carries) / total


def _net(
    carry: Fraction,
    multipliers: Mapping[str, int],
    wins: Mapping[str, int],
    ties: Mapping[str, int],
    *,
    capped: bool,
) -> Fraction:
    """Add up what a bet of one chip nets over all pairs of hands, with the given carry for each chip."""
    net = Fraction(0)
    for category, count in wins.items():
        times = Fraction(multipliers[category])
        net += count * (min(times, carry) if capped else times)
        net -= (count + ties.get(category, 0)) * min(times, carry)
    return net
