"""Errors as ``google.rpc.Status``: one ``ErrorInfo`` always, field violations, and a text in the caller's language."""

import math
from collections.abc import Iterator
from typing import Any, Final

import grpc
import psycopg
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from services.rules import field_bounds, refusal_figures
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.runtime import reasons, wordings

DOMAIN = "pitboss"
ROLE_DENIED = "role"
"""In the metadata of PERMISSION_DENIED: the role of the caller's token, where that role may not call the method."""
DETAILS_KEY = "grpc-status-details-bin"
LONGEST_MESSAGE, LONGEST_VALUE, LONGEST_PAIRS, LONGEST_FIELDS = 600, 100, 1000, 2800
"""Bounds of a status, in bytes of UTF-8: the message, one value, all metadata, all violations. Peers cut off trailing
metadata at 8 kB, and the message counts twice (percent-encoded, and within the status as base64)."""


def to_status(refusal: Refused, language: str = "") -> status_pb2.Status:
    """Write a refusal as a status; in a language other than "" its reason's text goes along."""
    details: list[Message] = [
        error_details_pb2.ErrorInfo(
            reason=refusal.reason.value,
            domain=DOMAIN,
            metadata=dict(_pairs(refusal)),
        )
    ]
    if refusal.fields:
        details.append(error_details_pb2.BadRequest(field_violations=_violations(refusal, language)))
    if refusal.retry_seconds is not None:
        pause = duration_pb2.Duration()
        pause.FromMilliseconds(math.ceil(refusal.retry_seconds * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=pause))
    if language:
        text = _cut(
            _text(refusal).within(language),
            LONGEST_MESSAGE,
        )
        details.append(error_details_pb2.LocalizedMessage(locale=language, message=text))
    number: int = reasons.CODES[refusal.reason].value[0]
    return status_pb2.Status(
        code=number, message=_cut(refusal.message, LONGEST_MESSAGE), details=[_packed(detail) for detail in details]
    )


def _text(refusal: Refused) -> Text:
    known = refusal.text or refusal_figures.text(refusal)
    return known or field_bounds.of_all(refusal) or wordings.TEXTS[refusal.reason]


def _pairs(refusal: Refused) -> Iterator[tuple[str, str]]:
    left = LONGEST_PAIRS
    for key, value in refusal.metadata.items():
        pair = _cut(key, LONGEST_VALUE), _cut(value, LONGEST_VALUE)
        left -= sum(len(part.encode()) for part in pair)
        if left < 0:
            return
        yield pair


def _violations(refusal: Refused, language: str) -> Iterator[error_details_pb2.BadRequest.FieldViolation]:
    """Yield the violations that there is room for, each with its text in a language other than ""."""
    left = LONGEST_FIELDS
    for path, what in refusal.fields:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=_cut(path, LONGEST_VALUE), description=_cut(what, LONGEST_VALUE)
        )
        text = refusal.field_texts.get(path) or field_bounds.of_field(refusal, path)
        if language and text is not None:
            violation.localized_message.locale = language
            violation.localized_message.message = _cut(text.within(language), LONGEST_VALUE)
        left -= violation.ByteSize()
        if left < 0:
            return
        yield violation


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode(errors="ignore")


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


_NOT_THERE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
"""The other service is away, too slow, or stops and has not taken the call."""

_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction, ConnectionError)
"""The database is away, overloaded, failing over, or gave up on a statement: nothing happened, or the same request
answers what did."""

MOST_KEPT: Final = 2**63 - 1
"""The greatest sum that the database keeps."""

MEANT: Final[tuple[tuple[tuple[type[BaseException], ...], Reason, str], ...]] = (
    ((DecodeError,), Reason.MALFORMED_REQUEST, "the request's bytes are not a message of this method"),
    (_AWAY, Reason.UNAVAILABLE, "the database is not available; send the same request again"),
    (
        (psycopg.errors.NumericValueOutOfRange,),
        Reason.AMOUNT_OUT_OF_RANGE,
        "a sum would grow beyond what is kept; nothing has changed",
    ),
)
"""What exceptions of libraries mean to the caller."""


def from_exception(error: BaseException) -> Refused | None:
    """Return the refusal that an exception means to the caller, None for an error of the program.

    Detail of what went wrong inside (addresses, statements) never reaches the caller.
    """
    if isinstance(error, Refused):
        return error
    if isinstance(error, grpc.aio.AioRpcError):
        return from_upstream(error)
    for kinds, reason, words in MEANT:
        if isinstance(error, kinds):
            most = {"greatest": MOST_KEPT} if reason is Reason.AMOUNT_OUT_OF_RANGE else None
            return Refused(reason, words, metadata=most)
    return None


def from_upstream(error: grpc.aio.AioRpcError) -> Refused | None:
    """Return the refusal of another service; None when that service erred or did not say why.

    None as well where it refuses this process itself (its token has expired, its role may not call that): the caller
    can do nothing about it and must not be asked to sign in again.
    """
    status = status_of(error)
    if status is not None and (refusal := _from_status(status)) is not None:
        return None if refusal.reason is Reason.INTERNAL or _refuses_this_process(refusal) else refusal
    if error.code() in _NOT_THERE:
        return Refused(Reason.UNAVAILABLE, "another service of the house is not available; send the same request again")
    return None


def _refuses_this_process(refusal: Refused) -> bool:
    """Return whether a refusal is about the token of the service that called, and not about whom it called for."""
    return refusal.reason is Reason.UNAUTHENTICATED or ROLE_DENIED in refusal.metadata


def status_of(error: grpc.aio.AioRpcError) -> status_pb2.Status | None:
    """Read the rich status of a failed call, None when it carries none."""
    trailing: Any = error.trailing_metadata() or ()
    for key, value in trailing:
        if key == DETAILS_KEY:
            status: status_pb2.Status = status_pb2.Status.FromString(value)
            return status
    return None


def _from_status(status: status_pb2.Status) -> Refused | None:
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(bad)
        detail.Unpack(retry)
    if info.domain != DOMAIN or info.reason not in set(Reason):
        return None
    fields = [(violation.field, violation.description) for violation in bad.field_violations]
    pause = retry.retry_delay.ToTimedelta().total_seconds() if retry.HasField("retry_delay") else None
    return Refused(Reason(info.reason), status.message, metadata=info.metadata, fields=fields, retry_seconds=pause)
