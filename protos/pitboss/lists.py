"""What a front end lists: games, templates, tables, the lobby, and the caller's own rounds and money."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from pitboss import calls, rules
from pitboss.lobby import Lobby
from pitboss.stubs import Stubs
from pitboss.v1 import catalogue_pb2, dealer_pb2, table_pb2

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

    async def _all(self, method: Any, request: Any, field: str) -> list[Any]:
        """Return the rows of all pages."""
        found: list[Any] = []
        while True:
            page = await self.call(method, request)
            found.extend(getattr(page, field))
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token
