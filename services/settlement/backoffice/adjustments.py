"""Adjustments of wallets: one person asks with a reason, another decides; the ledger moves with the approval."""

import uuid
from typing import Final

import psycopg
from pitboss.v1 import back_office_pb2 as pb

from services.contract import requests
from services.database import retry
from services.ledger import accounts, books
from services.ledger import records as ledger
from services.ledger.signatures import EntryKey
from services.registry import adjustments, records
from services.registry.records import Adjustment, Command, ConflictError, Significant
from services.rules import refusals
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, identity, metrics
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import second_person, significant_events, wallet_bounds
from services.settlement.backoffice import request_fields

_SPACE: Final = uuid.UUID("5d6f0c1f-0a4b-5c83-8c0e-3f6f1ad4c0de")
STATES: Final = {
    records.PENDING: pb.ADJUSTMENT_STATE_PENDING,
    records.APPROVED: pb.ADJUSTMENT_STATE_APPROVED,
    records.REJECTED: pb.ADJUSTMENT_STATE_REJECTED,
}


async def ask(pool: Pool, settings: Settings, request: pb.RequestAdjustmentRequest) -> pb.RequestAdjustmentResponse:
    """Record a request for an adjustment. Raises Refused."""
    command, caller = request_fields.command(request), context.caller()
    if not identity.SUBJECT.fullmatch(request.player):
        raise invalid("player", "1 to 64 letters, digits and . _ @ | -")
    second_person.refuse_own(request.player)
    requests.amount(abs(request.amount), "amount")
    currency = (
        request_fields.own_currency(request, settings)
        if request.amount > 0
        else request_fields.currency(request, settings)
    )
    wanted = Adjustment(
        0,
        str(uuid.uuid5(_SPACE, command.key)),
        request.player,
        currency,
        request.amount,
        request_fields.reason(request),
        caller.subject,
        0,
        records.PENDING,
        "",
        "",
        0,
        "",
    )

    async def record(conn: Connection) -> tuple[Adjustment, list[Significant]]:
        try:
            made, first = await adjustments.ask(conn, command, wanted)
        except ConflictError:
            raise refusals.conflict() from None
        if first:
            await second_person.refuse_seat_mate(conn, wanted.player)
            await _possible(conn, wanted)
        significant = (
            [_event(significant_events.ADJUSTMENT_ASKED, made, caller.subject, made.reason, "", records.PENDING)]
            if first
            else []
        )
        await significant_events.record(conn, significant)
        return made, significant

    made, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    return pb.RequestAdjustmentResponse(adjustment=wire(made))


async def decide(pool: Pool, key: EntryKey, request: pb.DecideAdjustmentRequest) -> pb.DecideAdjustmentResponse:
    """Decide an adjustment that another person requested. Raises Refused; then nothing has moved."""
    command, reason = request_fields.command(request), request_fields.reason(request)
    by = context.caller().subject

    async def record(conn: Connection) -> tuple[Adjustment, list[Significant]]:
        found, known = await second_person.look(
            conn, second_person.ADJUSTMENT, command, request.adjustment_id, by, adjustments.find
        )
        return (found, []) if known else await _decide(conn, key, command, found, reason, approve=request.approve)

    decided, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    return pb.DecideAdjustmentResponse(adjustment=wire(decided))


async def _decide(
    conn: Connection, key: EntryKey, command: Command, found: Adjustment, reason: str, *, approve: bool
) -> tuple[Adjustment, list[Significant]]:
    by = context.caller().subject
    await second_person.refuse_seat_mate(conn, found.player)
    entry_id, before = None, 0
    if approve:
        entry_id, before = await _post(conn, key, found, by)
    try:
        await adjustments.decide(conn, command, found.adjustment_id, reason=reason, decided_by=by, entry_id=entry_id)
    except psycopg.errors.CheckViolation:
        raise second_person.needed(second_person.ADJUSTMENT, found.asked_by) from None
    after = f"approved; the wallet holds {before + found.amount}" if approve else "rejected"
    asked_for = f"pending, asked by {found.asked_by}" + (f"; the wallet held {before}" if approve else "")
    significant = _event(
        significant_events.ADJUSTMENT_DECIDED, found, by, f"{found.reason}; {reason}", asked_for, after
    )
    await significant_events.record(conn, [significant])
    decided = await adjustments.find(conn, found.adjustment_id)
    assert decided is not None, "a decided adjustment is found"
    return decided, [significant]


async def _post(conn: Connection, key: EntryKey, found: Adjustment, by: str) -> tuple[str, int]:
    """Post the entry of an approved adjustment, against the house's bank; returns its id and what the wallet held."""
    wallet = accounts.wallet(found.currency, found.player)
    entry = ledger.Entry(
        entry_id=str(uuid.uuid5(_SPACE, f"entry:{found.adjustment_id}")),
        kind="adjustment",
        currency=found.currency,
        legs=accounts.legs({wallet: found.amount, accounts.house(found.currency, found.player): -found.amount}),
        reason=f"{found.reason} (asked by {found.asked_by}, approved by {by})",
        actor=by,
    )
    if found.amount > 0:
        await wallet_bounds.keep_apart(conn, found.currency, found.player)
    posted = await books.post(conn, entry, key)
    metrics.POSTINGS.labels(entry.kind, posted.outcome).inc()
    if posted.outcome == ledger.INSUFFICIENT_FUNDS:
        raise _short(posted.balances.get(wallet, 0), found)
    assert posted.outcome == ledger.POSTED, f"an adjustment that was pending is {posted.outcome}"
    if found.amount > 0:
        await wallet_bounds.see_room(conn, found.currency, found.player, posted.balances[wallet])
    return entry.entry_id, posted.balances[wallet] - found.amount


async def _possible(conn: Connection, wanted: Adjustment) -> None:
    """Refuse an adjustment that could not be approved now. Raises Refused."""
    if wanted.amount > 0:
        await wallet_bounds.keep_apart(conn, wanted.currency, wanted.player)
        return
    held = await books.balance(conn, accounts.wallet(wanted.currency, wanted.player))
    if held < -wanted.amount:
        raise _short(held, wanted)


def _short(held: int, wanted: Adjustment) -> Refused:
    message = f"the wallet holds {held} {wanted.currency}, less than {-wanted.amount}"
    return Refused(
        Reason.INSUFFICIENT_FUNDS, message, metadata=wallet_bounds.lack(held, -wanted.amount, wanted.currency)
    )


def _event(kind: str, found: Adjustment, by: str, reason: str, before: str, after: str) -> Significant:
    return Significant(
        kind=kind,
        component=significant_events.COMPONENT,
        actor=by,
        subject=f"player {found.player}: {found.amount} {found.currency} ({found.adjustment_id})",
        reason=reason,
        before=before,
        after=after,
    )


async def listed(pool: Pool, request: pb.ListAdjustmentsRequest) -> pb.ListAdjustmentsResponse:
    """Return one page of adjustments. Raises Refused."""
    size = request_fields.page_size(request)
    after, newest_first = request_fields.numbered_place(request, "request_time")
    async with pool.connection() as conn:
        page = await adjustments.listed(
            conn,
            player=request.player,
            pending_only=request.pending_only,
            after=after,
            limit=size + 1,
            newest_first=newest_first,
        )
    shown, token = request_fields.numbered(request, page, size)
    return pb.ListAdjustmentsResponse(adjustments=[wire(one) for one in shown], next_page_token=token)


def wire(found: Adjustment) -> pb.Adjustment:
    """Return an adjustment as a message."""
    return pb.Adjustment(
        adjustment_id=found.adjustment_id,
        player=found.player,
        currency=found.currency,
        amount=found.amount,
        reason=found.reason,
        state=STATES[found.state],
        entry_id=found.entry_id,
        **second_person.fields(found),
    )
