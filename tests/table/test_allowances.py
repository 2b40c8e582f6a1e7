"""What seats may stake at most: held in every game, at the start, at every action, and in what is offered."""

from collections import Counter
from random import Random

import pytest

from services.fairness.scripted import Script
from services.rules import actions, catalogue, random_play
from services.rules.banker.shoot_dragon_gate import DragonGateRound
from services.rules.offers import Between, OneOf, Option
from services.rules.refusals import Refused
from services.table import codec, events, full_table, public_table, stake_allowance
from tests.support import worlds
from tests.support.sittings import Sitting

GAMES = sorted(catalogue.FILES)


def refused(sitting: Sitting, seat: int, action: actions.Action) -> Refused:
    """Try an action that a limit refuses; nothing is changed."""
    before = full_table.store(sitting.table)
    with pytest.raises(Refused) as refusal:
        sitting.act(seat, action)
    assert full_table.store(sitting.table) == before, "a refusal has changed the table"
    assert refusal.value.reason == "LIMIT_REACHED"
    return refusal.value


def holdem(chips: dict[int, int], allowed: dict[int, int]) -> Sitting:
    """Start a hand of hold'em, blinds 5 and 10 (seat 0 has the button)."""
    sitting = Sitting("texas_holdem", first_button=0)
    sitting.sit(chips)
    sitting.allow(allowed)
    sitting.start()
    return sitting


def limits(sitting: Sitting) -> tuple[int, int]:
    """Return the least and the greatest raise that the seat to act is offered."""
    round_ = sitting.table.round
    assert round_ is not None
    waiting = round_.waiting()
    assert waiting is not None
    offered = {option.action: option for option in stake_allowance.options(sitting.table, waiting.seats[0])}
    choice = offered["raise"].arguments["to"]
    assert isinstance(choice, Between)
    return choice.least, choice.most


def test_a_seat_is_dealt_in_with_what_it_may_stake() -> None:
    """A bet beyond the limit is refused in three languages, with what is left; the rest of its chips stay out of it."""
    sitting = holdem({0: 1000, 1: 1000, 2: 1000}, {0: 60})
    assert limits(sitting) == (20, 60)
    refusal = refused(sitting, 0, actions.Raise(61))
    assert refusal.metadata["left"] == "60"
    assert refusal.text is not None
    assert all("60" in refusal.text.within(language) for language in ("en", "zh-Hant", "zh-Hans"))
    sitting.act(0, actions.AllIn())
    sitting.act(1, actions.AllIn())
    sitting.act(2, actions.Fold())
    while sitting.table.core.phase == public_table.IN_ROUND:
        sitting.on_timeout()
    [settled] = [event for event in sitting.settle() if isinstance(event, events.RoundSettled)]
    assert [seat.staked for seat in settled.seats if seat.seat == 0] == [60]
    assert sitting.table.core.seats[0].chips >= 940
    assert sitting.table.core.allowed == {}


def test_a_seat_that_may_stake_nothing_sits_out_and_is_told_why() -> None:
    """The others play on without it."""
    sitting = holdem({0: 1000, 1: 1000, 2: 1000}, {2: 0})
    assert sorted(sitting.table.core.round.carry if sitting.table.core.round else ()) == [0, 1]
    assert refused(sitting, 2, actions.Fold()).metadata["left"] == "0"


def test_what_others_may_not_do_is_refused_as_ever() -> None:
    """Only what a limit forbids is called a limit."""
    sitting = holdem({0: 1000, 1: 50, 2: 1000}, {0: 60})
    with pytest.raises(Refused, match="turn"):
        sitting.act(1, actions.Call())
    with pytest.raises(Refused) as small:
        sitting.act(0, actions.Raise(11))
    assert small.value.reason == "AMOUNT_OUT_OF_RANGE"
    sitting.act(0, actions.Call())
    with pytest.raises(Refused) as dear:
        sitting.act(1, actions.Raise(51))
    assert dear.value.reason in {"INSUFFICIENT_CHIPS", "AMOUNT_OUT_OF_RANGE"}


def test_a_limit_tightened_in_mid_round_holds_for_the_next_action() -> None:
    """What was staked stays; calls and raises beyond it are refused and not offered, folding is always possible."""
    sitting = holdem({0: 1000, 1: 1000, 2: 1000}, {})
    sitting.act(0, actions.Raise(40))
    sitting.act(1, actions.Raise(100))
    sitting.act(2, actions.Fold())
    sitting.allow({0: 120})
    assert {option.action for option in stake_allowance.options(sitting.table, 0)} == {"fold", "call"}
    refused(sitting, 0, actions.AllIn())
    refused(sitting, 0, actions.Raise(160))
    sitting.allow({0: 99})
    assert {option.action for option in stake_allowance.options(sitting.table, 0)} == {"fold"}
    assert refused(sitting, 0, actions.Call()).metadata["left"] == "59"
    sitting.allow({0: 300})
    assert limits(sitting) == (160, 300)
    sitting.act(0, actions.Raise(300))
    assert sitting.again().differences == []


def test_the_least_that_a_round_asks_goes_on() -> None:
    """A window in which every seat must choose a multiple leaves the least one, whatever was tightened."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    sitting.allow({0: 35})
    [option] = stake_allowance.options(sitting.table, 0)
    assert option.arguments["multiple"] == OneOf((1, 2, 3))
    refused(sitting, 0, actions.BetMultiple(4))
    sitting.allow({0: 3})
    [option] = stake_allowance.options(sitting.table, 0)
    assert option.arguments["multiple"] == OneOf((1,))
    refused(sitting, 0, actions.BetMultiple(2))
    sitting.act(0, actions.BetMultiple(1))


def test_a_log_without_limits_is_as_it_was() -> None:
    """Where nobody has a limit nothing is written, so that every older log replays to the byte."""
    sitting = holdem({0: 100, 1: 100}, {})
    assert not any(isinstance(event, events.StakesAllowed) for event in sitting.log)
    assert not any("allowed" in codec.encode(event) for event in sitting.log)
    assert moves_nothing(sitting)


def moves_nothing(sitting: Sitting) -> bool:
    """Return whether repeating an allowance causes no event."""
    return sitting.allow(dict(sitting.table.core.allowed)) == []


# -- every game, at random


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lowered", [False, True], ids=["at-the-start", "in-mid-round"])
def test_no_stake_passes_what_is_allowed(game: str, lowered: bool) -> None:
    """Random play with random allowances: all offers are accepted, nobody is stuck, stakes stay within, replay agrees.

    Lowered in mid-round, a seat stakes no more by its own choice; a round is played to its end all the same.
    """
    rng = Random(f"{game} {lowered}")
    for _ in range(6):
        sitting = seated(game, rng)
        if sitting is None:
            continue
        if not lowered:
            sitting.allow(drawn(sitting, rng))
            if not worlds.can_start(sitting.game, sitting.rules, sitting.table.core.at_stake()):
                continue
        sitting.start()
        allowed = dict(sitting.table.core.allowed)
        play(sitting, rng, lowered=lowered)
        staked = at_stake(sitting)
        if not lowered:
            assert all(staked[seat] <= chips for seat, chips in allowed.items()), f"{staked} pass {allowed}"
        sitting.settle()
        assert sitting.again().differences == []
        assert sitting.again(sitting.log[sitting.last_start - 1 :], sitting.last_start).differences == []


def seated(game: str, rng: Random) -> Sitting | None:
    """Seat players at a random table where a round can start; None where none was found."""
    played = catalogue.game(game)
    rules = worlds.varied_rules(played, rng) if rng.random() < 0.5 else worlds.default_rules(played)
    table = next(worlds.rounds(played, rules, rng, 1), None)
    if table is None:
        return None
    sitting = Sitting(game, rules, first_button=table.first_button)
    sitting.sit(table.chips)
    return sitting


def drawn(sitting: Sitting, rng: Random) -> dict[int, int]:
    """Draw allowances of some seats: nothing, little, or up to all of their chips."""
    seats = [seat for seat in sitting.table.core.seats.values() if rng.random() < 0.6]
    return {seat.seat: rng.choice((0, rng.randint(0, 40), rng.randint(0, seat.chips), seat.chips)) for seat in seats}


def at_stake(sitting: Sitting) -> Counter[int]:
    """Add up what the seats had staked in the round that has just ended."""
    outcome = sitting.table.core.round.outcome if sitting.table.core.round else None
    assert outcome is not None, "the round has ended"
    found: Counter[int] = Counter()
    for stake in outcome.stakes:
        found[stake.seat] += stake.amount
    return found


def play(sitting: Sitting, rng: Random, *, lowered: bool) -> None:
    """Play a round to its end by what is offered."""
    for _ in range(worlds.MOST_MOVES):
        round_ = sitting.table.round
        if sitting.table.core.phase != public_table.IN_ROUND or round_ is None:
            return
        if lowered and rng.random() < 0.15:
            lower(sitting, rng)
        waiting = round_.waiting()
        assert waiting is not None, "a running round waits"
        offers = {seat: found for seat in waiting.seats if (found := stake_allowance.options(sitting.table, seat))}
        for seat in waiting.seats:
            assert bool(round_.options(seat)) == (seat in offers), f"seat {seat} is stuck"
        if not offers or rng.random() < 0.1:
            sitting.on_timeout()
            continue
        choose(sitting, rng, offers)
    raise AssertionError("the round did not end")


def lower(sitting: Sitting, rng: Random) -> None:
    """Tighten the limit of a seat of the round."""
    round_ = sitting.table.round
    assert round_ is not None, "a round runs"
    seat = rng.choice(sorted(round_.carry))
    most = sitting.table.core.allowed.get(seat, round_.carry[seat])
    sitting.allow({**sitting.table.core.allowed, seat: rng.choice((0, most // 2, rng.randint(0, most)))})


def choose(sitting: Sitting, rng: Random, offers: dict[int, list[Option]]) -> None:
    """Make one of the moves that are offered, and see that a seat's own choice keeps to what it may stake."""
    round_ = sitting.table.round
    assert round_ is not None, "a round runs"
    seat = rng.choice(sorted(offers))
    offered = offers[seat]
    action = random_play.sample(offered, rng)
    before, allowed = stake_allowance.staked(round_, seat), sitting.table.core.allowed.get(seat)
    free = any(not actions.BY_NAME[one.action].stakes for one in offered)
    sitting.act(seat, action)
    if allowed is not None and action.stakes and free:
        after = stake_allowance.staked(round_, seat)
        assert after <= max(before, allowed), f"{action} staked {after}, {allowed} were allowed"


def test_a_table_is_rebuilt_with_what_its_seats_may_stake() -> None:
    """From the start of the round alone, and from what was stored, a lowered seat is held to the same."""
    sitting = holdem({0: 1000, 1: 1000, 2: 1000}, {1: 500})
    sitting.allow({1: 30})
    sitting.act(0, actions.Raise(40))
    again = sitting.again(sitting.log[sitting.last_start - 1 :], sitting.last_start, compare=False).table
    for table in (again, full_table.load(full_table.store(sitting.table))):
        assert table is not None
        assert table.core.allowed == {1: 30}
        with pytest.raises(Refused):
            stake_allowance.verify(table, 1, actions.Call())


def test_chips_won_within_a_round_are_not_staked_again_beyond_the_limit() -> None:
    """Dragon gate pays within the round: what a seat with a limit wins does not let it stake more."""
    held_back = 0
    for number in range(150):
        rng = Random(f"dragon gate {number}")
        sitting = Sitting("shoot_dragon_gate", first_button=2, salt=str(number))
        sitting.sit({0: 40, 1: 40, 2: 200})
        sitting.allow({0: 40, 1: 25})
        sitting.start()
        while sitting.table.core.phase == public_table.IN_ROUND:
            assert isinstance(sitting.table.round, DragonGateRound)
            held_back += any(sitting.table.round.held[seat] > sitting.table.round.free(seat) for seat in (0, 1))
            bold(sitting, rng)
        staked = at_stake(sitting)
        assert staked[0] <= 40
        assert staked[1] <= 25
    assert held_back > 20, "seats won chips that they might not stake"


def bold(sitting: Sitting, rng: Random) -> None:
    """Bet all that may be bet, where a bet is possible."""
    waiting = sitting.table.round.waiting() if sitting.table.round else None
    assert waiting is not None, "a running round waits"
    seat = waiting.seats[0]
    offered = {option.action: option for option in stake_allowance.options(sitting.table, seat)}
    amount = offered["bet"].arguments["amount"] if "bet" in offered else None
    sitting.act(
        seat, actions.Bet(amount.most) if isinstance(amount, Between) else random_play.sample([*offered.values()], rng)
    )


def test_who_may_stake_nothing_after_a_guess_passes() -> None:
    """A guess asks for a bet; who may stake nothing any more is not held to it, at the deadline neither."""
    for lapses in (False, True):
        sitting = Sitting("shoot_dragon_gate", first_button=2)
        sitting.sit({0: 100, 1: 100, 2: 100})
        sitting.script(Script(stocks=(("5s", "5h"),)))
        sitting.start()
        sitting.act(0, actions.Guess("higher"))
        with pytest.raises(Refused, match="must bet"):
            sitting.act(0, actions.Pass())
        sitting.allow({0: 10})
        assert [option.action for option in stake_allowance.options(sitting.table, 0)] == ["pass"]
        assert refused(sitting, 0, actions.Bet(10)).metadata["left"] == "0"
        if lapses:
            sitting.on_timeout()
        else:
            sitting.act(0, actions.Pass())
        assert sitting.table.round is not None
        assert sitting.table.round.waiting() is not None
        assert stake_allowance.staked(sitting.table.round, 0) == 10


def test_what_may_be_staked_is_over_with_the_round_and_with_the_seat() -> None:
    """A voided round leaves nothing of the allowance, nor does a freed seat for its next player."""
    sitting = holdem({0: 100, 1: 100, 2: 100}, {0: 50, 1: 50})
    sitting.void()
    assert sitting.table.core.allowed == {}
    sitting.allow({0: 50, 1: 50})
    sitting.leave(0)
    assert sitting.table.core.allowed == {1: 50}
    sitting.sit({0: 100})
    sitting.start()
    assert sitting.table.core.round is not None
    assert sitting.table.core.round.carry == {0: 100, 1: 50, 2: 100}
    assert sitting.again().differences == []
