"""What the pipeline makes of claims: the posting of one round [rules "From claims to chips" 5]."""

from typing import Final

import msgspec

from services.rules.outcomes import POT, Claim
from services.rules.text import Text

NET: Final = "net"
"""Reason of a claim that stands for several claims of a pair which were set off against each other."""

RAKE: Final = "rake"
"""Reason of what the house takes out of a pot."""

WORDS: Final[dict[str, Text]] = {
    NET: Text("Bets set off against each other", "互抵後淨額", "互抵后净额"),
    RAKE: Text("Rake", "抽水", "抽水"),
    POT: Text("Share of the pot", "分得彩池", "分得彩池"),
}
"""Reasons that the pipeline adds to those of the games, for people."""


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of all parties in one round, in chips; they add up to 0.

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
