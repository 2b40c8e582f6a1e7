"""Exact returns to player in the catalogue: enumerated here over every outcome there is."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb
from random import Random

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline, returns
from services.rules import actions, catalogue, simulate
from services.rules.banker import (
    baccarat,
    casino_holdem,
    san_gong_live,
    suit_betting,
    ten_and_a_half,
)
from services.rules.cards import PACK_52, RANKS
from services.rules.game import HouseRules, Table
from services.rules.ranking import san_gong, three_cards
from tests.support.chances import Recording


def exact_returns(game_id: str, rules: HouseRules) -> dict[str, Fraction]:
    """Return the catalogue's return of each bet."""
    payouts = catalogue.game(game_id).payouts(rules)
    return {entry.bet: Fraction(entry.exact_return) for entry in payouts if entry.exact_return is not None}


@pytest.mark.parametrize("keys", [{"fee_bps": 0}, {"fee_bps": 500}, {"fee_bps": 0, "odds": {"seven": 11, "heart": 2}}])
def test_suit_betting_returns_by_playing_all_52_cards(keys: dict[str, object]) -> None:
    """A bet of 1000 on each spot, settled for every card, returns the catalogue's figure."""
    game = catalogue.game("suit_betting")
    rules = msgspec.convert(keys, suit_betting.SuitBettingRules)
    for spot, exact in exact_returns("suit_betting", rules).items():
        net = 0
        for card in PACK_52:
            chance = ScriptedChance(Script(stocks=((card,),)))
            round_, _ = game.start(rules, Table(chips={0: 1000}), chance)
            round_.act(0, actions.PlaceBet(spot, 1000), chance)
            round_.act(0, actions.Done(), chance)
            assert round_.outcome is not None
            net += pipeline.settle(round_.outcome, rules, round_.carry, 0).net[0]
        assert exact == 1 + Fraction(net, 1000 * len(PACK_52)), spot


def test_suit_betting_odds_are_fair() -> None:
    """Without the fee every spot returns exactly what is bet [suit_betting D2]."""
    assert set(exact_returns("suit_betting", suit_betting.SuitBettingRules(fee_bps=0)).values()) == {Fraction(1)}


SIZES: dict[int | str, int] = {**dict.fromkeys(range(1, 10), 4), "T": 4, "K": 12}
"""Kinds of cards that san_gong_live tells apart in a hand's points, and how many there are."""


def hands_by_kind(taken: Counter[int | str]) -> Iterator[tuple[tuple[str, ...], Counter[int | str], int]]:
    """Return every hand of three by kinds of cards, as cards, with the number of hands it stands for."""
    for kinds in combinations_with_replacement(SIZES, 3):
        counts = Counter(kinds)
        ways = 1
        for kind, count in counts.items():
            ways *= comb(SIZES[kind] - taken[kind], count)
        if ways:
            suits = iter("shd")
            yield tuple(("A" if kind == 1 else str(kind)) + next(suits) for kind in kinds), counts, ways


@pytest.mark.parametrize("tie_rule", ["points_then_courts", "points"])
def test_san_gong_live_returns_over_all_pairs_of_hands(tie_rule: str) -> None:
    """The spots on both hands, decided for every kind of both hands (407 170 400 deals), bring back what is stated."""
    rules = san_gong_live.SanGongLiveRules(tie_rule=tie_rule, san_gong_hand="either")
    spots = ("player_win", "player_lose", "tie", "san_gong")
    back: dict[str, int] = dict.fromkeys(spots, 0)
    courts = tie_rule == "points_then_courts"
    total = 0
    for mine, counts, ways in hands_by_kind(Counter()):
        player = san_gong.live(mine, count_courts=courts)
        for theirs, _, more in hands_by_kind(counts):
            bank = san_gong.live(theirs, count_courts=courts)
            total += ways * more
            for spot in spots:
                back[spot] += ways * more * (2 + (san_gong_live.pays(spot, 2, player, bank, "", rules) or 0))
    assert total == comb(52, 3) * comb(49, 3)
    exact = exact_returns("san_gong_live", rules)
    assert {spot: Fraction(chips, 2 * total) for spot, chips in back.items()} == {spot: exact[spot] for spot in spots}


def test_san_gong_live_side_bets_over_all_22100_hands() -> None:
    """三公 and 對牌以上 on the player's hand have the catalogue's return."""
    rules = san_gong_live.SanGongLiveRules()
    back = Counter[str]()
    other = san_gong.live(["2s", "3s", "4s"], count_courts=True)
    for hand in combinations(PACK_52, 3):
        own = san_gong.live(hand, count_courts=True)
        plus = three_cards.category(three_cards.strength(hand))
        for spot in ("san_gong", "pair_plus"):
            won = san_gong_live.pays(spot, 1, own, other, plus, rules)
            assert won is not None
            back[spot] += 1 + won
    exact = exact_returns("san_gong_live", rules)
    assert {spot: Fraction(back[spot], comb(52, 3)) for spot in back} == {
        spot: exact[spot] for spot in ("san_gong", "pair_plus")
    }
    # Counted by hand: 12 courts; 220 court hands; pair plus 48 × 40 + 52 × 30 + 720 × 6 + 1096 × 3 + 3744 × 1.
    assert exact["san_gong"] == Fraction(17 * 220, 22100)
    assert exact["pair_plus"] == Fraction(48 * 41 + 52 * 31 + 720 * 7 + 1096 * 4 + 3744 * 2, 22100)


SEED_STANDS = {3: {8}, 4: {0, 1, 8, 9}, 5: {0, 1, 2, 3, 8, 9}, 6: {0, 1, 2, 3, 4, 5, 8, 9}}
"""The third cards on which the banker stands, as home-games.txt lists them, 百家樂 (6) B."""


@pytest.mark.parametrize("own", range(10))
def test_bankers_third_card_is_the_seeds(own: int) -> None:
    """The banker draws on every third card that the seed does not name, and never on 7, 8, 9."""
    cards = {0: "Ks", 1: "As", **{value: f"{value}s" for value in range(2, 10)}}
    for third, card in cards.items():
        draws = baccarat.banker_draws(own, 4, card, naturals_end=True)
        assert draws == (own < 7 and third not in SEED_STANDS.get(own, set())), (own, third)


def baccarat_orders(*, naturals_end: bool) -> Iterator[tuple[int, int, int]]:
    """Return every deal of one seat and the banker by values: seat's two-card points, who wins (1, 0, −1), how many."""
    left = [16] + [4] * 9
    for first in product(range(10), repeat=4):
        ways, deck = 1, left.copy()
        for value in first:
            ways *= deck[value]
            deck[value] -= 1
        if ways <= 0:
            continue
        seat, bank = (first[0] + first[1]) % 10, (first[2] + first[3]) % 10
        for mine, theirs, more in third_cards(seat, bank, deck, naturals_end=naturals_end):
            yield seat, (mine > theirs) - (mine < theirs), ways * more


def third_cards(seat: int, bank: int, deck: list[int], *, naturals_end: bool) -> Iterator[tuple[int, int, int]]:
    """Draw third cards by the sheet; each end stands for all orders of two more cards (48 × 47)."""
    if naturals_end and bank >= 8:
        yield seat, bank, 48 * 47
    elif seat <= 5:
        for third in range(10):
            if not deck[third]:
                continue
            if bank < 7 and third not in SEED_STANDS.get(bank, set()):
                for last in range(10):
                    yield (seat + third) % 10, (bank + last) % 10, deck[third] * (deck[last] - (last == third))
            else:
                yield (seat + third) % 10, bank, deck[third] * 47
    elif bank <= 5 and not (naturals_end and seat >= 8):
        for last in range(10):
            yield seat, (bank + last) % 10, deck[last] * 47
    else:
        yield seat, bank, 48 * 47


@pytest.mark.parametrize("naturals_end", [True, False])
def test_baccarat_return_over_all_deals_of_six_cards(naturals_end: bool) -> None:
    """A single seat with a fresh deck wins, loses and ties as often as in the catalogue."""
    results = Counter[int]()
    for _, result, ways in baccarat_orders(naturals_end=naturals_end):
        results[result] += ways
    assert results == baccarat.RESULTS[naturals_end]
    assert results.total() == 52 * 51 * 50 * 49 * 48 * 47
    exact = exact_returns("baccarat", baccarat.BaccaratRules(naturals_end=naturals_end))["bet"]
    assert exact == 1 + Fraction(results[1] - results[-1], results.total())


def test_baccarat_by_the_seats_first_two_cards() -> None:
    """A seat that sees 9, 8 or 7 wins about 91, 72 or 29 % of its bet, one with 0–5 loses 18–37 % [baccarat D5]."""
    cases, won = Counter[int](), Counter[int]()
    for seat, result, ways in baccarat_orders(naturals_end=True):
        cases[seat] += ways
        won[seat] += ways * result
    share = {seat: round(100 * won[seat] / cases[seat]) for seat in cases}
    assert (share[9], share[8], share[7]) == (91, 72, 29)
    assert {share[seat] for seat in range(6)} <= set(range(-37, -17))
    assert (min(share[seat] for seat in range(6)), max(share[seat] for seat in range(6))) == (-37, -18)


def first_fives() -> Iterator[tuple[list[str], int]]:
    """Return all 2 598 960 first five cards by kind: cards, and for how many suits they stand."""
    for ranks in combinations_with_replacement(RANKS, 5):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        ways = 1
        for count in counts.values():
            ways *= comb(4, count)
        if len(counts) == 5:
            yield [rank + "s" for rank in ranks], 4
            ways -= 4
        seen = Counter[str]()
        mixed = []
        for at, rank in enumerate(ranks):
            mixed.append(rank + ("shdc"[seen[rank]] if len(counts) < 5 else "sh"[at == 0]))
            seen[rank] += 1
        yield mixed, ways


def test_casino_holdem_bonus_over_all_starts() -> None:
    """The bonus loses 5809/92820 of each chip and hits 10.875889 % over all 2 598 960 first five cards."""
    hands, back, total = Counter[str](), 0, 0
    for cards, ways in first_fives():
        total += ways
        odds = casino_holdem.bonus_odds(cards)
        if odds is not None:
            hands[casino_holdem.category(cards)] += ways
            back += ways * (1 + odds)
    assert total == casino_holdem.ALL_STARTS == comb(52, 5)
    assert hands == casino_holdem.BONUS_HANDS
    assert Fraction(back, total) == 1 - Fraction(5809, 92820)
    assert exact_returns("casino_holdem", casino_holdem.CasinoHoldemRules())["bonus"] == Fraction(back, total)
    assert round(100 * hands.total() / total, 6) == 10.875889


@pytest.mark.parametrize(("stands_on", "edge"), [(6, 0.025), (7, 0.07)])
def test_ten_and_a_half_edge_is_the_sheets(stands_on: int, edge: float) -> None:
    """Against a house that stands on 6 good players lose about 2½ %, on 7 about 7 % [ten_and_a_half D1]."""
    game = catalogue.game("ten_and_a_half")
    rng = Random(f"ten {stands_on}")
    rules = ten_and_a_half.TenAndAHalfRules(banker_stands_on=stands_on)
    strategy = simulate.strategy_of(game, rng)
    found = returns.run(game, rules, {0: 1000}, 10_000, chance=Recording(rng), strategy=strategy)
    line = found.lines["bet"]
    assert line.placed == 10_000
    assert abs(line.house_edge - edge) < 2.5758 * line.standard_error
