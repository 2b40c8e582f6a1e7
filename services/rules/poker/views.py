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
    zones = [zone for place in by_seat for zone in _zones(hand, place, viewer)]
    if hand.board:
        zones.append(Zone(None, BOARD, tuple(hand.board)))
    settled = [paid - total for paid, total in zip(hand.paid, hand.totals, strict=True)]
    return View(
        phase=ENDED if hand.outcome is not None else hand.streets[hand.step].title,
        button=hand.button,
        seats=tuple(_seat(hand, place) for place in by_seat),
        zones=tuple(zones),
        pots=tuple(layer.amount for layer in pots.layers(settled, hand.live)),
        facts=_facts(hand, by_seat, viewer),
    )


def _zones(hand: "PokerRound", place: int, viewer: int | None) -> list[Zone]:
    seat = hand.order[place]
    known = seat == viewer or (hand.shown and hand.live[place])
    down = hand.down[place]
    found = [Zone(seat, HAND, tuple(down) if known else face_down(len(down)))]
    if hand.up[place]:
        found.append(Zone(seat, UP, tuple(hand.up[place])))
    return found


def _seat(hand: "PokerRound", place: int) -> SeatView:
    status = "folded" if not hand.live[place] else "in" if hand.stacks[place] else "all_in"
    return SeatView(hand.order[place], hand.stacks[place], hand.paid[place], status)


def _facts(hand: "PokerRound", by_seat: list[int], viewer: int | None) -> dict[str, Any]:
    """Give the price and each seat's total and, once there are any, its exchanged cards and who chose a card."""
    seats = [(str(hand.order[place]), place) for place in by_seat]
    found: dict[str, Any] = {"price": hand.price, "totals": {seat: hand.totals[place] for seat, place in seats}}
    if hand.drawn:
        found["drawn"] = {seat: hand.drawn[place] for seat, place in seats if hand.drawn[place] >= 0}
    if hand.chosen:
        found["chosen"] = [hand.order[place] for place in by_seat if place in hand.chosen]
        found["exposes"] = next((card for place, card in hand.chosen.items() if hand.order[place] == viewer), None)
    return found if hand.outcome is None else {**found, **hand.outcome.facts}
