"""What bets return at best play: the counts behind it by enumeration or sample, and the limits of a carry settled."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, sqrt
from random import Random
from typing import Any

import msgspec
import pytest

from services.house import pipeline
from services.rules import catalogue
from services.rules.banker import four_knives, high_suit, niu_niu, san_gong_banker, tui_tong_zi
from services.rules.cards import PACK_52, RANKS, TILES_40
from services.rules.game import HouseRules
from services.rules.outcomes import HOUSE, Claim, Outcome, Stake
from services.rules.ranking import four_knives as knives_ladder
from services.rules.ranking import niu_niu as niu_niu_ladder
from services.rules.ranking import san_gong as san_gong_ladder
from services.rules.ranking import tui_tong_zi as tiles_ladder

CARDS = {card: 1 << place for place, card in enumerate(PACK_52)}


def best(game_id: str, **keys: Any) -> dict[str, Fraction]:
    """Return what every bet of a game brings back."""
    game = catalogue.game(game_id)
    found = game.best_returns(msgspec.convert(keys, game.rules_type))
    assert found is not None
    return found


def test_san_gong_wins_by_category_over_all_pairs_of_hands() -> None:
    """Each hand beats the lower ones that share no card with it: counted for all 22 100 hands."""
    hands = sorted((san_gong_ladder.online(hand), hand) for hand in combinations(PACK_52, 3))
    hands.sort(key=lambda entry: entry[0].key)
    lower: defaultdict[int, int] = defaultdict(int)
    wins: Counter[str] = Counter()
    for place, (ranked, hand) in enumerate(hands):
        parts = [(size, sum(CARDS[card] for card in part)) for size in (1, 2) for part in combinations(hand, size)]
        wins[ranked.category] += place + sum((-1) ** size * lower[part] for size, part in parts)
        for _, part in parts:
            lower[part] += 1
    assert wins == san_gong_banker.WINS
    assert 2 * wins.total() == san_gong_banker.PAIRS_OF_HANDS == comb(52, 3) * comb(49, 3)


@pytest.mark.parametrize("white_half", [True, False])
def test_tile_wins_and_ties_by_category_over_all_pairs_of_hands(white_half: bool) -> None:
    """All 548 340 pairs of two tiles each, by kinds of tiles."""
    of_kind = Counter(TILES_40)
    pairs = list(combinations_with_replacement(sorted(of_kind), 2))
    wins: Counter[str] = Counter()
    ties: Counter[str] = Counter()
    for mine in pairs:
        own, ways = tiles_ladder.rank(mine, white_half=white_half), many(Counter(mine), of_kind)
        for theirs in pairs:
            both = ways * many(Counter(theirs), of_kind - Counter(mine))
            other = tiles_ladder.rank(theirs, white_half=white_half)
            if own.key > other.key:
                wins[own.category] += both
            elif own.key == other.key:
                ties[own.category] += both
    assert (wins, ties) == (tui_tong_zi.WINS, tui_tong_zi.TIES)
    assert 2 * wins.total() + ties.total() == tui_tong_zi.PAIRS_OF_HANDS


def many(hand: Counter[str], left: Counter[str]) -> int:
    """Return in how many ways a hand of these kinds is drawn from what is left."""
    ways = 1
    for kind, count in hand.items():
        ways *= comb(left[kind], count)
    return ways


def test_niu_niu_wins_by_category_in_a_sample() -> None:
    """In 20 000 pairs of hands each category wins as often as counted, within four standard errors."""
    rng, rounds = Random("niu niu"), 20_000
    found: Counter[str] = Counter()
    for _ in range(rounds):
        cards = rng.sample(PACK_52, 10)
        one, other = niu_niu_ladder.home(cards[:5]), niu_niu_ladder.home(cards[5:])
        found[max(one, other, key=lambda ranked: ranked.key).category] += 1
    assert 2 * sum(niu_niu.WINS.values()) == niu_niu.PAIRS_OF_HANDS == comb(52, 5) * comb(47, 5)
    for category, count in niu_niu.WINS.items():
        share = 2 * count / niu_niu.PAIRS_OF_HANDS
        assert abs(found[category] / rounds - share) < 4 * sqrt(share * (1 - share) / rounds), category


def test_four_knives_with_every_hand_laid_the_best_way() -> None:
    """All kinds of both hands by rank: of its ways each hand takes the one that brings most against the house's way."""
    kinds = [(Counter(ranks), cards_of(ranks)) for ranks in combinations_with_replacement("A23456789TJQK", 4)]
    banks = []
    for counts, cards in kinds:
        low, high = map(knives_ladder.pile, knives_ladder.house_way(cards))
        banks.append((counts, knives_ladder.knives(cards), low, high))
    of_rank = Counter(dict.fromkeys("A23456789TJQK", 4))
    found: Counter[str] = Counter()
    for counts, cards in kinds:
        own, ways = knives_ladder.knives(cards), many(counts, of_rank)
        piles = {(knives_ladder.pile(low), knives_ladder.pile(high)) for low, high in knives_ladder.ways(cards)}
        results = {laid: [0, 0, 0] for laid in piles}
        left = of_rank - counts
        for theirs, bank, bank_low, bank_high in banks:
            both = ways * many(theirs, left)
            if both and own > bank:
                found["knives"] += both
            elif both and not bank:
                for laid, result in results.items():
                    result[(laid[0] > bank_low) + (laid[1] > bank_high)] += both
        if not own:
            lost, pushed, won = max(results.values(), key=lambda result: result[2] - result[0])
            found.update({"lost": lost, "pushed": pushed, "won": won})
    assert found == four_knives.BEST_LAID
    assert found.total() + found["knives"] == comb(52, 4) * comb(48, 4)


def cards_of(ranks: tuple[str, ...]) -> list[str]:
    """Return cards of these ranks, each of another suit."""
    return [rank + "shdc"[place] for place, rank in enumerate(ranks)]


def test_high_suit_wins_and_what_good_hands_gain_in_a_sample() -> None:
    """An ante wins as often as counted, and hands above even gain what is counted, within four standard errors."""
    exact = sum(1 - Fraction(comb(51 - higher, 5), comb(51, 5)) for higher in range(13)) / 13
    assert Fraction(high_suit.WINS, high_suit.DEALS) == exact
    rng, rounds, gains = Random("high suit"), 20_000, []
    for _ in range(rounds):
        hand = rng.sample(PACK_52, 5)
        wins = sum(
            any(mine[1] == card[1] and RANKS.index(mine[0]) > RANKS.index(card[0]) for mine in hand)
            for card in PACK_52
            if card not in hand
        )
        gains.append(max(0, 2 * wins - 47) / 47)
    mean = sum(gains) / rounds
    error = sqrt(sum((gain - mean) ** 2 for gain in gains)) / rounds
    assert abs(mean - high_suit.GAINED / high_suit.DEALS) < 4 * error
    assert best("high_suit")["ante"] == Fraction(2 * high_suit.WINS + high_suit.GAINED, high_suit.DEALS)


@pytest.mark.parametrize("win_cap", ["none", "stake"])
@pytest.mark.parametrize("carry", [100, 150, 300, 500, 1000])
def test_the_net_of_a_carry_is_what_the_settlement_makes_of_it(carry: int, win_cap: str) -> None:
    """Every win and loss of niu_niu settled with one carry: no carry nets more than the best return says."""
    game = catalogue.game("niu_niu")
    rules = msgspec.convert({"fee_bps": 0, "win_cap": win_cap, "cover": 1}, game.rules_type)
    assert isinstance(rules, niu_niu.NiuNiuRules)
    net = 0
    for category, count in niu_niu.WINS.items():
        owed = 100 * rules.multipliers[category]
        net += count * sum(settled(rules, carry, owed * sign) for sign in (1, -1))
    returned = 1 + Fraction(net, 100 * niu_niu.PAIRS_OF_HANDS)
    exact = best("niu_niu", fee_bps=0, win_cap=win_cap, cover=1)["bet"]
    assert returned <= exact
    if carry == 100:
        assert returned == exact
    if win_cap == "stake":
        assert exact == 1


def settled(rules: HouseRules, carry: int, owed: int) -> int:
    """Return what a seat with so much carry nets of a claim of the house, or on it."""
    payer, payee = (HOUSE, 0) if owed > 0 else (0, HOUSE)
    outcome = Outcome(
        claims=(Claim(payer=payer, payee=payee, amount=abs(owed), why="bet"),),
        stakes=(Stake(seat=0, bet="bet", amount=100, turnover=100),),
        net_claims=True,
        cap_order=(0,),
    )
    return pipeline.settle(outcome, rules, {0: carry}, 0).net[0]


@pytest.mark.parametrize(
    ("game", "keys", "returned"),
    [
        ("niu_niu", {}, "1"),
        ("niu_niu", {"cover": 4}, "1.00168"),
        ("niu_niu", {"cover": 1, "win_cap": "stake"}, "1"),
        ("tui_tong_zi", {"banker": "house"}, "1"),
        ("tui_tong_zi", {"banker": "house", "win_cap": "none"}, "1.081541"),
        ("tui_tong_zi", {"banker": "house", "win_cap": "none", "cover": 3}, "1"),
        ("tui_tong_zi", {"banker": "house", "equal_hands": "banker"}, "0.988073"),
        ("san_gong_banker", {"banker": "house"}, "1"),
        ("bank", {"banker": "house"}, "1"),
        ("four_knives", {}, "0.995518"),
        ("four_knives", {"cover": 10}, "0.995086"),
        ("baccarat", {}, "0.987136"),
        ("suit_betting", {}, "1"),
        ("suit_betting", {"odds": {"seven": 13}}, "1.076923"),
    ],
)
def test_what_the_best_bet_of_a_game_returns(game: str, keys: dict[str, Any], returned: str) -> None:
    """The greatest return of any bet before the fee, with six digits."""
    greatest = max(best(game, **keys).values())
    assert f"{float(greatest):.6f}".rstrip("0").rstrip(".") == returned
    assert (greatest <= 1) == (float(returned) <= 1)


def test_wins_without_a_bound_on_losses_return_more_than_was_bet() -> None:
    """San gong banked by the house without a win cap: a carry of next to nothing loses next to nothing."""
    assert best("san_gong_banker", banker="house", win_cap="none")["multiple"] > Fraction(3, 2)
