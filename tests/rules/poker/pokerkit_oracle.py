"""PokerKit plays the same hands as the house: same cards, same actions; turns, amounts, pots and stacks must agree.

``python -m tests.rules.poker.pokerkit_oracle omaha_hi_lo --hands 100000`` plays random hands and prints what was
compared. The rules of the sheet with which PokerKit differs are counted; nothing else may differ:

* fixed limit counts the big blind among the bets of a round, PokerKit does not (``cap``);
* a raise is legal while a live opponent has chips, even if none can match more (``nobody_matches``);
* a seat that only called a blind may not raise again after a short all-in (``reopened``) [poker D3];
* several odd chips of a share go one each to its winners, PokerKit gives them all to the first (``odd_chips``);
* PokerKit kills hands that cannot win and then merges pots with equal contenders, before it divides them (``merged``);
* PokerKit divides a pot in which none of its contenders has a low hand, if another live hand is one (``low_burned``).

For the last three the sheet's division of PokerKit's pots, by PokerKit's hands, is what must come out.
"""

import argparse
import dataclasses
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pokerkit import Automation, Mode, State

from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import Card
from services.rules.game import Table
from services.rules.offers import Between, Option, SomeOf
from services.rules.poker import boards
from services.rules.poker.engine import PokerRound
from tests.rules.poker import pokerkit_variants
from tests.support.seeded import Seeded

AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
)
ONE_BOARD: Final = (*AUTOMATIONS, Automation.RUNOUT_COUNT_SELECTION)
RAISES: Final = {"bet": "amount", "raise": "to"}
END_EVERY: Final = 25
"""Every such hand is played to its end by PokerKit; of the others it makes pots and hands, which is much quicker."""
MOST_STEPS: Final = 500
SHARE_OF_TWO: Final = 0.8
"""Share of the run-outs with two boards, of those in which seats are asked."""


class Twin:
    """A hand of the house and the same hand at PokerKit; seats are positions, the button is the last one."""

    def __init__(self, game_id: str, seed: int, *, to_the_end: bool) -> None:
        self.rng = random.Random(f"{game_id} {seed}")
        self.game = catalogue.game(game_id)
        self.setting = pokerkit_variants.draw(game_id, self.rng)
        self.rules = self.setting.rules
        stacks = self.setting.stacks
        self.seen: Counter[str] = Counter()
        self.chance = Seeded(seed)
        table = Table(chips=dict(enumerate(stacks)), first_button=len(stacks) - 1)
        round_, _ = self.game.start(self.rules, table, self.chance)
        assert isinstance(round_, PokerRound), f"{game_id} is no game of poker"
        self.ours = round_
        poker = self.setting.poker(AUTOMATIONS if self.rules.offers_two_boards else ONE_BOARD)
        poker.mode = Mode.CASH_GAME
        poker.streets = tuple(dataclasses.replace(street, card_burning_status=False) for street in poker.streets)
        self.theirs: State = poker(stacks, len(stacks))
        self.pots: list[tuple[int, tuple[int, ...]]] | None = None
        self.hand_types = poker.hand_types
        self.to_the_end = to_the_end

    def play(self) -> None:
        """Play the hand to its end, and compare every decision and the stacks."""
        for _ in range(MOST_STEPS):
            waiting = self.ours.waiting()
            answers = self.ours.view(None).phase == boards.RUN_IT
            self.follow(waiting.seats[0] if waiting and not answers else None)
            if waiting is None:
                self.compare_end()
                return
            if answers:
                self.answer(waiting.seats)
            else:
                self.step(waiting.seats[0])
        raise AssertionError(f"the hand has not ended after {MOST_STEPS} steps")

    def follow(self, asked: int | None) -> None:
        """Deal PokerKit all cards that it waits for, and checks that the house does not ask for."""
        state = self.theirs
        while True:
            if state.showdown_indices:
                self.note_pots()
                if not self.to_the_end:
                    return
                state.show_or_muck_hole_cards(True)
            elif state.hole_dealee_index is not None and self.dealt_by_us(state.hole_dealee_index):
                state.deal_hole("".join(self.missing(state.hole_dealee_index)))
            elif state.board_dealing_counts and any(state.board_dealing_counts):
                at = sum(len(cards) for cards in state.board_cards)
                state.deal_board("".join(self.table_cards()[at : at + max(state.board_dealing_counts)]))
            elif state.actor_index is not None and state.actor_index != asked:
                assert not state.checking_or_calling_amount, f"PokerKit asks {state.actor_index}, the house {asked}"
                if state.can_post_bring_in():
                    state.post_bring_in()
                else:
                    state.check_or_call()
                self.seen["needless"] += 1
            elif state.can_push_chips():
                self.note_pots()
                self.seen["merged"] += len(list(state.pots)) < len(self.pots or ())
                state.push_chips()
            elif state.can_pull_chips():
                state.pull_chips()
            else:
                return

    def table_cards(self) -> list[Card]:
        """Return the table cards in the order in which they were dealt: those of both boards first."""
        shared = [one for one, other in zip(self.ours.board, self.ours.second_board, strict=False) if one == other]
        return [*self.ours.board, *self.ours.second_board[len(shared) :]]

    def answer(self, seats: Sequence[int]) -> None:
        """Let every seat that may agree to two boards answer at both."""
        self.seen["asked"] += 1
        agree = self.rng.random() < SHARE_OF_TWO
        assert tuple(self.theirs.runout_count_selector_indices) == tuple(seats), "PokerKit asks other seats"
        for seat in seats:
            self.theirs.select_runout_count(2 if agree else 1)  # of the next seat; PokerKit 0.7.7 cannot name another
            if self.ours.can(seat, actions.RunTwice()):
                self.ours.act(seat, actions.RunTwice() if agree else actions.RunOnce(), self.chance)
        self.seen["two_boards"] += agree

    def dealt_by_us(self, position: int) -> bool:
        """Return whether the house has dealt what PokerKit waits for."""
        return len(self.missing(position)) == len(self.theirs.hole_dealing_statuses[position])

    def missing(self, position: int) -> list[Card]:
        """Return the next cards of a position that PokerKit has not got, down or up as it wants them."""
        held = {repr(card) for card in self.theirs.hole_cards[position]}
        down = iter([card for card in self.ours.down[position] if card not in held])
        up = iter([card for card in self.ours.up[position] if card not in held])
        wanted = [next(up if face_up else down, None) for face_up in self.theirs.hole_dealing_statuses[position]]
        return [card for card in wanted if card is not None]

    def note_pots(self) -> None:
        """Remember PokerKit's pots before it kills hands that cannot win."""
        if self.pots is None:
            self.pots = [(pot.amount, tuple(pot.player_indices)) for pot in self.theirs.pots]

    def step(self, seat: int) -> None:
        """Compare the options of a seat, choose one, and let both take it."""
        options = {option.action: option for option in self.ours.options(seat)}
        state = self.theirs
        if "draw" in options:
            assert state.stand_patter_or_discarder_index == seat, "another seat draws"
            cards = options["draw"].arguments["discards"]
            assert isinstance(cards, SomeOf), "discards are some of the own cards"
            away = self.rng.sample(cards.cards, self.rng.choice([0, 1, 1, 2, 3, len(cards.cards)]))
            state.stand_pat_or_discard("".join(away))
            self.ours.act(seat, actions.Draw(tuple(away)), self.chance)
            return
        assert state.actor_index == seat, f"PokerKit asks {state.actor_index}, the house {seat}"
        span = self.compare_amounts(seat, options)
        raises = ["raise"] * 3 * (span is not None)
        choices = ["call"] * 4 + raises + ["fold"] * ("check" not in options)
        if "bring_in" in options:
            choices = ["bring_in"] * 3 + raises
        self.take(seat, self.rng.choice(choices), span, options)

    def take(self, seat: int, choice: str, span: tuple[int, int] | None, options: dict[str, Option]) -> None:
        """Let both take a betting action."""
        state, hand = self.theirs, self.ours
        if choice == "bring_in":
            state.post_bring_in()
            hand.act(seat, actions.build("bring_in", {}), self.chance)
        elif choice == "fold":
            state.fold()
            hand.act(seat, actions.Fold(), self.chance)
        elif choice == "raise" and span is not None:
            least, most = span
            amount = self.rng.choice([least, least, most, self.rng.randint(least, min(most, 3 * least))])
            state.complete_bet_or_raise_to(amount)
            name = next(name for name in RAISES if name in options)
            hand.act(seat, actions.build(name, {RAISES[name]: amount}), self.chance)
        else:
            state.check_or_call()
            hand.act(seat, actions.Check() if "check" in options else actions.Call(), self.chance)

    def compare_amounts(self, seat: int, options: dict[str, Option]) -> tuple[int, int] | None:
        """Compare what a call and a raise may be; return the raises that are legal at both."""
        state, hand = self.theirs, self.ours
        if "bring_in" not in options:
            owed = min(hand.to_call - hand.totals[seat], hand.stacks[seat])
            assert state.checking_or_calling_amount == owed, f"to call {owed}, PokerKit {state}"
        ours = next((options[name].arguments[RAISES[name]] for name in RAISES if name in options), None)
        assert ours is None or isinstance(ours, Between), "amounts are a range"
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        if ours is not None and (ours.least, ours.most) == (least, most):
            self.seen["equal_spans"] += 1
            return ours.least, ours.most
        if ours is None and least is None:
            return None
        self.seen[self.known_difference(seat, ours is None, least is None)] += 1
        return None

    def known_difference(self, seat: int, ours_none: bool, theirs_none: bool) -> str:
        """Return the rule of the sheet by which raises differ; raise AssertionError if there is none."""
        hand = self.ours
        if ours_none and hand.rules.betting == "fixed_limit" and hand.raises >= hand.rules.raise_cap > 0:
            return "cap"
        if ours_none and hand.acted[seat] >= 0 and not hand.structure.may_raise(hand, seat):
            return "reopened"
        matched = [
            hand.totals[other] + hand.stacks[other] > hand.to_call
            for other, live in enumerate(hand.live)
            if live and other != seat
        ]
        if theirs_none and not any(matched):
            return "nobody_matches"
        if theirs_none and hand.acted[seat] >= 0:
            return "reopened"
        state = self.theirs
        least = state.min_completion_betting_or_raising_to_amount
        spans = least, state.max_completion_betting_or_raising_to_amount, hand.options(seat)
        raise AssertionError(f"raises differ: {spans} {hand}")

    def compare_end(self) -> None:
        """Compare pots and stacks."""
        outcome, state = self.ours.outcome, self.theirs
        assert outcome is not None, "the hand has ended"
        posting = pipeline.settle(outcome, self.rules, self.ours.carry, 0)
        stacks = [held + posting.net[seat] for seat, held in enumerate(self.setting.stacks)]
        if sum(self.ours.live) > 1:
            self.compare_pots(stacks, [pot.amount for pot in outcome.pots])
        if sum(self.ours.live) > 1 and not self.to_the_end:
            return
        assert not state.status, "PokerKit's hand has not ended"
        if self.seen["odd_chips"] or self.seen["low_burned"] or self.seen["merged"]:
            return
        assert stacks == [int(stack) for stack in state.stacks], f"{stacks}, PokerKit {state.stacks}"
        self.seen["equal_stacks"] += 1

    def compare_pots(self, stacks: list[int], amounts: list[int]) -> None:
        """Compare PokerKit's pots, and their division by the sheet among PokerKit's hands."""
        assert self.pots is not None, "there was no pot"
        assert [amount for amount, _ in self.pots] == amounts, f"{self.pots} at PokerKit, {amounts} at the house"
        won = Counter[int]()
        for amount, may_win in self.pots:
            tables = self.ours.tables()
            for place, table in enumerate(tables):
                size = amount // len(tables) + (place < amount % len(tables))
                won += self.divided(size, may_win, table)
        paid = self.ours.paid
        expected = [held - paid[seat] + won[seat] for seat, held in enumerate(self.setting.stacks)]
        assert stacks == expected, f"{stacks} by the house, {expected} by PokerKit's pots and hands: {self.ours}"

    def divided(self, amount: int, may_win: Sequence[int], table: Sequence[Card]) -> Counter[int]:
        """Divide a pot, or one board's half of it, by the sheet among PokerKit's hands."""
        hands = [
            {seat: self.made(kind, seat, table) for seat in range(len(self.ours.order))} for kind in self.hand_types
        ]
        of_pot = [{seat: made[seat] for seat in may_win if made[seat] is not None} for made in hands]
        halves = [half for half in of_pot if half]
        alive = [seat for seat, live in enumerate(self.ours.live) if live]
        if any(
            not half and any(made[seat] is not None for seat in alive) for half, made in zip(of_pot, hands, strict=True)
        ):
            self.seen["low_burned"] += 1
        shares = Counter[int]()
        self.seen["halved_pots"] += len(halves) > 1
        for place, half in enumerate(halves):
            size = amount // len(halves) + (place < amount % len(halves))
            best = max(half.values())
            winners = [seat for seat in sorted(half) if half[seat] == best]
            each, odd = divmod(size, len(winners))
            self.seen["odd_chips"] += odd > 1
            shares += Counter({seat: each + (at < odd) for at, seat in enumerate(winners)})
        return shares

    def made(self, kind: Any, seat: int, table: Sequence[Card]) -> Any:
        """Return what a seat's cards are worth to PokerKit; None if nothing."""
        if not self.ours.live[seat]:
            return None
        return pokerkit_variants.worth(kind, [*self.ours.down[seat], *self.ours.up[seat]], table)


def compare(game_id: str, hands: int, first: int = 0) -> Counter[str]:
    """Play hands with both; return how often what was compared. Raises AssertionError naming the hand."""
    seen: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + hands):
            twin = Twin(game_id, seed, to_the_end=not seed % END_EVERY)
            try:
                twin.play()
            except Exception as error:
                error.add_note(f"{game_id}, hand {seed}: {twin.setting}")
                raise
            seen += twin.seen
            seen["showdowns"] += sum(twin.ours.live) > 1
    seen["hands"] = hands
    return seen


def main() -> None:
    """Compare hands as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(pokerkit_variants.VARIANTS))
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the first hand's number")
    given = parser.parse_args()
    started = time.monotonic()
    seen = compare(given.game, given.hands, given.first)
    figures = ", ".join(f"{name} {count}" for name, count in sorted(seen.items()))
    sys.stdout.write(f"{given.game}: {figures} in {time.monotonic() - started:.0f} s\n")


if __name__ == "__main__":
    main()
