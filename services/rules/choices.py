"""What a round lets its seats choose from: the part of the interface of all games that front ends draw buttons of."""

import msgspec

from services.rules import actions
from services.rules.offers import Option


class Choices(msgspec.Struct, kw_only=True):
    """The base of ``services.rules.game.Round``."""

    def options(self, seat: int) -> list[Option]:
        """List all that a seat may do now: complete, and nothing in it is refused."""
        raise NotImplementedError

    def offers(self, seat: int) -> list[Option]:
        """List what a seat is shown to choose from: its options, each thing that it can do once."""
        return self.options(seat)

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return the chips that an action of a seat's options adds to its stake at once."""
        del seat
        return action.amount if isinstance(action, actions.Bet | actions.PlaceBet) else 0

    def suggested(self, seat: int, action: str) -> dict[str, int]:
        """Return amounts of an action that people often choose, by word; some may be out of what is offered now."""
        del seat, action
        return {}
