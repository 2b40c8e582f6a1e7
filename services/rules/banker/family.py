"""What all games of the banker family answer alike."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import actions
from services.rules.banker.bank import BankRules, banker_left, seats_needed
from services.rules.banker.table import BankRound, seat_round
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Rng
from services.rules.game import Game, Table
from services.rules.happenings import Happening
from services.rules.offers import Between, Option

WHOLE_BPS: Final = 10_000
FLAT_BET: Final = 100
"""What simulations bet on every hand: chips that every fee and every half divides without a rest."""

RulesT = TypeVar("RulesT", bound=BankRules, default=BankRules)
RoundT = TypeVar("RoundT", bound=BankRound[Any], default=BankRound[Any])


class BankerGame(Game[RulesT, RoundT], Generic[RulesT, RoundT]):
    """A game against a bank; ``pack`` is what is shuffled for a round, unless the rules say more."""

    family: ClassVar[str] = "banker"
    pack: ClassVar[Sequence[Card]] = PACK_52

    def seats(self, rules: RulesT) -> tuple[int, int]:
        """Return the sheet's seats, one more with a banker who is a seat; some games may be opened for more."""
        fewest, most = rules.seats_of_sheet()
        return fewest, most if rules.widest is None else rules.widest

    def cards(self, rules: RulesT) -> Sequence[Card]:
        """Return what is shuffled for a round under these rules."""
        del rules
        return self.pack

    def least_carry(self, rules: RulesT) -> int:
        """Return the chips that a player must hold to be in [banker "Who is in"]."""
        return rules.least_carry

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Remember that the banker has left [banker "Rotation"; san_gong_banker D2]."""
        return banker_left(memory, seat)

    def start(self, rules: RulesT, table: Table, chance: Chance) -> tuple[RoundT, list[Happening]]:
        """Start a round; refused where too few seats are taken or none can play."""
        seats_needed(rules, table)
        round_, log = self.open(rules, table, chance)
        return round_, log + round_.begin(chance)

    def open(self, rules: RulesT, table: Table, chance: Chance) -> tuple[RoundT, list[Happening]]:
        """Seat the bank and the players, and shuffle."""
        banked, least = rules.next_bank(table), rules.least_carry
        return seat_round(self.round_type, rules, table, chance, banked=banked, least=least, pack=self.cards(rules))

    def strategy(self, round_: RoundT, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:
        """Bet the same chips on every hand if there is one bet, and play hands by ``turn_action``."""
        del rng
        for option in options:
            amount = option.arguments.get("amount")
            if option.action == "bet" and isinstance(amount, Between):
                return actions.Bet(min(amount.most, max(amount.least, FLAT_BET)))
        return self.turn_action(round_, seat, [option.action for option in options])

    def stands(self, cards: Sequence[Card]) -> bool:
        """Return whether a hand that may take cards should rather stand: what house players go by."""
        del cards
        return True

    def calls(self, own: Sequence[Card], board: Sequence[Card]) -> bool:
        """Return whether a hand should call rather than fold: what house players go by."""
        del own, board
        return True

    def best_bet(self, round_: RoundT, seat: int, able: Between) -> int:
        """Bet the same chips on every hand."""
        del round_, seat
        return min(able.most, max(able.least, FLAT_BET))

    def best_returns(self, rules: RulesT) -> dict[str, Fraction] | None:
        """Return the enumerated return of every bet; None where one of them has none."""
        payouts = self.payouts(msgspec.structs.replace(rules, fee_bps=0))
        if any(entry.exact_return is None for entry in payouts):
            return None
        return {entry.bet: Fraction(entry.exact_return or 0) for entry in payouts}

    def turn_action(self, round_: RoundT, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Choose an action other than a bet for a simulation; None: any legal one at random."""
        del round_, seat, able
        return None


def returned(results: Mapping[int, int], total: int, fee_bps: int = 0, unit: int = 1) -> str:
    """Write the return to player of a bet as a fraction.

    ``results``: in how many of ``total`` equally likely cases the bet nets so many units, losses negative; ``unit``:
    units to one bet. The fee is taken from each win as a fraction of it, that is, for bets great enough that its
    rounding does not matter.
    """
    assert sum(results.values()) == total, f"{sum(results.values())} of {total} cases are accounted for"
    back = Fraction(0)
    for net, cases in results.items():
        kept = Fraction(net, unit) * (1 - Fraction(fee_bps, WHOLE_BPS)) if net > 0 else Fraction(net, unit)
        back += (1 + kept) * cases
    return str(back / total)
