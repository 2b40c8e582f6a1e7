"""Claims of a server on this machine: its folder, and a port of 127.0.0.1."""

import fcntl
import os
import secrets
import socket
from pathlib import Path
from typing import Final

_PORTS: Final = range(20_000, 32_000)
"""Below the ports of outgoing connections: 32768 and above on Linux, 49152 and above on other systems."""
TRIES: Final = 100


class ClaimError(Exception):
    """Another process holds it; the message names the process."""


class FolderClaim:
    """Holds a folder for this process until ``release`` or the process's end. Raises ClaimError if it is held.

    ``named`` is the folder's name in messages.
    """

    def __init__(self, folder: Path, named: Path) -> None:
        self._file = (folder / "lock").open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            message = f"{named} is in use by process {holder}; stop it, or choose another folder"
            raise ClaimError(message) from error
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def release(self) -> None:
        """Release the folder."""
        self._file.close()


def free_port() -> int:
    """Return a port of 127.0.0.1 that is free at this moment.

    It is below the range of outgoing connections, so that none of them takes it first. It is drawn at random, so that
    two callers at the same moment rarely get the same one. Raises ClaimError.
    """
    for _ in range(TRIES):
        port = _PORTS.start + secrets.randbelow(len(_PORTS))
        if is_free(port):
            return port
    message = f"none of {TRIES} ports tried between {_PORTS.start} and {_PORTS.stop} is free; end what holds them"
    raise ClaimError(message)


def is_free(port: int) -> bool:
    """Return whether a server could take a port of 127.0.0.1 at this moment."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
