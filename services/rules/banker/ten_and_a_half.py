"""Ten and a half (十點半): hands played in turn up to ten and a half points; ties are the banker's."""

from collections.abc import Sequence
from typing import ClassVar, Final

from services.rules import actions
from services.rules.banker import keys, stand_strategy, words
from services.rules.banker.bank import BetRules, rotated
from services.rules.banker.engine import SHOWDOWN, open_round
from services.rules.banker.family import BankerGame
from services.rules.banker.turns import BUST, FIVE_CARDS, TurnsRound
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Happening, Noted, Phase
from services.rules.ranking import pip_counts
from services.rules.text import Text
from services.rules.trial_returns import TrialReturn
from services.rules.worth import Worth

LIMIT: Final = 21
"""Ten and a half, in half points as all totals here."""

MUST_HIT_BELOW: Final = 12


class TenAndAHalfRules(BetRules, frozen=True, kw_only=True):
    """House rules; ``banker_stands_on`` in points, halves allowed."""

    players: ClassVar[tuple[int, int]] = (1, 7)

    banker_stands_on: keys.BankerStandsOn = 6


def total(cards: Sequence[Card]) -> int:
    """Count a hand in half points: A 1, 2–10 their number, J Q K ½."""
    return sum(1 if pip_counts.is_court(card) else 2 * pip_counts.order(card) for card in cards)


class TenAndAHalfRound(TurnsRound, kw_only=True):
    """One card face down, the others face up."""

    free_from: ClassVar[int] = MUST_HIT_BELOW
    limit: ClassVar[int] = LIMIT

    rules: TenAndAHalfRules

    def total(self, cards: Sequence[Card]) -> int:
        """Count a hand in half points."""
        return total(cards)

    def banker_plays(self) -> bool:
        """Ask a banker that is a seat to decide [ten_and_a_half D1]."""
        return self.bank.seat is not None

    def all_bet(self, chance: Chance) -> list[Happening]:
        """Deal one card face down to each betting seat, the banker last."""
        del chance
        self.give_hands()
        return [Phase("deal"), *self.deal(self.takers()), *self.begin_turns()]

    def players_done(self) -> list[Happening]:
        """Play the bank's hand if a hand is left to beat."""
        if not self.live():
            return self.banker_done()
        if self.bank.seat is not None:
            return self.give_turn(self.bank.seat)
        happened = self.show([self.bank_taker()])
        while self.total(self.bank_hand.cards) < 2 * self.rules.banker_stands_on:
            happened += self.deal([self.bank_taker()], up=True)
        return happened + self.banker_done()

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the points of a hand, halves included."""
        del owner, zone
        count = points(self.total(cards))
        return Worth(words=Text(f"{count} points", f"{count}點", f"{count}点")) if cards else None

    def banker_done(self) -> list[Happening]:
        """Lay everything open and settle [ten_and_a_half "Pays"]."""
        happened: list[Happening] = [Phase(SHOWDOWN), *self.show(self.takers())]
        bank = self.total(self.bank_hand.cards)
        happened.append(Noted("total", self.bank.seat, {"total": points(bank)}))
        payouts = self.new_payouts()
        for seat in self.bettors():
            hand, bet = self.hands[seat], self.bets[seat]
            own = self.total(hand.cards)
            happened.append(Noted("total", seat, {"total": points(own)}))
            if hand.state == BUST:
                payouts.lost(seat, "bet", bet, bet, BUST)
            elif hand.state == FIVE_CARDS:
                payouts.won(seat, "bet", bet, (3 if own == LIMIT else 2) * bet, FIVE_CARDS)
            elif bank > LIMIT:
                payouts.won(seat, "bet", bet, bet, "banker_bust")
            elif own > bank:
                payouts.won(seat, "bet", bet, bet, "win")
            else:
                payouts.lost(seat, "bet", bet, bet, "lose")
        return happened + self.finish(payouts)


def points(halves: int) -> str:
    """Write half points as people read them."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


class TenAndAHalf(BankerGame):
    """十點半."""

    id = "ten_and_a_half"
    name = Text("Ten and a half", "十點半", "十点半")
    rules_type = TenAndAHalfRules
    round_type = TenAndAHalfRound
    trial_returns = (TrialReturn(bet="bet", returned=0.961795, low=0.953543, high=0.970047, rounds=40_000),)
    summary = words.paragraphs(
        Text(
            "Each player bets before the deal, then everybody is dealt one card face down; further cards lie face "
            "up. A counts 1, 2 to 10 their number, J Q K half a point. In turn each hand hits or stands; below 6 "
            "it must hit. It ends at 10½, at five cards, or bust above 10½. When the house banks it draws up to "
            "the total set by the table; a player who banks decides freely from 6 points on. The higher total wins "
            "the bet, and equal points go to the banker. A bust hand loses even if the banker busts. Five cards "
            "win twice the bet at once, three times at exactly 10½. At the deadline the hand is played out: it "
            "hits below 6, then stands.",
            "發牌前下注，每家發一張暗牌，其後補明牌。A為1點，2至10照牌面，J、Q、K半點。輪流補牌或停牌，不到6點必須"
            "補牌；十點半、五張或爆牌（超過十點半）即結束。賭場作莊時補至該桌設定的點數為止；玩家作莊時6點以上可自"
            "行決定。點數大者贏，同點莊家贏，爆牌即輸（即使莊家也爆）。過五關立即贏兩倍，剛好十點半贏三倍。逾時則自"
            "動打完該手牌：不到6點補牌，其後停牌。",
            "发牌前下注，每家发一张暗牌，其后补明牌。A为1点，2至10照牌面，J、Q、K半点。轮流补牌或停牌，不到6点必须"
            "补牌；十点半、五张或爆牌（超过十点半）即结束。赌场作庄时补至该桌设定的点数为止；玩家作庄时6点以上可自"
            "行决定。点数大者赢，同点庄家赢，爆牌即输（即使庄家也爆）。过五关立即赢两倍，刚好十点半赢三倍。逾时则自"
            "动打完该手牌：不到6点补牌，其后停牌。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.BET_TERMS + words.TURN_TERMS
    words = words.COMMON | words.TURNS

    def open(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Open the window for bets."""
        assert isinstance(rules, TenAndAHalfRules)
        round_, happened = open_round(
            TenAndAHalfRound, rules, table, chance, banked=rotated(rules, table), least=rules.min_bet
        )
        return round_, happened + round_.open_window()

    def turn_action(self, round_: Round, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Stand where another card loses more than it brings (``stand_strategy``); a banker stands as the house."""
        assert isinstance(round_, TenAndAHalfRound)
        if seat != round_.turn:
            return None
        cards = round_.hand_in_turn().cards
        own = total(cards)
        if seat == round_.bank.seat:
            ends = own >= MUST_HIT_BELOW
        else:
            ends = stand_strategy.stands(int(2 * round_.rules.banker_stands_on), len(cards), own)
        return actions.Stand() if ends and "stand" in able else actions.Hit()

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what a bet pays."""
        del rules
        return (
            Payout(
                "bet", Text("higher points, or the banker is bust", "點數較大或莊家爆牌", "点数较大或庄家爆牌"), "1:1"
            ),
            Payout("bet", Text("five cards below 10½", "過五關未到十點半", "过五关未到十点半"), "2:1"),
            Payout("bet", Text("five cards of exactly 10½", "過五關剛好十點半", "过五关刚好十点半"), "3:1"),
        )

    def greatest_win(self, rules: HouseRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("3", "five cards of exactly 10½", "過五關剛好十點半", "过五关刚好十点半")

    def stands(self, cards: Sequence[Card]) -> bool:
        """Return whether a hand stands against a bank that plays by the sheet's defaults."""
        return stand_strategy.stands(int(2 * TenAndAHalfRules().banker_stands_on), len(cards), total(cards))


GAME = TenAndAHalf()
