"""Commands that move money, decided on the public core."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import catalogue, chips, refusal_figures
from services.rules.refusals import Refused
from services.rules.text import Text
from services.table import events, money, public_table
from tests.support import sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


def seated(most: int = 0) -> Sitting:
    """Return a table with two seats taken."""
    sitting = Sitting("tongbi_san_gong", most=most)
    sitting.sit({0: 500, 3: 500})
    return sitting


def choose(sitting: Sitting, **other: Any) -> events.SeatRecord:
    """Ask for a seat."""
    given = {"player": "new", "name": "New", "test": True, "seat": None, "buy_in": 100, **other}
    return money.choose_seat(sitting.table.core, **given)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"player": "p0"}, "ALREADY_SEATED"),
        ({"seat": 3}, "SEAT_TAKEN"),
        ({"seat": 99}, "INVALID_ARGUMENT"),
        ({"seat": -1}, "INVALID_ARGUMENT"),
        ({"buy_in": 1001}, "AMOUNT_OUT_OF_RANGE"),
        ({"buy_in": -1}, "AMOUNT_OUT_OF_RANGE"),
    ],
)
def test_a_seat_is_refused_for_a_reason(other: dict[str, Any], reason: str) -> None:
    """One seat for a player, only free and existing ones, only within the table's bounds."""
    with pytest.raises(Refused) as caught:
        choose(seated(most=1000), **other)
    assert caught.value.reason == reason


@pytest.mark.parametrize("most", [0, 1000])
@pytest.mark.parametrize("seat", [-1, 99])
def test_a_seat_that_does_not_exist_is_named(seat: int, most: int) -> None:
    """The refusal names the field, and the seats that there are, in its metadata."""
    with pytest.raises(Refused) as caught:
        choose(seated(most=most), seat=seat)
    assert [field for field, _ in caught.value.fields] == ["seat"]
    assert caught.value.metadata["seat_least"] == "0"
    assert int(caught.value.metadata["seat_greatest"]) >= 3


def test_the_lowest_free_seat_is_taken_where_none_is_named() -> None:
    """Seats 0 and 3 are taken: the next guest sits on 1; a named free seat is given as asked."""
    assert choose(seated()).seat == 1
    assert choose(seated(), seat=2).seat == 2


def test_a_full_table_says_so() -> None:
    """When all seats of the table are taken nobody else sits down, named seat or not."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit(dict.fromkeys(range(sitting.rules.max_seats), 100))
    with pytest.raises(Refused) as caught:
        choose(sitting)
    assert caught.value.reason == "TABLE_FULL"


def test_real_tables_ask_for_the_least_buy_in_and_take_no_test_players() -> None:
    """Only a test table seats somebody without chips, and test players sit at such tables only."""
    sitting = seated()
    assert choose(sitting, buy_in=0).chips == 0
    opening = sitting.table.core.opening
    real = sittings.Sitting("tongbi_san_gong")
    real.table.core.opening = events.Opening(
        **{name: getattr(opening, name) for name in opening.__struct_fields__} | {"test": False, "least_buy_in": 50}
    )
    for given, reason in (
        ({"test": True}, "PERMISSION_DENIED"),
        ({"test": False, "buy_in": 49}, "AMOUNT_OUT_OF_RANGE"),
    ):
        with pytest.raises(Refused) as caught:
            choose(real, **given)
        assert caught.value.reason == reason
    assert choose(real, test=False, buy_in=50).chips == 50


def test_a_table_is_not_closed_before_the_round_is_settled() -> None:
    """In a round and before its settlement the table stays open."""
    sitting = seated()
    sitting.start()
    for _ in range(2):
        with pytest.raises(Refused) as caught:
            sitting.close()
        assert caught.value.reason == "ROUND_IN_PROGRESS"
        if sitting.table.core.phase == public_table.IN_ROUND:
            sitting.finish(Random(1))


@pytest.mark.parametrize("amount", [0, -5, 501, chips.MOST_CHIPS])
def test_chips_are_added_within_the_bounds_of_the_table(amount: int) -> None:
    """One chip at least, and never beyond the greatest buy-in; the refusal says how many may be added."""
    with pytest.raises(Refused, match="1 to 500") as caught:
        money.add_chips(seated(most=1000).table.core, "p0", amount, 1)
    assert caught.value.reason == "AMOUNT_OUT_OF_RANGE"


@pytest.mark.parametrize(
    ("held", "english"),
    [
        (1000, "The seat holds the table's greatest buy-in (1000)."),
        (1350, "The seat holds 1350 in chips; the table's greatest buy-in is 1000."),
    ],
)
@pytest.mark.parametrize("amount", [1, 1000])
def test_a_full_seat_takes_no_chips_and_says_why(held: int, english: str, amount: int) -> None:
    """No range without a value is offered; the seat's chips and the bound stand in the text of each language."""
    sitting = seated(most=1000)
    sitting.table.core.seats[0] = msgspec.structs.replace(sitting.table.core.seats[0], chips=held)
    with pytest.raises(Refused) as caught:
        money.add_chips(sitting.table.core, "p0", amount, 1)
    assert caught.value.reason == "AMOUNT_OUT_OF_RANGE"
    assert {"least", "greatest"}.isdisjoint(caught.value.metadata)
    told = refusal_figures.text(caught.value)
    assert told is not None
    assert told.en == english
    assert "買入上限" in told.zh_hant
    assert "买入上限" in told.zh_hans
    assert all("1000" in text for text in (told.zh_hant, told.zh_hans))


def test_somebody_without_a_seat_reads_that() -> None:
    """A player without a seat at a table reads about that, and not about a round."""
    with pytest.raises(Refused) as caught:
        money.add_chips(seated().table.core, "stranger", 5, 1)
    assert caught.value.reason == "NOT_SEATED"
    told = refusal_figures.text(caught.value)
    assert told == Text("You have no seat at this table.", "你在這張桌沒有座位。", "你在这张桌没有座位。")


def test_leaving_during_a_round_waits_for_the_settlement() -> None:
    """The leaver plays on, asks twice in vain, and is paid what the round left it; between rounds it leaves at once."""
    sitting = seated()
    sitting.start()
    assert sitting.leave(3) == [events.LeaveAsked(at_ms=sitting.now, seat=3)]
    assert sitting.table.core.seats[3].leaving
    assert sitting.leave(3) == []
    sitting.finish(Random(1), lapses=0.0)
    settled, left = sitting.settle()
    assert isinstance(settled, events.RoundSettled)
    assert isinstance(left, events.SeatLeft)
    assert left.chips == 500 + settled.posting.net[3]
    assert set(sitting.table.core.seats) == {0}
    assert isinstance(sitting.leave(0)[0], events.SeatLeft)
    with pytest.raises(Refused) as caught:
        sitting.leave(0)
    assert caught.value.reason == "NOT_SEATED"
    assert sitting.again().differences == []


@pytest.mark.parametrize("game", GAMES)
def test_leavers_of_any_game_are_paid_exactly(game: str) -> None:
    """All seats leave in mid-round: what they take away and what pool and house hold is what was brought."""
    rng = Random(f"{game} leaving")
    sitting = sittings.random_sitting(game, "leaving", rounds=0)
    brought = sum(seat.chips for seat in sitting.table.core.seats.values())
    sitting.start()
    if sitting.table.core.phase == public_table.IN_ROUND:
        sitting.step(rng)
    for seat in list(sitting.table.core.seats):
        if sitting.table.core.phase in (public_table.IN_ROUND, public_table.SETTLING):
            sitting.leave(seat)
    sitting.finish(rng)
    settled = sitting.settle()[0]
    assert isinstance(settled, events.RoundSettled)
    taken = sum(event.chips for event in sitting.log if isinstance(event, events.SeatLeft))
    posting = settled.posting
    assert sitting.table.core.seats == {}
    assert taken + posting.house + posting.fee + sitting.table.core.pot == brought
    assert sitting.again().differences == []


@pytest.mark.parametrize("game", GAMES)
def test_closing_shares_the_pool_and_pays_every_seat(game: str) -> None:
    """After a round the table closes: pool and chips leave with the seats, none is lost, and nothing follows."""
    sitting = sittings.random_sitting(game, "closing", rounds=1)
    sitting.take([events.PotFunded(at_ms=sitting.tick(), chips=11)])
    core = sitting.table.core
    there = sum(seat.chips for seat in core.seats.values()) + core.pot
    heirs = sitting.game.pot_heirs(sitting.rules, core.for_rules())
    made = sitting.close()
    closed = made[0]
    assert isinstance(closed, events.TableClosed)
    assert sum(closed.shares.values()) >= 11
    assert closed.to_house == 0
    gone = {event.seat for event in made[1:] if isinstance(event, events.SeatLeft)}
    assert set(closed.shares) <= set(heirs or core.seats) | gone
    assert max(closed.shares.values()) - min(closed.shares.values()) <= 1
    assert sum(event.chips for event in made if isinstance(event, events.SeatLeft)) == there
    assert (core.pot, core.seats, core.phase) == (0, {}, public_table.CLOSED)
    for call in (sitting.close, lambda: choose(sitting), sitting.start, lambda: sitting.add(0, 10)):
        with pytest.raises(Refused) as caught:
            call()
        assert caught.value.reason == "TABLE_CLOSED"
    assert sitting.again().differences == []


def test_a_pool_that_nobody_is_left_to_share_goes_to_the_house() -> None:
    """When the last seats have left, the house takes the pool of the table."""
    sitting = Sitting("loo")
    sitting.take([events.PotFunded(at_ms=1, chips=40)])
    closed = sitting.close()
    assert closed == [
        events.TableClosed(at_ms=sitting.now, reason="the night is over", closed_by="boss", shares={}, to_house=40)
    ]
    assert sitting.table.core.pot == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_settlement_accounts_for_every_seat(game: str) -> None:
    """Before, staked, won, fee and after of each seat add up [R1], and equal what the seats hold then."""
    sitting = sittings.random_sitting(game, "accounts", rounds=0)
    before = {seat: one.chips for seat, one in sitting.table.core.seats.items()}
    sitting.start()
    sitting.finish(Random(game))
    settled = sitting.settle()[0]
    assert isinstance(settled, events.RoundSettled)
    for account in settled.seats:
        assert account.before == before[account.seat]
        assert account.after == account.before - account.staked + account.won - account.fee
        assert account.after == sitting.table.core.seats[account.seat].chips
        assert account.player == f"p{account.seat}"
    with pytest.raises(Refused) as caught:
        sitting.settle()
    assert caught.value.reason == "ROUND_NOT_OPEN"
