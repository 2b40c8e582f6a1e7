"""Messages between an audit process and its workers: a kind of one letter, a length, and the bytes."""

import asyncio
from typing import Final

import msgspec

from services.rules.refusals import Reason, Refused
from services.rules.text import Text

JOB: Final = b"J"
"""A job; one at a time."""
CANCEL: Final = b"C"
"""The caller of the running job has gone away."""
PART: Final = b"P"
"""A part of the answer."""
DONE: Final = b"D"
"""The job is over, finished or cancelled."""
REFUSED: Final = b"R"
"""The job ended with a refusal for the caller."""
FAILED: Final = b"F"
"""The job ended with a program error; the text is for the log."""
EXPORT_MORE: Final = "ExportRounds, more"
"""The method of a job that continues an export."""
LONGEST: Final = 1 << 26

_HEAD: Final = 5


class Job(msgspec.Struct, frozen=True):
    """One read: the method, its request's bytes, and the caller."""

    method: str
    request: bytes
    subject: str = ""


class Refusal(msgspec.Struct, frozen=True):
    """A refusal (``Refused``), encoded for the way from a worker to the caller."""

    reason: str
    message: str
    metadata: dict[str, str]
    fields: list[tuple[str, str]]
    text: Text | None

    @classmethod
    def of(cls, refusal: Refused) -> "Refusal":
        """Encode a refusal."""
        return cls(refusal.reason.value, refusal.message, refusal.metadata, list(refusal.fields), refusal.text)

    def refusal(self) -> Refused:
        """Return the refusal as it was raised."""
        return Refused(Reason(self.reason), self.message, metadata=self.metadata, fields=self.fields, text=self.text)


async def write(writer: asyncio.StreamWriter, kind: bytes, data: bytes = b"") -> None:
    """Write one message, and wait while the receiver is slow."""
    assert len(data) <= LONGEST, f"a message of {len(data)} bytes; at most {LONGEST}"
    writer.write(kind + len(data).to_bytes(_HEAD - 1, "big") + data)
    await writer.drain()


class Reader:
    """Reads messages one by one; a cancelled read is resumed by the next."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._head = b""

    async def read(self) -> tuple[bytes, bytes]:
        """Return one message: kind and bytes. Raises EOFError where the other side is gone."""
        try:
            if not self._head:
                self._head = await self._reader.readexactly(_HEAD)
            data = await self._reader.readexactly(int.from_bytes(self._head[1:], "big"))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError from error
        kind, self._head = self._head[:1], b""
        return kind, data
