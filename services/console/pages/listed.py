"""Every page by its address, with the roles that may see it, and the tabs that lead to them."""

from typing import Final, NamedTuple

from services.console.desk import Handler
from services.console.pages import floor, inbox, ledger, money, operation, players, protection, rounds, search, tables
from services.runtime.identity import Role

READERS: Final = (Role.OPERATOR, Role.AUDITOR)
ACTORS: Final = (Role.OPERATOR,)


class Page(NamedTuple):
    """A page or a press of a button."""

    path: str
    handler: Handler
    roles: tuple[Role, ...] = READERS
    method: str = "GET"


class Tab(NamedTuple):
    """A tab: the key of its text, and the address that it leads to."""

    key: str
    path: str
    roles: tuple[Role, ...] = READERS


TABS: Final = (
    Tab("floor", "/floor"),
    Tab("players", "/players"),
    Tab("money", "/money"),
    Tab("operation", "/operation"),
    Tab("inbox", "/inbox"),
)

PAGES: Final = (
    Page("/", floor.home),
    Page("/floor", floor.floor),
    Page("/search", search.search),
    Page("/tables/{table}", tables.table),
    Page("/tables/{table}/void", tables.void, ACTORS, "POST"),
    Page("/tables/{table}/close", tables.close, ACTORS, "POST"),
    Page("/rounds/{table}/{number:int}", rounds.round_),
    Page("/rounds/{table}/{number:int}/proofs", rounds.proofs),
    Page("/players", players.players),
    Page("/players/{player}", players.player),
    Page("/players/{player}/freeze", protection.freeze, ACTORS, "POST"),
    Page("/players/{player}/exclude", protection.exclude, ACTORS, "POST"),
    Page("/players/{player}/adjust", protection.adjust, ACTORS, "POST"),
    Page("/money", money.money),
    Page("/money/lines", ledger.lines),
    Page("/money/export", ledger.export),
    Page("/operation", operation.operation),
    Page("/operation/switch", operation.switch, ACTORS, "POST"),
    Page("/inbox", inbox.inbox),
    Page("/inbox/adjustments/{adjustment}", inbox.adjustment, ACTORS, "POST"),
    Page("/inbox/voids/{table}/{void}", inbox.void, ACTORS, "POST"),
)
