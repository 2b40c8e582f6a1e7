"""Pages of lists: their size and order, and opaque tokens that hold only for the list and the filter that made them.

A list reads one row more than its page holds, and passes what it found to ``cut``:

>>> size, after = pages.size(request, most=500), pages.after(request, Number, 0)
>>> shown, token = pages.cut(request, await listed(conn, after, size + 1), size, lambda row: row.number)
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec
from google.protobuf.message import Message

from services.contract import requests
from services.rules.refusals import Refused, invalid

DEFAULT_SIZE: Final = 50
LONGEST_TOKEN: Final = 1024
LONGEST_ORDER: Final = 64

_DIGEST_BYTES: Final = 8
_PAGING: Final = ("page_size", "page_token")

Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A number in the key of a row, which 64 bits hold."""
Integer = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""The same, of either sign."""
Word = Annotated[str, msgspec.Meta(max_length=256, pattern=r"^[^\x00]*$")]
"""A text in the key of a row."""
Id = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
"""A UUID in the key of a row."""

Key = TypeVar("Key")
Row = TypeVar("Row")
Chosen = TypeVar("Chosen")


def size(request: Any, most: int, default: int = DEFAULT_SIZE) -> int:
    """Return the number of rows of a page: ``default`` where none is asked for, at most ``most``.

    Raises Refused for a negative size.
    """
    asked: int = request.page_size
    if asked < 0:
        raise invalid("page_size", f"{asked} is negative; give 1 to {most}, or 0 for {min(default, most)}")
    return min(asked or default, most)


def after(request: Any, kind: type[Key] | Any, first: Key) -> Key:
    """Return the key of the last row of the page before, of the type ``kind``; ``first`` for the first page.

    Raises Refused for a token that this list did not return for this filter.
    """
    token: str = request.page_token
    if not token:
        return first
    if len(token) > LONGEST_TOKEN:
        raise bad_token()
    try:
        digest, packed = msgspec.msgpack.decode(_unpacked(token), type=tuple[bytes, msgspec.Raw])
        key: Key = msgspec.msgpack.decode(packed, type=kind)
    except (binascii.Error, ValueError):
        raise bad_token() from None
    if digest != _filter_digest(request):
        raise bad_token()
    return key


def token(request: Message, key: Any) -> str:
    """Return the token of the page after the row with this key."""
    packed = msgspec.msgpack.encode((_filter_digest(request), key))
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def cut(request: Message, found: Sequence[Row], most: int, key: Callable[[Row], Any]) -> tuple[list[Row], str]:
    """Return the rows of a page and the token of the next one; it is empty unless there are more than ``most``."""
    shown = list(found[:most])
    return shown, token(request, key(shown[-1])) if len(found) > most else ""


def order(request: Any, orders: Mapping[str, Chosen]) -> Chosen:
    """Return what ``orders`` holds for the order that a request names; the first one where it names none.

    Orders are written as in AIP-132, such as ``end_time desc``. Raises Refused for one that the list does not have.
    """
    asked = " ".join(request.order_by.split()) if len(request.order_by) <= LONGEST_ORDER else request.order_by
    if not asked:
        return next(iter(orders.values()))
    if asked not in orders:
        message = f"{asked[:LONGEST_ORDER]!r} is not an order of this list; give {_listed(orders)}"
        raise invalid("order_by", message, choices=[one for one in orders if one])
    return orders[asked]


def bad_token() -> Refused:
    """Return the refusal of a token that the list has not returned for this filter."""
    return invalid("page_token", "give the token of the page before, with the same filter and order, or none")


def _listed(orders: Mapping[str, Any]) -> str:
    return " or ".join(f"'{one}'" for one in orders)


def _unpacked(token: str) -> bytes:
    """Decode base64. Raises binascii.Error, ValueError."""
    raw = token.encode("ascii")
    padded = raw + b"=" * (-len(raw) % 4)
    packed = base64.b64decode(padded, altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(packed).rstrip(b"=") != raw:
        message = "the token is not in its one form"
        raise ValueError(message)
    return packed


def _filter_digest(request: Message) -> bytes:
    """Return the digest of a request's kind and of all its fields but those of paging."""
    return requests.digest_without(request, _PAGING)[:_DIGEST_BYTES]
