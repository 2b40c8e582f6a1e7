"""Table cards, and the question whether those still to come are dealt twice [poker 0.16]."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from services.rules import actions, illegal_actions
from services.rules.chance import Chance
from services.rules.happenings import Dealt, Happening, Phase
from services.rules.offers import Option
from services.rules.outcomes import BOARD, SECOND_BOARD
from services.rules.poker.betting import contested
from services.rules.poker.streets import Step

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

RUN_IT: Final = "run_it"
"""The phase in which seats are asked."""
ONCE: Final = 1
TWICE: Final = 2
FLOP_CARDS: Final = 3
_OPTIONS: Final = (Option("run_twice"), Option("run_once"))


class Board(Step, frozen=True):
    """Cards for all, face up on the table; before them the live seats of a run-out may be asked for a second board."""

    count: int

    @property
    def title(self) -> str:
        """The question."""
        return RUN_IT

    def begin(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal to the table, unless the live seats are to be asked first."""
        del chance  # the pack is shuffled
        if hand.boards == TWICE:
            self._deal(hand, log)
        elif hand.boards != ONCE and hand.rules.offers_two_boards and not contested(hand):
            log.append(Phase(RUN_IT))
            return True
        else:
            _deal_to(hand, BOARD, self.count, log)
        return False

    def asked(self, hand: "PokerRound") -> list[int]:
        """List the live positions that have not answered."""
        return [position for position, live in enumerate(hand.live) if live and position not in hand.agreed]

    def verify(self, hand: "PokerRound", position: int, action: actions.Action) -> None:
        """Raise Refused for another action."""
        del hand, position  # every position that is asked may answer
        if not isinstance(action, actions.RunTwice | actions.RunOnce):
            message = f"you cannot {action.name} now; say whether to run it twice or once"
            raise illegal_actions.illegal(message, illegal_actions.RUN_IT)

    def do(
        self, hand: "PokerRound", position: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Note the answer; deal once it is settled how often."""
        del chance  # the pack is shuffled
        if isinstance(action, actions.RunTwice):
            hand.agreed.append(position)
            if self.asked(hand):
                return False
            hand.boards, hand.second_board = TWICE, list(hand.board)
        else:
            hand.boards = ONCE
        hand.clock += 1
        self._deal(hand, log)
        return True

    def options(self, hand: "PokerRound", position: int) -> list[Option]:
        """Agree or refuse."""
        del hand, position  # the same for all
        return list(_OPTIONS)

    def timeout_action(self, hand: "PokerRound", position: int) -> actions.Action:
        """Refuse: two boards need everybody's word [poker D24]."""
        del hand, position  # the same for all
        return actions.RunOnce()

    def _deal(self, hand: "PokerRound", log: list[Happening]) -> None:
        """Deal to the board; behind the last card of the first board the whole second one follows."""
        _deal_to(hand, BOARD, self.count, log)
        if hand.boards == TWICE and hand.step == _last(hand):
            for count in _missing(hand):
                _deal_to(hand, SECOND_BOARD, count, log)


def saw_flop(hand: "PokerRound") -> bool:
    """Return whether three table cards were dealt; games without table cards always pay rake."""
    return len(hand.board) >= FLOP_CARDS or not any(isinstance(step, Board) for step in hand.streets)


def _deal_to(hand: "PokerRound", zone: str, count: int, log: list[Happening]) -> None:
    at, dealt = hand.stock.take(count)
    board = hand.board if zone == BOARD else hand.second_board
    board += dealt
    log.append(Dealt(None, zone, hand.stock.number, at, dealt))


def _last(hand: "PokerRound") -> int:
    """Return the place of the last table cards among the streets."""
    return max(place for place, street in enumerate(hand.streets) if isinstance(street, Board))


def _missing(hand: "PokerRound") -> Iterator[int]:
    """Yield the cards of each street that the second board lacks."""
    seen, common = 0, len(hand.second_board)
    for street in hand.streets:
        if isinstance(street, Board):
            seen += street.count
            if seen > common:
                yield street.count
