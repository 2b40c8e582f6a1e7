"""The common parts of all poker games' descriptions: seats, button, start, and seats that are out afterwards."""

import itertools
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import seating
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.chips import to_the_left
from services.rules.game import Game, Payout, Table
from services.rules.happenings import Happening, Staked
from services.rules.kinds import Limit, Range
from services.rules.outcomes import Outcome
from services.rules.poker import house_rules, keys, positions, structures
from services.rules.poker.betting import Betting
from services.rules.poker.boards import Board
from services.rules.poker.engine import PokerRound
from services.rules.poker.streets import Own
from services.rules.ranking import five_cards
from services.rules.ranking.ladder import Ladder
from services.rules.refusals import Reason, Refused
from services.rules.text import Text

BEST_HAND = Text(
    en="the best hand among the seats that may win the pot, or the last seat that has not folded",
    zh_hant="有權爭奪該底池者中牌面最大者，或最後一位未蓋牌的玩家",
    zh_hans="有权争夺该底池者中牌面最大者，或最后一位未盖牌的玩家",
)


RulesT = TypeVar("RulesT", bound=house_rules.PokerRules, default=house_rules.PokerRules)
RoundT = TypeVar("RoundT", bound=PokerRound, default=PokerRound)


class PokerGame(Game[RulesT, RoundT], Generic[RulesT, RoundT]):
    """A poker game; a subclass defines names, house rules, the round's class and the most seats."""

    family: ClassVar[str] = "poker"
    fewest: ClassVar[int] = 2
    pots: ClassVar[bool] = True
    pack: ClassVar[tuple[Card, ...]] = PACK_52
    capped: ClassVar[bool] = False

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int:
        """Return how good a whole hand is, greater is better: what house players compare hands by."""
        ladders = self.round_type.ladders
        if not ladders:
            return five_cards.plain([*own, *table])
        strength = ladders[0].strength(own, table)
        assert strength is not None, f"{own} and {table} make no hand"
        return strength

    def kept(self, hand: Sequence[Card], most: int) -> Sequence[Card] | None:
        """Return the cards that a house player keeps in a draw of ``most`` cards; None: as for a high hand."""
        del hand, most  # a game without draws, or for high hands
        return None

    @property
    def low(self) -> Ladder | None:
        """The ladder of the low half, where pots are divided."""
        ladders = self.round_type.ladders
        return ladders[1] if len(ladders) > 1 else None

    def own_cards(self) -> int:
        """Return how many cards of its own a seat holds in the end."""
        return sum(step.count for step in self.round_type.streets if isinstance(step, Own))

    def hole_cards(self) -> int:
        """Return how many cards a seat is dealt before the first betting round."""
        first = itertools.takewhile(lambda step: not isinstance(step, Betting), self.round_type.streets)
        return sum(step.count for step in first if isinstance(step, Own))

    def table_cards(self) -> int:
        """Return how many cards lie on the table in the end."""
        return sum(step.count for step in self.round_type.streets if isinstance(step, Board))

    def warnings(self, rules: RulesT) -> list[str]:
        """List the faults where pot limit leaves no room for a bet."""
        if isinstance(rules, house_rules.AnteRules) and rules.betting == structures.POT_LIMIT:
            fullest = rules.ante * rules.max_seats
            if fullest < rules.min_bet:
                return [
                    f"the antes make a pot of at most {fullest}: with pot_limit no bet of {rules.min_bet} is possible"
                ]
        return []

    def start(self, rules: RulesT, table: Table, chance: Chance) -> tuple[RoundT, list[Happening]]:
        """Deal in every seat with at least 1 chip. Raises Refused where fewer than ``min_seats`` hold one.

        Source: [poker 0.1].
        """
        able = self.ready(rules, table)
        if len(able) < rules.min_seats:
            message = f"{len(able)} seats hold chips; a hand needs at least {rules.min_seats}"
            figures = {"seats": len(able), "needed": rules.min_seats, "chips": 1}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        log: list[Happening] = []
        dealt, stocks = self.deal(rules, table, sorted(able)), 0
        button = dealt.button
        if button is None:
            button, stocks = self.choose_button(rules, table, list(dealt.seats), chance, log)
        carry = {seat: table.chips[seat] for seat in dealt.seats}
        round_ = self.new_round(rules, carry, button, Stock(number=stocks, cards=chance.shuffle(self.pack)))
        round_.recall(table.memory, dealt.blinds)
        return round_, log + round_.open(chance)

    def deal(self, rules: RulesT, table: Table, able: Sequence[int]) -> positions.Deal:
        """Return who of the seats that hold chips is dealt in, and where the button is if it does not simply move."""
        del rules, table  # everybody is
        return positions.Deal(tuple(able))

    def due(self, rules: RulesT, table: Table) -> dict[int, dict[str, int]] | None:
        """Return what seats put in before the first card of the next round: chips by reason [poker 0.13 rule 7].

        Seats that are not dealt in are left out. None: no round can start.
        """
        able = self.ready(rules, table)
        if len(able) < rules.min_seats:
            return None
        dealt = self.deal(rules, table, sorted(able))
        button = seating.next_button(table, dealt.seats) if dealt.button is None else dealt.button
        carry = {seat: table.chips[seat] for seat in dealt.seats}
        round_ = self.new_round(rules, carry, button, Stock(number=0, cards=[]))
        round_.recall(table.memory, dealt.blinds)
        log: list[Happening] = []
        round_.post(log)
        found: dict[int, dict[str, int]] = {seat: {} for seat in dealt.seats}
        for one in log:
            if isinstance(one, Staked):
                found[one.seat][one.what] = one.amount
        return found

    def choose_button(
        self, rules: RulesT, table: Table, seats: list[int], chance: Chance, log: list[Happening]
    ) -> tuple[int, int]:
        """Return the button's seat, and how many stocks were shuffled to find it."""
        del rules, chance, log  # it simply moves to the left
        return seating.next_button(table, seats), 0

    def new_round(self, rules: RulesT, carry: dict[int, int], button: int, stock: Stock) -> RoundT:
        """Make the state of a hand before the first chip is posted."""
        order = to_the_left(carry, of=button)
        positions = len(order)
        return self.round_type(
            rules=rules,
            carry=carry,
            button=button,
            order=order,
            stacks=[carry[seat] for seat in order],
            totals=[0] * positions,
            paid=[0] * positions,
            returned=[0] * positions,
            live=[True] * positions,
            acted=[structures.NOT_YET] * positions,
            down=[[] for _ in order],
            up=[[] for _ in order],
            board=[],
            stock=stock,
        )

    def after_settlement(self, rules: RulesT, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:
        """List the seats that have no chips left: they are out of the following rounds [poker 0.5]."""
        del rules  # the same everywhere
        payers = {claim.payer for claim in outcome.claims}
        eliminated = [seat for seat in sorted(chips) if seat in payers and not chips[seat]]
        return msgspec.structs.replace(outcome, facts={**outcome.facts, "eliminated": eliminated})

    def payouts(self, rules: RulesT) -> tuple[Payout, ...]:
        """Return what a pot pays after rake."""
        share = f"the pot less {rules.rake_bps / 100:g} % rake" if rules.rake_bps else "the whole pot"
        cap = f", at most {rules.rake_cap} a round" if rules.rake_bps and rules.rake_cap else ""
        spared = ", none in a round without a flop" if rules.rake_bps and rules.no_flop_no_drop else ""
        return (Payout(bet="pot", wins=BEST_HAND, pays=share + cap + spared),)

    def greatest_win(self, rules: RulesT) -> Text:
        """Return the most that a seat can win: its own chips from every other seat."""
        others = rules.max_seats - 1
        return Text(
            en=f"what the seat put in itself, from each of up to {others} other seats",
            zh_hant=f"自己下注的籌碼，至多由其他 {others} 位玩家各付一份",
            zh_hans=f"自己下注的筹码，至多由其他 {others} 位玩家各付一份",
        )


class AnteGame(PokerGame):
    """A poker game with antes."""

    least_ante: ClassVar[int] = 0

    def limits(self, rules: house_rules.PokerRules) -> dict[str, Limit]:
        """Return also the least ante of the game."""
        return {**super().limits(rules), "ante": Range(self.least_ante, keys.MOST_BET)}


class StudGame(AnteGame):
    """A poker game with a show-hand round."""

    def limits(self, rules: house_rules.PokerRules) -> dict[str, Limit]:
        """Return also the betting rounds that there are."""
        rounds = max(step.number for step in self.round_type.streets if isinstance(step, Betting))
        return {**super().limits(rules), "showhand_from": Range(1, rounds)}
