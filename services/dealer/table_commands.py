"""The commands of players and operators that move no money, behind the dealer's methods."""

import uuid

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import house_rules, requests, wire_actions
from services.dealer.admission import AdmissionPolicy, ClearedSeats
from services.dealer.commands import TableCommand
from services.dealer.vault import Vault
from services.fairness.scripted import Script
from services.rules import actions, cards
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.identity import Caller, Role
from services.table import action_bound, commands, events, persons, public_table, stake_allowance
from services.table.events import Event
from services.table.full_table import FullTable

MOST_STOCKS = 8
MOST_CARDS = 128


def seat_of(table: FullTable, caller: Caller) -> int:
    """Find the caller's seat. Raises Refused (``NOT_SEATED``)."""
    seat = table.core.seat_of(caller.subject)
    if seat is None:
        raise Refused(Reason.NOT_SEATED, "you have no seat at this table; take one first")
    return seat.seat


def start(
    request: pb.StartRoundRequest, caller: Caller, vault: Vault, admission: AdmissionPolicy, cleared: ClearedSeats
) -> TableCommand[pb.StartRoundResponse]:
    """Start a round: a seated player, an operator or a service asks for it.

    The command raises TableChanged if the table is not the one whose seats were checked.
    """

    def decide(table: FullTable, now_ms: int) -> list[Event]:
        core = table.core
        admission.refuse(game=core.opening.game, table=core.table_id)
        cleared.refuse(caller.subject)
        seat = seat_of(table, caller) if caller.role is Role.PLAYER else None
        commands.require_open(core)
        cleared.require_unchanged(core)
        if seat is not None and core.seats[seat].chips and core.allowed.get(seat) == 0:
            raise stake_allowance.refused(0)
        return commands.start_round(table, vault.start(table.core, str(uuid.uuid4()), caller.subject), now_ms)

    def answer(table: FullTable, made: list[Event]) -> pb.StartRoundResponse:
        begun = made[0]
        assert isinstance(begun, events.RoundStarted), "the first event of a start is RoundStarted"
        return pb.StartRoundResponse(
            version=table.core.version, round_id=begun.round_id, round_number=begun.round_number
        )

    return TableCommand(
        kind="StartRound",
        table_id=request.table_id,
        caller=caller,
        decide=decide,
        answer=answer,
        read_answer=pb.StartRoundResponse.FromString,
        command=requests.command(caller.subject, request),
        expected_version=request.expected_version if request.HasField("expected_version") else None,
    )


def acting(request: pb.ActRequest) -> actions.Action:
    """Return the action of a request. Raises Refused (``INVALID_ARGUMENT``)."""
    try:
        return wire_actions.from_wire(request.action)
    except (wire_actions.NoAction, msgspec.ValidationError) as error:
        raise invalid("action", str(error)) from None


def act(request: pb.ActRequest, caller: Caller, admission: AdmissionPolicy) -> TableCommand[pb.ActResponse]:
    """Act for the caller's own seat; switches do not stop a running round."""
    action = acting(request)

    def decide(table: FullTable, now_ms: int) -> list[Event]:
        if table.round is None:
            admission.refuse_player(caller.subject)
        return commands.act(table, seat_of(table, caller), action, now_ms)

    def answer(table: FullTable, made: list[Event]) -> pb.ActResponse:
        ended = any(isinstance(event, events.RoundEnded) for event in made)
        return pb.ActResponse(version=table.core.version, round_ended=ended)

    return TableCommand(
        kind="Act",
        table_id=request.table_id,
        caller=caller,
        decide=decide,
        answer=answer,
        read_answer=pb.ActResponse.FromString,
        command=requests.command(caller.subject, request),
        expected_version=request.expected_version if request.HasField("expected_version") else None,
    )


def set_seed(request: pb.SetSeedRequest, caller: Caller) -> TableCommand[pb.SetSeedResponse]:
    """Set the caller's seed for the next round."""

    def decide(table: FullTable, now_ms: int) -> list[Event]:
        seat = seat_of(table, caller)
        action_bound.require_room_between(table.core, seat, Reason.SEEDS_CLOSED)
        return commands.set_seed(table.core, seat, request.seed, now_ms)

    def answer(table: FullTable, made: list[Event]) -> pb.SetSeedResponse:
        given = made[0]
        assert isinstance(given, events.SeedSet), "a seed is set"
        return pb.SetSeedResponse(
            version=table.core.version, house_commitment=table.core.next_seed.commitment, seed_digest=given.seed
        )

    return TableCommand(
        kind="SetSeed",
        table_id=request.table_id,
        caller=caller,
        decide=decide,
        answer=answer,
        read_answer=pb.SetSeedResponse.FromString,
        command=requests.command(caller.subject, request),
        expected_version=request.expected_version if request.HasField("expected_version") else None,
    )


def deadline(
    table_id: str, caller: Caller, *, times: int = 0, due_ms: int = 0
) -> TableCommand[pb.PassDeadlineResponse]:
    """Pass the current deadline: the one that is due by ``due_ms``, or with ``times`` any, on request."""

    def decide(table: FullTable, now_ms: int) -> list[Event]:
        core = table.core
        if times:
            persons.refuse_seated(core, caller.subject)
        if not times and (core.phase != public_table.IN_ROUND or not 0 < core.deadline_ms <= max(due_ms, now_ms)):
            return []
        return commands.pass_deadline(table, now_ms)

    def answer(table: FullTable, made: list[Event]) -> pb.PassDeadlineResponse:
        del made
        return pb.PassDeadlineResponse(version=table.core.version)

    return TableCommand(
        kind="PassDeadline",
        table_id=table_id,
        caller=caller,
        decide=decide,
        answer=answer,
        read_answer=pb.PassDeadlineResponse.FromString,
    )


def script(request: pb.ScriptRoundRequest, caller: Caller) -> TableCommand[pb.ScriptRoundResponse]:
    """Script the chance of the next round at a test table."""
    made_script = _script(request)
    memory = house_rules.plain(request.memory, "memory") if request.HasField("memory") else None

    def decide(table: FullTable, now_ms: int) -> list[Event]:
        persons.refuse_seated(table.core, caller.subject)
        return commands.script_round(table.core, events.RoundScripted(at_ms=now_ms, script=made_script, memory=memory))

    def answer(table: FullTable, made: list[Event]) -> pb.ScriptRoundResponse:
        del made
        return pb.ScriptRoundResponse(version=table.core.version)

    return TableCommand(
        kind="ScriptRound",
        table_id=request.table_id,
        caller=caller,
        decide=decide,
        answer=answer,
        read_answer=pb.ScriptRoundResponse.FromString,
        command=requests.command(caller.subject, request),
    )


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
