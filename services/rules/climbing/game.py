"""What all climbing games share: the seats dealt in, the button, the pack, the words."""

from typing import Any, ClassVar, Final, Generic

from typing_extensions import TypeVar

from services.rules import chips, game, seating
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.climbing.round import ClimbingRound
from services.rules.happenings import Happening, Shuffled
from services.rules.phases import BEFORE_ALL
from services.rules.refusals import Reason, Refused
from services.rules.text import Text

COMMON: Final[dict[str, Text]] = {
    "play": Text("play", "出牌", "出牌"),
    "ended": Text("ended", "結束", "结束"),
    "hand": Text("hand", "手牌", "手牌"),
    "played": Text("played", "打出", "打出"),
    "passed": Text("passes", "過", "过"),
    "pass": Text("pass", "過", "过"),
    "cards": Text("cards", "牌", "牌"),
    "single": Text("single", "單張", "单张"),
    "triple": Text("triple", "三條", "三条"),
}
"""The words that all climbing games share."""

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


def cards_left(left: int) -> Text:
    """Return the number of cards that a seat was left with in a round that has ended."""
    return Text(f"{left} card{'' if left == 1 else 's'} left", f"剩{left}張", f"剩{left}张")


def joined(first: Text, second: Text) -> Text:
    """Put two texts on one line, with a comma between them."""
    return Text(
        f"{first.en}, {second.en}",
        f"{first.zh_hant}，{second.zh_hant}",
        f"{first.zh_hans}，{second.zh_hans}",
    )
