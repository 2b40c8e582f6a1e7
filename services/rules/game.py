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
from typing import Any, ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import actions, common_keys, schema, table_keys
from services.rules.chance import Chance, Rng
from services.rules.faults import Fault
from services.rules.hand_history import HandHistory
from services.rules.happenings import Happening
from services.rules.kinds import Limit, Only, Range
from services.rules.offers import Between, Option
from services.rules.outcomes import Match, Outcome
from services.rules.refusals import Reason, Refused
from services.rules.round import Round
from services.rules.text import Text
from services.rules.trial_returns import TrialReturn
from services.rules.vocabulary import Terms

__all__ = ["Game", "HouseRules", "Payout", "Round", "Table"]


class HouseRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules common to all games (rules/README); a game's own class adds its keys and changes defaults.

    The annotation of a key describes it (``schema.Rule``): its kind and limits, its unit, its words for people.
    """

    fee_bps: common_keys.FeeBps = 0
    win_cap: common_keys.WinCap = "none"
    rake_bps: common_keys.RakeBps = 0
    rake_cap: common_keys.RakeCap = 0
    no_flop_no_drop: common_keys.NoFlopNoDrop = False
    turn_seconds: common_keys.TurnSeconds = 20
    bet_seconds: common_keys.BetSeconds = 15
    min_seats: common_keys.MinSeats = 2
    max_seats: common_keys.MaxSeats = 10
    start: table_keys.Start = table_keys.AUTO
    start_countdown_s: table_keys.StartCountdownS = 5
    ready_countdown_s: table_keys.ReadyCountdownS = None
    least_ready: table_keys.LeastReady = 0
    absent_rounds: table_keys.AbsentRounds = 10
    absent_minutes: table_keys.AbsentMinutes = 15
    seat_hold_s: table_keys.SeatHoldS = 20
    idle_minutes: table_keys.IdleMinutes = 60


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """All that a game may know of its table when a round starts.

    ``chips``: every taken seat with its chips (also 0), in seat order. ``button``: who had it in the last round that
    counted, None before the first; ``first_button``: the seat that gets it in the first round, if a case or the
    table sets one. ``pot``: the carried pool. ``memory``: what the last outcome left; ``round_number`` counts from 1.
    """

    chips: dict[int, int]
    names: dict[int, str] = {}
    button: int | None = None
    first_button: int | None = None
    pot: int = 0
    memory: dict[str, Any] = {}
    round_number: int = 1


class Payout(msgspec.Struct, frozen=True):
    """What a bet pays and when; ``exact_return`` is the enumerated return to player as a fraction, where known."""

    bet: str
    wins: Text
    pays: str
    exact_return: str | None = None


RulesT = TypeVar("RulesT", bound=HouseRules, default=HouseRules)
RoundT = TypeVar("RoundT", bound=Round, default=Round)


class Game(abc.ABC, Generic[RulesT, RoundT]):
    """One game of the house: a description without state. Subclasses set the class attributes and the methods.

    ``RulesT`` is the class of its house rules, ``RoundT`` that of its rounds; callers that know neither say ``Game``.
    """

    id: ClassVar[str]
    family: ClassVar[str]
    version: ClassVar[int] = 1
    name: ClassVar[Text]
    summary: ClassVar[Text]
    """The rules in words, deadlines included, for players."""
    words: ClassVar[dict[str, Text]]
    terms: ClassVar[Terms]
    """Every word that this game can show, by kind; ``words`` has their texts, else ``fact_words``."""
    restakes: ClassVar[bool] = False
    """Whether chips won within a round can be staked again in it, beyond the carry (``Round.allow`` bounds that)."""
    most_actions: ClassVar[int] = 100
    """Actions of one seat in a round after which it may no more bet, raise or lay bets on spots."""
    rules_type: type[RulesT]
    round_type: type[RoundT]
    fewest: ClassVar[int]
    most: ClassVar[int]
    """Fewest and most seats for which a table may be opened."""
    pots: ClassVar[bool] = False
    """Whether pots pay rake; then wins pay no fee."""
    flop: ClassVar[bool] = False
    capped: ClassVar[bool] = True
    """Whether the game knows ``no_flop_no_drop``, and whether wins may be capped."""
    open_cards: ClassVar[bool] = False
    """Whether no seat ever holds a card that another one may not see, or the server turns all cards."""
    hand_history: ClassVar[HandHistory | None] = None
    """How the formats that other programs read call this game; None: finished hands are not written in them."""
    trial_returns: ClassVar[tuple[TrialReturn, ...]] = ()
    """What bets return under the standard rules where only a simulation tells (``services.house.trials``)."""
    case_keys: ClassVar[frozenset[str]] = frozenset()
    """Extra top-level case keys that set the memory of a case's first round (such as ``match_round``)."""
    case_facts: ClassVar[dict[str, str]] = {}
    """Keys of the sheet for facts that the contract calls otherwise: from the contract's field to the sheet's key."""

    def seats(self, rules: RulesT) -> tuple[int, int]:
        """Return the fewest and the most seats for which a table may be opened under these rules."""
        return self.fewest, self.most

    def limits(self, rules: RulesT) -> dict[str, Limit]:
        """Return where this game is narrower than a key's description; a subclass adds its own to these."""
        seats = Range(*self.seats(rules))
        found: dict[str, Limit] = {"min_seats": seats, "max_seats": seats}
        found |= {"fee_bps": Range(0, 0)} if self.pots else {"rake_bps": Range(0, 0), "rake_cap": Range(0, 0)}
        if not self.flop:
            found["no_flop_no_drop"] = Only((False,))
        if not self.capped:
            found["win_cap"] = Only(("none",))
        return found

    def fields(self, rules: RulesT) -> tuple[schema.Field, ...]:
        """Return every house rule with the limits that hold beside the other values of ``rules``."""
        return schema.fields(rules, self.limits(rules))

    def conflicts(self, rules: RulesT) -> list[Fault]:
        """List faults of values that are each within their limits, but do not go together."""
        return []

    def faults(self, rules: RulesT) -> list[Fault]:
        """Check house rules when a table is made; an empty list means that all is well."""
        found = [fault for field in self.fields(rules) for fault in field.faults(getattr(rules, field.key))]
        return found or self.conflicts(rules)

    def standard_rules(self) -> RulesT:
        """Return the rules of the standard template: the sheet's defaults, as far as the house can bank them."""
        return self.rules_type()

    @property
    def stake_key(self) -> str:
        """The house rule that names the stake of a table; empty where the game has none."""
        return next(iter(schema.stakes(self.rules_type)), "")

    def stake(self, rules: RulesT) -> int:
        """Return the stake that lists show, in chips; 0 where the game has none."""
        found: int = getattr(rules, self.stake_key) if self.stake_key else 0
        return found

    def warnings(self, rules: RulesT) -> list[str]:
        """List warnings for the creator of a table, such as the house edge."""
        return []

    def least_carry(self, rules: RulesT) -> int:
        """Return the chips with which a seat is dealt in."""
        return 1

    def ready(self, rules: RulesT, table: Table) -> tuple[int, ...]:
        """Return the seats that are ready for a round that starts now: each holds what it needs to be dealt in."""
        least = self.least_carry(rules)
        return tuple([seat for seat, held in table.chips.items() if held >= least])

    def enough(self, rules: RulesT, table: Table, ready: int) -> bool:
        """Return whether the house may start a round with ``ready`` seats; ``start`` is not refused then."""
        return ready >= max(rules.min_seats, rules.least_ready)

    def start(self, rules: RulesT, table: Table, chance: Chance) -> tuple[RoundT, list[Happening]]:
        """Start a round. Raises Refused (``NOT_ENOUGH_SEATS``) where none can start."""
        raise NotImplementedError

    def after_settlement(self, rules: RulesT, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:
        """Complete an outcome with facts and memory that depend on the chips after the settlement.

        ``chips`` are those of every taken seat of the table after the round's posting. The settlement
        calls this once and continues with the outcome returned; claims are not touched. Most games add nothing
        (bank adds the bankrupt seats and the next banker; baccarat adds the end and the winner of a match).
        """
        return outcome

    def pot_heirs(self, rules: RulesT, table: Table) -> tuple[int, ...]:
        """List the seats that share the carried pool equally when the table closes, in the order of odd chips."""
        return ()

    def closed_match(self, rules: RulesT, table: Table, *, in_round: bool) -> Match | None:
        """Return the match that nobody may join now, if any; ``in_round``: a round is open that began so."""
        return None

    def taken_over(
        self, version: int, rules: dict[str, Any], memory: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return house rules and memory of a table that was played by another version and is moved to this one.

        A version that has dropped or renamed a house rule, or remembers something else, says here what becomes of it.
        """
        return rules, memory

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Return the memory after the player of a seat has left: the seat's next player inherits nothing."""
        return memory

    def due(self, rules: RulesT, table: Table) -> dict[int, dict[str, int]] | None:
        """Return what each seat of the next round puts in before its first decision: chips by reason.

        A seat that is not dealt in although it holds enough chips is left out. None: the game says nothing of it.
        """
        return None

    def between(self, rules: RulesT, table: Table, seat: int, action: actions.Action) -> dict[str, Any]:
        """Carry out an action between rounds and return the new memory; most games have no such action."""
        raise Refused(Reason.ROUND_NOT_OPEN, "no round is open at this table; start one first")

    def strategy(self, round_: RoundT, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:
        """Choose an action for a seat in a simulation; None: any legal action at random.

        A return to player is stated for this strategy. It may use only what the seat knows.
        """
        return None

    def best_returns(self, rules: RulesT) -> dict[str, Fraction] | None:
        """Return what each bet of a game with a bank returns for each chip at best play, before the fee.

        None: it is not enumerated; simulate with ``best_bet`` and ``strategy`` instead.
        """
        return None

    def best_bet(self, round_: RoundT, seat: int, able: Between) -> int:
        """Return the size of the bet that returns most to the player; by default the least."""
        return able.least

    def bank_faults(self, rules: RulesT) -> list[Fault]:
        """List faults that keep the house from banking under these rules, apart from the returns of the bets."""
        return []

    def payouts(self, rules: RulesT) -> tuple[Payout, ...]:
        """List every bet with what it pays, before any bet is made [R28]."""
        raise NotImplementedError

    def greatest_win(self, rules: RulesT) -> Text:
        """Return what a seat can win at most in one round [R28]."""
        raise NotImplementedError
