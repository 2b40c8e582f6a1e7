"""Random legal play of every poker game under random house rules: what must hold after every step."""

import os
import random
from typing import Any

import msgspec
import pytest

from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import PACK_52, Card
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.offers import Between, OneOf, Option, Sets, SomeOf
from services.rules.poker import positions
from services.rules.poker.engine import PokerRound
from services.rules.poker.positions import Memory
from services.rules.refusals import Refused
from tests.support.seeded import Seeded

GAMES = [game_id for game_id, file in catalogue.FILES.items() if file.startswith("poker.")]
ROUNDS = int(os.environ.get("PITBOSS_POKER_ROUNDS", "150"))
MOST_STEPS = 400
UNARGUED = ("fold", "check", "call", "all_in", "bring_in", "stand", "run_twice", "run_once", "reveal", "muck")


def random_rules(game: Game, chance: random.Random) -> HouseRules:
    """Draw house rules from all values that the sheet allows."""
    values: dict[str, list[object]] = {
        "betting": ["no_limit", "pot_limit", "fixed_limit"],
        "raise_cap": [0, 1, 4],
        "big_blind": [2, 3, 10],
        "small_blind": [None, 1, 2],
        "heads_up_blinds": ["button_small", "left_small"],
        "flush_order": ["suit_first", "rank_first"],
        "ante": [1, 5, 10],
        "min_bet": [1, 10],
        "open_check": [False, True],
        "showhand_from": [1, 2, 4],
        "rake_bps": [0, 500, 10000],
        "rake_cap": [0, 7],
        "base": [2, 10],
        "reraise": [False, True],
        "dealer_draw": ["first", "every", "none"],
        "timeout": ["fold", "check_or_fold"],
        "forced_bets": ["blinds", "button_blind"],
        "run_it": ["once", "twice"],
        "show": ["all", "winner", "losers"],
    }
    fields = game.rules_type.__struct_fields__
    keys = {key: chance.choice(options) for key, options in values.items() if key in fields}
    if "big_blind" in keys:
        keys["ante"] = 0
    if game.id == "royal_holdem":
        keys["betting"] = "no_limit"
    rules = msgspec.convert(keys, game.rules_type)
    assert game.faults(rules) == []
    return rules


def card_room_rules(game: Game, chance: random.Random) -> HouseRules:
    """Draw house rules with some of those that the sheet leaves off."""
    values: dict[str, list[object]] = {
        "opening": ["bring_in"],
        "bring_in": [None, 1],
        "completion": [None, 12],
        "exposure": [False, True],
        "flush_order": ["suit_first", "rank_only"],
        "ante_mode": ["live", "dead", "big_blind"],
        "ante": [1, 4, 12],
        "missed_blinds": ["nothing", "post", "wait"],
        "newcomers": ["as_missed", "nothing", "post", "wait"],
        "button": ["moving", "dead"],
        "straddle": ["under_the_gun"],
    }
    keys = {key: chance.choice(options) for key, options in values.items() if chance.random() < 0.6}
    known = {key: value for key, value in keys.items() if key in game.rules_type.__struct_fields__}
    rules = msgspec.structs.replace(random_rules(game, chance), **known)
    return rules if not game.faults(rules) else random_rules(game, chance)


def left_behind(chance: random.Random) -> dict[str, Any]:
    """Draw what a round of any seats may have left behind: blinds anywhere, missed ones, seats that straddle."""
    played, away, passed = (sorted(chance.sample(range(10), chance.randint(0, 6))) for _ in range(3))
    memory = Memory(
        played=played,
        small=chance.randrange(10),
        big=chance.randrange(10),
        away=[seat for seat in away if seat not in played],
        passed=[seat for seat in passed if seat in away and seat not in played],
        straddles=sorted(chance.sample(range(10), 5)),
    )
    return positions.write(memory)


def choose(option: Option, chance: random.Random) -> actions.Action:
    """Choose values for an option's arguments."""
    arguments: dict[str, object] = {}
    for name, choice in option.arguments.items():
        if isinstance(choice, Between):
            ends = [choice.least, choice.most, min(choice.most, choice.least + 3)]
            arguments[name] = chance.choice([*ends, chance.randint(choice.least, choice.most)])
        elif isinstance(choice, OneOf):
            arguments[name] = chance.choice(choice.values)
        elif isinstance(choice, SomeOf):
            arguments[name] = chance.sample(choice.cards, chance.randint(choice.least, choice.most))
        else:
            assert isinstance(choice, Sets)
            arguments[name] = chance.choice(choice.sets)
    return actions.build(option.action, arguments)


def unlisted(round_: PokerRound, seat: int, chance: random.Random) -> list[actions.Action]:
    """Sample actions that are not among a seat's options."""
    options = {option.action: option for option in round_.options(seat)}
    tried: list[actions.Action] = [actions.build(name, {}) for name in UNARGUED if name not in options]
    for name, argument, kind in (("bet", "amount", actions.Bet), ("raise", "to", actions.Raise)):
        amounts = {0, -5, 1, chance.randint(1, 300), 10**12}
        if name in options:
            span = options[name].arguments[argument]
            assert isinstance(span, Between)
            amounts |= {span.least - 1, span.most + 1}
            amounts = {amount for amount in amounts if not span.least <= amount <= span.most}
        tried += [kind(amount) for amount in amounts]
    foreign = next(card for card in PACK_52 if all(card not in held for held in round_.down))
    tried += [actions.Draw((foreign,)), actions.Expose(foreign)]
    if "draw" not in options:
        tried.append(actions.Draw(()))
    return tried


def with_hidden_cards_swapped(round_: PokerRound, viewer: int | None, chance: random.Random) -> PokerRound:
    """Return a round in which all cards that the viewer may not know have changed places."""
    twin = copy(round_)
    hidden = list(twin.muck) + twin.stock.rest()
    for place, seat in enumerate(twin.order):
        if seat != viewer and not (twin.shown and twin.live[place] and place not in twin.mucked):
            hidden += twin.down[place]
    swap = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))

    def swapped(held: list[Card]) -> list[Card]:
        return [swap.get(card, card) for card in held]

    known = twin.stock.cards[: twin.stock.next]
    twin.stock.cards = known + swapped(twin.stock.rest())
    twin.muck = swapped(twin.muck)
    twin.down = [swapped(held) for held in twin.down]
    twin.chosen = {place: swap.get(card, card) for place, card in twin.chosen.items()}
    return twin


def copy(round_: PokerRound) -> PokerRound:
    """Store a round and load it again."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=type(round_))


def check_step(round_: PokerRound, chance: random.Random) -> None:
    """Check what must hold between two steps."""
    held = sum(round_.stacks) + sum(round_.paid)
    assert held == sum(round_.carry.values())
    second = round_.second_board
    if second:
        shared = sum(one == other for one, other in zip(round_.board, second, strict=False))
        assert round_.board[:shared] == second[:shared]
        second = second[shared:]
    seen = [*round_.board, *second, *(card for held in (*round_.down, *round_.up) for card in held), *round_.muck]
    assert len(set(seen)) == len(seen), "a card was dealt twice"
    stored = msgspec.msgpack.encode(round_)
    assert msgspec.msgpack.encode(copy(round_)) == stored
    waiting = round_.waiting()
    asked = waiting.seats if waiting else ()
    for seat in round_.order:
        options = round_.options(seat)
        assert bool(options) == (seat in asked)
        for option in options:
            round_.verify(seat, choose(option, chance))
        for action in unlisted(round_, seat, chance):
            assert not round_.can(seat, action), (seat, action)
    for viewer in (*round_.order, None, 99):
        twin = with_hidden_cards_swapped(round_, viewer, chance)
        assert msgspec.json.encode(twin.view(viewer)) == msgspec.json.encode(round_.view(viewer))
    assert msgspec.msgpack.encode(round_) == stored, "looking at a round changed it"


def play(game: Game, rules: HouseRules, table: Table, seed: int) -> tuple[Round, PokerRound]:
    """Play a round to its end with random legal actions and some passed deadlines."""
    chance = random.Random(seed)
    source = Seeded(seed)
    round_, _ = game.start(rules, table, source)
    for _ in range(MOST_STEPS):
        assert isinstance(round_, PokerRound)
        if chance.random() < 0.25:
            check_step(round_, chance)
        waiting = round_.waiting()
        if waiting is None:
            return round_, round_
        clock = round_.clock
        if chance.random() < 0.05:
            round_.on_timeout(source)
            assert round_.clock > clock or round_.outcome is not None
        else:
            seat = chance.choice(waiting.seats)
            options = [option for option in round_.options(seat) if option.action != "fold" or chance.random() < 0.3]
            option = chance.choice(options or round_.options(seat))
            round_.act(seat, choose(option, chance), source)
        round_ = copy(round_)
    pytest.fail(f"the round did not end in {MOST_STEPS} steps")


@pytest.mark.parametrize("game_id", GAMES)
def test_random_play_ends_and_conserves_chips(game_id: str) -> None:
    """Play ends, no chip is lost or made, options are exactly what is accepted, and hidden cards stay hidden."""
    game = catalogue.game(game_id)
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        rules = card_room_rules(game, chance) if seed % 2 else random_rules(game, chance)
        count = chance.randint(2, game.rules_type().max_seats)
        chips = {seat: chance.choice([0, 1, 3, 9, 10, 11, 25, 60, 200, 1000]) for seat in range(count)}
        memory = left_behind(chance) if seed % 2 else {}
        table = Table(chips=chips, button=chance.choice([None, *range(count)]), memory=memory)
        if sum(1 for held in chips.values() if held) < 2:
            with pytest.raises(Refused, match="at least 2"):
                game.start(rules, table, Seeded(seed))
            continue
        _, round_ = play(game, rules, table, seed)
        assert round_.outcome is not None
        posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
        for place, seat in enumerate(round_.order):
            lost = round_.paid[place]
            assert posting.net[seat] >= -lost
            assert sum(claim.amount for claim in round_.outcome.claims if claim.payer == seat) == lost
        assert sum(posting.net.values()) == -posting.fee
