"""Test money of house players: what they bring to a table, and how they fill their wallets by themselves."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from pitboss import client
from pitboss.v1 import table_pb2

from services.players.crew import Member
from services.rules.refusals import Reason
from services.runtime.settings import TEST_CURRENCY

Answer = TypeVar("Answer")

STAKES: Final = 100
"""Stakes that a house player brings to a table, within the table's bounds."""
LEAST_BUY_INS: Final = 4
"""The table's least buy-ins that it brings where those are more."""
TOP_UP_BELOW: Final = 4
"""A seat that holds less than this part of its buy-in is filled up to it."""
FUNDS: Final = 1_000_000
"""Test chips that an empty wallet is filled with, at least."""


def buy_in(table: table_pb2.TableSummary) -> int:
    """Return the chips that a house player brings to a table."""
    wanted = max(STAKES * table.stake, LEAST_BUY_INS * table.least_buy_in, 1)
    return max(table.least_buy_in, min(wanted, table.greatest_buy_in or wanted))


async def with_funds(member: Member, command: Callable[[], Awaitable[Answer]]) -> Answer:
    """Send a command that takes chips from the wallet; an empty wallet is filled first. Raises Refused."""
    try:
        return await command()
    except client.Refused as refusal:
        if refusal.reason != Reason.INSUFFICIENT_FUNDS:
            raise
        missing = int(refusal.metadata.get("missing", 0))
    await member.house.deposit(member.subject, max(FUNDS, missing), TEST_CURRENCY, "house player")
    return await command()


async def sit(member: Member, table: table_pb2.TableSummary) -> None:
    """Take a seat at a table. Raises Refused."""
    await with_funds(member, lambda: member.house.take_seat(table.table_id, buy_in(table)))
