"""What bets return where only a simulation tells, as its figures are kept in a game's file."""

import msgspec


class TrialReturn(msgspec.Struct, frozen=True, kw_only=True):
    """What a bet returned for each chip in a trial of so many ``rounds``, with its 99 % interval."""

    bet: str
    returned: float
    low: float
    high: float
    rounds: int
