"""Plays many cases and hands, one by one on the rules or concurrently against a house, and reports the results."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import msgspec
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.cli.certify import cases, hands, hands_rules_only, over_grpc, rules_only
from services.cli.certify.cases import Case, CaseError
from services.cli.certify.hands import RecordedHand
from services.cli.certify.rules_only import Failed
from services.cli.command_group import HouseRefuses
from services.cli.reach import Reach
from services.runtime.identity import Role

AT_ONCE = 8

Entry = Case | RecordedHand


class Result(msgspec.Struct, frozen=True):
    """The result of one case or hand; ``difference`` is empty if it passed.

    ``left_open`` names a test table that could not be closed, and why; it is empty if all are closed.
    """

    game: str
    name: str
    passed: bool
    difference: str = ""
    left_open: str = ""


Tell = Callable[[Result], None]
Bad = Callable[[CaseError], None]


def load(paths: Iterable[Path], bad: Bad | None = None) -> Iterator[Entry]:
    """Yield the cases (``*.yaml``) and recorded hands (``*.jsonl``) of files and folders.

    At a fault the rest of its file is skipped: ``bad`` is called and the next file is read. Raises CaseError if
    ``bad`` is None.
    """
    for path in paths:
        try:
            found = _files(path)
        except CaseError as error:
            _tell(error, bad)
            continue
        for file in found:
            try:
                yield from hands.load(file) if file.suffix == ".jsonl" else cases.load([file])
            except CaseError as error:
                _tell(error, bad)


def _files(path: Path) -> list[Path]:
    return [*cases.files(path, "*.yaml"), *cases.files(path, "*.jsonl")] if path.is_dir() else cases.files(path, "*")


def _tell(error: CaseError, bad: Bad | None) -> None:
    if bad is None:
        raise error
    bad(error)


def on_rules(entries: Iterable[Entry], tell: Tell) -> None:
    """Play everything on the rules alone."""
    for entry in entries:
        tell(_result(entry, partial(_play, entry)))


def _play(entry: Entry) -> None:
    if isinstance(entry, Case):
        rules_only.play(entry)
    else:
        hands_rules_only.play(entry)


def _result(entry: Entry, play: Callable[[], None]) -> Result:
    try:
        play()
    except Failed as difference:
        return _of(entry, str(difference))
    except Exception as error:  # a program error fails its case, not the run
        return _of(entry, f"the program failed: {error!r}")
    return _of(entry, "")


def _of(entry: Entry, difference: str) -> Result:
    game, name = (entry.game, entry.name) if isinstance(entry, Case) else (entry.variant, entry.name)
    return Result(game=game, name=name, passed=not difference, difference=difference)


async def on_house(entries: Iterable[Entry], reach: Reach, tell: Tell) -> None:
    """Play everything against a running house, several cases at a time; close each table after its case.

    Raises HouseRefuses, before a table is opened, if the house accepts no scripted decks or does not answer.
    """
    async with AsyncExitStack() as stack:
        channels = [client.open_channel(address) for address in reach.dealers]
        purse = client.open_channel(reach.settlement)
        for channel in (*channels, purse):
            stack.push_async_callback(channel.close, None)
        operator = reach.token("laboratory", Role.OPERATOR)
        for channel in channels:
            await _see_scripted(client.House(channel, operator, purse))
        queue = list(enumerate(entries))
        queue.reverse()

        def player(at: int, named: str) -> client.House:
            subject, _, name = named.partition("|")
            return client.House(channels[at % len(channels)], reach.token(subject, test=True, name=name), purse)

        async def work() -> None:
            while queue:
                at, entry = queue.pop()
                house = client.House(channels[at % len(channels)], operator, purse)
                bench = over_grpc.Bench(house, partial(player, at))
                result = await _result_of(entry, _play_over_grpc(entry, bench))
                tell(msgspec.structs.replace(result, left_open=bench.left_open))

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def _see_scripted(house: client.House) -> None:
    """Check that a house accepts scripted decks, with a call that concerns no table."""
    request = dealer_pb2.ScriptRoundRequest(request_id=client.request_id())
    try:
        await house.call(house.dealer.ScriptRound, request)
    except client.Refused as refusal:
        if refusal.reason != "TABLE_NOT_FOUND":
            raise HouseRefuses(str(refusal)) from None


async def _play_over_grpc(entry: Entry, bench: over_grpc.Bench) -> None:
    try:
        if isinstance(entry, Case):
            await over_grpc.play_case(entry, bench)
        else:
            await over_grpc.play_hand(entry, bench)
    finally:
        await bench.close()


async def _result_of(entry: Entry, playing: Awaitable[None]) -> Result:
    try:
        await playing
    except Failed as difference:
        return _of(entry, str(difference))
    except Exception as error:
        return _of(entry, f"the program failed: {error!r}")
    return _of(entry, "")
