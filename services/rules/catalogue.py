"""All games of the house by id.

The code of a new game is one new file and one line here; ``docs/adding-a-game.md`` lists what else belongs to a game.
"""

import functools
import importlib
from typing import Final

from services.rules import fact_words, offers
from services.rules.game import Game
from services.rules.vocabulary import Term

FILES: Final[dict[str, str]] = {
    # poker
    "five_card_stud": "poker.five_card_stud",
    "seven_card_stud": "poker.seven_card_stud",
    "texas_holdem": "poker.texas_holdem",
    "royal_holdem": "poker.royal_holdem",
    "omaha": "poker.omaha",
    "five_card_draw": "poker.five_card_draw",
    "zha_jin_hua": "poker.zha_jin_hua",
    # showdown
    "tongbi_san_gong": "showdown.tongbi_san_gong",
    "tongbi_niu_niu": "showdown.tongbi_niu_niu",
    "san_gong": "showdown.san_gong",
    # banker
    "blackjack": "banker.blackjack",
    "baccarat": "banker.baccarat",
    "ten_and_a_half": "banker.ten_and_a_half",
    "suit_betting": "banker.suit_betting",
    "san_gong_banker": "banker.san_gong_banker",
    "san_gong_live": "banker.san_gong_live",
    "tui_tong_zi": "banker.tui_tong_zi",
    "four_knives": "banker.four_knives",
    "niu_niu": "banker.niu_niu",
    "high_suit": "banker.high_suit",
    "bank": "banker.bank_rows",
    "shoot_dragon_gate": "banker.shoot_dragon_gate",
    "casino_holdem": "banker.casino_holdem",
    # tricks
    "endurance": "tricks.endurance",
    "honeymoon": "tricks.honeymoon",
    "napoleon": "tricks.napoleon",
    "spoil_five": "tricks.spoil_five",
    "loo": "tricks.loo",
    # climbing
    "dou_dizhu": "climbing.dou_dizhu",
    # survival
    "ninety_nine": "survival.ninety_nine",
    "nickname": "survival.nickname",
    "pull_cart": "survival.pull_cart",
    "war": "survival.war",
    "count_off": "survival.count_off",
}
"""The file of each game, below ``services.rules``; it holds one object ``GAME``."""


@functools.cache
def game(game_id: str) -> Game:
    """Return a game by its id. Raises KeyError for an id that is not in the catalogue."""
    module = importlib.import_module(f"services.rules.{FILES[game_id]}")
    found: Game = module.GAME
    assert found.id == game_id, f"{FILES[game_id]} calls itself {found.id}, the catalogue {game_id}"
    return found


def games() -> list[Game]:
    """List all games in the order of the catalogue."""
    return [game(game_id) for game_id in FILES]


def vocabulary(entry: Game) -> list[Term]:
    """List every word of a game by kind, with its text."""
    return list(Term.listed(entry.terms, {**offers.WORDS, **fact_words.WORDS, **entry.words}))


def families() -> list[str]:
    """List the families in the order of the catalogue."""
    return list(dict.fromkeys(entry.family for entry in games()))
