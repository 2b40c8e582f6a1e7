"""What the next round will ask of each seat is known before it starts [poker 0.13 rule 7]."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.happenings import Staked
from services.rules.poker.game import PokerGame
from tests.support.seeded import Seeded

GAMES = [game.id for game in catalogue.games() if isinstance(game, PokerGame)]
MISSED = ("nothing", "post", "wait")


def house_rules(game: PokerGame[Any, Any], rng: Random) -> Any:
    """Return the game's rules with random values of those that decide who puts in what before the first card."""
    wanted = {
        "missed_blinds": rng.choice(MISSED),
        "newcomers": rng.choice(("as_missed", *MISSED)),
        "button": rng.choice(("moving", "dead")),
        "straddle": rng.choice(("off", "under_the_gun")),
        "ante": rng.choice((1, 3)),
        "ante_mode": rng.choice(("live", "dead", "big_blind")),
        "dealer_draw": "none",
    }
    known = {entry.name for entry in msgspec.structs.fields(game.rules_type)}
    return game.rules_type(**{key: value for key, value in wanted.items() if key in known})


def straddled(game: PokerGame[Any, Any], rules: Any, table: Table, rng: Random) -> Table:
    """Return the table after a random seat has said that it straddles, where the table has that."""
    if getattr(rules, "straddle", "off") == "off":
        return table
    memory = game.between(rules, table, rng.choice(list(table.chips)), actions.Straddle(active=True))
    return msgspec.structs.replace(table, memory=memory)


@pytest.mark.parametrize("game_id", GAMES)
def test_it_is_what_the_next_round_then_takes(game_id: str) -> None:
    """Seats come, go, run short and straddle at random: each puts in what was said, and no other is dealt in."""
    game = catalogue.game(game_id)
    assert isinstance(game, PokerGame)
    for sitting in range(8):
        rng = Random(f"due {game_id} {sitting}")
        rules, table = house_rules(game, rng), Table(chips={}, first_button=0)
        for _ in range(15):
            seats = sorted(rng.sample(range(game.most), rng.randint(2, game.most)))
            held = {seat: rng.choice((1, 7, 12, 20, 500)) for seat in seats}
            table = straddled(game, rules, msgspec.structs.replace(table, chips=held), rng)
            due = game.due(rules, table)
            round_, happened = game.start(rules, table, Seeded(1))
            taken: dict[int, dict[str, int]] = {seat: {} for seat in round_.carry}
            for one in happened:
                if isinstance(one, Staked):
                    taken[one.seat][one.what] = one.amount
            assert due == taken
            while round_.waiting() is not None:
                round_.on_timeout(Seeded(1))
            assert round_.outcome is not None
            table = msgspec.structs.replace(table, button=round_.outcome.button, memory=round_.outcome.memory)
            if rng.random() < 0.3:
                table = msgspec.structs.replace(table, memory=game.left(table.memory, rng.choice(seats)))


def test_a_draw_for_the_dealer_leaves_it_open() -> None:
    """Where the button is drawn for, nobody knows who will have the blinds; so too where no round can start."""
    royal, holdem = catalogue.game("royal_holdem"), catalogue.game("texas_holdem")
    assert royal.due(royal.rules_type(), Table(chips={0: 100, 1: 100})) is None
    assert holdem.due(holdem.rules_type(), Table(chips={0: 100, 1: 0})) is None
