"""The records of the ledger; amounts in whole chips."""

import hashlib
import re
from typing import Final

import msgspec

MOST_AMOUNT: Final = 9 * 10**18
"""Maximum chips of one leg: all that a 64-bit account can hold can leave it in one entry."""
LEAST_LEGS: Final = 2
MOST_LEGS: Final = 1024
MOST_TEXT: Final = 2000
LINES_END: Final = 2**63 - 1
"""A number behind all lines of an account."""

POSTED: Final = "posted"
ALREADY_POSTED: Final = "already_posted"
INSUFFICIENT_FUNDS: Final = "insufficient_funds"
REQUEST_CONFLICT: Final = "request_conflict"

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
_CURRENCY: Final = re.compile(r"[A-Z0-9_]{1,16}").fullmatch
_ACCOUNT: Final = re.compile(r"(wallet|seat|pot|house|fees|cashier):[^\0]{1,190}").fullmatch
_DIGEST: Final = 32


class Leg(msgspec.Struct, frozen=True):
    """A change of one account: ``amount`` chips go into it, or out of it where negative; never 0."""

    account: str
    amount: int


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A movement of chips between accounts of one currency; its legs add up to 0, and each account occurs once.

    ``entry_id`` is a UUID in lower case that identifies the movement (UUIDv5 for settlements, so that a repetition is
    recognised), as does ``request_key`` where there is one. ``request_digest`` is SHA-256 over the command; without
    it the digest of the entry's content is used. ``actor`` caused the movement.
    """

    entry_id: str
    kind: str
    currency: str
    legs: tuple[Leg, ...]
    reason: str
    actor: str
    table: str | None = None
    round: int | None = None
    request_key: str | None = None
    request_digest: bytes | None = None

    def __post_init__(self) -> None:
        """Raise ValueError where the entry is invalid."""
        wrong = self._wrong()
        if wrong:
            message = f"entry {self.entry_id} ({self.kind}): {wrong}"
            raise ValueError(message)

    @property
    def digest(self) -> bytes:
        """The SHA-256 that distinguishes this entry from another one with the same id."""
        if self.request_digest is not None:
            return self.request_digest
        content = (
            self.kind,
            self.currency,
            sorted((leg.account, leg.amount) for leg in self.legs),
            self.reason,
            self.table,
            self.round,
        )
        return hashlib.sha256(msgspec.json.encode(content)).digest()

    def _wrong(self) -> str | None:
        if not _UUID(self.entry_id):
            return "the id must be a UUID in lower case"
        if not _CURRENCY(self.currency):
            return f"currency {self.currency!r} must be capitals, such as CHIP or TWD"
        if self.request_digest is not None and len(self.request_digest) != _DIGEST:
            return "a digest has 32 bytes"
        texts = (self.kind, self.reason, self.actor, self.table or "", self.request_key or "")
        if not self.kind or any(len(text) > MOST_TEXT or "\0" in text for text in texts):
            return f"kind, reason, actor, table and request key are texts of at most {MOST_TEXT} characters"
        return self._wrong_legs()

    def _wrong_legs(self) -> str | None:
        if not LEAST_LEGS <= len(self.legs) <= MOST_LEGS:
            return f"{len(self.legs)} legs; an entry has {LEAST_LEGS} to {MOST_LEGS}"
        for leg in self.legs:
            if not _ACCOUNT(leg.account):
                return f"{leg.account!r} is not a valid account; build names with services.ledger.accounts"
            if not 0 < abs(leg.amount) <= MOST_AMOUNT:
                return f"{leg.amount} chips for {leg.account}; a leg moves 1 to {MOST_AMOUNT}"
        if len({leg.account for leg in self.legs}) != len(self.legs):
            return "an account occurs twice; add its legs up"
        total = sum(leg.amount for leg in self.legs)
        return f"the legs add up to {total} instead of 0" if total else None


class Posted(msgspec.Struct, frozen=True):
    """The outcome of posting an entry.

    ``posted``: ``balances`` are those after it. ``already_posted``: those after it when it was first posted.
    ``insufficient_funds``: nothing was posted, ``account_at_fault`` would become negative, ``balances`` are unchanged.
    ``request_conflict``: the entry's id or request key belongs to an entry with other content.
    """

    outcome: str
    balances: dict[str, int]
    account_at_fault: str | None = None


class Line(msgspec.Struct, frozen=True):
    """A line of an account's statement; ``number`` counts the account's lines from 1, ``at_ms`` since 1970."""

    number: int
    entry_id: str
    kind: str
    reason: str
    table: str | None
    round: int | None
    amount: int
    balance_after: int
    actor: str
    at_ms: int


class Account(msgspec.Struct, frozen=True):
    """An account with its present balance."""

    account: str
    kind: str
    currency: str
    balance: int
