"""Admission of players where chips move: switches, exclusions and limits, checked in the transaction that moves them.

Limits [R43] are checked at deposits, buy-ins, top-ups and round starts.

* deposit: the deposits of the span, with this one, stay within the limit.
* loss: the losses of rounds that ended within the span (fees included), with all chips at tables and those now brought,
  stay within it: no more than that can be lost.
* stake: the stakes of the span, with the chips now brought, stay within it. A player who has reached the limit, or has
  less left than the game needs, is not dealt in; others are dealt in with what is left (``allowance``).
* exclusion: until it ends the player can neither deposit, bring chips nor start a round, nor choose to stake more in a
  running one (``allowance``). Chips can always be taken home.

Nobody is removed from a running round, which would harm the others. A seat whose limit is reached during a round, or
whose player is switched off or excluded meanwhile, is paid out before the next round starts.
"""

from services.contract import denials
from services.ledger import accounts, sums
from services.limits import policy
from services.limits.policy import DEPOSIT, LOSS, STAKE, Limit
from services.registry import figures, limits, switches
from services.rules.refusals import Reason, Refused
from services.runtime.clock import NowMs
from services.runtime.pools import Connection
from services.settlement import seats
from services.table import public_table
from services.table.events import SeatRecord
from services.table.public_table import PublicTable


class Admission:
    """Checks players against switches and limits; ``clock`` is the clock of the limits."""

    def __init__(self, clock: NowMs) -> None:
        self.clock = clock

    async def bring(self, conn: Connection, core: PublicTable, player: str, chips: int) -> None:
        """Check that a player may bring chips to a table now.

        Raises Refused (``SWITCHED_OFF``, ``EXCLUDED``, ``LIMIT_REACHED``).
        """
        await self.refuse_switched_off(conn, game=core.opening.game, table=core.table_id, player=player)
        await self._within(conn, player, core.opening.currency, (LOSS, STAKE), chips)

    async def refuse_switched_off(self, conn: Connection, *, game: str, table: str, player: str) -> None:
        """Raise Refused (``SWITCHED_OFF``) where a game, a table or a player is switched off; ``table`` "": any."""
        off = await switches.against(conn, game=game, table=table, player=player)
        if off is not None:
            raise denials.switched_off(off.scope, off.subject, off.reason)

    async def deposit(self, conn: Connection, player: str, currency: str, amount: int) -> None:
        """Check that money may be put into a wallet now. Raises Refused (``EXCLUDED``, ``LIMIT_REACHED``)."""
        await self._within(conn, player, currency, (DEPOSIT,), amount)

    async def blocked(self, conn: Connection, core: PublicTable) -> dict[int, Refused]:
        """Return the seats that may not be dealt in, with the reason; empty while a round runs."""
        if core.phase != public_table.OPEN:
            return {}
        await limits.lock_limited(conn, [seat.player for seat in core.seats.values()])
        found = {seat: await self._play_on(conn, core, record) for seat, record in sorted(core.seats.items())}
        return {seat: refusal for seat, refusal in found.items() if refusal is not None}

    async def left_to_stake(self, conn: Connection, player: str, currency: str) -> int | None:
        """Return what is left of a player's stake limits, without unfinished rounds; None where it has no limit."""
        if not await limits.limited(conn, [player]):
            return None
        now = self.clock()
        left = [
            policy.left(limit.amount or 0, await _used(conn, limit, now))
            for limit in policy.strictest(await limits.in_force(conn, player, now))
            if limit.kind == STAKE and limit.currency == currency
        ]
        return min(left, default=None)

    async def _play_on(self, conn: Connection, core: PublicTable, seat: SeatRecord) -> Refused | None:
        """Return why a seated player may not be dealt in; None where it may."""
        try:
            off = await switches.against(conn, game="", table="", player=seat.player, players_only=True)
            if off is not None:
                return denials.switched_off(off.scope, off.subject, off.reason)
            await self._within(conn, seat.player, core.opening.currency, (LOSS, STAKE), 0)
        except Refused as refusal:
            return refusal
        least, left = _least(core), await self.left_to_stake(conn, seat.player, core.opening.currency)
        if left is None or left >= least or seat.chips < least:
            return None
        message = f"{left} chips are left of the stake limit; this table needs {least} or more"
        return Refused(Reason.LIMIT_REACHED, message, metadata={"limit": STAKE, "left": left})

    async def _within(self, conn: Connection, player: str, currency: str, kinds: tuple[str, ...], chips: int) -> None:
        if not await limits.limited(conn, [player]):
            return
        await limits.lock(conn, player)
        now = self.clock()
        for limit in policy.strictest(await limits.in_force(conn, player, now)):
            if policy.excludes(limit, now):
                raise denials.excluded(limit.amount or 0, limit.set_by)
            if limit.kind in kinds and limit.currency == currency:
                used = await _used(conn, limit, now)
                if policy.forbids(limit, used, chips):
                    raise _reached(limit, used, chips)


def _least(core: PublicTable) -> int:
    game, rules = public_table.game_and_rules(core)
    return game.least_carry(rules)


async def _used(conn: Connection, limit: Limit, now: int) -> int:
    """Return the chips that count against a limit already."""
    start = policy.span_start(limit.span, now)
    if limit.kind == DEPOSIT:
        moved = await sums.flows(conn, accounts.wallet(limit.currency, limit.player), start)
        return moved.get("deposit", 0)
    staked, lost = await figures.staked_and_lost(conn, limit.player, limit.currency, start)
    if limit.kind == STAKE:
        return staked
    return lost + await seats.chips_at_tables(conn, limit.player, limit.currency)


def _reached(limit: Limit, used: int, chips: int) -> Refused:
    left = policy.left(limit.amount or 0, used)
    asked = f"; {chips} are too many, {left} are left" if chips else ""
    return Refused(
        Reason.LIMIT_REACHED,
        f"the {limit.kind} limit of {limit.amount} {limit.currency} a {limit.span} is reached{asked}",
        metadata={"limit": limit.kind, "span": limit.span, "set_by": limit.set_by, "left": left},
    )
