"""Main pot and side pots [poker 0.5]."""

from collections.abc import Sequence

import msgspec


class Layer(msgspec.Struct, frozen=True, gc=False):
    """One pot: its chips, what each position paid into it, and the positions that may win it."""

    amount: int
    parts: tuple[int, ...]
    contenders: tuple[int, ...]


def layers(paid: Sequence[int], live: Sequence[bool], dead: Sequence[int] = ()) -> list[Layer]:
    """Divide what the positions paid into pots, main pot first; no chips, no pots.

    ``paid`` holds the chips of each position after uncalled ones went back, ``live`` whether it may win. Levels are
    the different amounts that live positions paid, so two neighbouring pots never have the same contenders. ``dead``:
    the part of each payment that makes no level and goes into the main pot whole [poker 0.12].
    """
    return _with_dead(paid, live, dead) if any(dead) else _by_level(paid, live)


def _with_dead(paid: Sequence[int], live: Sequence[bool], dead: Sequence[int]) -> list[Layer]:
    staked = [whole - part for whole, part in zip(paid, dead, strict=True)]
    winners = tuple([position for position, may_win in enumerate(live) if may_win])
    first = Layer(sum(dead), tuple(dead), winners)
    made = _by_level(staked, live)
    if not made or made[0].contenders != first.contenders:
        return [first, *made]
    main = made[0]
    parts = tuple([part + more for part, more in zip(main.parts, dead, strict=True)])
    return [Layer(main.amount + first.amount, parts, winners), *made[1:]]


def _by_level(paid: Sequence[int], live: Sequence[bool]) -> list[Layer]:
    if live.count(True) == 1:
        winner = live.index(True)
        assert paid[winner] == max(paid), f"chips of {list(paid)} belong to no pot ({list(live)})"
        total = sum(paid)
        return [Layer(total, tuple(paid), (winner,))] if total else []
    levels = sorted({amount for amount, may_win in zip(paid, live, strict=True) if may_win and amount})
    made: list[Layer] = []
    below = 0
    for level in levels:
        whole = level - below
        parts = tuple([whole if amount >= level else amount - below if amount > below else 0 for amount in paid])
        contenders = tuple([position for position, amount in enumerate(paid) if amount >= level and live[position]])
        made.append(Layer(sum(parts), parts, contenders))
        below = level
    assert sum(layer.amount for layer in made) == sum(paid), f"chips of {list(paid)} belong to no pot ({list(live)})"
    return made
