"""The bets of casino hold'em, from ante, bonus and call to what they pay by the hands [casino_holdem "Pays"]."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

import msgspec

from services.rules import actions, common_keys, illegal_actions, keys
from services.rules.banker import keys as banker_keys
from services.rules.banker.bank import BankRules
from services.rules.banker.engine import BETS, BankedRound, amount_within
from services.rules.banker.family import returned
from services.rules.banker.payouts import Payouts
from services.rules.cards import Card
from services.rules.happenings import Happening, Noted, Staked
from services.rules.offers import Between, OneOf, Option
from services.rules.ranking import five_cards
from services.rules.refusals import Reason, Refused
from services.rules.views import SeatView

CALL: Final = "call"
FOLD: Final = "fold"
DECISION: Final = "decision"
ANTE: Final = "ante"
BONUS: Final = "bonus"
CALL_MULTIPLE: Final = 2
MOST_SEATS: Final = 1000
"""Greatest number that ``min_seats`` and ``max_seats`` may be; 0 for the latter is no limit."""

ROYAL_FLUSH: Final = "royal_flush"

ANTE_ODDS: Final[Mapping[str, int]] = {
    ROYAL_FLUSH: 100,
    five_cards.STRAIGHT_FLUSH: 20,
    five_cards.FOUR_OF_A_KIND: 10,
    five_cards.FULL_HOUSE: 3,
    five_cards.FLUSH: 2,
    five_cards.STRAIGHT: 1,
    five_cards.THREE_OF_A_KIND: 1,
    five_cards.TWO_PAIR: 1,
    five_cards.ONE_PAIR: 1,
    five_cards.HIGH_CARD: 1,
}
"""What the ante pays by the player's best five of seven."""

BONUS_ODDS: Final[Mapping[str, int]] = {
    ROYAL_FLUSH: 100,
    five_cards.STRAIGHT_FLUSH: 50,
    five_cards.FOUR_OF_A_KIND: 40,
    five_cards.FULL_HOUSE: 30,
    five_cards.FLUSH: 20,
    five_cards.STRAIGHT: 7,
    five_cards.THREE_OF_A_KIND: 7,
    five_cards.TWO_PAIR: 7,
    five_cards.ONE_PAIR: 7,
}
"""What the bonus pays by the first five cards; one pair only if it is of aces."""

BONUS_HANDS: Final[Mapping[str, int]] = {
    ROYAL_FLUSH: 4,
    five_cards.STRAIGHT_FLUSH: 36,
    five_cards.FOUR_OF_A_KIND: 624,
    five_cards.FULL_HOUSE: 3744,
    five_cards.FLUSH: 5108,
    five_cards.STRAIGHT: 10_200,
    five_cards.THREE_OF_A_KIND: 54_912,
    five_cards.TWO_PAIR: 123_552,
    five_cards.ONE_PAIR: 84_480,
}
"""How many of the 2 598 960 first five cards win the bonus with each category."""
ALL_STARTS: Final = 2_598_960

PAIR_OF_ACES: Final = five_cards.plain(["As", "Ah", "2d", "3c", "4s"])
PAIR_OF_FOURS: Final = five_cards.plain(["4s", "4h", "2d", "3c", "5s"])
"""The lowest hands with which the bonus wins, and the dealer qualifies."""


class Showdown(NamedTuple):
    """What the hands bring: ante and call by the bet of each, negative if lost; None where it is returned."""

    ante: int | None
    call: int | None


def category(cards: Sequence[Card]) -> str:
    """Return the category of the best five of five to seven cards, the royal flush apart [casino_holdem D10]."""
    return category_of(five_cards.plain(cards))


def category_of(strength: int) -> str:
    """Return the category of a strength, the royal flush apart."""
    return ROYAL_FLUSH if strength == five_cards.CLASSES else five_cards.category(strength)


def showdown(player: Sequence[Card], dealer: Sequence[Card]) -> Showdown:
    """Compare the best five of seven cards each: a dealer that does not qualify comes first.

    Source: [casino_holdem "Pays"; casino_holdem D3].
    """
    own, theirs = five_cards.plain(player), five_cards.plain(dealer)
    if theirs < PAIR_OF_FOURS:
        return Showdown(ANTE_ODDS[category_of(own)], None)
    if own == theirs:
        return Showdown(None, None)
    return Showdown(ANTE_ODDS[category_of(own)], 1) if own > theirs else Showdown(-1, -1)


def bonus_odds(first_five: Sequence[Card]) -> int | None:
    """Return the odds of the bonus on the player's two cards and the flop; None where it is lost."""
    return BONUS_ODDS[category(first_five)] if five_cards.plain(first_five) >= PAIR_OF_ACES else None


def bonus_return(fee_bps: int) -> str:
    """Return the return to player of the bonus from the counts of all first five cards."""
    results: dict[int, int] = {}
    for name, hands in BONUS_HANDS.items():
        results[BONUS_ODDS[name]] = results.get(BONUS_ODDS[name], 0) + hands
    return returned({**results, -1: ALL_STARTS - sum(results.values())}, ALL_STARTS, fee_bps)


class CasinoHoldemRules(BankRules, frozen=True, kw_only=True):
    """House rules; ``max_seats`` 0: no limit. The house banks, and the call is twice the ante."""

    players: ClassVar[tuple[int, int]] = (1, MOST_SEATS)

    min_seats: common_keys.MinSeats = 1
    max_seats: common_keys.UnlimitedSeats = 0
    min_bet: keys.MinBet = 10
    max_bet: keys.MaxBet = 10_000
    min_bonus: banker_keys.MinBonus = 1
    call_multiple: banker_keys.CallMultiple = CALL_MULTIPLE

    def __post_init__(self) -> None:
        """Leave the numbers of seats as they are."""


class CasinoBetsRound(BankedRound, kw_only=True):
    """The bets of a round, from antes and bonuses to what they are paid.

    ``antes``, ``bonuses`` by seat; ``finished``: done betting; ``called``: each decision by seat, True for a call.
    """

    rules: CasinoHoldemRules
    antes: dict[int, int] = msgspec.field(default_factory=dict)
    bonuses: dict[int, int] = msgspec.field(default_factory=dict)
    finished: dict[int, bool] = msgspec.field(default_factory=dict)
    called: dict[int, bool] = msgspec.field(default_factory=dict)

    def close_bets(self) -> list[Happening]:
        """Go on when all have bet."""
        raise NotImplementedError

    def betting(self) -> tuple[int, ...]:
        """List the seats that have not said that they are done."""
        return tuple(seat for seat in self.players if seat not in self.finished)

    def reserved(self, seat: int) -> int:
        """Return the chips that a seat's bets need: the ante, what is held for the call until it folds, the bonus."""
        ante = self.antes.get(seat, 0)
        held = needed(ante, self.bonuses.get(seat, 0))
        return held - CALL_MULTIPLE * ante if self.called.get(seat) is False else held

    def laid_on(self, seat: int, spot: str) -> int:
        """Return the chips on a spot of a seat."""
        return (self.antes if spot == ANTE else self.bonuses).get(seat, 0)

    def bet_options(self, seat: int) -> list[Option]:
        """List what may be added to the ante and to the bonus."""
        found: list[Option] = []
        ante, bonus = self.antes.get(seat, 0), self.bonuses.get(seat, 0)
        free = self.carry[seat] - self.reserved(seat)
        most_ante = free // (1 + CALL_MULTIPLE)
        if self.rules.max_bet:
            most_ante = min(most_ante, self.rules.max_bet - ante)
        bounds = {
            ANTE: (max(1, self.rules.min_bet - ante), most_ante),
            BONUS: (max(1, self.rules.min_bonus - bonus), min(free, ante - bonus)),
        }
        for spot, (least, most) in bounds.items():
            if least <= most:
                found.append(Option("place_bet", {"spot": OneOf((spot,)), "amount": Between(least, most)}))
        return found

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return a bet, and the call, which is a multiple of the ante."""
        return CALL_MULTIPLE * self.antes[seat] if isinstance(action, actions.Call) else super().cost(seat, action)

    def check_bet(self, seat: int, action: actions.PlaceBet) -> None:
        """Test what a bet makes of the sum on its spot, and whether the chips cover all bets and the call."""
        ante, bonus = self.antes.get(seat, 0), self.bonuses.get(seat, 0)
        if action.spot not in {ANTE, BONUS}:
            raise illegal_actions.illegal(
                f"{action.spot!r} is not a spot; the spots are {ANTE} and {BONUS}", illegal_actions.NO_SPOT
            )
        if action.spot == BONUS and not ante:
            raise illegal_actions.illegal("a bonus needs an ante; place the ante first", illegal_actions.ANTE_FIRST)
        amount_within(action.amount, 1, None)
        if action.spot == ANTE:
            ante += action.amount
            amount_within(ante, self.rules.min_bet, self.rules.max_bet or None)
        else:
            bonus += action.amount
            amount_within(bonus, self.rules.min_bonus, ante)
        stake = needed(ante, bonus)
        if stake > self.carry[seat]:
            message = f"three times the ante and the bonus are {stake} chips, and seat {seat} has {self.carry[seat]}"
            figures = {"chips": self.carry[seat], "needed": stake}
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata=figures)

    def lay_bet(self, seat: int, action: actions.PlaceBet) -> list[Happening]:
        """Add chips to a spot."""
        laid = self.antes if action.spot == ANTE else self.bonuses
        laid[seat] = laid.get(seat, 0) + action.amount
        return [Staked(seat, action.spot, action.amount)]

    def end_betting(self, seat: int) -> list[Happening]:
        """Note that a seat is done; the last one closes the betting."""
        self.finished[seat] = True
        happened: list[Happening] = [Noted("done", seat)]
        return happened if self.betting() else happened + self.close_bets()

    def undecided(self) -> list[int]:
        """List the seats with an ante that have still to call or fold."""
        return [seat for seat in self.antes if seat not in self.called]

    def decide(self, seat: int, *, calls: bool) -> list[Happening]:
        """Write down a call or a fold."""
        self.called[seat] = calls
        return [Staked(seat, CALL, CALL_MULTIPLE * self.antes[seat])] if calls else [Noted(FOLD, seat)]

    # -- what is paid and shown -------------------------------------------------------------------------------

    def settle_antes(self, payouts: Payouts, result: Showdown | None) -> None:
        """Settle antes and calls; a seat that folded loses the ante. ``result`` is None where nobody called."""
        for seat, calls in self.called.items():
            ante = self.antes[seat]
            if not calls or result is None:
                payouts.lost(seat, ANTE, ante, ante, ANTE)
                continue
            for bet, amount, times in ((ANTE, ante, result.ante), (CALL, CALL_MULTIPLE * ante, result.call)):
                if times is None:
                    payouts.returned(seat, bet, amount)
                elif times > 0:
                    payouts.won(seat, bet, amount, amount * times, bet)
                else:
                    payouts.lost(seat, bet, amount, amount, bet)

    def settle_bonuses(self, payouts: Payouts, odds: int | None) -> None:
        """Pay the bonuses at the odds, or take them where ``odds`` is None."""
        for seat, bonus in self.bonuses.items():
            if odds is None:
                payouts.lost(seat, BONUS, bonus, bonus, BONUS)
            else:
                payouts.won(seat, BONUS, bonus, bonus * odds, BONUS)

    def seat_view(self, seat: int) -> SeatView:
        """Show chips less those bet or held back, the bets made, and the status."""
        bets = self.antes.get(seat, 0) * (1 + CALL_MULTIPLE if self.called.get(seat) else 1)
        return SeatView(
            seat, self.carry[seat] - self.reserved(seat), bets + self.bonuses.get(seat, 0), self.status(seat)
        )

    def status(self, seat: int) -> str:
        """Return the status of a seat."""
        if self.phase == BETS:
            return "done" if seat in self.finished else "betting"
        if seat not in self.antes:
            return "passed"
        if seat not in self.called:
            return "turn"
        return CALL if self.called[seat] else FOLD


def needed(ante: int, bonus: int) -> int:
    """Return the chips that an ante with its call and a bonus need."""
    return (1 + CALL_MULTIPLE) * ante + bonus
