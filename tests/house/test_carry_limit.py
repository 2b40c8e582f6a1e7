"""Carry limit of [rules "From claims to chips" 2], with figures worked out by hand."""

from services.house import pipeline
from services.house.settlement import Posting
from services.rules.game import HouseRules
from services.rules.outcomes import Claim, Outcome

FREE = HouseRules()
CAPPED = HouseRules(win_cap="stake")


def settled(outcome: Outcome, carry: dict[int, int], rules: HouseRules = FREE, pot: int = 0) -> Posting:
    """Settle with no fee, no cap and an empty pool unless the test says otherwise."""
    return pipeline.settle(outcome, rules, carry, pot)


def owes(*claims: tuple[int | str, int | str, int]) -> tuple[Claim, ...]:
    """Write claims as (payer, payee, amount)."""
    return tuple(Claim(payer=payer, payee=payee, amount=amount, why="bet") for payer, payee, amount in claims)


def test_nothing_claimed_moves_nothing() -> None:
    """A round without claims posts zero for every seat."""
    posting = settled(Outcome(), {0: 10, 3: 0})
    assert posting.net == {0: 0, 3: 0}
    assert (posting.house, posting.pot, posting.fee, posting.claims) == (0, 0, 0, ())


def test_claims_within_the_carry_are_paid_in_full() -> None:
    """A seat that brought enough pays all that it owes."""
    posting = settled(Outcome(claims=owes((0, 1, 40), (0, 2, 60))), {0: 100, 1: 5, 2: 5})
    assert posting.net == {0: -100, 1: 40, 2: 60}


def test_a_short_payer_is_shared_in_proportion_to_the_claims() -> None:
    """100 chips against claims of 50, 70 and 80 are half of each."""
    posting = settled(Outcome(claims=owes((0, 1, 50), (0, 2, 70), (0, 3, 80))), {0: 100, 1: 1, 2: 1, 3: 1})
    assert posting.net == {0: -100, 1: 25, 2: 35, 3: 40}


def test_largest_remainder_takes_the_odd_chip_before_the_seat_order_does() -> None:
    """10 chips on claims of 3, 3 and 8 are 2.14, 2.14 and 5.71: the odd chip goes to the last."""
    posting = settled(Outcome(claims=owes((0, 1, 3), (0, 2, 3), (0, 3, 8))), {0: 10, 1: 1, 2: 1, 3: 1})
    assert posting.net == {0: -10, 1: 2, 2: 2, 3: 6}


def test_equal_remainders_go_to_the_left_of_the_payer() -> None:
    """Seat 1 pays 10 to three equal claims: 4 to seat 2 at its left, 3 to seat 3 and, round the table, to seat 0."""
    posting = settled(Outcome(claims=owes((1, 0, 10), (1, 2, 10), (1, 3, 10))), {0: 1, 1: 10, 2: 1, 3: 1})
    assert posting.net == {0: 3, 1: -10, 2: 4, 3: 3}


def test_left_of_the_payer_wraps_round_the_table() -> None:
    """From seat 3 the closest seat to the left is seat 0, not seat 2."""
    posting = settled(Outcome(claims=owes((3, 0, 5), (3, 2, 5))), {0: 1, 2: 1, 3: 5})
    assert posting.net == {0: 3, 2: 2, 3: -5}


def test_several_claims_of_one_payee_count_together() -> None:
    """Three claims of 1 and one of 2 are owed 3 and 2: of 2 chips each gets 1 (1.2 and 0.8), not 2 and 0."""
    claims = owes((0, 1, 1), (0, 1, 1), (0, 1, 1), (0, 2, 2))
    posting = settled(Outcome(claims=claims), {0: 2, 1: 1, 2: 1})
    assert posting.net == {0: -2, 1: 1, 2: 1}


def test_what_a_player_collects_does_not_help_it_to_pay() -> None:
    """Only a banker pays out of what it collects: seat 1 brought 10, is owed 50 and pays 10 of 40."""
    posting = settled(Outcome(claims=owes((2, 1, 50), (1, 0, 40))), {0: 100, 1: 10, 2: 100})
    assert posting.net == {0: 10, 1: 40, 2: -50}


def test_a_banker_first_collects_then_pays() -> None:
    """A banker with 20 collects 30 and shares 50 on claims of 60 and 40."""
    outcome = Outcome(claims=owes((1, 0, 30), (0, 2, 60), (0, 3, 40)), banker=0)
    posting = settled(outcome, {0: 20, 1: 100, 2: 100, 3: 100})
    assert posting.net == {0: -20, 1: -30, 2: 30, 3: 20}


def test_a_banker_collects_only_what_players_can_pay() -> None:
    """The player who owes 100 brought 40, so that a banker without chips pays 40 of the 50 that it owes."""
    posting = settled(Outcome(claims=owes((1, 0, 100), (0, 2, 50)), banker=0), {0: 0, 1: 40, 2: 10})
    assert posting.net == {0: 0, 1: -40, 2: 40}


def test_equal_claims_on_a_short_banker_go_to_its_left_first() -> None:
    """Banker 2 pays 7 on two equal claims: seat 3, closest to its left, gets 4."""
    posting = settled(Outcome(claims=owes((2, 1, 9), (2, 3, 9)), banker=2), {1: 9, 2: 7, 3: 9})
    assert posting.net == {1: 3, 2: -7, 3: 4}


def test_the_house_pays_everything() -> None:
    """A claim on the house has no limit but the claim itself."""
    posting = settled(Outcome(claims=owes(("house", 0, 1_000_000))), {0: 1})
    assert posting.net == {0: 1_000_000}
    assert posting.house == -1_000_000


def test_bets_against_the_house_are_set_off_before_the_carry_limit() -> None:
    """A seat with 10 chips that lost 35 and won 30 loses 5; without the setting off it would have won 20."""
    claims = owes((0, "house", 35), ("house", 0, 30))
    assert settled(Outcome(claims=claims, net_claims=True), {0: 10}).net == {0: -5}
    assert settled(Outcome(claims=claims), {0: 10}).net == {0: 20}


def test_bets_against_a_seat_that_banks_are_set_off_too() -> None:
    """Seat 1 lost 35 and won 30 against banker 0, and pays 5."""
    outcome = Outcome(claims=owes((1, 0, 35), (0, 1, 30)), banker=0, net_claims=True)
    posting = settled(outcome, {0: 100, 1: 10})
    assert posting.net == {0: 5, 1: -5}
    assert posting.claims == (Claim(payer=1, payee=0, amount=5, why="net"),)


def test_equal_wins_and_losses_leave_nothing() -> None:
    """Bets that cancel each other are no claim at all."""
    outcome = Outcome(claims=owes((0, "house", 30), ("house", 0, 30)), net_claims=True)
    assert settled(outcome, {0: 10}).claims == ()


def test_claims_between_players_are_not_set_off_by_a_banker_game() -> None:
    """Only claims with the banker are set off against each other; two players' claims are limited one by one."""
    outcome = Outcome(claims=owes((1, 2, 30), (2, 1, 20)), banker=0, net_claims=True)
    assert settled(outcome, {0: 0, 1: 10, 2: 100}).net == {0: 0, 1: 10, 2: -10}


def test_pairs_are_cut_to_the_smaller_carry_where_wins_are_capped() -> None:
    """Showdown, "One winner": the winner brought 100, so that of 160 and 80 the first is 100, and together 100."""
    outcome = Outcome(claims=owes((1, 0, 160), (2, 0, 80)), pairwise=True)
    posting = settled(outcome, {0: 100, 1: 500, 2: 500}, CAPPED)
    assert posting.net == {0: 100, 1: -56, 2: -44}


def test_pairs_are_not_cut_without_a_win_cap() -> None:
    """With ``win_cap: none`` only the loser's carry cuts."""
    outcome = Outcome(claims=owes((1, 0, 160), (2, 0, 80)), pairwise=True)
    assert settled(outcome, {0: 100, 1: 120, 2: 500}).net == {0: 200, 1: -120, 2: -80}


def test_a_pair_is_cut_before_the_short_payer_shares() -> None:
    """Showdown, ``san_gong``: 30 chips owe 50, cut to 30, and 20; the shares are 18 and 12."""
    outcome = Outcome(claims=owes((1, 0, 50), (1, 2, 20), (2, 0, 50)), pairwise=True, cap_order=(0, 2, 1))
    assert settled(outcome, {0: 500, 1: 30, 2: 500}, CAPPED).net == {0: 68, 1: -30, 2: -38}


def test_the_pool_pays_out_of_what_it_holds_and_collects() -> None:
    """A pool of 4 that takes in 10 can pay 14, and is 0 afterwards."""
    posting = settled(Outcome(claims=owes((1, "pot", 10), ("pot", 0, 14)), button=0), {0: 5, 1: 10}, pot=4)
    assert posting.net == {0: 14, 1: -10}
    assert posting.pot == -4


def test_a_pool_never_pays_more_than_there_is() -> None:
    """Claims of 6 and 6 on a pool of 7 are 4 to the seat left of the button and 3 to the other."""
    posting = settled(Outcome(claims=owes(("pot", 0, 6), ("pot", 1, 6)), button=0), {0: 5, 1: 5}, pot=7)
    assert posting.net == {0: 3, 1: 4}
    assert posting.pot == -7


def test_an_odd_chip_between_a_seat_and_the_pool_goes_to_the_seat() -> None:
    """Seat 1 pays 5 on claims of 10 by the pool and 10 by seat 0: the odd chip is the seat's."""
    posting = settled(Outcome(claims=owes((1, "pot", 10), (1, 0, 10))), {0: 1, 1: 5})
    assert posting.net == {0: 3, 1: -5}
    assert posting.pot == 2
