"""The forced bets of a recorded hand as house rules and as what the last round left: antes, blinds, bring-in."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from services.rules.poker.stakes import OWED

HEADS_UP: Final = 2
DEAD: Final = "dead"


class ForcedBets(msgspec.Struct, frozen=True, kw_only=True):
    """What the seats of a recorded hand put in before the first decision; lists run over seats.

    ``blinds`` holds the blinds and the posts of seats that had missed theirs; ``antes`` the antes and dead posts.
    ``ante_mode``: ``dead`` where antes make no side pots, else they are live.
    """

    antes: tuple[int, ...]
    ante_mode: str
    blinds: tuple[int, ...]
    bring_in: int = 0

    @property
    def small_seat(self) -> int:
        """The seat of the small blind."""
        return 1 if len(self.blinds) == HEADS_UP and self.blinds[0] >= self.blinds[1] else 0

    @property
    def big_seat(self) -> int:
        """The seat of the big blind."""
        return 0 if self.small_seat else 1

    @property
    def by_button(self) -> bool:
        """Whether the button alone posted a blind, as in short deck."""
        return self.blinds[-1] > 0 and not any(self.blinds[:-1])

    @property
    def for_all(self) -> bool:
        """Whether the big blind alone antes."""
        return bool(self.antes[self.big_seat]) and sum(self.antes) == self.antes[self.big_seat] and any(self.blinds)

    @property
    def ante(self) -> int:
        """The ante of the house rules; what single seats put in beyond it are dead posts."""
        return self.antes[self.big_seat] if self.for_all else min(self.antes)

    def fault(self) -> str:
        """Return why the house cannot play with these forced bets; empty where it can."""
        if not any(self.blinds) or self.by_button:
            return ""
        small, big = self.blinds[self.small_seat], self.blinds[self.big_seat]
        if not 1 <= small <= big:
            return f"its blinds are {list(self.blinds)}; a small blind is at least 1 and at most the big blind"
        if any(post > big for post in self.blinds):
            return f"its blinds are {list(self.blinds)}; a post is at most the big blind"
        return ""

    def keys(self, declared: Sequence[str]) -> dict[str, Any]:
        """Return the house rules; ``declared`` are those that the game has."""
        found: dict[str, Any] = {"ante": self.ante} if "ante" in declared else {}
        if "forced_bets" in declared and self.by_button:
            return {**found, "forced_bets": "button_blind", "big_blind": self.blinds[-1]}
        if "big_blind" in declared:
            found |= {"big_blind": self.blinds[self.big_seat], "small_blind": self.blinds[self.small_seat]}
            if len(self.blinds) == HEADS_UP and not self.small_seat:
                found["heads_up_blinds"] = "left_small"
        if "ante_mode" in declared:
            found["ante_mode"] = "big_blind" if self.for_all else "dead" if self.ante_mode == DEAD else "live"
        if self.bring_in and "bring_in" in declared:
            found |= {key: value for key, value in STUD.items() if key in declared}
            found["bring_in"] = self.bring_in
        return found

    def memory(self) -> dict[str, Any]:
        """Return what the last round left: the posts that seats owe beside the blinds."""
        if self.by_button:
            return {}
        owed = {}
        for seat, (ante, blind) in enumerate(zip(self.antes, self.blinds, strict=True)):
            dead = 0 if self.for_all else ante - self.ante
            live = 0 if seat in (self.small_seat, self.big_seat) else blind
            if live or dead:
                owed[str(seat)] = {"live": live, "dead": dead}
        return {OWED: owed} if owed else {}


STUD: Final = {"opening": "bring_in", "exposure": False, "showhand_from": 1}
"""House rules of stud as other engines and rooms play it."""
