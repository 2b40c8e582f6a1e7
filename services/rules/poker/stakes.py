"""What seats put in before the first card: blinds or antes [poker 0.1]."""

from services.rules.happenings import Happening, Staked
from services.rules.poker.betting import BLINDS, return_unmatched
from services.rules.poker.engine import PokerRound
from services.rules.poker.house_rules import AnteRules, WithBlinds


def post_antes(hand: PokerRound, ante: int, log: list[Happening]) -> None:
    """Post every ante; a short stack posts all-in. What no other seat matched is returned at once [poker 0.1]."""
    antes = [min(ante, stack) for stack in hand.stacks]
    for position, amount in enumerate(antes):
        if amount:
            hand.put_in(position, amount)
            log.append(Staked(hand.order[position], "ante", amount))
    return_unmatched(hand, antes, log)


class BlindRound(PokerRound, kw_only=True):
    """A hand with blinds [poker 0.1]."""

    rules: WithBlinds

    def small_blind_position(self) -> int:
        """Return the position of the small blind: left of the button, of two seats by the house rules [poker D7]."""
        two = len(self.order) == 2
        return 1 if two and self.rules.button_is_small else 0

    def big_blind_position(self) -> int:
        """Return the position of the big blind: left of the small blind."""
        return (self.small_blind_position() + 1) % len(self.order)

    def blinds(self) -> tuple[tuple[int, str, int], ...]:
        """List the blinds in the order in which they are posted: position, name, chips."""
        return (
            (self.small_blind_position(), "small_blind", self.rules.small),
            (self.big_blind_position(), "big_blind", self.rules.minimum),
        )

    def post(self, log: list[Happening]) -> None:
        """Post the blinds; a short stack posts all-in. The amount to call is the full big blind."""
        for position, what, blind in self.blinds():
            amount = min(blind, self.stacks[position])
            self.put_in(position, amount)
            self.totals[position] = amount
            log.append(Staked(self.order[position], what, amount))
        self.to_call = self.rules.minimum
        self.raises = 1

    def opener(self, how: str) -> int:
        """Start left of the big blind in the first betting round, then left of the button."""
        return self.big_blind_position() + 1 if how == BLINDS else super().opener(how)


class AnteRound(PokerRound, kw_only=True):
    """A hand with antes [poker 0.1]; antes are not part of a betting round's totals."""

    rules: AnteRules

    def post(self, log: list[Happening]) -> None:
        """Post every ante; a short stack posts all-in. What no other seat matched is returned at once [poker 0.1]."""
        post_antes(self, self.rules.ante, log)

    def may_open_with_check(self) -> bool:
        """By the house rule ``open_check``."""
        return self.rules.open_check
