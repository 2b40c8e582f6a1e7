"""The next player of a seat takes over neither the bank nor the pool share of the player who left."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.banker.san_gong_banker import GRAB, SanGongBankerRound
from services.rules.offers import Between, OneOf
from services.table import events, money
from tests.support.sittings import Sitting

SEATS = (0, 1, 2)
CHIPS = 1_000_000
ROTATING = (
    "blackjack",
    "baccarat",
    "ten_and_a_half",
    "niu_niu",
    "four_knives",
    "tui_tong_zi",
    "suit_betting",
    "san_gong_live",
    "high_suit",
    "casino_war",
)


def sitting_of(game_id: str, **keys: Any) -> Sitting:
    """Open a table with a seat as the banker and seat three rich players."""
    sitting = Sitting(game_id, msgspec.convert(keys, catalogue.game(game_id).rules_type))
    sitting.sit(dict.fromkeys(SEATS, CHIPS))
    return sitting


def banker(sitting: Sitting) -> object:
    """Return the banker of the running round."""
    assert sitting.table.round is not None, "no round runs"
    return sitting.table.round.view(None).button


def played(sitting: Sitting) -> None:
    """Play a round in which everybody stakes the least that can be staked."""
    sitting.start()
    round_ = sitting.table.round
    assert round_ is not None, "no round runs"
    for seat in SEATS:
        for option in round_.options(seat):
            if option.action in {"bet", "place_bet"} and sitting.table.game.id != "high_suit":
                spot = option.arguments.get("spot")
                amount = option.arguments["amount"]
                assert isinstance(amount, Between)
                assert spot is None or isinstance(spot, OneOf)
                least = amount.least
                action = actions.Bet(least) if spot is None else actions.PlaceBet(str(spot.values[0]), least)
                sitting.act(seat, action)
                break
    sitting.finish(Random(1), lapses=1)
    sitting.settle()


def replaced(sitting: Sitting, seat: int) -> None:
    """Let a player leave and another one take the seat with as many chips."""
    sitting.leave(seat)
    taken = money.choose_seat(
        sitting.table.core, player="newcomer", name=f"Player {seat}", test=True, seat=seat, buy_in=CHIPS
    )
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=taken)])


@pytest.mark.parametrize("game_id", ROTATING)
def test_the_bank_moves_on_when_its_player_has_left(game_id: str) -> None:
    """With rounds of the bank still to come the next seat banks, not the newcomer; without leaving the bank stays."""
    for leaves in (False, True):
        sitting = sitting_of(game_id, banker="seat", banker_rounds=5)
        played(sitting)
        if leaves:
            replaced(sitting, 0)
        sitting.start()
        assert banker(sitting) == (1 if leaves else 0), leaves


def test_a_grabbed_bank_is_grabbed_again_when_its_player_has_left() -> None:
    """The newcomer to the banker's seat bids as all others do [san_gong_banker D2]."""
    sitting = sitting_of("san_gong_banker")
    sitting.start()
    for seat in SEATS:
        sitting.act(seat, actions.BidBanker() if seat == 1 else actions.Pass())
    sitting.finish(Random(1), lapses=1)
    sitting.settle()
    replaced(sitting, 1)
    sitting.start()
    round_ = sitting.table.round
    assert isinstance(round_, SanGongBankerRound)
    assert round_.phase == GRAB
    assert round_.bank.seat is None


def test_the_richest_banks_when_the_banker_of_a_match_has_left() -> None:
    """In ``bank`` the bank goes to the richest seat, without regard to the newcomer's predecessor."""
    sitting = sitting_of("bank")
    played(sitting)
    sitting.leave(0)
    for seat, chips in ((0, CHIPS // 2), (3, 2 * CHIPS)):
        taken = money.choose_seat(
            sitting.table.core, player=f"new{seat}", name=f"New {seat}", test=True, seat=seat, buy_in=chips
        )
        sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=taken)])
    sitting.start()
    assert banker(sitting) == 3


def test_a_newcomer_has_no_share_of_the_pool() -> None:
    """The pool of a dragon gate that closes goes to those of the last round who are still there."""
    sitting = sitting_of("shoot_dragon_gate")
    sitting.start()
    sitting.finish(Random(1), lapses=1)
    sitting.settle()
    assert sitting.table.core.pot == 30, "all passed, so the antes are still there"
    replaced(sitting, 2)
    closed = sitting.close()[0]
    assert isinstance(closed, events.TableClosed)
    assert closed.shares == {0: 15, 1: 15}


@pytest.mark.parametrize("game_id", ["niu_niu", "san_gong_banker", "bank"])
def test_a_log_with_a_banker_who_left_is_decided_again_alike(game_id: str) -> None:
    """Auditors decide every event of such a table again, to the byte."""
    sitting = sitting_of(game_id, banker="seat")
    played(sitting)
    held_bank = sitting.table.core.button
    assert held_bank is not None, "a seat has banked"
    replaced(sitting, held_bank)
    played(sitting)
    assert sitting.again().differences == []
