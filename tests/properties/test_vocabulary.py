"""The closed lists of words: what views, options, events and results hold is listed, and what is listed occurs."""

from random import Random
from typing import Final

import pytest
from pitboss.v1 import actions_pb2, catalogue_pb2

from services.contract import wire_words
from services.rules import actions, catalogue, fact_words, random_play
from services.rules.ranking import dou_dizhu, five_cards, three_cards
from services.rules.refusals import Reason, Refused
from services.rules.vocabulary import Kind
from services.runtime import wordings
from tests.support import vocabularies, worlds
from tests.support.chances import Recording

GAMES: Final = list(catalogue.FILES)
LEAST_SITTINGS: Final = 4
MOST_SITTINGS: Final = 60
ROUNDS: Final = 3

LADDERS: Final = {
    *five_cards.CATEGORIES,
    *three_cards.CATEGORIES,
    *dou_dizhu.EQUAL_WINGS,
    dou_dizhu.ROCKET,
    dou_dizhu.BOMB,
    "royal_flush",
    *("da_san_gong", "zhi_zun", "five_court", "four_court", "da", "xiao", "hun", "san_gong", "ultimate", "niu_niu"),
    *("leopard", "two_eight", "pair", "natural", "four_knives"),
}
"""Hands that chance brings too seldom for a test; that each is ranked is shown by the tests of the rankings."""

SELDOM: Final[dict[str, dict[Kind, str]]] = {
    "blackjack": {  # two aces as the first two cards
        Kind.ZONE: "second",
        Kind.ACTION: "split",
        Kind.HAPPENING: "split",
    },
    "bank": {  # there are as many rows as seats
        Kind.WORD: " ".join(map(str, range(3, 16))),
        Kind.REASON: " ".join(map(str, range(3, 16))),
    },
    "shoot_dragon_gate": {  # a seat is out when it cannot pay another ante
        Kind.STATUS: "out",
        Kind.HAPPENING: "drops_out guessed",
        Kind.SUGGESTION: "pot",
    },
    "san_gong_live": {Kind.FACT: "player_hand bank_hand", Kind.REASON: "san_gong tie"},  # three court cards
    "honeymoon": {  # the end of a match
        Kind.REASON: "rest",
        Kind.HAPPENING: "match_over",
        Kind.FACT: "match_over",
    },
    "napoleon": {  # a card is laid face down in the first trick by a seat that holds trumps and spades only
        Kind.ACTION: "play_down",
        Kind.ARGUMENT: "card",
        Kind.WORD: "joker trumps",
        Kind.ZONE: "down",
        Kind.HAPPENING: "down decided no_bid won call adjutant",
        Kind.FACT: "action call adjutant",
    },
    "spoil_five": {Kind.REASON: "all_five"},  # one seat wins all tricks
    "loo": {  # three trumps in one hand; nobody supports
        Kind.REASON: "flush all_fold",
        Kind.HAPPENING: "flush all_fold",
        Kind.FACT: "flush",
    },
    "nickname": {Kind.ACTION: "set_nickname", Kind.ARGUMENT: "name"},  # between rounds
    "pull_cart": {Kind.STATUS: "out", Kind.HAPPENING: "out", Kind.FACT: "out"},  # a stack runs out
}
"""Words that random play reaches too seldom for a test, and why."""
BY_RULE: Final = {
    Kind.FACT: "banker house_banks banker_rounds chosen second_hand second_hands second_winners second_low second_lows"
    " second_low_winners",
    Kind.STATUS: "banker",
    Kind.ZONE: "bank second_board",
    Kind.REASON: "pot net rake bring_in complete ante post dead_blind straddle",
    Kind.ACTION: "bring_in straddle run_twice run_once reveal muck",
    Kind.ARGUMENT: "active",
    Kind.PHASE: "run_it show_or_muck",
}
"""Words that depend on house rules: whether a seat or the house banks, the rake, a win cap, bets that are set off,
the bring-in of stud, the straddle that is chosen between rounds, a second board, hands that may be mucked."""


def listed(game_id: str) -> set[vocabularies.Found]:
    """Return the words that the contract lists for a game."""
    kinds = {number: kind for kind, number in wire_words.KINDS.items()}
    return {(kinds[one.kind], one.word) for one in wire_words.vocabulary(catalogue.game(game_id))}


def seldom(game_id: str) -> set[vocabularies.Found]:
    """Return the words of a game that random play need not reach."""
    known = [SELDOM.get(game_id, {}), BY_RULE]
    some = {(kind, word) for words in known for kind, row in words.items() for word in row.split()}
    return some | {(kind, word) for kind in (Kind.WORD, Kind.REASON) for word in LADDERS}


@pytest.mark.parametrize("game_id", GAMES)
def test_the_lists_are_closed_and_hold_nothing_else(game_id: str) -> None:
    """No view, option, event or result holds a word that is not listed, and every listed word occurs."""
    game, known = catalogue.game(game_id), listed(game_id)
    found = {(Kind.REASON, payout.bet) for payout in game.payouts(game.rules_type())}
    for number in range(MOST_SITTINGS):
        missing = known - found - seldom(game_id)
        if number >= LEAST_SITTINGS and not missing:
            break
        found.update(vocabularies.played(game_id, f"words {number}", ROUNDS))
        assert not sorted(found - known), "the game shows words that it does not list"
    assert not sorted(missing), "the game lists words that never occur"


def test_every_field_of_text_is_known_to_hold_words_or_something_else() -> None:
    """A new field of text in the messages of tables must be said to hold a word of a kind, or no word."""
    fields = set(vocabularies.text_fields())
    assert fields == set(vocabularies.WORDS) | vocabularies.OTHERS
    assert not set(vocabularies.WORDS) & vocabularies.OTHERS


@pytest.mark.parametrize("game_id", GAMES)
def test_actions_and_arguments_are_spelled_as_the_contract_spells_them(game_id: str) -> None:
    """Each listed action is a kind of Action, each listed argument a field of one of them."""
    kinds = {field.name: field for field in actions_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields}
    words = listed(game_id)
    names = {word for kind, word in words if kind is Kind.ACTION}
    assert names <= set(kinds)
    messages = [message for name in names if (message := kinds[name].message_type) is not None]
    fields = {field.name for message in messages for field in message.fields}
    assert {word for kind, word in words if kind is Kind.ARGUMENT} <= fields


def test_every_text_is_of_a_listed_word() -> None:
    """No family keeps a text that none of its games lists, and no common fact is without a game."""
    games = catalogue.games()
    used: dict[str, set[str]] = {}
    for game in games:
        used.setdefault(game.family, set()).update(term.word for term in catalogue.vocabulary(game))
    assert [sorted(set(game.words) - used[game.family]) for game in games] == [[] for _ in games]
    assert set(fact_words.WORDS) <= set().union(*used.values())


def test_every_kind_has_its_number() -> None:
    """The kinds of the rules are those of the contract."""
    assert set(wire_words.KINDS.values()) == set(catalogue_pb2.WordKind.values()) - {0}


@pytest.mark.parametrize("game_id", GAMES)
def test_refusals_hold_reasons_that_have_texts(game_id: str) -> None:
    """Whatever a seat tries, a refusal's reason is of the closed list and has a text in each language."""
    game, rng = catalogue.game(game_id), Random(f"{game_id} refusals")
    rules = worlds.default_rules(game)
    table = next(worlds.rounds(game, rules, rng, 1))
    round_, _ = game.start(rules, table, Recording(rng))
    offers = [option for seat in round_.carry for option in round_.options(seat)]
    tried = [random_play.sample(offers, rng) for _ in range(20)] if offers else []
    tried += [actions.Fold(), actions.Check(), actions.Hit(), actions.Pass(), actions.Flip(), actions.Raise(to=10**6)]
    seen: set[Reason] = set()
    for seat in (*round_.carry, max(round_.carry) + 1):
        for action in tried:
            try:
                round_.verify(seat, action)
            except Refused as refused:
                seen.add(refused.reason)
    assert seen
    for reason in seen:
        text = wordings.TEXTS[reason]
        assert all((text.en, text.zh_hant, text.zh_hans))
