"""Survival games: keep the total low, and call, slap or collect only what may be claimed."""

from typing import Final

from services.players.seen import Seen
from services.players.strategies import common
from services.rules import actions
from services.rules.cards import RANKS, Card
from services.rules.chance import Rng
from services.rules.offers import OneOf, Sets

COUNTED: Final = "A23456789TJQK"
"""The ranks as they are called when cards are counted off."""
SAFE_TOTAL: Final = 70
"""Total up to which plain cards are played and the others kept."""
SPECIAL: Final = "TJQK45"
"""Ranks that are worth keeping while the total is low."""


def choose(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose an action of a survival game; None: it is better to wait."""
    names = seen.names
    if "call_nickname" in names:
        return _call(seen)
    if "slap" in names:
        return _slap(seen)
    if "play" in names:
        return _shed(seen, rng)
    return common.plain(seen, "collect", "flip") or (common.sampled(seen.options[0], rng) if seen.options else None)


def _call(seen: Seen) -> actions.Action | None:
    """Call the seat whose top card has the rank of the own one."""
    tops = {one.owner: one.cards[-1] for one in seen.spreads if one.name == "pile" and one.cards}
    own = tops.get(seen.seat)
    for option in seen.options:
        target, flip = option.option.arguments.get("target"), option.option.arguments.get("flip")
        if own is None or not isinstance(target, OneOf):
            continue
        for seat in target.values:
            if tops.get(int(seat), "??")[0] == own[0]:
                number = int(flip.values[0]) if isinstance(flip, OneOf) else None
                return actions.CallNickname(int(seat), number)
    return None


def _slap(seen: Seen) -> actions.Action | None:
    """Slap when the card that shows has the rank that is called."""
    table = seen.cards("table")
    count = seen.count
    if not table or not count or table[-1][0] != COUNTED[(count - 1) % len(COUNTED)]:
        return None
    for option in seen.options:
        flip = option.option.arguments.get("flip")
        if option.action == "slap" and isinstance(flip, OneOf):
            return actions.Slap(int(flip.values[0]))
    return actions.Slap()


def _shed(seen: Seen, rng: Rng) -> actions.Action | None:
    """Play the highest plain card while the total is low, a special one later; take off where that is possible."""
    late = seen.count > SAFE_TOTAL
    best: tuple[tuple[int, int], actions.Action] | None = None
    for option in seen.options:
        cards, sign = option.option.arguments.get("cards"), option.option.arguments.get("sign")
        if not isinstance(cards, Sets):
            continue
        for one in cards.sets:
            rest = {name: values for name, values in option.option.arguments.items() if name not in ("cards", "sign")}
            word = str(sign.values[0]) if isinstance(sign, OneOf) else None
            nexts = rest.get("next")
            whom = int(nexts.values[rng.randrange(len(nexts.values))]) if isinstance(nexts, OneOf) else None
            value = _value(one, word, late=late)
            if best is None or value > best[0]:
                best = value, actions.Play(one, sign=word, next=whom)
    return best[1] if best else None


def _value(cards: tuple[Card, ...], sign: str | None, *, late: bool) -> tuple[int, int]:
    special = any(card[0] in SPECIAL or card[0] not in RANKS for card in cards)
    height = sum(common.height(card) for card in cards)
    if late:
        return (2 if sign == "minus" else int(special)), -height
    return int(not special) + int(sign == "plus"), height
