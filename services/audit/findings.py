"""What a check of log, ledger and records finds, named so that a person can go and look."""

from typing import Final

import msgspec

CHECKPOINT: Final = "checkpoint"
"""Kind of what is found of the house as a whole, where no stream and no record is known."""
INSERTED: Final = "inserted"
"""Kind of a record that never entered its tree when its moment says that it must have."""
FORGED: Final = "forged"
"""Kind of a ledger entry that settlement has not signed."""
LEDGER: Final = "ledger"
"""Kind of an entry that is not the one of its event, or an account that its legs deny."""


class Finding(msgspec.Struct, frozen=True):
    """Something that does not hold: ``kind`` is one of ``verify``'s or of this module.

    ``record`` names the kind of a record and ``key`` the record itself, where it is one.
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
        """Return it in one line."""
        where = f"table {self.stream_id} version {self.version}: " if self.stream_id else ""
        where += f"{self.record} {self.key}: " if self.record else ""
        return f"{where}{self.kind} of {self.field}: expected {self.expected or '-'}, found {self.found}"


def general(field: str, expected: str, found: str) -> Finding:
    """Return a finding about the house as a whole."""
    return Finding("", 0, CHECKPOINT, field, expected, found)


def of_record(record: str, key: str, kind: str, field: str, expected: str, found: str) -> Finding:
    """Return a finding about one record."""
    return Finding("", 0, kind, field, expected, found, record, key)
