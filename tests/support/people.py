"""People in tests of a house: players with funded wallets, staff, strangers."""

import uuid
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

import grpc
import pytest
from pitboss import client
from pitboss import rules as house_rules
from pitboss.v1 import actions_pb2, audit_pb2_grpc, back_office_pb2, catalogue_pb2, table_pb2

from services.cli.reach import Reach
from services.contract import wire_actions
from services.rules import chips
from services.runtime.identity import Role

WALLET = 1_000_000
PATIENCE_SECONDS = 2.0
"""Seconds for which the people of tests repeat a call."""
ANY_BUY_IN: dict[str, Any] = {"least_buy_in": 1, "greatest_buy_in": chips.MOST_CHIPS}
"""Bounds of a buy-in at tables to which tests bring what they like."""
PATIENT = {"absent_rounds": 0, "absent_minutes": 0}
"""House rules of tables at which the clock sits no seat out."""
MANUAL = {"start": "manual"}
"""House rules of tables whose rounds are started when a test says so."""


class Person:
    """One caller of a house, at any of its dealers."""

    def __init__(self, subject: str, houses: list[client.House], token: str) -> None:
        self.subject = subject
        self.houses = houses
        self.token = token

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes along with a call that is made without the client."""
        return (("authorization", f"Bearer {self.token}"),)

    @property
    def house(self) -> client.House:
        """The first dealer."""
        return self.houses[0]

    def at(self, dealer: int) -> client.House:
        """One of the dealers."""
        return self.houses[dealer % len(self.houses)]


class Crowd:
    """Makes people and ends their connections."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self._stack = AsyncExitStack()
        self._channels: list[grpc.aio.Channel] = []
        self.operator: Person

    async def __aenter__(self) -> Self:
        self._channels = [client.open_channel(address) for address in self.reach.dealers]
        self._purse = client.open_channel(self.reach.settlement)
        self._audit = client.open_channel(self.reach.audit)
        for channel in (*self._channels, self._purse, self._audit):
            self._stack.push_async_callback(channel.close, None)
        self.operator = self.person(f"operator-{uuid.uuid4().hex[:8]}", Role.OPERATOR)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def person(
        self, subject: str, role: Role = Role.PLAYER, *, test: bool = False, name: str = "", avatar: str = ""
    ) -> Person:
        """Make a person with a token of its own."""
        token = self.reach.token(subject, role, test=test, name=name, avatar=avatar)
        houses = [client.House(channel, token, self._purse, patience=PATIENCE_SECONDS) for channel in self._channels]
        return Person(subject, houses, token)

    async def player(self, name: str, chips: int = WALLET, *, test: bool = False) -> Person:
        """Make a player with money in its wallet."""
        subject = f"{name}-{uuid.uuid4().hex[:10]}"
        if chips:
            await self.operator.house.deposit(subject, chips, "XTS" if test else "")
        return self.person(subject, test=test, name=name)

    async def template(self, game: str, rules: dict[str, Any] | None = None, **more: Any) -> str:
        """Propose a template of these rules and approve it as a second operator; return its id."""
        template_id = f"t-{uuid.uuid4().hex[:12]}"
        request = back_office_pb2.ProposeTemplateRequest(
            request_id=client.request_id(),
            template_id=template_id,
            game=game,
            house_rules=house_rules.house_rules(MANUAL | (rules or {})),
            reason="a test",
            **{"openers": catalogue_pb2.TEMPLATE_OPENERS_PLAYERS, **more},
        )
        proposer = self.operator.house
        made = (await proposer.call(proposer.office.ProposeTemplate, request)).template
        second = self.person(f"second-{uuid.uuid4().hex[:8]}", Role.OPERATOR).house
        decision = back_office_pb2.DecideTemplateRequest(
            request_id=client.request_id(),
            template_id=template_id,
            version=made.version,
            approve=True,
            reason="a test",
        )
        await second.call(second.office.DecideTemplate, decision)
        return template_id

    async def table(
        self,
        game: str,
        names: tuple[str, ...],
        rules: dict[str, Any] | None = None,
        *,
        buy_in: int = 1000,
        **more: Any,
    ) -> tuple[str, list[Person]]:
        """Open a table and seat players in the order of their names; they start its rounds, unless the rules differ."""
        is_own = "template_id" not in more
        wanted = MANUAL | (PATIENT if is_own else {}) | (rules or {})
        made = await self.operator.house.create_table(game, wanted, **(ANY_BUY_IN if is_own else {}) | more)
        players = [await self.player(name, test=bool(more.get("test"))) for name in names]
        for seat, player in enumerate(players):
            await player.house.take_seat(made.table_id, buy_in, seat)
        return made.table_id, players

    def auditor(self) -> tuple[Any, tuple[tuple[str, str], ...]]:
        """Return the auditor's stub and its metadata."""
        token = self.reach.token("auditor", Role.AUDITOR)
        return audit_pb2_grpc.AuditServiceStub(self._audit), (("authorization", f"Bearer {token}"),)

    def audit_stub(self) -> Any:
        """Return a client of the audit service without a token."""
        return audit_pb2_grpc.AuditServiceStub(self._audit)


def action(word: str, **arguments: Any) -> actions_pb2.Action:
    """Write an action with the sheet's word."""
    return wire_actions.named(word, arguments)


async def refused(reason: str, call: Any) -> client.Refused:
    """Await a call that must be refused with this reason."""
    with pytest.raises(client.Refused) as caught:
        await call
    assert caught.value.reason == reason, f"refused with {caught.value}, expected {reason}"
    return caught.value


async def until_settled(house: client.House, table_id: str, number: int) -> table_pb2.TableView:
    """Watch a table until a round is over."""
    async for message in house.watch(table_id):
        if message.view.last_result.round_number >= number:
            return message.view
    raise AssertionError("the stream of views ended")
