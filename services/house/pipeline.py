"""Claims to chips, in the order of [rules "From claims to chips"]; the same for every game.

Pure: its only inputs are the outcome of a round, the house rules, and the chips of seats and carried pool at its start.
"""

import msgspec

from services.house import caps, carry_limit, pots
from services.house import debts as owing
from services.house.debts import Debts
from services.house.settlement import NET, RAKE, Posting
from services.rules import chips
from services.rules.game import HouseRules
from services.rules.outcomes import HOUSE, POT, Claim, Outcome, Party

MOST_INT64 = 2**63 - 1


def settle(outcome: Outcome, rules: HouseRules, carry: dict[int, int], pot: int) -> Posting:
    """Turn the claims of a round into the changes of all parties.

    ``carry``: chips of each seat in the round at its start; ``pot``: the table's carried pool at the start.
    """
    assert pot >= 0, f"the carried pool holds {pot}"
    debts = owing.of_claims(outcome.claims)  # 1. claims
    debts = carry_limit.set_off(debts, outcome)
    debts = carry_limit.cut_pairs(debts, outcome, rules, carry)  # 2. carry limit
    debts = carry_limit.limit_to_carry(debts, outcome, carry, pot)
    rake = pots.rake(outcome, rules)  # 4., because rake is taken before a pot is shared
    debts = pots.share(debts, outcome, rake)
    debts = caps.cap_wins(debts, outcome, rules, carry)  # 3. win cap
    won = owing.nets(debts, (*carry, HOUSE, POT))
    fees = {seat: fee for seat in sorted(carry) if (fee := fee_on(won[seat], rules))}  # 4. fee
    made = Posting(  # 5. posting
        net={seat: won[seat] - fees.get(seat, 0) for seat in sorted(carry)},
        fees=fees,
        rake=rake,
        house=won[HOUSE],
        pot=won[POT],
        claims=on_record(debts, outcome, rake),
    )
    check(made, carry, pot)
    return made


def fee_on(win: int, rules: HouseRules) -> int:
    """Return the fee on a seat's net win: ``floor(net win × fee_bps / 10000)``; a loss pays none."""
    return max(0, win) * rules.fee_bps // pots.WHOLE


def on_record(debts: Debts, outcome: Outcome, rake: tuple[int, ...]) -> tuple[Claim, ...]:
    """Write debts as claims again, each with its reason.

    Claims of one pair share the remaining amount in proportion. Claims in both directions are set off against each
    other and become one claim ``net``. Payments of a pot are named ``pot`` and ``rake``.
    """
    reasons: dict[tuple[Party, Party], list[Claim]] = {}
    for claim in outcome.claims:
        if claim.amount:
            reasons.setdefault((claim.payer, claim.payee), []).append(claim)
    record: list[Claim] = []
    for (payer, payee), amount in debts.items():
        if outcome.net_claims and (payee, payer) in reasons:
            record.append(Claim(payer=payer, payee=payee, amount=amount, why=NET))
            continue
        claims = reasons.get((payer, payee), [Claim(payer=payer, payee=payee, amount=amount, why=POT)])
        parts = chips.share(amount, {at: claim.amount for at, claim in enumerate(claims)}, range(len(claims)))
        record += [msgspec.structs.replace(claim, amount=parts[at]) for at, claim in enumerate(claims)]
    record += [Claim(payer=f"pot:{at}", payee=HOUSE, amount=part, why=RAKE) for at, part in enumerate(rake)]
    return tuple(claim for claim in record if claim.amount)


def check(made: Posting, carry: dict[int, int], pot: int) -> None:
    """Assert the invariants of every posting."""
    total = sum(made.net.values()) + made.fee + made.house + made.pot
    assert total == 0, f"the posting is out of balance by {total}"
    for seat, change in made.net.items():
        assert carry[seat] + change >= 0, f"seat {seat} brought {carry[seat]} and would pay {-change}"
    assert pot + made.pot >= 0, f"the pool held {pot} and would pay {-made.pot}"
    greatest = max((abs(amount) for amount in (*made.net.values(), made.fee, made.house, made.pot)), default=0)
    assert greatest <= MOST_INT64, f"{greatest} chips do not fit into a ledger entry"
