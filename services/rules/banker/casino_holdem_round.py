"""A round of casino hold'em: bets, one player hand for all seats against the dealer's, a flop, call or fold."""

from typing import Any, Final

import msgspec

from services.rules import actions
from services.rules.banker.casino_bets import ANTE, BONUS, CALL_MULTIPLE, CasinoBetsRound
from services.rules.banker.casino_pays import PAIR_OF_FOURS, bonus_odds, category, showdown
from services.rules.banker.engine import BETS, SHOWDOWN
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Payouts
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Shown, Staked
from services.rules.offers import Option, Waiting
from services.rules.ranking import five_cards
from services.rules.views import SeatView, Zone

CALL: Final = "call"
FOLD: Final = "fold"
DECISION: Final = "decision"
PLAYER: Final = "player"
DEALER: Final = "dealer"
BOARD: Final = "board"

FLOP: Final = 3


class CasinoHoldemRound(CasinoBetsRound, kw_only=True):
    """``called``: each decision by seat, True for a call; ``player_hand`` is that of all seats."""

    called: dict[int, bool] = msgspec.field(default_factory=dict)
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

    def undecided(self) -> list[int]:
        """List the seats with an ante that have still to call or fold."""
        return [seat for seat in self.antes if seat not in self.called]

    def reserved(self, seat: int) -> int:
        """Return the chips that a seat's bets need: nothing is held for a call any more where it folded."""
        held = super().reserved(seat)
        return held - CALL_MULTIPLE * self.antes[seat] if self.called.get(seat) is False else held

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

    def decide(self, seat: int, *, calls: bool) -> list[Happening]:
        """Write down a call or a fold."""
        self.called[seat] = calls
        return [Staked(seat, CALL, CALL_MULTIPLE * self.antes[seat])] if calls else [Noted(FOLD, seat)]

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
        self.settle_antes(payouts)
        odds = bonus_odds(self.first_five())
        for seat, bonus in self.bonuses.items():
            if odds is None:
                payouts.lost(seat, BONUS, bonus, bonus, BONUS)
            else:
                payouts.won(seat, BONUS, bonus, bonus * odds, BONUS)
        return happened + self.finish(payouts, self.facts())

    def settle_antes(self, payouts: Payouts) -> None:
        """Settle antes and calls; a seat that folded loses the ante."""
        result = showdown(self.seven(self.player_hand), self.seven(self.bank_hand)) if len(self.board) > FLOP else None
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
            found["dealer_hand"] = category(self.seven(self.bank_hand))
            found["qualified"] = five_cards.plain(self.seven(self.bank_hand)) >= PAIR_OF_FOURS
        return found

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
