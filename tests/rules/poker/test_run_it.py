"""Running it twice: who is asked when, what is dealt, and what nobody may learn from it [poker 0.16]."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from services.house import pots
from services.rules import actions, catalogue
from services.rules.chance import Chance
from services.rules.game import Table
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Shown
from services.rules.outcomes import BOARD, SECOND_BOARD, Part, Pot
from services.rules.poker.engine import PokerRound
from services.rules.poker.game import PokerGame
from services.rules.refusals import Reason, Refused
from tests.rules.poker.test_random_play import copy, with_hidden_cards_swapped
from tests.support.seeded import Seeded

BOARD_GAMES = [
    game_id
    for game_id in catalogue.FILES
    if isinstance(game := catalogue.game(game_id), PokerGame) and game.table_cards()
]
STACKS = {0: 100, 1: 100, 2: 100}
AGREE, REFUSE = actions.RunTwice(), actions.RunOnce()


def all_in(game_id: str, stacks: dict[int, int] = STACKS, *, seed: int = 1, **keys: Any) -> tuple[PokerRound, Chance]:
    """Return a hand in which all seats are all-in before the flop."""
    game = catalogue.game(game_id)
    free = {} if game_id == "royal_holdem" else {"betting": "no_limit"}
    rules = msgspec.convert({"run_it": "twice", **free, **keys}, game.rules_type)
    chance = Seeded(seed, asked=("card",))
    round_, _ = game.start(rules, Table(chips=stacks, first_button=0), chance)
    assert isinstance(round_, PokerRound)
    while (waiting := round_.waiting()) is not None and "call" in offered(round_, waiting.seats[0]):
        [seat] = waiting.seats
        round_.act(seat, actions.AllIn() if "all_in" in offered(round_, seat) else actions.Call(), chance)
    return round_, chance


def offered(round_: PokerRound, seat: int) -> list[str]:
    """Return the actions that a seat may take."""
    return [option.action for option in round_.options(seat)]


def answered(round_: PokerRound, chance: Chance, action: actions.Action = AGREE) -> list[Happening]:
    """Let every seat that is asked answer alike; return what happened at last."""
    log: list[Happening] = []
    while (waiting := round_.waiting()) is not None:
        log = round_.act(waiting.seats[0], action, chance)
    return log


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_all_live_seats_are_asked_at_once_before_the_next_table_card(game_id: str) -> None:
    """A run-out asks its live seats; nothing but the two answers is offered, and no card has come yet."""
    round_, _ = all_in(game_id)
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seats == (0, 1, 2)
    assert round_.board == []
    assert round_.view(None).phase == "run_it"
    for seat in STACKS:
        assert offered(round_, seat) == ["run_twice", "run_once"]
        with pytest.raises(Refused) as refused:
            round_.verify(seat, actions.Fold())
        assert refused.value.reason == Reason.ILLEGAL_ACTION


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_by_default_nobody_is_asked(game_id: str) -> None:
    """The rule is off by default: a run-out ends by itself, with one board and the same facts as ever."""
    round_, _ = all_in(game_id, run_it="once")
    assert catalogue.game(game_id).standard_rules().run_it == "once"  # type: ignore[attr-defined]  # a board game
    assert round_.outcome is not None
    assert not [key for key in round_.outcome.facts if key.startswith("second")]


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_the_second_board_is_dealt_behind_the_first_from_the_same_stock(game_id: str) -> None:
    """Both boards are dealt street by street from the next positions; the first one is that of a single run."""
    round_, chance = all_in(game_id)
    single, again = all_in(game_id)
    log = answered(round_, chance)
    answered(single, again, REFUSE)
    dealt = [one for one in log if isinstance(one, Dealt)]
    assert [one.zone for one in dealt] == [BOARD] * 3 + [SECOND_BOARD] * 3
    assert [len(one.cards) for one in dealt] == [3, 1, 1] * 2
    positions = [position for one in dealt for position in one.positions]
    assert positions == list(range(positions[0], positions[0] + 10))
    assert round_.board == single.board
    assert (len(round_.second_board), single.second_board) == (5, [])


def test_table_cards_that_lie_before_belong_to_both_boards() -> None:
    """All-in on the flop: turn and river come twice, and the view shows both boards whole."""
    game = catalogue.game("texas_holdem")
    chance = Seeded(3)
    rules = msgspec.convert({"run_it": "twice"}, game.rules_type)
    round_, _ = game.start(rules, Table(chips={0: 100, 1: 100}, first_button=0), chance)
    assert isinstance(round_, PokerRound)
    for seat, action in ((0, actions.Call()), (1, actions.Check()), (1, actions.AllIn()), (0, actions.Call())):
        round_.act(seat, action, chance)
    log = answered(round_, chance)
    assert [one.zone for one in log if isinstance(one, Dealt)] == [BOARD, BOARD, SECOND_BOARD, SECOND_BOARD]
    first, second = [zone for zone in round_.view(None).zones if zone.owner is None]
    assert (first.name, second.name) == (BOARD, SECOND_BOARD)
    assert first.cards[:3] == second.cards[:3]
    assert not set(first.cards[3:]) & set(second.cards)


@pytest.mark.parametrize("refuses", [0, 1, 2])
def test_one_refusal_settles_it(refuses: int) -> None:
    """The first refusal ends the question, even if others have agreed before, and the board is dealt once."""
    round_, chance = all_in("texas_holdem")
    for seat in [seat for seat in STACKS if seat != refuses]:
        assert [one for one in round_.act(seat, AGREE, chance) if isinstance(one, Dealt)] == []
    log = round_.act(refuses, REFUSE, chance)
    assert [one.zone for one in log if isinstance(one, Dealt)] == [BOARD] * 3
    assert round_.outcome is not None


def test_silence_refuses_for_every_seat_that_has_not_answered() -> None:
    """The deadline decides for the late seats alone, in one step."""
    round_, chance = all_in("texas_holdem")
    round_.act(1, AGREE, chance)
    log = round_.on_timeout(chance)
    decided = [one for one in log if isinstance(one, Decided)]
    assert {one.seat for one in decided} == {0, 2}
    assert all(isinstance(one.action, actions.RunOnce) for one in decided)
    assert [one.zone for one in log if isinstance(one, Dealt)] == [BOARD] * 3


def test_who_has_agreed_is_seen_by_all_while_others_think() -> None:
    """The view names the seats that have agreed; the clock of the others goes on."""
    round_, chance = all_in("texas_holdem")
    clock = round_.clock
    round_.act(2, AGREE, chance)
    assert round_.view(None).facts.family.chosen == (2,)  # type: ignore[union-attr]  # facts of poker
    waiting = round_.waiting()
    assert waiting is not None
    assert (waiting.seats, waiting.clock) == ((0, 1), clock)


def test_a_seat_that_covers_the_others_is_asked_too() -> None:
    """A live seat with chips left has a say: its chips are divided as well."""
    round_, _ = all_in("texas_holdem", {0: 500, 1: 60})
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seats == (0, 1)


def test_a_folded_seat_is_not_asked_and_an_open_betting_round_asks_nobody() -> None:
    """While two seats have chips there is betting; a seat that folded has no say."""
    game = catalogue.game("texas_holdem")
    chance = Seeded(1)
    rules = msgspec.convert({"run_it": "twice"}, game.rules_type)
    round_, log = game.start(rules, Table(chips={0: 50, 1: 100, 2: 100}, first_button=0), chance)
    assert isinstance(round_, PokerRound)
    for seat, action in ((0, actions.AllIn()), (1, actions.Call()), (2, actions.Call())):
        log = round_.act(seat, action, chance)
    assert [one.name for one in log if isinstance(one, Phase)] == ["flop"]
    round_.act(1, actions.AllIn(), chance)
    round_.act(2, actions.Fold(), chance)
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seats == (0, 1)
    with pytest.raises(Refused) as refused:
        round_.verify(2, AGREE)
    assert refused.value.reason == Reason.OUT_OF_TURN


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_undealt_cards_stay_unknown_while_seats_are_asked(game_id: str) -> None:
    """Worlds that differ in the stock and in hidden hands look alike to the byte, options and refusals included."""
    rng = Random(game_id)
    for seed in range(10):
        round_, chance = all_in(game_id, seed=seed)
        round_.act(1, AGREE, chance)
        for viewer in (None, *STACKS):
            twin = with_hidden_cards_swapped(round_, viewer, rng)
            assert msgspec.json.encode(twin.view(viewer)) == msgspec.json.encode(round_.view(viewer))
            assert viewer is None or twin.options(viewer) == round_.options(viewer)


def test_hands_are_shown_once_with_their_worth_on_each_board() -> None:
    """Each live seat is shown once; what is noted names the hand of either board."""
    round_, chance = all_in("omaha_hi_lo")
    log = answered(round_, chance)
    assert sorted(one.owner for one in log if isinstance(one, Shown) and one.owner is not None) == [0, 1, 2]
    noted = [one for one in log if isinstance(one, Noted) and one.what == "showdown"]
    assert all({"hand", "second_hand"} <= one.facts.keys() for one in noted)
    for seat in STACKS:
        worth = round_.worth(seat, "hand", round_.down[round_.order.index(seat)])
        assert worth is not None
        assert worth.second is not None
        assert set(worth.best) <= {*round_.down[round_.order.index(seat)], *round_.board}
        assert set(worth.second.best) <= {*round_.down[round_.order.index(seat)], *round_.second_board}


@pytest.mark.parametrize("amount", range(9))
def test_odd_chips_go_to_the_first_board_then_to_the_high_half(amount: int) -> None:
    """Boards, then halves, then seats: each division gives its odd chip to the first."""
    halves = (Part("high", (0,)), Part("low", (1,)))
    pot = Pot(amount, (0, 1, 2), (Part(BOARD, (0, 1), halves), Part(SECOND_BOARD, (2, 0))))
    found = pots.divided(pot, amount)
    first, second = (amount + 1) // 2, amount // 2
    assert found == [
        ((BOARD, "high"), {0: (first + 1) // 2}),
        ((BOARD, "low"), {1: first // 2}),
        ((SECOND_BOARD,), {2: (second + 1) // 2, 0: second // 2}),
    ]
    assert sum(sum(shares.values()) for _, shares in found) == amount


def test_a_hand_stored_before_there_were_two_boards_is_read() -> None:
    """A live hand without the new fields loads, and plays on with one board."""
    game = catalogue.game("texas_holdem")
    chance = Seeded(1)
    round_, _ = game.start(game.rules_type(), Table(chips={0: 100, 1: 100}, first_button=0), chance)
    assert isinstance(round_, PokerRound)
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(round_))
    for name in ("boards", "agreed", "second_board"):
        del stored[name]
    del stored["rules"]["run_it"]
    old = msgspec.convert(stored, type(round_))
    assert copy(old) == copy(round_)
    play_on(
        old, lambda seat: old.act(seat, actions.AllIn() if "all_in" in offered(old, seat) else actions.Call(), chance)
    )
    assert old.outcome is not None
    assert old.second_board == []


def play_on(round_: PokerRound, act: Callable[[int], object]) -> None:
    """Let the first seat that is asked act until nobody is."""
    while (waiting := round_.waiting()) is not None:
        act(waiting.seats[0])
