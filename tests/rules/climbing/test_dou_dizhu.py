"""Rounds of Fight the Landlord: random play to the end, what each seat sees, what the end pays."""

import random

import msgspec
import pytest

from services.house import pipeline
from services.rules import actions, cards
from services.rules.climbing.dou_dizhu import GAME, DouDizhuRound, DouDizhuRules
from services.rules.game import Table
from services.rules.happenings import Dealt
from services.rules.offers import OneOf, Sets
from services.rules.ranking import dou_dizhu
from services.rules.refusals import Reason, Refused
from tests.support.seeded import Seeded

RULES = [
    DouDizhuRules(),
    DouDizhuRules(bidding="rob", spring=True),
    DouDizhuRules(equal_wings=True, fee_bps=500, win_cap="stake"),
]
CHIPS = {0: 500, 1: 60, 2: 1000}


def start(rules: DouDizhuRules, seed: int) -> tuple[DouDizhuRound, Seeded]:
    """Start a round with random cards."""
    chance = Seeded(seed, ("card",))
    round_, _ = GAME.start(rules, Table(chips=CHIPS, first_button=seed % 3), chance)
    return round_, chance


def listed(round_: DouDizhuRound, seat: int) -> list[actions.Action]:
    """List every action that the options allow."""
    found: list[actions.Action] = []
    for option in round_.options(seat):
        choice = next(iter(option.arguments.values()), None)
        if isinstance(choice, Sets):
            found += [actions.Play(some) for some in choice.sets]
        elif isinstance(choice, OneOf):
            found += [actions.Bid(int(points)) for points in choice.values]
        else:
            found.append(actions.build(option.action, {}))
    return found


def sampled(round_: DouDizhuRound, seat: int, chance: random.Random) -> list[actions.Action]:
    """Make up actions that may or may not be legal."""
    hand = round_.hands[seat]
    words = [actions.Pass(), actions.CallLandlord(), actions.Rob(), actions.Flip()]
    bids = [actions.Bid(points) for points in range(-1, 5)]
    play = [actions.Play(tuple(chance.sample(hand, chance.randint(0, min(6, len(hand)))))) for _ in range(12)]
    return [*words, *bids, *play, actions.Play((*hand[:1], *hand[:1])), actions.Play(("3s",), call="trumps")]


def key(action: actions.Action) -> object:
    """Return what an action is apart from suits, for plays of equal ranks are listed once."""
    if isinstance(action, actions.Play) and action.call is None and len(set(action.cards)) == len(action.cards):
        return tuple(sorted(dou_dizhu.place(card) for card in action.cards))
    return action


@pytest.mark.parametrize("rules", RULES)
def test_random_play_ends_and_pays(rules: DouDizhuRules) -> None:
    """Random legal play ends; options are accepted, what is not listed is refused; the posting balances."""
    landlords = 0
    for seed in range(40):
        round_, chance = start(rules, seed)
        for _ in range(200):
            waiting = round_.waiting()
            if waiting is None:
                break
            (seat,) = waiting.seats
            legal = listed(round_, seat)
            assert all(round_.can(seat, action) for action in legal)
            known = set(map(key, legal))
            for action in sampled(round_, seat, chance.random):
                assert round_.can(seat, action) == (key(action) in known), action
            assert all(not round_.options(other) for other in range(3) if other != seat)
            with pytest.raises(Refused, match="turn of seat"):
                round_.verify((seat + 1) % 3, actions.Pass())
            if chance.random.random() < 0.1:
                round_.on_timeout(chance)
            else:
                round_.act(seat, chance.random.choice(legal), chance)
            stored = msgspec.msgpack.encode(round_)
            round_ = msgspec.msgpack.decode(stored, type=GAME.round_type)
            assert msgspec.msgpack.encode(round_) == stored
            after = round_.waiting()
            assert after is None or after.clock > waiting.clock
        assert round_.outcome is not None
        posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
        assert sum(posting.net.values()) + posting.fee == 0
        landlords += round_.landlord is not None
        with pytest.raises(Refused) as refusal:
            round_.verify(0, actions.Pass())
        assert refusal.value.reason == Reason.ROUND_NOT_OPEN
    assert landlords > 25


def test_hidden_cards_do_not_show() -> None:
    """Two rounds that differ only in cards hidden from a viewer look the same to it, to the byte."""
    for seed in range(20):
        round_, chance = start(DouDizhuRules(), seed)
        for _ in range(chance.random.randint(0, 30)):
            waiting = round_.waiting()
            if waiting is None:
                break
            round_.act(waiting.seats[0], chance.random.choice(listed(round_, waiting.seats[0])), chance)
        for viewer in (None, 0, 1, 2):
            other = msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=DouDizhuRound)
            hidden = [seat for seat in range(3) if seat != viewer]
            pool = [card for seat in hidden for card in other.hands[seat]]
            pool += list(other.extra) if other.landlord is None else []
            pool = chance.random.sample(pool, len(pool))
            for seat in hidden:
                count = len(other.hands[seat])
                other.hands[seat], pool = pool[:count], pool[count:]
            if other.landlord is None:
                other.extra = tuple(pool)
            assert msgspec.json.encode(other.view(viewer)) == msgspec.json.encode(round_.view(viewer))


def test_seats_see_their_own_hand_and_the_landlords_cards() -> None:
    """A seat sees its hand; the three cards lie face down until there is a landlord; nobody sees another hand."""
    round_, chance = start(DouDizhuRules(), 3)
    zones = {(zone.owner, zone.name): zone.cards for zone in round_.view(1).zones}
    assert set(zones[1, "hand"]) == set(round_.hands[1])
    assert set(zones[0, "hand"]) == set(zones[2, "hand"]) == set(zones[None, "landlord_cards"]) == {cards.HIDDEN}
    round_.act(round_.turn, actions.Bid(3), chance)
    zones = {(zone.owner, zone.name): zone.cards for zone in round_.view(None).zones}
    assert set(zones[None, "landlord_cards"]) == set(round_.extra)
    assert {len(zones[seat, "hand"]) for seat in range(3)} == {17, 20}


def test_happenings_of_the_deal_show_one_card() -> None:
    """The deal tells positions and one card: the one that lies face up in the pack, at its place [dou_dizhu D2]."""
    for seed in range(10):
        chance = Seeded(seed, ("card",))
        round_, happenings = GAME.start(DouDizhuRules(), Table(chips=CHIPS), chance)
        dealt = [happening for happening in happenings if isinstance(happening, Dealt)]
        assert sorted(at for one in dealt for at in one.positions) == list(range(54))
        shown = [(one.to, card) for one in dealt for card in one.cards if card != cards.HIDDEN]
        assert shown == [(round_.first, round_.face_up)]
        assert round_.face_up in round_.hands[round_.first]
        assert round_.turn == round_.first


@pytest.mark.parametrize("short", [0, 1, 2])
def test_three_seats_with_the_base_are_needed(short: int) -> None:
    """A seat that holds less than the base is not dealt in, and so no round starts."""
    chips = {seat: 9 if seat == short else 10 for seat in range(3)}
    with pytest.raises(Refused) as refusal:
        GAME.start(DouDizhuRules(), Table(chips=chips), Seeded(1, ("card",)))
    assert refusal.value.reason == Reason.NOT_ENOUGH_SEATS
    GAME.start(DouDizhuRules(), Table(chips=dict.fromkeys(range(3), 10)), Seeded(1, ("card",)))


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (DouDizhuRules(base=0), "base"),
        (DouDizhuRules(base=10**9 + 1), "base"),
        (DouDizhuRules(bidding="auction"), "bidding"),
        (DouDizhuRules(min_seats=2), "min_seats"),
        (DouDizhuRules(max_seats=4), "max_seats"),
        (DouDizhuRules(rake_bps=100), "rake_bps"),
        (DouDizhuRules(fee_bps=10_001), "fee_bps"),
        (DouDizhuRules(win_cap="double"), "win_cap"),
        (DouDizhuRules(turn_seconds=0), "turn_seconds"),
    ],
)
def test_table_limits(rules: DouDizhuRules, field: str) -> None:
    """A house rule outside its limits is named when the table is made."""
    assert field in {fault.field for fault in GAME.faults(rules)}
    assert GAME.faults(DouDizhuRules()) == []


def test_greatest_win_is_never_exceeded_by_the_greatest_claims() -> None:
    """The published greatest win holds for the greatest bid and as many bombs as three hands can hold."""
    assert str(2 * 10 * 3 * 2**13) in GAME.greatest_win(DouDizhuRules()).en
    assert str(2 * 10 * 24 * 2**13) in GAME.greatest_win(DouDizhuRules(bidding="rob")).en
