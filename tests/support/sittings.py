"""A table without a house: every command decided by the pure room, seeds and seals made from fixed bytes."""

import functools
import hashlib
from random import Random
from typing import Any

import msgspec

from services.fairness import seal, seed
from services.fairness.scripted import Script
from services.fairness.seal import KeyRing
from services.rules import actions, catalogue, table_keys
from services.rules.game import HouseRules
from services.table import (
    absence,
    codec,
    commands,
    differences,
    event_fold,
    events,
    full_table,
    money,
    player_seeds,
    public_table,
    stake_allowance,
)
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.replay import Difference, Opened, Replay
from tests.support import worlds

TABLE = "6f1b2c3d-0000-4000-8000-00000000a001"
DEAL = KeyRing("deal", {"deal-test": bytes(range(32))}, "deal-test")
AUDIT = KeyRing("audit", {"audit-test": bytes(range(32, 64))}, "audit-test")
ABSENCE = ("absent_rounds", "absent_minutes")
"""House rules on seats that sit out."""
IDLE = "idle_minutes"
"""House rule on idle tables."""
STARTED_MS = 1_700_000_000_000


class Sitting:
    """One table and its log; ``log[n]`` is version n + 1. ``salt`` changes every seed of the house.

    ``auto``: the house starts the rounds; else they start when a test says so. ``absence``: seats whose decisions the
    clock takes sit out; else they play on, as at tables of older logs. ``idle``: the house closes the table when nobody
    uses it; else it is permanent, as those are. ``opening``: other fields of the table's opening.
    """

    def __init__(
        self,
        game: str,
        rules: HouseRules | None = None,
        *,
        salt: str = "",
        table_id: str = TABLE,
        first_button: int | None = None,
        most: int = 0,
        auto: bool = False,
        absence: bool = False,
        idle: bool = False,
        **opening: Any,
    ) -> None:
        self.game = catalogue.game(game)
        start = table_keys.AUTO if auto else table_keys.MANUAL
        self.rules = msgspec.structs.replace(rules or worlds.default_rules(self.game), start=start)
        self.table_id = table_id
        self.salt = salt
        self._left_out = (() if absence else ABSENCE) + (() if idle else (IDLE,))
        self.now = STARTED_MS
        self.log: list[Event] = []
        made = msgspec.structs.replace(self._opening(first_button, most), **opening)
        opened = events.TableOpened(at_ms=self.now, opening=made, next_seed=self._next(1))
        self.table: FullTable = full_table.of_core(event_fold.opened(table_id, opened))
        self.log.append(opened)

    def _opening(self, first_button: int | None, most: int) -> events.Opening:
        return events.Opening(
            game=self.game.id,
            family=self.game.family,
            rules_version=self.game.version,
            rules={key: value for key, value in msgspec.to_builtins(self.rules).items() if key not in self._left_out},
            title="Table of tests",
            currency="XTS",
            stake=10,
            max_seats=self.rules.max_seats,
            least_buy_in=1,
            greatest_buy_in=most,
            test=True,
            scripted=True,
            first_button=first_button,
            opened_by="boss",
        )

    # -- seeds and seals, as a dealer's vault makes them

    def house_seed(self, number: int) -> bytes:
        """Return the house's seed of a round."""
        return hashlib.sha256(f"{self.salt} seed {self.table_id} {number}".encode()).digest()

    def _next(self, number: int) -> events.NextSeed:
        fresh = self.house_seed(number)
        return events.NextSeed(
            commitment=seed.commitment(fresh).hex(), sealed=self._seal(DEAL, fresh, f"next|{self.table_id}|{number}")
        )

    def reveal(self, number: int) -> str:
        """Return the seed of a round, sealed for auditors."""
        return self._seal(AUDIT, self.house_seed(number), f"reveal|{self.table_id}|{number}")

    def _seal(self, ring: KeyRing, plain: bytes, place: str) -> str:
        nonce = hashlib.sha256(place.encode() + plain).digest()[: seal.NONCE_BYTES]
        return seal.to_bytes(seal.seal(ring, plain, place.encode(), nonce=nonce)).hex()

    def opener(self, started: events.RoundStarted) -> Opened:
        """Open the seed of any round of this table."""
        number = started.round_number
        return Opened(house_seed=self.house_seed(number), reveal=self.reveal(number))

    # -- commands

    def take(self, made: list[Event]) -> list[Event]:
        """Fold and log what was decided."""
        commands.take(self.table, made)
        self.log.extend(made)
        assert self.table.core.version == len(self.log), "the fold counts what was logged"
        return made

    def tick(self, ms: int = 1000) -> int:
        """Let time go on."""
        self.now += ms
        return self.now

    def sit(self, chips: dict[int, int]) -> None:
        """Seat players, called p0, p1 … by their seats."""
        for seat, held in chips.items():
            at_ms = self.tick()
            chosen = money.choose_seat(
                self.table.core,
                player=f"p{seat}",
                name=f"Player {seat}",
                test=True,
                seat=seat,
                buy_in=held,
                at_ms=at_ms,
            )
            self.take([events.SeatTaken(at_ms=at_ms, seat=chosen)])

    def start(self, *, unwatched: bool = False) -> list[Event]:
        """Start a round; ``unwatched``: the house starts it, and no player watches."""
        number = self.table.core.round_number + 1
        command = commands.Start(
            round_id=f"round-{number}",
            started_by="p0",
            house_seed=self.house_seed(number),
            reveal=self.reveal(number),
            sealed=self._seal(
                DEAL,
                msgspec.msgpack.encode({"house_seed": self.house_seed(number), "reveal": self.reveal(number)}),
                f"round|{self.table_id}|{number}",
            ),
            next_seed=self._next(number + 1),
            unwatched=unwatched,
        )
        return self.take(commands.start_round(self.table, command, self.tick()))

    def script(self, script: Script, memory: dict[str, Any] | None = None) -> None:
        """Script the chance of the next round."""
        command = events.RoundScripted(at_ms=self.tick(), script=script, memory=memory)
        self.take(commands.script_round(self.table.core, command))

    def allow(self, allowed: dict[int, int]) -> list[Event]:
        """Record the most that seats may stake, as settlement does."""
        return self.take(commands.allow(self.table.core, allowed, self.tick()))

    def act(self, seat: int, action: actions.Action) -> list[Event]:
        """Act for a seat."""
        return self.take(commands.act(self.table, seat, action, self.tick()))

    def on_timeout(self) -> list[Event]:
        """Let the deadline pass, when it has."""
        self.now = max(self.now, self.table.core.deadline_ms) + 1
        return self.take(commands.pass_deadline(self.table, self.now))

    def step(self, rng: Random, lapses: float = 0.1) -> list[Event]:
        """Make a random move of the running round."""
        assert self.table.round is not None, "no round runs"
        offers = functools.partial(stake_allowance.options, self.table)
        move = worlds.choose(self.table.round, rng, lapses=lapses, offers=offers)
        return self.on_timeout() if move.seat is None or move.action is None else self.act(move.seat, move.action)

    def finish(self, rng: Random, lapses: float = 0.1) -> None:
        """Play the running round to its end by random moves."""
        for _ in range(worlds.MOST_MOVES):
            if self.table.core.phase != public_table.IN_ROUND:
                return
            self.step(rng, lapses)
        raise AssertionError(f"{self.game.id}: not ended")

    def settle(self) -> list[Event]:
        """Settle the ended round."""
        return self.take(money.settle(self.table.core, self.tick()))

    def void(self, reason: str = "malfunction") -> list[Event]:
        """Void the open round."""
        number = self.table.core.round_number
        return self.take(commands.void_round(self.table, reason, "boss", self.reveal(number), self.tick()))

    def add(self, seat: int, chips: int) -> list[Event]:
        """Add chips to a seat."""
        return self.take(money.add_chips(self.table.core, self.player(seat), chips, self.tick()))

    def sit_out(self, seat: int) -> list[Event]:
        """Mark a seat as sitting out."""
        return self.take(absence.sit_out(self.table.core, seat, self.tick()))

    def sit_in(self, seat: int) -> list[Event]:
        """Take back that a seat sits out."""
        return self.take(absence.sit_in(self.table.core, seat, self.tick()))

    def remove_absent(self) -> list[Event]:
        """Cash out the seats that have been away for too long, as settlement does between rounds."""
        made = [
            event
            for seat in absence.over(self.table.core, self.tick())
            for event in money.remove(self.table.core, seat, self.now)
        ]
        return self.take(made)

    def leave(self, seat: int) -> list[Event]:
        """Ask to leave for a seat."""
        return self.take(money.leave(self.table.core, self.player(seat), self.tick()))

    def player(self, seat: int) -> str:
        """Return the player of a seat; for a free one, the player whom ``sit`` would seat there."""
        held = self.table.core.seats.get(seat)
        return f"p{seat}" if held is None else held.player

    def close(self) -> list[Event]:
        """Close the table."""
        return self.take(money.close(self.table.core, "the night is over", "boss", self.tick()))

    # -- the log read again

    def again(self, log: list[Event] | None = None, first: int = 1, *, compare: bool = True) -> Replay:
        """Decide the log again from a version on, each event read from its text as it would be stored."""
        found = Replay(self.table_id, self.opener, compare=compare)
        for version, event in enumerate(self.log if log is None else log, start=first):
            found.take(version, codec.decode(codec.name(event), codec.encode(event)))
        return found

    def differences(self, log: list[Event]) -> list[Difference]:
        """Decide a changed log again; what cannot even be followed is a difference too, as for auditors."""
        found = Replay(self.table_id, self.opener, compare=True)
        for version, event in enumerate(log, start=1):
            try:
                found.take(version, event)
            except (AssertionError, KeyError, ValueError, IndexError, TypeError, catalogue.UnknownRules) as error:
                return [*found.differences, Difference(version, "", "an event that follows", repr(error))]
        return found.differences

    @staticmethod
    def folded(log: list[Event], table_id: str) -> public_table.PublicTable:
        """Fold a log's events alone."""
        return Sitting.grown(None, log, table_id)

    @staticmethod
    def grown(core: public_table.PublicTable | None, more: list[Event], table_id: str) -> public_table.PublicTable:
        """Fold further events into a core; None: none has been folded yet."""
        rest = list(more)
        if core is None:
            core = event_fold.begin(table_id, 1, rest.pop(0))
        for event in rest:
            event_fold.fold(core, event)
        return core

    @property
    def last_start(self) -> int:
        """The version of the last round's start."""
        return max(at for at, event in enumerate(self.log, start=1) if isinstance(event, events.RoundStarted))


def random_sitting(
    game: str, seed_of: str, *, rounds: int = 2, salt: str = "", table_id: str = TABLE, **more: Any
) -> Sitting:
    """Return a table at which some random rounds were played and settled under varied house rules."""
    rng = Random(f"{game} {seed_of}")
    played = catalogue.game(game)
    rules = worlds.varied_rules(played, rng) if rng.random() < 0.5 else worlds.default_rules(played)
    found = next(worlds.rounds(played, rules, rng, 1), None)
    if found is None:
        rules = worlds.default_rules(played)
        found = next(worlds.rounds(played, rules, rng, 1))
    sitting = Sitting(game, rules, salt=salt, table_id=table_id, first_button=found.first_button, **more)
    sitting.sit(found.chips)
    for _ in range(rounds):
        core = sitting.table.core
        if not worlds.can_start(played, sitting.rules, core.for_rules()):
            break
        for seat in sorted(core.seats):
            if rng.random() < 0.3:
                sitting.take(player_seeds.set_seed(sitting.table.core, seat, f"luck {rng.random()}", sitting.tick()))
        sitting.start()
        sitting.finish(rng)
        sitting.settle()
    return sitting


def texts(log: list[Event]) -> list[str]:
    """Write events as the log holds them."""
    return [codec.encode(event) for event in log]


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """List the paths of all values in a JSON value."""
    if isinstance(value, dict) and value:
        return [leaf for key, entry in value.items() for leaf in leaves(entry, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for at, entry in enumerate(value) for leaf in leaves(entry, (*path, at))]
    return [path]


def dotted(path: tuple[str | int, ...]) -> str:
    """Write a path as the replay names fields."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def changed(value: Any) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return {"As": "Kd", "??": "2c"}.get(value, value[:-1] + ("1" if value[-1:] != "1" else "2"))
        case None:
            return 3
        case list():
            return ["more"]
        case _:
            return {"more": 1}


def with_change(event: Event, path: tuple[str | int, ...]) -> Event | None:
    """Return an event with one value changed; None where the result is not an event of this release."""
    fields = differences.plain(event)
    holder: Any = fields
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = changed(holder[path[-1]])
    try:
        made = codec.decode_lifted(codec.name(event), fields)
    except (msgspec.ValidationError, AssertionError):
        return None
    return None if codec.encode(made) == codec.encode(event) else made
