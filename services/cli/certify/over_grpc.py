"""Plays cases and recorded hands against a running house over gRPC, like any client.

The house must accept scripted decks. Every case has a test table and test players of its own. An operator's token is
used to open the table, fund the wallets, script the decks and pass deadlines.
"""

import asyncio
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

import msgspec
from pitboss import client
from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import table_pb2

from services.cli.certify import case_keys, rules_only
from services.cli.certify.cases import Case, CaseRound, Step
from services.cli.certify.hands import RecordedHand, action_of
from services.cli.certify.rules_only import Failed, compare
from services.contract import wire_actions
from services.fairness.scripted import Script
from services.rules import actions

CURRENCY = "XTS"
SETTLE_SECONDS = 10.0
_PAUSE_SECONDS = 0.01

Token = Callable[[str, str], str]
"""Returns a token for (subject, role); players are test players."""


AS_WRITTEN: Final = {"start": "manual", "absent_rounds": 0, "absent_minutes": 0}
"""House rules of a table at which nothing happens but what a case says: no start by the house, no seat sits out."""


class Bench:
    """One case's table and players at a house."""

    def __init__(self, house: client.House, player: Callable[[str], client.House]) -> None:
        self.operator = house
        self._player = player
        self.table_id = ""
        self.left_open = ""
        self.seats: dict[int, client.House] = {}

    async def set_up(
        self, game: str, rules: dict[str, Any], players: tuple[str, ...], chips: tuple[int, ...], button: int
    ) -> None:
        """Open the table and seat the players in seat order."""
        made = await self.operator.create_table(
            game, {**AS_WRITTEN, **rules}, test=True, currency=CURRENCY, least_buy_in=1, first_button=button
        )
        self.table_id = made.table_id
        for seat, (name, held) in enumerate(zip(players, chips, strict=True)):
            subject = f"{name[:20]}-{uuid.uuid4().hex[:12]}"
            if held:
                await self.operator.deposit(subject, held, CURRENCY, "certification")
            self.seats[seat] = self._player(f"{subject}|{name}")
            await self.seats[seat].take_seat(self.table_id, held, seat)

    async def start(self, script: Script, memory: dict[str, Any], pot: int) -> None:
        """Script the next round and start it."""
        request = pb.ScriptRoundRequest(
            request_id=client.request_id(),
            table_id=self.table_id,
            stocks=[pb.ScriptedStock(cards=stock) for stock in script.stocks],
            picks={
                what: pb.ScriptedPicks(values=[str(value) for value in values]) for what, values in script.picks.items()
            },
            dice=[pb.ScriptedDice(eyes=throw) for throw in script.dice],
            memory=client.struct(memory) if memory else None,
            pot=pot,
        )
        await self.operator.call(self.operator.dealer.ScriptRound, request)
        await self.operator.start_round(self.table_id)

    async def pass_deadlines(self, times: int) -> None:
        """Pass a number of deadlines."""
        request = pb.PassDeadlineRequest(request_id=client.request_id(), table_id=self.table_id, times=times)
        await self.operator.call(self.operator.dealer.PassDeadline, request)

    async def void(self, reason: str) -> None:
        """Void the round."""
        request = pb.VoidRoundRequest(request_id=client.request_id(), table_id=self.table_id, reason=reason or "void")
        await self.operator.call(self.operator.dealer.VoidRound, request)

    async def act(self, seat: int, word: str, arguments: dict[str, Any]) -> None:
        """Act for a seat; the action is named as in the sheet."""
        stranger = self._player(f"stranger-{uuid.uuid4().hex[:12]}|stranger")
        await self.seats.get(seat, stranger).act(self.table_id, wire_actions.named(word, arguments))

    async def view(self) -> table_pb2.TableView:
        """Return the table as a spectator sees it."""
        return await self.operator.table(self.table_id)

    async def offered(self, seat: int) -> set[str]:
        """Return the actions that a seat may take now."""
        seen = await self.seats[seat].table(self.table_id)
        return {option.action for option in seen.round.options}

    async def close(self) -> None:
        """Close the table and void a round that still runs; if that fails, ``left_open`` holds the reason."""
        until = time.monotonic() + SETTLE_SECONDS
        while self.table_id:
            request = pb.CloseTableRequest(
                request_id=client.request_id(), table_id=self.table_id, reason="certification has ended"
            )
            try:
                await self.operator.call(self.operator.dealer.CloseTable, request)
            except client.Refused as refusal:
                if refusal.reason == "TABLE_CLOSED":
                    return
                if refusal.reason != "ROUND_IN_PROGRESS" or time.monotonic() > until:
                    self.left_open = f"test table {self.table_id} stays open: {refusal}"
                    return
                await self._end_round()
            else:
                return

    async def _end_round(self) -> None:
        try:
            await self.void("certification has ended")
        except client.Refused:  # it has ended meanwhile and is being settled
            await asyncio.sleep(_PAUSE_SECONDS)

    async def settled(self, number: int) -> table_pb2.TableView:
        """Wait until a round is settled or voided. Raises Failed."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while True:
                seen = await self.view()
                if seen.last_result.round_number >= number:
                    return seen
                if seen.round.state == table_pb2.ROUND_STATE_RUNNING:
                    raise Failed(f"round {number} has not ended; it waits for seats {list(seen.round.waiting_for)}")
                await asyncio.sleep(_PAUSE_SECONDS)


async def play_case(case: Case, bench: Bench) -> None:
    """Play one case; raise Failed with the first difference. An empty seat acts as a stranger."""
    try:
        await bench.set_up(case.game, case.house_rules, case.players, case.chips, case.button)
        if case.rules_version is not None:
            await bench.operator.move_rules(bench.table_id, case.rules_version, "a case of this version")
        # The house does not report how many of the case's draws a round takes; the rules show it.
        scripts = rules_only.play(case) if case.drawn_once else [entry.script for entry in case.rounds]
        for number, (entry, script) in enumerate(zip(case.rounds, scripts, strict=True), start=1):
            await _play_round(case, msgspec.structs.replace(entry, script=script), bench, number)
    except client.Refused as refusal:
        raise Failed(str(refusal)) from refusal


async def _play_round(case: Case, entry: CaseRound, bench: Bench, number: int) -> None:
    first = number == 1
    carried = (await bench.view()).carried_pot
    await bench.start(entry.script, case.extra if first else {}, case.pot if first else 0)
    carried = case.pot if first else carried
    for place, step in enumerate(entry.play, start=1):
        await _take(bench, step, f"round {number}, step {place} ({step})")
    if entry.state:
        seen = await bench.view()
        running = seen.round.state == table_pb2.ROUND_STATE_RUNNING
        facts = seen.round.facts if running else (await bench.settled(number)).last_result.facts
        known = {"button": seen.round.button, **case_keys.of(facts, case.game, case.rules_version)}
        compare(known, entry.expect, case, f"round {number}", len(case.players))
        return
    seen = await bench.settled(number)
    compare(found(seen, carried), entry.expect, case, f"round {number}", len(case.players))


def found(seen: table_pb2.TableView, carried: int) -> dict[str, Any]:
    """Return the last result at a table with the keys of case files."""
    result = seen.last_result
    return {
        "button": seen.button,
        **({} if result.voided else case_keys.of(result.facts, seen.table.game, seen.table.rules_version)),
        "net": {str(seat.seat): seat.net for seat in result.seats},
        "fee": result.fee,
        "house": result.house,
        "pot": result.pot,
        "pool": carried + result.pot,
        **({"voided": True} if result.voided else {}),
    }


async def _take(bench: Bench, step: Step, where: str) -> None:
    try:
        if step.void is not None:
            await bench.void(step.void)
        elif step.timeouts:
            await bench.pass_deadlines(step.timeouts)
        else:
            assert step.seat is not None, f"{where}: a step needs its seat"
            assert step.do is not None, f"{where}: a step needs its action"
            await bench.act(step.seat, step.do, step.arguments)
    except client.Refused as refusal:
        if refusal.reason != step.error:
            raise Failed(f"{where}: refused with {refusal}, expected {step.error or 'to be accepted'}") from refusal
        return
    if step.error is not None:
        raise Failed(f"{where}: accepted, expected {step.error}")


async def play_hand(hand: RecordedHand, bench: Bench) -> None:
    """Play one recorded hand; raise Failed if a final stack differs."""
    if reason := hand.unplayable():
        raise Failed(f"{hand.name}: {reason}")
    players = tuple(f"p{seat}" for seat in range(hand.seats))
    try:
        await bench.set_up(hand.variant, hand.house_rules(), players, hand.starting_stacks, hand.button)
        await bench.start(Script(stocks=hand.stocks()), hand.forced.memory(), 0)
        for decision in hand.actions:
            if decision.action == "check" and decision.seat not in (await bench.view()).round.waiting_for:
                continue
            action = action_of(decision, await bench.offered(decision.seat) if hand.bring_in else ())
            await bench.act(decision.seat, action.name, actions.arguments(action))
        seen = await bench.settled(1)
    except client.Refused as refusal:
        raise Failed(f"{hand.name}: {refusal}") from refusal
    stacks = tuple(seat.chips for seat in seen.seats)
    if stacks != hand.finishing_stacks:
        raise Failed(f"{hand.name}: stacks are {list(stacks)}, recorded {list(hand.finishing_stacks)}")
