"""What a round tells front ends beside its view: what its seats may choose from, and what hands are worth."""

from collections.abc import Sequence

import msgspec

from services.rules import actions
from services.rules.cards import Card
from services.rules.offers import Option
from services.rules.text import Text
from services.rules.worth import Worth


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

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return what the cards of a zone are worth that lie open to a viewer; None where that is no hand."""
        del owner, zone, cards
        return None

    def in_words(self, seat: int) -> Text | None:
        """Return what a seat of a round that has ended came to, in words; None where its hand says it."""
        del seat
        return None
