"""What one viewer may see of a hand of poker."""

from typing import TYPE_CHECKING, Any

from services.rules import facts
from services.rules.cards import face_down
from services.rules.facts import Facts
from services.rules.outcomes import BOARDS
from services.rules.poker import pots
from services.rules.poker.streets import HAND, UP
from services.rules.views import Betting, SeatView, View, Zone

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

ENDED = "ended"


def view(hand: "PokerRound", viewer: int | None) -> View:
    """Show a hand to a seat of it, or to a spectator (None, or a seat that is not in it)."""
    by_seat = sorted(range(len(hand.order)), key=hand.order.__getitem__)
    zones = [zone for position in by_seat for zone in _zones(hand, position, viewer)]
    zones += [Zone(None, name, tuple(table)) for name, table in zip(BOARDS, hand.tables(), strict=False) if table]
    settled = [paid - total for paid, total in zip(hand.paid, hand.totals, strict=True)]
    return View(
        phase=ENDED if hand.outcome is not None else hand.current.title,
        button=hand.button,
        seats=tuple(_seat(hand, position) for position in by_seat),
        zones=tuple(zones),
        pots=tuple(layer.amount for layer in pots.layers(settled, hand.live, hand.dead)),
        facts=_facts(hand, viewer),
        betting=None if hand.outcome is not None or hand.to_show else _betting(hand),
    )


def _zones(hand: "PokerRound", position: int, viewer: int | None) -> list[Zone]:
    seat = hand.order[position]
    known = seat == viewer or (hand.shown and hand.live[position] and position not in hand.mucked)
    down = hand.down[position]
    found = [Zone(seat, HAND, tuple(down) if known else face_down(len(down)))]
    if hand.up[position]:
        found.append(Zone(seat, UP, tuple(hand.up[position])))
    return found


def _seat(hand: "PokerRound", position: int) -> SeatView:
    live, chips, bet = hand.live[position], hand.stacks[position], hand.totals[position]
    status = "folded" if not live else "in" if chips else "all_in"
    to_call = min(hand.to_call - bet, chips) if live else 0
    return SeatView(hand.order[position], chips, hand.paid[position], status, bet, to_call)


def _betting(hand: "PokerRound") -> Betting:
    return Betting(
        current_bet=hand.to_call,
        last_raise=hand.last_full_raise,
        least_raise_to=hand.full_raise(),
        total=sum(hand.paid),
    )


def _facts(hand: "PokerRound", viewer: int | None) -> Facts:
    """Return the case keys and, once there are any, exchanged cards and who has answered."""
    ending = hand.outcome or hand.ending
    if ending is not None:
        return facts.of("poker", ending.facts)
    found: dict[str, Any] = hand.facts()
    if hand.drawn:
        found["drawn"] = {seat: drawn for seat, drawn in zip(hand.order, hand.drawn, strict=True) if drawn >= 0}
    if hand.agreed and not hand.boards:
        found["chosen"] = sorted(hand.order[position] for position in hand.agreed)
    if hand.chosen:
        found["chosen"] = sorted(hand.order[position] for position in hand.chosen)
        found["exposes"] = next(
            (card for position, card in hand.chosen.items() if hand.order[position] == viewer), None
        )
    return facts.of("poker", found)
