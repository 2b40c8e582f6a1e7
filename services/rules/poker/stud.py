"""What the two stud games share: the opener by visible hands, the exposure, the show-hand rule."""

from collections import Counter
from collections.abc import Iterable, Sequence

from services.rules import actions, illegal_actions
from services.rules.cards import RANKS, SUITS, Card
from services.rules.chance import Chance
from services.rules.happenings import Happening, Phase, Shown
from services.rules.offers import OneOf, Option
from services.rules.poker.betting import DOOR, LEFT, NOBODY, VISIBLE, contested
from services.rules.poker.engine import PokerRound
from services.rules.poker.house_rules import StudRules
from services.rules.poker.stakes import AnteRound
from services.rules.poker.streets import HAND, UP, Decisions, Own
from services.rules.ranking import five_cards
from services.rules.refusals import Reason, Refused

WHOLE_HAND = 5


def height(card: Card, order: str = RANKS) -> tuple[int, int]:
    """Return how high a card is: by its rank in ``order``, then by its suit."""
    return order.index(card[0]), SUITS.index(card[1])


def groups(cards: Iterable[Card], order: str = RANKS) -> list[tuple[int, int]]:
    """Return size and rank of each group of equal ranks, the biggest first, then the one higher in ``order``."""
    counts = Counter(order.index(card[0]) for card in cards)
    return sorted(((count, rank) for rank, count in counts.items()), reverse=True)


def visible(cards: Sequence[Card], flush_order: str) -> tuple[int, ...]:
    """Rank the face-up cards of a seat; the greatest opens, and no two seats are equal [five_card_stud D1].

    Up to four cards: the sizes of their groups, then the ranks; five: the whole home ladder [seven_card_stud D3].
    Last the suit of the highest card, of two of that rank the better suit.
    """
    _, suit = max(height(card) for card in cards)
    if len(cards) == WHOLE_HAND:
        return (five_cards.home(cards, flush_order), suit)
    found = groups(cards)
    sizes = [count for count, _ in found] + [0] * (WHOLE_HAND - len(found))
    return (*sizes, *(rank for _, rank in found), suit)


class LastCard(Own, frozen=True):
    """The last card of five-card stud: down before an exposure, else up [poker 0.10 rule 6]."""

    def begin(self, hand: PokerRound, chance: Chance, log: list[Happening]) -> bool:
        """Deal to all live seats."""
        del chance  # the pack is shuffled
        assert isinstance(hand, StudRound), "only stud has an exposure"
        self.deal(hand, HAND if hand.rules.exposure else self.zone, log)
        return False


class Exposure(Decisions, frozen=True):
    """Every live seat turns up one of its down cards, all at once; shown together [five_card_stud D6]."""

    def begin(self, hand: PokerRound, chance: Chance, log: list[Happening]) -> bool:
        """Open the window, unless the hand is run out or the house rules have no exposure."""
        del chance  # nothing is dealt
        assert isinstance(hand, StudRound), "only stud has an exposure"
        if not hand.rules.exposure or not contested(hand):
            return False
        hand.chosen = {}
        hand.turn = NOBODY
        log.append(Phase(self.name))
        return True

    def asked(self, hand: PokerRound) -> list[int]:
        """List the live positions that have not chosen."""
        return [position for position, live in enumerate(hand.live) if live and position not in hand.chosen]

    def verify(self, hand: PokerRound, position: int, action: actions.Action) -> None:
        """Raise Refused for another action, a card that is not held, a card that is face up already."""
        if not isinstance(action, actions.Expose):
            raise illegal_actions.illegal(
                f"you cannot {action.name} now; expose one of your down cards", illegal_actions.EXPOSE
            )
        if action.card in hand.up[position]:
            raise Refused(Reason.ILLEGAL_CARDS, f"{action.card} is face up already; expose one of your down cards")
        if action.card not in hand.down[position]:
            raise Refused(Reason.CARD_NOT_HELD, f"you do not hold {action.card}")

    def do(self, hand: PokerRound, position: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Note the choice; when all have chosen, turn the cards up."""
        del chance  # nothing is dealt
        assert isinstance(action, actions.Expose), f"{action.name} was not verified"
        hand.chosen[position] = action.card
        if self.asked(hand):
            return False
        for chooser, card in sorted(hand.chosen.items()):
            hand.down[chooser].remove(card)
            hand.up[chooser].append(card)
            log.append(Shown(hand.order[chooser], UP, (card,)))
        hand.chosen = {}
        hand.clock += 1
        return True

    def options(self, hand: PokerRound, position: int) -> list[Option]:
        """Any of the down cards."""
        return [Option("expose", {"card": OneOf(tuple(hand.down[position]))})]

    def timeout_action(self, hand: PokerRound, position: int) -> actions.Action:
        """Show the card that was dealt last."""
        return actions.Expose(hand.down[position][-1])


class StudRound(AnteRound, kw_only=True):
    """A hand of stud: own cards only, some face up; the home ladder over the best five of them."""

    rules: StudRules

    def rank(self, position: int, table: Sequence[Card]) -> int:
        """Rank all own cards by the home ladder."""
        del table  # own cards only
        return five_cards.home(self.down[position] + self.up[position], self.rules.flush_order)

    def category(self, strength: int) -> str:
        """Return the category on the home ladder."""
        return five_cards.home_category(strength)

    def opener(self, how: str) -> int:
        """Start with the live seat that has the best visible hand, or with the one of the lowest door card."""
        if how == DOOR:
            return min(range(len(self.order)), key=lambda position: height(self.up[position][0]))
        if how == LEFT:
            return super().opener(how)
        assert how == VISIBLE, f"{how} is not an opener of stud"
        positions = [position for position, live in enumerate(self.live) if live]
        return max(positions, key=self.visible)

    def visible(self, position: int) -> tuple[int, ...]:
        """Rank the face-up cards; between equal ranks the suit decides, after a bring-in the position."""
        found = visible(self.up[position], self.rules.flush_order)
        return found[:-1] if self.rules.forced_bet else found

    def keeps_back(self, number: int) -> int:
        """Before the show-hand round no bet may take the last chip [five_card_stud D4]."""
        return 1 if number < self.rules.showhand_from else 0
