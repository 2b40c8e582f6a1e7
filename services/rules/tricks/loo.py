"""Three-card Loo (tricks, ``loo``): a single pool and a double pool; a card of another suit ends the trick."""

from typing import Any, Final

import msgspec

from services.rules import actions, game, illegal_actions
from services.rules.cards import Card, face_down
from services.rules.chance import Stock
from services.rules.happenings import Dealt, Happening, Noted, Shown
from services.rules.offers import Option
from services.rules.outcomes import POT
from services.rules.text import Text
from services.rules.tricks import deal, keys
from services.rules.tricks.engine import TrickRound
from services.rules.tricks.texts import capped
from services.rules.tricks.texts import loo as texts
from services.rules.views import Zone

CARDS_EACH: Final = 3
TRICKS: Final = 3

ANSWERS: Final[dict[str, tuple[type[actions.Action], type[actions.Action]]]] = {
    "miss": (actions.Exchange, actions.Pass),
    "supporting": (actions.Support, actions.Fold),
    "exchange": (actions.Exchange, actions.Pass),
}
"""What a seat may answer in the phases in which it is asked; the second is the deadline's.

Source: [loo Play 2, Play 5, Play 6].
"""


class LooRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``stake`` chips in each pool, a multiple of 3."""

    stake: keys.PoolStake = 3
    min_seats: int = 5
    max_seats: int = 8


class LooRound(TrickRound, kw_only=True):
    """A round of both pools.

    ``miss``: the cards apart, empty once taken; ``miss_positions``: their places in the stock. ``single``, ``double``:
    tricks won by each seat; ``folded``: seats out of the double pool; ``pool``: its chips; ``flush``: its winner.
    """

    rules: LooRules
    memory: dict[str, Any]
    miss: list[Card]
    miss_positions: tuple[int, ...]
    turned: Card | None = None
    pool: int = 0
    single: dict[int, int] = msgspec.field(default_factory=dict)
    double: dict[int, int] = msgspec.field(default_factory=dict)
    folded: list[int] = msgspec.field(default_factory=list)
    flush: int | None = None

    def players(self) -> list[int]:
        """Return the seats in a trick: all in the single pool, those that stayed in the double pool."""
        return [seat for seat in self.order if seat not in self.folded]

    # -- asking -----------------------------------------------------------------------------------------------

    def answers(self, _seat: int) -> list[Option]:
        """Offer both answers."""
        return [Option(str(kind.__struct_config__.tag)) for kind in ANSWERS[self.phase]]

    def check_answer(self, _seat: int, action: actions.Action) -> None:
        """Refuse any other answer."""
        if not isinstance(action, ANSWERS[self.phase]):
            names = [str(kind.__struct_config__.tag) for kind in ANSWERS[self.phase]]
            message = f"{action.name} is not possible now; {' or '.join(names)} is"
            raise illegal_actions.possible(message, names)

    def answer(self, seat: int, action: actions.Action) -> list[Happening]:
        """Carry out an answer, and continue once all have been asked."""
        if isinstance(action, actions.Exchange):
            return [*self._take_miss(seat), *self._go_on()]
        if isinstance(action, actions.Fold):
            self.folded.append(seat)
        return [] if self.answered() else self._go_on()

    def silence(self, seat: int) -> actions.AnyAction:
        """Pass, or fold [loo Play 2, Play 5, Play 6]; in play the weakest card [loo Play 9]."""
        return actions.Fold() if self.phase == "supporting" else super().silence(seat)

    def _take_miss(self, seat: int) -> list[Happening]:
        """Change a hand for the Miss; the old cards are out of play."""
        self.hands[seat], self.miss = self.miss, []
        return [Noted("exchanged", seat=seat), deal.dealt(seat, self.stock, self.miss_positions)]

    def _go_on(self) -> list[Happening]:
        opponents = [seat for seat in self.players() if seat != self.button]
        if self.phase == "miss":
            return self.begin_play(self.order[0], "single")
        if self.phase == "supporting" and not opponents:
            return self._dealer_wins()
        if self.phase == "supporting" and self.miss:
            return self.ask("exchange", opponents)
        return self._flush_or_play()

    # -- the two pools ----------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[Card]:
        """List the cards that may be played; the first lead of the double pool is a trump with two of them.

        Source: [loo Play 8, D6].
        """
        trumps = [card for card in self.hands[seat] if card[1] == self.trump]
        first_lead = self.phase == "double" and self.number == 0 and not self.trick
        return trumps if first_lead and len(trumps) > 1 else super().legal(seat)

    def cut_short(self) -> bool:
        """Return whether a card of another suit ends the trick at once [loo Play 3, Play 8, D2]."""
        return self.trick[-1].card[1] != self.led()

    def trick_won(self, winner: int) -> list[Happening]:
        """Pay a third of the pool; after three tricks the pool is over."""
        won, pool = (self.single, self.rules.stake) if self.phase == "single" else (self.double, self.pool)
        won[winner] = won.get(winner, 0) + 1
        self.owe(POT, winner, pool // TRICKS, self.phase)
        if self.number < TRICKS:
            self.lead(winner)
            return []
        return self._begin_double() if self.phase == "single" else self._finish(self.double)

    def _begin_double(self) -> list[Happening]:
        """Take the stakes, turn trumps, deal anew from the stock, ask the opponents [loo Play 4, Play 5]."""
        staked = self.stake(self.order, self.rules.stake, "double")
        self.pool, self.number, self.last_trick = self.table_pot, 0, []
        self.turned, turning = deal.turn(self.stock)
        self.trump = self.turned[1]
        self.hands, record = deal.deal(self.stock, self.order, CARDS_EACH)
        return [*staked, turning, *record, *self.ask("supporting", self.order[:-1])]

    def _dealer_wins(self) -> list[Happening]:
        dealer = self.order[-1]
        self.owe(POT, dealer, self.pool, "all_fold")
        return [Noted("all_fold", seat=dealer), *self.settled(self.facts(), self.memory)]

    def _flush_or_play(self) -> list[Happening]:
        """End the round if a seat has three trumps; otherwise the first seat in, from the dealer's left, leads.

        Source: [loo Play 7, D5; loo Play 8].
        """
        staying = self.players()
        flushes = [seat for seat in staying if all(card[1] == self.trump for card in self.hands[seat])]
        if not flushes:
            return self.begin_play(staying[0], "double")
        self.flush = flushes[0]
        self.owe(POT, self.flush, self.pool, "flush")
        shown = Shown(owner=self.flush, zone="hand", cards=tuple(self.hands[self.flush]))
        return [Noted("flush", seat=self.flush), shown, *self._finish([self.flush])]

    def _finish(self, winners: dict[int, int] | list[int]) -> list[Happening]:
        """Make seats that stayed in and won nothing pay into the next double pool [loo Play 7, Play 9, D3]."""
        looed = [seat for seat in self.players() if seat not in winners]
        record = self.stake(looed, self.rules.stake, "looed")
        return [*record, *self.settled(self.facts(), self.memory)]

    # -- showing ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return the tricks of both pools so far; a flush in place of the double pool's."""
        known: dict[str, Any] = {"single": dict(sorted(self.single.items()))}
        if self.flush is not None:
            known["flush"] = self.flush
        elif self.turned is not None:
            known["double"] = dict(sorted(self.double.items()))
        return known

    def status(self, seat: int) -> str:
        """Return the status of a seat: folded, if it gave up the double pool."""
        return "folded" if seat in self.folded else "playing"

    def zones(self, viewer: int | None) -> list[Zone]:
        """Add the Miss and the turned card; a flush is shown."""
        zones = [
            Zone(zone.owner, zone.name, tuple(self.hands[self.flush]))
            if zone.name == "hand" and self.flush is not None and zone.owner == self.flush
            else zone
            for zone in super().zones(viewer)
        ]
        turned = (self.turned,) if self.turned else ()
        miss = Zone(None, "miss", face_down(len(self.miss)))
        return [*zones, miss, Zone(None, "turned", turned)]


MISS: Final = -1
"""Stands for the Miss where cards are dealt round."""


class Loo(deal.TrickGame):
    """Three-card Loo (seed trick-and-pool-games.txt, 游戏九规则) [loo D1]."""

    id = "loo"
    name = texts.NAME
    summary = texts.SUMMARY
    terms = texts.TERMS
    words = texts.WORDS
    rules_type = LooRules
    round_type = LooRound
    fewest = 5
    most = 8

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return three stakes: both pools, and one for a seat without a trick."""
        assert isinstance(rules, LooRules)
        return 3 * rules.stake

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Take the dealer's stake, deal the hands and the Miss [loo Play 1], ask the dealer [loo Play 2]."""
        assert isinstance(rules, LooRules)
        hands, record = deal.deal(stock, (*order, MISS), CARDS_EACH)
        apart = record[-1]
        assert isinstance(apart, Dealt), "dealing records what it dealt"
        round_ = LooRound(
            rules=rules,
            carry=deal.carry_of(table, order),
            button=order[-1],
            order=order,
            miss=hands.pop(MISS),
            hands=hands,
            stock=stock,
            table_pot=table.pot,
            memory=deal.last_seats(table, order),
            miss_positions=apart.positions,
        )
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
        """Return both pools, less what the winner puts in himself."""
        assert isinstance(rules, LooRules)
        return capped(texts.greatest(rules.stake, rules.max_seats), rules)


GAME = Loo()
