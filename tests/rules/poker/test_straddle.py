"""The straddle under the gun: a standing choice, twice the big blind, the last word before the flop [poker 0.15]."""

from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.happenings import Staked
from services.rules.offers import Between
from services.rules.poker.engine import PokerRound
from services.rules.refusals import Reason, Refused
from tests.support.seeded import Seeded

GAME = catalogue.game("texas_holdem")


def rules(**more: Any) -> Any:
    """Return house rules with a straddle."""
    return msgspec.convert({"straddle": "under_the_gun", **more}, GAME.rules_type)


def table_of(*chips: int, straddles: tuple[int, ...] = (), kind: Any = None) -> Table:
    """Return a table whose first button is seat 0, at which these seats straddle."""
    table = Table(chips=dict(enumerate(chips)), first_button=0)
    for seat in straddles:
        memory = GAME.between(kind or rules(), table, seat, actions.Straddle(active=True))
        table = msgspec.structs.replace(table, memory=memory)
    return table


def start(table: Table, kind: Any = None) -> tuple[PokerRound, list[tuple[int, str, int]]]:
    """Start a hand; return it with the chips that were put in before the first decision."""
    round_, happened = GAME.start(kind or rules(), table, Seeded(1))
    assert isinstance(round_, PokerRound)
    return round_, [(one.seat, one.what, one.amount) for one in happened if isinstance(one, Staked)]


def turn(round_: PokerRound) -> int:
    """Return the seat to act."""
    waiting = round_.waiting()
    assert waiting is not None
    [seat] = waiting.seats
    return seat


def raises(round_: PokerRound, seat: int) -> tuple[int, int]:
    """Return the least and the greatest raise of a seat."""
    [span] = [option.arguments["to"] for option in round_.options(seat) if option.action == "raise"]
    assert isinstance(span, Between)
    return span.least, span.most


def test_it_doubles_the_big_blind_and_acts_last() -> None:
    """The price is twice the big blind; the seat left of the straddle begins, the straddle may raise at the end."""
    round_, posted = start(table_of(*[1000] * 5, straddles=(3,)))
    assert posted == [(1, "small_blind", 5), (2, "big_blind", 10), (3, "straddle", 20)]
    acted = []
    for _ in range(4):
        acted.append(turn(round_))
        round_.act(turn(round_), actions.Call(), Seeded(1))
    assert acted == [4, 0, 1, 2]
    assert turn(round_) == 3
    assert raises(round_, 3) == (30, 1000)
    round_.act(3, actions.Check(), Seeded(1))
    assert round_.view(None).phase == "flop"
    assert turn(round_) == 1


def test_only_the_seat_under_the_gun_straddles() -> None:
    """A choice of any other seat costs nothing in this round, and holds until its turn comes."""
    table = table_of(*[1000] * 4, straddles=(0, 1, 2))
    round_, posted = start(table)
    assert [what for _, what, _ in posted] == ["small_blind", "big_blind"]
    while round_.waiting() is not None:
        round_.act(turn(round_), actions.Fold(), Seeded(1))
    assert round_.outcome is not None
    table = msgspec.structs.replace(table, button=round_.outcome.button, memory=round_.outcome.memory)
    _, posted = start(table)
    assert posted[-1] == (0, "straddle", 20)


def test_the_choice_holds_until_it_is_taken_back_or_the_seat_is_left() -> None:
    """A seat that says no, or whose player leaves, straddles no more; what others chose stays."""
    table = table_of(*[1000] * 4, straddles=(3, 1))
    assert table.memory == {"straddles": [1, 3]}
    assert GAME.between(rules(), table, 3, actions.Straddle(active=False)) == {"straddles": [1]}
    assert GAME.left(table.memory, 3) == {"straddles": [1]}


@pytest.mark.parametrize(("chips", "posts"), [(19, False), (20, True), (21, True)])
def test_a_seat_with_less_does_not_straddle(chips: int, posts: bool) -> None:
    """Nobody straddles short; with exactly twice the big blind the seat is all-in and asked no more."""
    round_, posted = start(table_of(1000, 1000, 1000, chips, 1000, straddles=(3,)))
    assert ((3, "straddle", 20) in posted) is posts
    assert round_.view(None).seats[3].status == ("all_in" if chips == 20 else "in")


def test_two_seats_have_no_straddle_and_of_three_the_button_has_it() -> None:
    """Heads-up nobody is under the gun; with three seats the button straddles and acts last before the flop."""
    _, posted = start(table_of(1000, 1000, straddles=(0, 1)))
    assert len(posted) == 2
    round_, posted = start(table_of(1000, 1000, 1000, straddles=(0,)))
    assert posted[-1] == (0, "straddle", 20)
    assert turn(round_) == 1


def test_a_post_for_missed_blinds_counts() -> None:
    """A newcomer under the gun that straddles adds to its post what is missing to twice the big blind."""
    kind = rules(missed_blinds="post")
    table = msgspec.structs.replace(table_of(*[1000] * 5), memory={"played": [0, 1, 2, 4], "straddles": [3]})
    _, posted = start(table, kind)
    assert posted[2:] == [(3, "post", 10), (3, "straddle", 10)]


@pytest.mark.parametrize(
    ("betting", "span"), [("no_limit", (30, 1000)), ("pot_limit", (30, 75)), ("fixed_limit", (30, 30))]
)
def test_it_is_no_raise(betting: str, span: tuple[int, int]) -> None:
    """The least raise over it is by the minimum bet, and it does not count among the raises of fixed limit."""
    kind = rules(betting=betting)
    round_, _ = start(table_of(*[1000] * 5, straddles=(3,)), kind)
    assert raises(round_, 4) == span
    assert round_.raises == 1


def test_it_is_chosen_between_rounds_where_the_table_has_it() -> None:
    """In a round it is refused with what is right, and at a table without the house rule always."""
    round_, _ = start(table_of(*[1000] * 4))
    with pytest.raises(Refused) as refused:
        round_.verify(turn(round_), actions.Straddle(active=True))
    assert refused.value.reason is Reason.ILLEGAL_ACTION
    for game_id in ("texas_holdem", "royal_holdem", "seven_card_stud"):
        game = catalogue.game(game_id)
        with pytest.raises(Refused):
            game.between(game.rules_type(), table_of(1000, 1000), 0, actions.Straddle(active=True))


def test_it_is_off_by_default() -> None:
    """A choice that a table of another house rule left behind costs nothing."""
    _, posted = start(msgspec.structs.replace(table_of(*[1000] * 4), memory={"straddles": [3]}), GAME.rules_type())
    assert len(posted) == 2
