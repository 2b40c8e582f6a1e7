"""A bank that is grabbed, or offered from seat to seat, before the others bet (san_gong_banker)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

import msgspec

from services.rules import actions, chips, keys
from services.rules.banker import keys as banker_keys
from services.rules.banker.bank import BY_HOUSE, BY_SEAT, Bank, BankRules
from services.rules.banker.engine import BankedRound
from services.rules.banker.hands import Hand
from services.rules.chance import Chance
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.happenings import Happening, Noted, Phase
from services.rules.refusals import Reason, Refused

GRAB: Final = "grab"
ROTATE: Final = "rotate"
"""Phases: all bid at once, or one is asked after the other."""

FREE_BANK: Final = "free_bank"
"""Key of the memory: the bank must be grabbed again (the last banker had 0 points)."""

MULTIPLIERS: Final = {"da": 5, "xiao": 4, "hun": 3, "7-9": 2, "0-6": 1}
"""Multiplier of each category, from the highest [san_gong_banker D4]."""

CARDS: Final = 3
PREVIEW_OF_GRAB: Final = 2
SEAT: Final = "seat"


class SanGongBankerRules(BankRules, frozen=True, kw_only=True):
    """House rules; ``preview_cards`` left out is 2 in ``grab`` and 0 in ``rotate``."""

    players: ClassVar[tuple[int, int]] = (1, 5)

    banker: str = BY_SEAT
    fee_bps: int = ACTIVITY_FEE_BPS
    win_cap: str = "stake"
    bank_mode: banker_keys.BankMode = GRAB
    preview_cards: banker_keys.PreviewCards = None
    base: keys.Base = 10
    multiples: keys.Multiples = (1, 2, 3, 4, 5)
    multipliers: Annotated[dict[str, int], keys.multipliers(MULTIPLIERS)] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill in the sheet's multipliers and the preview of the mode."""
        super().__post_init__()
        msgspec.structs.force_setattr(self, "multipliers", {**MULTIPLIERS, **self.multipliers})
        if self.preview_cards is None:
            preview = PREVIEW_OF_GRAB if self.bank_mode == GRAB and self.banker == BY_SEAT else 0
            msgspec.structs.force_setattr(self, "preview_cards", preview)

    def preview(self) -> int:
        """Return the number of cards that the seats see before they bid; none with the house's bank."""
        return 0 if self.banker == BY_HOUSE else self.preview_cards or 0


def counter_clockwise(seats: Sequence[int], start: int | None) -> list[int]:
    """Order seats counter-clockwise from a seat: itself, the next lower one and so on; None: from the highest."""
    falling = sorted(seats, reverse=True)
    if start is None:
        return falling
    return [seat for seat in falling if seat <= start] + [seat for seat in falling if seat > start]


class GrabbedBankRound(BankedRound, kw_only=True):
    """A round that gives its bank first; ``bids``: who asked for it, ``asked``: in rotate the seats still to be asked.

    ``players`` are all seats of the round until the bank is given, then all but the banker. ``button`` is the last
    banker until then.
    """

    rules: SanGongBankerRules
    bids: dict[int, bool] = msgspec.field(default_factory=dict)
    asked: list[int] = msgspec.field(default_factory=list)

    def bank_given(self) -> list[Happening]:
        """Continue once the banker is known."""
        raise NotImplementedError

    # -- the bank ---------------------------------------------------------------------------------------------

    def begin(self, holder: int | None, first_asked: int | None) -> list[Happening]:
        """Deal the preview and give the bank: ``holder`` keeps it, None: it is bid for; ``first_asked``: in rotate."""
        happened: list[Happening] = []
        self.hands = {seat: Hand() for seat in self.players}
        if self.rules.preview():
            order = counter_clockwise(self.players, self.button)
            happened += [Phase("deal"), *self.deal_to_seats(order, self.rules.preview())]
        if self.rules.banker == BY_HOUSE:
            return happened + self.bank_given()
        if holder is not None:
            return happened + self.give_bank(holder)
        if self.rules.bank_mode == GRAB:
            return happened + self.enter(GRAB)
        assert first_asked is not None, "where the bank is offered round somebody is asked first"
        self.asked = chips.to_the_left(self.players, first_asked - 1)
        return [*happened, *self.enter(ROTATE), Noted("turn", self.asked[0])]

    def give_bank(self, seat: int) -> list[Happening]:
        """Make a seat the banker."""
        self.bank = Bank(seat)
        self.button = seat
        self.players = [other for other in chips.to_the_left(self.carry, seat) if other != seat]
        self.bank_hand = self.hands.pop(seat)
        return [Noted("banker", seat), *self.bank_given()]

    def draw_bank(self, chance: Chance) -> list[Happening]:
        """Draw a banker if nobody asked for the bank."""
        return self.give_bank(chance.pick(sorted(self.carry), SEAT))

    def grabbed(self, chance: Chance) -> list[Happening]:
        """Make the richest bidder the banker; of equal ones the first to the left of the button.

        Source: [san_gong_banker D2].
        """
        bidders = [seat for seat, bid in self.bids.items() if bid]
        if not bidders:
            return self.draw_bank(chance)
        left_of = -1 if self.button is None else self.button
        return self.give_bank(max(chips.to_the_left(bidders, left_of), key=lambda seat: self.carry[seat]))

    def bid(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Take a bid or a pass."""
        wants = isinstance(action, actions.BidBanker)
        happened: list[Happening] = [Noted("bid_banker" if wants else "pass", seat)]
        if self.phase == GRAB:
            self.bids[seat] = wants
            return happened + self.grabbed(chance) if len(self.bids) == len(self.carry) else happened
        if wants:
            return happened + self.give_bank(seat)
        self.asked.pop(0)
        if not self.asked:
            return happened + self.draw_bank(chance)
        self.clock += 1
        return [*happened, Noted("turn", self.asked[0])]

    # -- bidding ----------------------------------------------------------------------------------------------

    def to_decide(self) -> tuple[int, ...]:
        """Return the seats that have not yet answered whether they want the bank."""
        if self.phase == ROTATE:
            return tuple(self.asked[:1])
        return tuple(seat for seat in self.players if seat not in self.bids)

    def check_bid(self, seat: int, action: actions.Action) -> None:
        """Test a bid or a pass."""
        if not isinstance(action, actions.BidBanker | actions.Pass):
            raise self.not_now(seat, action)
        if seat not in self.to_decide():
            if self.phase == ROTATE:
                message = f"seat {self.asked[0]} is asked now, not seat {seat}"
                raise Refused(Reason.OUT_OF_TURN, message, metadata={"turn": self.asked[0]})
            raise self.not_now(seat, action)

    # -- cards ------------------------------------------------------------------------------------------------

    def deal_to_seats(self, order: Sequence[int | None], count: int) -> list[Happening]:
        """Deal ``count`` cards each, one at a time, in this order."""
        return self.deal(
            [(seat, self.bank_hand if self._banks(seat) else self.hands[seat or 0]) for seat in order], count
        )

    def _banks(self, seat: int | None) -> bool:
        return seat is None or seat == self.bank.seat
