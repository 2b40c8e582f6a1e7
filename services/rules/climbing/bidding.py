"""How the landlord is found: by points, or by calling and robbing (climbing, dou_dizhu, "Play" 2 to 4).

Source: [dou_dizhu D3].
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from services.rules import actions, illegal_actions
from services.rules.happenings import Happening, Noted
from services.rules.offers import OneOf, Option
from services.rules.refusals import Reason, Refused

MOST_POINTS: Final = 3
CALLED: Final = 3
"""The multiplier of a landlord who called; each robbery doubles it."""

GREATEST: Final = {"points": MOST_POINTS, "rob": CALLED * 2**3}
"""The greatest multiplier of each way of bidding [dou_dizhu D3]."""

_PASS: Final = Option("pass")


class Bidding(msgspec.Struct, kw_only=True):
    """Seats are asked one by one; ``asked`` are those still to be asked, ``multiplier`` is 0 until somebody bids."""

    asked: list[int]
    candidate: int | None = None
    multiplier: int = 0

    @property
    def turn(self) -> int | None:
        """Whose word it is; None when the bidding is over and ``candidate`` is the landlord, if there is one."""
        return self.asked[0] if self.asked else None

    def options(self) -> list[Option]:
        """List the bids open to the seat on turn."""
        raise NotImplementedError

    def offers(self) -> list[Option]:
        """List the bids that a seat is shown to choose from: of two ways to pass one."""
        return self.options()

    def verify(self, action: actions.Action) -> None:
        """Raise Refused (``ILLEGAL_ACTION``, ``AMOUNT_OUT_OF_RANGE``) for a bid not open to the seat on turn."""
        raise NotImplementedError

    def take(self, action: actions.Action) -> list[Happening]:
        """Apply the bid of the seat on turn."""
        raise NotImplementedError


class Points(Bidding, kw_only=True, tag="points"):
    """One turn each; the multiplier is the highest bid, and the greatest bid ends it."""

    def options(self) -> list[Option]:
        """List no points and all that are more than every bid before, and passing."""
        return [Option("bid", {"points": OneOf((0, *self._higher()))}), _PASS]

    def offers(self) -> list[Option]:
        """List the higher bids, and passing; a bid of 0 is another word for it."""
        return [Option("bid", {"points": OneOf(self._higher())}), _PASS]

    def _higher(self) -> tuple[int, ...]:
        return tuple(range(self.multiplier + 1, MOST_POINTS + 1))

    def verify(self, action: actions.Action) -> None:
        """Accept a pass (or 0 points) and any higher bid."""
        if isinstance(action, actions.Pass):
            return
        if not isinstance(action, actions.Bid) or action.trump is not None:
            raise illegal_actions.illegal(
                f"{action.name} is not possible in this bidding; bid points, or pass", illegal_actions.BID_OR_PASS
            )
        if action.points and not self.multiplier < action.points <= MOST_POINTS:
            message = f"a bid of {action.points} is not possible; bid {self.multiplier + 1} to {MOST_POINTS}, or pass"
            if self.multiplier + 1 == MOST_POINTS:
                message = f"a bid of {action.points} is not possible; bid {MOST_POINTS}, or pass"
            bounds = {"least": self.multiplier + 1, "greatest": MOST_POINTS}
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata=bounds)

    def take(self, action: actions.Action) -> list[Happening]:
        """Note the bid; three points end the bidding."""
        seat = self.asked.pop(0)
        points = action.points if isinstance(action, actions.Bid) else 0
        if not points:
            return [Noted("passed", seat)]
        self.candidate, self.multiplier = seat, points
        if points == MOST_POINTS:
            self.asked.clear()
        return [Noted("bid", seat, {"points": points})]


class Robbing(Bidding, kw_only=True, tag="rob"):
    """A first circle to call and to rob, and where anybody robbed a second one to rob back.

    ``order``: all seats from the one that had the first say; ``gone``: who passed, for a pass is for good.
    """

    order: tuple[int, ...]
    caller: int | None = None
    gone: list[int] = []
    second: bool = False

    def options(self) -> list[Option]:
        """List calling or robbing, and passing."""
        return [Option("call_landlord" if self.caller is None else "rob"), _PASS]

    def verify(self, action: actions.Action) -> None:
        """Accept a pass, a call while nobody has called, then robbing."""
        if isinstance(action, actions.Pass):
            return
        wanted = actions.CallLandlord() if self.caller is None else actions.Rob()
        if action != wanted:
            message = f"{action.name} is not possible now; say {wanted.name} (without a card) or pass"
            right = illegal_actions.CALL_LANDLORD if self.caller is None else illegal_actions.ROB_LANDLORD
            raise illegal_actions.illegal(message, right)

    def take(self, action: actions.Action) -> list[Happening]:
        """Note a call, a robbery or a pass; the first robbery of the second circle ends the bidding."""
        seat = self.asked.pop(0)
        if isinstance(action, actions.Pass):
            self.gone.append(seat)
        elif self.caller is None:
            self.caller = self.candidate = seat
            self.multiplier = CALLED
        else:
            self.candidate = seat
            self.multiplier *= 2
            if self.second:
                self.asked.clear()
        if not self.asked and not self.second and self.candidate != self.caller:
            self._open_second_circle()
        word = "passed" if isinstance(action, actions.Pass) else action.name
        return [Noted(word, seat, {"multiplier": self.multiplier} if word != "passed" else {})]

    def _open_second_circle(self) -> None:
        assert self.caller is not None, "nobody called, so nobody can have robbed"
        self.second = True
        at = self.order.index(self.caller)
        circle = self.order[at:] + self.order[:at]
        self.asked = [seat for seat in circle if seat not in self.gone and seat != self.candidate]


def begin(kind: str, order: Sequence[int]) -> "Points | Robbing":
    """Open the bidding; ``order`` lists all seats from the one that has the first say."""
    if kind == "points":
        return Points(asked=list(order))
    return Robbing(asked=list(order), order=tuple(order))
