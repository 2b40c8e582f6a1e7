"""Hands in the PHH format: TOML, players in dealing order, actions in short notation (phh.readthedocs.io).

The format has codes for some variants only. For the others this house writes similar codes of its own
(``Game.hand_history``), which a reader must add; NT, FT and PO are the format's own, F7S nearly so. A raise that nobody
could match does not exist in other rules; it is written as the call that it amounts to.

The format's F7S opens with a forced bring-in by the lowest card; where the best visible hand opens, ``bring_in`` is 0.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from services.audit.handhistory import record
from services.audit.handhistory.record import HandRecord, NotExportable
from services.rules.cards import Card
from services.rules.chips import to_the_left
from services.rules.outcomes import SECOND_BOARD
from services.rules.poker.streets import HAND

HEADS_UP: Final = 2
"""Players of a hand in which the button posts the small blind."""


def write(hand: HandRecord) -> str:
    """Return a hand as the text of a PHH file. Raises NotExportable."""
    code = hand.formats.code(hand.betting) if hand.formats else None
    if code is None:
        raise NotExportable(f"PHH has no code for {hand.game} with {hand.betting}")
    if any(isinstance(step, record.Deal) and step.zone == SECOND_BOARD for step in hand.steps):
        raise NotExportable("PHH has no notation for table cards that were dealt twice")
    order = to_the_left([player.seat for player in hand.players], of=hand.button)
    by_seat = {player.seat: player for player in hand.players}
    players = [by_seat[seat] for seat in order]
    fields: dict[str, Any] = {"variant": code, "ante_trimming_status": hand.antes_are_live}
    fields |= {"antes": _antes(hand, order), **_stakes(hand, order)}
    fields |= {
        "starting_stacks": [player.stack for player in players],
        "actions": list(_Writer(hand, order).actions()),
        "hand": hand.hand,
        "table": hand.table,
        "seats": [player.seat + 1 for player in players],
        "seat_count": hand.max_seats,
        "players": [player.name for player in players],
        "finishing_stacks": [player.finish for player in players],
    }
    if hand.currency:
        fields["currency"] = hand.currency
    if hand.started:
        fields |= _time(hand.started)
    rake = sum(pot.rake for pot in hand.pots)
    if rake:
        fields["_rake"] = rake
    return "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items())


def section(hand: HandRecord) -> str:
    """Return a hand as one section of a PHHS file, which holds many hands. Raises NotExportable."""
    return f"[{hand.hand}]\n{write(hand)}"


def _antes(hand: HandRecord, order: Sequence[int]) -> list[int]:
    """Return the antes; with two players, the first one in the format has the big blind."""
    payers = {step.seat for step in hand.steps if isinstance(step, record.Post) and step.what == "ante"}
    antes = [hand.ante if hand.antes_are_live or seat in payers else 0 for seat in order]
    return antes[::-1] if len(order) == HEADS_UP and hand.big_blind else antes


def _stakes(hand: HandRecord, order: Sequence[int]) -> dict[str, Any]:
    """Return blinds and bet sizes; with two players, the first one in the format has the big blind."""
    posts = [step for step in hand.steps if isinstance(step, record.Post)]
    if any(step.what in {"post", "dead_blind"} for step in posts):
        raise NotExportable("a seat posted for blinds that it had missed; PHH knows no such post")
    posted = {step.seat: step.what for step in posts}
    nominal = {"small_blind": hand.small_blind, "big_blind": hand.big_blind, "straddle": 2 * hand.big_blind, "ante": 0}
    blinds = [nominal[posted.get(seat, "ante")] for seat in order]
    if len(order) == HEADS_UP and hand.big_blind:
        if "small_blind" in posted.values() and posted[order[0]] != "big_blind":
            raise NotExportable("PHH has no heads-up hand in which the button has the big blind")
        blinds.reverse()
    if hand.big_blind and hand.big_blind not in [step.amount for step in posts if step.what == "big_blind"]:
        raise NotExportable("a big blind was posted short; in PHH it is the amount to call, here the full blind is")
    found: dict[str, Any] = {"blinds_or_straddles": blinds}
    if hand.formats and hand.formats.bring_in:
        if hand.bring_in and hand.full_bet != hand.minimum:
            raise NotExportable(f"in PHH a bring-in is completed to {hand.minimum}; at this table to {hand.full_bet}")
        found["bring_in"] = hand.bring_in
    if hand.betting == "fixed_limit":
        return {**found, "small_bet": hand.minimum, "big_bet": hand.minimum * 2}
    return {**found, "min_bet": hand.minimum}


def _time(started: str) -> dict[str, Any]:
    day, _, clock = started.partition("T")
    year, month, date = day.split("-")
    return {
        "time": _Bare(clock[:8]),
        "time_zone": "UTC",
        "day": int(date),
        "month": int(month),
        "year": int(year),
    }


class _Bare(str):
    """TOML that is written without quotes."""

    __slots__ = ()


def _toml(value: Any) -> str:
    if isinstance(value, _Bare):
        return value
    if isinstance(value, list):
        return "[" + ", ".join(_toml(entry) for entry in value) + "]"
    # Strings of JSON are basic strings of TOML; so are whole numbers and booleans.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class _Writer:
    """Follows a hand and writes its actions."""

    def __init__(self, hand: HandRecord, order: Sequence[int]) -> None:
        self._hand = hand
        self._name = {seat: f"p{place}" for place, seat in enumerate(order, start=1)}
        self._order = order
        self._stacks = {player.seat: player.stack for player in hand.players}
        self._totals = dict.fromkeys(order, 0)
        self._live = set(order)
        self._acted = False
        self._swapped = dict(_swaps(hand))

    def actions(self) -> Iterator[str]:
        """Return the actions in the notation of the format."""
        waiting: list[str] = []
        for step in self._hand.steps:
            if isinstance(step, record.Exchange):
                yield f"{self._name[step.seat]} sd{' ' if step.discards else ''}{''.join(step.discards)}"
                if step.cards:
                    waiting.append(f"d dh {self._name[step.seat]} {''.join(step.cards)}")
                continue
            yield from waiting
            waiting = []
            yield from self._step(step)
        yield from waiting

    def _step(self, step: record.AnyStep) -> Iterator[str]:
        if isinstance(step, record.Post):
            self._put_in(step.seat, step.amount, counts=step.what != "ante")
        elif isinstance(step, record.Act):
            yield from self._act(step)
        elif isinstance(step, record.Back):
            self._stacks[step.seat] += step.amount
            self._close()
        elif isinstance(step, record.Street):
            self._close()
        elif isinstance(step, record.Deal):
            self._close()
            yield self._deal(step)
        elif isinstance(step, record.Show) and self._showdown():
            yield f"{self._name[step.seat]} sm {''.join(step.cards)}"
        elif isinstance(step, record.Muck) and self._showdown():
            yield f"{self._name[step.seat]} sm"

    def _showdown(self) -> bool:
        """Return whether hands are compared; the format has no words for a winner whom nobody called."""
        return len(self._live) > 1

    def _act(self, step: record.Act) -> Iterator[str]:
        self._acted = True
        name, late = self._name[step.seat], " # late" if step.late else ""
        price = max(self._totals.values())
        self._put_in(step.seat, step.amount, counts=True)
        if step.action == "fold":
            self._live.discard(step.seat)
            yield f"{name} f{late}"
        elif step.action == "bring_in":
            yield f"{name} pb{late}"
        elif step.action in {"check", "call"}:
            yield f"{name} cc{late}"
        elif any(self._totals[seat] + self._stacks[seat] > price for seat in self._live - {step.seat}):
            yield f"{name} cbr {step.total}{late}"
        else:
            yield f"{name} cc # {step.action} to {step.total}, which nobody could match"

    def _close(self) -> None:
        """End a betting round, if actions were taken in it; blinds count as the first one."""
        if self._acted:
            self._acted = False
            self._totals = dict.fromkeys(self._order, 0)

    def _put_in(self, seat: int, amount: int, *, counts: bool) -> None:
        self._stacks[seat] -= amount
        if counts:
            self._totals[seat] += amount

    def _deal(self, step: record.Deal) -> str:
        if step.seat is None:
            return f"d db {''.join(step.cards)}"
        cards = [self._swapped.get(card, card) for card in step.cards]
        return f"d dh {self._name[step.seat]} {''.join(cards)}"


def _swaps(hand: HandRecord) -> Iterator[tuple[Card, Card]]:
    """Return the down cards that change places, if a seat of stud exposed a card other than the one dealt last.

    The format has no choice of the up card: the card that was turned up is always written as dealt last.
    """
    exposed = {step.seat: step.card for step in hand.steps if isinstance(step, record.Expose)}
    last: dict[int, Card] = {}
    for step in hand.steps:
        if isinstance(step, record.Deal) and step.seat in exposed and step.zone == HAND:
            last[step.seat] = step.cards[-1]
    for seat, card in exposed.items():
        if card != last[seat]:
            yield card, last[seat]
            yield last[seat], card
