"""The records of the registry; amounts in whole chips, times in milliseconds since 1970."""

from typing import Final

import msgspec

HOUSE, GAME, TABLE, PLAYER = "house", "game", "table", "player"
SCOPES: Final = (HOUSE, GAME, TABLE, PLAYER)

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"


class ConflictError(Exception):
    """A request id was used for another command."""


class Command(msgspec.Struct, frozen=True):
    """The command behind a record: its key and the digest of its content; a repetition changes nothing."""

    key: str
    digest: bytes


class Switch(msgspec.Struct, frozen=True):
    """A switch as it was set last; ``subject`` is the game, table or player, "" for the whole house."""

    number: int
    scope: str
    subject: str
    off: bool
    reason: str
    actor: str
    at_ms: int


class Adjustment(msgspec.Struct, frozen=True):
    """A change of a wallet that one person requests and another decides; ``state`` is pending, approved or rejected."""

    number: int
    adjustment_id: str
    player: str
    currency: str
    amount: int
    reason: str
    asked_by: str
    asked_ms: int
    state: str
    decided_by: str
    decision: str
    decided_ms: int
    entry_id: str


class VoidRequest(msgspec.Struct, frozen=True):
    """A void that one person requests and another decides; ``state`` is pending, approved or rejected.

    ``version`` is the table's at the request, ``at_risk`` the chips that the void would take back.
    """

    number: int
    void_id: str
    table_id: str
    round: int
    version: int
    currency: str
    at_risk: int
    reason: str
    asked_by: str
    asked_ms: int
    state: str
    decided_by: str
    decision: str
    decided_ms: int


class Erasure(msgspec.Struct, frozen=True):
    """An erasure of a player that one person requests and another decides; ``state`` as that of adjustments."""

    number: int
    erasure_id: str
    player: str
    reason: str
    asked_by: str
    asked_ms: int
    state: str
    decided_by: str
    decision: str
    decided_ms: int


class Significant(msgspec.Struct, frozen=True, kw_only=True):
    """A significant event [R39]: ``actor`` did it, in ``component``, to ``subject``."""

    kind: str
    component: str
    actor: str
    subject: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""
    number: int = 0
    at_ms: int = 0


class SeatFigures(msgspec.Struct, frozen=True):
    """One seat of an ended round, in chips: ``chips_after - chips_before = won - staked - fee``."""

    seat: int
    player: str
    chips_before: int
    staked: int
    won: int
    fee: int
    chips_after: int


class RoundFigures(msgspec.Struct, frozen=True, kw_only=True):
    """An ended round, in chips: ``staked + fee of the seats = won + rake + house + pot`` without the seats' fees.

    ``fee`` is what seats paid on their wins, ``rake`` what pots paid; ``house`` and ``pot`` are the changes of the
    house's bank and of the carried pool. A voided round moved nothing: all of them are 0.
    """

    table_id: str
    round: int
    round_id: str
    game: str
    family: str
    configuration: str
    rules_version: int
    rules: str
    currency: str
    test: bool
    started_ms: int
    ended_ms: int
    voided: bool
    staked: int
    won: int
    fee: int
    rake: int
    house: int
    pot: int
    seats: tuple[SeatFigures, ...]


class PoolShare(msgspec.Struct, frozen=True):
    """What a closing table paid out of its carried pool to a seat (-1: to the house)."""

    table_id: str
    seat: int
    player: str
    game: str
    currency: str
    test: bool
    ended_ms: int
    chips: int


class Performance(msgspec.Struct, frozen=True):
    """Sums over the rounds of one game under one configuration within one period."""

    period: str
    game: str
    configuration: str
    rules_version: int
    rules: str
    rounds: int
    voided: int
    staked: int
    won: int
    fee: int
    rake: int
    house: int
    pot: int
    return_error: float = 0.0
    """Standard error of ``won / staked``, estimated from the rounds; 0 where it cannot be."""


class GameSums(msgspec.Struct, frozen=True):
    """What a player staked, won and paid in fees in one game, and got of closing tables' pools."""

    game: str
    rounds: int
    staked: int
    won: int
    fee: int
    shares: int


class PlayedRound(msgspec.Struct, frozen=True):
    """One seat's line of an ended round."""

    table_id: str
    round: int
    seat: int
    player: str
    game: str
    ended_ms: int
    voided: bool
    chips_before: int
    staked: int
    won: int
    fee: int
    chips_after: int


PROPOSED, RETIRED, REPLACED = "proposed", "retired", "replaced"
TEMPLATE_STATES: Final = (PROPOSED, APPROVED, REJECTED, RETIRED, REPLACED)


class Template(msgspec.Struct, frozen=True):
    """A version of a table template as it stands; ``terms`` is JSON of what it allows.

    One person proposes it, another decides it (``decided_by`` empty: nobody yet), and it may be retired later.
    """

    template_id: str
    version: int
    game: str
    terms: str
    reason: str
    proposed_by: str
    proposed_ms: int
    state: str
    decided_by: str = ""
    decision: str = ""
    decided_ms: int = 0
    retired_by: str = ""
    retirement: str = ""
    retired_ms: int = 0


class Retirement(msgspec.Struct, frozen=True):
    """The retirement of a template's version; built-in standard templates have no other record."""

    template_id: str
    version: int
    reason: str
    retired_by: str
    retired_ms: int
