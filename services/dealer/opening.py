"""Opening a table: the game, its house rules and stake checked and written down for good."""

from typing import Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import house_rules
from services.rules import catalogue, chips
from services.rules.game import Game, HouseRules
from services.runtime.errors import Problem, Reason, invalid
from services.runtime.identity import Caller
from services.runtime.settings import Settings
from services.table import events

TEST_CURRENCY: Final = "XTS"
"""Currency of test tables (the code that ISO 4217 reserves for testing); it is in no report."""

LONGEST_TITLE: Final = 60
STAKE_KEYS: Final = ("big_blind", "base", "ante", "min_bet", "stake")
"""House rules that name a game's stake, the first that a game has."""


def game_named(game_id: str) -> Game:
    """Find a game. Raises Problem (``UNKNOWN_GAME``)."""
    if game_id not in catalogue.FILES:
        raise Problem(Reason.UNKNOWN_GAME, f"there is no game {game_id!r}; ListGames shows all")
    return catalogue.game(game_id)


def stake_of(rules: HouseRules) -> int:
    """Give the stake that lists show, in chips."""
    found = (getattr(rules, key, None) for key in STAKE_KEYS)
    return next((value for value in found if isinstance(value, int)), 0)


def opening(request: pb.CreateTableRequest, caller: Caller, settings: Settings) -> tuple[events.Opening, list[str]]:
    """Check a request and write down the table; gives warnings for its creator too. Raises Problem."""
    game = game_named(request.game)
    rules = house_rules.house_rules(game, request.house_rules)
    test = request.test or caller.test
    currency = request.currency or (TEST_CURRENCY if test else settings.default_currency)
    if test != (currency == TEST_CURRENCY):
        message = f"test tables, and they alone, play for {TEST_CURRENCY}, not for {currency!r}"
        raise Problem(Reason.WRONG_CURRENCY, message, fields=[("currency", message)])
    if not (currency.isascii() and currency.isupper() and 3 <= len(currency) <= 8):  # noqa: PLR2004 - as settings say
        raise invalid("currency", "three to eight capital letters")
    if len(request.title) > LONGEST_TITLE or not request.title.isprintable():
        raise invalid("title", f"at most {LONGEST_TITLE} printable characters")
    least = request.least_buy_in or max(1, game.least_carry(rules))
    if not 1 <= least <= chips.MOST_CHIPS:
        raise invalid("least_buy_in", f"1 to {chips.MOST_CHIPS} chips")
    if request.greatest_buy_in and not least <= request.greatest_buy_in <= chips.MOST_CHIPS:
        raise invalid("greatest_buy_in", f"0 for none, or {least} to {chips.MOST_CHIPS} chips")
    first_button = request.first_button if request.HasField("first_button") else None
    if first_button is not None and not 0 <= first_button < (rules.max_seats or 1 << 20):
        raise invalid("first_button", f"a seat from 0 to {rules.max_seats - 1}")
    made = events.Opening(
        game=game.id,
        family=game.family,
        rules_version=game.version,
        rules=msgspec.to_builtins(rules),
        title=request.title or game.name.en,
        currency=currency,
        stake=stake_of(rules),
        max_seats=rules.max_seats,
        least_buy_in=least,
        greatest_buy_in=request.greatest_buy_in,
        test=test,
        scripted=settings.scripted_decks,
        first_button=first_button,
        opened_by=caller.subject,
    )
    return made, game.warnings(rules)
