"""How commands ask the auditor of a house, and where they write what it answers."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from pitboss import client
from pitboss.v1 import audit_pb2_grpc
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from services.cli import reach
from services.cli.refusing import HouseRefuses
from services.runtime.identity import Role

House = Annotated[Path, typer.Option("--folder", help="Folder of the house (pitboss up).")]
CALL_SECONDS = 600.0
STREAM_SECONDS = 3600.0


def progress() -> Progress:
    """Give a line of progress on standard error, where a person looks on."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    return Progress(*columns, transient=True, disable=not sys.stderr.isatty(), console=Console(stderr=True))


@asynccontextmanager
async def auditor(folder: Path) -> AsyncIterator[tuple[Any, tuple[tuple[str, str], ...]]]:
    """Give the audit service of a house and the metadata that lets an auditor in."""
    found = reach.of_folder(folder)
    channel = client.open_channel(found.audit)
    try:
        yield (
            audit_pb2_grpc.AuditServiceStub(channel),
            (("authorization", f"Bearer {found.token('auditor', Role.AUDITOR)}"),),
        )
    finally:
        await channel.close(None)


async def call(method: Any, request: Any, metadata: Any) -> Any:  # noqa: ANN401 - any method of the auditor
    """Call a method. Raises HouseRefuses."""
    try:
        return await method(request, metadata=metadata, timeout=CALL_SECONDS)
    except grpc.RpcError as error:
        raise said(error) from None


def said(error: grpc.RpcError) -> HouseRefuses:
    """Say a refusal in words."""
    return HouseRefuses(str(client.refusal(error)))


def opened(out: Path) -> Any:  # noqa: ANN401 - a text file
    """Open a file to write, ``-`` for standard output."""
    return (
        open(sys.stdout.fileno(), "w", closefd=False, encoding="utf-8")
        if str(out) == "-"
        else out.open("w", encoding="utf-8")
    )


def opened_bytes(out: Path) -> Any:  # noqa: ANN401 - a binary file
    """Open a file to write bytes to, ``-`` for standard output."""
    return open(sys.stdout.fileno(), "wb", closefd=False) if str(out) == "-" else out.open("wb")
