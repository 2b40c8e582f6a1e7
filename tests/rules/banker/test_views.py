"""What everybody sees of a round against the bank: whose turn it is, and what is turned up at the end."""

from collections.abc import Callable
from random import Random

import pytest

from services.rules import actions, catalogue, random_play
from services.rules.banker.turns import Turns
from services.rules.cards import HIDDEN
from services.rules.game import Round, Table
from services.rules.happenings import Dealt, Decided, Happening, Shown
from services.rules.phases import PhasedRound
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
