"""Bank (銀行): rows of one card against the banker's card, played for a match of many rounds."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from services.rules import chips
from services.rules.banker import words
from services.rules.banker.bank import BANKER, BY_HOUSE, Bank, first_banker, last_banker, still_banks
from services.rules.banker.bank_rows_round import MATCH_ROUND, PACK, ROWS, BankGameRound, BankGameRules
from services.rules.banker.engine import open_round
from services.rules.banker.family import BankerGame
from services.rules.chance import Chance
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Happening
from services.rules.outcomes import HOUSE, Outcome
from services.rules.refusals import NOT_ENOUGH_SEATS, Refused
from services.rules.text import Text


def successor(table: Table, old: int) -> int:
    """Give the richest seat; of equal ones the first to the left of the old banker [bank Play 5]."""
    return max(chips.to_the_left(table.chips, old), key=lambda seat: table.chips[seat])


def banker_now(rules: BankGameRules, table: Table) -> int | None:
    """Say who banks: the bank stays until its holder has no chips, or has left."""
    if rules.banker == BY_HOUSE:
        return None
    last = last_banker(table)
    if last is None:
        return first_banker(table)
    return last if still_banks(table, last) else successor(table, last)


class BankGame(BankerGame):
    """銀行."""

    id = "bank"
    name = Text("Bank", "銀行", "银行")
    rules_type = BankGameRules
    round_type = BankGameRound
    summary = words.paragraphs(
        Text(
            "Played with the sixteen A, K, Q, J. One row of one card for each player lies face down, and one card for "
            "the banker. In turn each player takes a free row and bets at least min_bet, or all it has; a silent "
            "player "
            "gets the lowest free row with the least bet. A row higher than the banker's card wins the bet, a lower "
            "one loses it, equal ranks push (A > K > Q > J). Who has no chips left is bankrupt; a bankrupt banker is "
            "followed by the richest player. After match_rounds rounds, or when only one has chips, the most chips "
            "win.",
            "用A、K、Q、J共16張。依下注人數每列蓋一張牌，另蓋一張莊家牌。依次選一列下注，至少min_bet（不足則全下）；"
            "逾時者得最小號空列並"
            "押最低注。該列大於莊家牌贏一倍，小則輸，同點平手（A＞K＞Q＞J）。籌碼用盡即破產；"
            "莊家破產由籌碼最多者接莊。滿match_rounds"
            "局或僅一家有籌碼時，籌碼最多者為贏家。",
            "用A、K、Q、J共16张。依下注人数每列盖一张牌，另盖一张庄家牌。依次选一列下注，至少min_bet（不足则全下）；"
            "逾时者得最小号空列并"
            "押最低注。该列大于庄家牌赢一倍，小则输，同点平手（A＞K＞Q＞J）。筹码用尽即破产；"
            "庄家破产由筹码最多者接庄。满match_rounds"
            "局或仅一家有筹码时，筹码最多者为赢家。",
        ),
        words.MALFUNCTION,
    )
    words = words.COMMON | {
        ROWS: Text("rows", "牌列", "牌列"),
        "eliminated": Text("bankrupt", "破產", "破产"),
        "next_banker": Text("next banker", "下局莊家", "下局庄家"),
        "match_over": Text("the match is over", "本場結束", "本场结束"),
        "winner": Text("winner of the match", "本場贏家", "本场赢家"),
        **{str(row): Text(f"row {row}", f"第{row}列", f"第{row}列") for row in range(1, len(PACK))},
    }

    def open(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Lay the rows; every seat with chips plays."""
        assert isinstance(rules, BankGameRules)
        if not any(table.chips.values()):
            raise Refused(NOT_ENOUGH_SEATS, "nobody at this table has chips; add chips first")
        banked = Bank(banker_now(rules, table))
        round_, happened = open_round(BankGameRound, rules, table, chance, banked=banked, least=1, pack=PACK)
        round_.match_round = int(table.memory.get(MATCH_ROUND, 0))
        return round_, happened + round_.begin()

    def after_settlement(self, rules: HouseRules, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:
        """Say who is bankrupt, who banks next, and whether the match is over."""
        assert isinstance(rules, BankGameRules)
        table = Table(chips=dict(chips), button=outcome.button, memory=outcome.memory)
        played = int(outcome.memory[MATCH_ROUND])
        rich = [seat for seat, held in sorted(chips.items()) if held > 0]
        over = (rules.match_rounds > 0 and played >= rules.match_rounds) or len(rich) <= 1
        banker = banker_now(rules, table)
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

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction]:
        """Give what a row returns: it is drawn as the banker's card is, and equal ranks push."""
        del rules
        return {ROWS: Fraction(1)}

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what a row pays."""
        del rules
        return (Payout(ROWS, Text("a higher rank than the banker's card", "大於莊家牌", "大于庄家牌"), "1:1"),)

    def greatest_win(self, rules: HouseRules) -> Text:
        """Say what a seat can win at most."""
        del rules
        return words.per_bet("1", "a higher card", "牌較大", "牌较大")


GAME = BankGame()
