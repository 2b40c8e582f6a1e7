"""Who may bring chips and play on: switches, exclusions and limits, checked in the transaction that moves the chips.

Limits [R43] are checked at every stake: deposits, buy-ins, top-ups and round starts.

* deposit: what was put into the wallet within the span, with this deposit, stays within the limit.
* loss: what rounds that ended within the span lost (fees counted), with all chips that lie at tables and those now
  brought, stays within it, for no more than that can be lost.
* stake: what was staked within the span, with the chips now brought, stays within it. Who has reached it, or has less
  left than the game asks for, is not dealt in; others are dealt in with what is left (``allowing``).
* exclusion: nothing is deposited, brought or played until it ends, nor staked by choice in a running round
  (``allowing``); chips can always be taken home.

Nobody is taken out of a running round, which would harm the others: a seat whose limit is reached during a round, or
whose player is switched off or excluded meanwhile, is paid out before the next round starts.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Final

import msgspec

from services.contract import denials
from services.eventlog import log
from services.ledger import accounts, books, sums
from services.registry import figures, limits, switches
from services.registry.records import DEPOSIT, EXCLUSION, LOSS, STAKE, Limit
from services.rules import catalogue
from services.runtime.clock import NowMs
from services.runtime.errors import Problem, Reason
from services.runtime.pools import Connection
from services.table import public_table
from services.table.events import SeatRecord
from services.table.public_table import PublicTable

MOST_TABLES: Final = 1000
"""Tables of one player at once that are looked through."""


def span_start(span: str, at_ms: int) -> int:
    """Return the moment at which the day, week (from Monday) or month of a moment began, in UTC."""
    day = dt.datetime.fromtimestamp(at_ms / 1000, dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if span == "week":
        day -= dt.timedelta(days=day.weekday())
    elif span == "month":
        day = day.replace(day=1)
    else:
        assert span == "day", f"there is no span {span!r}"
    return int(day.timestamp()) * 1000


class Gatekeeper:
    """Checks players against switches and limits; ``clock`` is what limits go by."""

    def __init__(self, clock: NowMs) -> None:
        self.clock = clock

    async def bring(self, conn: Connection, core: PublicTable, player: str, chips: int) -> None:
        """Check that a player may bring chips to a table now.

        Raises Problem (``SWITCHED_OFF``, ``EXCLUDED``, ``LIMIT_REACHED``).
        """
        await self._switched_on(conn, core, player)
        await self._within(conn, player, core.opening.currency, (LOSS, STAKE), chips)

    async def deposit(self, conn: Connection, player: str, currency: str, amount: int) -> None:
        """Check that money may be put into a wallet now. Raises Problem (``EXCLUDED``, ``LIMIT_REACHED``)."""
        await self._within(conn, player, currency, (DEPOSIT,), amount)

    async def play_on(self, conn: Connection, core: PublicTable, seat: SeatRecord) -> Problem | None:
        """Say why a seated player may not be dealt in; None: it may."""
        try:
            off = await switches.against(conn, game="", table="", player=seat.player, players_only=True)
            if off is not None:
                return denials.switched_off(off.scope, off.subject, off.reason)
            await self._within(conn, seat.player, core.opening.currency, (LOSS, STAKE), 0)
        except Problem as problem:
            return problem
        least, left = _least(core), await self.left_to_stake(conn, seat.player, core.opening.currency)
        if left is None or left >= least or seat.chips < least:
            return None
        message = f"{left} chips are left of the stake limit; this table asks for {least} or more"
        return Problem(Reason.LIMIT_REACHED, message, metadata={"limit": STAKE, "left": left})

    async def left_to_stake(self, conn: Connection, player: str, currency: str) -> int | None:
        """Return what is left of a player's stake limits, rounds that have not ended left out; None: it has none."""
        if not await limits.limited(conn, [player]):
            return None
        now = self.clock()
        held = limits.strictest(await limits.in_force(conn, player, now))
        left = [
            (limit.amount or 0) - await _used(conn, limit, now)
            for limit in held
            if limit.kind == STAKE and limit.currency == currency
        ]
        return max(0, min(left)) if left else None

    async def _switched_on(self, conn: Connection, core: PublicTable, player: str) -> None:
        off = await switches.against(conn, game=core.opening.game, table=core.table_id, player=player)
        if off is not None:
            raise denials.switched_off(off.scope, off.subject, off.reason)

    async def _within(self, conn: Connection, player: str, currency: str, kinds: tuple[str, ...], chips: int) -> None:
        if not await limits.limited(conn, [player]):
            return
        await limits.lock(conn, player)
        now = self.clock()
        for limit in limits.strictest(await limits.in_force(conn, player, now)):
            if limit.kind == EXCLUSION and (limit.amount or 0) > now:
                raise denials.excluded(limit.amount or 0, limit.set_by)
            if limit.kind in kinds and limit.currency == currency:
                used = await _used(conn, limit, now)
                reached = used >= (limit.amount or 0) and limit.kind == STAKE
                if used + chips > (limit.amount or 0) or reached:
                    raise _reached(limit, used, chips)


def _least(core: PublicTable) -> int:
    game = catalogue.game(core.opening.game)
    return game.least_carry(public_table.rules_of(core, game.rules_type))


async def locked(conn: Connection, players: Sequence[str]) -> set[str]:
    """Lock the limits of those of the players who have any, until the caller's transaction ends; returns their names.

    Always in the same order, so that no two transactions wait for each other.
    """
    found = await limits.limited(conn, players)
    for player in sorted(found):
        await limits.lock(conn, player)
    return found


async def _used(conn: Connection, limit: Limit, now: int) -> int:
    """Return what counts against a limit already."""
    start = span_start(limit.span, now)
    if limit.kind == DEPOSIT:
        moved = await sums.flows(conn, accounts.wallet(limit.currency, limit.player), start)
        return moved.get("deposit", 0)
    staked, lost = await figures.staked_and_lost(conn, limit.player, limit.currency, start)
    if limit.kind == STAKE:
        return staked
    return lost + await at_tables(conn, limit.player, limit.currency)


async def at_tables(conn: Connection, player: str, currency: str) -> int:
    """Return the chips of a player that lie at tables, those in running rounds included."""
    return sum(chips for _, _, chips in await seats_of(conn, player, currency))


async def seats_of(conn: Connection, player: str, currency: str) -> list[tuple[str, int, int]]:
    """Return table, seat and chips of every seat that a player has."""
    wanted = {"seated": [{"player": player}], "closed": False, "currency": currency}
    heads, _ = await log.list_streams(conn, wanted, size=MOST_TABLES)
    found: list[tuple[str, int, int]] = []
    for head in heads:
        for seat in msgspec.json.decode(head.summary or "{}").get("seated", ()):
            if seat["player"] == player:
                chips = await books.balance(conn, accounts.seat(head.stream_id, seat["seat"]))
                found.append((head.stream_id, seat["seat"], chips))
    return found


def _reached(limit: Limit, used: int, chips: int) -> Problem:
    left = max(0, (limit.amount or 0) - used)
    asked = f"; {chips} are too many, {left} are left" if chips else ""
    return Problem(
        Reason.LIMIT_REACHED,
        f"the {limit.kind} limit of {limit.amount} {limit.currency} a {limit.span} is reached{asked}",
        metadata={"limit": limit.kind, "span": limit.span, "set_by": limit.set_by, "left": left},
    )


async def blocked(gate: Gatekeeper, conn: Connection, core: PublicTable) -> dict[int, Problem]:
    """Return the seats that may not be dealt in, with why; none while a round runs."""
    if core.phase != public_table.OPEN:
        return {}
    await locked(conn, [seat.player for seat in core.seats.values()])
    found = {seat: await gate.play_on(conn, core, record) for seat, record in sorted(core.seats.items())}
    return {seat: problem for seat, problem in found.items() if problem is not None}
