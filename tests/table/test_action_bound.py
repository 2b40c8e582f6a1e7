"""What a seat may repeat in one round is bounded, in every game; what ends its turn never is."""

import itertools

import pytest

from services.rules import actions, catalogue
from services.rules.offers import Option, enumerate_actions
from services.rules.refusals import Reason, Refused
from services.table import action_bound, events, player_seeds, public_table, stake_allowance
from tests.support import worlds
from tests.support.sittings import TABLE, Sitting

GAMES = list(catalogue.FILES)
RICH = 10**9
REPEATED = {name for name, kind in actions.BY_NAME.items() if kind.repeats}
STREETS = 8
"""More than the parts of any round in which each seat is asked once more without repeating anything."""


def longest(game: str, most: int, table_id: str = TABLE) -> Sitting:
    """Play the longest round that seats can make of a game: whatever can be repeated is, by the least amount."""
    played = catalogue.game(game)
    rules = worlds.default_rules(played)
    sitting = Sitting(game, rules, table_id=table_id)
    seats = max(rules.min_seats, min(3, rules.max_seats or 3))
    sitting.sit(dict.fromkeys(range(seats), RICH))
    sitting.start()
    for move in itertools.count():
        round_ = sitting.table.round
        if round_ is None:
            return sitting
        assert move < most, f"{game}: the round does not end"
        waiting = round_.waiting()
        assert waiting is not None, "a round that goes on waits"
        asked = [(seat, stake_allowance.options(sitting.table, seat)) for seat in waiting.seats]
        chosen = [(seat, _longest(offered)) for seat, offered in asked if offered]
        if chosen:
            seat, option = max(chosen, key=lambda one: one[1].action in REPEATED)
            sitting.act(seat, enumerate_actions(option, 1)[0])
        else:
            sitting.on_timeout()
    raise AssertionError("counting does not end")


def _longest(offered: list[Option]) -> Option:
    """Choose what lets a round go on longest: what can be repeated, then anything but giving up or ending it."""
    for wanted in (REPEATED, {"check", "call", "pass", "hit"}):
        for option in offered:
            if option.action in wanted:
                return option
    return next((option for option in offered if option.action not in ("fold", "all_in", "done")), offered[0])


def acted(sitting: Sitting) -> dict[int, int]:
    """Count the actions of each seat that are on record."""
    counts: dict[int, int] = {}
    for event in sitting.log:
        if isinstance(event, events.ActionTaken):
            counts[event.seat] = counts.get(event.seat, 0) + 1
    return counts


def repeated(sitting: Sitting) -> int:
    """Count the actions on record that a seat may repeat."""
    return sum(getattr(event, "action", {}).get("is") in REPEATED for event in sitting.log)


@pytest.mark.parametrize("game", GAMES)
def test_the_longest_round_of_every_game_is_bounded(game: str) -> None:
    """Every seat repeats what it can, chip by chip: the round ends, within the bound for all seats together."""
    most = catalogue.game(game).most_actions
    sitting = longest(game, 20_000)
    assert sitting.table.core.phase == public_table.SETTLING
    seats = len(acted(sitting))
    assert repeated(sitting) <= most * max(1, seats)
    if repeated(sitting) > seats:
        assert sum(acted(sitting).values()) <= most * seats + STREETS * seats
    sitting.settle()
    assert sitting.again().differences == []


def bettor() -> Sitting:
    """Return a table of spots at which seat 0 has placed as many bets as the bound allows."""
    sitting = Sitting("suit_betting")
    sitting.sit({0: RICH, 1: RICH})
    sitting.start()
    for _ in range(sitting.game.most_actions):
        sitting.act(0, actions.PlaceBet("spade", 1))
    return sitting


def test_a_bet_too_many_is_refused_and_says_what_is_left() -> None:
    """ILLEGAL_ACTION with the bound; the seat is offered what ends its window, others bet on, and nothing changed."""
    sitting = bettor()
    core = sitting.table.core
    assert core.round is not None
    version, counted = core.version, dict(core.round.actions)
    with pytest.raises(Refused) as caught:
        sitting.act(0, actions.PlaceBet("heart", 1))
    assert (caught.value.reason, caught.value.metadata) == (
        "ILLEGAL_ACTION",
        {"limit": "actions", "most": str(sitting.game.most_actions)},
    )
    assert "what is left is done" in str(caught.value)
    assert (core.version, core.round.actions) == (version, counted)
    assert [option.action for option in stake_allowance.options(sitting.table, 0)] == ["done"]
    sitting.act(1, actions.PlaceBet("heart", 1))
    sitting.act(0, actions.Done())
    sitting.act(1, actions.Done())
    assert core.phase == public_table.SETTLING


def test_bets_on_a_spot_add_up_and_the_next_round_counts_anew() -> None:
    """A hundred bets of one chip are one position of a hundred; the next round begins with none on record."""
    sitting = bettor()
    assert sitting.table.round is not None
    seat = next(one for one in sitting.table.round.view(None).seats if one.seat == 0)
    assert seat.staked == sitting.game.most_actions
    sitting.on_timeout()
    sitting.settle()
    sitting.start()
    sitting.act(0, actions.PlaceBet("spade", 1))
    assert sitting.table.core.round is not None
    assert sitting.table.core.round.actions == {0: 1}


def test_a_log_with_more_is_replayed_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that an older house accepted without the bound is replayed without a difference."""
    sitting = bettor()
    monkeypatch.setattr(type(sitting.game), "most_actions", 1000)
    for _ in range(50):
        sitting.act(0, actions.PlaceBet("heart", 1))
    sitting.on_timeout()
    sitting.settle()
    monkeypatch.undo()
    assert sitting.again().differences == []


def test_seeds_and_actions_between_rounds_are_bounded_for_each_round() -> None:
    """So many seeds for the coming round and no more; the next start, or another player at the seat, counts anew."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    core = sitting.table.core
    for number in range(action_bound.MOST_BETWEEN):
        action_bound.require_room_between(core, 0, Reason.SEEDS_CLOSED)
        sitting.take(player_seeds.set_seed(sitting.table.core, 0, f"luck {number}", sitting.tick()))
    with pytest.raises(Refused) as caught:
        action_bound.require_room_between(core, 0, Reason.SEEDS_CLOSED)
    assert caught.value.reason == "SEEDS_CLOSED"
    action_bound.require_room_between(core, 1, Reason.SEEDS_CLOSED)
    sitting.start()
    action_bound.require_room_between(core, 0, Reason.SEEDS_CLOSED)
    assert core.between == {}


def test_actions_between_rounds_are_bounded_too() -> None:
    """A seat that has acted so often since the last start is refused, whatever it does; another seat is not."""
    sitting = Sitting("nickname")
    sitting.sit(dict.fromkeys(range(3), 500))
    for number in range(action_bound.MOST_BETWEEN):
        sitting.act(0, actions.SetNickname(name_=f"Tiger {number}"))
    with pytest.raises(Refused) as caught:
        sitting.act(0, actions.SetNickname(name_="Lion"))
    assert caught.value.reason == "ILLEGAL_ACTION"
    assert caught.value.metadata["most"] == str(action_bound.MOST_BETWEEN)
    sitting.act(1, actions.SetNickname(name_="Lion"))
