"""Instant success (馬到成功): five cards against one turned card; free bets within a common limit."""

from fractions import Fraction
from typing import Any, ClassVar, Final

from services.rules import actions, keys
from services.rules.banker import words
from services.rules.banker.bank import BY_SEAT, RotatingRules, rotated
from services.rules.banker.engine import SHOWDOWN, amount_within, open_round
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.banker.in_turn import InTurnRound
from services.rules.cards import RANKS, Card
from services.rules.chance import Chance
from services.rules.faults import Fault
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Dealt, Happening, Noted, Phase, Shown, Staked
from services.rules.offers import Between, Option
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

CARDS: Final = 5
LIMIT: Final = "limit"
TURNED: Final = "turned"


DEALS: Final = 2_598_960 * 47
"""Hands of five cards, each with every card that may be turned."""
WINS: Final = 53_767_532
"""In how many of them the hand has a higher card of the suit."""
GAINED: Final = 8_385_104
"""By how many more it wins than it loses, over the hands that win more often than not."""


class HighSuitRules(RotatingRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (2, 7)

    banker: str = BY_SEAT
    banker_rounds: int = 5
    ante: keys.Ante = 5


class HighSuitRound(InTurnRound, kw_only=True):
    """``limit``: what all free bets of the deal together may come to; ``card``: the banker's, once turned."""

    turn_actions: ClassVar[tuple[type[actions.Action], ...]] = (actions.Bet, actions.Pass)

    rules: HighSuitRules
    limit: int = 0
    card: Card | None = None

    def takers(self) -> list[tuple[int | None, Hand]]:
        """Deal to the players only."""
        return [(seat, self.hands[seat]) for seat in self.players]

    def begin(self) -> list[Happening]:
        """Take the antes, deal five cards each, and let the players bet in turn."""
        self.hands = {seat: Hand() for seat in self.players}
        happened: list[Happening] = [Staked(seat, "ante", self.rules.ante) for seat in self.players]
        happened += [Phase("deal"), *self.deal(self.takers(), CARDS)]
        return happened + self.begin_turns()

    # -- free bets --------------------------------------------------------------------------------------------

    def left(self) -> int:
        """Return what is left of the limit."""
        return self.limit - sum(self.bets.values())

    def free(self, seat: int) -> int:
        """Return the chips that a seat has beside its ante."""
        return self.carry[seat] - self.rules.ante

    def passed_over(self, seat: int) -> bool:
        """Pass over a seat without chips, and all when the limit is used up."""
        return self.left() == 0 or self.free(seat) == 0

    def options(self, seat: int) -> list[Option]:
        """List bet and pass for the seat whose turn it is."""
        if self.outcome is not None or seat != self.turn:
            return []
        return [Option("bet", {"amount": Between(1, min(self.left(), self.free(seat)))}), Option("pass")]

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Test a free bet."""
        if isinstance(action, actions.Bet):
            amount_within(action.amount, 1, self.left())
            if action.amount > self.free(seat):
                message = f"seat {seat} has {self.free(seat)} chips beside its ante and cannot bet {action.amount}"
                figures = {"chips": self.free(seat), "needed": action.amount}
                raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata=figures)

    def silent(self, seat: int) -> actions.AnyAction:
        """Pass."""
        del seat
        return actions.Pass()

    def take(self, seat: int, action: actions.Action) -> list[Happening]:
        """Write down a free bet or a pass."""
        if isinstance(action, actions.Bet):
            self.bets[seat] = action.amount
            return [Staked(seat, "bet", action.amount)]
        self.bets[seat] = 0
        return [Noted("pass", seat)]

    def staked_by(self, seat: int) -> int:
        """Count ante and free bet."""
        return 0 if seat == self.bank.seat else self.rules.ante + self.bets.get(seat, 0)

    # -- showdown ---------------------------------------------------------------------------------------------

    def all_had_turn(self) -> list[Happening]:
        """Turn the top card of the stock and compare it with each player's highest card of its suit."""
        at = self.stock.next
        self.card = self.stock.deal()
        happened: list[Happening] = [Phase(SHOWDOWN), Dealt(None, TURNED, self.stock.number, (at,), (self.card,))]
        payouts = self.new_payouts()
        for seat in self.players:
            best = best_of_suit(self.hands[seat].cards, self.card[1])
            if best is not None:
                happened.append(Shown(seat, "best", (best,)))
            wins = best is not None and RANKS.index(best[0]) > RANKS.index(self.card[0])
            for bet, amount in (("ante", self.rules.ante), ("bet", self.bets.get(seat, 0))):
                if amount and wins:
                    payouts.won(seat, bet, amount, amount, bet)
                elif amount:
                    payouts.lost(seat, bet, amount, amount, bet)
        happened += self.show(self.takers())
        return happened + self.finish(payouts)

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep what lay on the table: the limit of the next deal of this banker [high_suit D1]."""
        laid = self.rules.ante * len(self.players) + sum(self.bets.values())
        return {**super().kept(counts=counts), LIMIT: laid}

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show hands and the turned card."""
        return super().zones(viewer) + ([] if self.card is None else [Zone(None, TURNED, (self.card,))])

    def facts(self) -> dict[str, Any]:
        """Show the limit and what is left of it."""
        return {LIMIT: self.limit, "left": self.left()}


def best_of_suit(hand: list[Card], suit: str) -> Card | None:
    """Return the highest card of a suit, A K Q J 10 … 2; None where the hand has none."""
    return max((card for card in hand if card[1] == suit), key=lambda card: RANKS.index(card[0]), default=None)


class HighSuit(BankerGame):
    """馬到成功."""

    id = "high_suit"
    name = Text("Instant success", "馬到成功", "马到成功")
    rules_type = HighSuitRules
    round_type = HighSuitRound
    summary = words.paragraphs(
        Text(
            "Each player posts the ante and is dealt five cards; the banker gets none. In turn each player may add "
            "a free bet or pass; a player who does not act in time passes. All free bets of a deal together may "
            "not exceed the limit: the sum of the antes in a banker's first deal, later all chips that were on the "
            "table in the deal before. The banker turns one card: a player with a higher card of its suit wins "
            "ante and free bet, any other loses them. After the number of deals set by the table the bank moves to "
            "the left.",
            "除莊家外每家下底注，各發五張。依次加注或不加（逾時視為不加）；一局所有加注合計不得超過上限：莊家第一局"
            "為底注總和，其後為上一局桌面總額。莊家翻開一張台牌：持有同花色更大牌者贏回底注與加注一倍，否則輸掉。滿"
            "該桌設定的局數後由左鄰接莊。",
            "除庄家外每家下底注，各发五张。依次加注或不加（逾时视为不加）；一局所有加注合计不得超过上限：庄家第一局"
            "为底注总和，其后为上一局桌面总额。庄家翻开一张台牌：持有同花色更大牌者赢回底注与加注一倍，否则输掉。满"
            "该桌设定的局数后由左邻接庄。",
        ),
        words.MALFUNCTION,
    )
    terms = Terms(
        phase="bets deal showdown ended",
        zone=f"hand {TURNED} best",
        status="banker bet passed turn waiting",
        reason="ante bet",
        action="bet pass",
        argument="amount",
        happening="pass passed_over turn",
        suggestion="min max",
        fact=f"banker banker_rounds left {LIMIT}",
    )
    words = words.COMMON | {
        "ante": Text("ante", "底注", "底注"),
        "passed_over": Text("passed over", "略過", "略过"),
        TURNED: Text("turned card", "台牌", "台牌"),
        "best": Text("highest card of the suit", "同花色最大牌", "同花色最大牌"),
        LIMIT: Text("limit of all free bets", "加注總上限", "加注总上限"),
        "left": Text("left of the limit", "尚可加注", "尚可加注"),
    }

    def least_carry(self, rules: HouseRules) -> int:
        """Return the ante."""
        assert isinstance(rules, HighSuitRules)
        return rules.ante

    def open(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Take antes and deal; the limit starts anew with a new banker, and with the house after its deals."""
        assert isinstance(rules, HighSuitRules)
        banked = rotated(rules, table)
        round_, happened = open_round(HighSuitRound, rules, table, chance, banked=banked, least=rules.ante)
        antes = rules.ante * len(round_.players)
        round_.limit = int(table.memory[LIMIT]) if banked.rounds else antes
        return round_, happened + round_.begin()

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction]:
        """Return what an ante returns with a free bet as great as it on the hands that win more often than not."""
        del rules
        return {"ante": Fraction(2 * WINS + GAINED, DEALS)}

    def bank_faults(self, rules: HouseRules) -> list[Fault]:
        """Refuse the house as the bank: free bets are made on seen cards, and one seat may take the whole limit."""
        del rules
        message = "house: free bets are made on seen cards, four aces always win; the bank must be held by a seat"
        return [Fault("banker", message)]

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what the stakes pay."""
        del rules
        higher = Text("a higher card of the turned card's suit", "持有台牌同花色的更大牌", "持有台牌同花色的更大牌")
        return (Payout("ante", higher, "1:1"), Payout("bet", higher, "1:1"))

    def greatest_win(self, rules: HouseRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("1", "ante and free bet", "底注與加注", "底注与加注")


GAME = HighSuit()
