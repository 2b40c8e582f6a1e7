"""The engine agrees with a second, literal implementation of the sheet that shares no code with it."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, catalogue
from services.rules.cards import PACK_54
from services.rules.game import Game, Round, Table
from services.rules.refusals import Refused
from services.rules.tricks.game import TrickGame
from tests.rules.tricks.sheet_common import Move, Reading
from tests.rules.tricks.sheet_napoleon import Napoleon
from tests.rules.tricks.sheet_pools import Endurance, Honeymoon, Loo, SpoilFive
from tests.rules.tricks.sheet_whist import Whist

ROUNDS = int(os.environ.get("PITBOSS_TRICKS_ROUNDS", "60"))
MOST_STEPS = 5000
GAMES: dict[str, type[Reading]] = {
    "honeymoon": Honeymoon,
    "napoleon": Napoleon,
    "spoil_five": SpoilFive,
    "loo": Loo,
    "endurance": Endurance,
    "whist": Whist,
}
KEYS: dict[str, dict[str, list[Any]]] = {
    "honeymoon": {
        "stake": [1, 10],
        "point": [1, 2, 8],
        "point_from": ["pot", "pot", "others"],
        "queens": ["any", "club"],
        "match_rounds": [0, 1, 3],
    },
    "napoleon": {"base": [1, 10], "min_bid": [1, 40, 69], "draw": ["each", "winner"]},
    "spoil_five": {"ante": [1, 5]},
    "loo": {"stake": [3, 6]},
    "endurance": {"ante": [0, 5]},
    "whist": {"base": [1, 10]},
}
"""House rules to draw from."""


def some_answer(reading: Reading, seat: int, chance: Random) -> Move:
    """Draw an answer of the phases in which seats are asked, possible there or not."""
    card = chance.choice([*reading.hands[seat], *PACK_54])
    answers: list[Move] = [{"do": word} for word in ("pass", "support", "support", "fold", "exchange")]
    answers += [{"do": "name_adjutant", "card": card}, {"do": "rob", "discard": card}] * 2
    points = chance.choice([0, 1, 2, 39, 40, 41, 60, 69, 70, 71, 78, 79, 80])
    answers += [{"do": "bid", "points": points, "trump": chance.choice("shdcx")}] * 3
    return chance.choice(answers)


def some_play(reading: Reading, seat: int, chance: Random) -> Move:
    """Draw a card to play, now and then two or none, face down or with a call."""
    hand = reading.hands.get(seat) or list(PACK_54)
    card = chance.choice(hand) if chance.random() < 0.9 else chance.choice(PACK_54)
    if chance.random() < 0.05:
        return {"do": "play", "cards": chance.sample(PACK_54, chance.choice([0, 2]))}
    if isinstance(reading, Napoleon):
        if chance.random() < (0.7 if reading.leads() and not reading.legal(seat) else 0.05):
            return {"do": "play_down", "card": card}
        if chance.random() < (0.7 if card in ("Xr", "3c") else 0.05):
            return {"do": "play", "cards": [card], "call": chance.choice(["trumps", "joker"])}
    return {"do": "play", "cards": [card]}


def some_move(reading: Reading, chance: Random) -> tuple[int, Move]:
    """Draw the seat that acts, mostly the one in turn, and its action."""
    seat = reading.now() if chance.random() < 0.92 else chance.choice(range(11))
    asked = bool(reading.asked) and seat in reading.hands
    draw: Callable[[Reading, int, Random], Move] = some_answer if asked != (chance.random() < 0.05) else some_play
    return seat, draw(reading, seat if seat in reading.hands else reading.now(), chance)


def compare_move(round_: Round, reading: Reading, seat: int, move: Move, source: ScriptedChance) -> None:
    """Let both take a move; both must refuse it for the same reason, or both accept it."""
    reason = reading.reason(seat, move)
    found = None
    try:
        round_.act(seat, actions.build(move["do"], {key: move[key] for key in move if key != "do"}), source)
    except Refused as refusal:
        found = refusal.reason
    assert found == reason, (seat, move, reading.hands, reading.lying)
    if reason is None:
        reading.act(seat, move)


def play(game: Game, keys: dict[str, Any], table: Table, deck: list[str], chance: Random) -> None:
    """Play one round with both to its end, and compare the seat in turn after each move."""
    rules = msgspec.convert(keys, game.rules_type)
    source = ScriptedChance(Script(stocks=(tuple(deck),)))
    round_, _ = game.start(rules, table, source)
    reading = GAMES[game.id](msgspec.to_builtins(rules), table, deck)
    patience = chance.choice([0.02, 0.1, 0.6])
    for _ in range(MOST_STEPS):
        waiting = round_.waiting()
        assert (waiting.seats if waiting else ()) == (() if reading.done else (reading.now(),)), reading.hands
        if waiting is None:
            break
        if chance.random() < patience:
            round_.on_timeout(source)
            reading.late()
        else:
            seat, move = some_move(reading, chance)
            compare_move(round_, reading, seat, move, source)
    assert round_.outcome is not None, "the round ends"
    ledger: dict[int | str, int] = dict.fromkeys(reading.ledger, 0)
    for claim in round_.outcome.claims:
        ledger[claim.payer] -= claim.amount
        ledger[claim.payee] += claim.amount
    assert ledger == reading.ledger
    assert round_.outcome.facts == reading.facts()


@pytest.mark.parametrize("game_id", GAMES)
def test_engine_and_sheet_agree(game_id: str) -> None:
    """Turns, refusals and their reasons, tricks, points and claims are those of the literal reading."""
    game = catalogue.game(game_id)
    assert isinstance(game, TrickGame), "a trick game"
    bounds = game.rules_type()
    for number in range(ROUNDS):
        chance = Random(f"{game_id} {number}")
        keys = {key: chance.choice(values) for key, values in KEYS[game_id].items()}
        seats = chance.randint(bounds.min_seats, bounds.max_seats)
        chips = dict.fromkeys(chance.sample(range(10), seats), 500)
        if seats > bounds.min_seats and keys.get("point_from") != "others" and game_id != "honeymoon":
            chips[chance.choice(list(chips))] = 0
        chips = dict(sorted(chips.items()))
        pot = chance.choice([0, 0, 7, 30]) if game_id in ("honeymoon", "spoil_five", "loo") else 0
        memory = {"match_round": chance.choice([1, 3])} if pot and game_id == "honeymoon" else {}
        table = Table(chips=chips, first_button=chance.choice(list(chips)), pot=pot, memory=memory)
        dealt_in = [seat for seat in chips if chips[seat] or keys.get("ante") == 0]
        play(game, keys, table, some_deck(list(game.pack(len(dealt_in))), chance), chance)


def some_deck(pack: list[str], chance: Random) -> list[str]:
    """Shuffle, often so that long suits come together (flushes, hands that may not be led)."""
    chance.shuffle(pack)
    if chance.random() < 0.4:
        suit = chance.choice("shdc")
        pack.sort(key=lambda card: chance.random() + 0.6 * (card[1] == suit))
    return pack
