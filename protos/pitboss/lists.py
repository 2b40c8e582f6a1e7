"""What a front end lists: games, templates, tables, the lobby, and the caller's own rounds and money."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from datetime import datetime
from typing import Any

from pitboss import calls, rules
from pitboss.lobby import Lobby
from pitboss.stubs import Stubs
from pitboss.v1 import back_office_pb2, catalogue_pb2, dealer_pb2, table_pb2, wallet_pb2

PAGE = 100


class Lists(Stubs):
    """Lists of one caller; each returns all pages."""

    async def games(self) -> list[catalogue_pb2.GameSummary]:
        """List all games of the house."""
        return await self._all(self.catalogue.ListGames, catalogue_pb2.ListGamesRequest(), "games")

    async def game(self, game: str, house_rules: Mapping[str, Any] | None = None) -> catalogue_pb2.GetGameResponse:
        """Return a game's full description: rules in words, limits, payouts, fees."""
        request = catalogue_pb2.GetGameRequest(game=game, house_rules=rules.house_rules(house_rules or {}))
        return await self.call(self.catalogue.GetGame, request)

    async def list_templates(self, **wanted: Any) -> list[catalogue_pb2.Template]:
        """List the templates from which tables are opened, all pages; ``wanted``: game, family, state, include_all."""
        request = catalogue_pb2.ListTemplatesRequest(page_size=PAGE, **wanted)
        return await self._all(self.catalogue.ListTemplates, request, "templates")

    async def template(self, template_id: str, version: int = 0) -> catalogue_pb2.Template:
        """Show a version of a template, the one in force if none is named."""
        request = catalogue_pb2.GetTemplateRequest(template_id=template_id, version=version)
        return (await self.call(self.catalogue.GetTemplate, request)).template

    async def tables(self, **wanted: Any) -> list[table_pb2.TableSummary]:
        """List tables, all pages; ``wanted``: game, family, stake, open_seats_only, currency, include_test."""
        request = dealer_pb2.ListTablesRequest(page_size=PAGE, **wanted)
        return await self._all(self.dealer.ListTables, request, "tables")

    async def table(self, table_id: str) -> table_pb2.TableView:
        """Return a table as this caller may see it."""
        return (await self.call(self.dealer.GetTable, dealer_pb2.GetTableRequest(table_id=table_id))).view

    async def watch_lobby(
        self, patience: float | None = calls.PATIENCE_SECONDS, **wanted: Any
    ) -> AsyncGenerator[Lobby, None]:
        """Watch the open tables that fit; yields the same ``Lobby`` after each change.

        ``wanted``: game, family, stake, open_seats_only, currency, template_id, include_test. After a broken stream it
        begins anew; see ``watch`` for ``patience``.
        """
        lobby, request = Lobby(), dealer_pb2.WatchLobbyRequest(**wanted)
        async with aclosing(self.stream(self.dealer.WatchLobby, lambda: request, patience)) as messages:
            async for message in messages:
                if lobby.take(message):
                    yield lobby

    async def my_tables(self) -> list[table_pb2.TableSummary]:
        """List the open tables at which the caller sits, test tables included."""
        return await self.tables(mine=True)

    async def my_invitations(self) -> list[table_pb2.TableSummary]:
        """List the open private tables that the caller may enter, test tables included."""
        return await self.tables(invited=True, include_test=True)

    async def invitations(self, table_id: str) -> dealer_pb2.ListInvitationsResponse:
        """Return the invitations to a private table of the caller that can be used, and the number of guests."""
        return await self.call(self.dealer.ListInvitations, dealer_pb2.ListInvitationsRequest(table_id=table_id))

    async def my_rounds(
        self, most: int = PAGE, since: datetime | None = None, until: datetime | None = None, **wanted: Any
    ) -> list[back_office_pb2.PlayedRound]:
        """List the caller's rounds at all tables that have ended, the newest first, ``most`` at most.

        ``since`` and ``until`` (not included) bound their ends; ``wanted``: game, table_id, currency, order_by.
        """
        request = back_office_pb2.ListPlayedRoundsRequest(page_size=min(most, PAGE), **wanted)
        for field, at in (("from_time", since), ("to_time", until)):
            if at is not None:
                getattr(request, field).FromDatetime(at)
        return await self._all(self.office.ListPlayedRounds, request, "rounds", most)

    async def my_statement(self, most: int = PAGE, **wanted: str) -> list[wallet_pb2.StatementLine]:
        """List what changed the caller's wallet, the newest first, ``most`` at most.

        ``wanted``: currency, kind, table_id.
        """
        request = wallet_pb2.ListStatementLinesRequest(page_size=min(most, PAGE), **wanted)
        return await self._all(self.wallets.ListStatementLines, request, "lines", most)

    async def _all(self, method: Any, request: Any, field: str, most: int | None = None) -> list[Any]:
        """Return the rows of all pages, the first ``most`` at most."""
        found: list[Any] = []
        while True:
            page = await self.call(method, request)
            found.extend(getattr(page, field))
            if not page.next_page_token or (most is not None and len(found) >= most):
                return found[:most]
            request.page_token = page.next_page_token
