"""What seats put in before the first card: blinds or antes [poker 0.1]."""

from services.rules.happenings import Happening, Staked
from services.rules.poker.betting import BLINDS, return_unmatched
from services.rules.poker.engine import PokerRound
from services.rules.poker.house_rules import AnteRules, WithBlinds


class BlindRound(PokerRound, kw_only=True):
    """A hand with blinds [poker 0.1]."""

    rules: WithBlinds

    def small_place(self) -> int:
        """Give the place of the small blind: left of the button, of two seats by the house rules [poker D7]."""
        two = len(self.order) == 2
        return 1 if two and self.rules.button_is_small else 0

    def big_place(self) -> int:
        """Give the place of the big blind: left of the small blind."""
        return (self.small_place() + 1) % len(self.order)

    def post(self, log: list[Happening]) -> None:
        """Post both blinds; who has less posts all. The price is the full big blind."""
        rules = self.rules
        for place, what, blind in (
            (self.small_place(), "small_blind", rules.small),
            (self.big_place(), "big_blind", rules.minimum),
        ):
            amount = min(blind, self.stacks[place])
            self.put_in(place, amount)
            self.totals[place] = amount
            log.append(Staked(self.order[place], what, amount))
        self.price = rules.minimum
        self.raises = 1

    def opener(self, how: str) -> int:
        """Start left of the big blind in the first betting round, then left of the button."""
        return self.big_place() + 1 if how == BLINDS else super().opener(how)


class AnteRound(PokerRound, kw_only=True):
    """A hand with antes [poker 0.1]; antes are not part of a betting round's totals."""

    rules: AnteRules

    def post(self, log: list[Happening]) -> None:
        """Post every ante; a short stack posts all-in. What no other seat matched is returned at once [poker 0.1]."""
        antes = [min(self.rules.ante, stack) for stack in self.stacks]
        for place, amount in enumerate(antes):
            if amount:
                self.put_in(place, amount)
                log.append(Staked(self.order[place], "ante", amount))
        return_unmatched(self, antes, log)

    def may_open_with_check(self) -> bool:
        """By the house rule ``open_check``."""
        return self.rules.open_check
