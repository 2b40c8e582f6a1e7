"""Win cap: what a seat brought is all that it can win [rules "From claims to chips" 3]."""

from services.house import debts as owing
from services.house import pots
from services.house.debts import Debts
from services.rules import chips
from services.rules.game import HouseRules
from services.rules.outcomes import Outcome


def cap_wins(debts: Debts, outcome: Outcome, rules: HouseRules, carry: dict[int, int]) -> Debts:
    """With ``win_cap: stake`` let no seat's net win exceed its carry; the payers keep the difference.

    Seats are capped in the sheet's order; where it gives none, the greatest net win first, on the claims as they
    then stand, until no seat exceeds its cap.
    """
    if rules.win_cap != "stake":
        return debts
    order = sheet_order(outcome, carry)
    if order is None:
        return _greatest_first(debts, outcome, carry)
    for seat in order:
        debts = _cap(debts, seat, outcome, carry)
    return debts


def sheet_order(outcome: Outcome, carry: dict[int, int]) -> list[int] | None:
    """Return the seats in the order in which the sheet caps them; a game with a banker caps the players first."""
    if outcome.cap_order is not None:
        return list(outcome.cap_order)
    if outcome.banker is not None:
        return chips.to_the_left(carry, outcome.banker)
    return None


def _greatest_first(debts: Debts, outcome: Outcome, carry: dict[int, int]) -> Debts:
    around = chips.to_the_left(carry, -1 if outcome.button is None else outcome.button)
    # Every cap removes at least one chip from the claims, so the loop ends.
    while over := [seat for seat in around if owing.net(debts, seat) > carry[seat]]:
        debts = _cap(debts, max(over, key=lambda seat: owing.net(debts, seat)), outcome, carry)
    return debts


def _cap(debts: Debts, seat: int, outcome: Outcome, carry: dict[int, int]) -> Debts:
    """Scale a seat's incoming claims down so that its net win is its carry; a pot's losers get back what it cuts."""
    excess = owing.net(debts, seat) - carry[seat]
    if excess <= 0:
        return debts
    owed = owing.owed_to(debts, seat)
    parts = owing.share(sum(owed.values()) - excess, owed, left_of=seat)
    capped: Debts = {**debts, **{(payer, seat): part for payer, part in parts.items()}}
    assert outcome.refund or not outcome.pots, "a game with pots has no win cap, unless its pots go back to the losers"
    for number in range(len(outcome.pots)):
        kept = owed.get(f"pot:{number}", 0) - parts.get(f"pot:{number}", 0)
        capped = pots.give_back(capped, number, kept, seat, outcome)
    return capped
