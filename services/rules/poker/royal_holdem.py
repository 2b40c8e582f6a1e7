"""Royal club hold'em, 皇家夜總會 (poker, royal_holdem): the dealer is drawn for, a raise doubles the highest bet."""

from collections.abc import Mapping
from typing import ClassVar

from services.rules import seating
from services.rules.cards import PACK_52, RANKS, SUITS
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.hand_history import HandHistory
from services.rules.happenings import Dealt, Happening, Noted, Phase, Shuffled
from services.rules.kinds import Limit, Only
from services.rules.poker import house_rules, keys, showdown_keys, structures, texas_holdem, words
from services.rules.poker.engine import PokerRound
from services.rules.poker.game import PokerGame
from services.rules.poker.stakes import BlindRound
from services.rules.poker.streets import DEALER_DRAW, Step
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text
from services.rules.vocabulary import Terms

FIRST = "first"
EVERY = "every"
NONE = "none"
FOLD = "fold"
CHECK_OR_FOLD = "check_or_fold"


class Rules(house_rules.WithBlinds, frozen=True, kw_only=True):
    """Defaults of the sheet; the blinds are half of ``base`` and ``base``."""

    base: keys.RoyalBase = 10
    reraise: keys.Reraise = False
    dealer_draw: keys.DealerDraw = FIRST
    timeout: keys.Timeout = FOLD
    rake_bps: int = 500
    run_it: showdown_keys.RunIt = showdown_keys.ONCE

    @property
    def minimum(self) -> int:
        """The base stake, which is the big blind."""
        return self.base

    @property
    def small(self) -> int:
        """Half of the base stake."""
        return self.base // 2

    @property
    def offers_two_boards(self) -> bool:
        """By the house rule ``run_it``."""
        return self.run_it == showdown_keys.TWICE


class Doubling(structures.NoLimit):
    """A raise at least doubles the amount to call, and is never short."""

    def may_raise(self, hand: PokerRound, position: int) -> bool:
        """Not after a raise since the last action; the first bet and the blinds are no raises [royal_holdem D2]."""
        assert isinstance(hand.rules, Rules), f"{type(hand.rules)} are not the rules of this game"
        mark = hand.acted[position]
        return mark < 0 or hand.rules.reraise or hand.raises <= max(mark, 1)

    def raise_to(self, hand: PokerRound, position: int) -> structures.Span | None:
        """Return the span: twice the amount to call, and at least the base, up to all chips [royal_holdem D3, D4]."""
        whole = hand.totals[position] + hand.stacks[position]
        least = max(2 * hand.to_call, hand.bet_unit)
        return (least, whole) if whole >= least and self.may_raise(hand, position) else None


class Hand(BlindRound, kw_only=True):
    """A hand of hold'em by the club's rules."""

    rules: Rules
    by_betting: ClassVar[Mapping[str, structures.NoLimit]] = {structures.NO_LIMIT: Doubling()}
    streets: ClassVar[tuple[Step, ...]] = texas_holdem.Hand.streets
    ladders: ClassVar[tuple[Ladder, ...]] = texas_holdem.Hand.ladders

    def post(self, log: list[Happening]) -> None:
        """Post the blinds; a big blind that cannot double the amount to call is not asked unless somebody raises."""
        super().post(log)
        position = self.big_blind_position()
        if self.totals[position] + self.stacks[position] < 2 * self.to_call:
            self.acted[position] = self.raises

    def mark(self) -> int:
        """Return how many bets and raises there were when a seat acted."""
        return self.raises

    def dealing_order(self) -> list[int]:
        """Deal from the small blind on, also with two seats [royal_holdem D9]."""
        positions, first = len(self.order), self.small_blind_position()
        return [(first + offset) % positions for offset in range(positions)]

    def checks_on_timeout(self) -> bool:
        """By the house rule ``timeout``: the club folds late seats even where checking is free [royal_holdem D6]."""
        return self.rules.timeout == CHECK_OR_FOLD


class RoyalHoldem(PokerGame[Rules, Hand]):
    """Royal club hold'em."""

    id = "royal_holdem"
    name = Text(en="Royal club hold'em", zh_hant="皇家夜總會", zh_hans="皇家夜总会")
    summary = words.joined(
        Text(
            en="Hold'em by the rules of the royal club. Each player draws one card for the first deal: highest rank, "
            "then suit (spades, hearts, diamonds, clubs). Blinds are half the base and the base. A raise must "
            "reach at least twice the highest bet; a player with fewer chips may only call or fold. A player who "
            "has already acted may not raise again after a raise, unless the table allows it. The house takes its "
            "share of every pot. A player who runs out of time folds, even where checking is free, unless the "
            "table says otherwise.",
            zh_hant="正統美式德州撲克。牌局開始前每人發一張牌，點數最大者為莊家，點數相同比花色（黑桃＞紅心＞方塊＞梅花）。"
            "小盲注為底注的一半，大盲注為底注。加注至少為目前最大注金的兩倍，賭金不足者只能跟注或放棄；已行動者遇有"
            "人加注後只能跟注或放棄，除非該桌另有設定。系統自每個底池抽成。讀秒結束即視為蓋牌，即使當時可以不喊亦然，"
            "除非該桌另有設定。",
            zh_hans="正统美式德州扑克。牌局开始前每人发一张牌，点数最大者为庄家，点数相同比花色（黑桃＞红心＞方块＞梅花）。"
            "小盲注为底注的一半，大盲注为底注。加注至少为当前最大注金的两倍，赌金不足者只能跟注或放弃；已行动者遇有"
            "人加注后只能跟注或放弃，除非该桌另有设定。系统自每个底池抽成。读秒结束即视为盖牌，即使当时可以不喊亦然，"
            "除非该桌另有设定。",
        ),
        words.LADDER,
        words.PLAIN,
        words.MONEY_RULES,
        words.MALFUNCTION,
    )
    terms = texas_holdem.GAME.terms + Terms(phase=DEALER_DRAW, zone=DEALER_DRAW, happening="button")
    words: ClassVar[dict[str, Text]] = {
        **texas_holdem.GAME.words,
        DEALER_DRAW: Text(en="draw for the dealer", zh_hant="抽牌決定莊家", zh_hans="抽牌决定庄家"),
        "button": Text(en="dealer", zh_hant="莊家", zh_hans="庄家"),
    }
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="T", ohh="Holdem")
    most = 10
    flop = True

    def limits(self, rules: Rules) -> dict[str, Limit]:
        """Return also that the betting is the club's own."""
        return {**super().limits(rules), "betting": Only((structures.NO_LIMIT,))}

    def due(self, rules: Rules, table: Table) -> dict[int, dict[str, int]] | None:
        """Return also None where the dealer is drawn for."""
        return None if _draws(rules, table) else super().due(rules, table)

    def choose_button(
        self, rules: Rules, table: Table, seats: list[int], chance: Chance, log: list[Happening]
    ) -> tuple[int, int]:
        """Draw for the dealer where the house rule says so [royal_holdem D1], else move the button to the left."""
        if not _draws(rules, table):
            return seating.next_button(table, seats), 0
        stock = Stock(number=0, cards=chance.shuffle(PACK_52))
        log += [Shuffled(0, len(stock)), Phase(DEALER_DRAW)]
        drawn = {}
        for stock_position, seat in enumerate(seats):
            drawn[seat] = stock.deal()
            log.append(Dealt(seat, DEALER_DRAW, 0, (stock_position,), (drawn[seat],)))
        dealer = max(seats, key=lambda seat: (RANKS.index(drawn[seat][0]), SUITS.index(drawn[seat][1])))
        log.append(Noted("button", dealer))
        return dealer, 1


def _draws(rules: Rules, table: Table) -> bool:
    """Return whether the dealer of the next round is drawn for [royal_holdem D1]."""
    return rules.dealer_draw != NONE and (rules.dealer_draw != FIRST or table.button is None)


GAME = RoyalHoldem()
