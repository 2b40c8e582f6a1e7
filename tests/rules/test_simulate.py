"""Whole rounds played by themselves."""

from random import Random

import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, cards, catalogue, simulate
from services.rules.game import Table
from services.rules.refusals import Refused

TABLE = Table(chips={0: 500, 1: 500})
DECK = ScriptedChance(Script(stocks=(tuple(cards.parse("2s Ks  3s Qh  4s Jd")),)))


def test_a_round_is_played_to_its_end_by_the_strategy_given() -> None:
    """Both seats choose the greatest multiple, so that 三公 is owed 10 × 3 × 5 × 5."""
    game = catalogue.game("tongbi_san_gong")
    rules = game.rules_type()

    def greedy(round_: object, seat: int, offered: object) -> actions.Action:
        del round_, seat
        return actions.BetMultiple(multiple=5) if "bet_multiple" in str(offered) else actions.Reveal()

    round_ = simulate.play_round(game, rules, TABLE, DECK, greedy)
    assert round_.outcome is not None
    assert [(claim.payee, claim.amount) for claim in round_.outcome.claims] == [(0, 750)]


def test_the_same_chance_plays_the_same_round() -> None:
    """Deck and players' chance are arguments; nothing else decides."""
    game = catalogue.game("san_gong")
    strategy = simulate.strategy_of(game, Random(3))
    outcomes = {
        str(simulate.play_round(game, game.rules_type(), TABLE, ScriptedChance(Script()), strategy).outcome)
        for _ in range(3)
    }
    assert len(outcomes) == 1


def test_a_round_that_cannot_start_is_refused() -> None:
    """One seat alone plays no round."""
    game = catalogue.game("san_gong")
    with pytest.raises(Refused, match="a round needs 2"):
        simulate.play_round(
            game,
            game.rules_type(),
            Table(chips={0: 500}),
            DECK,
            simulate.strategy_of(game, Random(1)),
        )
