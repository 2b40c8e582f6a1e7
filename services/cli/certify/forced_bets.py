"""The forced bets of a recorded hand as house rules and as what the last round left: antes, blinds, bring-in."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from services.rules.poker import positions
from services.rules.poker.positions import HEADS_UP, Blinds, Memory, Owed

DEAD: Final = "dead"


class ForcedBets(msgspec.Struct, frozen=True, kw_only=True):
    """What the seats of a recorded hand put in before the first decision; lists run over seats.

    ``blinds`` holds the blinds, the posts of seats that had missed theirs, and the straddle; ``antes`` the antes and
    dead posts. ``ante_mode``: ``dead`` where antes make no side pots, else they are live. Nobody posts the small blind
    where its place is at an empty seat: then the big one is the first of ``blinds``, or the first is 0 [poker 0.14].
    """

    antes: tuple[int, ...]
    ante_mode: str
    blinds: tuple[int, ...]
    bring_in: int = 0

    @property
    def small_seat(self) -> int | None:
        """The seat of the small blind; None where nobody posted it."""
        if len(self.blinds) == HEADS_UP:
            return 1 if self.blinds[0] >= self.blinds[1] else 0
        first, second = self.blinds[:2]
        return 0 if first and second else None

    @property
    def big_seat(self) -> int:
        """The seat of the big blind."""
        if self.small_seat is None:
            return 0 if self.blinds[0] else 1
        return 0 if self.small_seat else 1

    @property
    def straddle_seat(self) -> int | None:
        """The seat under the gun, if it straddled: it put in twice the big blind."""
        under_the_gun = self.big_seat + 1
        if len(self.blinds) <= HEADS_UP or self.blinds[under_the_gun] != 2 * self.blinds[self.big_seat]:
            return None
        return under_the_gun if self.blinds[self.big_seat] else None

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
        big = self.blinds[self.big_seat]
        small = big if self.small_seat is None else self.blinds[self.small_seat]
        if not 1 <= small <= big or (len(self.blinds) == HEADS_UP and not all(self.blinds)):
            return f"its blinds are {list(self.blinds)}; a small blind is at least 1 and at most the big blind"
        if any(post > big for seat, post in enumerate(self.blinds) if seat != self.straddle_seat):
            return f"its blinds are {list(self.blinds)}; a post is at most the big blind, a straddle twice as much"
        return ""

    def keys(self, declared: Sequence[str]) -> dict[str, Any]:
        """Return the house rules; ``declared`` are those that the game has."""
        found: dict[str, Any] = {"ante": self.ante} if "ante" in declared else {}
        if "forced_bets" in declared and self.by_button:
            return {**found, "forced_bets": "button_blind", "big_blind": self.blinds[-1]}
        if "big_blind" in declared:
            found["big_blind"] = self.blinds[self.big_seat]
            if self.small_seat is not None:
                found["small_blind"] = self.blinds[self.small_seat]
            if self.straddle_seat is not None:
                found["straddle"] = "under_the_gun"
            if len(self.blinds) == HEADS_UP and not self.small_seat:
                found["heads_up_blinds"] = "left_small"
        if "ante_mode" in declared:
            found["ante_mode"] = "big_blind" if self.for_all else "dead" if self.ante_mode == DEAD else "live"
        if self.bring_in and "bring_in" in declared:
            found |= {key: value for key, value in STUD.items() if key in declared}
            found["bring_in"] = self.bring_in
        return found

    def memory(self) -> dict[str, Any]:
        """Return what the last round left: posts beside the blinds, a straddle, blinds without a small one."""
        if self.by_button or not any(self.blinds):
            return {}
        owed, blinds = {}, {self.small_seat, self.big_seat, self.straddle_seat}
        for seat, (ante, blind) in enumerate(zip(self.antes, self.blinds, strict=True)):
            due = Owed(live=0 if seat in blinds else blind, dead=0 if self.for_all else ante - self.ante)
            if due != Owed():
                owed[seat] = due
        return positions.write(
            Memory(
                owed=owed,
                placed=Blinds(self.big_seat) if self.small_seat is None else None,
                straddles=[] if self.straddle_seat is None else [self.straddle_seat],
            )
        )


STUD: Final = {"opening": "bring_in", "exposure": False, "showhand_from": 1}
"""House rules of stud as other engines and rooms play it."""
