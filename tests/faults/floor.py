"""Tables at which random players play while the house is broken, and what the house acknowledged to them."""

import asyncio
import itertools
import random
import uuid
from collections.abc import Sequence
from typing import Any, Final, Literal, Self

import grpc
import msgspec
from google.protobuf.message import Message
from pitboss import client
from pitboss.v1 import actions_pb2, dealer_pb2, table_pb2

from services.cli import demo
from services.rules import catalogue
from tests.faults.breaking import Broken
from tests.support import people, waits
from tests.support.people import Crowd, Person

CALL_SECONDS: Final = 30.0
"""How long one call may take on a machine that others use too."""
TRY_SECONDS: Final = 6.0
"""How long one dealer is asked before the next one is: it may be frozen."""
INSIST_SECONDS: Final = 90.0
ROUND_SECONDS: Final = 120.0
BUY_IN: Final = 20_000
CORE: Final = ("texas_holdem", "tongbi_san_gong")
"""The two games that meet every fault."""
SLOW: Final = {"turn_seconds": 60, "bet_seconds": 60, "claim_seconds": 1}
"""Deadlines that no fault outlasts, windows in which only time must pass aside."""
BRISK: Final = {"turn_seconds": 2, "bet_seconds": 2, "claim_seconds": 1}
BOUNDS: Final = {"max_flips": 4, "max_turns": 40}
"""Rules that end games soon which could last without end."""
NOT_NOW: Final = frozenset({"STALE_VERSION", "ROUND_NOT_OPEN", "OUT_OF_TURN"})
"""A deadline, or another player, was faster; the player looks again."""
_AWAY: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


def others(place: int, count: int = 1) -> tuple[str, ...]:
    """Choose games beside the two, such that the faults together meet them all."""
    rest = [game for game in catalogue.FILES if game not in CORE]
    return tuple(rest[(place * count + at) % len(rest)] for at in range(count))


async def once(person: Person, dealer: int, method: str, request: Message, seconds: float = CALL_SECONDS) -> Any:
    """Call a method of the dealer without sending it again. Raises client.Refused."""
    try:
        stub = person.at(dealer).dealer
        return await getattr(stub, method)(request, timeout=seconds, metadata=person.metadata)
    except grpc.RpcError as error:
        raise client.refusal(error) from None


async def insist(person: Person, dealers: Sequence[int], method: str, request: Message) -> Any:
    """Send the same request to one dealer after the other until one of them answers. Raises client.Refused."""
    order = itertools.cycle(dealers)

    def is_away(error: Exception) -> bool:
        return isinstance(error, client.Refused) and error.code in _AWAY

    return await waits.answered(
        lambda: once(person, next(order), method, request, TRY_SECONDS), is_away, seconds=INSIST_SECONDS, pause=0.1
    )


async def killed_on(house: Broken, person: Person, step: str, method: str, request: Message) -> Any:
    """Send a command to a dealer that dies of it, then to both dealers again; return the one answer that both give."""
    house.doom(house.dealer(0), step)
    if step == "dealer.saving":  # a save of an earlier command may kill it before it answers, or before it is asked
        await insist(person, (0, 1), method, request)
    else:
        await people.refused("UNAVAILABLE", once(person, 0, method, request))
    await house.died(house.dealer(0))
    house.revive(house.dealer(0))
    answers = [await insist(person, (dealer,), method, request) for dealer in (1, 0)]
    assert answers[0] == answers[1], f"the two dealers answered {answers}"
    return answers[0]


def chosen(view: table_pb2.TableView, rng: random.Random) -> actions_pb2.Action:
    """Choose one of the actions that a view offers."""
    return demo.choose(view.round.options, rng)


class Acknowledged(msgspec.Struct, frozen=True):
    """An acknowledged action: its player, its request id, and the version in the answer."""

    player: str
    request_id: str
    version: int


class Played:
    """A table and the random players at it."""

    def __init__(self, game: str, table_id: str, players: list[Person]) -> None:
        self.game, self.table_id, self.players = game, table_id, players
        self.dealers: list[int] = [0, 1]
        self.rng = random.Random(f"{game} {len(players)}")
        self.acknowledged: list[Acknowledged] = []
        self.rounds = 0

    @classmethod
    async def open(cls, crowd: Crowd, game: str, rules: dict[str, Any] | None = None, seats: int = 0) -> Self:
        """Open a table and seat players."""
        told = await crowd.operator.house.game(game)
        wanted = (SLOW if rules is None else rules) | BOUNDS
        known = {key: value for key, value in wanted.items() if key in told.house_rules}
        count = seats or max(told.game.min_seats, 2 if told.game.max_seats == 2 else 3)
        names = tuple(f"p{seat}" for seat in range(count))
        table_id, players = await crowd.table(game, names, known, buy_in=BUY_IN)
        return cls(game, table_id, players)

    async def start(self, dealers: Sequence[int] | None = None) -> dealer_pb2.StartRoundResponse:
        """Start a round."""
        request = dealer_pb2.StartRoundRequest(request_id=client.request_id(), table_id=self.table_id)
        answer: dealer_pb2.StartRoundResponse = await insist(
            self.players[0], dealers or self.dealers, "StartRound", request
        )
        self.rounds = answer.round_number
        return answer

    async def view(self, seat: int = 0, dealers: Sequence[int] | None = None) -> table_pb2.TableView:
        """Look at the table as a seat sees it."""
        request = dealer_pb2.GetTableRequest(table_id=self.table_id)
        view: table_pb2.TableView = (
            await insist(self.players[seat], dealers or self.dealers, "GetTable", request)
        ).view
        return view

    async def next_action(self, dealers: Sequence[int] | None = None) -> tuple[int, dealer_pb2.ActRequest] | None:
        """Choose what one of those who are asked does; None once the round is settled."""

        async def asked() -> tuple[int, dealer_pb2.ActRequest] | Literal["settled"] | None:
            seen = await self.view(0, dealers)
            if seen.last_result.round_number >= self.rounds:
                return "settled"
            if not seen.round.waiting_for:
                return None
            seat = self.rng.choice(list(seen.round.waiting_for))
            own = await self.view(seat, dealers)
            if not own.round.options:
                return None
            return seat, dealer_pb2.ActRequest(
                request_id=uuid.uuid4().hex,
                table_id=self.table_id,
                expected_version=own.version,
                action=chosen(own, self.rng),
            )

        found: tuple[int, dealer_pb2.ActRequest] | Literal["settled"] = await waits.eventually(
            asked, f"{self.game}: somebody is asked, or the end", seconds=ROUND_SECONDS
        )
        return None if found == "settled" else found

    async def act(self, seat: int, request: dealer_pb2.ActRequest, dealers: Sequence[int] | None = None) -> bool:
        """Act until a dealer answers; whether it was done, and not refused because something else came first."""
        try:
            answer = await insist(self.players[seat], dealers or self.dealers, "Act", request)
        except client.Refused as refusal:
            if refusal.reason in NOT_NOW:
                return False
            raise
        self.note(seat, request, answer)
        return True

    def note(self, seat: int, request: dealer_pb2.ActRequest, answer: dealer_pb2.ActResponse) -> None:
        """Take note of an acknowledged action."""
        self.acknowledged.append(Acknowledged(self.players[seat].subject, request.request_id, answer.version))

    async def step(self, dealers: Sequence[int] | None = None) -> bool:
        """Let somebody act, at a dealer that changes from action to action; False once the round is settled."""
        order = list(dealers or self.dealers)
        self.rng.shuffle(order)
        chosen = await self.next_action(order)
        if chosen is not None:
            await self.act(*chosen, order)
        return chosen is not None

    async def play(self, steps: int, dealers: Sequence[int] | None = None) -> None:
        """Play so many steps, or less if the round ends."""
        for _ in range(steps):
            if not await self.step(dealers):
                return

    async def finish(self, dealers: Sequence[int] | None = None) -> None:
        """Play until the round is settled."""
        async with asyncio.timeout(ROUND_SECONDS):
            while await self.step(dealers):
                pass

    async def last_action(self) -> tuple[int, dealer_pb2.ActRequest]:
        """Play until one action is left, and return it: heads up a fold, or the last hand that is shown."""
        while True:
            chosen = await self.next_action()
            assert chosen is not None, "the round ended too early"
            view = await self.view()
            if self.game == "texas_holdem":
                chosen[1].action.fold.SetInParent()
                return chosen
            if view.round.phase == "reveal" and len(view.round.waiting_for) == 1:
                return chosen
            await self.act(*chosen)
