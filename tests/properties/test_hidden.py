"""What a viewer may not know: worlds that differ in hidden cards only look alike, and the record names none of them."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import actions, cards, catalogue
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.happenings import Dealt, Decided, Happening, Noted, Shown
from services.rules.refusals import Refused
from tests.support import worlds
from tests.support.chances import CannotReplayError, Recording, Swapped
from tests.support.worlds import Move

GAMES = list(catalogue.FILES)

TURNED = {("war", "battle_won")}
"""Facts that are the turning of cards by the server, many battles at once, so that no view shows each of them."""


NAMED_BY_THE_RULES = {"napoleon": {"3c"}}
"""Cards that a sheet's rule is about; a message may name them in any hand."""


def cards_in(value: Any) -> Iterator[str]:
    """Return all cards anywhere in a value, alone or in a text of cards."""
    if isinstance(value, str):
        for word in re.split(r"[\s|]+", value):
            pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
            if all(cards.is_card(pair) for pair in pairs):
                yield from pairs
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from cards_in(key)
            yield from cards_in(entry)
    elif isinstance(value, list | tuple | set | frozenset):
        for entry in value:
            yield from cards_in(entry)
    elif isinstance(value, msgspec.Struct):
        yield from cards_in(msgspec.to_builtins(value))


def shown(round_: Round, viewer: int | None) -> set[str]:
    """Return the cards that a view shows."""
    return set(cards_in(round_.view(viewer)))


@pytest.mark.parametrize("game_id", GAMES)
def test_no_hidden_card_is_on_the_record(game_id: str) -> None:
    """A happening names only cards that are face up: dealt or shown so, in the open view, or in an open action."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} record")
    for rules in [worlds.default_rules(game), *(worlds.varied_rules(game, rng) for _ in range(3))]:
        for table in worlds.rounds(game, rules, rng, 2):
            _follow(game, rules, table, rng)


def _follow(game: Game, rules: HouseRules, table: Table, rng: Random) -> None:
    chance = Recording(rng)
    round_, happenings = game.start(rules, table, chance)
    public = shown(round_, None)
    while True:
        public |= shown(round_, None)
        for entry in happenings:
            if isinstance(entry, Dealt | Shown):
                public |= set(entry.cards)
            elif isinstance(entry, Decided) and not round_.secret(entry.action):
                public |= set(cards_in(actions.arguments(entry.action)))
            elif isinstance(entry, Noted) and (game.id, entry.what) in TURNED:
                public |= set(cards_in(entry))
        for entry in happenings:
            named = set() if isinstance(entry, Dealt | Shown) else set(cards_in(sealed(round_, entry)))
            assert named <= public, f"{game.id}: {entry} names {named - public}, which lie hidden"
        if round_.waiting() is None:
            return
        move = worlds.choose(round_, rng)
        if move.action is not None and not round_.secret(move.action):
            public |= set(cards_in(actions.arguments(move.action)))
        happenings = worlds.take(round_, move, chance)


def sealed(round_: Round, entry: Happening) -> Any:
    """Return a happening as the log shows it: without the arguments of a secret decision."""
    if isinstance(entry, Decided) and round_.secret(entry.action):
        return (entry.seat, entry.action.name)
    return entry


@pytest.mark.parametrize("game_id", GAMES)
def test_face_down_positions_are_not_given_away_by_the_deal(game_id: str) -> None:
    """A dealt card that is shown is at its named position; a hidden one is written ``??``."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} deal")
    rules = worlds.default_rules(game)
    for table in worlds.rounds(game, rules, rng, 3):
        chance = Recording(rng)
        _, moves = worlds.play(game, rules, table, chance, rng)
        stocks = [order for kind, order in chance.given if kind == "shuffle"]
        went: dict[tuple[int, int], int | None] = {}
        for entry in (entry for move in moves for entry in move.happenings):
            if isinstance(entry, Dealt):
                for position, card in zip(entry.positions, entry.cards, strict=True):
                    assert card in {cards.HIDDEN, stocks[entry.stock][position]}, f"{game.id}: {entry}"
                    # Cards that lay on the table first (a widow, a miss) may go to a seat later.
                    assert went.get((entry.stock, position)) is None, f"{game.id}: {entry} deals a position twice"
                    went[entry.stock, position] = entry.to


@pytest.mark.parametrize("game_id", GAMES)
def test_worlds_that_differ_in_hidden_cards_look_alike(game_id: str) -> None:
    """Cards that a viewer never saw change places: while the record is the same, every byte it sees is the same."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} worlds")
    compared = 0
    for rules in [worlds.default_rules(game), *(worlds.varied_rules(game, rng) for _ in range(2))]:
        for table in worlds.rounds(game, rules, rng, 2):
            chance = Recording(rng)
            seen: list[list[set[str]]] = []
            viewers = [None, *table.chips]

            def watch(round_: Round, seen: list[list[set[str]]] = seen, viewers: list[int | None] = viewers) -> None:
                seen.append([shown(round_, viewer) for viewer in viewers])

            _, moves = worlds.play(game, rules, table, chance, rng, watch)
            for _ in range(max(3, min(30, 900 // len(moves)))):
                compared += _compare_worlds(game, rules, table, (chance, moves, seen), rng)
    assert compared > 0 or game.open_cards, f"{game.id}: no other world could be compared"


def _compare_worlds(
    game: Game, rules: HouseRules, table: Table, first: tuple[Recording, list[Move], list[list[set[str]]]], rng: Random
) -> int:
    """Play the moves again in a world with unseen cards in other places; return the number of compared states."""
    chance, moves, seen = first
    viewers = [None, *table.chips]
    place = rng.randrange(len(viewers))
    until = rng.randrange(len(moves))
    known = set().union(*(views[place] for views in seen[: until + 1]))
    known |= {card for move in moves[: until + 1] for entry in move.happenings for card in cards_in(entry)}
    pack = {card for kind, order in chance.given if kind == "shuffle" for card in order}
    unseen = sorted(pack - known)
    if len(unseen) < 2:
        return 0
    # Two cards in each other's place seldom change what seats can do; many cards change what leaks would tell.
    some = rng.sample(unseen, min(len(unseen), rng.choice((2, 2, 4, 52))))
    swap = dict(zip(some, rng.sample(some, len(some)), strict=True))
    try:
        return _replay(game, rules, table, (chance, moves[: until + 1]), swap, viewers[place])
    except CannotReplayError:
        return 0


def _replay(
    game: Game,
    rules: HouseRules,
    table: Table,
    first: tuple[Recording, list[Move]],
    swap: dict[str, str],
    viewer: int | None,
) -> int:
    chance, moves = first
    here, there = Swapped(chance.given, {}), Swapped(chance.given, swap)
    ours, begun = game.start(rules, table, here)
    theirs, also = game.start(rules, table, there)
    if begun != also:
        return 0
    for compared, move in enumerate([*moves[1:], None], start=1):
        assert msgspec.json.encode(ours.view(viewer)) == msgspec.json.encode(theirs.view(viewer)), (
            f"{game.id}: viewer {viewer} sees that {swap}"
        )
        if viewer is not None:
            assert ours.options(viewer) == theirs.options(viewer), f"{game.id}: options tell seat {viewer} of {swap}"
        if move is None:
            return compared
        try:
            swapped = Move(move.seat, renamed(move.action, swap))
            mine, others = worlds.take(ours, move, here), worlds.take(theirs, swapped, there)
        except Refused:
            return compared  # another seat could not have done this with the other card
        if [sealed(ours, entry) for entry in mine] != [sealed(theirs, entry) for entry in others]:
            return compared  # play itself tells the two apart from here on
    return len(moves)


def renamed(action: actions.Action | None, swap: dict[str, str]) -> actions.Action | None:
    """Return the same action with the cards that lie in the other world."""
    if action is None:
        return None
    given = {
        name: [swap.get(card, card) for card in value]
        if isinstance(value, list | tuple)
        else swap.get(value, value)
        if isinstance(value, str)
        else value
        for name, value in actions.arguments(action).items()
    }
    return actions.build(action.name, given)


@pytest.mark.parametrize("game_id", GAMES)
def test_refusals_name_no_hidden_card(game_id: str) -> None:
    """The message of a refusal holds no card but those that the seat sees or has named itself."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} messages")

    def watch(round_: Round) -> None:
        for seat in round_.carry:
            action = worlds.wild_action(round_, rng)
            try:
                round_.verify(seat, action)
            except Refused as refused:
                words = re.findall(r"\b[2-9TJQKA][shdc]\b", str(refused))
                told = {word for word in words if cards.is_card(word)}
                own = shown(round_, seat) | set(cards_in(actions.arguments(action)))
                own |= NAMED_BY_THE_RULES.get(game.id, set())
                assert told <= own, f"{game.id}: {refused} tells seat {seat} of {told - own}"

    for table in worlds.rounds(game, worlds.default_rules(game), rng, 2):
        worlds.play(game, worlds.default_rules(game), table, Recording(rng), rng, watch)
