"""Findings of the checks of log, ledger and records, precise enough for a person to look them up."""

from typing import Final

import msgspec

CHECKPOINT: Final = "checkpoint"
"""Kind of a finding about the house as a whole, not about a stream or a record."""
INSERTED: Final = "inserted"
"""Kind of a record that is missing from its tree although its time is before the checkpoint's."""
FORGED: Final = "forged"
"""Kind of a ledger entry that settlement has not signed."""
LEDGER: Final = "ledger"
"""Kind of an entry that differs from its event's, or of an account that contradicts its legs."""


class Finding(msgspec.Struct, frozen=True):
    """A fault; ``kind`` is one of ``verify``'s or of this module.

    For a record, ``record`` is its kind and ``key`` its key.
    """

    stream_id: str
    version: int
    kind: str
    field: str
    expected: str
    found: str
    record: str = ""
    key: str = ""

    def words(self) -> str:
        """Return the finding as one line of text."""
        where = f"table {self.stream_id} version {self.version}: " if self.stream_id else ""
        where += f"{self.record} {self.key}: " if self.record else ""
        return f"{where}{self.kind} of {self.field}: expected {self.expected or '-'}, found {self.found}"


def general(field: str, expected: str, found: str) -> Finding:
    """Return a finding about the house as a whole."""
    return Finding("", 0, CHECKPOINT, field, expected, found)


def of_record(record: str, key: str, kind: str, field: str, expected: str, found: str) -> Finding:
    """Return a finding about one record."""
    return Finding("", 0, kind, field, expected, found, record, key)
