"""The end of a hand: the winners of each pot, and its record [poker 0.5]."""

from typing import TYPE_CHECKING

from services.rules.happenings import Happening, Noted
from services.rules.outcomes import Claim, Outcome, Pot, Stake
from services.rules.poker import pots

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound


def outcome(hand: "PokerRound", ranks: dict[int, int], hands: dict[int, str], log: list[Happening]) -> Outcome:
    """Award every pot to the best hand among its contenders; equal hands share it.

    ``ranks`` and ``hands``: strength and category of the live positions; both empty where one live seat is left.
    """
    order = hand.order
    claims: list[Claim] = []
    shared: list[Pot] = []
    amounts: list[int] = []
    takers: list[list[int]] = []
    for number, layer in enumerate(pots.layers(hand.paid, hand.live)):
        name = f"pot:{number}"
        claims += [Claim(seat, name, part, "pot") for seat, part in zip(order, layer.parts, strict=True) if part]
        winners = [order[position] for position in _best(layer.contenders, ranks)]
        shared.append(Pot(layer.amount, tuple(winners)))
        winners.sort()
        amounts.append(layer.amount)
        takers.append(winners)
        log.append(Noted("pot", None, {"pot": number, "amount": layer.amount, "winners": list(winners)}))
    stakes = [
        Stake(seat, "pot", paid + back, paid)
        for seat, paid, back in zip(order, hand.paid, hand.returned, strict=True)
        if paid or back
    ]
    return Outcome(
        claims=tuple(claims),
        pots=tuple(shared),
        saw_flop=hand.saw_flop(),
        stakes=tuple(stakes),
        facts={
            "pots": amounts,
            "winners": takers,
            "hands": {order[position]: name for position, name in hands.items()},
            **hand.facts(),
        },
        button=hand.button,
    )


def _best(contenders: tuple[int, ...], ranks: dict[int, int]) -> tuple[int, ...]:
    """Return the positions with the best hand, closest to the left of the button first."""
    if len(contenders) == 1:
        return contenders
    best = max([ranks[position] for position in contenders])
    return tuple([position for position in contenders if ranks[position] == best])
