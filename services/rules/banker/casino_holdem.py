"""Casino hold'em (賭場撲克): one player hand for all seats against the dealer; ante, bonus, then call or fold."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from services.rules import actions
from services.rules.banker import casino_texts as texts
from services.rules.banker import words
from services.rules.banker.bank import BY_HOUSE, Bank, seats_needed
from services.rules.banker.call_strategy import calls
from services.rules.banker.casino_bets import (
    ANTE,
    ANTE_ODDS,
    BONUS,
    BONUS_ODDS,
    CALL,
    CALL_MULTIPLE,
    DECISION,
    FOLD,
    PAIR_OF_FOURS,
    CasinoBetsRound,
    CasinoHoldemRules,
    bonus_odds,
    bonus_return,
    category,
    category_of,
    showdown,
)
from services.rules.banker.engine import BETS, SHOWDOWN
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Rng, Stock
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Shown, Shuffled
from services.rules.kinds import Limit, Only
from services.rules.offers import Between, OneOf, Option, Waiting
from services.rules.ranking import five_cards
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.worth import HAND_CARDS, Worth, of_seven

BEST_PLAY_RETURN: Final = "61849287523/63213204600"
"""Return of ante and call per ante with best play, enumerated over all deals [casino_holdem "Acceptance figures"]."""

PLAYER: Final = "player"
DEALER: Final = "dealer"
BOARD: Final = "board"

FLOP: Final = 3


class CasinoHoldemRound(CasinoBetsRound, kw_only=True):
    """A round with its cards; ``player_hand`` is that of all seats."""

    player_hand: Hand = msgspec.field(default_factory=Hand)
    board: list[Card] = msgspec.field(default_factory=list)

    # -- what a seat may do -----------------------------------------------------------------------------------

    def waiting(self) -> Waiting | None:
        """Wait for bets, later for decisions."""
        if self.outcome is not None:
            return None
        if self.phase == BETS:
            return Waiting(self.betting(), self.clock, self.rules.bet_seconds)
        return Waiting(tuple(self.undecided()), self.clock, self.rules.turn_seconds)

    def options(self, seat: int) -> list[Option]:
        """List bets and done, later call and fold."""
        if self.outcome is not None or seat not in self.carry:
            return []
        if self.phase == DECISION:
            return [Option(CALL), Option(FOLD)] if seat in self.antes and seat not in self.called else []
        return [] if seat in self.finished else [*self.bet_options(seat), Option("done")]

    def check(self, seat: int, action: actions.Action) -> None:
        """Test a bet, done, a call or a fold in the sheet's order of refusals."""
        if self.phase == DECISION:
            if not isinstance(action, actions.Call | actions.Fold) or seat not in self.antes or seat in self.called:
                raise self.not_now(seat, action)
            return
        if seat in self.finished or not isinstance(action, actions.PlaceBet | actions.Done):
            raise self.not_now(seat, action)
        if isinstance(action, actions.PlaceBet):
            self.check_bet(seat, action)

    # -- moves ------------------------------------------------------------------------------------------------

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Lay a bet, end the betting of a seat, or take a decision."""
        del chance
        if isinstance(action, actions.PlaceBet):
            return self.lay_bet(seat, action)
        if isinstance(action, actions.Done):
            return self.end_betting(seat)
        happened = self.decide(seat, calls=isinstance(action, actions.Call))
        return happened if self.undecided() else happened + self.play_out()

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Close the betting, or fold for the seats that did not act."""
        del chance
        happened: list[Happening] = []
        if self.phase == BETS:
            happened += [Decided(seat, actions.Done()) for seat in self.betting()]
            self.finished = dict.fromkeys(self.players, True)
            return happened + self.close_bets()
        for seat in self.undecided():
            happened += [Decided(seat, actions.Fold()), *self.decide(seat, calls=False)]
        return happened + self.play_out()

    def close_bets(self) -> list[Happening]:
        """Deal hands and flop, or end the round where nobody has an ante."""
        if not self.antes:
            return [Noted("no_bets"), *self.finish(self.new_payouts(), counts=False)]
        for _ in range(2):
            self.player_hand.take(self.stock.deal(), up=True)
            self.bank_hand.take(self.stock.deal(), up=False)
        happened: list[Happening] = [
            Phase("deal"),
            Dealt(None, PLAYER, self.stock.number, (0, 2), self.player_hand.seen()),
            Dealt(None, DEALER, self.stock.number, (1, 3), self.bank_hand.seen()),
            self.deal_board(FLOP),
        ]
        return happened + self.enter(DECISION)

    def deal_board(self, count: int) -> Dealt:
        """Deal table cards face up."""
        at = self.stock.next
        dealt = tuple(self.stock.deal() for _ in range(count))
        self.board += dealt
        return Dealt(None, BOARD, self.stock.number, tuple(range(at, at + count)), dealt)

    # -- the end ----------------------------------------------------------------------------------------------

    def play_out(self) -> list[Happening]:
        """Deal turn and river where somebody called, and settle every bet."""
        payouts = self.new_payouts()
        happened: list[Happening] = []
        if any(self.called.values()):
            happened += [Phase("river"), self.deal_board(2), Phase(SHOWDOWN)]
            self.bank_hand.turn_up()
            happened.append(Shown(None, DEALER, self.bank_hand.known()))
        result = showdown(self.seven(self.player_hand), self.seven(self.bank_hand)) if len(self.board) > FLOP else None
        self.settle_antes(payouts, result)
        self.settle_bonuses(payouts, bonus_odds(self.first_five()))
        return happened + self.finish(payouts, self.facts())

    def seven(self, hand: Hand) -> list[Card]:
        """Return a hand with the table cards."""
        return [*hand.cards, *self.board]

    def first_five(self) -> list[Card]:
        """Return the player's cards with the flop."""
        return [*self.player_hand.cards, *self.board[:FLOP]]

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep nothing: the house always banks."""
        del counts
        return {}

    # -- what is seen -----------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return the hands as far as they are face up."""
        if not self.board:
            return {}
        found: dict[str, Any] = {"bonus_hand": category(self.first_five())}
        if not self.bank_hand.hidden():
            found["player_hand"] = category(self.seven(self.player_hand))
            dealer = five_cards.plain(self.seven(self.bank_hand))
            found["dealer_hand"] = category_of(dealer)
            found["qualified"] = dealer >= PAIR_OF_FOURS
        return found

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the best five of the players' hand or the dealer's with the table cards."""
        every = [*cards, *self.board]
        if owner is not None or zone == BOARD or len(every) < HAND_CARDS:
            return None
        return of_seven(every, five_cards.plain(every), texts.WORDS)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show the shared hand, the dealer's and the table cards."""
        del viewer
        if not self.board:
            return []
        return [
            Zone(None, PLAYER, self.player_hand.seen()),
            Zone(None, DEALER, self.bank_hand.seen()),
            Zone(None, BOARD, tuple(self.board)),
        ]


class CasinoHoldem(BankerGame):
    """賭場撲克."""

    id = "casino_holdem"
    most_actions = 20  # two spots, at tables of many seats
    name = Text("Casino hold'em", "賭場撲克", "赌场扑克")
    rules_type = CasinoHoldemRules
    round_type = CasinoHoldemRound
    case_keys = frozenset()
    summary = texts.SUMMARY
    terms = texts.TERMS
    words = texts.WORDS

    def seats(self, rules: HouseRules) -> tuple[int, int]:
        """Return 1 and the greatest number that a table may be opened for."""
        return CasinoHoldemRules.players

    def limits(self, rules: HouseRules) -> dict[str, Limit]:
        """Return also that the house banks."""
        return {**super().limits(rules), "banker": Only((BY_HOUSE,))}

    def least_carry(self, rules: HouseRules) -> int:
        """Return the chips that the least ante needs, the call included."""
        assert isinstance(rules, CasinoHoldemRules)
        return (1 + CALL_MULTIPLE) * rules.min_bet

    def start(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Open the betting for every seat at the table; refused where none holds the least ante.

        Source: [banker "Who is in"].
        """
        assert isinstance(rules, CasinoHoldemRules)
        seats_needed(rules, table)
        if max(table.chips.values(), default=0) < rules.min_bet:
            message = f"no seat at this table holds the {rules.min_bet} chips of the least ante; add chips first"
            figures = {"seats": 0, "needed": 1, "chips": rules.min_bet}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        seats = sorted(table.chips)
        round_ = CasinoHoldemRound(
            carry={seat: table.chips[seat] for seat in seats},
            rules=rules,
            bank=Bank(None),
            players=seats,
            seated=seats.copy(),
            stock=Stock(0, chance.shuffle(PACK_52)),
        )
        return round_, [Shuffled(0, len(PACK_52)), *round_.enter(BETS)]

    def strategy(self, round_: Round, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:
        """Bet the least ante with an equal bonus, and call by ``call_strategy``."""
        del rng
        assert isinstance(round_, CasinoHoldemRound)
        if round_.phase == DECISION:
            return actions.Call() if calls(round_.player_hand.cards, round_.board) else actions.Fold()
        for option in options:
            spot, amount = option.arguments.get("spot"), option.arguments.get("amount")
            if (
                isinstance(spot, OneOf)
                and isinstance(amount, Between)
                and not round_.laid_on(seat, str(spot.values[0]))
            ):
                least = max(amount.least, min(round_.antes.get(seat, 0), amount.most))
                return actions.PlaceBet(spot=str(spot.values[0]), amount=least)
        return actions.Done()

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction]:
        """Return what ante with call and bonus return with best play."""
        del rules
        return {ANTE: Fraction(BEST_PLAY_RETURN), BONUS: Fraction(bonus_return(0))}

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what every bet pays; the ante's return is that of ante and call with best play, per ante."""
        with_call = None if rules.fee_bps else BEST_PLAY_RETURN
        found = [Payout(ANTE, self.words[name], f"{odds}:1", with_call) for name, odds in ANTE_ODDS.items()]
        found.append(
            Payout(CALL, Text("better than a dealer that qualifies", "大於合格的莊家", "大于合格的庄家"), "1:1")
        )
        exact = bonus_return(rules.fee_bps)
        found += [Payout(BONUS, self.bonus_text(name), f"{odds}:1", exact) for name, odds in BONUS_ODDS.items()]
        return tuple(found)

    def bonus_text(self, name: str) -> Text:
        """Return with which first five cards the bonus wins."""
        return Text("a pair of aces", "一對A", "一对A") if name == five_cards.ONE_PAIR else self.words[name]

    def greatest_win(self, rules: HouseRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(
            "202", "per ante: a royal flush on the ante, the call and an equal bonus", "皇家同花順", "皇家同花顺"
        )


GAME = CasinoHoldem()
