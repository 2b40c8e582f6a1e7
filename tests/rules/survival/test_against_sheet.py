"""The engine agrees with a second, literal implementation of the sheet that shares no code with it."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import PACK_52
from services.rules.game import Game, Round, Table
from services.rules.refusals import Refused
from tests.rules.survival.sheet_common import Move, Reading
from tests.rules.survival.sheet_turns import NinetyNine, PullCart, War
from tests.rules.survival.sheet_windows import CountOff, Nickname

ROUNDS = int(os.environ.get("PITBOSS_SURVIVAL_ROUNDS", "40"))
MOST_STEPS = 20_000
GAMES: dict[str, type[Reading]] = {
    "ninety_nine": NinetyNine,
    "nickname": Nickname,
    "pull_cart": PullCart,
    "war": War,
    "count_off": CountOff,
}
LIMITS = {"nickname": "max_flips", "count_off": "max_flips"}
ELSEWHERE: tuple[Move, ...] = ({"do": "pass"}, {"do": "flip"}, {"do": "slap"}, {"do": "collect"}, {"do": "reveal"})


def some_play(reading: Reading, seat: int, chance: Random) -> Move:
    """Draw a card for ninety-nine, with words that it may or may not take."""
    hand = reading.held.get(seat) or list(PACK_52)
    cards = [chance.choice(hand if chance.random() < 0.9 else PACK_52)]
    if chance.random() < 0.05:
        cards = chance.sample(PACK_52, chance.choice([0, 2]))
        return {"do": "play", "cards": cards}
    move: Move = {"do": "play", "cards": cards}
    if cards[0][0] in "TQ" or chance.random() < 0.05:
        move["sign"] = chance.choice(["plus", "minus", "plus", "minus", "times"])
    if (cards[0][0] == "5" and reading.rules["five"] == "choose") or chance.random() < 0.05:
        move["next"] = chance.choice([*reading.order, 9])
    return move


def some_call(reading: Reading, seat: int, chance: Random) -> Move:
    """Draw a call, right where it can be more often than not."""
    assert isinstance(reading, Nickname), "only nicknames are called"
    own = reading.piles.get(seat)
    alike = [other for other, pile in reading.piles.items() if own and pile and pile[-1][0] == own[-1][0]]
    target = chance.choice(alike) if alike and chance.random() < 0.8 else chance.choice([*reading.order, 9])
    return {"do": "call_nickname", "target": target, **some_flip(reading, chance)}


def some_flip(reading: Reading, chance: Random) -> Move:
    """Return the card that is meant, the one before or after, or none."""
    meant = chance.choice([None, 0, 0, 0, 1, -1])
    return {} if meant is None else {"flip": reading.state()["flips"] + meant}


MOVES: dict[str, Callable[[Reading, int, Random], Move]] = {
    "ninety_nine": some_play,
    "nickname": some_call,
    "pull_cart": lambda _reading, _seat, chance: {"do": chance.choice(["flip", "collect"])},
    "war": lambda _reading, _seat, _chance: {"do": "flip"},
    "count_off": lambda reading, _seat, chance: {"do": "slap", **some_flip(reading, chance)},
}


def some_rules(game: Game, chance: Random) -> dict[str, Any]:
    """Draw house rules; short limits often, for all games end there otherwise only by running out of cards."""
    keys: dict[str, Any] = {
        "ante": chance.choice([0, 5]),
        "win_cap": chance.choice(["none", "stake"]),
        LIMITS.get(game.id, "max_turns"): chance.choice([1, 7, 60, 400]),
    }
    if game.id == "ninety_nine":
        keys["five"] = chance.choice(["skip", "choose"])
    if game.id == "war":
        keys["auto_flip"] = chance.choice([True, False])
    return keys


def some_deck(seats: int, chance: Random) -> list[str]:
    """Shuffle; often so that equal ranks lie close together (matches, ties), or one seat has the highest cards."""
    deck = list(PACK_52)
    chance.shuffle(deck)
    kind = chance.choice(["any", "any", "close", "strong"])
    if kind == "close":
        deck.sort(key=lambda card: ("A23456789TJQK".index(card[0]) // 3, chance.random()))
    if kind == "strong":
        deck.sort(key=lambda card: -"23456789TJQKA".index(card[0]))
        lucky = chance.randrange(seats)
        high = deck[: len(range(lucky, len(deck), seats))]
        low = deck[len(high) :]
        chance.shuffle(low)
        deck = [(high if place % seats == lucky else low).pop() for place in range(len(PACK_52))]
    return deck


def compare_move(round_: Round, reading: Reading, seat: int, move: Move, chance: ScriptedChance) -> None:
    """Let both take a move; both must refuse it for the same reason, or both accept it."""
    reason = reading.reason(seat, move)
    arguments = {key: value for key, value in move.items() if key != "do"}
    found = None
    try:
        round_.act(seat, actions.build(move["do"], arguments), chance)
    except Refused as refusal:
        found = refusal.reason
    assert found == reason, (seat, move, reading.facts())
    if reason is None:
        reading.act(seat, move)


def compare_facts(found: dict[str, Any], reading: Reading) -> None:
    """Compare the case keys of the reading."""
    known = reading.facts()
    assert {key: found.get(key) for key in known} == known


def play(game: Game, keys: dict[str, Any], table: Table, chance: Random, deck: list[str]) -> None:
    """Play one round with both to its end, comparing after each move."""
    rules = msgspec.convert(keys, game.rules_type)
    source = ScriptedChance(Script(stocks=(tuple(deck),)))
    round_, _ = game.start(rules, table, source)
    assert table.first_button is not None, "the test names the button"
    reading = GAMES[game.id](msgspec.to_builtins(rules), table.chips, table.first_button, list(deck))
    patience = chance.choice([0.05, 0.3, 0.8])
    for _ in range(MOST_STEPS):
        if round_.outcome is not None or reading.winners is not None:
            break
        compare_facts(round_.facts(), reading)
        if chance.random() < patience:
            round_.on_timeout(source)
            reading.late()
            continue
        waiting = round_.waiting()
        assert waiting is not None, "an open round waits"
        seat = chance.choice(waiting.seats) if waiting.seats and chance.random() < 0.8 else chance.choice(range(11))
        move = chance.choice(ELSEWHERE) if chance.random() < 0.05 else MOVES[game.id](reading, seat, chance)
        compare_move(round_, reading, seat, move, source)
    assert round_.outcome is not None
    winners = reading.winners
    assert winners is not None, reading.facts()
    compare_facts(round_.outcome.facts, reading)
    assert round_.outcome.facts["winner"] == (winners[0] if len(winners) == 1 else winners)
    posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
    assert (posting.net, posting.fee, posting.house, posting.pot) == (reading.net(), 0, 0, 0)


@pytest.mark.parametrize("game_id", GAMES)
def test_engine_and_sheet_agree(game_id: str) -> None:
    """Turns, refusals, stacks, eliminations and wins are those of the literal reading."""
    game = catalogue.game(game_id)
    bounds = game.rules_type()
    for number in range(ROUNDS):
        chance = Random(f"{game_id} {number}")
        keys = some_rules(game, chance)
        count = chance.randint(bounds.min_seats, bounds.max_seats)
        chips = {seat: chance.choice([5, 6, 8, 9, 100]) for seat in range(count)}
        if count > bounds.min_seats:
            chips[chance.randrange(count)] = 4
        deck = some_deck(count, chance)
        table = Table(chips=chips, first_button=chance.randrange(count))
        play(game, keys, table, chance, deck)
