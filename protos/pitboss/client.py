"""A small typed client for front ends.

>>> async with client.connect("127.0.0.1:7400", token) as house:
...     table = await house.take_any_seat("texas_holdem", buy_in=1000)
...     async for seen in house.watch(table.table_id):
...         for option in seen.view.round.options:
...             print(option.action)

Every call has a deadline. A command that got no answer is sent again with the same request id, which is safe. Each
command takes that id as ``command``; without one it makes one. A refusal is raised as ``Refused`` with the reason of
the house's closed list, the command's ``request_id``, and its text in the caller's language where ``connect`` names
one. After DEADLINE_EXCEEDED or UNAVAILABLE a command may have been done: send it again with that id.

Dealers of different families may stand behind one address (then it routes by the metadata ``x-pitboss-family``) or
have an address each, given by family; the client finds the right one by itself.
"""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any

import grpc
from google.protobuf import struct_pb2

from pitboss import calls, dealers, rules
from pitboss.calls import Refused, refusal
from pitboss.tokens import Token
from pitboss.v1 import (
    actions_pb2,
    back_office_pb2_grpc,
    catalogue_pb2,
    catalogue_pb2_grpc,
    dealer_pb2,
    privacy_pb2_grpc,
    table_pb2,
    wallet_pb2,
    wallet_pb2_grpc,
)

__all__ = ["House", "Refused", "Token", "connect", "open_channel", "refusal", "request_id", "struct"]

_RETRY = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        }
    ]
}


def struct(values: Mapping[str, Any]) -> struct_pb2.Struct:
    """Write plain values as a Struct, as facts and memory are."""
    message = struct_pb2.Struct()
    message.update(dict(values))
    return message


def request_id() -> str:
    """Return a new id for a command; keep it to send the same command again."""
    return uuid.uuid4().hex


class House(calls.Caller):
    """One caller's way to the house; ``families`` are channels to the dealers that serve them, where these differ.

    ``language`` is sent as ``accept-language``: en, zh-Hant, zh-Hans, or a list such as ``zh-TW, en;q=0.5``.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        token: Token,
        wallets: grpc.aio.Channel | None = None,
        families: Mapping[str, grpc.aio.Channel] | None = None,
        language: str = "",
    ) -> None:
        super().__init__(token, dealers.Dealers(channel, families or {}), language)
        self.dealer = self._dealers.first
        self.catalogue = catalogue_pb2_grpc.CatalogueServiceStub(channel)
        self.wallets = wallet_pb2_grpc.WalletServiceStub(wallets or channel)
        self.office = back_office_pb2_grpc.BackOfficeServiceStub(wallets or channel)
        self.privacy = privacy_pb2_grpc.PrivacyServiceStub(wallets or channel)

    async def games(self) -> list[catalogue_pb2.GameSummary]:
        """List all games of the house."""
        return list((await self.call(self.catalogue.ListGames, catalogue_pb2.ListGamesRequest())).games)

    async def game(self, game: str, house_rules: Mapping[str, Any] | None = None) -> catalogue_pb2.GetGameResponse:
        """Return a game's full description: rules in words, limits, payouts, fees."""
        request = catalogue_pb2.GetGameRequest(game=game, house_rules=rules.house_rules(house_rules or {}))
        return await self.call(self.catalogue.GetGame, request)

    async def list_templates(self, **wanted: Any) -> list[catalogue_pb2.Template]:
        """List the templates from which tables are opened, all pages; ``wanted``: game, family, state, include_all."""
        found: list[catalogue_pb2.Template] = []
        token = ""
        while True:
            request = catalogue_pb2.ListTemplatesRequest(page_size=100, page_token=token, **wanted)
            page = await self.call(self.catalogue.ListTemplates, request)
            found.extend(page.templates)
            token = page.next_page_token
            if not token:
                return found

    async def template(self, template_id: str, version: int = 0) -> catalogue_pb2.Template:
        """Show a version of a template, the one in force if none is named."""
        request = catalogue_pb2.GetTemplateRequest(template_id=template_id, version=version)
        return (await self.call(self.catalogue.GetTemplate, request)).template

    async def create_table(
        self,
        game: str = "",
        house_rules: Mapping[str, Any] | None = None,
        command: str = "",
        **more: Any,
    ) -> dealer_pb2.CreateTableResponse:
        """Open a table from the standard template of a game, or from the one named by ``template_id``.

        ``house_rules``: what is varied; ``more``: template_id, title, currency, least_buy_in, greatest_buy_in, private,
        test, first_button.
        """
        request = dealer_pb2.CreateTableRequest(
            request_id=command or request_id(), game=game, house_rules=rules.house_rules(house_rules or {}), **more
        )
        return await self.call(self.dealer.CreateTable, request)

    async def tables(self, **wanted: Any) -> list[table_pb2.TableSummary]:
        """List tables, all pages; ``wanted``: game, family, stake, open_seats_only, currency, include_test."""
        found: list[table_pb2.TableSummary] = []
        token = ""
        while True:
            request = dealer_pb2.ListTablesRequest(page_size=100, page_token=token, **wanted)
            page = await self.call(self.dealer.ListTables, request)
            found.extend(page.tables)
            token = page.next_page_token
            if not token:
                return found

    async def table(self, table_id: str) -> table_pb2.TableView:
        """Return a table as this caller may see it."""
        return (await self.call(self.dealer.GetTable, dealer_pb2.GetTableRequest(table_id=table_id))).view

    async def take_seat(
        self, table_id: str, buy_in: int, seat: int | None = None, command: str = ""
    ) -> dealer_pb2.TakeSeatResponse:
        """Take a seat, the lowest open one if none is named."""
        request = dealer_pb2.TakeSeatRequest(
            request_id=command or request_id(), table_id=table_id, buy_in=buy_in, seat=seat
        )
        return await self.call(self.dealer.TakeSeat, request)

    async def take_any_seat(
        self, game: str, buy_in: int, stake: int = 0, command: str = "", template_ids: Sequence[str] = ()
    ) -> dealer_pb2.TakeAnySeatResponse:
        """Take any open seat of a game and stake (0: any) at tables of these templates (none: the standard one)."""
        request = dealer_pb2.TakeAnySeatRequest(
            request_id=command or request_id(), game=game, buy_in=buy_in, stake=stake, template_ids=template_ids
        )
        return await self.call(self.dealer.TakeAnySeat, request)

    async def add_chips(self, table_id: str, amount: int, command: str = "") -> dealer_pb2.AddChipsResponse:
        """Add chips; in an open round they count from the next one on."""
        request = dealer_pb2.AddChipsRequest(request_id=command or request_id(), table_id=table_id, amount=amount)
        return await self.call(self.dealer.AddChips, request)

    async def leave(self, table_id: str, command: str = "") -> dealer_pb2.LeaveSeatResponse:
        """Leave now, or, from an open round, when it is settled."""
        request = dealer_pb2.LeaveSeatRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.LeaveSeat, request)

    async def start_round(self, table_id: str, command: str = "") -> dealer_pb2.StartRoundResponse:
        """Start a round."""
        request = dealer_pb2.StartRoundRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.StartRound, request)

    async def act(
        self, table_id: str, action: actions_pb2.Action, expected_version: int | None = None, command: str = ""
    ) -> dealer_pb2.ActResponse:
        """Act for the caller's seat."""
        request = dealer_pb2.ActRequest(
            request_id=command or request_id(), table_id=table_id, action=action, expected_version=expected_version
        )
        return await self.call(self.dealer.Act, request)

    async def set_seed(self, table_id: str, seed: str, command: str = "") -> dealer_pb2.SetSeedResponse:
        """Set the caller's seed for the next round."""
        request = dealer_pb2.SetSeedRequest(request_id=command or request_id(), table_id=table_id, seed=seed)
        return await self.call(self.dealer.SetSeed, request)

    async def card_proof(self, table_id: str, round_number: int, card: str) -> dealer_pb2.GetCardProofResponse:
        """Return the proof of a card that this caller has seen."""
        request = dealer_pb2.GetCardProofRequest(table_id=table_id, round_number=round_number, card=card)
        return await self.call(self.dealer.GetCardProof, request)

    async def watch(
        self, table_id: str, after_version: int = 0, patience: float | None = calls.PATIENCE_SECONDS
    ) -> AsyncIterator[dealer_pb2.WatchTableResponse]:
        """Watch a table; a broken stream is resumed from the last version seen.

        While the house is unavailable, the watch retries with pauses of at most 5 seconds, or of the length that the
        house asks for. After ``patience`` seconds without an answer (None: never) it raises Refused, as it does when
        the house refuses. A silent house is detected within ``SILENT_SECONDS``. When the token expires, the watch
        continues with the token that the caller's function returns.
        """
        seen, failures, away_since, renewed = after_version, 0, 0.0, False
        while True:
            request = dealer_pb2.WatchTableRequest(table_id=table_id, after_version=seen)
            way, token = self._dealers.way(self.dealer.WatchTable, request), await self._tokens.current()
            refused = None
            try:
                async with aclosing(calls.messages(way.method, request, self._metadata(way, token))) as stream:
                    async for message in stream:
                        seen, failures, renewed = message.view.version, 0, False
                        yield message
            except calls.Refused as error:
                refused = error
                if self._dealers.elsewhere(way, request, refused.reason, refused.metadata):
                    continue
                if not renewed and refused.code is calls.UNSIGNED and await self._tokens.renewed(token):
                    renewed = True
                    continue
                if refused.code not in calls.UNKNOWN and refused.retry_after_seconds is None:
                    raise
            now = time.monotonic()
            failures += 1
            away_since = now if failures == 1 else away_since
            if refused is not None and patience is not None and now - away_since >= patience:
                raise refused
            await asyncio.sleep(calls.pause(failures, refused))

    async def balance(self, currency: str = "") -> int:
        """Return the balance of the caller's wallet, in chips."""
        request = wallet_pb2.GetBalanceRequest(currency=currency)
        return int((await self.call(self.wallets.GetBalance, request)).balance)

    async def deposit(self, player: str, amount: int, currency: str = "", reason: str = "", command: str = "") -> int:
        """Put money into a wallet (staff only). Returns the new balance, in chips."""
        request = wallet_pb2.DepositRequest(
            request_id=command or request_id(), player=player, amount=amount, currency=currency, reason=reason
        )
        return int((await self.call(self.wallets.Deposit, request)).balance)


def open_channel(address: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """Open a channel to a service; with credentials over TLS."""
    options = [
        ("grpc.service_config", json.dumps(_RETRY)),
        ("grpc.enable_retries", 1),
        ("grpc.initial_reconnect_backoff_ms", 100),  # a service that was down is found again soon, not after minutes
        ("grpc.max_reconnect_backoff_ms", 1000),
        # A silent house (a dead connection, a frozen process) never ends a stream; the channel sends keepalive pings.
        # The house accepts one every 5 seconds and closes connections that ping more often.
        ("grpc.keepalive_time_ms", calls.KEEPALIVE_SECONDS * 1000),
        ("grpc.keepalive_timeout_ms", calls.KEEPALIVE_TIMEOUT_SECONDS * 1000),
        ("grpc.http2.ping_timeout_ms", calls.KEEPALIVE_TIMEOUT_SECONDS * 1000),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=options)
    return grpc.aio.secure_channel(address, credentials, options=options)


@asynccontextmanager
async def connect(
    address: str | Mapping[str, str],
    token: Token,
    wallets: str = "",
    credentials: grpc.ChannelCredentials | None = None,
    language: str = "",
) -> AsyncIterator[House]:
    """Connect to the house at one address, or at the dealers' addresses by family.

    ``token`` is a token, or a function (also an async one) that returns one. The function is called for the first call,
    and again whenever the house refuses the token, so that calls and watches outlive a token.
    ``wallets`` is the address of settlement, if the first address does not serve wallets as well. ``language``
    (en, zh-Hant, zh-Hans) is that of ``Refused.text``. Raises ValueError where no address is given.
    """
    places = dict(address) if isinstance(address, Mapping) else {"": address}
    if not places:
        raise ValueError("no address is given; give one, or one for each family, such as {'poker': '127.0.0.1:7401'}")
    wanted = {*places.values(), *([wallets] if wallets else [])}
    channels = {place: open_channel(place, credentials) for place in sorted(wanted)}
    families = {family: channels[place] for family, place in places.items() if family}
    try:
        yield House(channels[next(iter(places.values()))], token, channels.get(wallets), families, language)
    finally:
        for channel in channels.values():
            await channel.close(None)
