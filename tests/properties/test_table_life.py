"""The life of a table, in every game: whatever comes beside its rounds, chips are conserved and it never stalls.

Players join, add chips, sit out, come back, let their time pass and leave at any moment, drawn at random. The house
starts the rounds; the absent are cashed out. The log is folded, and replayed, to the very same table.
"""

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from services.rules import catalogue, chips
from services.rules.refusals import Refused
from services.table import events, money, public_table, schedule
from tests.support import worlds
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
STEPS = 400
ROUNDS = 4
RULES = {"absent_rounds": 2, "absent_minutes": 1, "start_countdown_s": 3}


class Night:
    """One table and what happens at it."""

    def __init__(self, game: str, rng: Random) -> None:
        found = catalogue.game(game)
        rules = worlds.varied_rules(found, rng) if rng.random() < 0.5 else worlds.default_rules(found)
        known = {key: value for key, value in RULES.items() if hasattr(rules, key)}
        self.sitting = Sitting(game, msgspec.structs.replace(rules, **known), auto=True, absence=True)
        self.rng = rng
        self.guests = 0

    @property
    def core(self) -> public_table.PublicTable:
        """The table."""
        return self.sitting.table.core

    def join(self) -> None:
        """Let somebody take a seat, if there is one."""
        self.guests += 1
        player = f"guest{self.guests}"
        least = max(1, self.sitting.game.least_carry(self.sitting.rules))
        try:
            seat = money.choose_seat(
                self.core,
                player=player,
                name=player,
                test=True,
                seat=None,
                buy_in=min(chips.MOST_CHIPS, least * self.rng.choice((1, 3, 50)) + self.rng.randrange(3)),
            )
        except Refused as refusal:
            assert refusal.reason in ("TABLE_FULL", "MATCH_IN_PROGRESS")
            return
        self.sitting.take([events.SeatTaken(at_ms=self.sitting.tick(), seat=seat)])

    def some_seat(self, do: Callable[[int], object]) -> None:
        """Let one of those who sit there do something."""
        if self.core.seats:
            do(self.rng.choice(sorted(self.core.seats)))

    def add(self, seat: int) -> None:
        """Let a seat add chips."""
        if self.core.seats[seat].chips + self.core.added(seat) < chips.MOST_CHIPS // 2:
            self.sitting.add(seat, self.rng.randint(1, 500))

    def beside(self) -> None:
        """Let something happen beside the round, or nothing."""
        chance = self.rng.random()
        if chance < 0.05:
            self.join()
        elif chance < 0.10:
            self.some_seat(self.add)
        elif chance < 0.14:
            self.some_seat(self.sitting.sit_out)
        elif chance < 0.20:
            self.some_seat(self.sitting.sit_in)
        elif chance < 0.23:
            self.some_seat(self.sitting.leave)

    def between(self) -> None:
        """Do what the house does between rounds; where it has nothing to start, people come and the absent go."""
        core = self.core
        if core.due_ms:
            self.sitting.now = max(self.sitting.now, core.due_ms)
            self.sitting.remove_absent()
        if core.start_ms:
            self.sitting.now = max(self.sitting.now, core.start_ms)
            self.sitting.start()
            return
        assert not schedule.ready(core).enough, "enough seats are ready, and no start is set"
        self.join()
        self.some_seat(self.add)
        self.some_seat(self.sitting.sit_in)
        if len(core.seats) == core.opening.max_seats:
            self.some_seat(self.sitting.leave)

    def step(self) -> None:
        """Go on by one move."""
        if self.core.phase == public_table.IN_ROUND:
            self.beside()
            self.sitting.step(self.rng, lapses=0.3)
        elif self.core.phase == public_table.SETTLING:
            self.beside()
            if self.rng.random() < 0.1:
                self.sitting.void()
            else:
                self.sitting.settle()
            assert self.missing() == 0
        else:
            self.beside()
            self.between()

    def missing(self) -> int:
        """Return the chips that came to the table less those that are there or went with seats, fees or the house."""
        core = self.core
        total = -core.pot - sum(seat.chips + core.added(seat.seat) for seat in core.seats.values())
        for event in self.sitting.log:
            match event:
                case events.SeatTaken():
                    total += event.seat.chips
                case events.ChipsAdded():
                    total += event.chips
                case events.SeatLeft() | events.RemovedForAbsence():
                    total -= event.chips
                case events.RoundSettled():
                    total -= event.posting.fee + event.posting.house
                case _:
                    pass
        return total


@pytest.mark.parametrize("game", GAMES)
def test_a_table_lives_on_whatever_its_players_do(game: str) -> None:
    """Rounds follow each other however people come and go; no chip is lost, and the log alone gives the same table."""
    night = Night(game, Random(f"{game} night"))
    for _ in range(STEPS):
        night.step()
        if night.core.round_number >= ROUNDS and night.core.phase == public_table.OPEN:
            break
    assert night.core.round_number >= 1, "no round was ever started"
    assert night.missing() == 0
    sitting = night.sitting
    assert sitting.again().differences == []
    assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core
    later = sitting.again(sitting.log[sitting.last_start - 1 :], sitting.last_start)
    assert later.differences == []
    assert later.table is not None
    assert (later.table.core.absent, later.table.core.start_ms) == (
        sitting.table.core.absent,
        sitting.table.core.start_ms,
    )
