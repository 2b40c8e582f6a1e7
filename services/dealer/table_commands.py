"""The commands of players and operators that move no money, one class for each: what it decides and what it replies."""

from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import dealer_pb2 as pb

from services.commands.runner import Command
from services.contract import requests, structs, wire_actions
from services.dealer.admission import AdmissionPolicy
from services.fairness.scripted import Script
from services.rules import cards
from services.rules.refusals import Reason, invalid
from services.runtime.identity import Caller
from services.table import absence, action_bound, commands, events, money, persons, player_seeds, public_table, top_up
from services.table.events import Event
from services.table.full_table import FullTable

MOST_STOCKS = 8
MOST_CARDS = 128

Answer = TypeVar("Answer", bound=Message)


class TableCommand(Command[FullTable, Answer]):
    """A command that a caller sent to the dealer."""

    def __init__(self, request: Any, caller: Caller) -> None:
        super().__init__(
            request.table_id,
            caller.subject,
            caller.role.value,
            requests.command(caller.subject, request),
            requests.expected_version(request),
        )
        self._caller = caller

    def seat(self, table: FullTable) -> int:
        """Return the caller's seat. Raises Refused (``NOT_SEATED``)."""
        return money.own_seat(table.core, self._caller.subject).seat


class Act(TableCommand[pb.ActResponse]):
    """Acts for the caller's own seat; switches do not stop a running round."""

    kind = "Act"
    answer_type = pb.ActResponse

    def __init__(self, request: pb.ActRequest, caller: Caller, admission: AdmissionPolicy) -> None:
        """Read the action. Raises Refused (``INVALID_ARGUMENT``)."""
        super().__init__(request, caller)
        self.action = wire_actions.from_wire(request.action)
        self._admission = admission

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return what the action does: the rules decide, or between rounds the game's memory."""
        if table.round is None:
            self._admission.refuse_player(self._caller.subject)
        return commands.act(table, self.seat(table), self.action, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.ActResponse:
        """Return the table's version, and whether the action ended the round."""
        ended = any(isinstance(event, events.RoundEnded) for event in made)
        return pb.ActResponse(version=table.core.version, round_ended=ended)


class SetTopUp(TableCommand[pb.SetTopUpResponse]):
    """Sets the level to which the caller's seat is topped up before each round."""

    kind = "SetTopUp"
    answer_type = pb.SetTopUpResponse

    def __init__(self, request: pb.SetTopUpRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._level = requests.amount(request.level, "level", least=0)

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the level; nothing where it is set already."""
        return top_up.set_level(table.core, self.seat(table), self._level, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.SetTopUpResponse:
        """Return the table's version."""
        return pb.SetTopUpResponse(version=table.core.version)


class SitOut(TableCommand[pb.SitOutResponse]):
    """Has the caller's seat sit out from the next round on."""

    kind = "SitOut"
    answer_type = pb.SitOutResponse

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return that the seat sits out; nothing where it does already."""
        return absence.sit_out(table.core, self.seat(table), now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.SitOutResponse:
        """Return the table's version, and whether the seat still plays the open round."""
        return pb.SitOutResponse(version=table.core.version, after_round=table.core.plays(self.seat(table)))


class SitIn(TableCommand[pb.SitInResponse]):
    """Has the caller's seat dealt in again from the next round on."""

    kind = "SitIn"
    answer_type = pb.SitInResponse

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return that the seat is back; nothing where it does not sit out."""
        return absence.sit_in(table.core, self.seat(table), now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.SitInResponse:
        """Return the table's version."""
        return pb.SitInResponse(version=table.core.version)


class SetSeed(TableCommand[pb.SetSeedResponse]):
    """Sets the caller's seed for the next round."""

    kind = "SetSeed"
    answer_type = pb.SetSeedResponse

    def __init__(self, request: pb.SetSeedRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._seed = request.seed

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the digest of the seed."""
        seat = self.seat(table)
        action_bound.require_room_between(table.core, seat, Reason.SEEDS_CLOSED)
        return player_seeds.set_seed(table.core, seat, self._seed, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.SetSeedResponse:
        """Return the digest, and the house's commitment to its own seed."""
        given = made[0]
        assert isinstance(given, events.SeedSet), "a seed is set"
        return pb.SetSeedResponse(
            version=table.core.version, house_commitment=table.core.next_seed.commitment, seed_digest=given.seed
        )


class PassDeadline(Command[FullTable, pb.PassDeadlineResponse]):
    """Passes the current deadline: the one that is due by ``due_ms``, or where ``forced`` any, on request."""

    kind = "PassDeadline"
    answer_type = pb.PassDeadlineResponse

    def __init__(self, table_id: str, caller: Caller, *, forced: bool = False, due_ms: int = 0) -> None:
        super().__init__(table_id, caller.subject, caller.role.value)
        self._forced, self._due_ms = forced, due_ms

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the events of a passed deadline; none where the deadline is no longer due."""
        core = table.core
        if self._forced:
            persons.refuse_seated(core, self.actor)
        elif core.phase != public_table.IN_ROUND or not 0 < core.deadline_ms <= max(self._due_ms, now_ms):
            return []
        return commands.pass_deadline(table, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.PassDeadlineResponse:
        """Return the table's version."""
        return pb.PassDeadlineResponse(version=table.core.version)


class ScriptRound(TableCommand[pb.ScriptRoundResponse]):
    """Scripts the chance of the next round at a test table."""

    kind = "ScriptRound"
    answer_type = pb.ScriptRoundResponse

    def __init__(self, request: pb.ScriptRoundRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._script = _script(request)
        self._memory = structs.plain(request.memory, "memory") if request.HasField("memory") else None

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the script."""
        persons.refuse_seated(table.core, self.actor)
        scripted = events.RoundScripted(at_ms=now_ms, script=self._script, memory=self._memory)
        return commands.script_round(table.core, scripted)

    def reply(self, table: FullTable, made: list[Event]) -> pb.ScriptRoundResponse:
        """Return the table's version."""
        return pb.ScriptRoundResponse(version=table.core.version)


def _script(request: pb.ScriptRoundRequest) -> Script:
    if len(request.stocks) > MOST_STOCKS or any(len(stock.cards) > MOST_CARDS for stock in request.stocks):
        raise invalid("stocks", f"at most {MOST_STOCKS} stocks of at most {MOST_CARDS} cards")
    for place, stock in enumerate(request.stocks):
        for card in stock.cards:
            if not cards.is_card(card):
                raise invalid(f"stocks[{place}]", f"{card!r} is not a valid card; write rank and suit, such as As")
    picks: dict[str, tuple[int | str, ...]] = {}
    for what, given in request.picks.items():
        values = list(given.values)
        picks[what] = tuple(int(v) for v in values) if all(v.isdigit() for v in values) else tuple(values)
    return Script(
        stocks=tuple(tuple(stock.cards) for stock in request.stocks),
        picks=picks,
        dice=tuple(tuple(throw.eyes) for throw in request.dice),
    )
