"""Records that signed checkpoints prove: how each kind is read, and the text that stands for one of them for ever.

Each store says which of its tables are proven (``PROVEN`` in its ``queries``): one line for each kind. A record's text
is JSON of its fields in their order, those that are null left out; its leaf is SHA-256 over the text. So a nullable
column may be added behind the others later: records without it keep their text.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec

FIRST_KEYS: Final = {"uuid": "00000000-0000-0000-0000-000000000000", "bigint": "0", "text": ""}
"""The types that a key may have, and a key of each."""

MICROSECONDS: Final = "CASE WHEN isfinite({at}) THEN (extract(epoch FROM {at}) * 1000000)::bigint END"


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of record. Its rows are inserted and never changed, and an index begins with ``at`` and the key.

    ``tree`` names the kind in checkpoints for ever. ``table`` is read under the alias ``r``; ``beside`` is joined to
    it. ``key`` is the column that names a record, of type ``key_type``; ``at`` is the moment of its insertion by the
    database's clock. ``fields`` are the SQL expressions behind the names in the text; a bare name stands for itself.
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
        told = {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in zip(self.fields, values, strict=True)
            if value is not None
        }
        return msgspec.json.encode({"record": self.tree, **told}).decode()


def digest(text: str) -> bytes:
    """Return the leaf of a record: SHA-256 over its text."""
    return hashlib.sha256(text.encode()).digest()
