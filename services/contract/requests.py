"""The common parts of all commands: a request id, the digest of their content, amounts within bounds."""

import hashlib
import re
from collections.abc import Collection, Sequence
from typing import Any

from google.protobuf import timestamp_pb2
from google.protobuf.message import Message

from services.journal.log_rows import Command
from services.rules import catalogue, chips
from services.rules.game import Game
from services.rules.refusals import Reason, Refused, invalid

LONGEST_REQUEST_ID = 64

_CURRENCY = re.compile(r"[A-Z]{3,8}").fullmatch
LONGEST_SHOWN = 20

_LAST_SECOND = 253_402_300_799
"""The last one of the year 9999."""
_SECOND_NANOS = 10**9

_TABLE_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch


def caller_of(request: Any) -> Any:
    """Return the caller on whose behalf a dealer sends a request. Raises Refused where it names none."""
    if not request.on_behalf.subject:
        raise invalid("on_behalf", "name the caller on whose behalf the command is sent")
    return request.on_behalf


def command(subject: str, request: Message, digest: bytes = b"") -> Command:
    """Return the permanent key and digest of a request. Raises Refused if the request id is missing or too long.

    The key holds who asked, so that nobody can take another's id; the digest holds method and content, whatever
    their amounts, so that the same id with other content is detected.
    """
    request_id: str = request.request_id  # type: ignore[attr-defined]  # every command has one
    if not 1 <= len(request_id) <= LONGEST_REQUEST_ID or not request_id.isascii() or not request_id.isprintable():
        message = f"give an id of 1 to {LONGEST_REQUEST_ID} printable characters, the same for a repetition"
        raise invalid("request_id", message, characters=(1, LONGEST_REQUEST_ID))
    return Command(key=f"{subject}:{request_id}", digest=digest or content_digest(request))


def expected_version(request: Any) -> int | None:
    """Return the version that a request expects the table to have; None where it names none."""
    if "expected_version" not in request.DESCRIPTOR.fields_by_name or not request.HasField("expected_version"):
        return None
    version: int = request.expected_version
    return version


_HOUSES_OWN = ("on_behalf", "reveal", "round_number", "seed_lost", "request_digest")
"""Fields that a dealer adds to what the caller sent; they may differ when the caller repeats itself."""


def content_digest(request: Message) -> bytes:
    """Return the SHA-256 over a request's kind and what the caller sent."""
    return digest_without(request, _HOUSES_OWN)


def digest_without(request: Message, left_out: Collection[str]) -> bytes:
    """Return the SHA-256 over a request's kind and all its fields but those left out."""
    present = [name for name in left_out if name in request.DESCRIPTOR.fields_by_name]
    if present:
        sent = type(request)()
        sent.CopyFrom(request)
        for name in present:
            sent.ClearField(name)
        request = sent
    content = request.SerializeToString(deterministic=True)
    return hashlib.sha256(request.DESCRIPTOR.full_name.encode() + b"\0" + content).digest()


def table_id(request: Any) -> str:
    """Return a request's table id. Raises Refused (``TABLE_NOT_FOUND``) if it is not valid."""
    text: str = request.table_id
    if not is_table_id(text):
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {text[:64]!r}; ListTables shows all")
    return text


def is_table_id(text: str) -> bool:
    """Return whether a text can be the id of a table: a UUID in lower case."""
    return _TABLE_ID(text) is not None


def game_named(game_id: str) -> Game:
    """Return a game. Raises Refused (``UNKNOWN_GAME``)."""
    if game_id not in catalogue.FILES:
        raise Refused(Reason.UNKNOWN_GAME, f"there is no game {game_id!r}; ListGames shows all")
    return catalogue.game(game_id)


def moment_us(at: timestamp_pb2.Timestamp, field: str) -> int:
    """Return a moment in microseconds since 1970. Raises Refused outside of the years 1970 to 9999.

    A Timestamp on the wire may hold any seconds and any nanoseconds; those of a second are 0 to 999,999,999.
    """
    if not (0 <= at.seconds <= _LAST_SECOND and 0 <= at.nanos < _SECOND_NANOS):
        raise invalid(field, "a moment from 1970 to 9999", between_ms=(0, 1000 * _LAST_SECOND))
    return at.seconds * 1_000_000 + at.nanos // 1000


def text(value: str, field: str, longest: int, least: int = 0) -> str:
    """Check a permanently stored text: its length, and that it is printable. Raises Refused."""
    if not least <= len(value) <= longest or not value.isprintable():
        message = f"{least} to {longest} printable characters"
        raise invalid(field, message, characters=(least, longest))
    return value


def currency(value: str, known: Sequence[str] = (), field: str = "currency") -> str:
    """Check the name of a currency; where ``known`` are given it must be one of the house's. Raises Refused.

    Where money comes in, or a table is opened for it, it must be one of the house's. What a currency that the house
    had once has left in wallets can still be seen and taken out.
    """
    if not _CURRENCY(value):
        message = f"{value[:LONGEST_SHOWN]!r} is no currency; give three to eight capital letters"
        raise invalid(field, message, choices=known, capitals=() if known else (3, 8))
    if known and value not in known:
        raise invalid(field, f"{value!r} is no currency of this house; it has {', '.join(known)}", choices=known)
    return value


def amount(value: int, field: str, least: int = 1) -> int:
    """Check that an amount is a number of chips within bounds. Raises Refused."""
    if not least <= value <= chips.MOST_CHIPS:
        message = f"{value} chips; give {least} to {chips.MOST_CHIPS}"
        raise invalid(field, message, least=least, greatest=chips.MOST_CHIPS)
    return value
