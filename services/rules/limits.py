"""Table limits that many games share; each check answers with the faults it finds (an empty list: all is well)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from services.rules.chips import MOST_CHIPS
from services.rules.game import Fault, HouseRules

MOST_SECONDS: Final = 3600
WHOLE_BPS: Final = 10_000
MOST_FACTOR: Final = 1000
"""Greatest multiple, multiplier or odds: far above every sheet, and products of them stay far below int64."""


def common(
    rules: HouseRules, *, fewest: int, most: int, pots: bool = False, flop: bool = False, capped: bool = True
) -> list[Fault]:
    """Check the rules that all games have [rules "House rules common to all games"].

    ``fewest`` and ``most`` bound the seats; ``pots``: the game has pots that may pay rake, and then no fee;
    ``flop``: it knows ``no_flop_no_drop``; ``capped``: it may be played with a win cap.
    """
    faults = [*seats(rules, fewest, most), *word(rules, "win_cap", ("none", "stake") if capped else ("none",))]
    faults += between(rules, "turn_seconds", 1, MOST_SECONDS) + between(rules, "bet_seconds", 1, MOST_SECONDS)
    faults += between(rules, "fee_bps", 0, 0 if pots else WHOLE_BPS)
    faults += between(rules, "rake_bps", 0, WHOLE_BPS if pots else 0)
    faults += between(rules, "rake_cap", 0, MOST_CHIPS if pots else 0)
    if rules.no_flop_no_drop and not flop:
        faults.append(Fault("no_flop_no_drop", "this game has no flop; leave it false"))
    return faults


def seats(rules: HouseRules, fewest: int, most: int) -> list[Fault]:
    """Check that ``fewest`` ≤ ``min_seats`` ≤ ``max_seats`` ≤ ``most``."""
    return between(rules, "max_seats", fewest, most) + between(
        rules, "min_seats", fewest, max(fewest, min(most, rules.max_seats))
    )


def between(rules: HouseRules, field: str, least: int, most: int = MOST_CHIPS) -> list[Fault]:
    """Check that a number is from ``least`` to ``most``; chips are bounded by the most that the house takes at once."""
    value = getattr(rules, field)
    if least <= value <= most:
        return []
    right = f"it must be {least}" if least == most else f"it must be from {least} to {most}"
    return [Fault(field, f"{value} is out of range; {right}")]


def word(rules: HouseRules, field: str, words: Collection[str]) -> list[Fault]:
    """Check that a word is one of those that the sheet gives."""
    value = getattr(rules, field)
    if value in words:
        return []
    return [Fault(field, f"{value!r} is not known; it must be one of {', '.join(words)}")]


def multiples(rules: HouseRules, field: str = "multiples") -> list[Fault]:
    """Check a list of multiples to choose from: not empty, each from 1 to ``MOST_FACTOR``, none twice."""
    values: tuple[int, ...] = getattr(rules, field)
    faults = [] if values else [Fault(field, "the list is empty; name at least one")]
    if len(set(values)) < len(values):
        faults.append(Fault(field, "a value stands there twice; name each once"))
    return faults + _factors(field, ((str(value), value) for value in values))


def multipliers(rules: HouseRules, field: str, names: Collection[str]) -> list[Fault]:
    """Check a table of multipliers or odds: no other names than these, each value from 1 to ``MOST_FACTOR``.

    Names that are left out keep the sheet's value.
    """
    values: Mapping[str, int] = getattr(rules, field)
    faults = [
        Fault(field, f"{name!r} is not known; it must be one of {', '.join(names)}")
        for name in values
        if name not in names
    ]
    return faults + _factors(field, values.items())


def _factors(field: str, values: Iterable[tuple[str, int]]) -> list[Fault]:
    return [
        Fault(field, f"{name}: {value} is out of range; it must be from 1 to {MOST_FACTOR}")
        for name, value in values
        if not 1 <= value <= MOST_FACTOR
    ]
