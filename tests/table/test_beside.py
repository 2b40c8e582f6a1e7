"""Seats taken, chips added and seats left while a round is open: they lie beside it and count from the next one on."""

from random import Random

import pytest

from services.contract import wire_tables
from services.rules import actions, catalogue, chips
from services.rules.refusals import Refused
from services.table import events, money, public_table, stake_allowance
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
BUY_IN = 700


def running(most: int = 0) -> Sitting:
    """Return a table with seats 0 and 3 in a round."""
    sitting = Sitting("tongbi_san_gong", most=most)
    sitting.sit({0: 500, 3: 500})
    sitting.start()
    return sitting


def joined(sitting: Sitting) -> int | None:
    """Seat somebody with chips; return the seat, None where the table is full or a match keeps others away."""
    core = sitting.table.core
    name = f"new{core.version}"
    try:
        chosen = money.choose_seat(core, player=name, name=name, test=True, seat=None, buy_in=BUY_IN)
    except Refused as refusal:
        assert refusal.reason in ("TABLE_FULL", "MATCH_IN_PROGRESS")
        return None
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=chosen)])
    return chosen.seat


def test_a_seat_taken_in_a_round_is_dealt_in_with_the_next_one() -> None:
    """The carry of the running round has no part of it; the next round has."""
    sitting = running()
    assert joined(sitting) == 1
    assert sitting.table.core.seats[1].chips == BUY_IN
    assert not sitting.table.core.plays(1)
    sitting.finish(Random(1))
    assert joined(sitting) == 2, "a table that waits for its settlement takes seats too"
    settled = sitting.settle()[0]
    assert isinstance(settled, events.RoundSettled)
    assert [seat.seat for seat in settled.seats] == [0, 3]
    assert [sitting.table.core.seats[seat].chips for seat in (1, 2)] == [BUY_IN, BUY_IN]
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert set(started.carry) == {0, 1, 2, 3}
    assert sitting.again().differences == []


@pytest.mark.parametrize("void", [False, True])
def test_added_chips_lie_beside_the_round(void: bool) -> None:
    """Carry, settlement and account of the round know nothing of them; the next round is played with them."""
    sitting = running()
    sitting.add(0, 30)
    sitting.add(0, 12)
    core = sitting.table.core
    assert (core.seats[0].chips, core.added(0)) == (500, 42)
    shown = wire_tables.view(sitting.table, 0).seats[0]
    assert (shown.chips, shown.added) == (500, 42)
    net = 0
    if void:
        sitting.void()
    else:
        sitting.finish(Random(1))
        settled = sitting.settle()[0]
        assert isinstance(settled, events.RoundSettled)
        assert settled.seats[0].before == 500
        net = settled.posting.net[0]
        assert settled.seats[0].after == 500 + net
    assert (core.seats[0].chips, core.added(0)) == (542 + net, 0)
    started = sitting.start()[0]
    assert isinstance(started, events.RoundStarted)
    assert started.carry[0] == 542 + net
    assert sitting.again().differences == []


@pytest.mark.parametrize("amount", [0, -5, 471])
def test_added_chips_keep_to_the_bound_of_the_table(amount: int) -> None:
    """What the seat held at the start and all that it has added since stay within the greatest buy-in."""
    sitting = running(most=1000)
    sitting.add(0, 30)
    with pytest.raises(Refused, match="1 to 470") as caught:
        sitting.add(0, amount)
    assert caught.value.reason == "AMOUNT_OUT_OF_RANGE"


def test_added_chips_are_taken_along_by_a_leaver() -> None:
    """A seat of the round that leaves is paid what the round left it and what it has added."""
    for void in (False, True):
        sitting = running()
        sitting.add(3, 40)
        sitting.leave(3)
        sitting.finish(Random(2), lapses=0.0)
        over, left = sitting.void() if void else sitting.settle()
        assert isinstance(left, events.SeatLeft)
        net = over.posting.net[3] if isinstance(over, events.RoundSettled) else 0
        assert left.chips == 540 + net
        assert sitting.again().differences == []


def test_a_seat_that_waits_for_the_next_round_leaves_at_once() -> None:
    """It takes its chips along, and the next player takes the place in the same round."""
    sitting = running()
    assert joined(sitting) == 1
    sitting.add(1, 5)
    [left] = sitting.leave(1)
    assert isinstance(left, events.SeatLeft)
    assert left == events.SeatLeft(at_ms=sitting.now, seat=1, player=left.player, chips=BUY_IN + 5)
    assert joined(sitting) == 1
    sitting.finish(Random(3))
    sitting.settle()
    assert set(sitting.table.core.seats) == {0, 1, 3}
    assert sitting.again().differences == []


def test_a_seat_without_chips_waited_for_the_end_of_the_round_in_older_logs() -> None:
    """A seat that was not dealt in leaves at once now; a log in which it waited is still decided the same."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 0, 3: 500})
    sitting.start()
    sitting.take([events.LeaveAsked(at_ms=sitting.tick(), seat=1)])
    sitting.finish(Random(1))
    sitting.settle()
    assert set(sitting.table.core.seats) == {0, 3}
    assert sitting.again().differences == []


def test_a_player_who_left_in_the_round_leaves_no_nickname_behind() -> None:
    """A seat that was not dealt in leaves; the memory that the round kept from its start does not bring it back."""
    sitting = Sitting("nickname", worlds.default_rules(catalogue.game("nickname"), ante=10))
    sitting.sit({0: 500, 1: 500, 2: 500, 3: 0})
    sitting.act(3, actions.SetNickname(name_="Tiger"))
    sitting.start()
    assert not sitting.table.core.plays(3)
    assert isinstance(sitting.leave(3)[0], events.SeatLeft)
    sitting.finish(Random(4))
    sitting.settle()
    assert "Tiger" not in str(sitting.table.core.memory)
    assert sitting.again().differences == []


def test_nobody_joins_a_match_in_its_first_round() -> None:
    """Its pool is still in the seats of the round; the refusal says at which round the match is, and of how many."""
    sitting = Sitting("honeymoon", worlds.default_rules(catalogue.game("honeymoon"), match_rounds=6))
    sitting.sit(dict.fromkeys(range(4), 500))
    sitting.start()
    with pytest.raises(Refused) as caught:
        money.choose_seat(sitting.table.core, player="new", name="New", test=True, seat=None, buy_in=100)
    assert caught.value.reason == "MATCH_IN_PROGRESS"
    assert caught.value.metadata == {"match_round": "1", "match_rounds": "6"}
    sitting.add(0, 50)
    sitting.finish(Random(5))
    sitting.settle()
    assert sitting.again().differences == []


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_beside_the_round_sees_what_everybody_sees(game: str) -> None:
    """It has nothing to decide, and no card is shown to it that a spectator does not see."""
    rng = Random(f"{game} beside")
    for number in range(3):
        sitting = sittings.random_sitting(game, f"beside {number}", rounds=0)
        sitting.start()
        seat = joined(sitting)
        if seat is None:
            continue
        for _ in range(40):
            if sitting.table.core.phase != public_table.IN_ROUND:
                break
            round_ = sitting.table.round
            assert round_ is not None, "a round runs"
            assert round_.view(seat) == round_.view(None)
            assert stake_allowance.options(sitting.table, seat) == []
            assert (
                wire_tables.view(sitting.table, seat).round.options
                == wire_tables.view(sitting.table, None).round.options
            )
            sitting.step(rng)


@pytest.mark.parametrize("game", GAMES)
def test_what_happens_beside_a_round_conserves_chips(game: str) -> None:
    """Seats join, add and leave between any two moves of a round; all chips that came are there, and replay agrees."""
    for number in range(3):
        rng = Random(f"{game} beside {number}")
        sitting = sittings.random_sitting(game, f"conserved {number}", rounds=rng.randrange(2))
        if not worlds.can_start(sitting.game, sitting.rules, sitting.table.core.for_rules()):
            continue
        sitting.start()
        for _ in range(worlds.MOST_MOVES):
            beside(sitting, rng)
            if sitting.table.core.phase != public_table.IN_ROUND:
                break
            sitting.step(rng)
        beside(sitting, rng)
        if rng.random() < 0.2:
            sitting.void()
        else:
            sitting.settle()
        assert flow(sitting) == 0
        assert sitting.again().differences == []
        assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core


def beside(sitting: Sitting, rng: Random) -> None:
    """Let somebody join, add or leave, or nobody."""
    chance = rng.random()
    seats = sorted(sitting.table.core.seats)
    if chance < 0.08:
        joined(sitting)
    elif chance < 0.16 and seats:
        seat = rng.choice(seats)
        if sitting.table.core.seats[seat].chips < chips.MOST_CHIPS // 2:
            sitting.add(seat, rng.randint(1, 90))
    elif chance < 0.2 and seats:
        sitting.leave(rng.choice(seats))


def flow(sitting: Sitting) -> int:
    """Return what was brought to the table less what is there, was taken along, or went to the house."""
    core = sitting.table.core
    total = -core.pot - sum(seat.chips + core.added(seat.seat) for seat in core.seats.values())
    for event in sitting.log:
        match event:
            case events.SeatTaken():
                total += event.seat.chips
            case events.ChipsAdded() | events.PotFunded():
                total += event.chips
            case events.SeatLeft() | events.RemovedForAbsence():
                total -= event.chips
            case events.RoundSettled():
                total -= event.posting.fee + event.posting.house
            case _:
                pass
    return total
