"""Betting windows with many seats: no bet is lost, every call costs the same, and they close."""

from random import Random
from time import process_time

import pytest

from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.banker import stand_strategy
from services.rules.game import Table
from services.rules.refusals import Refused
from tests.support.chances import Recording

SEATS = 200


@pytest.mark.parametrize(("game_id", "spot"), [("suit_betting", "big"), ("san_gong_live", "player_win")])
@pytest.mark.parametrize("closing", ["done", "deadline"])
def test_two_hundred_seats_bet_in_one_window(game_id: str, spot: str, closing: str) -> None:
    """Five bets of each of 200 seats, in any order, are all in the settlement, which balances."""
    game = catalogue.game(game_id)
    rules = game.rules_type(max_seats=SEATS)
    assert game.faults(rules) == []
    rng = Random(game_id)
    chance = Recording(rng)
    round_, _ = game.start(rules, Table(chips=dict.fromkeys(range(SEATS), 2000)), chance)
    seats = [seat for seat in range(SEATS) for _ in range(5)]
    rng.shuffle(seats)
    for seat in seats:
        round_.act(seat, actions.PlaceBet(spot, 10 + seat), chance)
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seats == tuple(range(SEATS))
    if closing == "deadline":
        round_.on_timeout(chance)
    for seat in range(SEATS) if closing == "done" else ():
        assert round_.outcome is None, "the window closes with the last done only"
        round_.act(seat, actions.Done(), chance)
    assert round_.waiting() is None
    assert round_.outcome is not None
    staked = {stake.seat: stake.amount for stake in round_.outcome.stakes}
    assert staked == {seat: 5 * (10 + seat) for seat in range(SEATS)}
    posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
    assert sum(posting.net.values()) + posting.house + posting.fee == 0
    with pytest.raises(Refused, match="has ended"):
        round_.verify(0, actions.PlaceBet(spot, 10))


def test_a_bet_costs_the_same_however_many_seats_there_are() -> None:
    """A bet at a table of 800 seats takes no longer than at one of 8 (within a factor that noise allows for)."""
    game = catalogue.game("suit_betting")
    took: dict[int, float] = {}
    for seats in (8, 800):
        chance = Recording(Random(1))
        chips = dict.fromkeys(range(seats), 10**9)
        round_, _ = game.start(game.rules_type(max_seats=seats), Table(chips=chips), chance)
        tries = []
        for _ in range(5):
            began = process_time()
            for at in range(2000):
                round_.act(at % seats, actions.PlaceBet("odd", 1), chance)
            tries.append(process_time() - began)
        took[seats] = min(tries)
    assert took[800] < 4 * took[8]


def test_a_simulated_player_of_blackjack_decides_at_every_hand() -> None:
    """With two to four cards, hard or soft, there is a total from which it stands, and more cards ask for more."""
    for stands in (stand_strategy.HARD_STANDS, stand_strategy.SOFT_STANDS):
        assert sorted(stands) == [2, 3, 4]
        assert [stands[cards] for cards in (2, 3, 4)] == sorted(stands.values())
    assert all(stand_strategy.SOFT_STANDS[cards] > stand_strategy.HARD_STANDS[cards] for cards in (2, 3, 4))
