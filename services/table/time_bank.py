"""Time banks: what a seat may spend beyond the time for a decision, over the whole time that it is taken [poker 0.11].

Where one seat alone is to act, its deadline includes what is left in its bank. A seat that acts after the time for the
decision has spent the rest from its bank; one whose deadline passes has spent all. Each round that deals a seat in
refills its bank. Windows in which several seats act at once have no bank.
"""

from collections.abc import Collection

from services.table.public_table import PublicTable


def size_ms(core: PublicTable) -> int:
    """Return the size of a full bank; 0 at a table without time banks, as all tables of older logs are."""
    return 1000 * int(core.opening.rules.get("time_bank_s", 0))


def left_ms(core: PublicTable, seat: int) -> int:
    """Return what is left in a seat's bank; while it runs, what was left when the turn began."""
    return size_ms(core) - core.time_spent.get(seat, 0)


def of_turn(core: PublicTable, seats: Collection[int], spent: dict[int, int]) -> int:
    """Return the bank of the seat whose turn begins, after what seats have spent; 0 where several act at once."""
    if len(seats) != 1:
        return 0
    [seat] = seats
    return size_ms(core) - spent.get(seat, 0)


def after_action(core: PublicTable, seat: int, at_ms: int) -> dict[int, int]:
    """Return what seats have spent once the turn of this seat ends at a moment."""
    base_ms = core.deadline_ms - core.bank_ms
    return _spend(core, seat, min(core.bank_ms, max(0, at_ms - base_ms)))


def after_deadline(core: PublicTable, seats: Collection[int]) -> dict[int, int]:
    """Return what seats have spent once a deadline has passed for which these were to act; only one spends a bank."""
    if not core.bank_ms:
        return core.time_spent
    [seat] = seats
    return _spend(core, seat, core.bank_ms)


def after_start(core: PublicTable, dealt_in: Collection[int]) -> dict[int, int]:
    """Return what seats have spent once a round has started: the banks of those that it deals in are refilled."""
    refill_ms = 1000 * int(core.opening.rules.get("time_bank_refill_s", 0))
    found = {seat: ms - refill_ms if seat in dealt_in else ms for seat, ms in core.time_spent.items()}
    return {seat: ms for seat, ms in found.items() if ms > 0}


def _spend(core: PublicTable, seat: int, ms: int) -> dict[int, int]:
    if not ms:
        return core.time_spent
    spent = core.time_spent.get(seat, 0) + ms
    assert spent <= size_ms(core), f"seat {seat} has spent {spent} ms of a bank of {size_ms(core)} ms"
    return {**core.time_spent, seat: spent}
