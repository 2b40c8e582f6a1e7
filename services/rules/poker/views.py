"""What one viewer may see of a hand of poker."""

from typing import TYPE_CHECKING, Any

from services.rules.cards import face_down
from services.rules.poker import pots
from services.rules.poker.streets import BOARD, HAND, UP
from services.rules.views import SeatView, View, Zone

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

ENDED = "ended"


def view(hand: "PokerRound", viewer: int | None) -> View:
    """Show a hand to a seat of it, or to a spectator (None, or a seat that is not in it)."""
    by_seat = sorted(range(len(hand.order)), key=hand.order.__getitem__)
    zones = [zone for position in by_seat for zone in _zones(hand, position, viewer)]
    if hand.board:
        zones.append(Zone(None, BOARD, tuple(hand.board)))
    settled = [paid - total for paid, total in zip(hand.paid, hand.totals, strict=True)]
    return View(
        phase=ENDED if hand.outcome is not None else hand.streets[hand.step].title,
        button=hand.button,
        seats=tuple(_seat(hand, position) for position in by_seat),
        zones=tuple(zones),
        pots=tuple(layer.amount for layer in pots.layers(settled, hand.live)),
        facts=_facts(hand, by_seat, viewer),
    )


def _zones(hand: "PokerRound", position: int, viewer: int | None) -> list[Zone]:
    seat = hand.order[position]
    known = seat == viewer or (hand.shown and hand.live[position])
    down = hand.down[position]
    found = [Zone(seat, HAND, tuple(down) if known else face_down(len(down)))]
    if hand.up[position]:
        found.append(Zone(seat, UP, tuple(hand.up[position])))
    return found


def _seat(hand: "PokerRound", position: int) -> SeatView:
    status = "folded" if not hand.live[position] else "in" if hand.stacks[position] else "all_in"
    return SeatView(hand.order[position], hand.stacks[position], hand.paid[position], status)


def _facts(hand: "PokerRound", by_seat: list[int], viewer: int | None) -> dict[str, Any]:
    """Return the amount to call, each seat's total and, once there are any, exchanged cards and who chose a card."""
    seats = [(str(hand.order[position]), position) for position in by_seat]
    found: dict[str, Any] = {"price": hand.to_call, "totals": {seat: hand.totals[position] for seat, position in seats}}
    if hand.drawn:
        found["drawn"] = {seat: hand.drawn[position] for seat, position in seats if hand.drawn[position] >= 0}
    if hand.chosen:
        found["chosen"] = [hand.order[position] for position in by_seat if position in hand.chosen]
        found["exposes"] = next(
            (card for position, card in hand.chosen.items() if hand.order[position] == viewer), None
        )
    return found if hand.outcome is None else {**found, **hand.outcome.facts}
