"""A house whose dealers serve a family each: the client finds the right one, and a wrong one does nothing."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from pitboss import client, dealers
from pitboss.v1 import dealer_pb2

from services.dealer import process as dealer_process
from services.runtime import server
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import Settings
from services.settlement import process as settlement_process
from tests.support import gateways, served

GAMES = {"poker": "texas_holdem", "showdown": "tongbi_san_gong"}
BUY_IN, WALLET = 1000, 5000


class Balancer(grpc.GenericRpcHandler):  # type: ignore[type-arg]  # generic in the stubs only
    """One address for all: passes calls on by their service, and those to dealers by the family that they name."""

    def __init__(self, ways: Mapping[str, Any]) -> None:
        self._ways = ways
        self.passed: list[tuple[str, str]] = []

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """Return a handler that forwards the bytes of one call."""
        method = str(details.method)
        given = dict(details.invocation_metadata or ())
        family = str(given.get(dealers.FAMILY_HEADER, ""))
        self.passed.append((method.rpartition("/")[2], family))
        way = self._ways["wallets" if "Wallet" in method else family or "poker"]
        kept = tuple((key, value) for key, value in given.items() if key in ("authorization", dealers.FAMILY_HEADER))

        async def once(request: bytes, context: Any) -> bytes:
            try:
                answer: bytes = await way.unary_unary(method)(request, metadata=kept, timeout=10)
            except grpc.aio.AioRpcError as error:
                await context.abort(error.code(), error.details(), tuple(error.trailing_metadata()))
            return answer

        async def many(request: bytes, context: Any) -> AsyncIterator[bytes]:
            try:
                async for message in way.unary_stream(method)(request, metadata=kept):
                    yield message
            except grpc.aio.AioRpcError as error:
                await context.abort(error.code(), error.details(), tuple(error.trailing_metadata()))

        if "Watch" in method:
            return grpc.unary_stream_rpc_method_handler(many)
        return grpc.unary_unary_rpc_method_handler(once)


class Split:
    """Addresses of the dealers of two families and of settlement, and tokens for them."""

    def __init__(self, settings: Settings, addresses: Mapping[str, str], wallets: str, balancer: Balancer) -> None:
        self.addresses, self.wallets, self.balancer = dict(addresses), wallets, balancer
        self.gateway = ""
        self._identity = Identity(settings)

    def token(self, subject: str, role: Role = Role.PLAYER) -> str:
        """Make a token."""
        return self._identity.mint(Caller(subject=subject, role=role), 600)


@pytest.fixture
async def split(postgres_url: str, redis_url: str) -> AsyncIterator[Split]:
    """Serve settlement, a dealer of poker and one of showdowns, and one address in front of all."""
    async with AsyncExitStack() as stack:
        given = served.given(postgres_url, redis_url)
        money = await stack.enter_async_context(server.running("settlement", given, settlement_process.build))
        wallets = f"127.0.0.1:{money.port}"
        given = served.given(postgres_url, redis_url, settlement_address=wallets)
        addresses = {}
        for family in GAMES:
            dealer = await stack.enter_async_context(
                server.running(f"dealer-{family}", given, dealer_process.build([family]))
            )
            addresses[family] = f"127.0.0.1:{dealer.port}"
        ways = {name: client.open_channel(where) for name, where in (addresses | {"wallets": wallets}).items()}
        for way in ways.values():
            stack.push_async_callback(way.close, None)
        house = Split(given, addresses, wallets, Balancer(ways))
        front = grpc.aio.server()
        front.add_generic_rpc_handlers((house.balancer,))
        house.gateway = f"127.0.0.1:{front.add_insecure_port('127.0.0.1:0')}"
        await front.start()
        stack.push_async_callback(front.stop, None)
        yield house


@pytest.fixture(params=["addresses", "balancer", "gateway"])
async def address(request: pytest.FixtureRequest, split: Split, tmp_path: Path) -> AsyncIterator[str | dict[str, str]]:
    """Yield an address for each family, one that routes by the header, and a real gateway's before these processes."""
    if request.param != "gateway":
        yield split.gateway if request.param == "balancer" else dict(split.addresses)
        return
    own = gateways.given(gateway_dealers=split.addresses, settlement_address=split.wallets, audit_address=split.wallets)
    async with gateways.running(tmp_path, own) as gateway:
        yield f"127.0.0.1:{gateway.port}"


@asynccontextmanager
async def seated(split: Split, address: str | dict[str, str], family: str) -> AsyncIterator[tuple[client.House, str]]:
    """Open a table as staff and sit down at it as a player, both by this address."""
    wallets = split.wallets if isinstance(address, dict) else ""
    async with (
        client.connect(address, split.token("boss", Role.OPERATOR), wallets) as boss,
        client.connect(address, split.token("ann"), wallets) as ann,
    ):
        await boss.deposit("ann", WALLET)
        table_id = (await boss.create_table(GAMES[family], greatest_buy_in=WALLET)).table_id
        await ann.take_seat(table_id, BUY_IN)
        yield ann, table_id


@pytest.mark.parametrize("family", sorted(GAMES))
async def test_a_client_reaches_every_family(split: Split, address: str | dict[str, str], family: str) -> None:
    """With an address for each family, or one that routes by the header, every method finds its dealer."""
    async with seated(split, address, family) as (ann, table_id):
        assert (await ann.table(table_id)).seats[0].chips == BUY_IN
        await ann.add_chips(table_id, 500)
        await ann.set_seed(table_id, "a seed of my own")
        async for seen in ann.watch(table_id):
            assert seen.view.seats[0].chips == BUY_IN + 500
            break
        assert [table.table_id for table in await ann.tables()] == [table_id]
        await ann.leave(table_id)
        assert await ann.balance() == WALLET


async def test_a_watcher_who_knows_nothing_of_the_table_finds_its_dealer(split: Split) -> None:
    """A stream is taken to the right dealer too, with nothing learned before."""
    async with seated(split, dict(split.addresses), "showdown") as (_, table_id):
        for address in (split.gateway, dict(split.addresses)):
            async with client.connect(address, split.token("bob")) as bob:
                async for seen in bob.watch(table_id):
                    assert seen.view.table.table_id == table_id
                    break


async def test_the_right_dealer_is_remembered(split: Split) -> None:
    """One refusal teaches the family of a table; later calls name it at once, and other tables go their own way."""
    async with seated(split, dict(split.addresses), "showdown") as (_, table_id):
        async with client.connect(split.gateway, split.token("bob")) as bob:
            for _ in range(3):
                await bob.table(table_id)
        assert split.balancer.passed == [("GetTable", ""), *[("GetTable", "showdown")] * 3]


async def test_a_family_that_has_no_dealer_is_refused_after_one_more_try(split: Split) -> None:
    """If no dealer of the family can be reached, the refusal names the family, and the client gives up."""
    async with seated(split, dict(split.addresses), "showdown") as (_, table_id):
        async with client.connect(split.addresses["poker"], split.token("bob")) as bob:
            with pytest.raises(client.Refused) as caught:
                await bob.table(table_id)
            with pytest.raises(client.Refused) as watched:
                await anext(bob.watch(table_id))
        for refusal in (caught.value, watched.value):
            assert (refusal.reason, refusal.metadata) == ("WRONG_FAMILY", {"family": "showdown"})


async def test_a_dealer_of_another_family_moves_no_money(split: Split) -> None:
    """What is refused for its family has not been done: no chip and no version moved, whatever the method."""
    async with seated(split, dict(split.addresses), "showdown") as (ann, table_id):
        before = await ann.table(table_id)
        about: dict[str, Any] = {"request_id": "once-more", "table_id": table_id}
        async with (
            client.connect(split.addresses["poker"], split.token("bob"), split.wallets) as bob,
            client.connect(split.addresses["poker"], split.token("ann")) as strayed,
            client.connect(split.addresses["poker"], split.token("boss", Role.OPERATOR), split.wallets) as boss,
        ):
            await boss.deposit("bob", WALLET)
            calls = [
                bob.call(bob.dealer.TakeSeat, dealer_pb2.TakeSeatRequest(buy_in=BUY_IN, **about)),
                bob.call(
                    bob.dealer.TakeAnySeat,
                    dealer_pb2.TakeAnySeatRequest(request_id="any", game=GAMES["showdown"], buy_in=BUY_IN),
                ),
                strayed.call(strayed.dealer.AddChips, dealer_pb2.AddChipsRequest(amount=100, **about)),
                strayed.call(strayed.dealer.LeaveSeat, dealer_pb2.LeaveSeatRequest(**about)),
                strayed.call(strayed.dealer.StartRound, dealer_pb2.StartRoundRequest(**about)),
                strayed.call(strayed.dealer.SetSeed, dealer_pb2.SetSeedRequest(seed="mine", **about)),
                boss.call(boss.dealer.ScriptRound, dealer_pb2.ScriptRoundRequest(pot=100, **about)),
                boss.call(boss.dealer.VoidRound, dealer_pb2.VoidRoundRequest(reason="by mistake", **about)),
                boss.call(boss.dealer.CloseTable, dealer_pb2.CloseTableRequest(reason="by mistake", **about)),
            ]
            for call in calls:
                with pytest.raises(client.Refused) as caught:
                    await call
                assert caught.value.reason == "WRONG_FAMILY", str(caught.value)
            assert await bob.balance() == WALLET
        after = await ann.table(table_id)
        for view in (before, after):
            view.ClearField("clock")
        assert after == before


async def test_no_address_is_a_mistake_said_in_words() -> None:
    """An empty mapping is refused before anything is opened."""
    with pytest.raises(ValueError, match="no address is given"):
        async with client.connect({}, "token"):
            pass
