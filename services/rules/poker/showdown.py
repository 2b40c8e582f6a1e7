"""The end of a hand: the winners of each pot, and its record [poker 0.5]."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from services.rules.happenings import Happening, Noted, Shown
from services.rules.outcomes import Claim, Outcome, Part, Pot, Stake
from services.rules.poker import pots
from services.rules.poker.streets import HAND
from services.rules.ranking.ladder import HIGH, LOW
from services.rules.worth import spelled

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound


SHOWDOWN = "showdown"


class Compared(msgspec.Struct, frozen=True):
    """How the live hands compare: strength and name of each position's hand; empty where one live seat is left.

    ``low_ranks``, ``lows``: the same for the low half of divided pots; a position without a low hand is left out.
    """

    ranks: dict[int, int] = {}
    hands: dict[int, str] = {}
    low_ranks: dict[int, int] = {}
    lows: dict[int, str] = {}


def compare(hand: "PokerRound") -> Compared:
    """Rank all live hands."""
    positions = [position for position, live in enumerate(hand.live) if live]
    ranks = {position: hand.rank(position) for position in positions}
    hands = {position: hand.category(rank) for position, rank in ranks.items()}
    if not hand.divided:
        return Compared(ranks, hands)
    ladder = hand.ladders[1]
    strengths = {position: ladder.strength(hand.held(position), hand.board) for position in positions}
    low_ranks = {position: strength for position, strength in strengths.items() if strength is not None}
    return Compared(
        ranks, hands, low_ranks, {one: spelled(ladder.best(hand.held(one), hand.board)) for one in low_ranks}
    )


def show(hand: "PokerRound", compared: Compared, log: list[Happening]) -> None:
    """Note the cards and the hands of all live positions."""
    for position, name in compared.hands.items():
        seat = hand.order[position]
        low = {"low": compared.lows[position]} if position in compared.lows else {}
        log.append(Shown(seat, HAND, tuple(hand.down[position])))
        log.append(Noted(SHOWDOWN, seat, {"hand": name, **low}))


def outcome(hand: "PokerRound", compared: Compared, log: list[Happening]) -> Outcome:
    """Award every pot to the best hand among its contenders; equal hands share it.

    In a game with a low half each pot is divided by itself, unless none of its contenders has a low hand
    [omaha_hi_lo "Pays"].
    """
    order = hand.order
    claims: list[Claim] = []
    shared: list[Pot] = []
    winners: list[dict[str, list[int]]] = []
    for number, layer in enumerate(pots.layers(hand.paid, hand.live, hand.dead)):
        name = f"pot:{number}"
        claims += [Claim(seat, name, part, "pot") for seat, part in zip(order, layer.parts, strict=True) if part]
        pot = _awarded(order, layer, compared)
        shared.append(pot)
        winners.append(_winners(pot))
        log.append(Noted("pot", None, {"pot": number, "amount": layer.amount, **winners[-1]}))
    stakes = [
        Stake(seat, "pot", paid + back, paid)
        for seat, paid, back in zip(order, hand.paid, hand.returned, strict=True)
        if paid or back
    ]
    facts: dict[str, Any] = {
        "pots": [pot.amount for pot in shared],
        "winners": [found["winners"] for found in winners],
        "hands": {order[position]: name for position, name in compared.hands.items()},
    }
    if hand.divided:
        facts["low_winners"] = [found.get("low_winners", []) for found in winners]
        facts["lows"] = {order[position]: name for position, name in compared.lows.items()}
    return Outcome(
        claims=tuple(claims),
        pots=tuple(shared),
        saw_flop=hand.saw_flop(),
        stakes=tuple(stakes),
        facts={**facts, **hand.facts()},
        memory=hand.remember(),
        button=hand.button,
    )


def _awarded(order: Sequence[int], layer: pots.Layer, compared: Compared) -> Pot:
    """Return a pot with its winners, closest to the left of the button first."""
    best = _best(layer.contenders, compared.ranks)
    with_low = [position for position in layer.contenders if position in compared.low_ranks]
    if not with_low:
        return Pot(layer.amount, _seats(order, best))
    lowest = _best(with_low, compared.low_ranks)
    both = [position for position in layer.contenders if position in best or position in lowest]
    halves = (Part(HIGH, _seats(order, best)), Part(LOW, _seats(order, lowest)))
    return Pot(layer.amount, _seats(order, both), halves)


def _seats(order: Sequence[int], positions: Iterable[int]) -> tuple[int, ...]:
    return tuple([order[position] for position in positions])


def _winners(pot: Pot) -> dict[str, list[int]]:
    """Return the winners of a pot, of a divided one those of each half, in seat order."""
    if not pot.parts:
        return {"winners": sorted(pot.winners)}
    high, low = pot.parts
    return {"winners": sorted(high.winners), "low_winners": sorted(low.winners)}


def _best(contenders: Sequence[int], ranks: dict[int, int]) -> Sequence[int]:
    """Return the positions with the best hand, closest to the left of the button first."""
    if len(contenders) == 1:
        return contenders
    best = max([ranks[position] for position in contenders])
    return [position for position in contenders if ranks[position] == best]
