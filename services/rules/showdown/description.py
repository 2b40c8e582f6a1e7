"""What all showdown games share as descriptions: the start of a round, table limits, payouts."""

from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from services.rules import cards, chips, faults, seating
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.faults import Fault
from services.rules.game import Game, Payout, Table
from services.rules.happenings import Happening, Shuffled
from services.rules.phases import BEFORE_ALL
from services.rules.refusals import Reason, Refused
from services.rules.showdown import texts
from services.rules.showdown.table import ShowdownRound, ShowdownRules
from services.rules.text import Text

RulesT = TypeVar("RulesT", bound=ShowdownRules, default=ShowdownRules)
RoundT = TypeVar("RoundT", bound=ShowdownRound[Any], default=ShowdownRound[Any])


class ShowdownGame(Game[RulesT, RoundT], Generic[RulesT, RoundT]):
    """What all showdown games share; a game's file adds names, texts, pack and ladder."""

    family: ClassVar[str] = "showdown"
    fewest: ClassVar[int] = 2

    def pack(self, rules: RulesT) -> tuple[Card, ...]:
        """Return the pack that is shuffled for every round."""
        return cards.PACK_52

    def start(self, rules: RulesT, table: Table, chance: Chance) -> tuple[RoundT, list[Happening]]:
        """Start a round with all seats that have chips. Raises Refused where fewer than ``min_seats`` have any."""
        carry = {seat: held for seat, held in table.chips.items() if held > 0}
        if len(carry) < max(self.fewest, rules.min_seats):
            needed = max(self.fewest, rules.min_seats)
            message = f"{len(carry)} seats have chips; a round needs {needed}"
            figures = {"seats": len(carry), "needed": needed, "chips": 1}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, carry)
        pack = self.pack(rules)
        round_ = self.round_type(
            at=BEFORE_ALL,
            carry=carry,
            button=button,
            rules=rules,
            seats=tuple(chips.to_the_left(carry, button)),
            stock=Stock(number=0, cards=chance.shuffle(pack)),
        )
        return round_, [Shuffled(stock=0, size=len(pack)), *round_.begin(chance)]

    def conflicts(self, rules: RulesT) -> list[Fault]:
        """Check that no claim grows beyond the chips that the house takes at once [showdown "Common"]."""
        if rules.greatest_claim() <= chips.MOST_CHIPS:
            return []
        message = f"one claim could be {rules.greatest_claim()} chips; it must be at most {chips.MOST_CHIPS}"
        most = rules.base * chips.MOST_CHIPS // rules.greatest_claim()
        return [Fault("base", message, faults.out_of_range("base", rules.base, 1, most).text, least=1, greatest=most)]

    def payouts(self, rules: RulesT) -> tuple[Payout, ...]:
        """List what each category is paid, from the best one down."""
        return tuple(
            Payout(bet=category, wins=self.words[category], pays=f"{factor} × {self.unit(rules)}")
            for category, factor in reversed(rules.factors().items())
        )

    def unit(self, rules: RulesT) -> str:
        """Return the multiplicand of a multiplier, for the table of payouts."""
        return str(rules.base)

    def greatest_win(self, rules: RulesT) -> Text:
        """Return the text of the bound on a win: the own chips, or the greatest debts of all others."""
        if rules.win_cap == "stake":
            return texts.CAPPED_WIN
        return texts.uncapped_win((rules.max_seats - 1) * rules.greatest_claim())
