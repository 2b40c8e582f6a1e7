"""Baccarat at home (百家樂): two cards, bets, third cards by the table; one deck lasts for a whole match."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

import msgspec

from services.rules import happenings
from services.rules.banker import keys as banker_keys
from services.rules.banker import words
from services.rules.banker.bank import BY_SEAT, last_banker
from services.rules.banker.family import BankerGame, returned
from services.rules.banker.peek import FirstCards, PeekRules
from services.rules.banker.table import PLAY, BankRound, seat_round
from services.rules.banker.windows import OneBet, Reveal
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance
from services.rules.faults import Fault
from services.rules.game import Payout, Table
from services.rules.happenings import Happening, Noted
from services.rules.outcomes import Outcome
from services.rules.phases import Phase
from services.rules.ranking import pip_counts
from services.rules.refusals import Refused
from services.rules.text import Text
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, counted

DRAWS_TO: Final = 5
"""Most points with which a seat draws a third card."""

NATURALS: Final = (8, 9)

BANKER_DRAWS: Final[Mapping[int, frozenset[int]]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset(range(2, 8)),
    5: frozenset(range(4, 8)),
    6: frozenset({6, 7}),
    7: frozenset(),
    8: frozenset(),
    9: frozenset(),
}
"""By the banker's points: the values of the consulted seat's third card on which it draws."""

USED: Final = "used"
"""Key of the memory: the cards that the match has used."""


class BaccaratRules(PeekRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 7)

    naturals_end: banker_keys.NaturalsEnd = True


def points(cards: Sequence[Card]) -> int:
    """Count a hand: the last digit of the sum; 10 J Q K count 0."""
    return pip_counts.last_digit(cards)


def banker_draws(own: int, seat: int, third: Card | None, *, naturals_end: bool) -> bool:
    """Return whether a banker with these points draws.

    ``seat`` are the consulted seat's points of two cards, ``third`` the card that it drew, if it did.
    """
    if third is not None:
        return pip_counts.value(third, 0) in BANKER_DRAWS[own]
    return own <= DRAWS_TO and not (naturals_end and seat in NATURALS)


class TwoCards(FirstCards, frozen=True):
    """Two cards each, the seats' second one face up."""

    def deal(self, round_: BankRound[Any], log: list[Happening]) -> None:
        """Deal one card face down to each hand, then one face up to each seat and one face down to the banker."""
        *seats, bank = round_.takers()
        round_.deal([*seats, bank], log)
        round_.deal(seats, log, up=True)
        round_.deal([bank], log)


class ThirdCards(Phase["BaccaratRound"], frozen=True):
    """Third cards are drawn by the table; there is nothing to choose."""

    name: str = PLAY

    def begin(self, round_: "BaccaratRound", chance: Chance, log: list[Happening]) -> bool:
        """Draw for the seats in the dealing order, then for the banker."""
        log.append(happenings.Phase(self.name))
        bank, naturals_end = points(round_.bank_hand.cards), round_.rules.naturals_end
        if naturals_end and bank in NATURALS:
            return False
        # The seat with the largest bet is consulted, of equal ones the first in the dealing order [baccarat D2].
        consulted = max(round_.bettors(), key=lambda seat: round_.bets[seat])
        two_cards, third = points(round_.hands[consulted].cards), None
        for seat in round_.bettors():
            hand = round_.hands[seat]
            if points(hand.cards) <= DRAWS_TO:
                round_.deal([(seat, hand)], log, up=True)
                third = hand.cards[-1] if seat == consulted else third
        log.append(Noted("consulted", consulted))
        if banker_draws(bank, two_cards, third, naturals_end=naturals_end):
            round_.deal([round_.bank_taker()], log, up=True)
        return False


class Compare(Phase["BaccaratRound"], frozen=True):
    """Each hand's points meet the banker's."""

    def begin(self, round_: "BaccaratRound", chance: Chance, log: list[Happening]) -> bool:
        """Settle."""
        bank = points(round_.bank_hand.cards)
        log.append(Noted("total", round_.bank.seat, {"total": bank}))
        payouts = round_.new_payouts()
        for seat in round_.bettors():
            own, bet = points(round_.hands[seat].cards), round_.bets[seat]
            log.append(Noted("total", seat, {"total": own}))
            if own > bank:
                payouts.won(seat, "bet", bet, bet, "win")
            elif own < bank:
                payouts.lost(seat, "bet", bet, bet, "lose")
            else:
                payouts.returned(seat, "bet", bet)
        round_.finish(payouts, log)
        return False


class BaccaratRound(BankRound[BaccaratRules], kw_only=True):
    """``used``: cards of the match's earlier rounds, seen by everybody when they were played."""

    phases = (TwoCards(), OneBet(), TwoCards(after_bets=True), ThirdCards(), Reveal(), Compare())

    used: list[Card] = msgspec.field(default_factory=list)

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the points of a hand."""
        del owner, zone
        return counted(points(cards)) if len(cards) > 1 else None

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the cards that this match has used, beside the bank."""
        dealt = self.stock.cards[: self.stock.next]
        return {**super().kept(counts=counts), USED: sorted([*self.used, *dealt])}


CARDS_A_HAND: Final = 3

WARNING: Final = (
    "bet_when: after_cards without a max_bet lets players bet high on good cards only: a seat that sees a 9 wins about "
    "91 % of its bet on average, an 8 about 72 %, a 7 about 29 %, and the house loses it. Set max_bet close to "
    "min_bet, or bet_when: before_deal."
)
"""Warning of the house's expected loss at such a table [baccarat D5; blackjack D1]."""

RESULTS: Final[Mapping[bool, Mapping[int, int]]] = {
    True: {1: 6_548_674_432, -1: 6_737_232_640, 0: 1_372_227_328},
    False: {1: 6_416_647_296, -1: 6_605_205_504, 0: 1_636_281_600},
}
"""By ``naturals_end``: orders of six cards of a whole deck (14 658 134 400) in which a seat alone wins, loses, ties."""


class Baccarat(BankerGame[BaccaratRules, BaccaratRound]):
    """百家樂."""

    id = "baccarat"
    name = Text("Baccarat, home table", "百家樂", "百家乐")
    rules_type = BaccaratRules
    round_type = BaccaratRound
    summary = words.paragraphs(
        Text(
            "Everybody is dealt two cards, then must bet (the least bet at the deadline). Some tables bet before "
            "the deal instead, and a bet may be left out. The last digit of the sum counts, 10 J Q K nothing; 9 is "
            "the highest. A banker's 8 or 9 ends the drawing, unless the table says otherwise. Otherwise seats "
            "with 0 to 5 draw one card; the banker looks at the third card of the seat with the largest bet: it "
            "always draws on 0 to 2, on 3 unless it is an 8, on 4 if 2 to 7, on 5 if 4 to 7, on 6 if 6 or 7; if "
            "that seat stood, on 0 to 5. The higher digit wins the bet and equal digits push. The deck is played "
            "through: a match ends when too few cards are left, and the seat with the most chips wins it.",
            "每家發兩張，看牌後必須下注（逾時押最低注）；設定為發牌前下注的牌桌則先下注後發牌，可不下注。點數取和的"
            "個位數，10、J、Q、K為零點，9點最大。莊家8或9點時全部不補牌，除非該桌另有設定。否則閒家0至5點補一張；莊"
            "家看下注最多的一家所補的牌：0至2點必補，3點除非該牌為8，4點該牌為2至7，5點該牌為4至7，6點該牌為6或7時"
            "補牌；該家未補則莊家0至5點補牌。點數大者贏一倍，同點退回。整副牌用至不足一局為一場，場末籌碼最多者為贏"
            "家。",
            "每家发两张，看牌后必须下注（逾时押最低注）；设定为发牌前下注的牌桌则先下注后发牌，可不下注。点数取和的"
            "个位数，10、J、Q、K为零点，9点最大。庄家8或9点时全部不补牌，除非该桌另有设定。否则闲家0至5点补一张；庄"
            "家看下注最多的一家所补的牌：0至2点必补，3点除非该牌为8，4点该牌为2至7，5点该牌为4至7，6点该牌为6或7时"
            "补牌；该家未补则庄家0至5点补牌。点数大者赢一倍，同点退回。整副牌用至不足一局为一场，场末筹码最多者为赢"
            "家。",
        ),
        words.MALFUNCTION,
    )
    terms = words.BET_TERMS + Terms(
        phase="play",
        reason="win lose",
        happening="consulted total",
        fact="total used_cards match_over winners",
    )
    words = words.COMMON | {
        "consulted": Text("the banker looks at this seat", "莊家看此家", "庄家看此家"),
        "winners": Text("winners of the match", "本場贏家", "本场赢家"),
    }

    def open(self, rules: BaccaratRules, table: Table, chance: Chance) -> tuple[BaccaratRound, list[Happening]]:
        """Shuffle what is left of the match's deck, or the whole deck where it would not do for these hands."""
        used: list[Card] = list(table.memory.get(USED, ()))
        if len(PACK_52) - len(used) < cards_needed(rules, table):
            used = []
        banked, left = rules.next_bank(table), [card for card in PACK_52 if card not in used]
        return seat_round(
            BaccaratRound, rules, table, chance, banked=banked, least=rules.least_carry, pack=left, used=used
        )

    def standard_rules(self) -> BaccaratRules:
        """Return the sheet's defaults with a bank held by seats: the house cannot bank for more than one seat."""
        return BaccaratRules(banker=BY_SEAT)

    def bank_faults(self, rules: BaccaratRules) -> list[Fault]:
        """Refuse several seats, whose bets the banker does not look at, and bets of several sizes in one deck."""
        faults = []
        if rules.max_seats != 1:
            message = f"{rules.max_seats}: the banker draws by one seat's card, and any other seat returns about 1.03"
            faults.append(Fault("max_seats", f"{message}; where the house banks it must be 1"))
        if rules.max_bet != rules.min_bet:
            message = f"{rules.max_bet}: bets could be high on seen cards, or when the rest of the deck is good"
            faults.append(Fault("max_bet", f"{message}; where the house banks it must be min_bet, {rules.min_bet}"))
        return faults

    def best_returns(self, rules: BaccaratRules) -> dict[str, Fraction]:
        """Return what a bet of the seat that the banker looks at returns, on a fresh deck."""
        results = RESULTS[rules.naturals_end]
        return {"bet": Fraction(returned(results, sum(results.values())))}

    def after_settlement(self, rules: BaccaratRules, outcome: Outcome, chips: Mapping[int, int]) -> Outcome:
        """Return whether the match is over and who holds the most chips of all seats."""
        table = Table(chips=dict(chips), button=outcome.button, memory=outcome.memory)
        over = len(PACK_52) - len(outcome.memory[USED]) < cards_needed(rules, table)
        facts: dict[str, Any] = {**outcome.facts, "match_over": over}
        memory = dict(outcome.memory)
        if over:
            facts["winner"] = [seat for seat, held in sorted(chips.items()) if held == max(chips.values())]
            memory[USED] = []
        return msgspec.structs.replace(outcome, facts=facts, memory=memory)

    def warnings(self, rules: BaccaratRules) -> list[str]:
        """Warn of bets after a look at the cards [baccarat D5]."""
        return [WARNING] if rules.open_to_peekers() else []

    def payouts(self, rules: BaccaratRules) -> tuple[Payout, ...]:
        """List what a bet pays; the return is that of a seat alone with equal bets on hands of a fresh deck."""
        results = RESULTS[rules.naturals_end]
        exact = returned(results, sum(results.values()), rules.fee_bps)
        return (Payout("bet", Text("higher points than the banker", "點數大於莊家", "点数大于庄家"), "1:1", exact),)

    def greatest_win(self, rules: BaccaratRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("1", "higher points", "點數較大", "点数较大")


def cards_needed(rules: BaccaratRules, table: Table) -> int:
    """Count the cards that the next round may need: three for each hand that may come to it [baccarat D4, D6]."""
    try:
        banker = rules.next_bank(table).seat
    except Refused:
        banker = last_banker(table)
    least = rules.cover * rules.min_bet
    players = [seat for seat, held in table.chips.items() if seat != banker and held >= least]
    return CARDS_A_HAND * (len(players) + 1)


GAME = Baccarat()
