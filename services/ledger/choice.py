"""Legs of the ledger chosen by account, kind of entry, game and span: what a number of a report is made of."""

from typing import Any, Final

import msgspec

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.ledger import queries, sums

ACCOUNT_KINDS: Final = ("wallet", "seat", "pot", "house", "fees", "cashier")
ENTRY_KINDS: Final = (
    "deposit",
    "withdrawal",
    "adjustment",
    "buy_in",
    "top_up",
    "cash_out",
    "round",
    "void",
    "close",
    "fund_pot",
)
CASH: Final = frozenset({"deposit", "withdrawal", "adjustment"})
"""Kinds of entries that an index of their own finds."""
Place = tuple[int, str, int]
"""When an entry was posted, in microseconds since 1970, its id, and the number of a leg."""
FIRST: Final[Place] = (sums.FOREVER * 1000, "ffffffff-ffff-ffff-ffff-ffffffffffff", 0)


class Choice(msgspec.Struct, frozen=True):
    """Which legs; an empty kind or game is every one. With a game: legs of its settled rounds, by their end."""

    currency: str
    from_ms: int
    to_ms: int
    account: str = ""
    kind: str = ""
    game: str = ""


class ChosenLeg(msgspec.Struct, frozen=True):
    """A leg with its entry; amounts in chips.

    ``at_us`` is when it was posted, or its round ended, in microseconds since 1970.
    """

    entry_id: str
    number: int
    at_us: int
    kind: str
    account: str
    amount: int
    balance_after: int
    reason: str
    table: str | None
    round: int | None
    actor: str

    @property
    def place(self) -> Place:
        """The place of the leg in its list."""
        return self.at_us, self.entry_id, self.number


async def page(conn: Connection, chosen: Choice, after: Place, limit: int) -> list[ChosenLeg]:
    """Return one page of legs, newest first, from behind a place."""
    at_us, entry, line = after
    query = queries.CHOSEN_OF_ROUNDS if chosen.game else queries.CHOSEN_LEGS
    if chosen.kind in CASH and not chosen.game:
        query = queries.CHOSEN_CASH
    place = {"at_us": at_us, "entry": entry, "line": line, "limit": bounded(limit)}
    return [ChosenLeg(*row) for row in await rows(conn, query, {**_parameters(chosen), **place})]


async def total(conn: Connection, chosen: Choice) -> int:
    """Return what all legs of a choice add up to.

    Where only the account is chosen this is the change of its balances, which follow their legs by a guard of the
    database: that takes as long as the movements since the span, not as all movements of the span.
    """
    if not chosen.kind and not chosen.game:
        at_end = await sums.totals_at(conn, chosen.currency, chosen.to_ms)
        before = await sums.totals_at(conn, chosen.currency, chosen.from_ms) if chosen.from_ms else {}
        kinds = (chosen.account,) if chosen.account else ACCOUNT_KINDS
        return sum(at_end.get(kind, 0) - before.get(kind, 0) for kind in kinds)
    query = queries.CHOSEN_TOTAL_OF_ROUNDS if chosen.game else queries.CHOSEN_TOTAL
    if chosen.kind in CASH and not chosen.game:
        query = queries.CHOSEN_CASH_TOTAL
    return int((await rows(conn, query, _parameters(chosen)))[0][0])


def _parameters(chosen: Choice) -> dict[str, Any]:
    return {**msgspec.structs.asdict(chosen), "account": f"{chosen.account}:" if chosen.account else ""}
