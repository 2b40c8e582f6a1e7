"""The bring-in: stud opened by a forced bet of the seat with the lowest or highest door card [poker 0.10]."""

from typing import TYPE_CHECKING, Final

from services.rules import actions, illegal_actions
from services.rules.chance import Chance
from services.rules.happenings import Happening, Staked
from services.rules.offers import Option
from services.rules.poker.betting import DOOR, Betting

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

_BRING_IN: Final = Option("bring_in")


class Opening(Betting, frozen=True):
    """The first betting round of stud; an ordinary one where the house rules have no bring-in.

    The bring-in is due until a seat puts chips in. The seat of the door card must bring in or make a full bet; if it
    is all-in by its ante, the next seat to the left is asked, which may fold too [poker 0.10 rule 2].
    """

    def begin(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> bool:
        """Open the betting at the door card, or as an ordinary betting round."""
        if not hand.rules.forced_bet:
            return super().begin(hand, chance, log)
        hand.completion = hand.rules.full_bet
        return self.begin_from(hand, hand.opener(DOOR), log)

    def verify(self, hand: "PokerRound", position: int, action: actions.Action) -> None:
        """Raise Refused; while the bring-in is due, seats cannot check, and the seat that owes it cannot fold."""
        if isinstance(action, actions.BringIn):
            if not _is_due(hand):
                raise illegal_actions.illegal("no bring-in is due; call, raise or fold", illegal_actions.NOT_DUE)
        elif _is_due(hand) and (
            isinstance(action, actions.Check | actions.Call | actions.Raise)
            or (isinstance(action, actions.Fold) and _must_bring_in(hand, position))
        ):
            chips, bet = _forced(hand, position), hand.completion
            message = f"you cannot {action.name} now; bring in for {chips} or bet {bet}"
            raise illegal_actions.illegal(message, illegal_actions.BRING_IN, chips=chips, bet=bet)
        else:
            super().verify(hand, position, action)

    def do(
        self, hand: "PokerRound", position: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Bring in, or act as in every betting round."""
        if not isinstance(action, actions.BringIn):
            return super().do(hand, position, action, chance, log)
        hand.to_call = hand.totals[position] = amount = _forced(hand, position)
        hand.put_in(position, amount)
        log.append(Staked(hand.order[position], "bring_in", amount))
        # The turn passes as after a check: the chips are in already.
        return super().do(hand, position, actions.Check(), chance, log)

    def options(self, hand: "PokerRound", position: int) -> list[Option]:
        """List the legal actions; while the bring-in is due, it stands in the place of checking or calling."""
        found = super().options(hand, position)
        if not _is_due(hand):
            return found
        fold, *others = found
        return [_BRING_IN, *others] if _must_bring_in(hand, position) else [fold, _BRING_IN, *others]

    def timeout_action(self, hand: "PokerRound", position: int) -> actions.Action:
        """Bring in for the seat that must; else as in every betting round."""
        if _is_due(hand) and _must_bring_in(hand, position):
            return actions.BringIn()
        return super().timeout_action(hand, position)

    def _may_check(self, hand: "PokerRound", position: int) -> bool:
        return not _is_due(hand) and super()._may_check(hand, position)

    def _total_after(self, hand: "PokerRound", position: int, action: actions.Action) -> int:
        if isinstance(action, actions.BringIn):
            return _forced(hand, position)
        return super()._total_after(hand, position, action)


def _is_due(hand: "PokerRound") -> bool:
    """Return whether no chips were put in yet in a betting round with a bring-in."""
    return hand.completion > 0 and not hand.to_call


def _must_bring_in(hand: "PokerRound", position: int) -> bool:
    return position == hand.opener(DOOR)


def _forced(hand: "PokerRound", position: int) -> int:
    return min(hand.rules.forced_bet, hand.stacks[position])
