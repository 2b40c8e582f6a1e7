"""Refusals: the closed list of reasons, and the one error that rules, tables and services raise.

The gRPC code of a reason is in ``runtime.reasons``, its short text for players in ``runtime.wordings``.
"""

import enum
import math
from collections.abc import Mapping, Sequence

from services.rules import moments
from services.rules.text import Text


class Reason(enum.StrEnum):
    """Why something is refused: ``ErrorInfo.reason`` of the contract, and the word in a case file."""

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
    MATCH_IN_PROGRESS = "MATCH_IN_PROGRESS"
    HOUSE_STARTS = "HOUSE_STARTS"
    SEAT_HELD = "SEAT_HELD"
    SEAT_RESERVED = "SEAT_RESERVED"
    LINE_FULL = "LINE_FULL"
    INVITATION_NEEDED = "INVITATION_NEEDED"
    INVITATION_INVALID = "INVITATION_INVALID"
    ROUND_IN_PROGRESS = "ROUND_IN_PROGRESS"
    STALE_VERSION = "STALE_VERSION"
    REQUEST_CONFLICT = "REQUEST_CONFLICT"
    SEEDS_CLOSED = "SEEDS_CLOSED"
    UNKNOWN_GAME = "UNKNOWN_GAME"
    UNKNOWN_RULES = "UNKNOWN_RULES"
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


class Refused(Exception):
    """Something is refused, and nothing has changed; raised by rules, tables and services alike.

    ``message`` states for people what was wrong, which value, and what would be right. It never holds a card that
    the caller may not see. ``metadata`` is for machines; ``fields`` are pairs of a field's path and what is wrong
    with it, and ``field_texts`` says the same to players by path; ``text`` says more to a player than the text of
    the reason does; ``retry_seconds`` is the pause after which another try may succeed.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        metadata: Mapping[str, str | int] | None = None,
        fields: Sequence[tuple[str, str]] = (),
        field_texts: Mapping[str, Text] | None = None,
        text: Text | None = None,
        retry_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = Reason(reason)
        self.message = message
        self.metadata = {key: str(value) for key, value in (metadata or {}).items()}
        if retry_seconds is not None:
            self.metadata["retry_seconds"] = str(math.ceil(retry_seconds))
        self.fields = tuple(fields)
        self.field_texts = dict(field_texts or {})
        self.text = text
        self.retry_seconds = retry_seconds


def invalid(
    field: str,
    message: str,
    *,
    least: int | None = None,
    greatest: int | None = None,
    characters: tuple[int, int] | tuple[()] = (),
    capitals: tuple[int, int] | tuple[()] = (),
    entries: int | None = None,
    choices: Sequence[str] = (),
    between_ms: tuple[int, int] | tuple[()] = (),
    without: str = "",
    text: Text | None = None,
) -> Refused:
    """Return the refusal of one field of a request: its path, and what is wrong with it.

    What would be right stands in the metadata too: the bounds of a number as ``FIELD_least`` and ``FIELD_greatest``,
    those of a text's length as ``FIELD_least_characters`` and ``FIELD_greatest_characters`` (``_capitals``: of capital
    letters), the most entries of a list as ``FIELD_greatest_entries``, words as ``FIELD_choices``, moments in UTC as
    ``FIELD_earliest`` and ``FIELD_latest``, a character that no text may hold as ``FIELD_without``. ``text`` says all
    of it to a player.

    >>> str(invalid("amount", "0 chips; give 1 or more"))
    'amount: 0 chips; give 1 or more'
    """
    bounds: dict[str, str | int | None] = {
        f"{field}_least": least,
        f"{field}_greatest": greatest,
        f"{field}_greatest_entries": entries,
        f"{field}_choices": ",".join(choices) or None,
        f"{field}_without": without or None,
    }
    if characters:
        shortest, longest = characters
        bounds |= {f"{field}_least_characters": shortest, f"{field}_greatest_characters": longest}
    if capitals:
        bounds |= {f"{field}_least_capitals": capitals[0], f"{field}_greatest_capitals": capitals[1]}
    if between_ms:
        first, last = -(-between_ms[0] // 1000), between_ms[1] // 1000
        bounds |= {f"{field}_earliest": moments.utc(first), f"{field}_latest": moments.utc(last)}
    known = {key: bound for key, bound in bounds.items() if bound is not None}
    return Refused(Reason.INVALID_ARGUMENT, f"{field}: {message}", fields=[(field, message)], metadata=known, text=text)


def conflict() -> Refused:
    """Return the refusal of a request id that was used for another request."""
    return Refused(Reason.REQUEST_CONFLICT, "this request id was used for another request; take a new one")
