"""House players choose by what their own seat sees, among the options that it is offered."""

from collections.abc import Sequence
from random import Random

import pytest

from services.contract import wire_actions, wire_tables
from services.players import choice
from services.players.seen import Priced, Seen, Spread
from services.players.strategies import tricks
from services.rules import actions, catalogue, random_play
from services.rules.offers import Option, SomeOf
from tests.support import worlds
from tests.support.sittings import Sitting

CHIPS = 20_000
MOST_MOVES = 3000


def sitting(game: str) -> Sitting:
    """Return a table of a game with as many seats as its rounds need, three where fewer do."""
    played = catalogue.game(game)
    rules = worlds.default_rules(played)
    seats = min(max(3, rules.min_seats), rules.max_seats or 3)
    table = Sitting(game, rules)
    table.sit(dict.fromkeys(range(seats), CHIPS))
    return table


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_strategies_play_every_game_by_their_own_choice(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds are played to their end, and no choice had to be replaced by a random option."""
    replaced: list[Sequence[Option]] = []
    sample = random_play.sample

    def noted(offered: Sequence[Option], rng: Random) -> actions.Action:
        replaced.append(offered)
        return sample(offered, rng)

    monkeypatch.setattr(random_play, "sample", noted)
    rng = Random(game)
    table = sitting(game)
    for _ in range(3):
        table.start()
        for _ in range(MOST_MOVES):
            if table.table.round is None or table.table.round.waiting() is None:
                break
            step(table, rng)
        table.settle()
    assert replaced == []


def step(table: Sitting, rng: Random) -> None:
    """Let the first seat act that wants to; the deadline passes where none does."""
    assert table.table.round is not None
    waiting = table.table.round.waiting()
    assert waiting is not None
    for seat in waiting.seats:
        action = choice.chosen(wire_tables.view(table.table, seat), rng)
        if action is not None:
            table.act(seat, wire_actions.from_wire(action))
            return
    table.on_timeout()


def at_whist(trick: list[tuple[int, str]]) -> actions.Action | None:
    """Return what seat 2 plays to a trick at whist; clubs are trumps, seat 0 is its partner."""
    cards = ("3h", "Kh")
    return tricks.choose(
        Seen(
            game="whist",
            family="tricks",
            phase="play",
            seat=2,
            stake=10,
            options=(Priced(Option("play", {"cards": SomeOf(cards, 1, 1)})),),
            spreads=(Spread(2, "hand", cards), *(Spread(seat, "trick", (card,)) for seat, card in trick)),
            pot=0,
            stakes={},
            statuses={},
            trump="c",
            sides={0: 1, 1: 2, 2: 1, 3: 2},
            count=0,
        ),
        Random(1),
    )


def test_a_partner_s_trick_is_left_to_it() -> None:
    """A house player beats an opponent as cheaply as it can, and throws its weakest card where its partner wins."""
    assert at_whist([(1, "Qh")]) == actions.Play(cards=("Kh",))
    assert at_whist([(0, "Qh"), (1, "2h")]) == actions.Play(cards=("3h",))
    assert at_whist([(0, "2h"), (1, "Qh")]) == actions.Play(cards=("Kh",))
