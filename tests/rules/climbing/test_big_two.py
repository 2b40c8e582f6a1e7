"""Big Two agrees with a second, literal reading of the sheet that shares no code with it."""

import os
import random

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline
from services.rules import actions
from services.rules.cards import HIDDEN, PACK_52
from services.rules.climbing.big_two import GAME, BigTwoRound, BigTwoRules
from services.rules.game import Table
from services.rules.offers import Sets
from services.rules.ranking import big_two
from services.rules.refusals import Refused
from tests.rules.climbing.big_two_by_the_sheet import Deal, weight

ROUNDS = int(os.environ.get("PITBOSS_BIG_TWO_ROUNDS", "8"))
CHIPS = {0: 5000, 1: 5000, 4: 5000, 7: 5000}


def deck_of(rng: random.Random) -> list[str]:
    """Shuffle, half of the time so that ranks or suits come together."""
    deck = rng.sample(PACK_52, 52)
    if rng.random() < 0.5:
        by = rng.choice([0, 1])
        deck.sort(key=lambda card: (card[by], rng.random()))
        # Dealt one at a time: neighbours go to different seats unless the deck is cut in four.
        deck = [deck[13 * (place % 4) + place // 4] for place in range(52)]
        for _ in range(20):
            one, other = rng.randrange(52), rng.randrange(52)
            deck[one], deck[other] = deck[other], deck[one]
    return deck


def start(deck: list[str], button: int) -> tuple[BigTwoRound, ScriptedChance]:
    """Start a round with this deck."""
    chance = ScriptedChance(Script(stocks=(tuple(deck),)))
    round_, _ = GAME.start(BigTwoRules(base=3), Table(chips=CHIPS, first_button=button), chance)
    return round_, chance


def test_the_engine_and_the_sheet_agree() -> None:
    """Turns, all legal plays, refused ones and claims are those of the literal reading, in whole rounds."""
    for number in range(ROUNDS):
        rng = random.Random(f"big two {number}")
        deck, button = deck_of(rng), rng.choice(list(CHIPS))
        round_, chance = start(deck, button)
        deal = Deal(CHIPS, button, deck)
        while not deal.over():
            waiting = round_.waiting()
            assert waiting is not None
            assert waiting.seats == (deal.turn,)
            _compare(round_, deal, rng)
            play(round_, deal, chance, rng)
            round_ = msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=BigTwoRound)
        assert round_.outcome is not None
        posting = pipeline.settle(round_.outcome, round_.rules, round_.carry, 0)
        owed = deal.owed(3)
        assert {seat: -net for seat, net in posting.net.items() if net < 0} == owed
        assert posting.net[deal.turn] == sum(owed.values())


def _compare(round_: BigTwoRound, deal: Deal, rng: random.Random) -> None:
    options = {option.action: option for option in round_.options(deal.turn)}
    assert ("pass" in options) == bool(deal.lying)
    offered = options["play"].arguments["cards"] if "play" in options else Sets(())
    assert isinstance(offered, Sets)
    listed = [frozenset(play) for play in offered.sets]
    assert len(listed) == len(set(listed))
    assert set(listed) == deal.plays()
    for _ in range(5):
        some = tuple(rng.sample(deal.hands[deal.turn], rng.randint(1, min(5, len(deal.hands[deal.turn])))))
        assert round_.can(deal.turn, actions.Play(some)) == deal.allowed(some)


def play(round_: BigTwoRound, deal: Deal, chance: ScriptedChance, rng: random.Random) -> None:
    """Let both play one of the legal plays, pass, or let the deadline pass."""
    seat, able = deal.turn, sorted(map(sorted, deal.plays()))
    if rng.random() < 0.1:
        lowest = [min(deal.hands[seat], key=lambda card: ("3456789TJQKA2".index(card[0]), "dchs".index(card[1])))]
        round_.on_timeout(chance)
        if deal.lying:
            deal.skip()
        else:
            deal.play(lowest)
    elif able and (not deal.lying or rng.random() < 0.7):
        some = rng.choice(able)
        round_.act(seat, actions.Play(tuple(some)), chance)
        deal.play(some)
    else:
        round_.act(seat, actions.Pass(), chance)
        deal.skip()


def test_plays_compare_as_the_sheet_says() -> None:
    """Of any two plays of as many cards the same one beats the other, and the types are those of the sheet."""
    rng = random.Random(5)
    for _ in range(60):
        pool = rng.sample([card for card in PACK_52 if card[0] in rng.sample("3456789TJQKA2", 6)], 14)
        plays = rng.sample(found, min(12, len(found))) if (found := big_two.COMBINATIONS.legal(pool, None)) else []
        for one in plays:
            ours, theirs = big_two.COMBINATIONS.read(one, None), weight(one)
            assert ours is not None
            assert theirs is not None
            assert ours.kind == theirs[0]
            for other in plays:
                against = big_two.COMBINATIONS.read(other, None)
                sheet = weight(other)
                assert against is not None
                assert sheet is not None
                assert big_two.COMBINATIONS.beats(ours, against) == (len(one) == len(other) and theirs[1] > sheet[1])


@pytest.mark.parametrize("cards", ["Jd Qd Kd Ad 2d", "Ad 2d 3d 4d 5d"])
def test_no_straight_holds_a_two(cards: str) -> None:
    """Five in a row with a 2 are a flush where they are of one suit, and otherwise nothing [big_two D3]."""
    suited = big_two.COMBINATIONS.read(cards.split(), None)
    assert suited is not None
    assert suited.kind == "flush"
    mixed = [*cards.split()[:4], cards.split()[4][0] + "s"]
    assert big_two.COMBINATIONS.read(mixed, None) is None


def test_hidden_cards_do_not_show() -> None:
    """Every other hand is face down in every view, and the greatest win is never exceeded."""
    round_, _ = start(deck_of(random.Random(1)), 0)
    for viewer in (None, *CHIPS):
        zones = {zone.owner: zone.cards for zone in round_.view(viewer).zones}
        assert all(set(zones[seat]) == {HIDDEN} for seat in CHIPS if seat != viewer)
    assert GAME.greatest_win(BigTwoRules(base=3)).en.startswith(str(3 * 39 * 3))
    with pytest.raises(Refused, match="this game needs 4"):
        GAME.start(BigTwoRules(), Table(chips={0: 9, 1: 10, 2: 10, 3: 10}), ScriptedChance(Script()))
