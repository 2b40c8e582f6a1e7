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
from fractions import Fraction
from typing import Any, ClassVar

import msgspec

from services.rules import actions
from services.rules.chance import Chance, Rng
from services.rules.happenings import Happening
from services.rules.offers import Between, Option, Waiting
from services.rules.outcomes import Outcome
from services.rules.refusals import NOT_SEATED, OUT_OF_TURN, ROUND_NOT_OPEN, Refused
from services.rules.text import Text
from services.rules.views import View


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

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Let the deadline pass: the sheet's action for each seat waited for (``Decided``), and what follows."""
        raise NotImplementedError

    def view(self, viewer: int | None) -> View:
        """Show the round to a seat, or to a spectator (None)."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Give the sheet's "Case keys" as far as they are public now, seats as numbers."""
        return {}

    def secret(self, action: actions.Action) -> bool:
        """Whether an action's arguments must stay sealed until the round has ended (the log shows its name only)."""
        return False

    def leave_asked(self, seat: int) -> None:
        """Take note that a seat will leave when the round is settled; most games need not know."""

    def allow(self, seat: int, chips: int) -> None:
        """Take note that a seat may stake at most so many chips in this round; may be said again, with fewer.

        Nothing to do where no stake is more than the carry, which never holds more than a seat may stake: that is
        nearly every game. One in which chips are won and staked again within the round must hold its seats to it.
        """

    def verify_open(self, seat: int) -> None:
        """Raise Refused: NOT_SEATED for a seat outside the round, ROUND_NOT_OPEN once the round has ended."""
        if seat not in self.carry:
            raise Refused(NOT_SEATED, f"seat {seat} is not in this round; its seats are {sorted(self.carry)}")
        if self.outcome is not None:
            raise Refused(ROUND_NOT_OPEN, "this round has ended; wait for the next one")

    def verify_turn(self, seat: int, *on_turn: int | None) -> None:
        """Raise Refused (OUT_OF_TURN) if the seat is not among those on turn."""
        if seat not in on_turn:
            turns = ", ".join(map(str, on_turn))
            raise Refused(OUT_OF_TURN, f"it is the turn of seat {turns}, not of seat {seat}")

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
    restakes: ClassVar[bool] = False
    """Whether chips won within a round can be staked again in it, beyond the carry (``Round.allow`` bounds that)."""
    most_actions: ClassVar[int] = 100
    """Actions of one seat in a round after which it may no more bet, raise or lay bets on spots."""
    rules_type: ClassVar[type[HouseRules]]
    round_type: ClassVar[type[Round]]
    case_keys: ClassVar[frozenset[str]] = frozenset()
    """Extra top-level case keys that set the memory of a case's first round (such as ``match_round``)."""

    def faults(self, rules: HouseRules) -> list[Fault]:
        """Check table limits when a table is made; an empty list means that all is well."""
        raise NotImplementedError

    def standard_rules(self) -> HouseRules:
        """Give the rules of the house's standard template: the sheet's defaults, as far as the house can bank them."""
        return self.rules_type()

    def warnings(self, rules: HouseRules) -> list[str]:
        """Name what the creator of a table should know (house edge and the like)."""
        return []

    def least_carry(self, rules: HouseRules) -> int:
        """Give the chips with which a seat is dealt in."""
        return 1

    def start(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Start a round. Raises Refused (``NOT_ENOUGH_SEATS``) where none can start."""
        raise NotImplementedError

    def after_settlement(self, rules: HouseRules, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:
        """Complete an outcome with facts and memory that depend on the chips after the settlement.

        ``chips`` are those of every taken seat of the table once the round's posting is made. Whoever settles calls
        this once and goes on with the outcome that it gives; claims are not touched. Most games have nothing to add
        (bank: who is bankrupt and who banks next; baccarat: whether the match is over and who has won it).
        """
        return outcome

    def pot_heirs(self, rules: HouseRules, table: Table) -> tuple[int, ...]:
        """List the seats that share the carried pool equally when the table closes, in the order of odd chips."""
        return ()

    def may_join(self, rules: HouseRules, table: Table) -> bool:
        """Whether a player may take a seat now (between rounds)."""
        return True

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Give the memory once the player of a seat has left the table: whoever sits there next is somebody else."""
        return memory

    def between(self, rules: HouseRules, table: Table, seat: int, action: actions.Action) -> dict[str, Any]:
        """Carry out an action between rounds and give the new memory; most games know none."""
        raise Refused(ROUND_NOT_OPEN, "no round is open at this table; start one first")

    def strategy(self, round_: Round, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:
        """Choose an action for a seat in a simulation; None: any legal action at random.

        A strategy that a return to player is stated for stands here. It may use what the seat may know, no more.
        """
        return None

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction] | None:
        """Give what each bet of a game with a bank returns for each chip at best play, before the fee.

        None: it is not enumerated; a simulation with ``best_bet`` and ``strategy`` tells.
        """
        return None

    def best_bet(self, round_: Round, seat: int, able: Between) -> int:
        """Choose the size of a bet that returns most to the player; games in which it makes no difference need not."""
        return able.least

    def bank_faults(self, rules: HouseRules) -> list[Fault]:
        """Say what keeps the house from banking under these rules, besides what the bets return."""
        return []

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List every bet with what it pays, before any bet is made [R28]."""
        raise NotImplementedError

    def greatest_win(self, rules: HouseRules) -> Text:
        """Say what a seat can win at most in one round [R28]."""
        raise NotImplementedError
