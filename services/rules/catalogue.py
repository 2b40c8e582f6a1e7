"""All games of the house by id and version.

The code of a new game is one new file and one line here; ``docs/adding-a-game.md`` lists what else belongs to a game.
"""

import functools
import importlib
from typing import Final

from services.rules import fact_words, offers
from services.rules.game import Game
from services.rules.refusals import Reason, Refused
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
    "omaha_hi_lo": "poker.omaha_hi_lo",
    "short_deck": "poker.short_deck",
    "deuce_to_seven_triple_draw": "poker.deuce_to_seven_triple_draw",
    "badugi": "poker.badugi",
    "razz": "poker.razz",
    "seven_card_stud_hi_lo": "poker.seven_card_stud_hi_lo",
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
    "casino_war": "banker.casino_war",
    # tricks
    "endurance": "tricks.endurance",
    "honeymoon": "tricks.honeymoon",
    "napoleon": "tricks.napoleon",
    "spoil_five": "tricks.spoil_five",
    "loo": "tricks.loo",
    "whist": "tricks.whist",
    # climbing
    "dou_dizhu": "climbing.dou_dizhu",
    "big_two": "climbing.big_two",
    # survival
    "ninety_nine": "survival.ninety_nine",
    "nickname": "survival.nickname",
    "pull_cart": "survival.pull_cart",
    "war": "survival.war",
    "count_off": "survival.count_off",
}
"""The file of each game, below ``services.rules``: it holds the newest version as ``GAME``, and earlier ones, where the
rules have changed, in a tuple ``PAST``."""


class UnknownRules(Refused):
    """The rules of a version of a game are not in this house: a later release wrote them down, or nobody did."""

    def __init__(self, game_id: str, version: int) -> None:
        known = versions(game_id)
        self.known = ", ".join(map(str, known)) or "no version"
        message = f"version {version} of {game_id[:64]!r} is not in this house; it knows {self.known}"
        super().__init__(Reason.UNKNOWN_RULES, message, metadata={"rules_version": version, "known": self.known})


@functools.cache
def game(game_id: str, version: int | None = None) -> Game:
    """Return a version of a game by its id, without a version the newest.

    Raises KeyError for an id that is not in the catalogue, UnknownRules for a version that is not kept.
    """
    if version is None:
        return _newest(game_id)
    found = _kept(game_id).get(version)
    if found is None:
        raise UnknownRules(game_id, version)
    return found


def nearest(game_id: str, version: int) -> Game:
    """Return a version of a game, or the newest where that one is not kept: for words and hints, never to decide by."""
    try:
        return game(game_id, version)
    except UnknownRules:
        return game(game_id)


def versions(game_id: str) -> tuple[int, ...]:
    """List the versions of a game that are kept, the oldest first; none of an id that is not in the catalogue."""
    return tuple(sorted(_kept(game_id)))


def _newest(game_id: str) -> Game:
    found: Game = importlib.import_module(f"services.rules.{FILES[game_id]}").GAME
    assert found.id == game_id, f"{FILES[game_id]} calls itself {found.id}, the catalogue {game_id}"
    return found


def _kept(game_id: str) -> dict[int, Game]:
    """Return the versions of a game that its file keeps: ``GAME`` and, where the rules have changed, ``PAST``."""
    if game_id not in FILES:
        return {}
    newest = _newest(game_id)
    past: tuple[Game, ...] = getattr(importlib.import_module(f"services.rules.{FILES[game_id]}"), "PAST", ())
    kept = {one.version: one for one in (*past, newest)}
    assert len(kept) == len(past) + 1, f"{game_id} has two games of one version"
    assert newest.version == max(kept), f"{game_id} keeps version {max(kept)} as a past one of {newest.version}"
    assert {(one.id, one.family) for one in past} <= {(game_id, newest.family)}, f"{game_id} keeps another game"
    return kept


def games() -> list[Game]:
    """List all games in the order of the catalogue."""
    return [game(game_id) for game_id in FILES]


def vocabulary(entry: Game) -> list[Term]:
    """List every word of a game by kind, with its text."""
    return list(Term.listed(entry.terms, {**offers.WORDS, **fact_words.WORDS, **entry.words}))


def families() -> list[str]:
    """List the families in the order of the catalogue."""
    return list(dict.fromkeys(entry.family for entry in games()))
