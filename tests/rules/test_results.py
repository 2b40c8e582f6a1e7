"""What each seat of an ended round came to, in words, in the games that compare no hands."""

import random
import re

import pytest

from services.rules import catalogue, random_play, simulate
from services.rules.game import Table

GAMES = [one.id for one in catalogue.games() if one.family in ("tricks", "climbing")]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_seat_has_a_result_in_words(game_id: str) -> None:
    """Each seat of an ended round has a text in three languages, and all three name the same numbers."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    said: set[str] = set()
    for seed in range(30):
        rng = random.Random(f"{game_id} {seed}")
        seats = range(rng.randint(rules.min_seats, min(rules.max_seats, 8)))
        table = Table(chips=dict.fromkeys(seats, 1000), first_button=0)
        chance, strategy = simulate.DrawnChance(rng), simulate.strategy_of(game, rng)
        ended = simulate.play_round(game, rules, table, chance, strategy)
        for seat in ended.carry:
            text = ended.in_words(seat)
            assert text is not None
            assert text.en.isascii()
            assert not text.zh_hant.isascii()
            assert not text.zh_hans.isascii()
            numbers = [re.findall(r"\d+", one) for one in (text.en, text.zh_hant, text.zh_hans)]
            assert numbers[0] == numbers[1] == numbers[2]
            said.add(text.en)
    assert len(said) > 2, "the result depends on what was played"


@pytest.mark.parametrize("game_id", [one for one in GAMES if catalogue.game(one).family == "tricks" and one != "loo"])
def test_tricks_won_are_a_fact_of_each_seat(game_id: str) -> None:
    """The tricks of the seats are in every view of a trick game, and together they are the tricks played."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    rng = random.Random(game_id)
    round_, _ = game.start(rules, Table(chips=dict.fromkeys(range(rules.min_seats), 1000)), simulate.DrawnChance(rng))
    while (waiting := round_.waiting()) is not None:
        seat = waiting.seats[0]
        round_.act(seat, random_play.sample(round_.options(seat), rng), simulate.DrawnChance(rng))
        seen = round_.view(None).facts
        assert sum(seen.tricks.values()) == seen.tricks_completed
