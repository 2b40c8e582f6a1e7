"""Returns of bets by playing rounds, where no enumeration tells them: good play, the sheet's cards, no fee.

Pure: chance and the players' generator are arguments. The same generator yields the same figures.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from services.house import returns
from services.house.appraisal import HOUSE, Z99, BetReturn, banker_of
from services.house.returns import Line
from services.rules import actions, random_play, simulate
from services.rules.chance import Rng
from services.rules.game import Game, HouseRules, Round
from services.rules.offers import Between, Option
from services.rules.simulate import Strategy

SEATS: Final = 5
"""Seats that play at once, at most: their hands meet one bank's hand, and more of them are played in a second."""
CARRY: Final = 10**9
SCALE: Final = 100
"""Bets of a trial are so many times those of the rules: a half of them, or a third, is then a whole number."""


class Trial:
    """Rounds of one game under one set of rules, played on and on; ``lines`` tells what came of them so far."""

    def __init__(self, game: Game, rules: HouseRules, rng: Rng) -> None:
        self._game = game
        self._rules = as_banked_by_house(rules)
        most = self._rules.max_seats or SEATS
        self._table = dict.fromkeys(range(max(self._rules.min_seats, min(SEATS, most))), CARRY)
        self._chance = simulate.DrawnChance(rng)
        self._strategy = good_play(game, rng)
        self.rounds = 0
        self._lines: dict[str, Line] = {}

    def play(self, rounds: int) -> None:
        """Play more rounds. Raises Refused where no round can start."""
        found = returns.run(self._game, self._rules, self._table, rounds, chance=self._chance, strategy=self._strategy)
        self.rounds += rounds
        for bet, line in found.lines.items():
            if bet != returns.ALL:
                self._lines.setdefault(bet, Line()).join(line)

    def figures(self) -> tuple[BetReturn, ...]:
        """Return what every bet returned, with its 99 % interval."""
        return tuple(_figure(bet, line) for bet, line in self._lines.items() if line.staked)


def as_banked_by_house(rules: HouseRules) -> HouseRules:
    """Return the rules as they are for a bank that can pay everything, takes no fee, and rounds nothing off."""
    changed: dict[str, object] = {"fee_bps": 0}
    changed |= {key: SCALE * getattr(rules, key) for key in ("min_bet", "max_bet") if hasattr(rules, key)}
    if banker_of(rules) != HOUSE:
        more = rules.min_seats - 1
        changed |= {"banker": HOUSE, "min_seats": max(1, more), "max_seats": max(1, rules.max_seats - 1)}
    return msgspec.structs.replace(rules, **changed)


def good_play(game: Game, rng: Rng) -> Strategy:
    """Return the play that a return is stated for: the best size of every bet, and the game's own strategy after it."""

    def choose(round_: Round, seat: int, offered: Sequence[Option]) -> actions.Action:
        for option in offered:
            amount = option.arguments.get("amount")
            if option.action == "bet" and isinstance(amount, Between):
                return actions.Bet(game.best_bet(round_, seat, amount))
        return game.strategy(round_, seat, offered, rng) or random_play.sample(offered, rng)

    return choose


def _figure(bet: str, line: Line) -> BetReturn:
    half = Z99 * line.standard_error
    value = line.return_to_player
    return BetReturn(bet=bet, returned=value, low=value - half, high=value + half, rounds=line.rounds)
