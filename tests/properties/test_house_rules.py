"""House rules of every game: defaults are valid, and values outside the table limits are reported."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import catalogue
from services.rules.chips import MOST_CHIPS
from services.rules.game import Game, HouseRules
from tests.support import worlds
from tests.support.chances import Recording

GAMES = list(catalogue.FILES)

BAD: list[tuple[str, Any]] = [
    ("fee_bps", -1),
    ("fee_bps", 10_001),
    ("win_cap", "all"),
    ("win_cap", ""),
    ("rake_bps", -1),
    ("rake_bps", 10_001),
    ("rake_cap", -1),
    ("turn_seconds", 0),
    ("turn_seconds", 3601),
    ("bet_seconds", 0),
    ("bet_seconds", 3601),
    ("min_seats", -1),
    ("min_seats", 1000),
    ("max_seats", -1),
]


def fields_of(game: Game) -> dict[str, Any]:
    """Return the keys of a game's house rules with their defaults."""
    rules = game.rules_type()
    return {entry.name: getattr(rules, entry.name) for entry in msgspec.structs.fields(game.rules_type)}


def named(game: Game, **keys: Any) -> set[str]:
    """Return the faulty keys, and check that each fault has a message."""
    faults = game.faults(game.rules_type(**keys))
    assert all(len(fault.message) > 10 for fault in faults)
    assert {fault.field for fault in faults} <= set(fields_of(game)), f"{game.id}: a fault names an unknown key"
    return {fault.field for fault in faults}


@pytest.mark.parametrize("game_id", GAMES)
def test_defaults_have_no_fault(game_id: str) -> None:
    """The sheet's own table can be opened, and its warnings are sentences."""
    game = catalogue.game(game_id)
    assert named(game) == set()
    assert all(len(warning) > 10 for warning in game.warnings(game.rules_type()))


@pytest.mark.parametrize(("key", "value"), BAD, ids=str)
@pytest.mark.parametrize("game_id", GAMES)
def test_common_rules_outside_their_limits_are_named(game_id: str, key: str, value: Any) -> None:
    """Every key is bounded in every game [rules "House rules common to all games"]."""
    game = catalogue.game(game_id)
    if key == "min_seats" and value > 0 and game.rules_type().max_seats == 0:
        return  # a table without a limit of seats may wait for any number
    assert key in named(game, **{key: value})


@pytest.mark.parametrize("game_id", GAMES)
def test_every_own_number_and_word_is_checked(game_id: str) -> None:
    """A negative number, an unknown word, and a negative entry of a table are faults of their key in every game."""
    game = catalogue.game(game_id)
    for key, default in fields_of(game).items():
        if isinstance(default, bool):
            continue
        if isinstance(default, int):
            assert key in named(game, **{key: -1}), f"{game_id}: {key}: -1"
        elif isinstance(default, str):
            assert key in named(game, **{key: "?"}), f"{game_id}: {key}: '?'"
        elif isinstance(default, dict):
            assert key in named(game, **{key: {**default, next(iter(default)): -1}}), f"{game_id}: {key} with -1"
            assert key in named(game, **{key: {**default, "?": 1}}), f"{game_id}: {key} with '?'"
        elif isinstance(default, tuple):
            assert key in named(game, **{key: (*default, -1)}), f"{game_id}: {key} with -1"


@pytest.mark.parametrize("game_id", GAMES)
def test_games_without_pots_know_no_rake(game_id: str) -> None:
    """A game uses a fee or a rake, not both."""
    game = catalogue.game(game_id)
    takes_rake = "rake_bps" not in named(game, rake_bps=500)
    takes_fee = "fee_bps" not in named(game, fee_bps=500)
    assert takes_rake != takes_fee
    assert takes_rake == (game.family == "poker")


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_at_their_bounds_can_be_played(game_id: str) -> None:
    """Each key at each end of what its limits accept: rounds start, end and settle, or too few seats can pay."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} bounds")
    for key in fields_of(game):
        values = worlds.values_of(game, key)
        ends = [value for at, value in enumerate(values) if at < 2 or at >= len(values) - 2]
        for value in ends:
            rules = changed(game, key, value)
            for table in worlds.rounds(game, rules, rng, 1):
                round_, _ = worlds.play(game, rules, table, Recording(rng), rng)
                after = worlds.after(game, rules, table, round_)[0]
                assert all(0 <= held <= MOST_CHIPS * len(table.chips) * 1000 for held in after.chips.values())


def changed(game: Game, key: str, value: Any) -> HouseRules:
    """Return the defaults, short, with one key changed; the plain defaults where the two do not go together."""
    rules = worlds.default_rules(game, **{key: value})
    return rules if not game.faults(rules) else game.rules_type(**{key: value})


@pytest.mark.parametrize("game_id", GAMES)
def test_payouts_and_greatest_win_can_be_read_under_any_rules(game_id: str) -> None:
    """Requirement R28: before a stake is made every bet's pay and the greatest win are there in words."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} payouts")
    for rules in [game.rules_type(), *(worlds.varied_rules(game, rng) for _ in range(5))]:
        payouts = game.payouts(rules)
        assert payouts, f"{game.id} lists no payouts"
        assert all(payout.bet and payout.pays for payout in payouts)
        assert game.greatest_win(rules).en
        assert game.least_carry(rules) >= 0
