"""What the strategies of all families share."""

from collections.abc import Sequence
from typing import Any, TypeVar

from services.players.seen import Priced, Seen
from services.rules import actions, catalogue, random_play
from services.rules.cards import RANKS, Card
from services.rules.chance import Rng
from services.rules.game import Game
from services.rules.offers import Between

GameT = TypeVar("GameT", bound=Game[Any, Any])

BET_STEPS = 4
"""Most times the least bet that a house player puts on one spot."""


def game_of(seen: Seen, kind: type[GameT]) -> GameT:
    """Return the game that is played, which must be of a kind."""
    game = catalogue.nearest(seen.game, seen.rules_version)
    assert isinstance(game, kind), f"{seen.game} is not a {kind.__name__}"
    return game


def share(rng: Rng) -> float:
    """Return a number from 0 to below 1."""
    return rng.randrange(1 << 30) / (1 << 30)


def sampled(option: Priced, rng: Rng) -> actions.Action:
    """Return the option's action with arguments at random."""
    return random_play.sample([option.option], rng)


def plain(seen: Seen, *wanted: str) -> actions.Action | None:
    """Return the first of these actions that is offered and takes no arguments."""
    for name in wanted:
        found = seen.find(name)
        if found is not None and not found.option.arguments:
            return actions.build(name, {})
    return None


def small(choice: Between, rng: Rng) -> int:
    """Return the least amount of a range, or a few times as much."""
    return min(choice.most, choice.least * (1 + rng.randrange(BET_STEPS)))


def height(card: Card) -> int:
    """Return a card's rank from 0 (deuce) to 12 (ace); a joker is above, a tile counts its number."""
    return RANKS.index(card[0]) if card[0] in RANKS else len(RANKS)


def lowest(cards: Sequence[Card]) -> Card:
    """Return the card of the lowest rank."""
    return min(cards, key=height)
