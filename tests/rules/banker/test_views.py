"""What everybody sees of a round against the bank: whose turn it is, and what is turned up at the end."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from services.rules import actions, catalogue, facts, random_play
from services.rules.banker.turns import Turns
from services.rules.cards import HIDDEN
from services.rules.game import Round, Table
from services.rules.happenings import Dealt, Decided, Happening, Shown, Staked
from services.rules.offers import OneOf
from services.rules.phases import PhasedRound
from services.rules.vocabulary import Kind
from tests.support.chances import Recording

POOLED = "shoot_dragon_gate"
GAMES = [game.id for game in catalogue.games() if game.family == "banker" and game.id != POOLED]


def played(game_id: str, seed: int, look: Callable[[Round], None] = lambda _: None) -> tuple[Round, list[Happening]]:
    """Play a round of random actions in which nobody passes or folds; ``look`` is called before each."""
    game, rng = catalogue.game(game_id), Random(f"{game_id} {seed}")
    rules = game.rules_type()
    chance = Recording(rng)
    seats = dict.fromkeys(range(max(2, rules.min_seats)), 10_000)
    round_, record = game.start(rules, Table(chips=seats), chance)
    while (waiting := round_.waiting()) is not None:
        look(round_)
        seat = waiting.seats[0]
        offered = [one for one in round_.options(seat) if one.action not in {"pass", "fold"}]
        stakes = [one for one in offered if actions.BY_NAME[one.action].stakes]
        chosen = random_play.sample(stakes or offered, rng)
        if stakes and rng.random() < 0.3 and any(one.action == "done" for one in offered):
            chosen = actions.Done()
        record += round_.act(seat, chosen, chance)
    return round_, record


@pytest.mark.parametrize("game_id", GAMES)
def test_every_hand_lies_open_at_the_end(game_id: str) -> None:
    """After the showdown a spectator sees no card face down, and each turned hand was public."""
    for seed in range(15):
        round_, record = played(game_id, seed)
        zones = round_.view(None).zones
        closed = [zone for zone in zones if HIDDEN in zone.cards]
        assert closed == [], (seed, closed)
        down = {(one.to, one.zone) for one in record if isinstance(one, Dealt) and HIDDEN in one.cards}
        shown = {(one.owner, one.zone): one.cards for one in record if isinstance(one, Shown)}
        assert down <= shown.keys(), (seed, down - shown.keys())
        for zone in zones:
            if (zone.owner, zone.name) in down:
                assert set(shown[zone.owner, zone.name]) <= set(zone.cards), (seed, zone)
        assert not any(isinstance(one, Decided) for one in record)


def test_the_card_of_suit_betting_is_seen_once_it_is_turned() -> None:
    """While bets are placed there is no card in the view; after the round there is the one that was turned."""
    game, chance = catalogue.game("suit_betting"), Recording(Random(5))
    round_, _ = game.start(game.rules_type(), Table(chips={0: 100, 1: 100}), chance)
    assert [zone for zone in round_.view(None).zones if zone.name == "card"] == []
    round_.act(0, actions.PlaceBet("big", 10), chance)
    round_.on_timeout(chance)
    [order] = [given for what, given in chance.given if what == "shuffle"]
    assert [zone.cards for zone in round_.view(None).zones if zone.name == "card"] == [(order[0],)]


@pytest.mark.parametrize("game_id", GAMES)
def test_only_seats_that_are_waited_for_have_the_turn(game_id: str) -> None:
    """The status ``turn`` is shown at no other seat; where seats act in turn the one that acts has it."""

    def look(round_: Round) -> None:
        waiting = round_.waiting()
        assert waiting is not None
        turns = {one.seat for one in round_.view(None).seats if one.status == "turn"}
        assert turns <= set(waiting.seats)
        if isinstance(round_, PhasedRound) and isinstance(round_.current, Turns):
            assert turns == set(waiting.seats)

    for seed in range(5):
        played(game_id, seed, look)


def bets_of(round_: Round, viewer: int | None) -> Counter[tuple[int, str]]:
    """Return the chips that a view shows by seat and spot."""
    family = round_.view(viewer).facts.family
    assert isinstance(family, facts.Banker)
    assert all(one.amount > 0 for one in family.spot_bets)
    found = Counter({(one.seat, one.spot): one.amount for one in family.spot_bets})
    assert len(found) == len(family.spot_bets), "each spot of a seat is listed once"
    return found


@pytest.mark.parametrize("game_id", [*GAMES, POOLED])
def test_everybody_sees_what_each_seat_has_bet_on_which_spot(game_id: str) -> None:
    """In running and in ended rounds the bets of a seat are those of the record, and together what it has staked."""

    def look(round_: Round) -> None:
        shown = bets_of(round_, None)
        for seat in round_.view(None).seats:
            assert sum(amount for (owner, _), amount in shown.items() if owner == seat.seat) == seat.staked
            assert bets_of(round_, seat.seat) == shown

    named = {term.word for term in catalogue.vocabulary(catalogue.game(game_id)) if term.kind == Kind.REASON}
    for seed in range(5):
        round_, record = played(game_id, seed, look)
        look(round_)
        staked: Counter[tuple[int, str]] = Counter()
        for one in record:
            if isinstance(one, Staked):
                staked[one.seat, one.what] += one.amount
        shown = bets_of(round_, None)
        assert shown == staked, seed
        assert {spot for _, spot in shown} <= named


@pytest.mark.parametrize("game_id", GAMES)
def test_options_of_one_action_differ_by_the_texts_of_their_words(game_id: str) -> None:
    """The buttons of the spots differ in each language: the words of spots have texts, and no two the same."""
    found = catalogue.vocabulary(catalogue.game(game_id))
    texts = {term.word: term.text for term in found if term.kind == Kind.WORD}

    def look(round_: Round) -> None:
        for seat in round_.view(None).seats:
            spots = [one.arguments.get("spot") for one in round_.options(seat.seat) if one.action == "place_bet"]
            words = [str(word) for one in spots if isinstance(one, OneOf) for word in one.values]
            for language in ("en", "zh-Hant", "zh-Hans"):
                assert len({texts[word].within(language) for word in words}) == len(words), (words, language)

    for seed in range(3):
        played(game_id, seed, look)
