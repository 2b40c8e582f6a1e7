"""The catalogue's methods: what the house plays, before any bet."""

from typing import Any

import msgspec
from pitboss.v1 import catalogue_pb2 as pb
from pitboss.v1 import catalogue_pb2_grpc

from services.contract import house_rules, pages, requests, wire_rules, wire_texts, wire_words
from services.dealer import templates
from services.dealer.admission import AdmissionPolicy
from services.rules import catalogue
from services.rules.game import Game, Payout
from services.runtime import context
from services.runtime.identity import Role
from services.runtime.pools import Pool

MOST_PER_PAGE = 100


class CatalogueService(catalogue_pb2_grpc.CatalogueServiceServicer):
    """See ``protos/pitboss/v1/catalogue.proto``."""

    def __init__(self, pool: Pool, admission: AdmissionPolicy) -> None:
        self._pool, self._admission = pool, admission

    async def ListTemplates(self, request: pb.ListTemplatesRequest, _: Any) -> pb.ListTemplatesResponse:
        """List table templates."""
        return await templates.listed(self._pool, request, context.caller())

    async def GetTemplate(self, request: pb.GetTemplateRequest, _: Any) -> pb.GetTemplateResponse:
        """Show one version of a table template."""
        return await templates.shown(self._pool, request, context.caller())

    async def ListGames(self, request: pb.ListGamesRequest, _: Any) -> pb.ListGamesResponse:
        """List the games, in the order of the catalogue."""
        size, after = pages.size(request, MOST_PER_PAGE, MOST_PER_PAGE), pages.after(request, pages.Word, "")
        games = [entry for entry in catalogue.games() if request.family in ("", entry.family)]
        ids = [entry.id for entry in games]
        if after and after not in ids:
            raise pages.bad_token()
        begin = ids.index(after) + 1 if after else 0
        page, token = pages.cut(request, games[begin : begin + size + 1], size, lambda entry: entry.id)
        await self._admission.refresh()
        return pb.ListGamesResponse(games=[self._summary(entry) for entry in page], next_page_token=token)

    async def GetGame(self, request: pb.GetGameRequest, _: Any) -> pb.GetGameResponse:
        """Return a game's full description."""
        game = requests.game_named(request.game)
        if request.rules_version:
            game = catalogue.game(game.id, request.rules_version)
        rules = house_rules.house_rules(game, request.house_rules)
        await self._admission.refresh()
        return pb.GetGameResponse(
            game=self._summary(game),
            rules=wire_texts.text(game.summary),
            house_rules=wire_rules.values(game.id, game.version, msgspec.to_builtins(rules)),
            payouts=[payout(entry) for entry in game.payouts(rules)],
            greatest_win=wire_texts.text(game.greatest_win(rules)),
            fee_bps=rules.fee_bps,
            rake_bps=rules.rake_bps,
            rake_cap=rules.rake_cap,
            win_cap=rules.win_cap,
            least_carry=game.least_carry(rules),
            vocabulary=list(wire_words.vocabulary(game)),
            warnings=game.warnings(rules),
            fields=wire_rules.fields(game, rules),
            rules_versions=catalogue.versions(game.id),
        )

    def _summary(self, game: Game) -> pb.GameSummary:
        """Show a game as lists do."""
        rules = game.rules_type()
        return pb.GameSummary(
            game=game.id,
            family=game.family,
            name=wire_texts.text(game.name),
            min_seats=rules.min_seats,
            max_seats=rules.max_seats,
            rules_version=game.version,
            switched_off=self._admission.is_off(game=game.id),
        )


def payout(entry: Payout) -> pb.Payout:
    """Show what a bet pays."""
    wins = wire_texts.text(entry.wins)
    return pb.Payout(bet=entry.bet, wins=wins, pays=entry.pays, exact_return=entry.exact_return or "")


ACCESS: dict[str, tuple[Role, ...]] = dict.fromkeys(
    ("ListGames", "GetGame", "ListTemplates", "GetTemplate"), tuple(Role)
)
