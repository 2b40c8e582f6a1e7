"""The draw: each live seat exchanges cards once (poker, five_card_draw)."""

from typing import TYPE_CHECKING

from services.rules import actions, illegal_actions
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.happenings import Dealt, Happening, Noted, Phase, Shuffled
from services.rules.offers import Option, SomeOf
from services.rules.poker.betting import NOBODY
from services.rules.poker.streets import HAND, Decisions
from services.rules.refusals import Reason, Refused

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

NOT_YET = -1


class Exchange(Decisions, frozen=True):
    """From the left of the button each live seat, also an all-in one, discards and gets as many cards at once."""

    most: int = 5

    def begin(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> bool:
        """Ask the first live seat left of the button."""
        del chance  # needed only when the stock runs out
        hand.drawn = [NOT_YET] * len(hand.order)
        hand.turn = hand.live.index(True)
        log.append(Phase(self.name))
        return True

    def verify(self, hand: "PokerRound", position: int, action: actions.Action) -> None:
        """Raise Refused for another action, a card that is not held, a card named twice."""
        if not isinstance(action, actions.Draw):
            raise illegal_actions.illegal(
                f"you cannot {action.name} now; draw 0 to {self.most} cards", illegal_actions.DRAW, most=self.most
            )
        for card in action.discards:
            if card not in hand.down[position]:
                raise Refused(Reason.CARD_NOT_HELD, f"you do not hold {card}")
        if len(set(action.discards)) < len(action.discards):
            raise Refused(Reason.ILLEGAL_CARDS, "a card is named twice; name each discard once")

    def do(
        self, hand: "PokerRound", position: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Exchange the cards and ask the next live seat."""
        assert isinstance(action, actions.Draw), f"{action.name} was not verified"
        count = len(action.discards)
        log.append(Noted("draw", hand.order[position], {"count": count}))
        hand.down[position] = [card for card in hand.down[position] if card not in action.discards]
        hand.down[position] += self._deal(hand, position, count, chance, log)
        hand.muck += action.discards
        hand.drawn[position] = count
        hand.turn = next((later for later in range(position + 1, len(hand.order)) if hand.live[later]), NOBODY)
        hand.clock += 1
        return hand.turn == NOBODY

    def options(self, hand: "PokerRound", position: int) -> list[Option]:
        """Any of the own cards may go."""
        return [Option("draw", {"discards": SomeOf(tuple(hand.down[position]), 0, self.most)})]

    def timeout_action(self, hand: "PokerRound", position: int) -> actions.Action:
        """Keep all cards."""
        del hand, position  # the same for all
        return actions.Draw(())

    def _deal(self, hand: "PokerRound", position: int, count: int, chance: Chance, log: list[Happening]) -> list[Card]:
        dealt: list[Card] = []
        while len(dealt) < count:
            if not len(hand.stock):
                self._reshuffle(hand, chance, log)
            stock = hand.stock
            first = stock.next
            taken = [stock.deal() for _ in range(min(count - len(dealt), len(stock)))]
            stock_positions = tuple(range(first, stock.next))
            log.append(Dealt(hand.order[position], HAND, stock.number, stock_positions, face_down(len(taken))))
            dealt += taken
        return dealt

    def _reshuffle(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> None:
        """Make a new stock of the earlier discards and the folded hands [five_card_draw Play 5]."""
        pack = hand.muck
        hand.muck = []
        for position, live in enumerate(hand.live):
            if not live:
                pack += hand.down[position]
                hand.down[position] = []
        assert pack, "neither discards nor folded cards are left for a new stock"
        hand.stock = Stock(number=hand.stock.number + 1, cards=chance.shuffle(pack))
        log.append(Shuffled(hand.stock.number, len(pack)))
