"""The window in which players lay any number of bets on spots [banker "Spots"].

Each call costs the same, however many seats are at the table.
"""

from collections.abc import Sequence
from typing import Any, Generic

from services.rules import actions, illegal_actions
from services.rules.banker.table import BETS, BankRound, BankRoundT, amount_within, covered
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted, Staked
from services.rules.offers import Between, OneOf, Option
from services.rules.phases import Phase


class SpotBets(Phase[BankRoundT], Generic[BankRoundT], frozen=True, kw_only=True):
    """The window for bets on ``spots``, which stand in the sheet's order.

    A game in which bets depend on each other lists and tests them itself.
    """

    time = "bet_seconds"

    name: str = BETS
    spots: tuple[str, ...]

    def asked(self, round_: BankRoundT) -> Sequence[int]:
        """List the seats that have not sent done."""
        return [seat for seat in round_.players if seat not in round_.finished]

    def options(self, round_: BankRoundT, seat: int) -> list[Option]:
        """List the spots with what may be added to each, and done."""
        if seat in round_.finished or seat == round_.bank.seat:
            return []
        rules, laid = round_.rules, round_.spots.get(seat, {})
        free = round_.carry[seat] // rules.cover - round_.bets.get(seat, 0)
        by_most: dict[int, list[str]] = {}
        for spot in self.spots:
            most = min(free, rules.max_bet - laid.get(spot, 0)) if rules.max_bet else free
            if most >= rules.min_bet:
                by_most.setdefault(most, []).append(spot)
        found = [
            Option("place_bet", {"spot": OneOf(tuple(spots)), "amount": Between(rules.min_bet, most)})
            for most, spots in by_most.items()
        ]
        return [*found, Option("done")]

    def verify(self, round_: BankRoundT, seat: int, action: actions.Action) -> None:
        """Test a bet on a spot, or done."""
        if seat == round_.bank.seat or seat in round_.finished:
            raise round_.not_now(seat, action)
        if isinstance(action, actions.Done):
            return
        if not isinstance(action, actions.PlaceBet):
            raise round_.not_now(seat, action)
        if action.spot not in self.spots:
            right = ", ".join(self.spots)
            raise illegal_actions.illegal(
                f"{action.spot!r} is not a spot; the spots are {right}", illegal_actions.NO_SPOT
            )
        rules, laid = round_.rules, round_.spots.get(seat, {}).get(action.spot, 0)
        # A bet has its own least amount; the greatest one is for all bets of the seat on the spot together.
        amount_within(action.amount, rules.min_bet, rules.max_bet - laid if rules.max_bet else None)
        covered(round_.bets.get(seat, 0) + action.amount, rules.cover, round_.carry[seat])

    def do(self, round_: BankRoundT, seat: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Lay a bet, or end the seat's betting; the last done closes the window."""
        if isinstance(action, actions.PlaceBet):
            round_.lay(seat, action.spot, action.amount)
            log.append(Staked(seat, action.spot, action.amount))
            return False
        round_.finished[seat] = True
        log.append(Noted("done", seat))
        return len(round_.finished) == len(round_.players) and self.close(round_, log)

    def on_timeout(self, round_: BankRoundT, chance: Chance, log: list[Happening]) -> bool:
        """End the betting of all seats; the bets placed so far stand."""
        log += [Decided(seat, actions.Done()) for seat in self.asked(round_)]
        round_.finished = dict.fromkeys(round_.players, True)
        return self.close(round_, log)

    def close(self, round_: BankRoundT, log: list[Happening]) -> bool:
        """Close the window; without any bet no card is turned and the round does not count."""
        round_.end_without_bets(log)
        return True


def status(round_: BankRound[Any], seat: int) -> str:
    """Return the status of a seat in a game of spots: banker, betting or done."""
    if seat == round_.bank.seat:
        return "banker"
    return "done" if seat in round_.finished else "betting"
