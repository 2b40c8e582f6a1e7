"""The demo of ``pitboss up``: plays a round of every game over gRPC, with random legal actions, and has it audited."""

import asyncio
import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import grpc
import msgspec
from pitboss import client, parts
from pitboss.v1 import actions_pb2, audit_pb2, audit_pb2_grpc, table_pb2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from services.cli.reach import Reach
from services.contract import wire_actions, wire_tables
from services.rules import actions, catalogue, random_play
from services.runtime.identity import Role

HURRY: Final = {"turn_seconds": 1, "bet_seconds": 1, "claim_seconds": 1}
"""Short deadlines, so that the demo of all games takes a minute."""
BOUNDS: Final = {"max_flips": 4, "max_turns": 60}
"""Bounds that end games without a natural end."""
ROUND_SECONDS: Final = 90.0
SEATS: Final = 3
NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
BUY_IN: Final = 20_000
WIDTH: Final = max(map(len, catalogue.FILES))
"""Characters of the longest id of a game."""


class Shown(msgspec.Struct, frozen=True):
    """The result of one game. ``fault`` is empty if the round was played and replayed; ``events`` were replayed."""

    game: str
    table_id: str
    fault: str
    events: int = 0
    seconds: float = 0.0


class Demo:
    """Plays one round of each game at a house, and prints a line for each; ``verbose`` tells the rounds as well."""

    def __init__(self, reach: Reach, console: Console, language: str = "en", *, verbose: bool = False) -> None:
        self._reach = reach
        self._console = console
        self._language = language
        self._verbose = verbose
        self._channel = client.open_channel(reach.dealers[0])
        self._purse = client.open_channel(reach.settlement)
        self._audit_channel = client.open_channel(reach.audit)
        self._audit = audit_pb2_grpc.AuditServiceStub(self._audit_channel)
        self._auditor = (("authorization", f"Bearer {reach.token('auditor', Role.AUDITOR)}"),)

    async def close(self) -> None:
        """Close the channels."""
        for channel in (self._channel, self._purse, self._audit_channel):
            await channel.close(None)

    async def play_all(self, only: tuple[str, ...] = ()) -> list[Shown]:
        """Play a round of every game of the catalogue, or of the named ones. Return the result of each."""
        operator = self._house("operator", Role.OPERATOR)
        games = [game.game for game in await operator.games() if not only or game.game in only]
        shown = []
        with progress(self._console, len(games)) as step:
            for game in games:
                step(game, 0)
                one = await self._play(operator, game)
                self._print_line(one)
                step(game, 1)
                shown.append(one)
        return shown

    async def _play(self, operator: client.House, game: str) -> Shown:
        table_id, events, begin = "", 0, time.monotonic()
        try:
            async with asyncio.timeout(ROUND_SECONDS):
                table_id, number = await self._round(operator, game)
                fault, events = await self._audited(game, table_id, number)
        except (client.Refused, grpc.RpcError, TimeoutError, AssertionError) as error:
            fault = f"{type(error).__name__}: {error}"
        return Shown(game, table_id, fault, events, time.monotonic() - begin)

    def _print_line(self, one: Shown) -> None:
        style = "red" if one.fault else None
        self._console.print(line(one), style=style, markup=False, highlight=False, soft_wrap=True)

    async def _round(self, operator: client.House, game: str) -> tuple[str, int]:
        told = await operator.game(game)
        wanted = HURRY | BOUNDS | {"start": "manual"}  # one round of each game, not one after the other
        rules = {key: value for key, value in wanted.items() if key in told.house_rules}
        table = await operator.create_table(game, rules, title=told.game.name.en, greatest_buy_in=BUY_IN)
        seats = max(told.game.min_seats, min(SEATS, told.game.max_seats or SEATS))
        players = [await self._seat(operator, table.table_id, name) for name in NAMES[:seats]]
        await players[0].set_seed(table.table_id, uuid.uuid4().hex)
        started = await players[0].start_round(table.table_id)
        rng = random.Random(uuid.uuid4().int)
        while await self._step(players, table.table_id, started.round_number, rng):
            pass
        return table.table_id, int(started.round_number)

    async def _seat(self, operator: client.House, table_id: str, name: str) -> client.House:
        subject = f"{name.lower()}-{uuid.uuid4().hex[:8]}"
        await operator.deposit(subject, BUY_IN, reason="demo")
        player = self._house(subject, Role.PLAYER, name)
        await player.take_seat(table_id, BUY_IN)
        return player

    async def _step(self, players: list[client.House], table_id: str, number: int, rng: random.Random) -> bool:
        """Act for a seat whose turn it is. Return False once the round is settled."""
        seen = await players[0].table(table_id)
        if seen.last_result.round_number >= number:
            return False
        waiting = list(seen.round.waiting_for)
        if not waiting:
            await asyncio.sleep(0.05)
            return True
        seat = rng.choice(waiting)
        own = await players[seat].table(table_id)
        if not own.round.options:
            await asyncio.sleep(0.05)
            return True
        action = choose(own.round.options, rng)
        try:
            await players[seat].act(table_id, action, own.version)
        except client.Refused as refusal:
            if refusal.reason != "STALE_VERSION":
                raise
        return True

    async def _audited(self, game: str, table_id: str, number: int) -> tuple[str, int]:
        """Read the round as the auditor and replay it. Return what is wrong, empty if nothing, and the events."""
        request = audit_pb2.ReadRoundRequest(table_id=table_id, round_number=number, language=self._language)
        read = await parts.read_round(self._audit.ReadRound(request, metadata=self._auditor, timeout=30))
        if self._verbose:
            self._console.rule(game)
            for line in read.words:
                self._console.print(line, markup=False, highlight=False)
        replay = await self._audit.ReplayTable(
            audit_pb2.ReplayTableRequest(table_id=table_id), metadata=self._auditor, timeout=60
        )
        chain = await self._audit.VerifyStream(
            audit_pb2.VerifyStreamRequest(table_id=table_id), metadata=self._auditor, timeout=60
        )
        wrong = [*replay.mismatches, *chain.mismatches]
        if wrong or replay.rounds_replayed != number:
            return f"replay found {len(wrong)} mismatches in {replay.rounds_replayed} rounds: {wrong[:1]}", 0
        return "", int(replay.events_read)

    def _house(self, subject: str, role: Role, name: str = "") -> client.House:
        return client.House(self._channel, self._reach.token(subject, role, name=name), self._purse)


def line(one: Shown) -> str:
    """Return the line of a game: the columns of all games stand below each other."""
    if one.fault:
        return f"✗ {one.game:{WIDTH}} {one.fault}"
    return f"✓ {one.game:{WIDTH}} played, paid, {one.events:3} events replayed  {one.seconds:4.1f} s  {one.table_id}"


@contextmanager
def progress(console: Console, games: int) -> Iterator[Any]:
    """Yield a function that shows the game that is played and how many were; it shows nothing without a terminal."""
    columns = (TextColumn(f"{{task.description:{WIDTH}}}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=games)
        yield lambda game, done: bar.update(task, description=game, advance=done)


def choose(offered: Any, rng: random.Random) -> actions_pb2.Action:
    """Return a random action out of the options of a view."""
    entry: table_pb2.Option = rng.choice(list(offered))
    chosen = random_play.sample([wire_tables.option_from_wire(entry)], rng)
    return wire_actions.named(entry.action, actions.arguments(chosen))
