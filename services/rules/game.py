"""The one interface that all games meet.

A ``Game`` is a description without state: names, house rules, limits, and ``start``, which makes a ``Round``. A
``Round`` holds the whole state of one playing of the game, hidden cards included, and answers four questions
(whose decision is it, what may a seat do, what does a viewer see, how did it end) and two moves (an action
arrives, a deadline passes). It reads no clock and makes no chance of its own: chance is an argument.

Every move first *verifies* (raising ``Refused`` and changing nothing), then *does*. A move answers with
*happenings*, the public record of what it caused. A happening goes into the log and to every viewer, so a hidden
card is never in one; it says which positions of the stock went where.
"""

import abc
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol, TypeVar

import msgspec

from services.rules import actions
from services.rules.cards import HIDDEN, Card
from services.rules.text import Text

T = TypeVar("T")

# -- refusals -------------------------------------------------------------------------------------------------

OUT_OF_TURN: Final = "OUT_OF_TURN"
ILLEGAL_ACTION: Final = "ILLEGAL_ACTION"
AMOUNT_OUT_OF_RANGE: Final = "AMOUNT_OUT_OF_RANGE"
INSUFFICIENT_CHIPS: Final = "INSUFFICIENT_CHIPS"
CARD_NOT_HELD: Final = "CARD_NOT_HELD"
ILLEGAL_CARDS: Final = "ILLEGAL_CARDS"
NOT_SEATED: Final = "NOT_SEATED"
ROUND_NOT_OPEN: Final = "ROUND_NOT_OPEN"
NOT_ENOUGH_SEATS: Final = "NOT_ENOUGH_SEATS"

REASONS: Final = frozenset({
    OUT_OF_TURN, ILLEGAL_ACTION, AMOUNT_OUT_OF_RANGE, INSUFFICIENT_CHIPS, CARD_NOT_HELD, ILLEGAL_CARDS, NOT_SEATED,
    ROUND_NOT_OPEN, NOT_ENOUGH_SEATS,
})  # fmt: skip
"""The closed list of reasons for which the rules refuse (rules/README, "Refusals"; the last one: no round starts)."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer of the rules, not an error of the program
    """The rules do not allow this; nothing was changed.

    ``reason`` is one of ``REASONS``; the message says for people what was wrong, which value, what would be right.
    It never holds a card that the acting seat cannot see.
    """

    def __init__(self, reason: str, message: str) -> None:
        assert reason in REASONS, f"unknown reason {reason}"
        super().__init__(message)
        self.reason = reason


# -- chance ---------------------------------------------------------------------------------------------------


class Chance(Protocol):
    """The only source of chance that rules may use; every use is committed to, sealed and replayable."""

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Give the pack in random order, from the top. The n-th call of a round makes stock n (0 is the first)."""
        ...

    def pick(self, options: Sequence[T], what: str) -> T:
        """Give one of the options, each equally likely; ``what`` (``seat``, ``card``) is how scripts name it."""
        ...

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw so many dice, each 1 to 6."""
        ...


class Rng(Protocol):
    """Source of chance for players that are played by a program; no rule may use it."""

    def randrange(self, stop: int, /) -> int:
        """Give a whole number from 0 to ``stop`` − 1, each equally likely."""
        ...


class Stock(msgspec.Struct):
    """A shuffled pack that is dealt from the top; ``number`` tells the stocks of one round apart."""

    number: int
    cards: list[Card]
    next: int = 0

    def __len__(self) -> int:
        """Count the cards not yet dealt."""
        return len(self.cards) - self.next

    def deal(self) -> Card:
        """Take the top card; the stock must not be empty."""
        assert self.next < len(self.cards), "the stock is empty"
        self.next += 1
        return self.cards[self.next - 1]

    def rest(self) -> list[Card]:
        """List the cards not yet dealt, from the top."""
        return self.cards[self.next :]


# -- happenings: what goes on record --------------------------------------------------------------------------


class Happening(msgspec.Struct, frozen=True, tag_field="is", omit_defaults=True):
    """One public fact; the base of all happenings."""


class Shuffled(Happening, frozen=True, tag="shuffled"):
    """A stock of ``size`` cards was shuffled (the table adds the commitment to its order)."""

    stock: int
    size: int


class Dealt(Happening, frozen=True, tag="dealt"):
    """Positions of a stock went to a seat (None: the table, or the banking house), into a zone.

    ``cards`` stands beside ``positions``, with ``??`` for each card that lies face down.
    """

    to: int | None
    zone: str
    stock: int
    positions: tuple[int, ...]
    cards: tuple[Card, ...]


class Shown(Happening, frozen=True, tag="shown"):
    """Cards that lay hidden in a zone of a seat (None: the table's or the house's) are face up now."""

    owner: int | None
    zone: str
    cards: tuple[Card, ...]


class Staked(Happening, frozen=True, tag="staked"):
    """A seat put in chips; ``what`` says as what (``ante``, ``small_blind``, ``bet`` …)."""

    seat: int
    what: str
    amount: int


class Returned(Happening, frozen=True, tag="returned"):
    """A seat got back chips that nobody matched."""

    seat: int
    amount: int


class Phase(Happening, frozen=True, tag="phase"):
    """The round entered a phase, by the sheet's name (``flop``, ``bidding``, ``showdown`` …)."""

    name: str


class Decided(Happening, frozen=True, tag="decided"):
    """The system decided for a seat whose deadline passed (requirement R14)."""

    seat: int
    action: actions.AnyAction


class Noted(Happening, frozen=True, tag="noted"):
    """Any other public fact: ``what`` by the sheet's word, the seat that it concerns, and details."""

    what: str
    seat: int | None = None
    facts: dict[str, Any] = {}


AnyHappening = Shuffled | Dealt | Shown | Staked | Returned | Phase | Decided | Noted


# -- what a seat may do ---------------------------------------------------------------------------------------


class Between(msgspec.Struct, frozen=True, tag="between"):
    """Any whole number from ``least`` to ``most``, both included."""

    least: int
    most: int


class OneOf(msgspec.Struct, frozen=True, tag="one_of"):
    """One of these values (suits, spots, sides, seats, single cards)."""

    values: tuple[str, ...] | tuple[int, ...]


class SomeOf(msgspec.Struct, frozen=True, tag="some_of"):
    """From ``least`` to ``most`` different cards of these, in any order."""

    cards: tuple[Card, ...]
    least: int
    most: int


class Sets(msgspec.Struct, frozen=True, tag="sets"):
    """One of these whole sets of cards, each in any order."""

    sets: tuple[tuple[Card, ...], ...]


Choice = Between | OneOf | SomeOf | Sets


class Option(msgspec.Struct, frozen=True):
    """An action that a seat may take now, with all values that each argument may have.

    Every combination of the listed values is legal; where arguments depend on each other there are several
    options of the same action. Arguments not listed are left out of the action.
    """

    action: str
    arguments: dict[str, Choice] = {}


class Waiting(msgspec.Struct, frozen=True):
    """What the round waits for.

    ``seats`` may still decide (in a window several; none where only time must pass). ``clock`` is a number that
    grows whenever a new deadline starts; while it stays the same the deadline that runs goes on. ``seconds`` is
    the length of that deadline.
    """

    seats: tuple[int, ...]
    clock: int
    seconds: int


# -- what a viewer sees ---------------------------------------------------------------------------------------


class Zone(msgspec.Struct, frozen=True):
    """Cards that lie together: of a seat, or (owner None) of the table or the banking house; ``??`` if hidden."""

    owner: int | None
    name: str
    cards: tuple[Card, ...]


class SeatView(msgspec.Struct, frozen=True):
    """A seat of the round: chips it has left to use, chips staked in this round, and a status word of the sheet."""

    seat: int
    chips: int
    staked: int
    status: str


class View(msgspec.Struct, frozen=True):
    """A round as one viewer may see it; equal bytes for rounds that differ only in what the viewer may not know."""

    phase: str
    button: int | None
    seats: tuple[SeatView, ...]
    zones: tuple[Zone, ...]
    pots: tuple[int, ...]
    facts: dict[str, Any]


# -- how it ended ---------------------------------------------------------------------------------------------

HOUSE: Final = "house"
POT: Final = "pot"

Party = int | str
"""A seat's number, ``house``, ``pot`` (the table's carried pool) or ``pot:k`` (a pot of this round)."""


class Claim(msgspec.Struct, frozen=True):
    """The payer owes the payee so many chips, because of ``why`` (a word of the sheet, or a bet's name)."""

    payer: Party
    payee: Party
    amount: int
    why: str


class Pot(msgspec.Struct, frozen=True):
    """A pot of the round, before rake: who shares it, in the order in which odd chips go."""

    amount: int
    winners: tuple[int, ...]


class Stake(msgspec.Struct, frozen=True):
    """What a seat had at stake on one bet; ``turnover`` leaves out what was returned undecided."""

    seat: int
    bet: str
    amount: int
    turnover: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a round ended, before the house turns claims into chips (rules/README, "From claims to chips").

    Claims are uncapped. What else the pipeline must know of the game's kind:

    * ``pots``: pots of this round (``pot:0`` is the main pot). Seats claim *into* them by claims (seat → ``pot:k``);
      the pipeline takes the rake and shares the rest among the winners, so no claims out of them are listed.
      ``refund``: what a win cap takes from a pot's winner goes back to the losing seats in equal parts (ante pot).
    * ``banker``: the seat that first collects, then pays out of its carry and that (None: no seat is banker).
    * ``net_claims``: before the loss limit a seat's claims with the banker are set off against each other.
    * ``pairwise``: players face each other: with ``win_cap: stake`` each claim is first cut to the smaller carry.
    * ``cap_order``: seats in the order in which the win cap is applied; None: the greatest net win first.
    * ``saw_flop``: False lets ``no_flop_no_drop`` spare the pots.

    ``facts`` are the sheet's "Case keys" with seats as numbers (dict keys too); ``memory`` is what the game carries to
    the next round of the table, readable by everybody; ``button`` is the seat that had the button, to be carried.
    ``counts`` is False for a round that moves neither the button nor any limit.
    """

    claims: tuple[Claim, ...] = ()
    pots: tuple[Pot, ...] = ()
    refund: bool = False
    banker: int | None = None
    net_claims: bool = False
    pairwise: bool = False
    cap_order: tuple[int, ...] | None = None
    saw_flop: bool = True
    stakes: tuple[Stake, ...] = ()
    facts: dict[str, Any] = {}
    memory: dict[str, Any] = {}
    button: int | None = None
    counts: bool = True


# -- house rules ----------------------------------------------------------------------------------------------


class HouseRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules common to all games (rules/README); a game's own class adds its keys and changes defaults."""

    fee_bps: int = 0
    win_cap: str = "none"
    rake_bps: int = 0
    rake_cap: int = 0
    no_flop_no_drop: bool = False
    turn_seconds: int = 20
    bet_seconds: int = 15
    min_seats: int = 2
    max_seats: int = 10


class Fault(msgspec.Struct, frozen=True):
    """A house rule outside its table limits: the key, and for people what would be right."""

    field: str
    message: str


# -- the table as a round finds it ----------------------------------------------------------------------------


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """All that a game may know of its table when a round starts.

    ``chips``: every taken seat with its chips (also 0), in seat order. ``button``: who had it in the last round that
    counted, None before the first; ``first_button``: who gets it in the first round, where a case or the table says
    so. ``pot``: the carried pool. ``memory``: what the last outcome left; ``round_number`` counts from 1.
    """

    chips: dict[int, int]
    names: dict[int, str] = {}
    button: int | None = None
    first_button: int | None = None
    pot: int = 0
    memory: dict[str, Any] = {}
    round_number: int = 1


# -- a round --------------------------------------------------------------------------------------------------


class Round(msgspec.Struct, kw_only=True):
    """The state of one round, mutable, and the moves on it; each engine derives its own.

    All fields must be plain values that msgspec can store and load again (no references shared between fields).
    ``carry`` holds the chips of each seat in the round at its start; ``outcome`` is set when the round has ended.
    """

    carry: dict[int, int]
    button: int | None = None
    clock: int = 0
    outcome: Outcome | None = None

    def waiting(self) -> Waiting | None:
        """Say what the round waits for; None when it has ended."""
        raise NotImplementedError

    def options(self, seat: int) -> list[Option]:
        """List all that a seat may do now: complete, and nothing in it is refused."""
        raise NotImplementedError

    def verify(self, seat: int, action: actions.Action) -> None:
        """Raise Refused if the action is not legal now; the sheet gives the order of tests."""
        raise NotImplementedError

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Carry out a verified action, and all that follows by itself."""
        raise NotImplementedError

    def lapse(self, chance: Chance) -> list[Happening]:
        """Let the deadline pass: the sheet's action for each seat waited for (``Decided``), and what follows."""
        raise NotImplementedError

    def view(self, viewer: int | None) -> View:
        """Show the round to a seat, or to a spectator (None)."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Give the sheet's "Case keys" as far as they are public now, seats as numbers."""
        return {}

    def secret(self, action: actions.Action) -> bool:  # noqa: ARG002 - games that need it override this
        """Whether an action's arguments must stay sealed until the round has ended (the log shows its name only)."""
        return False

    def leave_asked(self, seat: int) -> None:
        """Take note that a seat will leave when the round is settled; most games need not know."""

    def can(self, seat: int, action: actions.Action) -> bool:
        """Whether the action would be accepted now."""
        try:
            self.verify(seat, action)
        except Refused:
            return False
        return True

    def act(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Verify, then do. Raises Refused and changes nothing where the rules do not allow the action."""
        self.verify(seat, action)
        return self.do(seat, action, chance)


def face_down(count: int) -> tuple[Card, ...]:
    """Give so many hidden cards."""
    return (HIDDEN,) * count


# -- a game ---------------------------------------------------------------------------------------------------


class Payout(msgspec.Struct, frozen=True):
    """What a bet pays and when; ``exact_return`` is the enumerated return to player as a fraction, where known."""

    bet: str
    wins: Text
    pays: str
    exact_return: str | None = None


class Game(abc.ABC):
    """One game of the house: a description without state. Subclasses set the class attributes and the methods."""

    id: ClassVar[str]
    family: ClassVar[str]
    version: ClassVar[int] = 1
    name: ClassVar[Text]
    summary: ClassVar[Text]
    """The rules in words, deadlines included, for players."""
    words: ClassVar[dict[str, Text]]
    """Every word that happenings, facts, claims and options of this game show to players."""
    rules_type: ClassVar[type[HouseRules]]
    round_type: ClassVar[type[Round]]
    case_keys: ClassVar[frozenset[str]] = frozenset()
    """Extra top-level case keys that set the memory of a case's first round (such as ``match_round``)."""

    def faults(self, rules: HouseRules) -> list[Fault]:
        """Check table limits when a table is made; an empty list means that all is well."""
        raise NotImplementedError

    def warnings(self, rules: HouseRules) -> list[str]:  # noqa: ARG002 - games that need it override this
        """Name what the creator of a table should know (house edge and the like)."""
        return []

    def least_carry(self, rules: HouseRules) -> int:  # noqa: ARG002 - games that need it override this
        """Give the chips with which a seat is dealt in."""
        return 1

    def start(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Start a round. Raises Refused (``NOT_ENOUGH_SEATS``) where none can start."""
        raise NotImplementedError

    def after_settlement(self, rules: HouseRules, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:  # noqa: ARG002 - games that need it override this
        """Complete an outcome with facts and memory that depend on the chips after the settlement.

        ``chips`` are those of every taken seat of the table once the round's posting is made. Whoever settles calls
        this once and goes on with the outcome that it gives; claims are not touched. Most games have nothing to add
        (bank: who is bankrupt and who banks next; baccarat: whether the match is over and who has won it).
        """
        return outcome

    def pot_heirs(self, rules: HouseRules, table: Table) -> tuple[int, ...]:  # noqa: ARG002 - games that need it override this
        """List the seats that share the carried pool equally when the table closes, in the order of odd chips."""
        return ()

    def may_join(self, rules: HouseRules, table: Table) -> bool:  # noqa: ARG002 - games that need it override this
        """Whether a player may take a seat now (between rounds)."""
        return True

    def between(self, rules: HouseRules, table: Table, seat: int, action: actions.Action) -> dict[str, Any]:  # noqa: ARG002 - games that need it override this
        """Carry out an action between rounds and give the new memory; most games know none."""
        raise Refused(ROUND_NOT_OPEN, "no round is open at this table; start one first")

    def strategy(self, round_: Round, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:  # noqa: ARG002 - games that need it override this
        """Choose an action for a seat in a simulation; None: any legal action at random.

        A strategy that a return to player is stated for stands here. It may use what the seat may know, no more.
        """
        return None

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List every bet with what it pays, before any bet is made (requirement R28)."""
        raise NotImplementedError

    def greatest_win(self, rules: HouseRules) -> Text:
        """Say what a seat can win at most in one round (requirement R28)."""
        raise NotImplementedError
