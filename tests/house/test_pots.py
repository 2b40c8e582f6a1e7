"""Rake and pots [rules "From claims to chips" 4; poker 0.5], with figures worked out by hand."""

from services.house import pipeline
from services.house.settlement import Posting
from services.rules.game import HouseRules
from services.rules.outcomes import Claim, Outcome, Pot


def outcome_of(pots: tuple[Pot, ...], paid: list[dict[int, int]], *, saw_flop: bool = True) -> Outcome:
    """Return an outcome whose seats paid these amounts into each pot."""
    claims = tuple(
        Claim(payer=seat, payee=f"pot:{number}", amount=amount, why="bets")
        for number, shares in enumerate(paid)
        for seat, amount in shares.items()
    )
    return Outcome(claims=claims, pots=pots, saw_flop=saw_flop)


def settled(outcome: Outcome, rules: HouseRules) -> Posting:
    """Settle for seats that all brought 1000."""
    return pipeline.settle(outcome, rules, dict.fromkeys(range(3), 1000), 0)


MAIN_AND_SIDE = outcome_of(
    (Pot(333, (0,)), Pot(100, (1,))),
    [{0: 111, 1: 111, 2: 111}, {1: 50, 2: 50}],
)


def test_without_rake_the_winner_takes_the_whole_pot() -> None:
    """333 of the main pot to seat 0, 100 of the side pot to seat 1."""
    posting = settled(MAIN_AND_SIDE, HouseRules())
    assert posting.net == {0: 222, 1: -61, 2: -161}
    assert (posting.rake, posting.fee, posting.house) == ((0, 0), 0, 0)


def test_each_pot_is_raked_by_itself_and_rounded_down() -> None:
    """5 % of 333 are 16, of 100 they are 5; together 21, as 433 would give, but floor by floor."""
    posting = settled(MAIN_AND_SIDE, HouseRules(rake_bps=500))
    assert posting.rake == (16, 5)
    assert posting.net == {0: 206, 1: -66, 2: -161}
    assert (posting.fee, posting.house) == (21, 0)


def test_the_rake_cap_is_used_up_by_the_main_pot_first() -> None:
    """A cap of 18 leaves 2 for the side pot; a cap of 10 leaves nothing."""
    assert settled(MAIN_AND_SIDE, HouseRules(rake_bps=500, rake_cap=18)).rake == (16, 2)
    assert settled(MAIN_AND_SIDE, HouseRules(rake_bps=500, rake_cap=10)).rake == (10, 0)


def test_no_flop_no_drop() -> None:
    """A round that saw no flop pays no rake where the house says so, and only there."""
    blind = outcome_of((Pot(30, (0,)),), [{0: 10, 1: 10, 2: 10}], saw_flop=False)
    assert settled(blind, HouseRules(rake_bps=1000, no_flop_no_drop=True)).rake == (0,)
    assert settled(blind, HouseRules(rake_bps=1000)).rake == (3,)
    assert settled(MAIN_AND_SIDE, HouseRules(rake_bps=500, no_flop_no_drop=True)).rake == (16, 5)


def test_odd_chips_of_a_shared_pot_go_in_the_order_of_the_winners() -> None:
    """100 less 5 are 95; three share 32, 32 and 31, the last winner of the list the least."""
    posting = settled(outcome_of((Pot(100, (2, 0, 1)),), [{0: 40, 1: 40, 2: 20}]), HouseRules(rake_bps=500))
    assert posting.net == {0: -8, 1: -9, 2: 12}


def test_rake_of_everything_leaves_the_winner_nothing() -> None:
    """At 100 % the house takes the pot; the books still balance."""
    posting = settled(MAIN_AND_SIDE, HouseRules(rake_bps=10_000))
    assert posting.net == {0: -111, 1: -161, 2: -161}
    assert posting.fee == 433


def test_the_record_says_what_pots_paid_and_to_whom() -> None:
    """Payments in keep their reason, shares are called ``pot``, the house's part ``rake``."""
    record = settled(MAIN_AND_SIDE, HouseRules(rake_bps=500)).claims
    assert Claim(payer="pot:0", payee=0, amount=317, why="pot") in record
    assert Claim(payer="pot:1", payee="house", amount=5, why="rake") in record
    assert Claim(payer=2, payee="pot:1", amount=50, why="bets") in record
