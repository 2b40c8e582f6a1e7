"""Instant success (馬到成功): five cards against one turned card; free bets within a common limit."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

from services.rules import actions, happenings, keys
from services.rules.banker import words
from services.rules.banker.bank import BY_SEAT, RotatingRules
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.banker.in_turn import InTurn
from services.rules.banker.table import SHOWDOWN, BankRound, amount_within
from services.rules.cards import RANKS, Card
from services.rules.chance import Chance
from services.rules.faults import Fault
from services.rules.game import Payout, Table
from services.rules.happenings import Happening, Shown, Staked
from services.rules.offers import Between, Option
from services.rules.phases import Phase
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_card

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

    @property
    def least_carry(self) -> int:
        """The ante."""
        return self.ante


class DealFive(Phase["HighSuitRound"], frozen=True):
    """Antes are taken, and each player gets five cards; the banker gets none."""

    def begin(self, round_: "HighSuitRound", chance: Chance, log: list[Happening]) -> bool:
        """Take the antes and deal."""
        round_.hands = {seat: Hand() for seat in round_.players}
        log += [Staked(seat, "ante", round_.rules.ante) for seat in round_.players]
        log.append(happenings.Phase("deal"))
        round_.deal(round_.takers(), log, CARDS)
        return False


class FreeBets(InTurn["HighSuitRound"], frozen=True):
    """Each player may add a free bet, in turn, within what is left of the limit."""

    takes: tuple[type[actions.Action], ...] = (actions.Bet, actions.Pass)

    def passed_over(self, round_: "HighSuitRound", seat: int) -> bool:
        """Pass over a seat without chips, and all when the limit is used up."""
        return round_.left() == 0 or round_.free(seat) == 0

    def bets(self, round_: "HighSuitRound", seat: int) -> list[Option]:
        """List bet and pass."""
        return [Option("bet", {"amount": Between(1, min(round_.left(), round_.free(seat)))}), Option("pass")]

    def check(self, round_: "HighSuitRound", seat: int, action: actions.Action) -> None:
        """Test a free bet."""
        if isinstance(action, actions.Bet):
            amount_within(action.amount, 1, round_.left())
            free = round_.free(seat)
            if action.amount > free:
                message = f"seat {seat} has {free} chips beside its ante and cannot bet {action.amount}"
                figures = {"chips": free, "needed": action.amount}
                raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata=figures)

    def take(self, round_: "HighSuitRound", seat: int, action: actions.Action, log: list[Happening]) -> None:
        """Write down a free bet or a pass."""
        round_.bet_or_pass(seat, action, log)

    def forced(self, round_: "HighSuitRound", seat: int) -> actions.AnyAction:
        """Pass."""
        return actions.Pass()


class TurnCard(Phase["HighSuitRound"], frozen=True):
    """The top card of the stock meets each player's highest card of its suit."""

    name: str = SHOWDOWN

    def begin(self, round_: "HighSuitRound", chance: Chance, log: list[Happening]) -> bool:
        """Turn the card and settle."""
        log.append(happenings.Phase(self.name))
        (card,) = round_.deal_open(None, TURNED, 1, log)
        round_.card = card
        payouts = round_.new_payouts()
        for seat in round_.players:
            best = best_of_suit(round_.hands[seat].cards, card[1])
            if best is not None:
                log.append(Shown(seat, "best", (best,)))
            wins = best is not None and RANKS.index(best[0]) > RANKS.index(card[0])
            for bet, amount in (("ante", round_.rules.ante), ("bet", round_.bets.get(seat, 0))):
                if amount:
                    payouts.settled(seat, bet, amount, amount if wins else -amount)
        round_.show(round_.takers(), log)
        round_.finish(payouts, log)
        return False


class HighSuitRound(BankRound[HighSuitRules], kw_only=True):
    """``limit``: what all free bets of the deal together may come to; ``card``: the banker's, once turned."""

    phases = (DealFive(), FreeBets(), TurnCard())

    limit: int = 0
    card: Card | None = None

    def takers(self) -> list[tuple[int | None, Hand]]:
        """Deal to the players only."""
        return [(seat, self.hands[seat]) for seat in self.players]

    def left(self) -> int:
        """Return what is left of the limit."""
        return self.limit - sum(self.bets.values())

    def free(self, seat: int) -> int:
        """Return the chips that a seat has beside its ante."""
        return self.carry[seat] - self.rules.ante

    def staked_by(self, seat: int) -> int:
        """Count ante and free bet."""
        return 0 if seat == self.bank.seat else self.rules.ante + self.bets.get(seat, 0)

    def laid_by(self, seat: int) -> Mapping[str, int]:
        """Return ante and free bet."""
        return {} if seat == self.bank.seat else {"ante": self.rules.ante, "bet": self.bets.get(seat, 0)}

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep what lay on the table: the limit of the next deal of this banker [high_suit D1]."""
        laid = self.rules.ante * len(self.players) + sum(self.bets.values())
        return {**super().kept(counts=counts), LIMIT: laid}

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the turned card, and once it is turned each hand's highest card of its suit."""
        del owner
        if zone == TURNED:
            return of_card(cards[0])
        if self.card is None:
            return None
        best = best_of_suit(list(cards), self.card[1])
        return Worth(words=NO_CARD) if best is None else of_card(best)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show hands and the turned card."""
        return super().zones(viewer) + ([] if self.card is None else [Zone(None, TURNED, (self.card,))])

    def facts(self) -> dict[str, Any]:
        """Show the limit and what is left of it."""
        return {LIMIT: self.limit, "left": self.left()}


NO_CARD: Final = Text("no card of the turned suit", "沒有台牌同花色的牌", "没有台牌同花色的牌")


def best_of_suit(hand: list[Card], suit: str) -> Card | None:
    """Return the highest card of a suit, A K Q J 10 … 2; None where the hand has none."""
    return max((card for card in hand if card[1] == suit), key=lambda card: RANKS.index(card[0]), default=None)


class HighSuit(BankerGame[HighSuitRules, HighSuitRound]):
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
    terms = words.SPOT_BETS + Terms(
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

    def open(self, rules: HighSuitRules, table: Table, chance: Chance) -> tuple[HighSuitRound, list[Happening]]:
        """Seat bank and players; the limit starts anew with a new banker, and with the house after its deals."""
        round_, log = super().open(rules, table, chance)
        antes = rules.ante * len(round_.players)
        round_.limit = int(table.memory[LIMIT]) if round_.bank.rounds else antes
        return round_, log

    def best_returns(self, rules: HighSuitRules) -> dict[str, Fraction]:
        """Return what an ante returns with a free bet as great as it on the hands that win more often than not."""
        del rules
        return {"ante": Fraction(2 * WINS + GAINED, DEALS)}

    def bank_faults(self, rules: HighSuitRules) -> list[Fault]:
        """Refuse the house as the bank: free bets are made on seen cards, and one seat may take the whole limit."""
        del rules
        message = "house: free bets are made on seen cards, four aces always win; the bank must be held by a seat"
        return [Fault("banker", message)]

    def payouts(self, rules: HighSuitRules) -> tuple[Payout, ...]:
        """List what the stakes pay."""
        del rules
        higher = Text("a higher card of the turned card's suit", "持有台牌同花色的更大牌", "持有台牌同花色的更大牌")
        return (Payout("ante", higher, "1:1"), Payout("bet", higher, "1:1"))

    def greatest_win(self, rules: HighSuitRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("1", "ante and free bet", "底注與加注", "底注与加注")


GAME = HighSuit()
