"""Claims of a server on this machine: its folder, and a port of 127.0.0.1."""

import fcntl
import os
import secrets
import socket
import sys
from collections import deque
from pathlib import Path
from typing import Final

_PORTS: Final = range(20_000, 32_000)
"""Below the ports of outgoing connections: 32768 and above on Linux, 49152 and above on other systems."""
TRIES: Final = 100
MOST_HELD: Final = 200
"""Ports that this process keeps from others at once, the newest ones."""
_held: deque[socket.socket] = deque(maxlen=MOST_HELD)


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
    """Return a port of 127.0.0.1 that is free, and that no other caller of this function gets meanwhile.

    A server may start on it much later, and start again. It is below the range of outgoing connections, so that none of
    them takes it first. Raises ClaimError.
    """
    for _ in range(TRIES):
        port = _PORTS.start + secrets.randbelow(len(_PORTS))
        if _hold(port):
            return port
    message = f"none of {TRIES} ports tried between {_PORTS.start} and {_PORTS.stop} is free; end what holds them"
    raise ClaimError(message)


def _hold(port: int) -> bool:
    """Bind a port until this process ends or holds many newer ones; return whether nobody else has bound it.

    On Linux a server that sets SO_REUSEADDR, as servers do, may bind and serve a port that another socket has bound
    with that option and does not listen on. Elsewhere it may not, and the port is only looked at.
    """
    holder = socket.socket()
    try:
        holder.bind(("127.0.0.1", port))  # without the option: a port that another process holds is refused
    except OSError:
        holder.close()
        return False
    if sys.platform == "linux":
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _held.append(holder)
    else:
        holder.close()
    return True


def is_free(port: int) -> bool:
    """Return whether a server could take a port of 127.0.0.1 at this moment."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
