"""Stud hands played by the engine and by PokerKit side by side, from the same cards."""

import random
import warnings
from typing import Any

from pokerkit import Automation, State

from services.house import pipeline
from services.rules import actions
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.offers import Between
from services.rules.poker.engine import PokerRound
from tests.support.seeded import Seeded

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
Legal = tuple[int, tuple[int, int] | None]
"""Chips to call and the span of bets or raises as new totals."""


class Pair:
    """One hand in both engines; ``kind`` makes PokerKit's state from antes, bring-in, bets and stacks."""

    def __init__(self, game: Game, rules: Any, stacks: list[int], kind: Any, seed: int) -> None:
        self.rules: HouseRules = rules
        self.stacks = stacks
        self.source = Seeded(seed)
        table = Table(chips=dict(enumerate(stacks)), first_button=len(stacks) - 1)
        round_, _ = game.start(rules, table, self.source)
        assert isinstance(round_, PokerRound)
        self.round: PokerRound = round_
        self.dealt = [0] * len(stacks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.state: State = kind.create_state(
                AUTOMATIONS,
                True,
                rules.ante,
                rules.forced_bet,
                rules.min_bet,
                2 * rules.min_bet,
                tuple(stacks),
                len(stacks),
            )
        self.deal()

    def deal(self) -> None:
        """Deal PokerKit the cards that the engine has dealt, as far as it asks for cards."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while self.state.can_burn_card() or self.state.can_deal_hole():
                if self.state.can_burn_card():
                    self.state.burn_card("??")
                    continue
                seat = self.state.hole_dealee_index
                assert seat is not None
                hidden, shown = list(self.round.down[seat]), list(self.round.up[seat])
                order = [*hidden[:2], *shown, *hidden[2:]]
                self.state.deal_hole(order[self.dealt[seat]])
                self.dealt[seat] += 1

    def seat(self) -> int | None:
        """Return the seat to act; both engines must agree on it."""
        waiting = self.round.waiting()
        ours = waiting.seats[0] if waiting else None
        assert ours == self.state.actor_index, (ours, self.state.actor_index, self.round)
        return ours

    def ours(self, seat: int) -> Legal:
        """Return what the engine allows."""
        spans = {option.action: option.arguments for option in self.round.options(seat)}
        call = 0
        for word in ("bring_in", "call"):
            if word in spans:
                call = self.round.cost(seat, actions.build(word, {}))
        for word, argument in (("bet", "amount"), ("raise", "to")):
            if word in spans:
                span = spans[word][argument]
                assert isinstance(span, Between)
                return call, (span.least, span.most)
        return call, None

    def theirs(self) -> Legal:
        """Return what PokerKit allows."""
        state = self.state
        call = state.effective_bring_in_amount if state.can_post_bring_in() else state.checking_or_calling_amount
        if not state.can_complete_bet_or_raise_to():
            return call or 0, None
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        assert least is not None
        assert most is not None
        return call or 0, (least, most)

    def act(self, seat: int, word: str, amount: int) -> None:
        """Let both take an action, and PokerKit the cards that follow."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if word == "fold":
                self.state.fold()
            elif word == "raise":
                self.state.complete_bet_or_raise_to(amount)
            elif self.state.can_post_bring_in():
                self.state.post_bring_in()
            else:
                self.state.check_or_call()
        names = {option.action for option in self.round.options(seat)}
        if word == "raise":
            found, arguments = ("raise", {"to": amount}) if "raise" in names else ("bet", {"amount": amount})
        else:
            found = word if word == "fold" else next(name for name in ("bring_in", "call", "check") if name in names)
            arguments = {}
        self.round.act(seat, actions.build(found, arguments), self.source)
        self.deal()

    def finished(self) -> tuple[list[int], list[int]]:
        """Return the final stacks of both."""
        round_: Round = self.round
        assert round_.outcome is not None
        posting = pipeline.settle(round_.outcome, self.rules, round_.carry, 0)
        return [held + posting.net.get(seat, 0) for seat, held in enumerate(self.stacks)], [
            int(stack) for stack in self.state.stacks
        ]


def play(pair: Pair, chance: random.Random) -> int:
    """Play a hand by random actions that both allow; return how many decisions they saw differently."""
    different = 0
    while (seat := pair.seat()) is not None:
        ours, theirs = pair.ours(seat), pair.theirs()
        different += ours != theirs
        assert ours[0] == theirs[0], (ours, theirs, pair.round)
        words = ["call"] * 4
        if ours[0] and pair.state.can_fold():
            words.append("fold")
        if ours[1] and theirs[1] and ours[1] == theirs[1]:
            words += ["raise"] * 3
        word = chance.choice(words)
        pair.act(seat, word, chance.randint(*ours[1]) if ours[1] else 0)
    return different
