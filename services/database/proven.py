"""Records that signed checkpoints prove: how each kind is read, and the text that represents a record permanently.

Each store lists its proven tables (``PROVEN`` in its ``queries``). A record's text is JSON of its fields in their
order, without those that are null; its leaf is SHA-256 over the text. So a nullable column may be appended to the
fields later: records without a value keep their text.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec

FIRST_KEYS: Final = {"uuid": "00000000-0000-0000-0000-000000000000", "bigint": "0", "text": ""}
"""The types that a key may have, each with the key that sorts first."""

MICROSECONDS: Final = "CASE WHEN isfinite({at}) THEN (extract(epoch FROM {at}) * 1000000)::bigint END"


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of record. Its rows are inserted and never changed, and an index begins with ``at`` and the key.

    ``tree`` is the kind's permanent name in checkpoints. ``table`` is read under the alias ``r`` and joined to
    ``beside``. ``key`` is the column that identifies a record, of type ``key_type``; ``at`` is the time of its
    insertion by the database's clock. ``fields`` are the names in the text; ``expressions`` holds the SQL of those
    that are not columns.
    """

    tree: str
    table: str
    key: str
    key_type: str
    fields: tuple[str, ...]
    expressions: Mapping[str, str] = {}
    beside: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError where the key's type cannot be paged."""
        if self.key_type not in FIRST_KEYS:
            raise ValueError(f"{self.tree}: a key is one of {', '.join(FIRST_KEYS)}, not {self.key_type}")

    def expression(self, field: str) -> str:
        """Return the SQL expression of a field."""
        if field == "at_us":
            return MICROSECONDS.format(at="r.at")
        return self.expressions.get(field, f"r.{field}")

    def text(self, values: tuple[object, ...]) -> str:
        """Return the text of a record from the values of its fields."""
        named = {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in zip(self.fields, values, strict=True)
            if value is not None
        }
        return msgspec.json.encode({"record": self.tree, **named}).decode()


def digest(text: str) -> bytes:
    """Return the leaf of a record: SHA-256 over its text."""
    return hashlib.sha256(text.encode()).digest()
