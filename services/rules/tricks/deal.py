"""The phases in which nobody decides: dealing hands, turning a card for trumps."""

from collections.abc import Sequence
from typing import Any

from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.happenings import Dealt, Happening, Noted, Shown
from services.rules.phases import Phase
from services.rules.tricks.round import TrickRound


class Deal(Phase[TrickRound[Any]], frozen=True):
    """Each seat gets ``each`` cards, face down, one at a time from the left of the button; 0: the whole stock."""

    each: int = 0

    def begin(self, round_: TrickRound[Any], chance: Chance, log: list[Happening]) -> bool:
        """Deal."""
        del chance  # the pack is shuffled
        log += deal(round_, self.each or len(round_.stock) // len(round_.order))
        return False


class Turn(Phase[TrickRound[Any]], frozen=True):
    """The top card of the stock is turned up: its suit is trumps."""

    def begin(self, round_: TrickRound[Any], chance: Chance, log: list[Happening]) -> bool:
        """Turn the card."""
        del chance  # the pack is shuffled
        log.append(turn(round_))
        return False


def deal(round_: TrickRound[Any], each: int) -> list[Dealt]:
    """Deal ``each`` new cards to every seat of a round."""
    round_.hands, record = hands(round_.stock, round_.order, each)
    return record


def show_last(round_: TrickRound[Any], log: list[Happening]) -> None:
    """Show the dealer's last card, which it takes back: its suit is trumps."""
    dealer = round_.order[-1]
    round_.turned = card = round_.hands[dealer][-1]
    round_.trump = card[1]
    log.append(Shown(owner=dealer, zone="hand", cards=(card,)))
    log.append(Noted("trump", facts={"trump": card[1]}))


def turn(round_: TrickRound[Any]) -> Dealt:
    """Turn up the top card of the stock."""
    stock = round_.stock
    position, round_.turned = stock.next, stock.deal()
    round_.trump = round_.turned[1]
    return Dealt(to=None, zone="turned", stock=stock.number, positions=(position,), cards=(round_.turned,))


def hands(stock: Stock, order: Sequence[int], each: int) -> tuple[dict[int, list[Card]], list[Dealt]]:
    """Deal ``each`` cards to every seat, face down, one at a time in this order."""
    around = dict(zip(order, stock.deal_around(len(order), each), strict=True))
    record = [dealt(seat, stock, positions) for seat, (positions, _) in around.items()]
    return {seat: hand for seat, (_, hand) in around.items()}, record


def dealt(seat: int | None, stock: Stock, positions: Sequence[int], zone: str = "hand") -> Dealt:
    """Record that a seat, or the table, got these positions of a stock, face down."""
    cards = face_down(len(positions))
    return Dealt(to=seat, zone=zone, stock=stock.number, positions=tuple(positions), cards=cards)
