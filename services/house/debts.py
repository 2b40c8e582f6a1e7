"""What every two parties owe each other: the form in which the pipeline works on claims."""

from collections.abc import Iterable, Mapping

from services.rules import chips
from services.rules.outcomes import HOUSE, POT, Claim, Party

Debts = dict[tuple[Party, Party], int]
"""Chips that the first party owes the second, by pair; several claims of one pair stand together."""


def of_claims(claims: Iterable[Claim]) -> Debts:
    """Add up claims by payer and payee; claims of 0 chips are dropped."""
    debts: Debts = {}
    for claim in claims:
        assert claim.amount >= 0, f"a claim cannot be negative: {claim}"
        assert claim.payer != claim.payee, f"nobody owes itself: {claim}"
        if claim.amount:
            pair = (claim.payer, claim.payee)
            debts[pair] = debts.get(pair, 0) + claim.amount
    return debts


def owed_by(debts: Debts, payer: Party) -> dict[Party, int]:
    """Return what a party owes, by payee."""
    return {payee: amount for (owes, payee), amount in debts.items() if owes == payer}


def owed_to(debts: Debts, payee: Party) -> dict[Party, int]:
    """Return what a party is owed, by payer."""
    return {payer: amount for (payer, gets), amount in debts.items() if gets == payee}


def net(debts: Debts, party: Party) -> int:
    """Return what a party wins: incoming less outgoing."""
    return sum(owed_to(debts, party).values()) - sum(owed_by(debts, party).values())


def nets(debts: Debts, parties: Iterable[Party]) -> dict[Party, int]:
    """Return what every one of these parties wins, in one go."""
    won = dict.fromkeys(parties, 0)
    for (payer, payee), amount in debts.items():
        if payer in won:
            won[payer] -= amount
        if payee in won:
            won[payee] += amount
    return won


def share(amount: int, weights: Mapping[Party, int], left_of: int) -> dict[Party, int]:
    """Share an amount among parties in proportion, by largest remainder.

    Ties go to the seat closest to the left of ``left_of``, and to any seat before a pool or the house (rules/README:
    "An odd chip between a seat and a pool goes to the seat").
    """
    seats: list[Party] = [*chips.to_the_left((party for party in weights if isinstance(party, int)), left_of)]
    others = sorted((party for party in weights if isinstance(party, str)), key=_place)
    return chips.share(amount, weights, [*seats, *others])


def _place(party: str) -> tuple[int, int]:
    if party in (POT, HOUSE):
        return (1 if party == POT else 2, 0)
    return (0, int(party.removeprefix("pot:")))
