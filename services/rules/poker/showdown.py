"""The end of a hand: the winners of each pot, and its record [poker 0.5]."""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from services.rules.cards import Card
from services.rules.happenings import Happening, Noted, Shown
from services.rules.outcomes import BOARDS, Claim, Outcome, Part, Pot, Stake
from services.rules.poker import boards, pots
from services.rules.poker.streets import HAND
from services.rules.ranking.ladder import HIGH, LOW
from services.rules.worth import spelled

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound


SHOWDOWN = "showdown"
_PREFIXES: Final = ("", "second_")
"""What the names of facts begin with, for each board."""
_SHOWN: Final = (("hand", "low"), ("second_hand", "second_low"))
"""The names of a seat's hand and low hand, for each board."""


class Compared(msgspec.Struct, frozen=True):
    """How the live hands compare: strength and name of each position's hand; empty where one live seat is left.

    ``low_ranks``, ``lows``: the same for the low half of divided pots; a position without a low hand is left out.
    """

    ranks: dict[int, int] = {}
    hands: dict[int, str] = {}
    low_ranks: dict[int, int] = {}
    lows: dict[int, str] = {}


NOT_COMPARED: Final = (Compared(),)
"""What stands for a comparison where one live seat is left."""


def compare(hand: "PokerRound", table: Sequence[Card]) -> Compared:
    """Rank all live hands with the cards of a table."""
    positions = [position for position, live in enumerate(hand.live) if live]
    ranks = {position: hand.rank(position, table) for position in positions}
    hands = {position: hand.category(rank) for position, rank in ranks.items()}
    if not _divided(hand):
        return Compared(ranks, hands)
    ladder = hand.ladders[1]
    strengths = {position: ladder.strength(hand.held(position), table) for position in positions}
    low_ranks = {position: strength for position, strength in strengths.items() if strength is not None}
    lows = {position: spelled(ladder.best(hand.held(position), table)) for position in low_ranks}
    return Compared(ranks, hands, low_ranks, lows)


def show(hand: "PokerRound", compared: Sequence[Compared], log: list[Happening]) -> None:
    """Note the cards and the hands of all live positions that are shown."""
    for position in compared[0].hands:
        if position not in hand.mucked:
            _show(hand, compared, position, log)


def _show(hand: "PokerRound", compared: Sequence[Compared], position: int, log: list[Happening]) -> None:
    seat = hand.order[position]
    named: dict[str, str] = {}
    for (name, low), one in zip(_SHOWN, compared, strict=False):
        named[name] = one.hands[position]
        if position in one.lows:
            named[low] = one.lows[position]
    log.append(Shown(seat, HAND, tuple(hand.down[position])))
    log.append(Noted(SHOWDOWN, seat, named))


def reveal(hand: "PokerRound", position: int, log: list[Happening]) -> None:
    """Show a hand that need not be shown; a compared one is named, and joins the facts of the ending."""
    if hand.live.count(True) == 1:
        log.append(Shown(hand.order[position], HAND, tuple(hand.down[position])))
        return
    assert hand.ending is not None, "seats choose once the result is certain"
    compared = [compare(hand, table) for table in hand.tables()]
    _show(hand, compared, position, log)
    facts = {**hand.ending.facts, **_named(hand, compared)}
    hand.ending = msgspec.structs.replace(hand.ending, facts=facts)


def winning_positions(hand: "PokerRound", compared: Sequence[Compared]) -> set[int]:
    """Return the positions that win a part of a pot."""
    layers = pots.layers(hand.paid, hand.live, hand.dead)
    return {hand.order.index(seat) for layer in layers for seat in _awarded(hand.order, layer, compared).winners}


def outcome(hand: "PokerRound", compared: Sequence[Compared], log: list[Happening]) -> Outcome:
    """Award every pot to the best hand among its contenders; equal hands share it.

    In a game with a low half each pot is divided by itself, unless none of its contenders has a low hand
    [omaha_hi_lo "Pays"]. Where the board was run twice, ``compared`` has a second entry, and each pot is divided
    between the boards first [poker 0.16].
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
    return Outcome(
        claims=tuple(claims),
        pots=tuple(shared),
        saw_flop=boards.saw_flop(hand),
        stakes=tuple(stakes),
        facts={"pots": [pot.amount for pot in shared], **_facts(hand, compared, winners), **hand.facts()},
        memory=hand.remember(),
        button=hand.button,
    )


def _divided(hand: "PokerRound") -> bool:
    """Return whether pots are divided into a high and a low half."""
    return len(hand.ladders) > 1


def _facts(hand: "PokerRound", compared: Sequence[Compared], winners: Sequence[dict[str, list[int]]]) -> dict[str, Any]:
    """Return the winners of each pot and the hands of each board."""
    if len(compared) == len(hand.ladders) == 1:
        return {"winners": [found["winners"] for found in winners], "hands": _of_shown(hand, compared[0].hands)}
    facts: dict[str, Any] = {}
    for prefix, one in zip(_PREFIXES, compared, strict=False):
        facts[f"{prefix}winners"] = [found[f"{prefix}winners"] for found in winners]
        facts[f"{prefix}hands"] = _of_shown(hand, one.hands)
        if _divided(hand):
            facts[f"{prefix}low_winners"] = [found.get(f"{prefix}low_winners", []) for found in winners]
            facts[f"{prefix}lows"] = _of_shown(hand, one.lows)
    return facts


def _named(hand: "PokerRound", compared: Sequence[Compared]) -> dict[str, Any]:
    """Return the names of the hands that were shown, of each board."""
    found: dict[str, Any] = {}
    for prefix, one in zip(_PREFIXES, compared, strict=False):
        found |= _named_with(hand, prefix, one)
    return found


def _named_with(hand: "PokerRound", prefix: str, compared: Compared) -> dict[str, dict[int, str]]:
    named = {f"{prefix}hands": _of_shown(hand, compared.hands)}
    if _divided(hand):
        named[f"{prefix}lows"] = _of_shown(hand, compared.lows)
    return named


def _of_shown(hand: "PokerRound", names: dict[int, str]) -> dict[int, str]:
    """Return the names of hands by seat, but for hands that stay hidden."""
    order, mucked = hand.order, hand.mucked
    return {order[position]: name for position, name in names.items() if position not in mucked}


def _awarded(order: Sequence[int], layer: pots.Layer, compared: Sequence[Compared]) -> Pot:
    """Return a pot with its winners, closest to the left of the button first."""
    first = compared[0]
    if len(compared) == 1 and not first.low_ranks:
        return Pot(layer.amount, tuple([order[position] for position in _best(layer.contenders, first.ranks)]))
    boards = [_won(order, layer, one) for one in compared]
    if len(boards) == 1:
        return Pot(layer.amount, boards[0].winners, boards[0].parts)
    named = tuple(Part(name, one.winners, one.parts) for name, one in zip(BOARDS, boards, strict=True))
    return Pot(layer.amount, _together(order, layer, [seat for one in boards for seat in one.winners]), named)


def _won(order: Sequence[int], layer: pots.Layer, compared: Compared) -> Part:
    """Return who wins a pot, or one board's half of it."""
    best = _best(layer.contenders, compared.ranks)
    with_low = [position for position in layer.contenders if position in compared.low_ranks]
    if not with_low:
        return Part("", _seats(order, best))
    lowest = _best(with_low, compared.low_ranks)
    halves = (Part(HIGH, _seats(order, best)), Part(LOW, _seats(order, lowest)))
    return Part("", _together(order, layer, [seat for half in halves for seat in half.winners]), halves)


def _together(order: Sequence[int], layer: pots.Layer, seats: Collection[int]) -> tuple[int, ...]:
    return tuple([seat for seat in _seats(order, layer.contenders) if seat in seats])


def _seats(order: Sequence[int], positions: Iterable[int]) -> tuple[int, ...]:
    return tuple([order[position] for position in positions])


def _winners(pot: Pot) -> dict[str, list[int]]:
    """Return the winners of a pot in seat order, of a divided one those of each part."""
    if not pot.parts:
        return {"winners": sorted(pot.winners)}
    if pot.parts[0].name == HIGH:
        return _halves("", pot)
    found: dict[str, list[int]] = {}
    for prefix, part in zip(_PREFIXES, pot.parts, strict=True):
        found |= _halves(prefix, part)
    return found


def _halves(prefix: str, part: Pot | Part) -> dict[str, list[int]]:
    if not part.parts:
        return {f"{prefix}winners": sorted(part.winners)}
    high, low = part.parts
    return {f"{prefix}winners": sorted(high.winners), f"{prefix}low_winners": sorted(low.winners)}


def _best(contenders: Sequence[int], ranks: dict[int, int]) -> Sequence[int]:
    """Return the positions with the best hand, closest to the left of the button first."""
    if len(contenders) == 1:
        return contenders
    best = max([ranks[position] for position in contenders])
    return [position for position in contenders if ranks[position] == best]
