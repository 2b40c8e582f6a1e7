"""Carry limit: what a seat brought is all that it can lose [rules "From claims to chips" 2]."""

from services.house import debts as owing
from services.house.debts import Debts
from services.rules import chips
from services.rules.game import HouseRules
from services.rules.outcomes import HOUSE, POT, Outcome, Party


def set_off(debts: Debts, outcome: Outcome) -> Debts:
    """Set a seat's claims with the banker off against each other (banker, "Settlement": one net win or loss)."""
    if not outcome.net_claims:
        return debts
    banker: Party = HOUSE if outcome.banker is None else outcome.banker
    left: Debts = {}
    for (payer, payee), amount in debts.items():
        back = debts.get((payee, payer), 0) if banker in (payer, payee) else 0
        if amount > back:
            left[payer, payee] = amount - back
    return left


def cut_pairs(debts: Debts, outcome: Outcome, rules: HouseRules, carry: dict[int, int]) -> Debts:
    """Cut each claim to the smaller carry of its two seats, where players face each other and wins are capped."""
    if not outcome.pairwise or rules.win_cap != "stake":
        return debts
    cut = dict(debts)
    for (payer, payee), amount in debts.items():
        if isinstance(payer, int) and isinstance(payee, int):
            cut[payer, payee] = min(amount, carry[payer], carry[payee])
    return cut


def limit_to_carry(debts: Debts, outcome: Outcome, carry: dict[int, int], pot: int) -> Debts:
    """Cut claims so that no seat pays more than its carry; a banking seat and the carried pool collect first.

    Payees of a payer that is short share its chips in proportion to their claims. The house pays everything up to
    ``chips.MOST_PAID``.
    """
    owed: dict[Party, int] = {}
    for (payer, _), amount in debts.items():
        owed[payer] = owed.get(payer, 0) + amount
    for seat in sorted(carry):
        if seat != outcome.banker and owed.get(seat, 0) > carry[seat]:
            debts = _pay_at_most(debts, seat, carry[seat], left_of=seat)
    if outcome.banker is not None:
        collected = sum(owing.owed_to(debts, outcome.banker).values())
        debts = _pay_at_most(debts, outcome.banker, carry[outcome.banker] + collected, left_of=outcome.banker)
    button = -1 if outcome.button is None else outcome.button
    debts = _pay_at_most(debts, HOUSE, chips.MOST_PAID, left_of=button)
    collected = sum(owing.owed_to(debts, POT).values())
    return _pay_at_most(debts, POT, pot + collected, left_of=button)


def _pay_at_most(debts: Debts, payer: Party, most: int, left_of: int) -> Debts:
    owed = owing.owed_by(debts, payer)
    if sum(owed.values()) <= most:
        return debts
    parts = owing.share(most, owed, left_of)
    return {**debts, **{(payer, payee): part for payee, part in parts.items()}}
