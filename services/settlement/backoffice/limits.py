"""Limits and exclusions, set by the player or by the house: a stricter one at once, a looser one after 24 hours."""

from typing import Final

import msgspec
from pitboss.v1 import back_office_pb2 as pb

from services.contract import denials, requests, wire_tables
from services.database import retry
from services.limits import policy
from services.limits.policy import Limit
from services.livestate.store import LiveState
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.registry import limits
from services.registry.records import ConflictError, Significant
from services.rules import refusals
from services.rules.refusals import invalid
from services.runtime import context
from services.runtime.clock import NowMs
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import second_person, significant_events
from services.settlement.backoffice import request_fields
from services.settlement.limits import allowance
from services.settlement.limits.admission import Admission

KINDS: Final = {
    pb.LIMIT_KIND_DEPOSIT: policy.DEPOSIT,
    pb.LIMIT_KIND_LOSS: policy.LOSS,
    pb.LIMIT_KIND_STAKE: policy.STAKE,
    pb.LIMIT_KIND_EXCLUSION: policy.EXCLUSION,
}
SPANS: Final = {pb.LIMIT_SPAN_DAY: "day", pb.LIMIT_SPAN_WEEK: "week", pb.LIMIT_SPAN_MONTH: "month"}


async def limit(
    pool: Pool, settings: Settings, admission: Admission, live: LiveState, keys: PlayerKeys, request: pb.SetLimitRequest
) -> pb.SetLimitResponse:
    """Set a limit; a repeated request gets the first answer.

    Running rounds observe a stake limit and an exclusion from then on; deposit and loss limits do not reach into them.
    The reason is sealed under the player's key. Raises Refused.
    """
    command, wanted = request_fields.command(request), _wanted(request, settings)

    async def record(conn: Connection) -> tuple[Limit, list[Significant]]:
        await limits.lock(conn, wanted.player)
        try:
            made = await limits.of_request(conn, command)
        except ConflictError:
            raise refusals.conflict() from None
        if made is not None:
            return made, []
        if wanted.set_by == "house":
            await second_person.refuse_seat_mate(conn, wanted.player)
        now = admission.clock()
        if wanted.kind == policy.EXCLUSION and wanted.amount is not None and wanted.amount <= now:
            until = denials.until(wanted.amount)
            raise invalid("until_time", f"{until} is past; name a future moment, or none to lift the exclusion")
        before = await _before(conn, wanted, now)
        kept = msgspec.structs.replace(wanted, reason=await keys.seal(conn, wanted.player, texts.REASON, wanted.reason))
        made = await limits.record(conn, command, _timed(kept, before, now))
        significant = [_event(made, before)]
        await significant_events.record(conn, significant)
        return made, significant

    made, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    await allowance.enforce(pool, admission, live, made)
    return pb.SetLimitResponse(limit=wire(made))


def _wanted(request: pb.SetLimitRequest, settings: Settings) -> Limit:
    kind, caller = KINDS.get(request.kind), context.caller()
    if kind is None:
        raise invalid("kind", "choose a deposit, loss or stake limit, or an exclusion")
    excluding = kind == policy.EXCLUSION
    span = "" if excluding else SPANS.get(request.span, "")
    if not excluding and not span:
        raise invalid("span", "choose a day, a week or a month")
    house = caller.role is not Role.PLAYER
    reason = request_fields.reason(request) if house or request.reason else "the player's own wish"
    return Limit(
        0,
        request_fields.player(request),
        kind,
        span,
        "" if excluding else request_fields.own_currency(request, settings),
        "house" if house else "player",
        _until(request) if excluding else _chips(request),
        0,
        0,
        reason,
        caller.subject,
    )


def _chips(request: pb.SetLimitRequest) -> int | None:
    return requests.amount(request.amount, "amount", least=0) if request.HasField("amount") else None


def _until(request: pb.SetLimitRequest) -> int | None:
    if not request.HasField("until_time"):
        return None
    return request_fields.moment(request.until_time, "until_time")


async def _before(conn: Connection, wanted: Limit, now: int) -> Limit | None:
    """Return the record of the same limit that is in force now."""
    held = await limits.in_force(conn, wanted.player, now)
    key = (wanted.kind, wanted.span, wanted.currency, wanted.set_by)
    return next((one for one in held if (one.kind, one.span, one.currency, one.set_by) == key), None)


def _timed(wanted: Limit, before: Limit | None, now: int) -> Limit:
    """Return a limit with the moment from which it is in force: now, or later where it is looser than before."""
    effective_ms = policy.effective_ms(wanted, before, now)
    return msgspec.structs.replace(wanted, effective_ms=effective_ms, made_ms=now)


def _event(made: Limit, before: Limit | None) -> Significant:
    what = f"{made.kind} limit a {made.span} in {made.currency}" if made.span else "exclusion"
    delay = ", in 24 hours" if made.effective_ms > made.made_ms else ", at once"
    return Significant(
        kind=significant_events.LIMIT,
        component=significant_events.COMPONENT,
        actor=made.actor,
        subject=f"player {made.player}: {what}, set by the {made.set_by}",
        reason=made.reason,
        before=_amount(before),
        after=_amount(made) + delay,
    )


def _amount(found: Limit | None) -> str:
    if found is None or found.amount is None:
        return "none"
    return denials.until(found.amount) if found.kind == policy.EXCLUSION else str(found.amount)


async def listed(pool: Pool, clock: NowMs, request: pb.ListLimitsRequest) -> pb.ListLimitsResponse:
    """Return one page of a player's limits, those in force and those to come, in the order in which they were set."""
    player, size, after = (
        request_fields.player(request),
        request_fields.page_size(request),
        request_fields.after_number(request),
    )
    async with pool.connection() as conn:
        now = clock()
        found = [*await limits.in_force(conn, player, now), *await limits.to_come(conn, player, now)]
    page = sorted((one for one in found if one.number > after), key=lambda one: one.number)
    shown, token = request_fields.numbered(request, page, size)
    return pb.ListLimitsResponse(limits=[wire(one) for one in shown], next_page_token=token)


def wire(found: Limit) -> pb.Limit:
    """Return a limit as a message."""
    excluding = found.kind == policy.EXCLUSION
    return pb.Limit(
        player=found.player,
        kind=_KIND[found.kind],
        span=_SPAN.get(found.span, pb.LIMIT_SPAN_UNSPECIFIED),
        currency=found.currency,
        amount=None if excluding else found.amount,
        until_time=wire_tables.timestamp(found.amount) if excluding and found.amount else None,
        set_by=found.set_by,
        effective_time=wire_tables.timestamp(found.effective_ms),
        reason=found.reason,
        actor=found.actor,
    )


_KIND: Final = {word: number for number, word in KINDS.items()}
_SPAN: Final = {word: number for number, word in SPANS.items()}
