"""The engine agrees with a second, literal implementation of the sheet that shares no code with it."""

import os
import random
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import pytest

from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import PACK_52, Card
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.refusals import Refused
from tests.rules.poker import sheet_hand
from tests.rules.poker.sheet_betting import Move
from tests.rules.poker.test_random_play import GAMES, copy, random_rules

T = TypeVar("T")
TABLES = int(os.environ.get("PITBOSS_POKER_ROUNDS", "60"))
MOST_STEPS = 600
ANSWERS = {"run_it": ["run_once", *["run_twice"] * 9], "show": ["reveal", "muck"]}
ARGUMENT = {"bet": "amount", "raise": "to", "draw": "discards", "expose": "card"}
DEFAULTS = {
    "open_check": True,
    "showhand_from": 1,
    "heads_up_blinds": "button_small",
    "flush_order": "suit_first",
    "reraise": False,
    "timeout": "check_or_fold",
    "forced_bets": "blinds",
    "run_it": "once",
    "show": "all",
}


class Twice:
    """Shuffles by a seed; the n-th shuffle of equal packs is equal in two of these, in whatever order a pack comes."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.shuffles = 0

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Shuffle by the seed and the number of shuffles before."""
        assert len(set(pack)) == len(pack), f"a card is twice in {pack}"
        self.shuffles += 1
        order = sorted(pack)
        random.Random(f"{self.seed}/{self.shuffles}").shuffle(order)
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return the first option; poker never asks."""
        raise AssertionError(f"poker picks no {what} of {options}")

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw nothing; poker never asks."""
        raise AssertionError(f"poker throws no {count} dice")


def literal(game: Game, rules: HouseRules, table: Table, source: Twice) -> sheet_hand.Hand:
    """Start the literal reading of a hand."""
    keys: dict[str, Any] = {**DEFAULTS, **msgspec.to_builtins(rules)}
    minimum = keys.get("big_blind") or keys.get("base") or keys["min_bet"]
    keys["small"] = keys.get("small_blind") or minimum // 2
    keys["minimum"] = minimum
    seats = [seat for seat, held in table.chips.items() if held]
    most = rules.max_seats
    start = (table.first_button or 0) if table.button is None else table.button + 1
    button = min(seats, key=lambda seat: (seat - start) % most)
    if keys.get("dealer_draw") == "every" or (keys.get("dealer_draw") == "first" and table.button is None):
        button = sheet_hand.drawn_dealer(seats, source.shuffle(PACK_52))
    ring = sorted(seats, key=lambda seat: (seat - button - 1) % most)
    chips = {seat: table.chips[seat] for seat in seats}
    hand = sheet_hand.Hand(game.id, keys, chips, ring, shuffle=source.shuffle, button=button)
    hand.start()
    return hand


def some_move(hand: sheet_hand.Hand, seat: int, chance: random.Random) -> Move:
    """Draw a move, legal or not, mostly close to a border."""
    if hand.phase == "draw" and seat in hand.live and chance.random() < 0.8:
        cards = chance.sample(hand.down[seat], min(len(hand.down[seat]), chance.choice([0, 1, 3, 5, 5])))
        return ("draw", tuple(cards + chance.choices(PACK_52, k=chance.random() < 0.1)))
    if hand.phase == "expose" and seat in hand.live and chance.random() < 0.8:
        return ("expose", chance.choice([*hand.down[seat] * 5, *hand.up[seat], chance.choice(PACK_52)]))
    if hand.phase in ANSWERS and chance.random() < 0.8:
        return (chance.choice(ANSWERS[hand.phase]),)
    word = chance.choice(
        ["fold", "all_in", *["check", "call"] * 3, *["bet", "raise"] * 3, "draw", "expose", "run_once", "muck"]
    )
    if word in ("bet", "raise"):
        put, held = hand.total.get(seat, 0), hand.chips.get(seat, 0)
        pot = sum(hand.paid.values())
        near = [0, hand.price, hand.price + hand.unit(), hand.price + hand.last_full(), 2 * hand.price, put + held]
        near += [2 * hand.price + pot - put, chance.randint(0, put + held + 1)]
        return (word, chance.choice(near) + chance.choice([0, 0, 0, -1, 1]))
    if word in ARGUMENT:
        return (word, () if word == "draw" else chance.choice(PACK_52))
    return (word,)


def compare_move(round_: Round, hand: sheet_hand.Hand, seat: int, move: Move, source: Twice) -> None:
    """Let both take a move; both must refuse it for the same reason, or both accept it."""
    before = msgspec.msgpack.encode(round_)
    reason = hand.reason(seat, move)
    arguments = {ARGUMENT[move[0]]: move[1]} if len(move) > 1 else {}
    found = None
    try:
        round_.act(seat, actions.build(move[0], arguments), source)
    except Refused as refusal:
        found = refusal.reason
        assert msgspec.msgpack.encode(round_) == before, "a refusal changed the round"
    assert found == reason, (seat, move, hand)
    if reason is None:
        hand.act(seat, move)


def play(game: Game, rules: HouseRules, table: Table, seed: str, chance: random.Random) -> tuple[Round, Any]:
    """Play a hand with both to its end, and compare the seats to act after each move."""
    source, twin = Twice(seed), Twice(seed)
    round_, _ = game.start(rules, table, source)
    hand = literal(game, rules, table, twin)
    for _ in range(MOST_STEPS):
        waiting = round_.waiting()
        assert set(waiting.seats if waiting else ()) == hand.asked(), hand
        if waiting is None:
            break
        if chance.random() < 0.04:
            round_.on_timeout(source)
            hand.late()
        else:
            seat = chance.choice(waiting.seats) if chance.random() < 0.95 else chance.randrange(11)
            compare_move(round_, hand, seat, some_move(hand, seat, chance), source)
        round_ = copy(round_)  # type: ignore[arg-type]  # every round of these games is one of poker
    assert source.shuffles == twin.shuffles
    return round_, hand


READ = [game_id for game_id in GAMES if not getattr(catalogue.game(game_id).rules_type(), "forced_bet", 0)]
"""The games of the literal reading; stud with a bring-in is compared with PokerKit."""


@pytest.mark.parametrize("game_id", READ)
def test_engine_and_sheet_agree(game_id: str) -> None:
    """Turns, refusals and their reasons, pots, hands, rake, chips and buttons are those of the literal reading."""
    game = catalogue.game(game_id)
    for number in range(TABLES):
        chance = random.Random(f"{game_id} {number}")
        rules = random_rules(game, chance)
        seats = sorted(chance.sample(range(rules.max_seats), chance.randint(2, rules.max_seats)))
        deep = chance.choice([15, 40, 200])
        table = Table(
            chips={seat: chance.randint(1, deep) for seat in seats}, first_button=chance.choice([None, *seats])
        )
        for hand_number in range(3):
            if sum(1 for held in table.chips.values() if held) < 2:
                break
            round_, hand = play(game, rules, table, f"{game_id} {number} {hand_number}", chance)
            table = compare_end(game, rules, table, round_, hand)


def compare_end(game: Game, rules: HouseRules, table: Table, round_: Round, hand: sheet_hand.Hand) -> Table:
    """Compare the end of a hand, and return the table after it."""
    assert round_.outcome is not None
    posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
    chips = {seat: held + posting.net.get(seat, 0) for seat, held in table.chips.items()}
    facts = game.after_settlement(rules, round_.outcome, chips).facts
    assert {seat: posting.net.get(seat, 0) for seat in hand.ring} == hand.net, hand
    assert posting.fee == hand.fee, hand
    assert facts == {
        "pots": [amount for amount, _ in hand.pots],
        "winners": [winners for _, winners in hand.pots],
        "hands": hand.hands,
        "returned": hand.returned,
        "button": hand.button,
        **({"low_winners": hand.low_winners, "lows": hand.lows} if game.id in sheet_hand.SPLIT else {}),
        **second_board(game, hand),
        "eliminated": [seat for seat in sorted(hand.ring) if not chips[seat]],
    }, hand
    return msgspec.structs.replace(table, chips=chips, button=round_.outcome.button)


def second_board(game: Game, hand: sheet_hand.Hand) -> dict[str, Any]:
    """Return the facts of the second board by the literal reading; nothing where there was one board."""
    if not hand.second:
        return {}
    lows = {"second_low_winners": hand.second_low_winners, "second_lows": hand.second_lows}
    return {
        "second_winners": hand.second_winners,
        "second_hands": hand.second_hands,
        **(lows if game.id in sheet_hand.SPLIT else {}),
    }
