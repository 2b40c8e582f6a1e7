"""Returns of casino war, counted over all orders of cards by playing each of them."""

import functools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, catalogue
from services.rules.banker.casino_war import GAME, CasinoWarRound, CasinoWarRules
from services.rules.cards import RANKS
from services.rules.game import Table
from services.rules.outcomes import Outcome

BET = 100


def nets(outcome: Outcome) -> dict[str, int]:
    """Return the net of seat 0 by bet: its stakes name the bets, the claims follow in their order."""
    assert outcome.banker is None
    assert all(0 in (claim.payer, claim.payee) for claim in outcome.claims)
    tie = sum(claim.amount * (1 if claim.payee == 0 else -1) for claim in outcome.claims if claim.why == "tie")
    tied = any(stake.bet == "tie" for stake in outcome.stakes)
    whole = sum(claim.amount * (1 if claim.payee == 0 else -1) for claim in outcome.claims)
    return {"ante": whole - tie - (0 if tie or not tied else -BET), "tie": tie or -BET}


def played(rules: CasinoWarRules, ranks: str, action: actions.Action) -> CasinoWarRound:
    """Play a round of one seat in which cards of these ranks are dealt, and answer a tie with the action."""
    suits = iter("shdc" * 2)
    chance = ScriptedChance(Script(stocks=(tuple(rank + next(suits) for rank in ranks),)))
    round_, _ = GAME.start(rules, Table(chips={0: 10 * BET}), chance)
    for spot in ("ante", "tie"):
        round_.act(0, actions.PlaceBet(spot, BET), chance)
    round_.act(0, actions.Done(), chance)
    if round_.outcome is None:
        round_.act(0, action, chance)
    assert round_.outcome is not None
    return round_


def orders(decks: int) -> Iterator[tuple[str, int]]:
    """Yield the ranks of the cards that decide, and in how many orders of four cards they are dealt."""
    for length in (2, 4):
        for ranks in product(RANKS, repeat=length):
            if (ranks[0] == ranks[1]) != (length == 4):
                continue
            left, size, ways = Counter(dict.fromkeys(RANKS, 4 * decks)), 52 * decks, 1
            for rank in ranks:
                ways *= left[rank]
                left[rank] -= 1
                size -= 1
            yield "".join(ranks), ways * (1 if length == 4 else size * (size - 1))


@functools.cache
def every_net(war_tie: str) -> dict[str, dict[str, int]]:
    """Play each order of ranks and return the nets of seat 0 in it; each tie goes to war.

    The number of decks changes only how often an order is dealt.
    """
    rules = msgspec.convert({"decks": 1, "war_tie": war_tie}, CasinoWarRules)
    found = {}
    for ranks, _ in orders(1):
        outcome = played(rules, ranks, actions.Call()).outcome
        assert outcome is not None
        found[ranks] = nets(outcome)
    return found


def test_an_equal_card_in_the_war_is_listed_where_it_pays_the_ante() -> None:
    """With the bonus the ante has two lines, without it one: the raise alone is paid then."""
    for war_tie, lines in (("raise", ["ante", "call", "tie"]), ("bonus", ["ante", "call", "ante", "tie"])):
        rules = msgspec.convert({"war_tie": war_tie}, CasinoWarRules)
        assert [one.bet for one in GAME.payouts(rules)] == lines


@pytest.mark.parametrize("war_tie", ["raise", "bonus"])
@pytest.mark.parametrize("decks", [1, 2, 6])
def test_the_returns_are_those_of_all_orders_of_cards(decks: int, war_tie: str) -> None:
    """Every order of ranks is played to its end; weighed, ante and tie bet return just what the game declares."""
    rules = msgspec.convert({"decks": decks, "war_tie": war_tie}, CasinoWarRules)
    back, total = Counter[str](), 0
    for ranks, ways in orders(decks):
        total += ways
        for bet, net in every_net(war_tie)[ranks].items():
            back[bet] += ways * (BET + net)
    assert total == 52 * decks * (52 * decks - 1) * (52 * decks - 2) * (52 * decks - 3)
    assert GAME.best_returns(rules) == {bet: Fraction(back[bet], BET * total) for bet in ("ante", "tie")}


def test_the_figures_are_those_of_the_sheet() -> None:
    """With six decks and with one the returns round to the sheet's; the published edges agree."""
    given: list[dict[str, Any]] = [{}, {"war_tie": "bonus"}, {"decks": 1}]
    found = [GAME.best_returns(msgspec.convert(keys, CasinoWarRules)) for keys in given]
    assert [round(float(one["ante"]), 6) for one in found] == [0.971229, 0.976699, 0.975846]
    assert [round(float(one["tie"]), 6) for one in found] == [0.813505, 0.813505, 0.647059]
    assert [round(100 - 100 * float(one["ante"]), 2) for one in found[:2]] == [2.88, 2.33]
    assert round(100 - 100 * float(found[0]["tie"]), 2) == 18.65


def test_a_surrender_never_returns_more_than_a_war() -> None:
    """Whatever cards are gone, each side of a war wins as often, so that a war returns at least half of the ante."""
    for decks in (1, 6):
        rules = CasinoWarRules(decks=decks)
        wars = [(ranks, ways) for ranks, ways in orders(decks) if len(ranks) == 4]
        for rank in RANKS:
            net = sum(ways * every_net("raise")[ranks]["ante"] for ranks, ways in wars if ranks[0] == rank)
            assert net >= -BET // 2 * sum(ways for ranks, ways in wars if ranks[0] == rank)
        surrendered = played(rules, "9999", actions.Fold()).outcome
        assert surrendered is not None
        assert nets(surrendered)["ante"] == -BET // 2


def test_the_catalogue_plays_with_as_many_decks_as_the_rules_say() -> None:
    """A round's stock holds 52 cards for each deck, each card as often as there are decks."""
    game = catalogue.game("casino_war")
    for decks in (1, 6, 8):
        chance = ScriptedChance(Script())
        game.start(msgspec.convert({"decks": decks}, game.rules_type), Table(chips={0: BET}), chance)
        assert set(Counter(chance.packs[0]).values()) == {decks}
        assert len(chance.packs[0]) == 52 * decks
