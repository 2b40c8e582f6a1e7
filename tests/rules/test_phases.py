"""Rounds that are made of phases: how they are built, and that what was stored before is not read as one of them."""

from random import Random

import msgspec
import pytest

from services.rules import catalogue
from services.rules.game import Game, Table
from services.rules.phases import PhasedRound
from tests.support.chances import Recording

PHASED = [game.id for game in catalogue.games() if issubclass(game.round_type, PhasedRound)]
MOST_ABOVE = 1
"""Classes between ``PhasedRound`` and the round of a game: the state that the games of its family share."""


def opened(game: Game) -> PhasedRound:
    """Start a round of a game at a table of rich seats."""
    rules = game.rules_type()
    seats = dict.fromkeys(range(max(game.seats(rules)[0], rules.min_seats)), 10_000)
    round_, _ = game.start(rules, Table(chips=seats), Recording(Random(game.id)))
    assert isinstance(round_, PhasedRound)
    return round_


@pytest.mark.parametrize("game_id", PHASED)
def test_a_round_is_flat_state_and_a_row_of_phases(game_id: str) -> None:
    """A game's round derives from its family's state and from nothing else, and declares at least one phase."""
    kind = catalogue.game(game_id).round_type
    assert issubclass(kind, PhasedRound)
    line = kind.__mro__[1 : kind.__mro__.index(PhasedRound)]
    assert len(line) <= MOST_ABOVE, f"{game_id} stands on {[one.__name__ for one in line]}"
    assert kind.phases


@pytest.mark.parametrize("game_id", PHASED)
def test_a_round_stored_without_a_phase_is_not_read(game_id: str) -> None:
    """Bytes of a release without phases raise, so that the table is read from its log; they are no new round."""
    round_ = opened(catalogue.game(game_id))
    plain = msgspec.to_builtins(round_)
    del plain["at"]
    with pytest.raises(msgspec.ValidationError, match="at"):
        msgspec.msgpack.decode(msgspec.msgpack.encode(plain), type=type(round_))


@pytest.mark.parametrize("game_id", PHASED)
def test_the_row_is_at_the_phase_that_is_shown(game_id: str) -> None:
    """The view names the phase that the round is in, and the seats that it waits for are those that the phase asks."""
    round_ = opened(catalogue.game(game_id))
    waiting = round_.waiting()
    if waiting is None:
        assert round_.view(None).phase == "ended"
        return
    assert round_.view(None).phase == round_.current.name
    assert waiting.seats == tuple(round_.current.asked(round_))
