"""A night at one table: people come and go at random at any moment, and the house does what it owes them.

Every person has a wallet. What a wallet holds is counted from the log alone, not from the table, so that both can be
compared. ``asleep`` lets everybody stop; what happens then the house does by itself.
"""

from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from services.rules import catalogue, chips
from services.rules.game import HouseRules
from services.rules.refusals import Reason, Refused
from services.table import (
    departures,
    events,
    money,
    player_seeds,
    public_table,
    reservations,
    schedule,
    top_up,
    waiting_line,
)
from services.table.events import Event
from services.table.records import Reservation
from tests.support import worlds
from tests.support.purses import HOUSE, Purse
from tests.support.sittings import Sitting

GUESTS: Final = 14
"""People who may sit down, wait, leave and come back."""
RULES: Final = {
    "absent_rounds": 2,
    "absent_minutes": 1,
    "start_countdown_s": 3,
    "seat_hold_s": 5,
    "idle_minutes": 3,
}
OPEN_DOOR: Final = frozenset({"TABLE_FULL", "MATCH_IN_PROGRESS", "SEAT_HELD", "SEAT_RESERVED"})
"""Reasons for which somebody who asks for a seat may be refused; each of them lets the person wait."""
NO_RESERVATION: Final = frozenset({"SEAT_TAKEN", "ALREADY_SEATED", "SEAT_HELD"})
"""Reasons for which no seat is reserved."""


class Night:
    """One table, the people around it, and the house; all chance is drawn from ``rng``."""

    def __init__(self, game: str, rng: Random) -> None:
        found = catalogue.game(game)
        self.rng = rng
        rules = _rules(game, rng)
        self.least = max(1, found.least_carry(rules))
        most = rng.choice((0, min(chips.MOST_CHIPS, 200 * self.least)))
        self.sitting = Sitting(game, rules, auto=True, absence=True, idle=True, most=most)
        self.purse = Purse()
        for number in range(GUESTS):
            self.purse.bring(f"guest{number}", self.least * rng.choice((1, 4, 60, 2000)) + rng.randrange(7))

    @property
    def core(self) -> public_table.PublicTable:
        """The table."""
        return self.sitting.table.core

    @property
    def most(self) -> int:
        """The greatest buy-in."""
        return self.core.opening.greatest_buy_in or chips.MOST_CHIPS

    def wallet(self, player: str) -> int:
        """Return what a player holds outside the table now."""
        self.purse.read(self.sitting.log)
        return self.purse.held[player]

    # -- what people do

    def come(self) -> None:
        """Let somebody who has no seat ask for one, or for a place in line."""
        outside = [one for one in sorted(self.purse.held) if one != HOUSE and self.core.seat_of(one) is None]
        if not outside:
            return
        player = self.rng.choice(outside)
        first = [one.player for one in waiting_line.standing(self.core, self.sitting.now + 1000) if one.held_until_ms]
        if first and self.rng.random() < 0.6:
            player = self.rng.choice(first)
        self.sit(player, held=player in first)

    def sit(self, player: str, *, held: bool) -> None:
        """Let a player take a seat with what its wallet allows; ``held``: one is held for it, so it gets one."""
        buy_in = min(self.wallet(player), self.most, self.least * self.rng.choice((1, 3, 50)) + self.rng.randrange(3))
        at_ms = self.sitting.tick()
        left = departures.of_player(self.core, player, at_ms)
        if left is not None and self.rng.random() < 0.9:
            buy_in = max(buy_in, left.chips)
        if not 1 <= buy_in <= self.wallet(player):
            return
        try:
            seat = money.choose_seat(
                self.core, player=player, name=player, test=True, seat=None, buy_in=buy_in, at_ms=at_ms
            )
        except Refused as refusal:
            if refusal.reason is Reason.AMOUNT_OUT_OF_RANGE and left is not None and buy_in < left.chips:
                return
            assert refusal.reason in OPEN_DOOR, refusal
            assert not held, f"{player} was refused the seat that is held for it: {refusal}"
            self.wait(player)
            return
        self.take([events.SeatTaken(at_ms=at_ms, seat=seat)])

    def wait(self, player: str) -> None:
        """Let somebody wait for a seat; it keeps its place until then."""
        now = self.sitting.tick()
        before = waiting_line.place_of(waiting_line.standing(self.core, now), player)
        wait_ms = self.rng.choice((8_000, waiting_line.WAIT_MS))
        self.take(waiting_line.join(self.core, player, now, now + wait_ms))
        assert waiting_line.place_of(self.core.line, player) == (before or len(self.core.line))

    def stop_waiting(self) -> None:
        """Let somebody leave the line."""
        if self.core.line:
            player = self.rng.choice(self.core.line).player
            self.take(waiting_line.leave(self.core, player, self.sitting.tick()))

    def reserve(self) -> None:
        """Let staff keep a free seat for somebody, or for nobody any more."""
        core, now_ms = self.core, self.sitting.tick()
        if core.reserved and self.rng.random() < 0.6:
            self.take(reservations.release(core, self.rng.choice(sorted(core.reserved)), now_ms))
            return
        wanted = Reservation(
            seat=self.rng.randrange(min(core.places, GUESTS)),
            player=f"guest{self.rng.randrange(GUESTS)}",
            until_ms=now_ms + self.rng.choice((5_000, 90_000)),
        )
        try:
            self.take(reservations.reserve(core, wanted, now_ms))
        except Refused as refusal:
            assert refusal.reason in NO_RESERVATION, refusal

    def some_seat(self, do: Callable[[int], object]) -> None:
        """Let one of those who sit there do something."""
        if self.core.seats:
            do(self.rng.choice(sorted(self.core.seats)))

    def add(self, seat: int) -> None:
        """Let a seat add chips, as far as its wallet and the table allow."""
        held = self.core.seats[seat]
        room = min(self.most - held.chips - self.core.added(seat), self.wallet(held.player), 500)
        if room > 0:
            self.sitting.add(seat, self.rng.randint(1, room))

    def level(self, seat: int) -> None:
        """Let a seat ask to be topped up before each round, or no longer."""
        wanted = self.rng.choice((0, self.least, 3 * self.least, 50 * self.least))
        self.take(top_up.set_level(self.core, seat, min(wanted, self.most), self.sitting.tick()))

    def seed(self, seat: int) -> None:
        """Let a seat mix its own seed into the next round."""
        self.take(player_seeds.set_seed(self.core, seat, f"luck {self.rng.random()}", self.sitting.tick()))

    def beside(self) -> None:
        """Let something happen beside the round, or nothing."""
        kinds: tuple[tuple[float, Callable[[], None]], ...] = (
            (0.10, self.come),
            (0.03, self.stop_waiting),
            (0.06, lambda: self.some_seat(self.add)),
            (0.05, lambda: self.some_seat(self.level)),
            (0.04, lambda: self.some_seat(self.sitting.sit_out)),
            (0.06, lambda: self.some_seat(self.sitting.sit_in)),
            (0.05, lambda: self.some_seat(self.sitting.leave)),
            (0.02, lambda: self.some_seat(self.seed)),
            (0.05, self.reserve),
            (0.03, self.pass_time),
        )
        chance = self.rng.random()
        for share, do in kinds:
            chance -= share
            if chance < 0:
                do()
                return

    def pass_time(self) -> None:
        """Let some time pass, so that holds and waits lapse before anybody has recorded it."""
        self.sitting.tick(self.rng.choice((2_000, 6_000, 20_000)))

    # -- what the house does

    def end_waits(self) -> bool:
        """End the waits and reservations that are over; return whether there were any."""
        core, now_ms = self.core, self.sitting.now
        return bool(self.take([*waiting_line.ended(core, now_ms), *reservations.ended(core, now_ms)]))

    def clear(self) -> None:
        """Pay out the absent and top up the others before a round, as settlement does in one command."""
        self.sitting.remove_absent()
        added: dict[int, int] = {}
        failed: dict[int, Reason] = {}
        for seat, amount in top_up.missing(self.core).items():
            if self.rng.random() < 0.1:
                failed[seat] = Reason.LIMIT_REACHED
            elif self.wallet(self.core.seats[seat].player) < amount:
                failed[seat] = Reason.INSUFFICIENT_FUNDS
            else:
                added[seat] = amount
        self.take(top_up.made(self.core, added, failed, self.sitting.now))

    def between(self, *, unwatched: bool = False) -> bool:
        """Do what is due at an open table, short of closing it; return whether anything was."""
        if self.end_waits():
            return True
        if not 0 < self.core.start_ms <= self.sitting.now:
            return bool(self.sitting.remove_absent())
        self.clear()
        if self.core.start_ms:
            self.sitting.start(unwatched=unwatched)
        return True

    def close(self) -> list[Event]:
        """Close the table if nobody has used it for too long."""
        return self.take(money.close_idle(self.core, self.sitting.now))

    # -- the night

    def take(self, made: list[Event]) -> list[Event]:
        """Fold and log what was decided."""
        return self.sitting.take(made)

    def step(self) -> None:
        """Let somebody do something, and the table go on by one move."""
        self.beside()
        if self.rng.random() < 0.7:
            self.end_waits()
        match self.core.phase:
            case public_table.IN_ROUND:
                self.sitting.step(self.rng, lapses=0.3)
            case public_table.SETTLING if self.rng.random() < 0.1:
                self.sitting.void()
            case public_table.SETTLING:
                self.sitting.settle()
            case _ if self.core.start_ms or (self.core.removal_ms and self.rng.random() < 0.5):
                self.sitting.now = max(self.sitting.now, self.core.soon_ms)
                self.between()
            case _:
                self.come()
                self.some_seat(self.add)
                self.some_seat(self.sitting.sit_in)
        self.verify()

    def asleep(self) -> None:
        """Let time pass by one moment at which the house acts; nobody else does anything."""
        match self.core.phase:
            case public_table.IN_ROUND:
                self.sitting.on_timeout()
            case public_table.SETTLING:
                self.sitting.settle()
            case _:
                assert self.core.due_ms, "nothing is due at an open table, it would stay as it is"
                self.sitting.now = max(self.sitting.now, self.core.due_ms)
                assert self.between(unwatched=True) or self.close(), "something is due, and nothing comes of it"
        self.verify()

    def verify(self) -> None:
        """Check what holds at every moment: no chip is lost, no start is forgotten, free seats are held in order."""
        core = self.core
        self.purse.read(self.sitting.log)
        at_table = core.pot + sum(seat.chips + core.added(seat.seat) for seat in core.seats.values())
        if core.phase != public_table.SETTLING:
            assert at_table + sum(self.purse.held.values()) == self.purse.brought, "chips came from nowhere, or went"
        if core.phase == public_table.OPEN:
            assert bool(core.start_ms) == schedule.ready(core).enough, "enough seats are ready, and no start is set"
        holds = [bool(one.held_until_ms) for one in core.line]
        assert holds == sorted(holds, reverse=True), "a seat is held for somebody, and not for one who came earlier"
        free = waiting_line.free_seats(core, self.sitting.log[-1].at_ms)
        assert sum(holds) == min(len(core.line), free), "a free seat is held for nobody"


def _rules(game: str, rng: Random) -> HouseRules:
    """Draw house rules; often with so few seats that people have to wait."""
    found = catalogue.game(game)
    rules = worlds.varied_rules(found, rng) if rng.random() < 0.5 else worlds.default_rules(found)
    rules = msgspec.structs.replace(rules, **RULES)
    few = msgspec.structs.replace(rules, max_seats=max(rules.min_seats, rules.least_ready, 2))
    return few if rng.random() < 0.6 and not found.faults(few) else rules
