"""A finished poker hand with all its cards: the neutral form from which every format is written."""

import msgspec

from services.rules.cards import Card
from services.rules.hand_history import HandHistory


class NotExportable(ValueError):
    """The format cannot express this hand; the message says why."""


class Player(msgspec.Struct, frozen=True):
    """A seat of the hand with its chips before it and after its settlement."""

    seat: int
    name: str
    stack: int
    finish: int


class Step(msgspec.Struct, frozen=True, tag_field="is"):
    """The base of all steps of a hand."""


class Street(Step, frozen=True, tag="street"):
    """A phase began; its name is that of the sheet."""

    name: str


class Post(Step, frozen=True, tag="post"):
    """A seat posted before the deal; ``all_in``: it took the seat's last chip.

    ``what``: ``ante``, ``small_blind``, ``big_blind``, ``straddle``, or for missed blinds ``post`` (its bet) and
    ``dead_blind``.
    """

    seat: int
    what: str
    amount: int
    all_in: bool = False


class Deal(Step, frozen=True, tag="deal"):
    """Cards went to a seat (None: the table) into a zone."""

    seat: int | None
    zone: str
    cards: tuple[Card, ...]


class Act(Step, frozen=True, tag="act"):
    """A seat acted in a betting round: ``fold``, ``check``, ``call``, ``bet``, ``raise`` or ``bring_in``.

    ``amount``: chips put in by the action; ``total``: the seat's total in this betting round afterwards; ``late``: the
    system decided because the deadline had passed.
    """

    seat: int
    action: str
    amount: int
    total: int
    all_in: bool
    late: bool


class Exchange(Step, frozen=True, tag="exchange"):
    """A seat exchanged cards in a draw."""

    seat: int
    discards: tuple[Card, ...]
    cards: tuple[Card, ...]


class Expose(Step, frozen=True, tag="expose"):
    """A seat turned up one of its down cards."""

    seat: int
    card: Card


class Back(Step, frozen=True, tag="back"):
    """A seat got back chips that nobody called."""

    seat: int
    amount: int


class Show(Step, frozen=True, tag="show"):
    """A seat showed its hand; ``cards`` are all its own. ``hand``: its category, empty where it was not compared."""

    seat: int
    cards: tuple[Card, ...]
    hand: str


class Muck(Step, frozen=True, tag="muck"):
    """A seat kept a hand hidden that need not be shown."""

    seat: int


AnyStep = Street | Post | Deal | Act | Exchange | Expose | Back | Show | Muck


class PotRecord(msgspec.Struct, frozen=True):
    """A pot: its chips before rake, the rake, and what each winner got."""

    amount: int
    rake: int
    shares: dict[int, int]


class HandRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One finished hand.

    ``players`` in seat order; ``minimum`` is the minimum bet; ``bring_in`` is 0 where stud has none, ``full_bet`` what
    completes it; ``antes_are_live`` is False where antes go into the main pot whole; ``started`` is a time in UTC as
    ISO 8601, empty where it is not known; ``hand`` names the round, ``table`` the table; ``formats`` says how the
    formats call the game.
    """

    game: str
    formats: HandHistory | None
    betting: str
    table: str
    hand: str
    started: str = ""
    currency: str = ""
    max_seats: int
    button: int
    ante: int = 0
    antes_are_live: bool = True
    small_blind: int = 0
    big_blind: int = 0
    minimum: int
    bring_in: int = 0
    full_bet: int = 0
    players: tuple[Player, ...]
    steps: tuple[AnyStep, ...]
    pots: tuple[PotRecord, ...]
