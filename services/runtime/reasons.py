"""The closed list of reasons for which a call is refused, with the gRPC code of each (texts: ``wordings``)."""

import enum
from typing import Final

from grpc import StatusCode


class Reason(enum.StrEnum):
    """``ErrorInfo.reason``; its code stands in ``CODES``, its text in ``wordings``."""

    # -- the rules refuse [rules "Refusals"]
    OUT_OF_TURN = "OUT_OF_TURN"
    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    AMOUNT_OUT_OF_RANGE = "AMOUNT_OUT_OF_RANGE"
    INSUFFICIENT_CHIPS = "INSUFFICIENT_CHIPS"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    ILLEGAL_CARDS = "ILLEGAL_CARDS"
    NOT_SEATED = "NOT_SEATED"
    ROUND_NOT_OPEN = "ROUND_NOT_OPEN"
    NOT_ENOUGH_SEATS = "NOT_ENOUGH_SEATS"
    # -- the table refuses
    TABLE_NOT_FOUND = "TABLE_NOT_FOUND"
    SEAT_TAKEN = "SEAT_TAKEN"
    TABLE_FULL = "TABLE_FULL"
    TABLE_CLOSED = "TABLE_CLOSED"
    ALREADY_SEATED = "ALREADY_SEATED"
    ROUND_IN_PROGRESS = "ROUND_IN_PROGRESS"
    ROUND_NOT_SETTLED = "ROUND_NOT_SETTLED"
    STALE_VERSION = "STALE_VERSION"
    REQUEST_CONFLICT = "REQUEST_CONFLICT"
    SEEDS_CLOSED = "SEEDS_CLOSED"
    UNKNOWN_GAME = "UNKNOWN_GAME"
    HOUSE_RULE_OUT_OF_RANGE = "HOUSE_RULE_OUT_OF_RANGE"
    SCRIPTED_DECKS_OFF = "SCRIPTED_DECKS_OFF"
    TEST_ONLY = "TEST_ONLY"
    WRONG_FAMILY = "WRONG_FAMILY"
    RETURN_TOO_HIGH = "RETURN_TOO_HIGH"
    TEMPLATE_CLOSED = "TEMPLATE_CLOSED"
    # -- the cashier refuses
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    WRONG_CURRENCY = "WRONG_CURRENCY"
    LIMIT_REACHED = "LIMIT_REACHED"
    SWITCHED_OFF = "SWITCHED_OFF"
    EXCLUDED = "EXCLUDED"
    SECOND_PERSON_NEEDED = "SECOND_PERSON_NEEDED"
    ALREADY_DECIDED = "ALREADY_DECIDED"
    PLAYER_SEATED = "PLAYER_SEATED"
    # -- any service refuses
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    NOT_FOUND = "NOT_FOUND"
    ROUND_STILL_OPEN = "ROUND_STILL_OPEN"
    HISTORY_CHANGED = "HISTORY_CHANGED"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    TOO_MANY_REQUESTS = "TOO_MANY_REQUESTS"
    UNAVAILABLE = "UNAVAILABLE"
    SHUTTING_DOWN = "SHUTTING_DOWN"
    INTERNAL = "INTERNAL"


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
