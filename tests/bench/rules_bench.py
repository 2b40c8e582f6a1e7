"""How fast the rules play: whole hands of hold'em against PokerKit dealing and playing the same hands.

Both sides get the cards and the decisions of the same recorded hands and play them from the blinds to the end on one
core; ours ends with claims, or (second line) with the chips that the house makes of them. Third line: the strength of
a seven-card hand by the look-up that the house uses, against trying all 21 choices in a table of our own.
"""

import itertools
import random
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from pokerkit import Automation, NoLimitTexasHoldem, State

from services.cli.certify import hands
from services.cli.certify.rules_only import rules_for
from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import PACK_52, Card
from services.rules.game import HouseRules, Table
from services.rules.ranking import five_cards
from tests.rules.poker import test_five_cards as oracle

T = TypeVar("T")
SAMPLE: Final = Path(__file__).resolve().parents[1] / "cases" / "hands" / "sample.jsonl"
SECONDS: Final = 2.0
"""Processor time for which each side is measured."""

AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Dealt:
    """Chance that gives a pack whose order is known."""

    def __init__(self, order: list[Card]) -> None:
        self.order = order

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the known order."""
        assert len(pack) == len(self.order)
        return self.order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Pick the first."""
        assert what
        return options[0]

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw ones."""
        return (1,) * count


Job = tuple[HouseRules, Table, list[Card], list[tuple[int, actions.Action]], hands.RecordedHand]


def prepare() -> list[Job]:
    """Read the hold'em hands, in the form that the rules take."""
    game = catalogue.game("texas_holdem")
    jobs: list[Job] = []
    for hand in hands.load(SAMPLE):
        if hand.variant != "texas_holdem" or hand.betting != "no_limit":
            continue
        top = [card for stock in hand.stocks() for card in stock]
        order = top + [card for card in PACK_52 if card not in top]
        table = Table(chips=dict(enumerate(hand.starting_stacks)), first_button=hand.button)
        decisions = [(step.seat, hands.action_of(step, ())) for step in hand.actions]
        jobs.append((rules_for(game, hand.house_rules()), table, order, decisions, hand))
    assert jobs, f"{SAMPLE} holds no hold'em hand"
    return jobs


def play_ours(job: Job, *, settle: bool = False) -> list[int] | None:
    """Play a hand on the rules; with ``settle`` give the finishing stacks."""
    rules, table, order, decisions, hand = job
    chance = Dealt(order)
    round_, _ = catalogue.game("texas_holdem").start(rules, table, chance)
    for seat, action in decisions:
        round_.act(seat, action, chance)
    assert round_.outcome is not None, hand.name
    if not settle:
        return None
    posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
    return [stack + posting.net[seat] for seat, stack in enumerate(hand.starting_stacks)]


def play_theirs(job: Job) -> list[int]:
    """Play a hand with PokerKit and return the finishing stacks."""
    hand = job[-1]
    blinds = hand.blinds if hand.seats > 2 else hand.blinds[::-1]
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, blinds, hand.min_bet, hand.starting_stacks, hand.seats
    )
    for own in hand.hole:
        state.deal_hole("".join(own))
    board = iter(hand.board)
    for decision in hand.actions:
        _deal_board(state, board)
        if decision.action == "fold":
            state.fold()
        elif decision.action in {"check", "call"}:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(decision.to)
    _deal_board(state, board)
    return list(state.stacks)


def _deal_board(state: State, board: Iterator[Card]) -> None:
    while state.can_burn_card():
        state.burn_card("??")
        count = 1 if state.board_cards else 3
        state.deal_board("".join(itertools.islice(board, count)))


def per_second(work: Callable[[], int]) -> float:
    """Repeat work for a while and return its rate per second of processor time; ``work`` answers how much it did.

    Processor time, so that what else runs on the machine does not favour the side with the shorter pieces.
    """
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        done += work()
    return done / spent


def compare() -> list[tuple[str, float, float]]:
    """Measure; each line is what, ours per second, theirs per second."""
    jobs = prepare()
    for job in jobs:
        assert play_ours(job, settle=True) == list(job[-1].finishing_stacks) == play_theirs(job), job[-1].name
    theirs = per_second(lambda: len([play_theirs(job) for job in jobs]))
    ours = per_second(lambda: len([play_ours(job) for job in jobs]))
    settled = per_second(lambda: len([play_ours(job, settle=True) for job in jobs]))
    chance = random.Random(1)
    sevens = [chance.sample(PACK_52, 7) for _ in range(500)]
    assert all(five_cards.plain(cards) == oracle.best_of_all(cards) for cards in sevens)
    return [
        ("hold'em hands, rules alone, against PokerKit", ours, theirs),
        ("hold'em hands with settlement, against PokerKit", settled, theirs),
        (
            "seven-card strengths by phevaluator, against a table and 21 choices",
            per_second(lambda: len([five_cards.plain(cards) for cards in sevens])),
            per_second(lambda: len([oracle.best_of_all(cards) for cards in sevens])),
        ),
    ]


def main() -> None:
    """Print the measurements with their ratios."""
    warnings.simplefilter("ignore")
    for what, ours, theirs in compare():
        print(f"{what}: {ours:,.0f} against {theirs:,.0f} per second, {ours / theirs:.1f} x")


if __name__ == "__main__":
    main()
