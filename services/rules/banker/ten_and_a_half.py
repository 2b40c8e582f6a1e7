"""Ten and a half (十點半): hands played in turn up to ten and a half points; ties are the banker's."""

from collections.abc import Sequence
from typing import ClassVar, Final

from services.rules import actions
from services.rules.banker import keys, stand_strategy, words
from services.rules.banker.bank import BetRules
from services.rules.banker.family import BankerGame
from services.rules.banker.table import BankRound
from services.rules.banker.turns import BUST, FIVE_CARDS, BankTurn, Turns, hand_in_turn, live
from services.rules.banker.windows import Deal, OneBet, Reveal
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.game import Payout
from services.rules.happenings import Happening, Noted
from services.rules.phases import Phase
from services.rules.ranking import pip_counts
from services.rules.text import Text
from services.rules.trial_returns import TrialReturn
from services.rules.worth import Worth, half_points, of_halves

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


class HouseDraws(Phase["TenAndAHalfRound"], frozen=True):
    """The house plays its hand if a hand is left to beat; a banker that is a seat has had its turn."""

    def begin(self, round_: "TenAndAHalfRound", chance: Chance, log: list[Happening]) -> bool:
        """Draw up to the total that the table sets."""
        if round_.bank.seat is None and live(round_):
            round_.show([round_.bank_taker()], log)
            while total(round_.bank_hand.cards) < 2 * round_.rules.banker_stands_on:
                round_.deal([round_.bank_taker()], log, up=True)
        return False


class Settle(Phase["TenAndAHalfRound"], frozen=True):
    """Each hand meets the banker's [ten_and_a_half "Pays"]."""

    def begin(self, round_: "TenAndAHalfRound", chance: Chance, log: list[Happening]) -> bool:
        """Settle."""
        bank = total(round_.bank_hand.cards)
        log.append(Noted("total", round_.bank.seat, {"total": half_points(bank)}))
        payouts = round_.new_payouts()
        for seat in round_.bettors():
            hand, bet = round_.hands[seat], round_.bets[seat]
            own = total(hand.cards)
            log.append(Noted("total", seat, {"total": half_points(own)}))
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
        round_.finish(payouts, log)
        return False


class TenAndAHalfRound(BankRound[TenAndAHalfRules], kw_only=True):
    """One card face down, the others face up; a banker that is a seat decides [ten_and_a_half D1]."""

    phases = (
        OneBet(),
        Deal(),
        Turns(total=total, free_from=MUST_HIT_BELOW, limit=LIMIT, bank_acts=True),
        BankTurn(total=total, free_from=MUST_HIT_BELOW, limit=LIMIT),
        HouseDraws(),
        Reveal(),
        Settle(),
    )

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the points of a hand, halves included."""
        del owner, zone
        return of_halves(total(cards)) if cards else None


class TenAndAHalf(BankerGame[TenAndAHalfRules, TenAndAHalfRound]):
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

    def turn_action(self, round_: TenAndAHalfRound, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Stand where another card loses more than it brings (``stand_strategy``); a banker stands as the house."""
        if seat != round_.turn:
            return None
        cards = hand_in_turn(round_).cards
        own = total(cards)
        if seat == round_.bank.seat:
            ends = own >= MUST_HIT_BELOW
        else:
            ends = stand_strategy.stands(int(2 * round_.rules.banker_stands_on), len(cards), own)
        return actions.Stand() if ends and "stand" in able else actions.Hit()

    def payouts(self, rules: TenAndAHalfRules) -> tuple[Payout, ...]:
        """List what a bet pays."""
        del rules
        return (
            Payout(
                "bet", Text("higher points, or the banker is bust", "點數較大或莊家爆牌", "点数较大或庄家爆牌"), "1:1"
            ),
            Payout("bet", Text("five cards below 10½", "過五關未到十點半", "过五关未到十点半"), "2:1"),
            Payout("bet", Text("five cards of exactly 10½", "過五關剛好十點半", "过五关刚好十点半"), "3:1"),
        )

    def greatest_win(self, rules: TenAndAHalfRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("3", "five cards of exactly 10½", "過五關剛好十點半", "过五关刚好十点半")

    def stands(self, cards: Sequence[Card]) -> bool:
        """Return whether a hand stands against a bank that plays by the sheet's defaults."""
        return stand_strategy.stands(int(2 * TenAndAHalfRules().banker_stands_on), len(cards), total(cards))


GAME = TenAndAHalf()
