"""The people of a round: what each seat is called, and who comes and goes beside the round."""

from collections.abc import Iterable
from typing import Final

from services.contract import comings
from services.rules import house_players
from services.rules.personal import Show
from services.rules.text import Text
from services.table import events, persons

HOUSE_PLAYER: Final = Text("{name} (house player)", "{name}（電腦玩家）", "{name}（电脑玩家）")


class Cast:
    """The names of the seats in one language, no two alike; ``show`` opens sealed names."""

    def __init__(self, language: str, show: Show) -> None:
        self._language, self._show = language, show
        self._people: dict[int, tuple[str, str]] = {}
        self._names: dict[int, str] = {}

    def begin(self, seats: Iterable[events.SeatRecord]) -> None:
        """Name the seats of a table at the start of a round."""
        self._people = {seat.seat: self._person(seat) for seat in seats}
        self._names = persons.told_apart(self._people)

    def knows(self, seat: int) -> bool:
        """Return whether somebody is known by a seat."""
        return seat in self._names

    def name(self, seat: int) -> str:
        """Return what a seat is called; its number where nobody is known by it."""
        return self._names.get(seat, str(seat))

    def presented(self, seat: events.SeatRecord) -> str:
        """Return what a seat is called where it appears first: a house player is marked as one."""
        name = self.name(seat.seat)
        return HOUSE_PLAYER.within(self._language).format(name=name) if house_players.is_one(seat.player) else name

    def told(self, event: events.Event, *, automatic: bool) -> str | None:
        """Return in words who comes or goes; None for any other event. ``automatic``: by the house, before a round."""
        if isinstance(event, events.SeatTaken):
            self._people[event.seat.seat] = self._person(event.seat)
            self._names[event.seat.seat] = persons.told_apart(self._people)[event.seat.seat]

        def who(seat: int) -> str:
            return self.presented(event.seat) if isinstance(event, events.SeatTaken) else self.name(seat)

        reason = self._show(event.reason) if isinstance(event, events.TableClosed) else ""
        found = comings.told(event, who, automatic=automatic, reason=reason)
        return None if found is None else found.within(self._language)

    def _person(self, seat: events.SeatRecord) -> tuple[str, str]:
        return self._show(seat.name), persons.player_id(seat.name)
