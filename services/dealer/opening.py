"""Opening a table: the game, its house rules and stake checked and written down for good."""

from typing import Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import house_rules, requests, wire_templates
from services.house import templates
from services.house.templates import Terms
from services.rules import catalogue, chips
from services.rules.game import Game, HouseRules
from services.runtime.errors import Problem, Reason, invalid
from services.runtime.identity import Caller, Role
from services.runtime.settings import TEST_CURRENCY, Settings
from services.table import events

LONGEST_TITLE: Final = 60


def game_named(game_id: str) -> Game:
    """Find a game. Raises Problem (``UNKNOWN_GAME``)."""
    if game_id not in catalogue.FILES:
        raise Problem(Reason.UNKNOWN_GAME, f"there is no game {game_id!r}; ListGames shows all")
    return catalogue.game(game_id)


def opening(
    request: pb.CreateTableRequest, caller: Caller, settings: Settings, terms: Terms | None
) -> tuple[events.Opening, list[str]]:
    """Check a request against its template and write down the table; gives warnings for its creator too.

    ``terms`` None: a test table with rules of its own. Raises Problem.
    """
    game = game_named(terms.game if terms else request.game)
    staff = caller.role is not Role.PLAYER
    if terms is None:
        rules = house_rules.house_rules(game, request.house_rules)
    else:
        rules = house_rules.varied(terms, game, request.house_rules, staff=staff)
        _refuse_closed(terms, request, staff=staff)
    test = request.test or caller.test
    least, greatest = _buy_ins(request, game, rules, terms)
    made = events.Opening(
        game=game.id,
        family=game.family,
        rules_version=game.version,
        rules=msgspec.to_builtins(rules),
        title=requests.text(request.title, "title", LONGEST_TITLE) or (terms.title if terms else game.name.en),
        currency=_currency(request, settings, terms, test=test),
        stake=templates.stake_of(rules),
        max_seats=rules.max_seats,
        least_buy_in=least,
        greatest_buy_in=greatest,
        test=test,
        scripted=settings.scripted_decks,
        first_button=_first_button(request, rules),
        opened_by=caller.subject,
        template=terms.template_id if terms else "",
        template_version=terms.version if terms else 0,
        private=request.private,
        least_return=wire_templates.least_return(terms.appraisal) if terms else "",
    )
    return made, game.warnings(rules)


def has_rules_of_its_own(request: pb.CreateTableRequest, caller: Caller, settings: Settings) -> bool:
    """Whether a request is for a test table of a house with scripted decks, where staff choose any rules."""
    return settings.scripted_decks and request.test and caller.role is not Role.PLAYER and not request.template_id


def _refuse_closed(terms: Terms, request: pb.CreateTableRequest, *, staff: bool) -> None:
    """Refuse what a template does not leave open, besides house rules. Raises Problem with every wrong field."""
    able = terms.open_to(staff=staff)
    given = {"title": (templates.TITLE, request.title, terms.title)}
    for name in ("least_buy_in", "greatest_buy_in"):
        given[name] = (templates.BUY_IN, getattr(request, name), getattr(terms, name))
    wrong = [
        (name, f"{value!r}: template {terms.template_id} fixes it; leave it out")
        for name, (field, value, own) in given.items()
        if value and value != own and field not in able
    ]
    if request.game and request.game != terms.game:
        wrong.append(("game", f"{request.game!r}: template {terms.template_id} is one of {terms.game}; leave it out"))
    if wrong:
        message = "; ".join(f"{name}: {what}" for name, what in wrong)
        raise Problem(Reason.INVALID_ARGUMENT, message, fields=wrong)


def _currency(request: pb.CreateTableRequest, settings: Settings, terms: Terms | None, *, test: bool) -> str:
    known = settings.all_currencies()
    currency = requests.currency(request.currency or (TEST_CURRENCY if test else settings.default_currency), known)
    if test != (currency == TEST_CURRENCY):
        message = f"test tables, and they alone, play for {TEST_CURRENCY}, not for {currency!r}"
        raise Problem(Reason.WRONG_CURRENCY, message, fields=[("currency", message)])
    if terms is not None and terms.currencies and currency not in terms.currencies and not test:
        message = f"template {terms.template_id} is played for {', '.join(terms.currencies)}, not for {currency!r}"
        raise Problem(Reason.WRONG_CURRENCY, message, fields=[("currency", message)])
    return currency


def _buy_ins(request: pb.CreateTableRequest, game: Game, rules: HouseRules, terms: Terms | None) -> tuple[int, int]:
    """Give the bounds of a buy-in: those asked for, within the template's. Raises Problem."""
    lowest = max(1, terms.least_buy_in if terms and terms.least_buy_in else 1)
    highest = terms.greatest_buy_in if terms and terms.greatest_buy_in else chips.MOST_CHIPS
    least = request.least_buy_in or max(lowest, game.least_carry(rules))
    if not lowest <= least <= highest:
        raise invalid("least_buy_in", f"{least}; it must be {lowest} to {highest} chips")
    greatest = request.greatest_buy_in or (terms.greatest_buy_in if terms else 0)
    if greatest and not least <= greatest <= highest:
        raise invalid("greatest_buy_in", f"{greatest}; 0 for none, or {least} to {highest} chips")
    return least, greatest


def _first_button(request: pb.CreateTableRequest, rules: HouseRules) -> int | None:
    first = request.first_button if request.HasField("first_button") else None
    if first is not None and not 0 <= first < (rules.max_seats or 1 << 20):
        raise invalid("first_button", f"{first}; it must be a seat from 0 to {rules.max_seats - 1}")
    return first
