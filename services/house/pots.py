"""Pots of a round: rake, and shares of the winners [rules "From claims to chips" 4; poker 0.5; tricks "Ante pot"]."""

from collections.abc import Iterator

from services.house import debts as owing
from services.house.debts import Debts
from services.rules import chips
from services.rules.game import HouseRules
from services.rules.outcomes import Outcome, Part, Pot

WHOLE = 10_000
"""Hundredths of a percent in the whole."""


def rake(outcome: Outcome, rules: HouseRules) -> tuple[int, ...]:
    """Return the rake of each pot, main pot first, until ``rake_cap`` for the round is used up (0: no cap)."""
    if rules.no_flop_no_drop and not outcome.saw_flop:
        return (0,) * len(outcome.pots)
    taken: list[int] = []
    for pot in outcome.pots:
        part = pot.amount * rules.rake_bps // WHOLE
        if rules.rake_cap:
            part = min(part, rules.rake_cap - sum(taken))
        taken.append(part)
    return tuple(taken)


def divided(pot: Pot, amount: int) -> list[tuple[tuple[str, ...], dict[int, int]]]:
    """Divide what is left of a pot after rake: the names of each part, from the outer to the inner, and its shares.

    A pot that is not divided is one part without a name. The first part gets the odd chip. In each part equal seats
    share, odd chips going one each in their order.
    """
    return list(_parts((), pot, amount))


def _parts(names: tuple[str, ...], whole: Pot | Part, amount: int) -> Iterator[tuple[tuple[str, ...], dict[int, int]]]:
    if not whole.parts:
        yield names, chips.split(amount, whole.winners)
    sizes = chips.split(amount, range(len(whole.parts))) if whole.parts else {}
    for place, part in enumerate(whole.parts):
        yield from _parts((*names, part.name), part, sizes[place])


def share(debts: Debts, outcome: Outcome, raked: tuple[int, ...]) -> Debts:
    """Add what each pot owes its winners after rake: equal parts, odd chips in the order of the winners [poker 0.5]."""
    shared = dict(debts)
    for number, (pot, part) in enumerate(zip(outcome.pots, raked, strict=True)):
        paid_in = sum(owing.owed_to(debts, f"pot:{number}").values())
        assert paid_in == pot.amount, f"pot {number} holds {pot.amount}, but {paid_in} were paid in"
        for _, shares in divided(pot, pot.amount - part):
            for seat, amount in shares.items():
                if amount:
                    shared[f"pot:{number}", seat] = shared.get((f"pot:{number}", seat), 0) + amount
    return shared


def give_back(debts: Debts, number: int, excess: int, winner: int, outcome: Outcome) -> Debts:
    """Return to the losing seats of a pot, in equal parts, what a capped winner may not take.

    Odd chips go to the seats from the left of the winner on. No seat gets back more than it paid; the rest goes to the
    other losing seats in the same way.
    """
    name = f"pot:{number}"
    losers = {
        seat: paid
        for seat, paid in owing.owed_to(debts, name).items()
        if isinstance(seat, int) and seat not in outcome.pots[number].winners
    }
    paid = dict(losers)
    while excess:
        open_ = chips.to_the_left((seat for seat in losers if paid[seat]), winner)
        for seat, part in chips.split(excess, open_).items():
            back = min(part, paid[seat])
            paid[seat] -= back
            excess -= back
    return {**debts, **{(seat, name): amount for seat, amount in paid.items()}}
