"""Random rounds agree with a second reading of the rule sheet: legal plays, weakest cards, winners and pay."""

import pytest

from services.rules import actions
from services.rules.happenings import Happening, Noted, Shown
from services.rules.tricks.loo import LooRound
from services.rules.tricks.napoleon import NapoleonRound
from services.rules.tricks.round import TrickRound
from tests.rules.tricks import playing, reference

PLAYS = {"play", "single", "double"}
"""Phases in which cards are played."""
ROUNDS = {"endurance": 500, "honeymoon": 500, "spoil_five": 700, "loo": 900, "napoleon": 500}
RULES = {"napoleon": ({}, {"draw": "winner"}), "honeymoon": ({}, {"queens": "club"}, {"point_from": "others"})}


class Judge:
    """Follows a round by its public record and judges it by the reference."""

    def __init__(self, game_id: str) -> None:
        self.game = game_id
        self.lying: reference.Lying = []
        self.call: str | None = None
        self.tricks = 0
        self.of_pool = 0
        self.before: tuple[int, set[str], str | None] | None = None

    def __call__(self, round_: TrickRound, action: actions.Action | None, record: list[Happening]) -> None:
        """Look at a round before a move (no record) and after it."""
        if not record:
            self._before(round_)
        elif self.before is not None:
            self._after(action, record)

    def _before(self, round_: TrickRound) -> None:
        self.before = None
        seat = round_.turn
        assert seat is not None
        if round_.phase not in PLAYS:
            self.of_pool = 0
            return
        more: dict[str, object] = {
            "first_trick": self.tricks == 0,
            "seats": len(round_.order),
            "call": self.call,
            "first_lead_of_double": isinstance(round_, LooRound) and round_.phase == "double" and self.of_pool == 0,
        }
        legal = reference.LEGAL[self.game](round_.hands[seat], self.lying, round_.trump, more)
        offered = playing.offered(round_, seat)
        faced = {action.cards[0] for action in offered if isinstance(action, actions.Play)}
        assert faced == legal
        down = {action.card for action in offered if isinstance(action, actions.PlayDown)}
        assert bool(down) == (not legal)
        if down:
            assert round_.trump is not None
            hand = round_.hands[seat]
            worthless = {card for card in hand if reference.napoleon_points([card], round_.trump) == 0}
            assert down == (worthless or set(hand))
        self.before = (seat, legal or down, round_.trump)

    def _after(self, action: actions.Action | None, record: list[Happening]) -> None:
        assert self.before is not None
        seat, legal, trump = self.before
        down = any(isinstance(happening, Noted) and happening.what == "down" for happening in record)
        shown = [happening for happening in record if isinstance(happening, Shown) and happening.owner == seat]
        if isinstance(action, actions.PlayDown):
            card = action.card
        else:
            card = reference.weakest(self.game, legal, trump) if action is None else shown[0].cards[0]
        assert down or shown[0].cards == (card,)
        self.lying.append((seat, card, down))
        if isinstance(action, actions.Play) and action.call:
            self.call = action.call
        for happening in record:
            if isinstance(happening, Noted) and happening.what == "trick":
                assert happening.seat == reference.winner(self.game, self.lying, trump)
                self.lying, self.call, self.tricks, self.of_pool = [], None, self.tricks + 1, self.of_pool + 1
                break


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_random_rounds_agree_with_the_second_reading(game_id: str) -> None:
    """In thousands of tricks both offer the same cards, play the same for a deadline and find the same winner."""
    tricks = 0
    for seed in range(ROUNDS[game_id]):
        variants = RULES.get(game_id, ({},))
        round_, _, dice = playing.start(game_id, seed, rules=dict(variants[seed % len(variants)]))
        judge = Judge(game_id)
        playing.play_out(round_, dice, judge)
        tricks += judge.tricks
    assert tricks >= 3000


def test_napoleon_plays_as_many_tricks_as_the_sheet_says() -> None:
    """When all draw, four to seven seats play 13, 10, 8 and 7 tricks."""
    for seats, expected in ((4, 13), (5, 10), (6, 8), (7, 7)):
        for seed in range(10):
            round_, _, dice = playing.start("napoleon", seed, chips=dict.fromkeys(range(seats), 100))
            done = playing.play_out(round_, dice)
            assert isinstance(done, NapoleonRound)
            assert done.napoleon is None or done.number == expected
