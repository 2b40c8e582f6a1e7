"""Opening a table: the game, its house rules and stake checked and written down for good."""

import uuid
from typing import Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.commands import runner
from services.contract import denials, house_rules, requests
from services.database import retry
from services.dealer import templates as shown_templates
from services.dealer.context import DealerContext
from services.eventlog import log, records
from services.house import appraisal, standards, templates
from services.house.templates import Terms
from services.journal import log_rows
from services.privacy import texts
from services.registry import limits
from services.rules import catalogue, chips, house_players, refusals
from services.rules.game import Game, HouseRules
from services.rules.refusals import Reason, Refused, invalid
from services.rules.text import Text
from services.runtime.identity import Caller, Role
from services.runtime.pools import Connection
from services.runtime.settings import TEST_CURRENCY, Settings
from services.table import event_fold, events, full_table

LONGEST_TITLE: Final = 60


def opening(
    request: pb.CreateTableRequest, caller: Caller, settings: Settings, terms: Terms | None
) -> tuple[events.Opening, list[str]]:
    """Check a request against its template. Returns the table's opening, and warnings for its creator.

    ``terms`` None: a test table with rules of its own. Raises Refused.
    """
    game = catalogue.game(terms.game, terms.rules_version) if terms else requests.game_named(request.game)
    staff = caller.role is not Role.PLAYER
    if terms is None:
        rules = house_rules.house_rules(game, request.house_rules)
    else:
        rules = house_rules.varied(terms, game, request.house_rules, staff=staff)
        _refuse_closed(terms, request, staff=staff)
    test = request.test or caller.test or house_players.is_one(caller.subject)
    least, greatest = _buy_ins(request, game, rules, terms)
    made = events.Opening(
        game=game.id,
        family=game.family,
        rules_version=game.version,
        rules=msgspec.to_builtins(rules),
        title=requests.text(request.title, "title", LONGEST_TITLE) or (terms.title if terms else game.name.en),
        currency=_currency(request, settings, terms, test=test),
        stake=game.stake(rules),
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
        by_invitation=request.private,
        least_return=appraisal.least_return(terms.appraisal) if terms else "",
    )
    return made, game.warnings(rules)


def has_rules_of_its_own(request: pb.CreateTableRequest, caller: Caller, settings: Settings) -> bool:
    """Return whether a request opens a test table with scripted decks, at which staff may set any rules."""
    return settings.scripted_decks and request.test and caller.role is not Role.PLAYER and not request.template_id


def _refuse_closed(terms: Terms, request: pb.CreateTableRequest, *, staff: bool) -> None:
    """Refuse what a template does not leave open, besides house rules. Raises Refused with every wrong field."""
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
        raise Refused(Reason.INVALID_ARGUMENT, message, fields=wrong)


def _currency(request: pb.CreateTableRequest, settings: Settings, terms: Terms | None, *, test: bool) -> str:
    known = settings.all_currencies()
    currency = requests.currency(request.currency or (TEST_CURRENCY if test else settings.default_currency), known)
    if test != (currency == TEST_CURRENCY):
        message = f"test tables, and they alone, play for {TEST_CURRENCY}, not for {currency!r}"
        raise Refused(Reason.WRONG_CURRENCY, message, fields=[("currency", message)])
    if terms is not None and terms.currencies and currency not in terms.currencies and not test:
        message = f"template {terms.template_id} is played for {', '.join(terms.currencies)}, not for {currency!r}"
        raise Refused(Reason.WRONG_CURRENCY, message, fields=[("currency", message)])
    return currency


def _buy_ins(request: pb.CreateTableRequest, game: Game, rules: HouseRules, terms: Terms | None) -> tuple[int, int]:
    """Return the bounds of a buy-in: those asked for, within the template's, else the usual ones. Raises Refused."""
    lowest = max(1, terms.least_buy_in if terms and terms.least_buy_in else 1)
    highest = terms.greatest_buy_in if terms and terms.greatest_buy_in else chips.MOST_CHIPS
    is_standard = terms is not None and standards.known(terms.template_id)
    usual = templates.usual_buy_ins(game, rules) if is_standard else (1, 0)
    least = request.least_buy_in or max(lowest, game.least_carry(rules), usual[0])
    if request.greatest_buy_in and not request.least_buy_in:
        least = max(1, game.least_carry(rules), min(least, request.greatest_buy_in))
    if not lowest <= least <= highest:
        message = f"{least}; it must be {lowest} to {highest} chips"
        raise invalid("least_buy_in", message, least=lowest, greatest=highest)
    greatest = request.greatest_buy_in or (terms.greatest_buy_in if terms else 0)
    if not greatest and usual[1]:
        greatest = min(highest, max(usual[1], templates.USUAL_RANGE * least))
    if greatest and not least <= greatest <= highest:
        message = f"{greatest}; 0 for none, or {least} to {highest} chips"
        raise invalid("greatest_buy_in", message, least=least, greatest=highest)
    return least, greatest


def _first_button(request: pb.CreateTableRequest, rules: HouseRules) -> int | None:
    first = request.first_button if request.HasField("first_button") else None
    last = (rules.max_seats or 1 << 20) - 1
    if first is not None and not 0 <= first <= last:
        raise invalid("first_button", f"{first}; it must be a seat from 0 to {last}", least=0, greatest=last)
    return first


async def create(house: DealerContext, request: pb.CreateTableRequest, caller: Caller) -> pb.CreateTableResponse:
    """Open a table once, also when the request is repeated. Raises Refused.

    A player opens a bounded number of tables (setting ``tables_per_player``); they count until they are closed.
    """
    command = requests.command(caller.subject, request)
    known = await runner.known_request(command, house.pool.connection())
    if known is not None:
        return pb.CreateTableResponse.FromString(known.answer)
    made, warnings = opening(request, caller, house.settings, await _terms(house, request, caller))
    if caller.role is Role.PLAYER and request.title:
        made = msgspec.structs.replace(made, title=await house.seal(caller.subject, texts.TITLE, request.title))
    await house.admission.refresh()
    house.admission.refuse(game=made.game, player=caller.subject)
    house.tables.refuse_family(made.family, made.game)
    table_id = str(uuid.uuid4())
    event = events.TableOpened(at_ms=house.now_ms(), opening=made, next_seed=house.vault.next_seed(table_id, 1))
    core = event_fold.opened(table_id, event)
    answer = pb.CreateTableResponse(table_id=table_id, version=1, warnings=warnings)
    one = log_rows.append(
        core, [event], house.metadata(caller, "CreateTable"), command, answer.SerializeToString(), follows=None
    )
    done = await (_append_for(house, caller, one) if caller.role is Role.PLAYER else house.appender.append(one))
    if done.outcome == records.REQUEST_CONFLICT:
        raise refusals.conflict()
    if done.outcome == records.ALREADY_APPENDED:
        return pb.CreateTableResponse.FromString(done.answer)
    opened = full_table.of_core(core)
    opened.head_hash = done.hash
    house.tables.save(opened)
    return answer


async def _terms(house: DealerContext, request: pb.CreateTableRequest, caller: Caller) -> Terms | None:
    """Find the template that a table is opened from; None at a test table with rules of its own. Raises Refused."""
    if not request.template_id:
        requests.game_named(request.game)
        if has_rules_of_its_own(request, caller, house.settings):
            return None
    terms = await shown_templates.wanted(house.pool, request.template_id or request.game)
    return shown_templates.for_caller(terms, caller)


async def _append_for(house: DealerContext, caller: Caller, one: records.Append) -> records.Appended:
    """Open a player's table unless it is excluded or has enough of them open, all at one moment. Raises Refused."""
    assert one.request_key is not None, "a table is opened by a request"

    async def append(conn: Connection) -> records.Appended:
        await limits.lock(conn, caller.subject)
        if await log.find_request(conn, one.request_key or "") is None:
            await _refuse(house, conn, caller.subject)
        [done] = await log.append(conn, [one])
        return done

    return await retry.transaction(house.pool.connection, append)


async def _refuse(house: DealerContext, conn: Connection, player: str) -> None:
    """Raise Refused (``EXCLUDED``, ``LIMIT_REACHED``) where a player may open no table now."""
    excluded = await limits.excluded(conn, player, house.now_ms())
    if excluded is not None:
        raise denials.excluded(excluded.amount or 0, excluded.set_by)
    most = house.settings.tables_per_player
    open_now = await log.list_streams(conn, {"opened_by": player, "closed": False}, limit=max(1, most))
    if len(open_now) >= most:
        raise Refused(
            Reason.LIMIT_REACHED,
            f"you have {len(open_now)} open tables; a player has at most {most}, close one that nobody uses",
            metadata={"limit": "tables", "most": most},
            text=Text(
                f"You may have {most} open tables at most; close one that nobody uses.",
                f"每位玩家最多可開 {most} 張桌；請先關閉其中一張無人使用的桌。",
                f"每位玩家最多可开 {most} 张桌；请先关闭其中一张无人使用的桌。",
            ),
        )
