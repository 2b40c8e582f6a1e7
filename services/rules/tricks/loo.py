"""Three-card Loo (tricks, ``loo``): a single pool and a double pool; a card of another suit ends the trick."""

from typing import Final

import msgspec

from services.rules import game, limits
from services.rules.chance import Stock
from services.rules.happenings import Dealt
from services.rules.text import Text
from services.rules.tricks import deal
from services.rules.tricks.loo_round import CARDS_EACH, TRICKS, LooRound, LooRules
from services.rules.tricks.texts import capped
from services.rules.tricks.texts import loo as texts

MISS: Final = -1
"""Stands for the Miss where cards are dealt round."""


class Loo(deal.TrickGame):
    """Three-card Loo (seed trick-and-pool-games.txt, 游戏九规则) [loo D1]."""

    id = "loo"
    name = texts.NAME
    summary = texts.SUMMARY
    words = texts.WORDS
    rules_type = LooRules
    round_type = LooRound
    fewest = 5
    most = 8

    def faults(self, rules: game.HouseRules) -> list[game.Fault]:
        """Check the stake and the common limits."""
        assert isinstance(rules, LooRules)
        faults = limits.common(rules, fewest=self.fewest, most=self.most) + limits.between(rules, "stake", TRICKS)
        if rules.stake % TRICKS:
            faults.append(game.Fault("stake", f"{rules.stake} cannot be shared by three tricks; use a multiple of 3"))
        return faults

    def least_carry(self, rules: game.HouseRules) -> int:
        """Give three stakes: both pools, and one for who gets no trick."""
        assert isinstance(rules, LooRules)
        return 3 * rules.stake

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Take the dealer's stake, deal the hands and the Miss [loo Play 1], ask the dealer [loo Play 2]."""
        assert isinstance(rules, LooRules)
        hands, record = deal.deal(stock, (*order, MISS), CARDS_EACH)
        apart = record[-1]
        assert isinstance(apart, Dealt), "dealing records what it dealt"
        round_ = LooRound(
            rules=rules, carry=deal.carry_of(table, order), button=order[-1], order=order, miss=hands.pop(MISS),
            hands=hands, stock=stock, table_pot=table.pot, memory=deal.last_seats(table, order),
            miss_positions=apart.positions,
        )  # fmt: skip
        staked = round_.stake(order[-1:], rules.stake, "single")
        lying = msgspec.structs.replace(apart, to=None, zone="miss")
        return round_, [*staked, *record[:-1], lying, *round_.ask("miss", order[-1:])]

    def payouts(self, rules: game.HouseRules) -> tuple[game.Payout, ...]:
        """List what a trick, a flush and a dealer left alone are paid."""
        assert isinstance(rules, LooRules)
        pot = f"pot + {rules.stake} × seats"
        return (
            game.Payout(bet="single", wins=texts.SINGLE_TRICK, pays=str(rules.stake // TRICKS)),
            game.Payout(bet="double", wins=texts.DOUBLE_TRICK, pays=f"({pot}) ÷ 3"),
            game.Payout(bet="double", wins=texts.FLUSH, pays=pot),
            game.Payout(bet="double", wins=texts.ALL_FOLD, pays=pot),
        )

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Give both pools, less what the winner puts in himself."""
        assert isinstance(rules, LooRules)
        return capped(texts.greatest(rules.stake, rules.max_seats), rules)


GAME = Loo()
