"""Ante and call of casino hold'em, simulated beside the published figures."""

import math
from random import Random

import pytest

from services.house import returns
from services.rules import catalogue, simulate
from services.rules.banker import call_strategy, casino_holdem
from services.rules.cards import PACK_52
from services.rules.game import Table
from services.rules.refusals import Refused
from tests.support.chances import Recording

DEALS = 60_000
BEST_PLAY = -1363917077 / 63213204600
ALWAYS_CALL = -0.0789964


def interval(values: list[int], errors: float) -> tuple[float, float]:
    """Return the mean of values minus and plus ``errors`` standard errors."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean - errors * math.sqrt(spread / len(values)), mean + errors * math.sqrt(spread / len(values))


def test_ante_and_call_return_what_is_published() -> None:
    """With the published calling advice about 82 % are called, and ante and call lose 2.16 % of the ante.

    The 99 % intervals of 60 000 deals also hold the sheet's figures for calling always: expectation, how often the
    dealer does not qualify, and how often the player wins, ties and loses against one who does.
    """
    rng = Random(1)
    played: list[int] = []
    always: list[int] = []
    called = 0
    results = dict.fromkeys(("unqualified", "won", "tied", "lost"), 0)
    for _ in range(DEALS):
        deal = rng.sample(PACK_52, 9)
        player, dealer, table = deal[0:4:2], deal[1:4:2], deal[4:]
        result = casino_holdem.showdown([*player, *table], [*dealer, *table])
        net = (result.ante or 0) + 2 * (result.call or 0)
        word = {None: "tied" if result.ante is None else "unqualified", 1: "won", -1: "lost"}[result.call]
        results[word] += 1
        calls = call_strategy.calls(player, table[:3])
        called += calls
        always.append(net)
        played.append(net if calls else -1)
    least, most = interval(played, 2.5758)
    assert least < BEST_PLAY < most
    least, most = interval(always, 2.5758)
    assert least < ALWAYS_CALL < most
    assert abs(called / DEALS - 0.81990719) < 0.015
    published = {"unqualified": 0.2422284, "won": 0.29278114, "tied": 0.03424584, "lost": 0.43074462}
    for word, share in published.items():
        error = math.sqrt(share * (1 - share) / DEALS)
        assert abs(results[word] / DEALS - share) < 2.8 * error, word


def test_rounds_return_what_the_catalogue_states() -> None:
    """Whole rounds, played and settled, bring the bonus's exact return within its 99 % interval."""
    rng = Random(11)
    rules = casino_holdem.CasinoHoldemRules()
    game = catalogue.game("casino_holdem")
    strategy = simulate.strategy_of(game, rng)
    found = returns.run(game, rules, {0: 1000}, 8000, chance=Recording(rng), strategy=strategy)
    bonus = found.lines["bonus"]
    assert abs(bonus.return_to_player - (1 - 5809 / 92820)) < 2.5758 * bonus.standard_error
    assert abs(bonus.hit_rate - 0.10875889) < 2.5758 * math.sqrt(0.1088 * 0.8912 / 8000)
    assert found.lines["ante"].placed == 8000
    assert found.lines["call"].placed < 8000


@pytest.mark.parametrize(
    ("own", "flop", "called"),
    [
        ("2s 2h", "9c Td Kc", True),  # a pair
        ("9s 2h", "9c Td Kc", True),  # a pair with the flop
        ("Js 2h", "9c Td Kc", True),  # a jack
        ("Ts 3h", "9c 6d Kc", False),  # less than a jack, and nothing else
        ("9s 8h", "2c 3d 7c", True),  # two cards above the flop
        ("9s 6h", "2c 3d 7c", False),  # one of them
        ("5h 2h", "9h Th Kc", True),  # four of a suit
        ("5h 2h", "9h Td Kc", False),  # three of a suit, and low
        ("9h 2h", "Th 4d Kc", True),  # three of a suit with a nine
        ("8h 2h", "Th 4d Kc", False),  # with an eight
        ("7s 6h", "8c 9d 2c", True),  # four in a row
        ("7s 5h", "8c 9d 2c", True),  # four of five in a row
        ("4s 3h", "8c 9d 2c", False),  # three of five
        ("3s 2h", "4c Kd Ac", True),  # the ace before the two
        ("2s 3h", "6c Kd Ac", False),  # the ace before the two, and one short
        ("Ts 3h", "7c Kd Qc", False),  # the ace is needed after the king too
        ("Ts 2h", "7c Jd Ac", False),
        ("Ts 2h", "Kc Jd Ac", True),  # four of the five highest
        ("Ts 2h", "8c 8d 4c", True),  # a ten on a pair
        ("9s 2h", "8c 8d Tc", False),  # a nine on a pair, below the ten
        ("3s 2h", "8c 8d 8h", True),  # three of a kind on the table
    ],
)
def test_the_advice_calls_and_folds_as_it_says(own: str, flop: str, called: bool) -> None:
    """Each reason to call holds at its border, and fails one step beyond it."""
    assert call_strategy.calls(own.split(), flop.split()) is called


def test_a_round_opens_where_one_seat_holds_the_least_ante() -> None:
    """Exactly the least ante is enough at one seat; one chip less at every seat is refused."""
    rules = casino_holdem.CasinoHoldemRules()
    chance = Recording(Random(1))
    round_, _ = casino_holdem.GAME.start(rules, Table(chips={0: 0, 1: rules.min_bet}), chance)
    assert round_.outcome is None
    with pytest.raises(Refused) as refused:
        casino_holdem.GAME.start(rules, Table(chips=dict.fromkeys(range(3), rules.min_bet - 1)), chance)
    assert refused.value.reason == "NOT_ENOUGH_SEATS"
