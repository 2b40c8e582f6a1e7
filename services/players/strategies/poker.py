"""Poker: the chance to win, by dealing the unseen cards a number of times, against the price of a call.

A strong hand raises, a fair one calls where the pot offers enough, a weak one checks or folds; now and then one bluffs.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from services.players.seen import Seen
from services.players.strategies import common
from services.rules import actions
from services.rules.cards import HIDDEN, Card
from services.rules.chance import Rng
from services.rules.offers import HALF_POT, MIN, POT, Between, OneOf, SomeOf
from services.rules.poker.game import PokerGame
from services.rules.ranking import five_cards

DEALS: Final = 60
"""How often the unseen cards are dealt for one decision."""
MOST_RIVALS: Final = 3
"""Rivals whose cards are dealt; further ones hardly change the choice."""
STRONG, GOOD, FAIR = 0.75, 0.58, 0.45
"""Chances to win from which a hand is raised, bet, and kept in front of a small bet."""
BLUFF: Final = 0.06
KEPT_SUITED: Final = 4

Cards = Sequence[Card]


def choose(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose an action of a hand of poker."""
    draw, expose = seen.find("draw"), seen.find("expose")
    if draw is not None:
        cards = draw.option.arguments["discards"]
        assert isinstance(cards, SomeOf), "discards are some of the own cards"
        return actions.Draw(_discarded(seen, cards.most))
    if expose is not None:
        able = expose.option.arguments["card"]
        assert isinstance(able, OneOf), "one of the down cards is turned up"
        return actions.Expose(common.lowest([str(card) for card in able.values]))
    answers = common.plain(seen, "run_twice", "muck")
    if answers is not None:
        return answers
    return _bet(seen, chance_to_win(seen, rng), rng)


def chance_to_win(seen: Seen, rng: Rng) -> float:
    """Return how often the own hand wins if the unseen cards are dealt at random; a tie counts half."""
    game = common.game_of(seen, PokerGame)
    own_cards, table_cards, low_ladder = game.own_cards(), game.table_cards(), game.low
    table, own = seen.cards("board"), (*seen.own(), *seen.own("up"))
    rivals = _rivals(seen)[:MOST_RIVALS]
    if not rivals:
        return 1.0
    known = {*table, *own, *(card for rival in rivals for card in rival)}
    rest = [card for card in game.pack if card not in known]
    missing = sum(own_cards - len(hand) for hand in (own, *rivals)) + table_cards - len(table)
    won = 0.0
    for _ in range(DEALS):
        unseen = _some(rest, missing, rng)
        whole = (*table, *(unseen.pop() for _ in range(table_cards - len(table))))
        hands = [(*hand, *(unseen.pop() for _ in range(own_cards - len(hand)))) for hand in (own, *rivals)]
        share = _share([game.strength(hand, whole) for hand in hands])
        low = [low_ladder.strength(hand, whole) or 0 for hand in hands] if low_ladder else []
        won += (share + _share(low)) / 2 if any(low) else share
    return won / DEALS


def _share(worths: Sequence[int]) -> float:
    """Return what the first hand wins: all, half for a tie, or nothing."""
    mine, best = worths[0], max(worths[1:])
    return 1.0 if mine > best else 0.5 if mine == best and mine else 0.0


def _rivals(seen: Seen) -> list[tuple[Card, ...]]:
    """Return the cards that are seen of each rival who is still in."""
    there = [seat for seat, status in seen.statuses.items() if seat != seen.seat and status in ("in", "all_in")]
    return [
        tuple(
            card
            for spread in seen.spreads
            if spread.owner == seat and spread.name in ("hand", "up")
            for card in spread.cards
            if card != HIDDEN
        )
        for seat in there
    ]


def _some(rest: Cards, count: int, rng: Rng) -> list[Card]:
    pack = list(rest)
    return [pack.pop(rng.randrange(len(pack))) for _ in range(min(count, len(pack)))]


def _bet(seen: Seen, chance: float, rng: Rng) -> actions.Action | None:
    """Choose what to put in with a chance to win."""
    call = seen.find("call") or seen.find("bring_in") or (None if "check" in seen.names else seen.find("all_in"))
    bluffs = common.share(rng) < BLUFF
    if "check" in seen.names or call is None:
        if chance >= GOOD or bluffs or "check" not in seen.names:
            found = _raised(seen, chance, rng)
            if found is not None and (chance >= FAIR or bluffs or "fold" not in seen.names or "check" in seen.names):
                return found
        return common.plain(seen, "check", "fold", "all_in")
    if call.action != "all_in" and (chance >= STRONG or (bluffs and chance < FAIR)):
        found = _raised(seen, chance, rng)
        if found is not None and common.share(rng) < STRONG:
            return found
    price = call.cost / max(1, seen.pot + call.cost)
    small = call.cost <= 2 * seen.stake and chance >= FAIR * 2 / max(2, len(_rivals(seen)) + 1)
    if chance > price or small:
        return common.plain(seen, call.action)
    return common.plain(seen, "fold", call.action)


def _raised(seen: Seen, chance: float, rng: Rng) -> actions.Action | None:
    """Return a bet or raise of a suggested size."""
    for name, argument in (("raise", "to"), ("bet", "amount")):
        option = seen.find(name)
        if option is None:
            continue
        able = option.option.arguments[argument]
        assert isinstance(able, Between), "an amount is a range"
        word = POT if chance >= STRONG and rng.randrange(2) else HALF_POT if rng.randrange(2) else MIN
        amount = option.suggested.get(word, able.least)
        return actions.build(name, {argument: max(able.least, min(able.most, amount))})
    return None


def _discarded(seen: Seen, most: int) -> tuple[Card, ...]:
    hand = seen.own()
    kept = common.game_of(seen, PokerGame).kept(hand, most)
    return discards(hand, most) if kept is None else tuple(card for card in hand if card not in kept)


def discards(hand: Cards, most: int) -> tuple[Card, ...]:
    """Return the cards to exchange: all beside pairs and better, the odd one of four of a suit, else the low ones."""
    counts = Counter(card[0] for card in hand)
    suits = Counter(card[1] for card in hand)
    suit, suited = suits.most_common(1)[0]
    if five_cards.plain(hand) >= five_cards.FLOORS[five_cards.CATEGORIES.index(five_cards.STRAIGHT)]:
        return ()
    if max(counts.values()) > 1:
        away = [card for card in hand if counts[card[0]] == 1]
    elif suited == KEPT_SUITED:
        away = [card for card in hand if card[1] != suit]
    else:
        away = sorted(hand, key=common.height)[:-2]
    return tuple(sorted(away, key=common.height)[:most])
