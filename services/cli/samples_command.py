"""``pitboss samples``: raw generator output and final outcomes for a test laboratory [R21]."""

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TimeRemainingColumn

from services.cli import reach
from services.fairness import samples as makers
from services.fairness import seed as seeds
from services.rules import cards


class Kind(StrEnum):
    """Kinds of samples."""

    RAW = "raw"
    SHUFFLES = "shuffles"
    NUMBERS = "numbers"
    DICE = "dice"


class Pack(StrEnum):
    """Packs that can be shuffled."""

    CARDS_52 = "52"
    CARDS_54 = "54"
    TILES_40 = "40"


PACKS = {Pack.CARDS_52: cards.PACK_52, Pack.CARDS_54: cards.PACK_54, Pack.TILES_40: cards.TILES_40}
EVERY = 1000
"""Lines between two updates of the progress line."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(samples)


def samples(
    kind: Annotated[Kind, typer.Argument(help="raw: bytes as shuffles read them; the others: a line for each round.")],
    size: Annotated[int, typer.Argument(min=1, help="Bytes of raw output, or lines.")],
    out: Annotated[Path, typer.Option(help="File to write; - for standard output.")] = Path("-"),
    pack: Annotated[Pack, typer.Option(help="Of shuffles: 52 or 54 cards, or 40 tiles.")] = Pack.CARDS_52,
    bound: Annotated[int, typer.Option(min=2, max=1 << 32, help="Of numbers: their exclusive upper bound.")] = 52,
    each: Annotated[int, typer.Option(min=1, max=10_000, help="Of numbers and dice: how many on a line.")] = 1,
    seed: Annotated[str, typer.Option(help="64 hexadecimal digits, to repeat a sample. Default: random.")] = "",
) -> None:
    """Write samples from the functions that deal. Each line or piece is the chance of one round."""
    house_seed = _seed(seed)
    typer.echo(f"seed {house_seed.hex()}", err=True)
    with _bar() as progress, reach.opened_bytes(out) as file:
        task = progress.add_task(kind.value, total=size)
        done = 0
        for piece in _pieces(kind, house_seed, size, pack, bound, each):
            file.write(piece)
            done += len(piece) if kind is Kind.RAW else 1
            if kind is Kind.RAW or done % EVERY == 0:
                progress.update(task, completed=done)
    typer.echo(f"{done} {'bytes' if kind is Kind.RAW else 'lines'}", err=True)


def _bar() -> Progress:
    bar = reach.progress()
    bar.columns = (*bar.columns, BarColumn(), TimeRemainingColumn())
    return bar


def _seed(text: str) -> bytes:
    if not text:
        return os.urandom(seeds.SEED_BYTES)
    try:
        given = bytes.fromhex(text)
    except ValueError:
        given = b""
    if len(given) != seeds.SEED_BYTES:
        raise typer.BadParameter(f"a seed has {2 * seeds.SEED_BYTES} hexadecimal digits, not {text!r}")
    return given


def _pieces(kind: Kind, house_seed: bytes, size: int, pack: Pack, bound: int, each: int) -> Iterator[bytes]:
    if kind is Kind.RAW:
        yield from makers.raw(house_seed, size)
        return
    if kind is Kind.SHUFFLES:
        lines = makers.shuffles(house_seed, PACKS[pack], size)
    elif kind is Kind.NUMBERS:
        lines = makers.numbers(house_seed, bound, size, each)
    else:
        lines = makers.throws(house_seed, each, size)
    for line in lines:
        yield line.encode() + b"\n"
