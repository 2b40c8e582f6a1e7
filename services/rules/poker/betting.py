"""A betting round [poker 0.2 to 0.4]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from services.rules import actions, illegal_actions
from services.rules.chance import Chance
from services.rules.happenings import Happening, Phase, Returned, Staked
from services.rules.offers import HALF_POT, POT, Between, Option
from services.rules.poker.streets import Decisions
from services.rules.poker.structures import NOT_YET, Span
from services.rules.refusals import Reason, Refused

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

NOBODY = -1
MOST_POSITIONS = 10
RINGS = tuple(
    tuple(tuple((start + step) % positions for step in range(positions)) for start in range(positions + 1))
    for positions in range(1, MOST_POSITIONS + 1)
)
"""All positions of a table with one to ten positions, clockwise from each of them: ``RINGS[positions - 1][start]``."""

BLINDS = "blinds"
LEFT = "left"
VISIBLE = "visible"
DOOR = "door"

_FOLD = Option("fold")
_CHECK = Option("check")
_CALL = Option("call")
_ALL_IN = Option("all_in")


class Betting(Decisions, frozen=True):
    """One betting round.

    ``opener``: ``blinds`` (it goes on from the big blind), ``left`` (of the button), ``visible`` (the best visible
    hand) or ``door`` (the lowest or highest door card). ``big_bet``: fixed limit doubles its unit. ``number`` counts
    the betting rounds of a hand from 1.
    """

    number: int
    opener: str = LEFT
    big_bet: bool = False

    def begin(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> bool:
        """Open the betting; without anybody to ask it closes at once."""
        del chance  # betting needs none
        return self.begin_from(hand, hand.opener(self.opener), log)

    def begin_from(self, hand: "PokerRound", first: int, log: list[Happening]) -> bool:
        """Open the betting at a position; True if somebody must decide."""
        hand.open_betting(self.number, big_bet=self.big_bet)
        hand.turn = self.next_position(hand, first)
        if hand.turn == NOBODY:
            self.close(hand, log)
            return False
        log.append(Phase(self.name))
        return True

    def next_position(self, hand: "PokerRound", start: int) -> int:
        """Return the first position from ``start`` to the left that must act [poker 0.2 rule 2], or NOBODY."""
        live, stacks, totals, acted, to_call = hand.live, hand.stacks, hand.totals, hand.acted, hand.to_call
        rings = RINGS[len(stacks) - 1]
        for position in rings[start]:
            if not live[position] or not stacks[position]:
                continue
            behind = totals[position] < to_call
            if not behind and acted[position] != NOT_YET:
                continue
            for other in rings[position + 1]:
                if (
                    live[other]
                    and other != position
                    and (stacks[other] or (behind and totals[other] > totals[position]))
                ):
                    return position
        return NOBODY

    def verify(self, hand: "PokerRound", position: int, action: actions.Action) -> None:
        """Raise Refused in the sheet's order: ILLEGAL_ACTION, INSUFFICIENT_CHIPS, AMOUNT_OUT_OF_RANGE."""
        if type(action) is actions.Fold:
            return
        if type(action) is actions.Check:
            if not self._may_check(hand, position):
                raise _no_check(hand, position)
        elif type(action) is actions.Call:
            if hand.totals[position] >= hand.to_call:
                raise illegal_actions.illegal("there is nothing to call; check or bet", illegal_actions.NOTHING_TO_CALL)
        elif type(action) is actions.Bet:
            _fits(action.amount, self._bet_span(hand, position), hand.stacks[position], "bet")
        elif type(action) is actions.Raise:
            whole = hand.totals[position] + hand.stacks[position]
            _fits(action.to, self._raise_span(hand, position), whole, "raise to")
        elif type(action) is actions.AllIn:
            self._verify_all_in(hand, position)
        elif type(action) is actions.Straddle:
            message = "whether you straddle is chosen between rounds"
            raise illegal_actions.illegal(message, illegal_actions.STRADDLE_BETWEEN)
        else:
            message = f"{action.name} is not an action of a betting round; fold, check, call, bet or raise"
            raise illegal_actions.illegal(message, illegal_actions.BETTING_ROUND)

    def do(
        self, hand: "PokerRound", position: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Carry out a verified action and pass the turn on; True if the betting round is over."""
        del chance  # betting needs none
        if type(action) is actions.Fold:
            hand.live[position] = False
            if hand.live.count(True) == 1:
                self.close(hand, log)
                return True
        elif type(action) is not actions.Check:
            self._put_in(hand, position, self._total_after(hand, position, action), log)
        hand.acted[position] = hand.mark()
        turn = hand.turn = self.next_position(hand, position + 1)
        if turn == NOBODY:
            self.close(hand, log)
            return True
        hand.clock += 1
        return False

    def options(self, hand: "PokerRound", position: int) -> list[Option]:
        """List the legal actions with all their amounts."""
        found = [_FOLD]
        if self._may_check(hand, position):
            found.append(_CHECK)
        if hand.totals[position] < hand.to_call:
            found.append(_CALL)
        bet = self._bet_span(hand, position)
        if bet is not None:
            found.append(Option("bet", {"amount": Between(*bet)}))
        raised = self._raise_span(hand, position)
        if raised is not None:
            found.append(Option("raise", {"to": Between(*raised)}))
        if self._all_in_refusal(hand, position) is None:
            found.append(_ALL_IN)
        return found

    def cost(self, hand: "PokerRound", position: int, action: actions.Action) -> int:
        """Return the chips that a legal action puts in."""
        if isinstance(action, actions.Fold | actions.Check):
            return 0
        return self._total_after(hand, position, action) - hand.totals[position]

    def timeout_action(self, hand: "PokerRound", position: int) -> actions.Action:
        """Check if that is free, otherwise fold [poker 0.6]; a game may always fold."""
        return actions.Check() if self._may_check(hand, position) and hand.checks_on_timeout() else actions.Fold()

    def close(self, hand: "PokerRound", log: list[Happening]) -> None:
        """Give back what nobody matched [poker 0.2 rule 4] and clear the totals."""
        if hand.to_call:
            return_unmatched(hand, hand.totals, log)
        hand.turn = NOBODY
        hand.close_betting()

    def _may_check(self, hand: "PokerRound", position: int) -> bool:
        return hand.totals[position] == hand.to_call and (hand.to_call > 0 or hand.may_open_with_check())

    def _bet_span(self, hand: "PokerRound", position: int) -> Span | None:
        if hand.to_call or not _can_be_called(hand, position):
            return None
        return hand.structure.bet(hand, position)

    def _raise_span(self, hand: "PokerRound", position: int) -> Span | None:
        if not hand.to_call or not _can_be_called(hand, position):
            return None
        return hand.structure.raise_to(hand, position)

    def _verify_all_in(self, hand: "PokerRound", position: int) -> None:
        refusal = self._all_in_refusal(hand, position)
        if refusal is not None:
            raise refusal

    def _all_in_refusal(self, hand: "PokerRound", position: int) -> Refused | None:
        whole = hand.totals[position] + hand.stacks[position]
        if whole <= hand.to_call:
            return None
        span = self._raise_span(hand, position) if hand.to_call else self._bet_span(hand, position)
        if span is None:
            message = "you cannot bet or raise now, so all-in is not open; call or fold"
            return illegal_actions.illegal(message, illegal_actions.NO_ALL_IN)
        if whole <= span[1]:
            return None
        if hand.reserve:
            message = "not all chips may be bet before the show-hand round; keep at least 1 back"
            return illegal_actions.illegal(message, illegal_actions.KEEP_ONE)
        message = f"all-in would be {whole} chips; the limit allows {span[1]} at most"
        return Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"least": span[0], "greatest": span[1]})

    def _total_after(self, hand: "PokerRound", position: int, action: actions.Action) -> int:
        if type(action) is actions.Raise:
            return action.to
        if type(action) is actions.Bet:
            return action.amount
        whole = hand.totals[position] + hand.stacks[position]
        return whole if type(action) is actions.AllIn else min(hand.to_call, whole)

    def _put_in(self, hand: "PokerRound", position: int, total: int, log: list[Happening]) -> None:
        to_call = hand.to_call
        if total <= to_call:
            what = "call"
        else:
            what = "bet" if not to_call else "complete" if hand.completion else "raise"
            size = total if hand.completion else total - to_call
            hand.last_full_raise = max(hand.last_full_raise, size)
            hand.to_call, hand.completion = total, 0
            hand.raises += 1
        amount = total - hand.totals[position]
        hand.put_in(position, amount)
        hand.totals[position] = total
        log.append(Staked(hand.order[position], what, amount))


def return_unmatched(hand: "PokerRound", amounts: Sequence[int], log: list[Happening]) -> None:
    """Return chips that no other position matched to the position that put in most [poker 0.1, 0.2 rule 4].

    ``amounts``: chips that each position put in, in this betting round or as its ante. What is returned was in no pot.
    """
    top = max(amounts)
    if amounts.count(top) > 1:
        return
    position, excess = amounts.index(top), top - sorted(amounts)[-2]
    hand.stacks[position] += excess
    hand.paid[position] -= excess
    hand.returned[position] += excess
    log.append(Returned(hand.order[position], excess))


def contested(hand: "PokerRound") -> bool:
    """Return whether at least two live seats have chips left; if not, the hand is run out [poker 0.2 rule 5]."""
    return sum(1 for live, stack in zip(hand.live, hand.stacks, strict=True) if live and stack) > 1


def suggested(hand: "PokerRound", position: int, action: str) -> dict[str, int]:
    """Suggest half the pot and the pot; a raise by the pot is counted after calling."""
    pot, owed = sum(hand.paid), hand.to_call - hand.totals[position]
    if action == "bet":
        return {HALF_POT: pot // 2, POT: pot}
    if action == "raise":
        return {HALF_POT: hand.to_call + (pot + owed) // 2, POT: hand.to_call + pot + owed}
    return {}


def _can_be_called(hand: "PokerRound", position: int) -> bool:
    stacks = hand.stacks
    for other, live in enumerate(hand.live):  # noqa: SIM110 - a generator takes twice as long
        if live and stacks[other] and other != position:
            return True
    return False


def _fits(amount: int, span: Span | None, whole: int, what: str) -> None:
    if span is None:
        right = illegal_actions.NO_BET if what == "bet" else illegal_actions.NO_RAISE
        raise illegal_actions.illegal(f"you cannot {what} any amount now", right)
    if amount > whole:
        message = f"{what} {amount} is more than you have; all your chips make {whole}"
        raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": whole, "needed": amount})
    if not span[0] <= amount <= span[1]:
        message = f"{what} {amount} is out of range; it must be from {span[0]} to {span[1]}"
        raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"least": span[0], "greatest": span[1]})


def _no_check(hand: "PokerRound", position: int) -> Refused:
    owed = hand.to_call - hand.totals[position]
    if owed:
        message = f"you cannot check: {owed} chips are needed to call"
        return illegal_actions.illegal(message, illegal_actions.CHECK_OWING, chips=owed)
    message = "you cannot check: the first seat must bet or fold"
    return illegal_actions.illegal(message, illegal_actions.CHECK_FIRST)
