"""The policy of players' limits [R43]: spans, the strictest of several limits, and what is left of one.

``services.registry.limits`` reads the records. ``services.settlement.limits`` applies the policy where chips move,
``services.table.stake_allowance`` within a round. The page ``docs/limits.md`` shows how they work together.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

DEPOSIT, LOSS, STAKE, EXCLUSION = "deposit", "loss", "stake", "exclusion"
SPANS: Final = ("day", "week", "month")

DAY_MS: Final = 24 * 3600 * 1000
LOOSER_AFTER_MS: Final = DAY_MS
"""Delay after which a looser limit comes into force; a stricter one does at once."""


class Limit(msgspec.Struct, frozen=True):
    """A limit of one player, in force from ``effective_ms`` on.

    ``amount``: chips within ``span``; None: no limit. For an exclusion: the moment until which it holds; None: none.
    """

    number: int
    player: str
    kind: str
    span: str
    currency: str
    set_by: str
    amount: int | None
    effective_ms: int
    made_ms: int
    reason: str
    actor: str

    @property
    def strictness(self) -> int:
        """Order limits of one kind: the greater the stricter."""
        if self.kind == EXCLUSION:
            return self.amount or 0
        return -(self.amount if self.amount is not None else 1 << 62)


def strictest(limits: Iterable[Limit]) -> list[Limit]:
    """Return the strictest limit of each kind, span and currency, of player or house; leave out lifted ones."""
    kept: dict[tuple[str, str, str], Limit] = {}
    for limit in limits:
        key = (limit.kind, limit.span, limit.currency)
        if limit.amount is not None and (key not in kept or limit.strictness > kept[key].strictness):
            kept[key] = limit
    return list(kept.values())


def effective_ms(wanted: Limit, before: Limit | None, now_ms: int) -> int:
    """Return when a limit comes into force: now, or a day later where it is looser than the one before."""
    looser = before is not None and wanted.strictness < before.strictness
    return now_ms + LOOSER_AFTER_MS if looser else now_ms


def excludes(limit: Limit, at_ms: int) -> bool:
    """Return whether a limit is an exclusion that holds at a moment."""
    return limit.kind == EXCLUSION and (limit.amount or 0) > at_ms


def left(amount: int, used: int) -> int:
    """Return the chips that are left of an amount; never negative."""
    return max(0, amount - used)


def forbids(limit: Limit, used: int, chips: int) -> bool:
    """Return whether ``used`` and ``chips`` together exceed a limit; a stake limit forbids all once it is used up."""
    amount = limit.amount or 0
    return used + chips > amount or (limit.kind == STAKE and used >= amount)


def allowance(limit_left: int, elsewhere: int, most: int) -> int:
    """Return the chips that a seat may stake in a round.

    ``limit_left`` remains of the player's stake limits, rounds at other tables may still use ``elsewhere`` of it, and
    ``most`` is the seat's maximum without a limit.
    """
    return max(0, min(limit_left - elsewhere, most))


def span_start(span: str, at_ms: int) -> int:
    """Return the moment at which the day, week (from Monday) or month of a moment began, in UTC."""
    day = at_ms // DAY_MS
    if span == "week":
        day -= (day + 3) % 7  # day 0, 1 January 1970, was a Thursday
    elif span == "month":
        day -= _day_of_month(day)
    else:
        assert span == "day", f"there is no span {span!r}"
    return day * DAY_MS


def _day_of_month(day: int) -> int:
    """Return the day within its month, from 0, of a day since 1 January 1970.

    Years are counted from 1 March, so that a leap day is the last day of its year. Months then have 153 days in every
    five, and 146,097 days make a cycle of 400 years.
    """
    of_cycle = (day + 719_468) % 146_097
    year = (of_cycle - of_cycle // 1460 + of_cycle // 36_524 - of_cycle // 146_096) // 365
    of_year = of_cycle - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return of_year - (153 * month + 2) // 5
