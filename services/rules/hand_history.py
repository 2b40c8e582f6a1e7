"""How a game is called in the formats of hand histories that other programs read (PHH, Open Hand History)."""

from collections.abc import Mapping
from typing import Final

import msgspec

LETTERS: Final[Mapping[str, str]] = {"no_limit": "N", "pot_limit": "P", "fixed_limit": "F"}
"""The first letter of a variant's code, by betting structure."""


class HandHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The names of a game in the formats.

    ``phh``: the end of its variant code, after the letter of the betting structure; ``ohh``: its game type in Open Hand
    History, empty where that format has none; ``bring_in``: whether the variant's hands state a bring-in.
    """

    phh: str
    ohh: str = ""
    bring_in: bool = False

    def code(self, betting: str) -> str | None:
        """Return the variant code with a betting structure; None for a structure that the format does not know."""
        return LETTERS[betting] + self.phh if betting in LETTERS else None
