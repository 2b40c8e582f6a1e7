"""Hands in words, their ranks, and who won which pot with what."""

from random import Random

import pytest
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_tables
from services.fairness.scripted import Script
from services.rules import actions, catalogue, worth
from services.rules.cards import HIDDEN
from services.rules.poker import words
from services.rules.ranking import five_cards, niu_niu, san_gong
from services.rules.ranking.ladder import LOW
from services.table import public_table
from tests.support.sittings import Sitting
from tests.table.test_ended_round import like

GAMES = list(catalogue.FILES)
POKER = [name for name in GAMES if catalogue.game(name).family == "poker"]
SHOWN = {
    "casino_holdem",
    "casino_war",
    "four_knives",
    "suit_betting",
    "high_suit",
    "bank",
    "shoot_dragon_gate",
    "blackjack",
    "baccarat",
    "ten_and_a_half",
    "niu_niu",
    "tui_tong_zi",
    "san_gong_banker",
}
"""Games beside those of poker and showdown whose hands are described in words."""
ROUNDS = 3
MOST_ROUNDS = 40
"""Rounds that are played at random until a hand of such a game was seen."""


@pytest.mark.parametrize("game", GAMES)
def test_hands_are_those_whose_cards_a_viewer_sees(game: str) -> None:
    """At every step each hand in words is a zone without a hidden card in the same view, named in three languages."""
    told = 0
    for number in range(MOST_ROUNDS):
        if number >= ROUNDS and (told or not _shows_hands(game)):
            break
        sitting, _ = like(game, number)
        rng = Random(f"{game} hands {number}")
        for _ in range(60):
            for viewer in (None, *sitting.table.core.seats):
                shown = wire_tables.view(sitting.table, viewer).round
                zones = [(zone.owner, zone.name, tuple(zone.cards)) for zone in shown.zones]
                for hand in shown.hands:
                    assert (hand.seat, hand.zone, tuple(hand.cards)) in zones
                    assert HIDDEN not in hand.cards
                    assert hand.words.en
                    assert hand.words.zh_hant
                    assert hand.words.zh_hans
                    assert not hand.category or hand.category in sitting.game.words
                    told += 1
            if sitting.table.round is None:
                break
            sitting.step(rng)
    assert told or not _shows_hands(game)


def _shows_hands(game: str) -> bool:
    return game in SHOWN or catalogue.game(game).family in {"poker", "showdown"}


@pytest.mark.parametrize("game", POKER)
def test_pots_go_to_the_best_hands_and_add_up(game: str) -> None:
    """Of each pot the shares and the rake are the whole; no hand shown beats a winner's, and the words are its own."""
    showdowns = 0
    for number in range(12):
        sitting, _ = like(game, number)
        sitting.finish(Random(f"{game} pots {number}"), lapses=0.0)
        before = wire_tables.view(sitting.table, None).round
        assert all(not share.HasField("amount") for pot in before.pot_results for share in pot.shares)
        sitting.settle()
        shown = wire_tables.view(sitting.table, None).round
        hands = {hand.seat: hand for hand in shown.hands}
        showdowns += bool(hands)
        assert sum(pot.amount for pot in shown.pot_results) == sum(shown.pots)
        for pot in shown.pot_results:
            assert pot.rake + sum(share.amount for share in pot.shares) == pot.amount
            for share in pot.shares:
                assert share.HasField("words") == bool(hands)
                if hands:
                    won_with = hands[share.seat]
                    assert share.words == (won_with.low.words if share.half == LOW else won_with.words)
        if hands:
            main = shown.pot_results[0].shares
            assert {seat for seat, hand in hands.items() if hand.rank == 1} == {
                share.seat for share in main if share.half != LOW
            }
            lowest = {seat for seat, hand in hands.items() if hand.low.rank == 1}
            assert lowest == {share.seat for share in main if share.half == LOW}
    assert showdowns


def holdem(deck: str) -> pb.RoundView:
    """Play a hand of two players to the showdown with this deck, all checking, and return how it ended."""
    sitting = Sitting("texas_holdem", first_button=0)
    sitting.sit({0: 500, 1: 500})
    sitting.script(Script(stocks=(tuple(deck.split()),)))
    sitting.start()
    while sitting.table.round is not None:
        waiting = sitting.table.round.waiting()
        assert waiting is not None
        able = {option.action for option in sitting.table.round.options(waiting.seats[0])}
        sitting.act(waiting.seats[0], actions.build("check" if "check" in able else "call", {}))
    assert sitting.table.core.phase == public_table.SETTLING
    sitting.settle()
    return wire_tables.view(sitting.table, None).round


def test_a_showdown_of_holdem_in_words() -> None:
    """Both hands with their best five cards, the winner's words beside the pot."""
    shown = holdem("Ks 7d Kh 7c 2c Kd 7h 2s 9s")
    hands = {hand.seat: hand for hand in shown.hands}
    said = sorted((hand.rank, hand.words.en, hand.words.zh_hant, " ".join(hand.best)[:1]) for hand in hands.values())
    assert [one[0] for one in said] == [1, 2]
    assert said[0][1:3] == ("full house, kings over deuces", "葫蘆，K帶2")
    assert said[1][1:3] == ("full house, sevens over deuces", "葫蘆，7帶2")
    [pot] = shown.pot_results
    assert pot.shares[0].words.en == "full house, kings over deuces"


@pytest.mark.parametrize(
    ("cards", "en", "zh_hant", "best"),
    [
        ("As Kd 9h 7c 3s 2d Jc", "ace high", "無爛，最大A", "As Kd Jc 9h 7c"),
        ("As Ad 9h 7c 3s 2d Jc", "pair of aces", "一對A", "As Ad Jc 9h 7c"),
        ("6s 6d 2h 2c 3s Kd Jc", "two pair, sixes and deuces", "二對6、2", "6s 6d 2h 2c Kd"),
        ("Ts Td Th 2c 3s Kd Jc", "three tens", "三條10", "Ts Td Th Kd Jc"),
        ("As 2d 3h 4c 5s Kd Kc", "five-high straight", "順子，最大5", "5s 4c 3h 2d As"),
        ("As Qs 3s 4s 5s 7d Kc", "ace-high flush", "同花，最大A", "As Qs 5s 4s 3s"),
        ("9s 9d 9h 2c 2s Kd Jc", "full house, nines over deuces", "葫蘆，9帶2", "9s 9d 9h 2c 2s"),
        ("9s 9d 9h 9c 2s Kd Jc", "four nines", "鐵支9", "9s 9d 9h 9c Kd"),
        ("9s 8s 7s 6s 5s Kd Jc", "nine-high straight flush", "同花順，最大9", "9s 8s 7s 6s 5s"),
        ("As Ks Qs Js Ts Kd Jc", "royal flush", "皇家同花順", "As Ks Qs Js Ts"),
    ],
)
def test_the_best_five_of_seven_in_words(cards: str, en: str, zh_hant: str, best: str) -> None:
    """Each category says the ranks that decide it; the cards that count come weightiest first."""
    dealt = cards.split()
    found = worth.of_seven(dealt, five_cards.plain(dealt), words.FIVE_CARDS)
    assert found.words is not None
    assert (found.words.en, found.words.zh_hant, " ".join(found.best)) == (en, zh_hant, best)


@pytest.mark.parametrize(
    ("cards", "en", "zh_hans"),
    [
        ("As Ad Ah", "three aces", "豹子A"),
        ("As 2d 3h", "three-high straight", "顺子，最大3"),
        ("Ks Kd 3h", "pair of kings", "对子K"),
        ("Ks Ts 3s", "king-high flush", "同花（金花），最大K"),
    ],
)
def test_three_cards_in_words(cards: str, en: str, zh_hans: str) -> None:
    """Win three cards: the same words by its own categories."""
    found = worth.of_three(cards.split(), 1, words.THREE_CARDS)
    assert found.words is not None
    assert (found.words.en, found.words.zh_hans) == (en, zh_hans)


def test_counting_games_say_points_or_their_category() -> None:
    """Points where a hand counts them, else the category's word; those of a niu are named so."""
    counted = worth.of_ranked(san_gong.online(("Ks", "4d", "3h")))
    assert counted.words is not None
    assert (counted.words.en, counted.words.zh_hant, counted.points) == ("7 points", "7點", 7)
    assert worth.of_ranked(san_gong.online(("Ks", "Kd", "Kh"))).words is None
    niu = worth.of_ranked(niu_niu.tongbi(("Ks", "Qd", "Jh", "4c", "3s")), "牛")
    assert niu.words is not None
    assert (niu.words.en, niu.words.zh_hant) == ("niu 7", "牛七")
    whole = worth.of_ranked(niu_niu.tongbi(("Ks", "Qd", "Jh", "7c", "3s")), "牛")
    assert (whole.category, whole.words) == ("niu_niu", None)


def test_the_total_of_a_hand_is_in_the_view_while_it_is_played() -> None:
    """Twenty-one: each player's open hand has its total before anybody hits."""
    sitting = Sitting("blackjack")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    sitting.on_timeout()
    assert sitting.table.round is not None
    [own] = [hand for hand in wire_tables.view(sitting.table, 1).round.hands if hand.seat == 1]
    assert own.points == int(own.words.en.split()[0])
    assert own.words.zh_hant == f"{own.points}點"


@pytest.mark.parametrize("game", [name for name in GAMES if catalogue.game(name).family in {"tricks", "climbing"}])
def test_an_ended_round_says_what_each_seat_came_to(game: str) -> None:
    """Every seat of the ended round has its result in three languages, and no seat has one while it runs."""
    sitting, _ = like(game, 1)
    rng = Random(f"{game} results")
    for _ in range(2000):
        shown = wire_tables.view(sitting.table, None).round
        if shown.state != pb.ROUND_STATE_RUNNING:
            break
        assert not any(seat.HasField("result") for seat in shown.seats)
        sitting.step(rng)
    assert shown.state == pb.ROUND_STATE_ENDED
    assert all(seat.result.en and seat.result.zh_hant and seat.result.zh_hans for seat in shown.seats)
