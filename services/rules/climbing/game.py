"""What all climbing games share: the seats dealt in, the button, the pack."""

from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from services.rules import chips, game, seating
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.climbing.round import ClimbingRound
from services.rules.happenings import Happening, Shuffled
from services.rules.phases import BEFORE_ALL
from services.rules.refusals import Reason, Refused
from services.rules.text import Text

RulesT = TypeVar("RulesT", bound=game.HouseRules, default=game.HouseRules)
ClimbingRoundT = TypeVar("ClimbingRoundT", bound=ClimbingRound[Any], default=ClimbingRound[Any])


class ClimbingGame(game.Game[RulesT, ClimbingRoundT], Generic[RulesT, ClimbingRoundT]):
    """The description of a climbing game; it is played by a fixed number of seats."""

    family = "climbing"
    pack: ClassVar[tuple[Card, ...]] = PACK_52

    def start(self, rules: RulesT, table: game.Table, chance: Chance) -> tuple[ClimbingRoundT, list[Happening]]:
        """Start a round with all seats that hold the least carry. Raises Refused (``NOT_ENOUGH_SEATS``)."""
        least, seats = self.least_carry(rules), self.fewest
        carry = {seat: held for seat, held in table.chips.items() if held >= least}
        if len(carry) < seats:
            message = f"{len(carry)} seats hold {least} chips or more; this game needs {seats}"
            figures = {"seats": len(carry), "needed": seats, "chips": least}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, carry)
        stock = Stock(number=0, cards=chance.shuffle(self.pack))
        round_ = self.round_type(
            rules=rules,
            at=BEFORE_ALL,
            clock=BEFORE_FIRST,
            carry=carry,
            button=button,
            stock=stock,
            hands={seat: [] for seat in chips.to_the_left(carry, button)},
            turn=button,
        )
        return round_, [Shuffled(0, len(self.pack)), *round_.begin(chance)]


BEFORE_FIRST = -1
"""The clock before the first deadline, which is number 0."""


def cards_left(part: Text, left: int) -> Text:
    """Return a seat's part in a round that has ended, with the number of cards that it was left with."""
    return Text(
        f"{part.en}, {left} card{'' if left == 1 else 's'} left",
        f"{part.zh_hant}，剩{left}張",
        f"{part.zh_hans}，剩{left}张",
    )
