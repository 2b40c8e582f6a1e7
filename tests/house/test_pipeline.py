"""The whole way from claims to chips: fees, the record, and what must hold for any outcome at all."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.house import pipeline
from services.rules.chips import MOST_CHIPS
from services.rules.game import HouseRules
from services.rules.outcomes import Claim, Outcome, Party, Pot

FEE = HouseRules(fee_bps=500)


def test_fee_is_rounded_down_on_each_net_win() -> None:
    """5 % of 39 is 1, of 19 nothing; losers pay none and are not named."""
    claims = (Claim(payer=2, payee=0, amount=39, why="bet"), Claim(payer=2, payee=1, amount=19, why="bet"))
    posting = pipeline.settle(Outcome(claims=claims), FEE, {0: 1, 1: 1, 2: 100}, 0)
    assert posting.fees == {0: 1}
    assert posting.net == {0: 38, 1: 19, 2: -58}


def test_fee_is_taken_on_the_win_after_the_cap() -> None:
    """Showdown D3: 750 owed, 60 brought, so 60 won and 3 paid."""
    rules = HouseRules(fee_bps=500, win_cap="stake")
    outcome = Outcome(claims=(Claim(payer=1, payee=0, amount=750, why="niu_niu"),), pairwise=True)
    posting = pipeline.settle(outcome, rules, {0: 60, 1: 500}, 0)
    assert (posting.net, posting.fee) == ({0: 57, 1: -60}, 3)


def test_the_banker_pays_the_fee_too() -> None:
    """Banker, "Settlement" (d): the fee is on each seat's net win, the banker's included."""
    outcome = Outcome(claims=(Claim(payer=1, payee=0, amount=100, why="bet"),), banker=0, net_claims=True)
    assert pipeline.settle(outcome, FEE, {0: 100, 1: 100}, 0).fees == {0: 5}


def test_chips_of_the_carried_pool_are_a_win_of_the_round() -> None:
    """A pool of 100 won pays its fee in the round in which it is won."""
    outcome = Outcome(claims=(Claim(payer="pot", payee=0, amount=100, why="pot"),))
    posting = pipeline.settle(outcome, FEE, {0: 10, 1: 10}, 100)
    assert (posting.net, posting.fee, posting.pot) == ({0: 95, 1: 0}, 5, -100)


def test_claims_of_a_pair_share_a_cut_and_keep_their_reasons() -> None:
    """Of 10 chips on claims of 30 and 10 the record shows 8 and 2 (7.5 and 2.5, the first takes the odd chip)."""
    claims = (Claim(payer=0, payee=1, amount=30, why="ante"), Claim(payer=0, payee=1, amount=10, why="bonus"))
    record = pipeline.settle(Outcome(claims=claims), HouseRules(), {0: 10, 1: 0}, 0).claims
    assert record == (Claim(payer=0, payee=1, amount=8, why="ante"), Claim(payer=0, payee=1, amount=2, why="bonus"))


@pytest.mark.parametrize(
    "claim",
    [
        Claim(payer=0, payee=1, amount=-1, why="bet"),
        Claim(payer=1, payee=1, amount=5, why="bet"),
    ],
    ids=["negative", "to itself"],
)
def test_claims_that_cannot_be_are_not_settled(claim: Claim) -> None:
    """A negative claim or one on oneself is a fault of a game and stops the settlement."""
    with pytest.raises(AssertionError, match=r"owes itself|negative"):
        pipeline.settle(Outcome(claims=(claim,)), HouseRules(), {0: 10, 1: 10}, 0)


def test_a_pot_that_does_not_hold_what_was_paid_in_is_not_settled() -> None:
    """A pot of 10 into which 9 were paid stops the settlement."""
    outcome = Outcome(claims=(Claim(payer=0, payee="pot:0", amount=9, why="ante"),), pots=(Pot(10, (0,)),))
    with pytest.raises(AssertionError, match="pot 0 holds 10, but 9 were paid in"):
        pipeline.settle(outcome, HouseRules(), {0: 10}, 0)


# -- what must hold for any outcome

AMOUNTS = st.one_of(st.integers(0, 300), st.integers(0, MOST_CHIPS))
CARRIES = st.dictionaries(st.integers(0, 9), AMOUNTS, min_size=2, max_size=6)
RULES = st.builds(HouseRules, fee_bps=st.sampled_from([0, 1, 500, 10_000]), win_cap=st.sampled_from(["none", "stake"]))


def claims_between(draw: Any, payers: list[Party], payees: list[Party]) -> tuple[Claim, ...]:
    """Draw up to twelve claims from some parties to others."""
    pairs = [(payer, payee) for payer in payers for payee in payees if payer != payee]
    drawn = draw(st.lists(st.tuples(st.sampled_from(pairs), AMOUNTS), max_size=12))
    return tuple(Claim(payer=payer, payee=payee, amount=amount, why="bet") for (payer, payee), amount in drawn)


@st.composite
def players(draw: Any) -> tuple[Outcome, dict[int, int], int]:
    """Draw any claims among seats, house and pool, in both directions."""
    carry = draw(CARRIES)
    parties: list[Party] = [*carry, "house", "pot"]
    claims = claims_between(draw, parties, parties)
    button = draw(st.sampled_from([None, *carry]))
    return Outcome(claims=claims, button=button, pairwise=draw(st.booleans())), carry, draw(AMOUNTS)


@st.composite
def bankers(draw: Any) -> tuple[Outcome, dict[int, int], int]:
    """Draw any claims between a banker, seat or house, and the players."""
    carry = draw(CARRIES)
    banker = draw(st.sampled_from([None, *carry]))
    bank: Party = "house" if banker is None else banker
    others: list[Party] = [seat for seat in carry if seat != banker]
    claims = claims_between(draw, [bank], others) + claims_between(draw, others, [bank])
    return Outcome(claims=claims, banker=banker, net_claims=True), carry, 0


@st.composite
def every_pair(draw: Any) -> tuple[Outcome, dict[int, int], int]:
    """Draw claims of better hands on worse ones, capped from the best to the worst."""
    carry = draw(CARRIES)
    order = draw(st.permutations(sorted(carry)))
    claims = tuple(
        Claim(payer=worse, payee=better, amount=draw(AMOUNTS), why="hand")
        for place, better in enumerate(order)
        for worse in order[place + 1 :]
    )
    return Outcome(claims=claims, pairwise=True, cap_order=tuple(order)), carry, 0


@st.composite
def ante_pots(draw: Any) -> tuple[Outcome, dict[int, int], int]:
    """Draw an ante pot that some of the seats share."""
    ante = draw(AMOUNTS)
    carry = {seat: ante + more for seat, more in draw(CARRIES).items()}
    winners = draw(st.lists(st.sampled_from(sorted(carry)), min_size=1, unique=True))
    claims = tuple(Claim(payer=seat, payee="pot:0", amount=ante, why="ante") for seat in carry)
    return Outcome(claims=claims, pots=(Pot(ante * len(carry), tuple(winners)),), refund=True), carry, 0


ROUNDS = st.one_of(players(), bankers(), every_pair(), ante_pots())


@settings(max_examples=400, deadline=None)
@given(round_=ROUNDS, rules=RULES)
def test_every_posting_holds_its_lines(round_: tuple[Outcome, dict[int, int], int], rules: HouseRules) -> None:
    """The sum is zero, no seat pays more than it has or wins more than its cap, and the result is repeatable."""
    outcome, carry, pot = round_
    posting = pipeline.settle(outcome, rules, carry, pot)
    assert sum(posting.net.values()) + posting.fee + posting.house + posting.pot == 0
    assert posting.net.keys() == carry.keys()
    for seat, change in posting.net.items():
        fee = posting.fees.get(seat, 0)
        win = change + fee
        assert win >= -carry[seat]
        assert fee == max(0, win) * rules.fee_bps // 10_000
        if rules.win_cap == "stake":
            assert win <= carry[seat]
    assert pot + posting.pot >= 0
    assert all(abs(amount) < 2**63 for amount in (*posting.net.values(), posting.house, posting.pot, posting.fee))
    assert pipeline.settle(outcome, rules, dict(reversed(carry.items())), pot) == posting


@settings(max_examples=200, deadline=None)
@given(round_=ROUNDS, rules=RULES)
def test_the_record_adds_up_to_the_posting(round_: tuple[Outcome, dict[int, int], int], rules: HouseRules) -> None:
    """Recorded claims of a seat give its change but for the fee, and none exceeds what was claimed for that reason."""
    outcome, carry, pot = round_
    posting = pipeline.settle(outcome, rules, carry, pot)
    for seat in carry:
        won = sum(claim.amount for claim in posting.claims if claim.payee == seat)
        lost = sum(claim.amount for claim in posting.claims if claim.payer == seat)
        assert won - lost == posting.net[seat] + posting.fees.get(seat, 0)
    assert all(claim.amount > 0 for claim in posting.claims)


@settings(max_examples=200, deadline=None)
@given(round_=ROUNDS)
def test_limits_never_make_anybody_pay_more(round_: tuple[Outcome, dict[int, int], int]) -> None:
    """Without netting no pair pays more after limits and caps than was claimed between the two."""
    outcome, carry, pot = round_
    posting = pipeline.settle(outcome, HouseRules(win_cap="stake"), carry, pot)
    claimed: dict[tuple[Party, Party], int] = {}
    for claim in outcome.claims:
        claimed[claim.payer, claim.payee] = claimed.get((claim.payer, claim.payee), 0) + claim.amount
    for claim in posting.claims:
        if not str(claim.payer).startswith("pot:"):
            assert claim.amount <= claimed[claim.payer, claim.payee]
