"""Random tables and random play, for any game of the catalogue; everything follows from a seed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from services.house import pipeline
from services.house.settlement import Posting
from services.rules import actions, cards, random_play
from services.rules.chance import Chance
from services.rules.chips import MOST_CHIPS
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.happenings import Happening
from services.rules.offers import Between, OneOf, Option, Sets, SomeOf
from services.rules.outcomes import Outcome
from services.rules.refusals import Reason, Refused
from tests.support.chances import Recording

SHORT = {"max_turns": 40, "max_flips": 25, "match_rounds": 3}
"""Upper limits of games that last long by default; short ones find the same faults sooner."""

MOST_MOVES = 6000

MOST_SEATS = 60
"""Maximum seats at a table without a limit."""

HASTY = {"fold", "all_in"}
"""Actions that end a seat's part early."""


@dataclass
class Move:
    """A seat's action, or (None) a deadline that passed, with what it caused."""

    seat: int | None
    action: actions.Action | None
    happenings: list[Happening] = field(default_factory=list)


# -- house rules


def default_rules(game: Game, **keys: Any) -> HouseRules:
    """Return the default rules, with short limits for long games."""
    known = {entry.name for entry in msgspec.structs.fields(game.rules_type)}
    short = {name: value for name, value in SHORT.items() if name in known and name != "match_rounds"}
    return game.rules_type(**{**short, **keys})


NUMBERS = (0, 1, 2, 3, 4, 7, 10, 99, 500, 1000, 3600, 10_000, 10**6, 10**12, MOST_CHIPS)


def values_of(game: Game, name: str) -> list[Any]:
    """List values of one house rule that the table limits accept beside the other defaults; words from the fault."""
    default = getattr(game.rules_type(), name)
    if isinstance(default, bool):
        tried: list[Any] = [False, True]
    elif isinstance(default, int):
        most = SHORT.get(name, MOST_CHIPS)
        tried = [number for number in NUMBERS if number <= most]
    elif isinstance(default, str):
        fault = next((fault.message for fault in faults_of(game, **{name: "?"}) if fault.field == name), "")
        tried = [default, *re.findall(r"[\w:]+", fault)]
    else:
        return [default]
    return [value for value in dict.fromkeys(tried) if not faults_of(game, **{name: value})]


def faults_of(game: Game, **keys: Any) -> list[Any]:
    """Return the faults of the default rules with these keys changed."""
    return game.faults(game.rules_type(**keys))


def varied_rules(game: Game, rng: Random) -> HouseRules:
    """Draw house rules: about half of the keys changed to another value that the table limits accept."""
    rules = default_rules(game)
    for entry in msgspec.structs.fields(game.rules_type):
        if rng.random() < 0.5:
            value = rng.choice(values_of(game, entry.name) or [getattr(rules, entry.name)])
            changed = msgspec.structs.replace(rules, **{entry.name: value})
            rules = changed if not game.faults(changed) else rules
    return rules


# -- tables


def table_for(game: Game, rules: HouseRules, rng: Random) -> Table:
    """Draw a table: any seats of those there are, some of them short or without chips."""
    places = min(rules.max_seats or 9, MOST_SEATS)
    fewest = min(rules.min_seats, places)
    count = rng.randint(fewest, max(fewest, min(places, 8)))
    seats = sorted(rng.sample(range(places), count))
    least = max(1, game.least_carry(rules))
    unit = max(least, *(getattr(rules, name, None) or 0 for name in ("base", "big_blind", "ante", "min_bet", "stake")))
    stacks = (least, unit, 2 * unit, 5 * unit, 30 * unit, 100 * unit, 200 * unit)
    chips = {seat: min(MOST_CHIPS, rng.choice(stacks) + rng.randrange(3)) for seat in seats}
    for seat in seats:
        if rng.random() < 0.06:
            chips[seat] = rng.randrange(least)
    button = rng.choice([None, *seats])
    return Table(chips=chips, names={seat: f"Player {seat}" for seat in seats}, first_button=button)


def rounds(game: Game, rules: HouseRules, rng: Random, count: int) -> Iterator[Table]:
    """Draw tables at which a round can start; fewer than asked for where house rules let hardly any."""
    for _ in range(count):
        for _ in range(50):
            table = table_for(game, rules, rng)
            if can_start(game, rules, table):
                yield table
                break


def can_start(game: Game, rules: HouseRules, table: Table) -> bool:
    """Whether a round can start; there is one reason only why not."""
    try:
        game.start(rules, table, Recording(Random(1)))
    except Refused as refused:
        if refused.reason != Reason.NOT_ENOUGH_SEATS:
            raise
        return False
    return True


def after(game: Game, rules: HouseRules, table: Table, round_: Round) -> tuple[Table, Posting, Outcome]:
    """Settle a round and return the table for the next one, its memory read from a log."""
    assert round_.outcome is not None, f"{game.id}: the round has not ended"
    posting = pipeline.settle(round_.outcome, rules, round_.carry, table.pot)
    held = {seat: chips + posting.net.get(seat, 0) for seat, chips in table.chips.items()}
    outcome = game.after_settlement(rules, round_.outcome, held)
    return (
        msgspec.structs.replace(
            table,
            chips=held,
            pot=table.pot + posting.pot,
            button=outcome.button if outcome.counts and outcome.button is not None else table.button,
            memory=msgspec.json.decode(msgspec.json.encode(outcome.memory)),
            round_number=table.round_number + 1,
        ),
        posting,
        outcome,
    )


# -- play


def choose(
    round_: Round, rng: Random, *, lapses: float = 0.06, offers: Callable[[int], list[Option]] | None = None
) -> Move:
    """Draw the next move: mostly an action that a seat is offered, now and then a deadline."""
    waiting = round_.waiting()
    assert waiting is not None, "the round has ended"
    offers = offers or round_.options
    able = [seat for seat in waiting.seats if offers(seat)]
    if not able or rng.random() < lapses:
        return Move(None, None)
    seat = rng.choice(able)
    offered = offers(seat)
    # Who folds or goes all-in at every chance sees little of a game.
    lasting = [option for option in offered if option.action not in HASTY]
    if lasting and rng.random() < 0.85:
        offered = lasting
    return Move(seat, random_play.sample(offered, rng))


def take(round_: Round, move: Move, chance: Chance) -> list[Happening]:
    """Make a move and return its happenings."""
    if move.seat is None or move.action is None:
        return round_.on_timeout(chance)
    return round_.act(move.seat, move.action, chance)


def play(
    game: Game,
    rules: HouseRules,
    table: Table,
    chance: Recording,
    rng: Random,
    watch: Callable[[Round], None] = lambda _: None,
) -> tuple[Round, list[Move]]:
    """Play one round to its end; ``watch`` sees every state. The first move is the start itself."""
    round_, begun = game.start(rules, table, chance)
    moves = [Move(None, None, begun)]
    while round_.waiting() is not None:
        watch(round_)
        assert len(moves) < MOST_MOVES, f"{game.id}: not ended after {MOST_MOVES} moves"
        move = choose(round_, rng)
        move.happenings = take(round_, move, chance)
        moves.append(move)
    watch(round_)
    return round_, moves


# -- actions that may or may not be legal

WORDS = (
    "",
    "?",
    "ante",
    "bonus",
    "tie",
    "player_win",
    "spade",
    "seven",
    "1",
    "3",
    "higher",
    "lower",
    "trumps",
    "joker",
    "plus",
    "minus",
    "s",
    "h",
    "Ann",
)
LOOSE_NUMBERS = (-(10**6), -1, 0, 1, 2, 3, 5, 10, 40, 70, 80, 500, 10**6, 10**18)


def wild_action(round_: Round, rng: Random) -> actions.Action:
    """Draw any action of any sheet with arguments near to what is legal now, or far from it."""
    seat = rng.choice(sorted(round_.carry))
    offered = round_.options(seat)
    near = [value for option in offered for choice in option.arguments.values() for value in _near(choice, rng)]
    kinds = list(actions.BY_NAME)
    name = rng.choice([*kinds, *(option.action for option in offered for _ in range(10))])
    given: dict[str, Any] = {}
    for entry in msgspec.structs.fields(actions.BY_NAME[name]):
        optional = entry.default is not msgspec.NODEFAULT
        if optional and rng.random() < 0.6:
            continue
        given[entry.encode_name] = _argument(entry.encode_name, near, round_, rng)
    return actions.build(name, given)


def _argument(name: str, near: list[Any], round_: Round, rng: Random) -> Any:
    """Draw an argument by the kind that its name has in the sheets."""
    own = [card for zone in round_.view(rng.choice(sorted(round_.carry))).zones for card in zone.cards]
    pool = [*(card for card in own if card != cards.HIDDEN), *cards.PACK_54, "1t"]
    if name in {"cards", "discards", "low", "high"}:
        sets = [value for value in near if isinstance(value, tuple)]
        if sets and rng.random() < 0.7:
            return rng.choice(sets)
        return tuple(rng.choice(pool) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 5, 6))))
    if name in {"card", "discard"}:
        return rng.choice(pool[: max(1, len(own))] if rng.random() < 0.7 else pool)
    if name in {"amount", "to", "points", "multiple", "target", "flip", "next"}:
        numbers = [value for value in near if isinstance(value, int)]
        return rng.choice(numbers if numbers and rng.random() < 0.7 else [*LOOSE_NUMBERS, *round_.carry])
    if name == "active":
        return rng.random() < 0.5
    words = [value for value in near if isinstance(value, str)]
    return rng.choice(words if words and rng.random() < 0.7 else WORDS)


def _near(choice: Any, rng: Random) -> list[Any]:
    match choice:
        case Between(least, most):
            return [least - 1, least, least + 1, most - 1, most, most + 1]
        case OneOf(values):
            return [*values, *(value + 1 for value in values if isinstance(value, int))]
        case SomeOf(held, least, most):
            picked = [tuple(rng.sample(held, min(len(held), size))) for size in range(max(0, least - 1), most + 2)]
            return [*picked, *((card, card) for card in held[:2])]
        case Sets(sets):
            some = [rng.choice(sets) for _ in range(3)]
            return [*some, *(one[:-1] for one in some), *((*one, one[0]) for one in some if one)]
    return []
