"""Many cases and hands played one after the other, or side by side against a house, and what came of them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from pitboss import client

from services.cli.certify import cases, hands, hands_rules_only, over_grpc, rules_only
from services.cli.certify.cases import Case
from services.cli.certify.hands import RecordedHand
from services.cli.certify.rules_only import Failed
from services.cli.reach import Reach
from services.runtime.identity import Role

AT_ONCE = 8

Entry = Case | RecordedHand


class Result(msgspec.Struct, frozen=True):
    """What came of one case or hand; ``difference`` is empty where it passed."""

    game: str
    name: str
    passed: bool
    difference: str = ""


Tell = Callable[[Result], None]


def load(paths: Iterable[Path]) -> Iterator[Entry]:
    """Read case files (``*.yaml``) and recorded hands (``*.jsonl``) of files and folders. Raises CaseError."""
    for path in paths:
        if path.suffix == ".jsonl":
            yield from hands.load(path)
        elif path.is_dir():
            yield from cases.load([path])
            yield from hands.load(path)
        else:
            yield from cases.load([path])


def on_rules(entries: Iterable[Entry], tell: Tell) -> None:
    """Play everything on the rules alone."""
    for entry in entries:
        tell(_result(entry, lambda one=entry: _play(one)))  # type: ignore[misc]


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
    except Exception as error:  # noqa: BLE001 - a game that breaks fails its case and not the run
        return _of(entry, f"the program failed: {error!r}")
    return _of(entry, "")


def _of(entry: Entry, difference: str) -> Result:
    game, name = (entry.game, entry.name) if isinstance(entry, Case) else (entry.variant, entry.name)
    return Result(game=game, name=name, passed=not difference, difference=difference)


async def on_house(entries: Iterable[Entry], reach: Reach, tell: Tell) -> None:
    """Play everything against a running house, several at a time."""
    async with AsyncExitStack() as stack:
        channels = [client.open_channel(address) for address in reach.dealers]
        purse = client.open_channel(reach.settlement)
        for channel in (*channels, purse):
            stack.push_async_callback(channel.close, None)
        operator = reach.token("laboratory", Role.OPERATOR)
        queue = list(enumerate(entries))
        queue.reverse()

        def player(named: str, at: int) -> client.House:
            subject, _, name = named.partition("|")
            return client.House(channels[at % len(channels)], reach.token(subject, test=True, name=name), purse)

        async def work() -> None:
            while queue:
                at, entry = queue.pop()
                house = client.House(channels[at % len(channels)], operator, purse)
                bench = over_grpc.Bench(house, lambda named, at=at: player(named, at))  # type: ignore[misc]
                tell(await _result_of(entry, _play_over_grpc(entry, bench)))

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def _play_over_grpc(entry: Entry, bench: over_grpc.Bench) -> None:
    if isinstance(entry, Case):
        await over_grpc.play_case(entry, bench)
    else:
        await over_grpc.play_hand(entry, bench)


async def _result_of(entry: Entry, playing: Awaitable[None]) -> Result:
    try:
        await playing
    except Failed as difference:
        return _of(entry, str(difference))
    except Exception as error:  # noqa: BLE001 - as above
        return _of(entry, f"the program failed: {error!r}")
    return _of(entry, "")
