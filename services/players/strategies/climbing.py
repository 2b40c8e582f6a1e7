"""Climbing games: bid on a strong hand, shed long combinations and low cards first, keep bombs for the end."""

from typing import Final

from services.players.seen import Seen
from services.players.strategies import common
from services.rules import actions
from services.rules.cards import JOKERS, Card
from services.rules.chance import Rng
from services.rules.offers import OneOf, Sets
from services.rules.ranking import dou_dizhu

FEW_CARDS: Final = 6
"""Cards of a rival from which on bombs are played."""
HIGH: Final = dou_dizhu.LADDER.index("A")
PASSES_TO_FELLOW: Final = 0.8
TOP_BID, LOW_BID = 7, 4
"""Weight of a hand from which the highest, and the lowest, bid is made."""


def choose(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose an action of a climbing game."""
    bid = seen.find("bid")
    if bid is not None:
        points = bid.option.arguments["points"]
        assert isinstance(points, OneOf), "bids are listed"
        return _bid([int(value) for value in points.values], weight(seen.own()), seen)
    play = seen.find("play")
    if play is None:
        return _other(seen, rng)
    cards = play.option.arguments["cards"]
    assert isinstance(cards, Sets), "combinations are listed"
    return _play(seen, cards.sets, rng)


def weight(hand: tuple[Card, ...]) -> int:
    """Return how strong a hand is: jokers, twos, aces and bombs."""
    counts = dou_dizhu.tally(hand)
    return (
        3 * sum(card in JOKERS for card in hand)
        + 2 * counts[dou_dizhu.LADDER.index("2")]
        + counts[HIGH]
        + 3 * sum(count == dou_dizhu.SHAPES[dou_dizhu.BOMB].width for count in counts)
    )


def _bid(able: list[int], strength: int, seen: Seen) -> actions.Action:
    wanted = max(able) if strength >= TOP_BID else min([bid for bid in able if bid > 0] or [0])
    if strength < LOW_BID or wanted == 0:
        return actions.Pass() if "pass" in seen.names else actions.Bid(min(able))
    return actions.Bid(wanted)


def _other(seen: Seen, rng: Rng) -> actions.Action | None:
    if seen.names & {"call_landlord", "rob"} and weight(seen.own()) >= LOW_BID:
        return common.plain(seen, "call_landlord", "rob")
    return common.plain(seen, "pass") or (common.sampled(seen.options[0], rng) if seen.options else None)


def _play(seen: Seen, sets: tuple[tuple[Card, ...], ...], rng: Rng) -> actions.Action | None:
    bombs = [one for one in sets if _is_bomb(one)]
    others = [one for one in sets if not _is_bomb(one)]
    leads = "pass" not in seen.names
    if leads:
        return actions.Play(min(others or bombs, key=lambda one: (-len(one), _key(one))))
    if _fellow_leads(seen) and common.share(rng) < PASSES_TO_FELLOW:
        return actions.Pass()
    if others:
        best = min(others, key=_key)
        if _key(best) <= HIGH or len(seen.own()) <= 2 * FEW_CARDS or rng.randrange(2):
            return actions.Play(best)
    if bombs and (_fewest(seen) <= FEW_CARDS or len(seen.own()) <= FEW_CARDS):
        return actions.Play(min(bombs, key=_key))
    return actions.Pass()


def _key(cards: tuple[Card, ...]) -> int:
    return min(dou_dizhu.place(card) for card in cards)


def _is_bomb(cards: tuple[Card, ...]) -> bool:
    found = dou_dizhu.readings(cards, dou_dizhu.SHAPES)
    return any(one.kind in (dou_dizhu.BOMB, dou_dizhu.ROCKET) for one in found)


def _fellow_leads(seen: Seen) -> bool:
    """Return whether a farmer has played last, and the seat is a farmer too."""
    played = [spread.owner for spread in seen.spreads if spread.name == "played" and spread.cards]
    last = seen.statuses.get(played[-1] or 0, "") if played else ""
    return seen.statuses.get(seen.seat) == last == "farmer"


def _fewest(seen: Seen) -> int:
    return min((len(one.cards) for one in seen.spreads if one.name == "hand" and one.owner != seen.seat), default=0)
