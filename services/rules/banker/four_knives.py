"""Four knives (四支刀): four cards in two piles of two, each against the banker's pile."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Final

import msgspec

from services.rules import actions, happenings
from services.rules.banker import words
from services.rules.banker.bank import BetRules
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Payouts
from services.rules.banker.table import BankRound
from services.rules.banker.windows import Deal, OneBet, Reveal
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.game import Payout
from services.rules.happenings import Decided, Happening, Noted, Shown
from services.rules.offers import Option, Sets
from services.rules.phases import Phase
from services.rules.ranking import four_knives, pip_counts
from services.rules.ranking.four_knives import Piles
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_halves, of_two

ARRANGE: Final = "arrange"
KNIVES_PAY: Final = 10
LOW: Final = "low"
HIGH: Final = "high"


class FourKnivesRules(BetRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 9)


class Arrange(Phase["FourKnivesRound"], frozen=True):
    """The window in which seats divide their cards; four equal ranks need none, and the house has its way."""

    name: str = ARRANGE

    def begin(self, round_: "FourKnivesRound", chance: Chance, log: list[Happening]) -> bool:
        """Open the window if any seat has a hand to divide."""
        log.append(happenings.Phase(self.name))
        return bool(self.asked(round_))

    def asked(self, round_: "FourKnivesRound") -> Sequence[int]:
        """List the seats that have still to arrange."""
        return [seat for seat, _ in round_.takers() if seat is not None and round_.to_arrange(seat) is not None]

    def options(self, round_: "FourKnivesRound", seat: int) -> list[Option]:
        """List every way to lay the hand."""
        hand = round_.to_arrange(seat)
        ways = [] if hand is None else four_knives.ways(hand.cards)
        return [Option(ARRANGE, {LOW: Sets((low,)), HIGH: Sets((high,))}) for low, high in ways]

    def verify(self, round_: "FourKnivesRound", seat: int, action: actions.Action) -> None:
        """Test piles."""
        hand = round_.to_arrange(seat)
        if hand is None or not isinstance(action, actions.Arrange):
            raise round_.not_now(seat, action)
        named = [*action.low, *action.high]
        if missing := [card for card in named if card not in hand.cards]:
            raise Refused(Reason.CARD_NOT_HELD, f"seat {seat} does not hold {missing[0]}")
        if sorted(named) != sorted(hand.cards) or len(action.low) != four_knives.PILE:
            raise Refused(
                Reason.ILLEGAL_CARDS, "both piles need two cards, and each of the four cards must be in one of them"
            )
        if four_knives.pile(action.low) > four_knives.pile(action.high):
            raise Refused(Reason.ILLEGAL_CARDS, "the first pile is better than the second; lay the weaker one first")

    def do(
        self, round_: "FourKnivesRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Take piles; the last ones close the window."""
        if isinstance(action, actions.Arrange):
            round_.laid[seat] = (action.low, action.high)
            log.append(Noted("arranged", seat))
        return not self.asked(round_)

    def on_timeout(self, round_: "FourKnivesRound", chance: Chance, log: list[Happening]) -> bool:
        """Arrange the hands of seats that did not act the house's way."""
        for seat, hand in round_.takers():
            if seat is not None and round_.to_arrange(seat) is not None:
                low, high = round_.laid[seat] = four_knives.house_way(hand.cards)
                log.append(Decided(seat, actions.Arrange(low=low, high=high)))
        return True


class Compare(Phase["FourKnivesRound"], frozen=True):
    """Piles are laid open and compared one by one."""

    def begin(self, round_: "FourKnivesRound", chance: Chance, log: list[Happening]) -> bool:
        """Lay the bank's piles, show all and settle."""
        if round_.bank.seat is not None:
            round_.bank_laid = round_.laid.get(round_.bank.seat)
        elif not four_knives.knives(round_.bank_hand.cards):
            round_.bank_laid = four_knives.house_way(round_.bank_hand.cards)
        log += [Shown(owner, zone, cards) for owner, zone, cards in round_.piles(None)]
        payouts = round_.new_payouts()
        for seat in round_.bettors():
            self.settle(round_, seat, payouts)
        round_.finish(payouts, log)
        return False

    def settle(self, round_: "FourKnivesRound", seat: int, payouts: Payouts) -> None:
        """Settle one player: four knives outright, else pile against pile, equal piles being the banker's.

        Source: [four_knives D2].
        """
        bet = round_.bets[seat]
        own, bank = four_knives.knives(round_.hands[seat].cards), four_knives.knives(round_.bank_hand.cards)
        if own > bank:
            payouts.won(seat, "bet", bet, KNIVES_PAY * bet, "four_knives")
            return
        if bank:
            payouts.lost(seat, "bet", bet, KNIVES_PAY * bet, "four_knives")
            return
        assert round_.bank_laid is not None, "the bank has laid its piles"
        better = [
            four_knives.pile(mine) > four_knives.pile(theirs)
            for mine, theirs in zip(round_.laid[seat], round_.bank_laid, strict=True)
        ]
        if all(better):
            payouts.won(seat, "bet", bet, bet, "win")
        elif any(better):
            payouts.returned(seat, "bet", bet)
        else:
            payouts.lost(seat, "bet", bet, bet, "lose")


class FourKnivesRound(BankRound[FourKnivesRules], kw_only=True):
    """``laid``: piles by seat, ``bank_laid``: the bank's."""

    phases = (OneBet(), Deal(count=four_knives.SIZE), Arrange(), Reveal(), Compare())

    laid: dict[int, Piles] = msgspec.field(default_factory=dict)
    bank_laid: Piles | None = None

    def hand_of(self, seat: int) -> Hand | None:
        """Return the hand of a seat, a banker's seat too; None for a player that did not bet."""
        return self.bank_hand if seat == self.bank.seat else self.hands.get(seat)

    def to_arrange(self, seat: int) -> Hand | None:
        """Return the hand that a seat has still to arrange."""
        hand = self.hand_of(seat)
        return None if hand is None or seat in self.laid or four_knives.knives(hand.cards) else hand

    def piles(self, only: int | None) -> list[tuple[int | None, str, tuple[Card, ...]]]:
        """List piles by owner and zone: those of one seat, or (None) all, the house's too."""
        laid: list[tuple[int | None, Piles]] = [
            (seat, piles) for seat, piles in sorted(self.laid.items()) if only in (None, seat)
        ]
        if only is None and self.bank.seat is None and self.bank_laid is not None:
            laid.append((None, self.bank_laid))
        return [(owner, zone, cards) for owner, piles in laid for zone, cards in zip((LOW, HIGH), piles, strict=True)]

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a pile's pair, court cards or points; of a whole hand only that it is four knives."""
        del owner
        if zone not in (LOW, HIGH):
            return Worth("four_knives") if len(cards) == four_knives.SIZE and four_knives.knives(cards) else None
        kind, *counts = four_knives.pile(cards)
        if not kind:
            return of_halves(counts[0])
        low, high = sorted(cards, key=pip_counts.order)
        return of_two(high, low)

    def secret(self, action: actions.Action) -> bool:
        """Keep piles sealed until all have arranged."""
        return isinstance(action, actions.Arrange)

    def status(self, seat: int) -> str:
        """Add whether a seat has arranged; four knives look the same as arranged piles before the showdown."""
        if self.phase == ARRANGE and self.hand_of(seat) is not None:
            return "arranged" if seat in self.laid else "arranging"
        return super().status(seat)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show hands, and the piles of the viewer, at the end of all."""
        laid = [] if viewer is None and self.outcome is None else self.piles(None if self.outcome else viewer)
        return super().zones(viewer) + [Zone(owner, zone, cards) for owner, zone, cards in laid]


BEST_LAID: Final = {
    "won": 15_003_572_688,
    "pushed": 22_406_624_992,
    "lost": 15_262_413_896,
    "knives": 2_529_462,
}
"""In how many pairs of hands a player who lays each hand the best way wins both piles, one, or none; and in how many
one side has the better four knives (the other as often)."""


class FourKnives(BankerGame[FourKnivesRules, FourKnivesRound]):
    """四支刀."""

    id = "four_knives"
    name = Text("Four knives", "四支刀", "四支刀")
    rules_type = FourKnivesRules
    round_type = FourKnivesRound
    summary = words.paragraphs(
        Text(
            "Each player bets before the deal, then everybody is dealt four cards and divides them into two piles "
            "of two, the first not better than the second. Points (last digit of the sum; J Q K half a point, 10 "
            "nothing) < two different court cards, KQ > KJ > QJ, < pairs, KK high, AA low. A player who is better "
            "in both piles wins the bet, and one pile each is a push; equal piles go to the banker. Four cards of "
            "one rank win ten bets outright. A hand that is not arranged in time is arranged the house's way: with "
            "the best first pile that the rules allow.",
            "發牌前下注，每家發四張，分成兩堆各兩張，第二堆須不小於第一堆。點數（和的個位數；J、Q、K半點，10為零點）"
            "＜羅梭（兩張"
            "不同的J、Q、K，KQ＞KJ＞QJ）＜對子（KK最大，AA最小）。兩堆全勝贏一倍，全敗輸一倍，一勝一負為和局，"
            "同大算莊家大。四支刀"
            "（四張相同）直接贏十倍。逾時未排牌者按館規代排：取第一堆最大的排法。",
            "发牌前下注，每家发四张，分成两堆各两张，第二堆须不小于第一堆。点数（和的个位数；J、Q、K半点，10为零点）"
            "＜罗梭（两张"
            "不同的J、Q、K，KQ＞KJ＞QJ）＜对子（KK最大，AA最小）。两堆全胜赢一倍，全败输一倍，一胜一负为和局，"
            "同大算庄家大。四支刀"
            "（四张相同）直接赢十倍。逾时未排牌者按馆规代排：取第一堆最大的排法。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.BET_TERMS + Terms(
        phase=ARRANGE,
        zone=f"{LOW} {HIGH}",
        status="arranging arranged",
        reason="win lose four_knives",
        action=ARRANGE,
        argument=f"{LOW} {HIGH}",
        happening="arranged decided",
        fact="action",
    )
    words = words.COMMON | {
        ARRANGE: Text("arrange", "排牌", "排牌"),
        "arranging": Text("arranging", "排牌中", "排牌中"),
        "arranged": Text("has arranged", "已排牌", "已排牌"),
        LOW: Text("first pile", "第一堆", "第一堆"),
        HIGH: Text("second pile", "第二堆", "第二堆"),
        "four_knives": Text("four knives", "四支刀", "四支刀"),
    }

    def turn_action(self, round_: FourKnivesRound, seat: int, able: Sequence[str]) -> actions.Action | None:
        """Lay the hand the house's way."""
        hand = round_.hand_of(seat)
        if ARRANGE not in able or hand is None:
            return None
        low, high = four_knives.house_way(hand.cards)
        return actions.Arrange(low=low, high=high)

    def best_returns(self, rules: FourKnivesRules) -> dict[str, Fraction]:
        """Return what a bet returns with the best way to lay every hand against the house's way."""
        won, lost = (BEST_LAID[result] for result in ("won", "lost"))
        # Knives win ten bets and lose no more than the carry: at least ``cover`` bets, and capped wins are no more.
        loses = min(rules.cover, KNIVES_PAY)
        wins = loses if rules.win_cap == "stake" else KNIVES_PAY
        knives = BEST_LAID["knives"] * (wins - loses)
        return {"bet": 1 + Fraction(won - lost + knives, sum(BEST_LAID.values()) + BEST_LAID["knives"])}

    def payouts(self, rules: FourKnivesRules) -> tuple[Payout, ...]:
        """List what a bet pays."""
        del rules
        return (
            Payout("bet", Text("better in both piles", "兩堆全勝", "两堆全胜"), "1:1"),
            Payout("bet", self.words["four_knives"], f"{KNIVES_PAY}:1"),
        )

    def greatest_win(self, rules: FourKnivesRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(str(KNIVES_PAY), "four knives", "四支刀", "四支刀")


GAME = FourKnives()
