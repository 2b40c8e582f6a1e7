"""The fixed ports of a local house, and whether they are free."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from services.localhouse import process
from services.localhouse.claims import is_free
from services.localhouse.process import HouseError

SETTLEMENT: Final = 7410
AUDIT: Final = 7420
DEALER: Final = 7400
"""Port of the first dealer; those of the others follow it."""
PLAYERS: Final = 7430
PAGE: Final = 7440
"""Port at which the page is served."""
WEB: Final = 7441
"""Port of the process that serves the page: its health."""
CONSOLE_PAGE: Final = 7450
"""Port at which the console of staff is served."""
CONSOLE: Final = 7451
"""Port of the process that serves the console: its health."""
GATEWAY: Final = 7480
"""Port of the gateway, for browsers too."""
METRICS_BEYOND: Final = 2000
"""Offset of a process's metrics port from its own."""


def known(dealers: int, *, gateway: bool = False, page: bool = False, console: bool = False) -> dict[str, int]:
    """Return the processes of a house in the order of their start, each with its fixed port."""
    names = ["dealer"] if dealers == 1 else [f"dealer-{number}" for number in range(1, dealers + 1)]
    front = ({"gateway": GATEWAY} if gateway else {}) | ({"web": WEB} if page else {})
    front |= {"console": CONSOLE} if console else {}
    return {"settlement": SETTLEMENT, "audit": AUDIT, **{name: DEALER + at for at, name in enumerate(names)}, **front}


def wanted(folder: Path, processes: Mapping[str, int]) -> set[int]:
    """Return the ports that must be free before a house starts, without those of processes of an earlier start."""
    left = [one for name in processes if (one := process.left(folder, name)) is not None]
    every = {at for port in processes.values() for at in (port, port + METRICS_BEYOND)}
    pages = {"web": PAGE, "console": CONSOLE_PAGE}
    every |= {port for name, port in pages.items() if name in processes}
    every -= {pages[one.process] for one in left if one.process in pages}
    return every - {port for one in left for port in (one.port, one.metrics_port)}


def require_free(numbers: Iterable[int]) -> None:
    """Raise HouseError if another process has one of these ports."""
    taken = [str(port) for port in sorted(numbers) if not is_free(port)]
    if taken:
        what = f"port {taken[0]} is" if len(taken) == 1 else f"ports {', '.join(taken)} are"
        raise HouseError(
            f"{what} in use by another process, perhaps by another house; stop it, or take free ports: --free-ports"
        )
