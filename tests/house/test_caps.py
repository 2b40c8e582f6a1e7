"""Win cap of [rules "From claims to chips" 3], with figures worked out by hand."""

import pytest

from services.house import pipeline
from services.house.settlement import Posting
from services.rules.game import HouseRules
from services.rules.outcomes import Claim, Outcome, Pot

CAPPED = HouseRules(win_cap="stake")


def settled(outcome: Outcome, carry: dict[int, int], pot: int = 0) -> Posting:
    """Settle with the win cap and no fee."""
    return pipeline.settle(outcome, CAPPED, carry, pot)


def owes(*claims: tuple[int | str, int | str, int]) -> tuple[Claim, ...]:
    """Write claims as (payer, payee, amount)."""
    return tuple(Claim(payer=payer, payee=payee, amount=amount, why="bet") for payer, payee, amount in claims)


def test_a_win_up_to_the_carry_is_not_cut() -> None:
    """Exactly the carry may be won."""
    assert settled(Outcome(claims=owes((1, 0, 40))), {0: 40, 1: 100}).net == {0: 40, 1: -40}


def test_payers_keep_in_proportion_what_the_winner_may_not_take() -> None:
    """40 of claims of 60 and 20 are 30 and 10."""
    assert settled(Outcome(claims=owes((1, 0, 60), (2, 0, 20))), {0: 40, 1: 99, 2: 99}).net == {0: 40, 1: -30, 2: -10}


def test_equal_remainders_are_paid_by_the_left_of_the_winner() -> None:
    """Winner 1 may take 10 of three claims of 10: seat 2 at its left pays 4, seats 3 and 0 pay 3."""
    posting = settled(Outcome(claims=owes((0, 1, 10), (2, 1, 10), (3, 1, 10))), {0: 50, 1: 10, 2: 50, 3: 50})
    assert posting.net == {0: -3, 1: 10, 2: -4, 3: -3}


def test_the_cap_looks_at_the_net_win() -> None:
    """A winner that also loses 30 may take 30 more: 50 brought and 30 owed, so 80 of 100 come in."""
    outcome = Outcome(claims=owes((1, 0, 100), (0, 2, 30)), cap_order=(2, 0, 1))
    assert settled(outcome, {0: 50, 1: 200, 2: 100}).net == {0: 50, 1: -80, 2: 30}


def test_the_best_hand_is_capped_first() -> None:
    """Showdown, ``san_gong``: ann's two claims of 40 are cut to 40 together; bob still takes 20 from cid."""
    outcome = Outcome(claims=owes((1, 0, 50), (2, 0, 50), (2, 1, 20)), pairwise=True, cap_order=(0, 1, 2))
    assert settled(outcome, {0: 40, 1: 500, 2: 500}).net == {0: 40, 1: 0, 2: -40}


def test_a_cap_that_another_one_would_change_is_looked_at_in_order() -> None:
    """Best to worst: 0 takes 10 of 1; then 1, who pays 10 and may win 5, takes 15 of the 100 that 2 owes."""
    outcome = Outcome(claims=owes((1, 0, 30), (2, 1, 100), (2, 0, 10)), cap_order=(0, 1, 2))
    # 0 may take 10 of 30 and 10: 7.5 and 2.5, the odd chip to seat 1 at its left.
    assert settled(outcome, {0: 10, 1: 40, 2: 200}).net == {0: 10, 1: 40, 2: -50}


def test_players_are_capped_before_a_banker_who_is_a_seat() -> None:
    """Player 1 may win 10 of 40; banker 0 then collects 60, pays 10, and may win 20: 30 of the 60."""
    outcome = Outcome(claims=owes((0, 1, 40), (2, 0, 60)), banker=0, net_claims=True)
    assert settled(outcome, {0: 20, 1: 10, 2: 100}).net == {0: 20, 1: 10, 2: -30}


def test_greatest_net_win_is_capped_first_without_an_order() -> None:
    """0 wins 95 net and 1 wins 45: 0 is cut first, and 1 follows on the claims as they then stand."""
    outcome = Outcome(claims=owes((2, 0, 90), (1, 0, 5), (2, 1, 50)))
    posting = settled(outcome, {0: 19, 1: 20, 2: 500})
    # 0: 19 of 95 are 18 and 1. 1: pays 1, so may take 21 of 50.
    assert posting.net == {0: 19, 1: 20, 2: -39}


def test_equal_net_wins_are_capped_from_the_left_of_the_button() -> None:
    """0 and 1 win 20 each and owe each other 10: with button 0 seat 1 goes first, which lets 0 keep less of 1."""
    claims = owes((2, 0, 20), (2, 1, 20), (1, 0, 10), (0, 1, 10))
    first = settled(Outcome(claims=claims, button=0), {0: 10, 1: 10, 2: 100})
    # Seat 1: owes 10, may take 20 of 30: 6.67 of 0 and 13.33 of 2 → 7 and 13. Then 0 owes 7 and may take 17 of 30:
    # 5.67 of 1 and 11.33 of 2 → 6 and 11. Then 1 owes 6 and takes 16 of 20: 5.6 and 10.4 → 6 and 10. Then 0 owes 6 and
    # takes 16 of 17: 5.65 and 10.35 → 6 and 10. Both win 10 now.
    assert first.net == {0: 10, 1: 10, 2: -20}
    assert {(claim.payer, claim.payee): claim.amount for claim in first.claims} == {
        (2, 0): 10,
        (2, 1): 10,
        (1, 0): 6,
        (0, 1): 6,
    }


def test_no_cap_is_left_exceeded_when_caps_touch_each_other() -> None:
    """Cutting 1 makes 0, who pays it, win more again; capping goes on until neither exceeds its carry."""
    posting = settled(Outcome(claims=owes((0, 1, 60), (2, 0, 100), (3, 1, 100))), {0: 60, 1: 10, 2: 100, 3: 100})
    assert posting.net[0] <= 60
    assert posting.net[1] == 10


def test_the_pool_keeps_what_a_capped_winner_may_not_take() -> None:
    """Spoil five, all tricks: 35 in the pot and 1 of each of four seats, 1 paid in; carry 12 lets 13 of 39 come in.

    The shares are 11.67 of the pot and 0.33 of each seat: 12 of the pot, 1 of the seat at the winner's left.
    """
    claims = owes(*((seat, "pot", 1) for seat in range(5)), ("pot", 2, 35), *((seat, 2, 1) for seat in (0, 1, 3, 4)))
    posting = settled(Outcome(claims=claims), {0: 20, 1: 20, 2: 12, 3: 20, 4: 20}, pot=30)
    assert posting.net == {0: -1, 1: -1, 2: 12, 3: -2, 4: -1}
    assert posting.pot == -7


def test_an_odd_chip_between_a_seat_and_the_pool_is_the_seats() -> None:
    """5 of claims of 10 on a seat and 10 on the pool: the seat's claim stands at 3, the pool's at 2."""
    posting = settled(Outcome(claims=owes(("pot", 0, 10), (1, 0, 10))), {0: 5, 1: 20}, pot=10)
    assert posting.net == {0: 5, 1: -3}
    assert posting.pot == -2


def test_the_house_keeps_what_a_capped_winner_may_not_take() -> None:
    """A seat with 10 chips that is owed 160 by the house wins 10."""
    posting = settled(Outcome(claims=owes(("house", 0, 160)), net_claims=True), {0: 10})
    assert (posting.net, posting.house) == ({0: 10}, -10)


def ante_pot(seats: int, ante: int, winners: tuple[int, ...]) -> Outcome:
    """Return the outcome of a shared ante pot [tricks "Ante pot"]."""
    claims = owes(*((seat, "pot:0", ante) for seat in range(seats)))
    return Outcome(claims=claims, pots=(Pot(seats * ante, winners),), refund=True, button=0)


def test_a_shared_ante_pot_without_a_binding_cap() -> None:
    """Three seats of 7 are shared by two: 11 to the first to the left of the button, 10 to the other."""
    assert settled(ante_pot(3, 7, (1, 2)), {0: 7, 1: 99, 2: 99}).net == {0: -7, 1: 4, 2: 3}


def test_a_capped_sharers_excess_goes_back_to_the_losers_in_equal_parts() -> None:
    """180 chips, two winners, 60 net each: seat 0 brought 40, so 20 go back, 5 to each of four losers."""
    posting = settled(ante_pot(6, 30, (1, 0)), {0: 40, 1: 100, 2: 30, 3: 30, 4: 30, 5: 30})
    assert posting.net == {0: 40, 1: 60, 2: -25, 3: -25, 4: -25, 5: -25}


def test_odd_chips_of_an_excess_go_from_the_left_of_the_winner() -> None:
    """Seat 4 brought 38 of its 60: 22 go back, 6 to the losers 5 and 1 closest to its left, 5 to 2 and 3."""
    posting = settled(ante_pot(6, 30, (4, 0)), {0: 100, 1: 30, 2: 30, 3: 30, 4: 38, 5: 30})
    assert posting.net == {0: 60, 1: -24, 2: -25, 3: -25, 4: 38, 5: -24}


def test_nobody_gets_back_more_than_it_paid() -> None:
    """Ten seats of 1, two winners of 5 with 1 chip each: 3 go back twice, to six different losers."""
    posting = settled(ante_pot(10, 1, (1, 0)), dict.fromkeys(range(10), 1))
    assert posting.net == {0: 1, 1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: -1, 9: -1}


def test_poker_pots_cannot_be_capped() -> None:
    """A win cap on pots that nobody gets back is a fault of the table's limits and stops the settlement."""
    outcome = Outcome(claims=owes((0, "pot:0", 10), (1, "pot:0", 40)), pots=(Pot(50, (0,)),))
    with pytest.raises(AssertionError, match="a game with pots has no win cap"):
        settled(outcome, {0: 10, 1: 100})


def test_a_single_winners_claims_are_scaled() -> None:
    """An ante pot with one winner: claims of 30 of three seats, 40 brought: 14, 13 and 13."""
    posting = settled(Outcome(claims=owes((0, 2, 30), (1, 2, 30), (3, 2, 30))), {0: 30, 1: 30, 2: 40, 3: 30})
    assert posting.net == {0: -13, 1: -13, 2: 40, 3: -14}
