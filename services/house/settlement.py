"""What the pipeline makes of claims: the posting of one round (rules/README, "From claims to chips", step 5)."""

from typing import Final

import msgspec

from services.rules.game import Claim

NET: Final = "net"
"""Reason of a claim that stands for several claims of a pair which were set off against each other."""

RAKE: Final = "rake"
"""Reason of what the house takes out of a pot."""


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of all parties in one round, in chips; they add up to nought.

    ``net``: each seat's change, fee and rake included. ``fees``: fee of each seat that paid one; ``rake``: rake of
    each pot, main pot first. ``house``: the house bank's change, fees and rake not included. ``pot``: the carried
    pool's change. ``claims``: the claims as they stand after limits and caps, for the record.
    """

    net: dict[int, int]
    fees: dict[int, int]
    rake: tuple[int, ...]
    house: int
    pot: int
    claims: tuple[Claim, ...]

    @property
    def fee(self) -> int:
        """All fees and rake of the round."""
        return sum(self.fees.values()) + sum(self.rake)
