"""``pitboss simulate``: returns, edges and hit rates with their confidence."""

import json

import pytest

from services.cli import simulate_command
from services.rules import catalogue
from tests.cli.conftest import Call

KEYS = {"bet", "bets", "staked", "rtp", "low", "high", "edge", "hits"}


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_every_game_can_be_simulated(game: str) -> None:
    """A few rounds of any game give a report whose figures fit each other."""
    told = simulate_command.run(game, 5, 0, 1_000_000, 1)
    assert (told["game"], told["rounds"]) == (game, 5)
    assert told["bets"][0]["bet"] == "all"
    for line in told["bets"]:
        assert set(line) >= KEYS
        if line["staked"]:
            assert line["low"] <= line["rtp"] <= line["high"]
            assert abs(line["rtp"] + line["edge"] - 1) < 1e-5
            assert 0 <= line["hits"] <= 1
        else:
            assert line["rtp"] is line["low"] is line["high"] is line["edge"] is None
    assert json.loads(json.dumps(told)) == told


def test_a_simulation_can_be_run_again() -> None:
    """The same seed gives the same report, another one another."""
    first = simulate_command.run("baccarat", 200, 0, 1000, 7)
    assert simulate_command.run("baccarat", 200, 0, 1000, 7) == first
    assert simulate_command.run("baccarat", 200, 0, 1000, 8) != first


def test_a_known_return_lies_within_the_interval() -> None:
    """San Gong live: what a bet returns exactly is within four standard errors of what 4000 rounds return."""
    played = catalogue.game("casino_holdem")
    told = simulate_command.run("casino_holdem", 4000, 0, 1_000_000, 3)
    everything = told["bets"][0]
    half = everything["high"] - everything["rtp"]
    assert played.id == told["game"]
    # The edge of casino hold'em is about 0.8 % of the chips staked (2.16 % of the ante).
    assert abs(everything["rtp"] - 0.9918) <= 2 * half + 0.003


def test_more_rounds_are_surer() -> None:
    """Sixteen times the rounds give an interval about a quarter as wide."""
    few, many = (simulate_command.run("baccarat", rounds, 0, 1000, 5)["bets"][0] for rounds in (150, 2400))
    ratio = (many["high"] - many["low"]) / (few["high"] - few["low"])
    assert 0.15 < ratio < 0.4


def test_the_command_prints_a_table_or_an_object(pitboss: Call) -> None:
    """For people a table with its headings and the strategy, for machines one JSON object."""
    done = pitboss("simulate", "casino_holdem", "--rounds", 50)
    assert done.exit_code == 0
    for heading in ("RTP", "95 % from", "edge", "hits"):
        assert heading in done.stdout
    assert "strategy" in done.stdout
    done = pitboss("simulate", "casino_holdem", "--rounds", 50, "--json")
    told = json.loads(done.stdout)
    assert told["rounds"] == 50
    assert {line["bet"] for line in told["bets"]} >= {"all", "ante"}


def test_a_game_in_which_nothing_was_staked_is_shown_too(pitboss: Call) -> None:
    """War, by itself, stakes no chips: there are no shares to tell, and that is no failure."""
    done = pitboss("simulate", "war", "--rounds", 3)
    assert done.exit_code == 0, done.output
    assert "nan" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("old_maid",), "old_maid"),
        (("war", "--seats", 9), "4 to 4"),
        (("baccarat", "--rounds", 0), "rounds"),
        (("loo", "--chips", 1), "chips"),
        (("war", "--seats", 1), "4 to 4"),
    ],
)
def test_what_cannot_be_simulated_is_said_in_words(pitboss: Call, arguments: tuple[object, ...], says: str) -> None:
    """An unknown game, too many or too few seats, no rounds, too few chips: exit 2 with the reason."""
    done = pitboss("simulate", *arguments)
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output
