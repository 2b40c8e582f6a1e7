"""Trick games: follow suit, beat where that is cheap and no partner wins, else throw the weakest; bid on long suits."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from services.players.seen import Priced, Seen
from services.players.strategies import common
from services.rules import actions
from services.rules.cards import HIDDEN, JOKERS, Card
from services.rules.chance import Rng
from services.rules.offers import Between, OneOf, SomeOf
from services.rules.ranking.tricks import ACE_OF_SPADES, Ladder
from services.rules.tricks.game import TrickGame

HIGH: Final = 9
"""Place from which a card is led to win: the jack of a plain ladder."""
BID_WEIGHT: Final = 3
"""Suit length and high cards of the hand from which it is bid."""


def choose(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose an action of a trick game."""
    play = seen.find("play")
    if play is not None:
        return _play(seen, play, rng)
    if "bid" in seen.names:
        return _bid(seen)
    return _exchange(seen) or _stay(seen, rng) or common.plain(seen, "pass")


def _exchange(seen: Seen) -> actions.Action | None:
    """Rob the turned card for the weakest one, or name the strongest card that another holds."""
    hand, trump = seen.own(), seen.trump
    option = seen.find("rob")
    if option is not None and isinstance(able := option.option.arguments.get("discard"), OneOf):
        return actions.Rob(_ladder(seen).weakest([str(card) for card in able.values], trump))
    named = seen.find("name_adjutant")
    if named is not None and isinstance(able := named.option.arguments.get("card"), OneOf):
        return actions.NameAdjutant(_strongest([str(card) for card in able.values if card not in hand], seen, trump))
    return None


def _stay(seen: Seen, rng: Rng) -> actions.Action | None:
    """Stay in with a trump, exchange a weak hand."""
    hand, trump = seen.own(), seen.trump
    trumps = sum(card[1] == trump for card in hand)
    if "support" in seen.names:
        return common.plain(seen, "support" if trumps or rng.randrange(2) else "fold")
    if "exchange" in seen.names:
        weak = max(map(common.height, hand), default=0) < HIGH and not trumps
        return common.plain(seen, "exchange" if weak and rng.randrange(2) else "pass")
    return None


def _ladder(seen: Seen) -> Ladder:
    ladder: Ladder = common.game_of(seen, TrickGame).round_type.ladder
    return ladder


def _play(seen: Seen, option: Priced, rng: Rng) -> actions.Action:
    able = option.option.arguments["cards"]
    assert isinstance(able, SomeOf), "cards are some of the own ones"
    lying = [(spread.owner, card) for spread in seen.spreads if spread.name == "trick" for card in spread.cards]
    played = {card: owner for owner, card in lying if card != HIDDEN}
    ladder, trump = _ladder(seen), seen.trump
    card = chosen(list(able.cards), list(played), ladder, trump)
    if played and seen.sides:
        led = ladder.suit(next(iter(played)), trump)
        best = max(played, key=lambda one: ladder.strength(one, led, trump))
        if seen.sides.get(played[best] or 0) == seen.sides[seen.seat]:
            card = ladder.weakest(able.cards, trump)
    more = {
        name: values.values[rng.randrange(len(values.values))]
        for name, values in option.option.arguments.items()
        if isinstance(values, OneOf)
    }
    return actions.build("play", {"cards": (card,), **more})


def chosen(able: list[Card], played: Sequence[Card], ladder: Ladder, trump: str | None) -> Card:
    """Return the card to play: the cheapest that wins, the weakest where none does, a high one to lead."""
    if not played:
        best = max(able, key=lambda card: ladder.strength(card, card[1], trump))
        return best if ladder.place(best, trump) >= HIGH else ladder.weakest(able, trump)
    led = ladder.suit(played[0], trump)
    to_beat = max(ladder.strength(card, led, trump) for card in played)
    winning = [card for card in able if ladder.strength(card, led, trump) > to_beat]
    if winning:
        return min(winning, key=lambda card: ladder.strength(card, led, trump))
    return ladder.weakest(able, trump)


def _strongest(able: list[Card], seen: Seen, trump: str | None) -> Card:
    assert able, "there is a card that the seat does not hold"
    wanted = [card for card in (ACE_OF_SPADES, *JOKERS) if card in able]
    return wanted[0] if wanted else max(able, key=lambda card: _ladder(seen).strength(card, card[1], trump))


def _bid(seen: Seen) -> actions.Action | None:
    """Bid the least points on the longest suit, where it is long or high enough; else pass."""
    hand = seen.own()
    suits = Counter(card[1] for card in hand if card not in JOKERS)
    suit, length = suits.most_common(1)[0] if suits else ("", 0)
    strong = length + sum(common.height(card) >= HIGH for card in hand)
    if strong < min(BID_WEIGHT, len(hand)) and "pass" in seen.names:
        return actions.Pass()
    for option in seen.options:
        points, trump = option.option.arguments.get("points"), option.option.arguments.get("trump")
        if option.action == "bid" and isinstance(points, Between):
            if trump is None:
                return actions.Bid(points.least)
            if isinstance(trump, OneOf) and suit in trump.values:
                return actions.Bid(points.least, suit)
    return common.plain(seen, "pass") or actions.Pass()
