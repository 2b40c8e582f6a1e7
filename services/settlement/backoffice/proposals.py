"""The terms of a proposed template: read from the request, checked, and appraised where the game has a bank."""

import re
from typing import Final

import msgspec
from pitboss.v1 import back_office_pb2 as pb

from services.contract import house_rules, requests, wire_templates
from services.house import appraisal, standards, templates
from services.house.appraisal import HOUSE, Appraisal
from services.house.templates import Terms
from services.rules import catalogue, chips
from services.rules.game import Game, HouseRules
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.settings import Settings
from services.settlement.backoffice import trials

LONGEST_TITLE: Final = 60
MOST_CURRENCIES: Final = 20
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{2,39}").fullmatch
_OPENERS: Final = {number: word for word, number in wire_templates.OPENERS.items()}


async def terms(request: pb.ProposeTemplateRequest, settings: Settings) -> Terms:
    """Return the proposed terms. Raises Refused where they are invalid, or pay players more than they take."""
    game = _game(request)
    rules = house_rules.house_rules(game, request.house_rules)
    varies = wire_templates.field_words(request.varies, "varies")
    staff_varies = wire_templates.field_words(request.staff_varies, "staff_varies")
    if templates.is_banked(rules) and templates.PLAY in (*varies, *staff_varies):
        raise invalid("varies", f"{game.id} has a bank; rules of play are open in games without one only")
    stake = game.stake(rules)
    least, greatest = request.least_stake or stake, request.greatest_stake or stake
    if not 0 <= least <= stake <= greatest <= chips.MOST_CHIPS:
        message = f"from {least} to {greatest}; the range must hold the stake of the rules, {stake}"
        raise invalid("greatest_stake", f"{message}, and end at {chips.MOST_CHIPS}")
    _buy_ins(request, game, rules)
    return Terms(
        template_id=request.template_id,
        version=0,
        game=game.id,
        family=game.family,
        rules_version=game.version,
        title=requests.text(request.title, "title", LONGEST_TITLE) or game.name.en,
        rules=msgspec.to_builtins(rules),
        openers=_openers(request),
        varies=varies,
        staff_varies=staff_varies,
        least_stake=least,
        greatest_stake=greatest,
        currencies=_currencies(request, settings),
        least_buy_in=request.least_buy_in,
        greatest_buy_in=request.greatest_buy_in,
        appraisal=await _appraised(game, rules),
    )


def encoded(found: Terms, version: int) -> str:
    """Return terms with their version as stored JSON."""
    return msgspec.json.encode(msgspec.structs.replace(found, version=version)).decode()


def _game(request: pb.ProposeTemplateRequest) -> Game:
    if not _ID(request.template_id):
        raise invalid("template_id", "3 to 40 small letters, digits, _ and -, the first a letter or digit")
    if standards.known(request.template_id):
        message = f"{request.template_id} is the standard template, which is built in; take another id and retire it"
        raise invalid("template_id", message)
    if request.game not in catalogue.FILES:
        raise Refused(Reason.UNKNOWN_GAME, f"there is no game {request.game[:64]!r}; ListGames shows all")
    return catalogue.game(request.game)


def _openers(request: pb.ProposeTemplateRequest) -> str:
    if request.openers not in _OPENERS:
        raise invalid("openers", "choose players (and staff) or staff alone")
    return _OPENERS[request.openers]


def _currencies(request: pb.ProposeTemplateRequest, settings: Settings) -> tuple[str, ...]:
    if len(request.currencies) > MOST_CURRENCIES:
        raise invalid(
            "currencies", f"{len(request.currencies)}; name at most {MOST_CURRENCIES}", entries=MOST_CURRENCIES
        )
    known = settings.all_currencies()
    return tuple(dict.fromkeys(requests.currency(one, known, "currencies") for one in request.currencies))


def _buy_ins(request: pb.ProposeTemplateRequest, game: Game, rules: HouseRules) -> None:
    least = request.least_buy_in or max(1, game.least_carry(rules))
    if not 1 <= least <= chips.MOST_CHIPS:
        message = f"{request.least_buy_in}; 0 for the game's least carry, or 1 to {chips.MOST_CHIPS}"
        raise invalid("least_buy_in", message, least=1, greatest=chips.MOST_CHIPS)
    if request.greatest_buy_in and not least <= request.greatest_buy_in <= chips.MOST_CHIPS:
        message = f"{request.greatest_buy_in}; 0 for none, or {least} to {chips.MOST_CHIPS} chips"
        raise invalid("greatest_buy_in", message, least=least, greatest=chips.MOST_CHIPS)


async def _appraised(game: Game, rules: HouseRules) -> Appraisal:
    """Appraise rules. Raises Refused (``RETURN_TOO_HIGH``) where the house banks and would lose."""
    banker = appraisal.banker_of(rules)
    if banker == HOUSE and (faults := game.bank_faults(rules)):
        raise _too_high(game, rules, [(f"house_rules.{fault.field}", fault.message) for fault in faults])
    found = standards.appraised(game, rules) or await trials.appraise(game, rules)
    if faults := appraisal.faults(found):
        raise _too_high(game, rules, [(f"returns.{fault.field}", fault.message) for fault in faults])
    return found


def _too_high(game: Game, rules: HouseRules, faults: list[tuple[str, str]]) -> Refused:
    """Return the refusal; the game's own warnings of these rules name the remedy."""
    told = [*(f"{key}: {what}" for key, what in faults), *game.warnings(rules)]
    message = f"the house cannot bank {game.id} by these rules: " + "; ".join(told)
    return Refused(Reason.RETURN_TOO_HIGH, message, fields=faults)
