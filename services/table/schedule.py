"""When the house starts the next round of a table, and who is ready for it [rules "A round's life"].

The moment follows from the log: the event by which enough seats are ready sets it, and an event after which they no
longer are takes it back. It is not in any event, so that all who fold a log know the same one.
"""

import msgspec

from services.rules import table_keys
from services.rules.game import Game, HouseRules, Table
from services.table import events, public_table, top_up
from services.table.events import Event
from services.table.public_table import PublicTable


class Ready(msgspec.Struct, frozen=True):
    """The seats that are ready for the next round, whether they are enough, and how many the table's rules ask for."""

    seats: tuple[int, ...]
    enough: bool
    needed: int


def start_ms(core: PublicTable, event: Event) -> int:
    """Return when the house starts the next round, after an event; 0 where it does not."""
    if core.phase != public_table.OPEN or not is_automatic(core):
        return 0
    game, rules = public_table.game_and_rules(core)
    if not _ready(game, rules, _at_start(core)).enough:
        return 0
    return core.start_ms or event.at_ms + 1000 * _countdown_s(rules, event)


def _countdown_s(rules: HouseRules, event: Event) -> int:
    """Return the countdown after an event: the end of a round gives time to read its result."""
    if isinstance(event, events.RoundSettled | events.RoundVoided) or rules.ready_countdown_s is None:
        return rules.start_countdown_s
    return rules.ready_countdown_s


def is_automatic(core: PublicTable) -> bool:
    """Return whether the house starts the rounds of a table."""
    return core.opening.rules.get("start") == table_keys.AUTO


def ready(core: PublicTable) -> Ready:
    """Return who is ready for a round that starts now."""
    game, rules = public_table.game_and_rules(core)
    return _ready(game, rules, _at_start(core))


def due(core: PublicTable) -> dict[int, dict[str, int]] | None:
    """Return what seats put in before the first card of the next round: chips by reason, by seat.

    Seats that sit out have what a return would cost; a seat that is left out is not dealt in. None: no round can start
    now, or the game says nothing of it.
    """
    if core.phase != public_table.OPEN:
        return None
    game, rules = public_table.game_and_rules(core)
    table = _at_start(core)
    found = game.due(rules, table)
    if found is None:
        return None
    for seat in core.absent:
        held = core.seats[seat].chips
        back = msgspec.structs.replace(table, chips=dict(sorted({**table.chips, seat: held}.items())))
        if held and (alone := game.due(rules, back)) is not None and seat in alone:
            found = {**found, seat: alone[seat]}
    return found


def _at_start(core: PublicTable) -> Table:
    """Show the table as a start finds it: seats that are topped up before it hold their level."""
    found, expected = core.at_stake(), top_up.expected(core)
    if not expected:
        return found
    raised = {seat: min(held, core.allowed.get(seat, held)) for seat, held in expected.items()}
    return msgspec.structs.replace(found, chips={**found.chips, **raised})


def _ready(game: Game, rules: HouseRules, table: Table) -> Ready:
    seats = game.ready(rules, table)
    return Ready(seats, game.enough(rules, table, len(seats)), max(rules.min_seats, rules.least_ready))
