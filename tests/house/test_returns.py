"""Return to player over many rounds: the figures, and a bet whose return is known exactly."""

import math
from random import Random

from services.house import pipeline, returns
from services.house.returns import ALL, Line, Simulation
from services.rules import catalogue, simulate
from services.rules.game import HouseRules
from services.rules.outcomes import Claim, Outcome, Stake
from tests.support import seeded


def settled(outcome: Outcome, rules: HouseRules, carry: dict[int, int]) -> Simulation:
    """Count one round."""
    simulation = Simulation()
    simulation.add(outcome, pipeline.settle(outcome, rules, carry, 0))
    return simulation


def test_each_bet_counts_the_claims_made_because_of_it() -> None:
    """An ante of 10 won, a bonus of 5 lost: returns 20 of 10 and 0 of 5, all together 20 of 15."""
    outcome = Outcome(
        claims=(
            Claim(payer="house", payee=0, amount=10, why="ante"),
            Claim(payer=0, payee="house", amount=5, why="bonus"),
        ),
        stakes=(Stake(seat=0, bet="ante", amount=10, turnover=10), Stake(seat=0, bet="bonus", amount=5, turnover=5)),
        net_claims=True,
    )
    lines = settled(outcome, HouseRules(), {0: 100}).lines
    assert {bet: (line.staked, line.returned, line.hits) for bet, line in lines.items()} == {
        ALL: (15, 20, 1),
        "ante": (10, 20, 1),
        "bonus": (5, 0, 0),
    }


def test_fee_and_cap_count_in_the_line_of_all_bets() -> None:
    """A bet of 10 that wins 160 on a carry of 100 with 5 % fee returns 10 + 95; the bet alone 170."""
    outcome = Outcome(
        claims=(Claim(payer="house", payee=0, amount=160, why="san_gong"),),
        stakes=(Stake(seat=0, bet="san_gong", amount=10, turnover=10),),
        net_claims=True,
    )
    simulation = settled(outcome, HouseRules(win_cap="stake", fee_bps=500), {0: 100})
    assert simulation.lines[ALL].returned == 105
    assert simulation.lines["san_gong"].returned == 170
    assert (simulation.fees, simulation.house, simulation.greatest_win) == (5, -100, 95)
    assert (simulation.lines[ALL].turnover, simulation.lines["san_gong"].turnover) == (10, 10)


def test_a_line_gives_return_edge_hits_and_interval() -> None:
    """Two rounds of 10: one returns 30, one nothing. R = 1.5, error = sqrt(15² + 15²) / 20."""
    line = Line()
    line.add([(10, 10, 30)])
    line.add([(10, 10, 0)])
    assert (line.staked, line.turnover) == (20, 20)
    assert (line.return_to_player, line.house_edge, line.hit_rate) == (1.5, -0.5, 0.5)
    assert math.isclose(line.standard_error, math.sqrt(450) / 20)
    low, high = line.interval
    assert math.isclose(high - 1.5, returns.Z95 * line.standard_error)
    assert math.isclose(low + high, 3.0)


def test_a_line_without_bets_has_no_figures() -> None:
    """Without stakes there is no return, rather than a return of zero."""
    assert math.isnan(Line().return_to_player)
    assert math.isnan(Line().hit_rate)
    assert math.isnan(Line().standard_error)


def test_a_simulation_of_a_game_without_a_house_returns_all_but_the_fee() -> None:
    """San gong among three: what the seats lose together is exactly the fees."""
    game = catalogue.game("san_gong")
    simulation = returns.run(
        game,
        game.rules_type(),
        dict.fromkeys(range(3), 500),
        50,
        chance=seeded.Seeded(1, seeded.ALL),
        strategy=simulate.strategy_of(game, Random(2)),
    )
    line = simulation.lines[ALL]
    assert simulation.rounds == 50
    assert line.staked - line.returned == simulation.fees > 0
    assert math.isclose(simulation.edge_on("stake"), simulation.fees / line.staked)
    assert simulation.lines["stake"].return_to_player == 1.0


def test_a_simulation_finds_the_return_of_a_fair_bet() -> None:
    """Suit bets pay 3 for 13 of 52: their return is 1, inside four standard errors of 1500 rounds."""
    game = catalogue.game("suit_betting")
    rules = game.rules_type(fee_bps=0)
    simulation = returns.run(
        game,
        rules,
        {0: 1000, 1: 1000},
        1500,
        chance=seeded.Seeded(3, seeded.ALL),
        strategy=simulate.strategy_of(game, Random(4)),
    )
    line = simulation.lines["spade"]
    assert abs(line.return_to_player - 1) < 4 * line.standard_error
    assert simulation.house == -sum(entry.returned - entry.staked for entry in [simulation.lines[ALL]])
