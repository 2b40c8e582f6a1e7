"""The gRPC code of each reason, and the languages of their texts (``wordings``)."""

from typing import Final

from grpc import StatusCode

from services.rules.refusals import Reason

CODES: Final[dict[Reason, StatusCode]] = dict.fromkeys(Reason, StatusCode.FAILED_PRECONDITION) | {
    Reason.AMOUNT_OUT_OF_RANGE: StatusCode.OUT_OF_RANGE,
    Reason.CARD_NOT_HELD: StatusCode.INVALID_ARGUMENT,
    Reason.HOUSE_RULE_OUT_OF_RANGE: StatusCode.INVALID_ARGUMENT,
    Reason.WRONG_CURRENCY: StatusCode.INVALID_ARGUMENT,
    Reason.RETURN_TOO_HIGH: StatusCode.INVALID_ARGUMENT,
    Reason.INVALID_ARGUMENT: StatusCode.INVALID_ARGUMENT,
    Reason.MALFORMED_REQUEST: StatusCode.INVALID_ARGUMENT,
    Reason.TABLE_NOT_FOUND: StatusCode.NOT_FOUND,
    Reason.UNKNOWN_GAME: StatusCode.NOT_FOUND,
    Reason.NOT_FOUND: StatusCode.NOT_FOUND,
    Reason.STALE_VERSION: StatusCode.ABORTED,
    Reason.REQUEST_CONFLICT: StatusCode.ALREADY_EXISTS,
    Reason.UNAUTHENTICATED: StatusCode.UNAUTHENTICATED,
    Reason.INVITATION_NEEDED: StatusCode.PERMISSION_DENIED,
    Reason.PERMISSION_DENIED: StatusCode.PERMISSION_DENIED,
    Reason.DEADLINE_EXCEEDED: StatusCode.DEADLINE_EXCEEDED,
    Reason.TOO_MANY_REQUESTS: StatusCode.RESOURCE_EXHAUSTED,
    Reason.UNAVAILABLE: StatusCode.UNAVAILABLE,
    Reason.SHUTTING_DOWN: StatusCode.UNAVAILABLE,
    Reason.HISTORY_CHANGED: StatusCode.DATA_LOSS,
    Reason.INTERNAL: StatusCode.INTERNAL,
}
"""The gRPC code of each reason: FAILED_PRECONDITION (not now, at this table) unless it stands here.

NOT_SEATED is one of them: who is not in the round may well be in the next.
"""

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")
_REGIONS: Final = {
    "zh-tw": "zh-Hant",
    "zh-hk": "zh-Hant",
    "zh-mo": "zh-Hant",
    "zh-cn": "zh-Hans",
    "zh-sg": "zh-Hans",
    "zh": "zh-Hant",
}


def language(accept: str) -> str:
    """Choose the house's language for an ``accept-language`` value; empty when none of it is spoken here."""
    for part in accept.split(",")[:8]:
        tag = part.split(";")[0].strip().lower()
        for known in LANGUAGES:
            if tag == known.lower() or tag.startswith(known.lower() + "-"):
                return known
        if tag in _REGIONS:
            return _REGIONS[tag]
    return ""
