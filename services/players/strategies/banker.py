"""Games against a bank: small bets, and hands that are played by the strategies that the games' returns rest on."""

from typing import Final

from services.players.seen import Priced, Seen
from services.players.strategies import common, showdown
from services.rules import actions
from services.rules.banker.family import BankerGame
from services.rules.cards import PACK_52
from services.rules.chance import Rng
from services.rules.offers import Between, OneOf
from services.rules.ranking import four_knives

CENT: Final = 100
BETS_AGAIN: Final = 30
"""Per cent of the windows in which a house player that has bet on one spot bets on another."""
TAKES_THE_BANK: Final = 40
"""Per cent of the rounds in which it asks for the bank."""
WIDE_GATE: Final = 5
"""Ranks between two gate posts from which it bets on the card between them."""


def choose(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose an action of a game against a bank."""
    return (
        _hand(seen)
        or _gate(seen, rng)
        or showdown.multiple(seen, rng)
        or _spots(seen, rng)
        or _bet(seen, rng)
        or _bank(seen, rng)
        or common.plain(seen, "reveal", "done", "pass")
    )


def _hand(seen: Seen) -> actions.Action | None:
    """Play a hand: split, take another card or stand, call or fold, or lay two piles."""
    if seen.find("split") is not None:
        return actions.Split()
    if seen.names & {"hit", "stand"}:
        return (
            actions.Stand()
            if "stand" in seen.names and common.game_of(seen, BankerGame).stands(seen.own())
            else common.plain(seen, "hit", "stand")
        )
    if seen.names >= {"call", "fold"}:
        calls = common.game_of(seen, BankerGame).calls(seen.cards("player"), seen.cards("board"))
        return actions.Call() if calls else actions.Fold()
    if seen.find("arrange") is not None:
        low, high = four_knives.house_way(seen.own())
        return actions.Arrange(tuple(low), tuple(high))
    return None


def _gate(seen: Seen, rng: Rng) -> actions.Action | None:
    """Bet on a wide gate, and guess the side on which more cards lie."""
    posts = [1 + "A23456789TJQK".index(card[0]) for card in seen.own("gate")]
    guess = seen.find("guess")
    if guess is not None and posts:
        higher = posts[0] <= len(PACK_52) // 8
        return actions.Guess("higher" if higher else "lower")
    if len(posts) < 2 or "bet" not in seen.names:  # noqa: PLR2004 - a gate has two posts
        return None
    wide = abs(posts[0] - posts[1]) > WIDE_GATE
    return (_bet(seen, rng) if wide else None) or common.plain(seen, "pass") or _bet(seen, rng)


def _spots(seen: Seen, rng: Rng) -> actions.Action | None:
    """Bet on a spot where none was bet on, sometimes on a second one; then end the own betting."""
    spots = [option for option in seen.options if option.action == "place_bet"]
    if not spots:
        return None
    if seen.stakes.get(seen.seat) and "done" in seen.names and rng.randrange(CENT) >= BETS_AGAIN:
        return actions.Done()
    option = min(spots, key=lambda one: (not _is_first(one), one.cost))
    spot, amount = option.option.arguments["spot"], option.option.arguments["amount"]
    assert isinstance(spot, OneOf), "spots are listed"
    assert isinstance(amount, Between), "an amount is a range"
    return actions.PlaceBet(str(spot.values[rng.randrange(len(spot.values))]), common.small(amount, rng))


def _is_first(option: Priced) -> bool:
    """Return whether a spot is the one without which the others are lost."""
    spot = option.option.arguments["spot"]
    return isinstance(spot, OneOf) and "ante" in spot.values


def _bet(seen: Seen, rng: Rng) -> actions.Action | None:
    option = seen.find("bet")
    amount = option.option.arguments["amount"] if option is not None else None
    return actions.Bet(common.small(amount, rng)) if isinstance(amount, Between) else None


def _bank(seen: Seen, rng: Rng) -> actions.Action | None:
    if "bid_banker" not in seen.names:
        return None
    return actions.BidBanker() if rng.randrange(CENT) < TAKES_THE_BANK else common.plain(seen, "pass")
