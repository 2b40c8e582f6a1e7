"""What people hold outside a table, counted from its log alone."""

from typing import Final

from services.table import events
from services.table.events import Event

HOUSE: Final = "the house"


class Purse:
    """What everybody holds outside the table, counted from the log: chips that come to seats and go from them."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {HOUSE: 0}
        self.brought = 0
        self._players: dict[int, str] = {}
        self._read = 0

    def bring(self, player: str, amount: int) -> None:
        """Let a person come with chips."""
        self.held[player] = self.held.get(player, 0) + amount
        self.brought += amount

    def read(self, log: list[Event]) -> None:
        """Count the events that were logged since the last call."""
        for event in log[self._read :]:
            self._count(event)
        self._read = len(log)
        short = {player: held for player, held in self.held.items() if held < 0 and player != HOUSE}
        assert not short, f"wallets paid more than they held: {short}"

    def _count(self, event: Event) -> None:
        match event:
            case events.SeatTaken(seat=seat):
                self._players[seat.seat] = seat.player
                self.held[seat.player] -= seat.chips
            case events.ChipsAdded():
                self.held[self._players[event.seat]] -= event.chips
            case events.SeatLeft() | events.RemovedForAbsence():
                assert self._players.pop(event.seat) == event.player, "a seat was paid out to somebody else"
                self.held[event.player] += event.chips
            case events.RoundSettled():
                self.held[HOUSE] += event.posting.fee + event.posting.house
            case events.TableClosed():
                self.held[HOUSE] += event.to_house
            case _:
                pass
