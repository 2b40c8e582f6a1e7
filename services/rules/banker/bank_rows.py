"""Bank (銀行): rows of one card against the banker's card, played for a match of many rounds."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, chips, happenings, illegal_actions, keys
from services.rules.banker import words
from services.rules.banker.bank import (
    BANKER,
    BY_HOUSE,
    BY_SEAT,
    Bank,
    BankRules,
    chips_needed,
    first_banker,
    last_banker,
    still_banks,
)
from services.rules.banker.family import BankerGame
from services.rules.banker.in_turn import InTurn
from services.rules.banker.table import BANK_HAND, SHOWDOWN, BankRound, amount_within
from services.rules.cards import RANKS, SUITS, Card, face_down
from services.rules.chance import Chance
from services.rules.game import Payout, Table
from services.rules.happenings import Dealt, Happening, Shown, Staked
from services.rules.offers import Between, Choice, OneOf, Option
from services.rules.outcomes import HOUSE, Outcome
from services.rules.phases import Phase
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_card

PACK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in reversed(SUITS) for rank in "AKQJ")
MATCH_ROUND: Final = "match_round"
ROWS: Final = "rows"
_SPOTS: Final = tuple(str(row) for row in range(1, len(PACK)))


class BankGameRules(BankRules, frozen=True, kw_only=True):
    """House rules; ``match_rounds`` 0: a match has no limit of rounds."""

    players: ClassVar[tuple[int, int]] = (2, 6)

    banker: str = BY_SEAT
    min_bet: keys.MinBet = 1000
    max_bet: keys.MaxBet = 0
    match_rounds: keys.MatchRounds = 20

    def next_bank(self, table: Table) -> Bank:
        """Return the bank, which stays until its holder has no chips, or has left."""
        if self.banker == BY_HOUSE:
            return Bank(None)
        last = last_banker(table)
        if last is None:
            return Bank(first_banker(table))
        return Bank(last if still_banks(table, last) else successor(table, last))


class DealRows(Phase["BankGameRound"], frozen=True):
    """One row for each player and the banker's card are laid, all face down."""

    def begin(self, round_: "BankGameRound", chance: Chance, log: list[Happening]) -> bool:
        """Lay the cards."""
        count, stock = len(round_.players), round_.stock
        round_.rows = [stock.deal() for _ in range(count)]
        round_.bank_card = stock.deal()
        log += [
            happenings.Phase("deal"),
            Dealt(None, ROWS, stock.number, tuple(range(count)), face_down(count)),
            Dealt(None, BANK_HAND, stock.number, (count,), face_down(1)),
        ]
        return False


class ChooseRows(InTurn["BankGameRound"], frozen=True):
    """Each player takes a free row and bets on it, in turn."""

    takes: tuple[type[actions.Action], ...] = (actions.PlaceBet,)

    def bets(self, round_: "BankGameRound", seat: int) -> list[Option]:
        """List the free rows with the amounts that may be bet."""
        carry, most = round_.carry[seat], round_.rules.max_bet
        arguments: dict[str, Choice] = {
            "spot": OneOf(tuple(round_.free_rows())),
            "amount": Between(round_.least(seat), min(carry, most) if most else carry),
        }
        return [Option("place_bet", arguments)]

    def check(self, round_: "BankGameRound", seat: int, action: actions.Action) -> None:
        """Test row and amount."""
        if not isinstance(action, actions.PlaceBet):
            raise round_.not_now(seat, action)
        free = round_.free_rows()
        if action.spot not in free:
            message = f"row {action.spot!r} is not free; take one of {', '.join(free)}"
            raise illegal_actions.illegal(message, illegal_actions.ROW_TAKEN, rows=", ".join(free))
        amount_within(action.amount, round_.least(seat), round_.rules.max_bet or None)
        if action.amount > round_.carry[seat]:
            message = f"seat {seat} has {round_.carry[seat]} chips and cannot bet {action.amount}"
            figures = {"chips": round_.carry[seat], "needed": action.amount}
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata=figures)

    def take(self, round_: "BankGameRound", seat: int, action: actions.Action, log: list[Happening]) -> None:
        """Write down row and bet."""
        if isinstance(action, actions.PlaceBet):
            round_.chosen[seat], round_.bets[seat] = action.spot, action.amount
            log.append(Staked(seat, action.spot, action.amount))

    def forced(self, round_: "BankGameRound", seat: int) -> actions.AnyAction:
        """Take the lowest free row with the least bet."""
        return actions.PlaceBet(spot=round_.free_rows()[0], amount=round_.least(seat))


class Compare(Phase["BankGameRound"], frozen=True):
    """The banker's card is turned over, then the rows."""

    name: str = SHOWDOWN

    def begin(self, round_: "BankGameRound", chance: Chance, log: list[Happening]) -> bool:
        """Show all and settle."""
        log += [
            happenings.Phase(self.name),
            Shown(None, BANK_HAND, (round_.bank_card,)),
            Shown(None, ROWS, tuple(round_.rows)),
        ]
        bank = RANKS.index(round_.bank_card[0])
        payouts = round_.new_payouts()
        for seat in round_.players:
            row, bet = round_.chosen[seat], round_.bets[seat]
            own = RANKS.index(round_.rows[int(row) - 1][0])
            if own > bank:
                payouts.won(seat, row, bet, bet, "win")
            elif own < bank:
                payouts.lost(seat, row, bet, bet, "lose")
            else:
                payouts.returned(seat, row, bet)
        round_.finish(payouts, log)
        return False


class BankGameRound(BankRound[BankGameRules], kw_only=True):
    """``rows``: the face-down cards, ``chosen``: the row of each seat; nobody sees a card before the end."""

    phases = (DealRows(), ChooseRows(), Compare())

    rows: list[Card] = msgspec.field(default_factory=list)
    bank_card: Card = ""
    chosen: dict[int, str] = msgspec.field(default_factory=dict)
    match_round: int = 0

    def free_rows(self) -> list[str]:
        """List the rows that nobody has taken yet, lowest first."""
        taken = set(self.chosen.values())
        return [row for row in map(str, range(1, len(self.rows) + 1)) if row not in taken]

    def least(self, seat: int) -> int:
        """Return the least bet of a seat: all it has, if that is less than ``min_bet``."""
        return min(self.rules.min_bet, self.carry[seat])

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the banker and the number of this round within the match."""
        return {BANKER: self.bank.seat, MATCH_ROUND: self.match_round + (1 if counts else 0)}

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the banker's card in words; the rows are many hands and have none."""
        del owner
        return of_card(cards[0]) if zone == BANK_HAND else None

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show rows and the banker's card, face down until the end."""
        del viewer
        if self.outcome is None:
            return [Zone(None, ROWS, face_down(len(self.rows))), Zone(None, BANK_HAND, face_down(1))]
        return [Zone(None, ROWS, tuple(self.rows)), Zone(None, BANK_HAND, (self.bank_card,))]

    def laid_by(self, seat: int) -> Mapping[str, int]:
        """Return the bet on the row that a seat has taken."""
        return {self.chosen[seat]: self.bets[seat]} if seat in self.chosen else {}

    def facts(self) -> dict[str, Any]:
        """Show which seat took which row."""
        return {ROWS: {row: seat for seat, row in self.chosen.items()}}


def successor(table: Table, old: int) -> int:
    """Return the richest seat; of equal ones the first to the left of the old banker [bank Play 5]."""
    return max(chips.to_the_left(table.chips, old), key=lambda seat: table.chips[seat])


class BankGame(BankerGame[BankGameRules, BankGameRound]):
    """銀行."""

    id = "bank"
    name = Text("Bank", "銀行", "银行")
    rules_type = BankGameRules
    round_type = BankGameRound
    pack = PACK
    summary = words.paragraphs(
        Text(
            "Played with the sixteen A, K, Q, J. One row of one card is dealt face down for each player, and one "
            "card for the banker. In turn each player takes a free row and bets at least the minimum, or all it "
            "has; at the deadline the player gets the lowest free row with the least bet. A row higher than the "
            "banker's card wins the bet, a lower one loses it, equal ranks push (A > K > Q > J). A player without "
            "chips is bankrupt; the player with the most chips takes over from a bankrupt banker. After the number "
            "of rounds set by the table, or when only one player has chips, the player with the most chips wins.",
            "用A、K、Q、J共16張。依下注人數每列蓋一張牌，另蓋一張莊家牌。依次選一列下注，至少為最低注（不足則全下）；"
            "逾時者得最小號空列並押最低注。該列大於莊家牌贏一倍，小則輸，同點平手（A＞K＞Q＞J）。籌碼用盡即破產；莊"
            "家破產由籌碼最多者接莊。滿該桌設定的局數或僅一家有籌碼時，籌碼最多者為贏家。",
            "用A、K、Q、J共16张。依下注人数每列盖一张牌，另盖一张庄家牌。依次选一列下注，至少为最低注（不足则全下）；"
            "逾时者得最小号空列并押最低注。该列大于庄家牌赢一倍，小则输，同点平手（A＞K＞Q＞J）。筹码用尽即破产；庄"
            "家破产由筹码最多者接庄。满该桌设定的局数或仅一家有筹码时，筹码最多者为赢家。",
        ),
        words.MALFUNCTION,
    )
    terms = words.SPOT_BETS + Terms(
        phase="bets deal showdown ended",
        zone=f"bank {ROWS}",
        status="banker bet turn waiting",
        reason=" ".join(("win", "lose", ROWS, *_SPOTS)),
        action="place_bet",
        argument="spot amount",
        word=" ".join(_SPOTS),
        happening="turn",
        suggestion="min max",
        fact=f"banker house_banks next_banker match_over {MATCH_ROUND} out {ROWS} winners",
    )
    words = words.COMMON | {
        ROWS: Text("rows", "牌列", "牌列"),
        "out": Text("bankrupt", "破產", "破产"),
        "next_banker": Text("next banker", "下局莊家", "下局庄家"),
        "winners": Text("winners of the match", "本場贏家", "本场赢家"),
        **{row: Text(f"row {row}", f"第{row}列", f"第{row}列") for row in _SPOTS},
    }

    def open(self, rules: BankGameRules, table: Table, chance: Chance) -> tuple[BankGameRound, list[Happening]]:
        """Seat everybody with chips."""
        chips_needed(table)
        round_, log = super().open(rules, table, chance)
        round_.match_round = int(table.memory.get(MATCH_ROUND, 0))
        return round_, log

    def after_settlement(self, rules: BankGameRules, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:
        """Return the bankrupt seats, the next banker, and whether the match is over."""
        table = Table(chips=dict(chips), button=outcome.button, memory=outcome.memory)
        played = int(outcome.memory[MATCH_ROUND])
        rich = [seat for seat, held in sorted(chips.items()) if held > 0]
        over = (rules.match_rounds > 0 and played >= rules.match_rounds) or len(rich) <= 1
        banker = rules.next_bank(table).seat
        played_now = {stake.seat for stake in outcome.stakes} | {outcome.banker}
        facts: dict[str, Any] = {
            **outcome.facts,
            "eliminated": [seat for seat in sorted(chips) if chips[seat] == 0 and seat in played_now],
            "next_banker": HOUSE if banker is None else banker,
            "match_over": over,
        }
        if over:
            facts["winner"] = [seat for seat in rich if chips[seat] == max(chips.values())]
        memory = {BANKER: banker, MATCH_ROUND: 0 if over else played}
        return msgspec.structs.replace(outcome, facts=facts, memory=memory)

    def best_returns(self, rules: BankGameRules) -> dict[str, Fraction]:
        """Return what a row returns: it is drawn as the banker's card is, and equal ranks push."""
        del rules
        return {ROWS: Fraction(1)}

    def payouts(self, rules: BankGameRules) -> tuple[Payout, ...]:
        """List what a row pays."""
        del rules
        return (Payout(ROWS, Text("a higher rank than the banker's card", "大於莊家牌", "大于庄家牌"), "1:1"),)

    def greatest_win(self, rules: BankGameRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("1", "a higher card", "牌較大", "牌较大")


GAME = BankGame()
