"""Twenty-one (二十一點): one card, the bets, the second card, then hands played in turn against the banker."""

from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec

from services.rules import actions, happenings, illegal_actions
from services.rules.banker import keys, stand_strategy, words
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Payouts
from services.rules.banker.peek import FirstCards, PeekRules
from services.rules.banker.table import SHOWDOWN, BankRound, covered
from services.rules.banker.turns import BUST, FIVE_CARDS, STOOD, Turns, hand_in_turn, live
from services.rules.banker.windows import OneBet
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.game import Payout
from services.rules.happenings import Happening, Noted, Staked
from services.rules.offers import Between, Option
from services.rules.phases import Phase
from services.rules.ranking import pip_counts
from services.rules.text import Text
from services.rules.trial_returns import TrialReturn
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, counted

LIMIT: Final = 21
MUST_HIT_BELOW: Final = 15
BANKER_STANDS_ON: Final = 17
SOFT_ACE: Final = 10
"""What an ace counts more than one where the hand can bear it."""

THREE_TO_TWO: Final = "3:2"
SECOND: Final = "second"


class BlackjackRules(PeekRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 7)

    natural_pays: keys.NaturalPays = "1:1"


def total(cards: Sequence[Card]) -> int:
    """Count a hand: its highest total not above 21, one ace at most counting 11, else its lowest."""
    lowest = sum(pip_counts.value(card, 10) for card in cards)
    soft = any(card[0] == "A" for card in cards) and lowest + SOFT_ACE <= LIMIT
    return lowest + SOFT_ACE if soft else lowest


def is_natural(cards: Sequence[Card]) -> bool:
    """Return whether a hand is an ace and a ten-card."""
    return len(cards) == 2 and total(cards) == LIMIT


def two_aces(round_: "BlackjackRound") -> bool:
    """Return whether the hand whose turn it is can be split."""
    cards = hand_in_turn(round_).cards
    return len(cards) == 2 and all(card[0] == "A" for card in cards)


class SecondCards(Phase["BlackjackRound"], frozen=True):
    """One card face up to each seat, one face down to the banker."""

    def begin(self, round_: "BlackjackRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal."""
        log.append(happenings.Phase("deal"))
        round_.deal([(seat, round_.hands[seat]) for seat in round_.bettors()], log, up=True)
        round_.deal([round_.bank_taker()], log)
        return False


class Play(Turns["BlackjackRound"], frozen=True, kw_only=True):
    """Turns in which two aces may be split."""

    takes: tuple[type[actions.Action], ...] = (actions.Hit, actions.Stand, actions.Split)

    def options(self, round_: "BlackjackRound", seat: int) -> list[Option]:
        """List split where the seat has two aces and can cover a second bet."""
        found = super().options(round_, seat)
        if found and two_aces(round_) and 2 * round_.bets[seat] * round_.rules.cover <= round_.carry[seat]:
            found.append(Option("split"))
        return found

    def verify(self, round_: "BlackjackRound", seat: int, action: actions.Action) -> None:
        """Test a split, too."""
        super().verify(round_, seat, action)
        if isinstance(action, actions.Split):
            if not two_aces(round_):
                raise illegal_actions.illegal(
                    "only two aces as the first two cards can be split; hit or stand", illegal_actions.SPLIT_ACES
                )
            covered(2 * round_.bets[seat], round_.rules.cover, round_.carry[seat])

    def play(self, round_: "BlackjackRound", seat: int, action: actions.Action, log: list[Happening]) -> None:
        """Split: one card to the first ace, one to the second, and both hands stand."""
        if not isinstance(action, actions.Split):
            super().play(round_, seat, action, log)
            return
        first, second = round_.hands[seat], Hand()
        round_.second[seat] = second
        second.take(first.cards.pop(), up=first.up.pop())
        log += [Noted("split", seat), Staked(seat, "bet", round_.bets[seat])]
        for hand in (first, second):
            round_.deal([(seat, hand)], log, up=True)
            hand.state = STOOD


class BankDraws(Phase["BlackjackRound"], frozen=True):
    """The banker draws to 17 if a hand is left to beat; then all hands are laid open."""

    name: str = SHOWDOWN

    def begin(self, round_: "BlackjackRound", chance: Chance, log: list[Happening]) -> bool:
        """Draw and show."""
        log.append(happenings.Phase(self.name))
        round_.show([round_.bank_taker()], log)
        if live(round_):
            while total(round_.bank_hand.cards) < BANKER_STANDS_ON:
                round_.deal([round_.bank_taker()], log, up=True)
        round_.show(round_.takers(), log)
        round_.show(round_.second.items(), log)
        return False


class Settle(Phase["BlackjackRound"], frozen=True):
    """Each hand meets the banker's [blackjack "Pays"]; each split hand has a bet of its own."""

    def begin(self, round_: "BlackjackRound", chance: Chance, log: list[Happening]) -> bool:
        """Settle."""
        log.append(Noted("total", round_.bank.seat, {"total": total(round_.bank_hand.cards)}))
        payouts = round_.new_payouts()
        for seat in round_.bettors():
            hands = [round_.hands[seat], *([round_.second[seat]] if seat in round_.second else [])]
            for hand in hands:
                log.append(Noted("total", seat, {"total": total(hand.cards)}))
                self.settle(round_, seat, hand, payouts)
        round_.finish(payouts, log)
        return False

    def settle(self, round_: "BlackjackRound", seat: int, hand: Hand, payouts: Payouts) -> None:
        """Settle one hand."""
        bet = round_.bets[seat]
        if hand.state == BUST:
            payouts.lost(seat, "bet", bet, bet, BUST)
            return
        if hand.state == FIVE_CARDS:
            payouts.won(seat, "bet", bet, 2 * bet, FIVE_CARDS)
            return
        pays_more = round_.rules.natural_pays == THREE_TO_TWO
        natural = pays_more and is_natural(hand.cards) and seat not in round_.second
        banks_natural = pays_more and is_natural(round_.bank_hand.cards)
        own, bank = total(hand.cards), total(round_.bank_hand.cards)
        if natural and not banks_natural:
            payouts.won(seat, "bet", bet, 3 * bet // 2, "natural")
        elif bank > LIMIT:
            payouts.won(seat, "bet", bet, bet, "banker_bust")
        elif own > bank:
            payouts.won(seat, "bet", bet, bet, "win")
        elif own < bank or (banks_natural and not natural):
            payouts.lost(seat, "bet", bet, bet, "lose")
        else:
            payouts.returned(seat, "bet", bet)


class BlackjackRound(BankRound[BlackjackRules], kw_only=True):
    """``second``: the second hand of a seat that has split."""

    phases = (
        FirstCards(),
        OneBet(),
        FirstCards(after_bets=True),
        SecondCards(),
        Play(total=total, free_from=MUST_HIT_BELOW, limit=LIMIT),
        BankDraws(),
        Settle(),
    )

    second: dict[int, Hand] = msgspec.field(default_factory=dict)

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return a bet; to split a hand takes the bet once more."""
        return self.bets[seat] if isinstance(action, actions.Split) else super().cost(seat, action)

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the total of a hand."""
        del owner, zone
        return counted(total(cards)) if cards else None

    def staked_by(self, seat: int) -> int:
        """Count the bet of a second hand, too."""
        return super().staked_by(seat) * (2 if seat in self.second else 1)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show second hands, too."""
        return super().zones(viewer) + [
            Zone(seat, SECOND, hand.known() if seat == viewer else hand.seen())
            for seat, hand in sorted(self.second.items())
        ]


ACE: Final = 1
TEN: Final = 10

WARNING: Final = (
    "bet_when: after_cards without a max_bet lets players bet high on good cards only: a seat that sees an ace wins "
    "about 24 % of its bet on average, one that sees a ten-card about 9 %, and the house loses it. Set max_bet close "
    "to min_bet, or bet_when: before_deal."
)
"""Warning of the house's expected loss at such a table [blackjack D1]."""


class Blackjack(BankerGame[BlackjackRules, BlackjackRound]):
    """二十一點."""

    id = "blackjack"
    name = Text("Twenty-one", "二十一點", "二十一点")
    rules_type = BlackjackRules
    round_type = BlackjackRound
    trial_returns = (TrialReturn(bet="bet", returned=0.97782, low=0.969608, high=0.986032, rounds=40_000),)
    summary = words.paragraphs(
        Text(
            "Everybody is dealt one card face down and then must bet (the least bet at the deadline). Some tables "
            "bet before the deal instead, and a bet may be left out. A second card follows, face up to the "
            "players, face down to the banker. In turn each hand hits or stands; below 15 it must hit. It ends at "
            "21, at five cards, or bust above 21. Two aces may be split for a second bet; each ace gets one card. "
            "The banker draws to 17. The higher total wins the bet and equal totals push. A bust hand loses even "
            "if the banker busts; five cards without a bust win twice the bet at once. At the deadline the hand is "
            "played out: it hits below 15, then stands.",
            "每家先發一張暗牌，看牌後必須下注（逾時押最低注）；設定為發牌前下注的牌桌則先下注後發牌，可不下注。再發"
            "一張：閒家明牌、莊家暗牌。輪流補牌或停牌，不到15點必須補牌；21點、五張或爆牌（超過21點）即結束。兩張A"
            "可分牌，須加注同額，每張A只補一張。莊家補至17點以上。點數大者贏，同點退回，爆牌即輸（即使莊家也爆），"
            "過五關立即贏兩倍。逾時則自動打完該手牌：不到15點補牌，其後停牌。",
            "每家先发一张暗牌，看牌后必须下注（逾时押最低注）；设定为发牌前下注的牌桌则先下注后发牌，可不下注。再发"
            "一张：闲家明牌、庄家暗牌。轮流补牌或停牌，不到15点必须补牌；21点、五张或爆牌（超过21点）即结束。两张A"
            "可分牌，须加注同额，每张A只补一张。庄家补至17点以上。点数大者赢，同点退回，爆牌即输（即使庄家也爆），"
            "过五关立即赢两倍。逾时则自动打完该手牌：不到15点补牌，其后停牌。",
        ),
        words.MALFUNCTION,
    )
    terms = words.BET_TERMS + words.TURN_TERMS + Terms(zone=SECOND, reason="natural", action="split", happening="split")
    words = words.COMMON | words.TURNS

    def standard_rules(self) -> BlackjackRules:
        """Return the sheet's defaults with one size of bets, the guard against bets on good cards [blackjack D1]."""
        least = BlackjackRules().min_bet
        return BlackjackRules(max_bet=least)

    def best_bet(self, round_: BlackjackRound, seat: int, able: Between) -> int:
        """Bet the most on an ace or a ten-card that is seen before the bet, else the least [blackjack D1]."""
        if not round_.rules.duty:
            return super().best_bet(round_, seat, able)
        good = pip_counts.value(round_.hands[seat].cards[0], TEN) in (ACE, TEN)
        return able.most if good else able.least

    def warnings(self, rules: BlackjackRules) -> list[str]:
        """Warn of bets after a look at a card [blackjack D1]."""
        return [WARNING] if rules.open_to_peekers() else []

    def turn_action(self, round_: BlackjackRound, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Stand where another card loses more than it brings, by the number of cards, on soft and hard hands."""
        if seat != round_.turn:
            return None
        return actions.Stand() if "stand" in able and self.stands(round_.hands[seat].cards) else actions.Hit()

    def payouts(self, rules: BlackjackRules) -> tuple[Payout, ...]:
        """List what a bet pays."""
        found = [
            Payout(
                "bet", Text("higher total, or the banker is bust", "點數較大或莊家爆牌", "点数较大或庄家爆牌"), "1:1"
            ),
            Payout("bet", self.words[FIVE_CARDS], "2:1"),
        ]
        if rules.natural_pays == THREE_TO_TWO:
            found.append(Payout("bet", self.words["natural"], rules.natural_pays))
        return tuple(found)

    def greatest_win(self, rules: BlackjackRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(
            "2", "five cards, or both hands after a split", "過五關或分牌兩手皆贏", "过五关或分牌两手皆赢"
        )

    def stands(self, cards: Sequence[Card]) -> bool:
        """Return whether a hand stands against a bank that draws to 17; from five cards on it always does."""
        points = total(cards)
        soft = points != sum(pip_counts.value(card, 10) for card in cards)
        known = len(cards) in stand_strategy.HARD_STANDS
        return not known or stand_strategy.stands_twenty_one(len(cards), points, soft=soft)


GAME = Blackjack()
