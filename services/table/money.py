"""Commands that move money, decided on the public core alone: settlement holds no deck key and sees no card.

Each returns the events; ``services.settlement`` posts the ledger entry that belongs to them in the same transaction.
"""

import msgspec

from services.house import pipeline
from services.rules import chips
from services.rules.outcomes import Match, Outcome
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.table import absence, commands, departures, events, idle, persons, public_table, reservations
from services.table.events import Event
from services.table.public_table import PublicTable
from services.table.records import SeatSettled


def choose_seat(
    core: PublicTable,
    *,
    player: str,
    name: str,
    test: bool,
    seat: int | None,
    buy_in: int,
    avatar: str = "",
    at_ms: int = 0,
) -> events.SeatRecord:
    """Check that a player may take a seat now, and which; name and avatar are sealed. Raises Refused.

    A seat that is taken while a round is open is dealt in with the next one. A seat that is held at ``at_ms`` for
    somebody who waits, or reserved for somebody, is not free for others.
    """
    public_table.require_not_closed(core)
    game, rules = public_table.game_and_rules(core)
    if core.seat_of(player) is not None:
        raise Refused(Reason.ALREADY_SEATED, "you have a seat at this table; a player has one seat at a table")
    persons.refuse_stranger(core, player)
    persons.refuse_kind_of_money(core, player, test=test)
    if seat is not None:
        reservations.require_seat(core, seat)
    if len(core.seats) >= core.places:
        raise Refused(Reason.TABLE_FULL, f"all {core.places} seats are taken", metadata={"seats": core.places})
    match = game.closed_match(rules, core.for_rules(), in_round=core.round is not None)
    if match is not None:
        raise _in_match(match)
    chosen = reservations.choose(core, player, seat, at_ms)
    _check_return(core, player, buy_in, at_ms)
    return events.SeatRecord(
        seat=chosen,
        player=player,
        name=name,
        test=test,
        chips=buy_in,
        avatar=avatar or msgspec.UNSET,
    )


def _in_match(match: Match) -> Refused:
    last = f" of at most {match.most_rounds}" if match.most_rounds else ""
    return Refused(
        Reason.MATCH_IN_PROGRESS,
        f"a match is being played here, now at round {match.round_number}{last}; take a seat when it is over",
        metadata={"match_round": match.round_number, "match_rounds": match.most_rounds},
        text=Text(
            f"A match is being played here (round {match.round_number}{last}). You can join when it is over.",
            f"本桌的賽局正在第 {match.round_number} 局{_of(match, '，最多')}，結束後才能入座。",
            f"本桌的赛局正在第 {match.round_number} 局{_of(match, '，最多')}，结束后才能入座。",
        ),
    )


def _of(match: Match, most: str) -> str:
    return f"{most} {match.most_rounds} 局" if match.most_rounds else ""


def check_buy_in(core: PublicTable, buy_in: int) -> None:
    """Check a buy-in against the table's bounds. Raises Refused (``AMOUNT_OUT_OF_RANGE``)."""
    most = core.opening.greatest_buy_in or chips.MOST_CHIPS
    # A test table shows what becomes of a seat that has no chips; elsewhere nobody sits down without any.
    least = 0 if core.opening.test else core.opening.least_buy_in
    if not least <= buy_in <= most:
        message = f"a buy-in at this table is {least} to {most} chips, not {buy_in}"
        raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"least": least, "greatest": most})


def _check_return(core: PublicTable, player: str, buy_in: int, at_ms: int) -> None:
    """Check a buy-in, also against what the player left the table with lately. Raises Refused."""
    left = departures.of_player(core, player, at_ms)
    if left is None or core.opening.least_buy_in >= left.chips:
        check_buy_in(core, buy_in)
        return
    most = max(left.chips, core.opening.greatest_buy_in or chips.MOST_CHIPS)
    if not left.chips <= buy_in <= most:
        minutes = -(-(left.until_ms - at_ms) // 60_000)
        raise Refused(
            Reason.AMOUNT_OUT_OF_RANGE,
            f"you left this table with {left.chips} chips; for {minutes} minutes you may return with {left.chips} to"
            f" {most}, not with {buy_in}",
            metadata={"left_with": left.chips, "least": left.chips, "greatest": most, "minutes": minutes},
        )


def add_chips(core: PublicTable, player: str, amount: int, at_ms: int) -> list[Event]:
    """Add chips to a player's seat. Raises Refused.

    In an open round they lie beside it and count from the next one on. The bound of the table is held against what the
    seat held when the round started, with all that it has added since: what the round may win is not known yet.
    """
    public_table.require_not_closed(core)
    seat = own_seat(core, player)
    most = core.opening.greatest_buy_in or chips.MOST_CHIPS
    held = seat.chips + core.added(seat.seat)
    room = most - held
    if room < 1:
        raise _full_seat(held, most)
    if not 1 <= amount <= room:
        message = f"you may add 1 to {room} chips here, not {amount}"
        raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"least": 1, "greatest": room})
    return [events.ChipsAdded(at_ms=at_ms, seat=seat.seat, chips=amount)]


def _full_seat(held: int, most: int) -> Refused:
    """Return the refusal of more chips for a seat that has no room for one."""
    if held == most:
        message = f"the seat holds the table's greatest buy-in ({most})"
        return Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"greatest_buy_in": most})
    message = f"the seat holds {held} chips; the table's greatest buy-in is {most}"
    return Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"chips": held, "greatest_buy_in": most})


def leave(core: PublicTable, player: str, at_ms: int) -> list[Event]:
    """Leave at once, or, from an open round, when it is settled; nothing where that was asked for already.

    Raises Refused (``NOT_SEATED``).
    """
    seat = own_seat(core, player)
    if core.plays(seat.seat):
        return [] if seat.leaving else [events.LeaveAsked(at_ms=at_ms, seat=seat.seat)]
    return [events.SeatLeft(at_ms=at_ms, seat=seat.seat, player=player, chips=seat.chips)]


def remove(core: PublicTable, seat: int, at_ms: int) -> list[Event]:
    """Free a seat that has been away for too long; nothing where it has not, or is in an open round."""
    if seat not in absence.over(core, at_ms) or core.plays(seat):
        return []
    held = core.seats[seat]
    return [events.RemovedForAbsence(at_ms=at_ms, seat=seat, player=held.player, chips=held.chips)]


def own_seat(core: PublicTable, player: str) -> events.SeatRecord:
    """Find a player's seat. Raises Refused (``NOT_SEATED``)."""
    seat = core.seat_of(player)
    if seat is None:
        raise persons.without_seat(core)
    return seat


def settle(core: PublicTable, at_ms: int) -> list[Event]:
    """Turn the claims of the ended round into chips. Raises Refused (``ROUND_NOT_OPEN``) where none waits."""
    if core.phase != public_table.SETTLING or core.round is None or core.round.outcome is None:
        raise Refused(Reason.ROUND_NOT_OPEN, "no ended round waits for settlement at this table")
    game, rules = public_table.game_and_rules(core)
    outcome, carry = core.round.outcome, core.round.carry
    posting = pipeline.settle(outcome, rules, carry, core.pot)
    after = {seat: record.chips + posting.net.get(seat, 0) for seat, record in sorted(core.seats.items())}
    # Who has joined since the start is no part of what the round leaves behind (next banker, winner of a match).
    there = {seat: held for seat, held in after.items() if seat not in core.round.joined}
    settled = events.RoundSettled(
        at_ms=at_ms,
        round_number=core.round_number,
        posting=posting,
        outcome=game.after_settlement(rules, outcome, there),
        seats=tuple(_account(core, outcome, seat, after[seat], posting.fees.get(seat, 0)) for seat in sorted(carry)),
    )
    away = [events.SatOut(at_ms=at_ms, seat=seat, by_clock=True) for seat in absence.away(core)]
    return [settled, *away, *commands.leavers(core, at_ms, after)]


def _account(core: PublicTable, outcome: Outcome, seat: int, after: int, fee: int) -> SeatSettled:
    record = core.seats[seat]
    staked = sum(stake.amount for stake in outcome.stakes if stake.seat == seat)
    return SeatSettled(
        seat=seat,
        player=record.player,
        before=record.chips,
        after=after,
        staked=staked,
        won=after - record.chips + fee + staked,
        fee=fee,
    )


def close(core: PublicTable, reason: str, closed_by: str, at_ms: int) -> list[Event]:
    """Close a table between rounds: the carried pool is shared, every seat is paid out. Raises Refused."""
    commands.require_open(core)
    game, rules = public_table.game_and_rules(core)
    heirs = game.pot_heirs(rules, core.for_rules())
    heirs = tuple(seat for seat in heirs if seat in core.seats) or tuple(sorted(core.seats))
    shares = chips.split(core.pot, heirs) if core.pot and heirs else {}
    return [
        events.TableClosed(
            at_ms=at_ms,
            reason=reason,
            closed_by=closed_by,
            shares=shares,
            to_house=core.pot - sum(shares.values()),
        ),
        *(
            events.SeatLeft(at_ms=at_ms, seat=seat, player=record.player, chips=record.chips + shares.get(seat, 0))
            for seat, record in sorted(core.seats.items())
        ),
    ]


def close_idle(core: PublicTable, at_ms: int) -> list[Event]:
    """Close a table that nobody has used for too long; nothing where somebody has, or where a round is open."""
    return close(core, idle.REASON.en, idle.CLOSED_BY, at_ms) if idle.is_over(core, at_ms) else []


def close_again(core: PublicTable, event: events.TableClosed) -> list[Event]:
    """Return the events of a recorded close that is replayed: the house's own only where the table was idle."""
    if idle.is_own(event):
        return close_idle(core, event.at_ms)
    return close(core, event.reason, event.closed_by, event.at_ms)
