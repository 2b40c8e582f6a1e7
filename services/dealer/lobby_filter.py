"""Which tables a list or a lobby shows, and how it shows one."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import table_pb2

from services.contract import requests
from services.contract.wire_tables import STATES, bank_notice, idle_close
from services.journal.summaries import TableSummary
from services.rules import catalogue
from services.rules.personal import Show
from services.rules.refusals import invalid
from services.runtime.identity import Caller, Role

LONGEST: Final = 64
_TEXTS: Final = ("game", "family", "currency", "template_id")

_SHOWN: Final = (
    "game",
    "family",
    "currency",
    "stake",
    "seats_taken",
    "waiting",
    "house_players",
    "seats_reserved",
    "max_seats",
    "test",
    "round_number",
    "least_buy_in",
    "greatest_buy_in",
    "template_id",
    "template_version",
    "private",
    "least_return",
)

IsOff = Callable[..., bool]
"""Returns whether a game or a table is switched off."""


def wanted(request: pb.ListTablesRequest | pb.WatchLobbyRequest) -> dict[str, Any]:
    """Return what the summaries of the tables that fit a request hold. Raises Refused."""
    found: dict[str, Any] = {}
    for key in _TEXTS:
        if getattr(request, key):
            found[key] = requests.text(getattr(request, key), key, LONGEST)
    if request.game:
        requests.game_named(request.game)
    if request.family and request.family not in catalogue.families():
        message = f"unknown family {request.family!r}; expected one of {', '.join(catalogue.families())}"
        raise invalid("family", message, choices=catalogue.families())
    if request.HasField("stake"):
        found["stake"] = requests.amount(request.stake, "stake", least=0)
    if request.open_seats_only:
        found["open_seats"] = True
    if not request.include_test:
        found["test"] = False
    return found


def for_caller(found: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """Return what is wanted without what a caller is not shown: private tables, except to staff."""
    return found | {"private": False} if caller.role is Role.PLAYER else found


def fits(kept: TableSummary, wanted_of_it: Mapping[str, Any]) -> bool:
    """Return whether a summary holds what is wanted."""
    return all(getattr(kept, key) == value for key, value in wanted_of_it.items())


def shown(table_id: str, version: int, kept: TableSummary, show: Show, is_off: IsOff) -> table_pb2.TableSummary:
    """Return a table as lists show it."""
    return table_pb2.TableSummary(
        table_id=table_id,
        version=version,
        title=show(kept.title),
        state=STATES[kept.state],
        notice=bank_notice(kept.least_return),
        switched_off=is_off(game=kept.game, table=table_id),
        idle_close_time=idle_close(kept.state, kept.idle_ms),
        **{key: getattr(kept, key) for key in _SHOWN},
    )
