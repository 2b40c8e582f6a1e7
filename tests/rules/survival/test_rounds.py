"""Random rounds of every survival game: they end, pay, show no hidden card, and offer exactly what is accepted."""

import itertools
import random
from typing import Any

import msgspec
import pytest

from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import PACK_52, Card
from services.rules.game import Table
from services.rules.happenings import Dealt, Shuffled
from services.rules.offers import OneOf, Sets
from services.rules.refusals import Reason, Refused
from services.rules.survival.count_off import CountOffRules
from services.rules.survival.nickname import NicknameRules
from services.rules.survival.ninety_nine import NinetyNineRules
from services.rules.survival.pull_cart import PullCartRules
from services.rules.survival.table import SurvivalGame, SurvivalRound, SurvivalRules
from services.rules.survival.war import WarRules
from tests.support.seeded import Seeded

SETTINGS = [
    ("ninety_nine", NinetyNineRules(ante=5, max_turns=60), 6),
    ("ninety_nine", NinetyNineRules(ante=5, five="choose", win_cap="stake"), 3),
    ("nickname", NicknameRules(ante=5, max_flips=25, fee_bps=500), 4),
    ("pull_cart", PullCartRules(ante=5, max_turns=150), 2),
    ("pull_cart", PullCartRules(ante=5, win_cap="stake"), 10),
    ("war", WarRules(ante=5, auto_flip=False, max_turns=25), 4),
    ("war", WarRules(ante=5), 4),
    ("count_off", CountOffRules(ante=5, max_flips=80), 2),
    ("count_off", CountOffRules(), 10),
]
IDS = [f"{name}-{seats}-{place}" for place, (name, _, seats) in enumerate(SETTINGS)]
MOST_MOVES = 1500


def start(name: str, rules: SurvivalRules, seats: int, seed: int) -> tuple[SurvivalRound, Seeded, SurvivalGame]:
    """Start a round with random cards."""
    chance = Seeded(seed)
    played = catalogue.game(name)
    assert isinstance(played, SurvivalGame)
    chips = {seat: chance.random.choice((5, 6, 8, 40)) for seat in range(seats)}
    round_, _ = played.start(rules, Table(chips=chips, first_button=seed % seats), chance)
    return round_, chance, played


def listed(round_: SurvivalRound, seat: int) -> list[actions.Action]:
    """List every action that the options allow."""
    found: list[actions.Action] = []
    for option in round_.options(seat):
        values: list[list[Any]] = []
        for choice in option.arguments.values():
            assert isinstance(choice, Sets | OneOf)
            values.append(list(choice.sets if isinstance(choice, Sets) else choice.values))
        found += [
            actions.build(option.action, dict(zip(option.arguments, chosen, strict=True)))
            for chosen in itertools.product(*values)
        ]
    return found


def sampled(round_: SurvivalRound, seat: int, chance: random.Random) -> list[actions.Action]:
    """Make up actions that may or may not be legal."""
    held = [*round_.stacks[seat], *chance.sample(PACK_52, 2)]
    numbers = [None, *range(-1, 4), getattr(round_, "flips", 1)]
    some = [tuple(chance.sample(held, count)) for count in (0, 1, 1, 1, 1, 1, 2)]
    plays = [
        actions.Play(cards, sign=chance.choice((None, "plus", "minus", "times")), next=chance.choice([*numbers, 5]))
        for cards in some
    ]
    calls = [actions.CallNickname(chance.randrange(-1, 7), chance.choice(numbers)) for _ in range(6)]
    slaps = [actions.Slap(chance.choice(numbers)) for _ in range(3)]
    plays += [actions.Play(("",)), actions.Play(("5t",)), actions.Play(tuple(held[:1]), call="trumps")]
    return [*plays, *map(actions.Play, some), *calls, *slaps, actions.Flip(), actions.Collect(), actions.Pass()]


def step(round_: SurvivalRound, chance: Seeded) -> None:
    """Let a random seat of those waited for do something legal, or the deadline pass."""
    waiting = round_.waiting()
    assert waiting is not None
    legal = [(seat, action) for seat in waiting.seats for action in listed(round_, seat)]
    if not legal or chance.random.random() < (0.6 if len(waiting.seats) > 1 else 0.15):
        round_.on_timeout(chance)
        after = round_.waiting()
        assert after is None or after.clock > waiting.clock, "a passed deadline starts a new one"
    else:
        seat, action = chance.random.choice(legal)
        round_.act(seat, action, chance)


@pytest.mark.parametrize(("name", "rules", "seats"), SETTINGS, ids=IDS)
def test_random_play_ends_and_pays(name: str, rules: SurvivalRules, seats: int) -> None:
    """Every round ends, all 52 cards are somewhere at every step, the posting balances and only winners win."""
    for seed in range(6):
        round_, chance, played = start(name, rules, seats, seed)
        for _ in range(MOST_MOVES):
            if round_.outcome is not None:
                break
            step(round_, chance)
            stored = msgspec.msgpack.encode(round_)
            round_ = msgspec.msgpack.decode(stored, type=played.round_type)
            assert msgspec.msgpack.encode(round_) == stored
            assert sorted(everywhere(round_)) == sorted(PACK_52)
        outcome = round_.outcome
        assert outcome is not None, f"{name} goes on after {MOST_MOVES} moves"
        posting = pipeline.settle(outcome, rules, round_.carry, 0)
        assert sum(posting.net.values()) + posting.fee == 0
        winner = outcome.facts["winner"]
        winners = [winner] if isinstance(winner, int) else winner
        assert winners == sorted(winners)
        assert not set(winners) & set(outcome.facts["out"])
        assert all(posting.net[seat] <= 0 for seat in round_.carry if seat not in winners)
        for seat in round_.carry:
            assert not round_.options(seat)
            with pytest.raises(Refused) as refusal:
                round_.verify(seat, actions.Flip())
            assert refusal.value.reason == Reason.ROUND_NOT_OPEN


@pytest.mark.parametrize(("name", "rules", "seats"), SETTINGS, ids=IDS)
def test_options_are_exactly_what_is_accepted(name: str, rules: SurvivalRules, seats: int) -> None:
    """In every phase the listed actions are accepted, all others refused for a seat's own reasons, without a change."""
    reasons = set()
    for seed in range(3):
        round_, chance, _ = start(name, rules, seats, 100 + seed)
        for _ in range(60):
            waiting = round_.waiting()
            if waiting is None:
                break
            for seat in round_.carry:
                legal = listed(round_, seat)
                assert bool(legal) == (seat in waiting.seats)
                before = msgspec.msgpack.encode(round_)
                for action in legal:
                    round_.verify(seat, action)
                for action in sampled(round_, seat, chance.random):
                    try:
                        round_.verify(seat, action)
                    except Refused as refusal:
                        assert action not in legal
                        reasons.add(refusal.reason)
                    else:
                        assert action in legal, action
                assert msgspec.msgpack.encode(round_) == before
            step(round_, chance)
    if not getattr(rules, "auto_flip", False):
        assert Reason.ILLEGAL_ACTION in reasons


@pytest.mark.parametrize(("name", "rules", "seats"), SETTINGS, ids=IDS)
def test_hidden_cards_do_not_show(name: str, rules: SurvivalRules, seats: int) -> None:
    """Two rounds that differ only in cards hidden from a viewer look the same to it, to the byte."""
    for seed in range(4):
        round_, chance, played = start(name, rules, seats, 200 + seed)
        for _ in range(chance.random.randrange(40)):
            if round_.outcome is None:
                step(round_, chance)
        for viewer in (None, *round_.carry):
            other = msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=played.round_type)
            shuffle_hidden(other, viewer, chance.random)
            assert msgspec.json.encode(other.view(viewer)) == msgspec.json.encode(round_.view(viewer))


def everywhere(round_: SurvivalRound) -> list[Card]:
    """Collect all cards of a round, wherever they lie."""
    found = [card for stack in round_.stacks.values() for card in stack]
    for name in ("pile", "row", "table"):
        found += getattr(round_, name, [])
    for pile in getattr(round_, "piles", {}).values():
        found += pile
    found += [one.card for one in getattr(round_, "turned", [])]
    stock = getattr(round_, "stock", None)
    return found + (stock.rest() if stock else [])


def shuffle_hidden(round_: SurvivalRound, viewer: int | None, chance: random.Random) -> None:
    """Deal the cards that the viewer cannot see anew: stacks for all, hands but for its owner, the stock."""
    stock = getattr(round_, "stock", None)
    own = viewer if stock is not None else None
    hidden = [seat for seat in round_.stacks if seat != own]
    pool = [card for seat in hidden for card in round_.stacks[seat]] + (stock.rest() if stock else [])
    chance.shuffle(pool)
    for seat in hidden:
        count = len(round_.stacks[seat])
        round_.stacks[seat], pool = pool[:count], pool[count:]
    if stock:
        stock.cards[stock.next :] = pool


@pytest.mark.parametrize(("name", "rules", "seats"), SETTINGS, ids=IDS)
def test_the_deal_is_one_at_a_time_from_the_left_of_the_button(name: str, rules: SurvivalRules, seats: int) -> None:
    """Cards are dealt round the table from the left of the button, and no hidden card is public."""
    played = catalogue.game(name)
    assert isinstance(played, SurvivalGame)
    button = seats - 2
    chips = dict.fromkeys(range(seats), 100)
    _, happenings = played.start(rules, Table(chips=chips, first_button=button), Seeded(1))
    assert [one for one in happenings if isinstance(one, Shuffled)] == [Shuffled(0, 52)]
    dealt = [one for one in happenings if isinstance(one, Dealt) and one.to is not None]
    assert [one.to for one in dealt] == [(button + 1 + place) % seats for place in range(seats)]
    count = 52 if played.hand_size is None else played.hand_size * seats
    assert [one.positions for one in dealt] == [tuple(range(place, count, seats)) for place in range(seats)]
    assert {card for one in dealt for card in one.cards} == {"??"}


@pytest.mark.parametrize(("name", "rules", "seats"), SETTINGS, ids=IDS)
def test_antes_are_staked_by_seats_that_hold_them(name: str, rules: SurvivalRules, seats: int) -> None:
    """Too few seats with the ante: no round starts; without an ante everybody is dealt in, also with no chips."""
    played = catalogue.game(name)
    assert isinstance(played, SurvivalGame)
    dear = msgspec.structs.replace(rules, ante=50)
    chips = {seat: 50 if seat < played.fewest - 1 else 49 for seat in range(seats)}
    with pytest.raises(Refused) as refusal:
        played.start(dear, Table(chips=chips), Seeded(1))
    assert refusal.value.reason == Reason.NOT_ENOUGH_SEATS
    free = msgspec.structs.replace(rules, ante=0)
    round_, _ = played.start(free, Table(chips=dict.fromkeys(range(seats), 0)), Seeded(1))
    assert list(round_.carry) == list(range(seats))
    for _ in range(MOST_MOVES):
        if round_.outcome is not None:
            break
        round_.on_timeout(Seeded(1))
    assert round_.outcome is not None
    assert round_.outcome.claims == ()


FAULTS: list[tuple[str, SurvivalRules, str]] = [
    ("ninety_nine", NinetyNineRules(ante=-1), "ante"),
    ("ninety_nine", NinetyNineRules(five="jump"), "five"),
    ("ninety_nine", NinetyNineRules(max_turns=0), "max_turns"),
    ("ninety_nine", NinetyNineRules(max_seats=7), "max_seats"),
    ("ninety_nine", NinetyNineRules(min_seats=2), "min_seats"),
    ("ninety_nine", NinetyNineRules(rake_cap=5), "rake_cap"),
    ("nickname", NicknameRules(max_flips=10_001), "max_flips"),
    ("nickname", NicknameRules(claim_seconds=0), "claim_seconds"),
    ("pull_cart", PullCartRules(max_seats=11), "max_seats"),
    ("pull_cart", PullCartRules(turn_seconds=3601), "turn_seconds"),
    ("war", WarRules(min_seats=3), "min_seats"),
    ("war", WarRules(max_turns=2001), "max_turns"),
    ("count_off", CountOffRules(rake_bps=1), "rake_bps"),
    ("count_off", CountOffRules(win_cap="half"), "win_cap"),
]


@pytest.mark.parametrize(("name", "rules", "field"), FAULTS)
def test_table_limits(name: str, rules: SurvivalRules, field: str) -> None:
    """A house rule outside its limits is named when the table is made; the defaults are all right."""
    played = catalogue.game(name)
    assert field in {fault.field for fault in played.faults(rules)}
    assert played.faults(type(rules)()) == []


@pytest.mark.parametrize(
    ("name", "defaults"),
    [
        ("ninety_nine", {"five": "skip", "max_turns": 500, "turn_seconds": 20, "min_seats": 3, "max_seats": 6}),
        ("nickname", {"max_flips": 100, "claim_seconds": 5, "min_seats": 3, "max_seats": 6}),
        ("pull_cart", {"max_turns": 1000, "turn_seconds": 5, "min_seats": 2, "max_seats": 10}),
        ("war", {"auto_flip": True, "max_turns": 500, "turn_seconds": 5, "min_seats": 4, "max_seats": 4}),
        ("count_off", {"max_flips": 1000, "claim_seconds": 3, "min_seats": 2, "max_seats": 10}),
    ],
)
def test_defaults_of_the_sheet(name: str, defaults: dict[str, Any]) -> None:
    """Each game's house rules have the sheet's defaults; all have no ante, no fee and no cap."""
    rules = msgspec.structs.asdict(catalogue.game(name).rules_type())
    common = {"ante": 0, "fee_bps": 0, "win_cap": "none"}
    assert {key: rules[key] for key in (defaults | common)} == defaults | common
