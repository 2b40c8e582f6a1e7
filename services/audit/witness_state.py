"""The last checkpoint that a witness saw, in a file that is written and synced before anything is signed."""

import os
from pathlib import Path

import msgspec


class Seen(msgspec.Struct, frozen=True):
    """The last checkpoint that was seen: number, text, and signature and key in hex."""

    number: int
    text: str
    key_id: str
    signature: str


class StateFile:
    """The file; its folder must exist."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Seen | None:
        """Return the last checkpoint seen, or None. Raises OSError, and ValueError where the file is damaged."""
        if not self._path.exists():
            return None
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Seen)
        except msgspec.DecodeError as error:
            raise ValueError(f"{self._path} is not a valid witness state ({error}); do not delete it lightly") from None

    def write(self, seen: Seen) -> None:
        """Replace the state; it is synced to disk on return. Raises OSError."""
        draft = self._path.with_suffix(".new")
        with draft.open("wb") as file:
            file.write(msgspec.json.encode(seen))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
