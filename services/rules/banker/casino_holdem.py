"""Casino hold'em (賭場撲克): one player hand for all seats against the dealer; ante, bonus, then call or fold."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from services.rules import actions, common_keys, happenings, illegal_actions, keys
from services.rules.banker import call_strategy, spots, words
from services.rules.banker import keys as banker_keys
from services.rules.banker.bank import BY_HOUSE, Bank, BankRules
from services.rules.banker.family import BankerGame, returned
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Payouts
from services.rules.banker.spots import SpotBets
from services.rules.banker.table import BETS, SHOWDOWN, BankRound, amount_within, seat_round
from services.rules.cards import Card
from services.rules.chance import Chance, Rng
from services.rules.game import Payout, Table
from services.rules.happenings import Dealt, Happening, Noted, Shown, Staked
from services.rules.kinds import Limit, Only
from services.rules.offers import Between, OneOf, Option
from services.rules.phases import Phase
from services.rules.ranking import five_cards
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import SeatView, Zone
from services.rules.vocabulary import Terms
from services.rules.worth import HAND_CARDS, Worth, of_seven

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


class Result(NamedTuple):
    """What the hands bring: ante and call by the bet of each, negative if lost; None where it is returned."""

    ante: int | None
    call: int | None


def category(cards: Sequence[Card]) -> str:
    """Return the category of the best five of five to seven cards, the royal flush apart [casino_holdem D10]."""
    return category_of(five_cards.plain(cards))


def category_of(strength: int) -> str:
    """Return the category of a strength, the royal flush apart."""
    return ROYAL_FLUSH if strength == five_cards.CLASSES else five_cards.category(strength)


def showdown(player: Sequence[Card], dealer: Sequence[Card]) -> Result:
    """Compare the best five of seven cards each: a dealer that does not qualify comes first.

    Source: [casino_holdem "Pays"; casino_holdem D3].
    """
    own, theirs = five_cards.plain(player), five_cards.plain(dealer)
    if theirs < PAIR_OF_FOURS:
        return Result(ANTE_ODDS[category_of(own)], None)
    if own == theirs:
        return Result(None, None)
    return Result(ANTE_ODDS[category_of(own)], 1) if own > theirs else Result(-1, -1)


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

    @property
    def least_carry(self) -> int:
        """The chips that the least ante needs, the call included."""
        return (1 + CALL_MULTIPLE) * self.min_bet


BEST_PLAY_RETURN: Final = "61849287523/63213204600"
"""Return of ante and call per ante with best play, enumerated over all deals [casino_holdem "Acceptance figures"]."""

PLAYER: Final = "player"
DEALER: Final = "dealer"
BOARD: Final = "board"

FLOP: Final = 3


WORDS: Final[dict[str, Text]] = words.COMMON | {
    "ante": Text("ante", "底注", "底注"),
    "bonus": Text("bonus", "獎金", "奖金"),
    "call": Text("call", "叫牌", "叫牌"),
    "fold": Text("fold", "棄牌", "弃牌"),
    "decision": Text("call or fold", "叫牌或棄牌", "叫牌或弃牌"),
    "player": Text("player's hand", "閒家牌", "闲家牌"),
    "dealer": Text("dealer's hand", "莊家牌", "庄家牌"),
    "board": words.same("table cards", "公共牌"),
    "river": Text("turn and river", "轉牌與河牌", "转牌与河牌"),
    "player_hand": Text("player's best hand", "閒家牌型", "闲家牌型"),
    "dealer_hand": Text("dealer's best hand", "莊家牌型", "庄家牌型"),
    "bonus_hand": Text("hand of the bonus", "獎金牌型", "奖金牌型"),
    "qualified": Text("the dealer qualifies", "莊家合格", "庄家合格"),
    "royal_flush": Text("royal flush", "皇家同花順", "皇家同花顺"),
    five_cards.STRAIGHT_FLUSH: Text("straight flush", "同花順", "同花顺"),
    five_cards.FOUR_OF_A_KIND: Text("four of a kind", "四條", "四条"),
    five_cards.FULL_HOUSE: Text("full house", "葫蘆", "葫芦"),
    five_cards.FLUSH: Text("flush", "同花", "同花"),
    five_cards.STRAIGHT: Text("straight", "順子", "顺子"),
    five_cards.THREE_OF_A_KIND: Text("three of a kind", "三條", "三条"),
    five_cards.TWO_PAIR: Text("two pair", "兩對", "两对"),
    five_cards.ONE_PAIR: Text("one pair", "對子", "对子"),
    five_cards.HIGH_CARD: Text("high card", "高牌", "高牌"),
}


def needed(ante: int, bonus: int) -> int:
    """Return the chips that an ante with its call and a bonus need."""
    return (1 + CALL_MULTIPLE) * ante + bonus


class Bets(SpotBets["CasinoHoldemRound"], frozen=True, kw_only=True):
    """The window for antes and bonuses, all at once."""

    spots: tuple[str, ...] = (ANTE, BONUS)

    def options(self, round_: "CasinoHoldemRound", seat: int) -> list[Option]:
        """List what may be added to the ante and to the bonus, and done."""
        if seat in round_.finished:
            return []
        rules, found = round_.rules, []
        ante, bonus = round_.antes.get(seat, 0), round_.bonuses.get(seat, 0)
        free = round_.carry[seat] - round_.reserved(seat)
        most_ante = free // (1 + CALL_MULTIPLE)
        if rules.max_bet:
            most_ante = min(most_ante, rules.max_bet - ante)
        bounds = {
            ANTE: (max(1, rules.min_bet - ante), most_ante),
            BONUS: (max(1, rules.min_bonus - bonus), min(free, ante - bonus)),
        }
        for spot, (least, most) in bounds.items():
            if least <= most:
                found.append(Option("place_bet", {"spot": OneOf((spot,)), "amount": Between(least, most)}))
        return [*found, Option("done")]

    def verify(self, round_: "CasinoHoldemRound", seat: int, action: actions.Action) -> None:
        """Test what a bet makes of the sum on its spot, and whether the chips cover all bets and the call."""
        if seat in round_.finished or not isinstance(action, actions.PlaceBet | actions.Done):
            raise round_.not_now(seat, action)
        if isinstance(action, actions.Done):
            return
        ante, bonus = round_.antes.get(seat, 0), round_.bonuses.get(seat, 0)
        if action.spot not in self.spots:
            raise illegal_actions.illegal(
                f"{action.spot!r} is not a spot; the spots are {ANTE} and {BONUS}", illegal_actions.NO_SPOT
            )
        if action.spot == BONUS and not ante:
            raise illegal_actions.illegal("a bonus needs an ante; place the ante first", illegal_actions.ANTE_FIRST)
        amount_within(action.amount, 1, None)
        if action.spot == ANTE:
            ante += action.amount
            amount_within(ante, round_.rules.min_bet, round_.rules.max_bet or None)
        else:
            bonus += action.amount
            amount_within(bonus, round_.rules.min_bonus, ante)
        stake, carry = needed(ante, bonus), round_.carry[seat]
        if stake > carry:
            message = f"three times the ante and the bonus are {stake} chips, and seat {seat} has {carry}"
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": carry, "needed": stake})


class Deal(Phase["CasinoHoldemRound"], frozen=True):
    """Two cards each for the players together and the dealer, then the flop."""

    def begin(self, round_: "CasinoHoldemRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal."""
        stock, player, dealer = round_.stock, round_.player_hand, round_.bank_hand
        for _ in range(2):
            player.take(stock.deal(), up=True)
            dealer.take(stock.deal(), up=False)
        log += [
            happenings.Phase("deal"),
            Dealt(None, PLAYER, stock.number, (0, 2), player.seen()),
            Dealt(None, DEALER, stock.number, (1, 3), dealer.seen()),
        ]
        round_.board += round_.deal_open(None, BOARD, FLOP, log)
        return False


class Decision(Phase["CasinoHoldemRound"], frozen=True):
    """Every seat with an ante calls or folds, all at once."""

    name: str = DECISION

    def asked(self, round_: "CasinoHoldemRound") -> Sequence[int]:
        """List the seats with an ante that have still to call or fold."""
        return [seat for seat in round_.antes if seat not in round_.called]

    def options(self, round_: "CasinoHoldemRound", seat: int) -> list[Option]:
        """List call and fold."""
        return [Option(CALL), Option(FOLD)] if seat in round_.antes and seat not in round_.called else []

    def verify(self, round_: "CasinoHoldemRound", seat: int, action: actions.Action) -> None:
        """Test a call or a fold."""
        if not isinstance(action, actions.Call | actions.Fold) or seat not in round_.antes or seat in round_.called:
            raise round_.not_now(seat, action)

    def do(
        self, round_: "CasinoHoldemRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Write down a call or a fold; the last one closes the window."""
        calls = round_.called[seat] = isinstance(action, actions.Call)
        log.append(Staked(seat, CALL, CALL_MULTIPLE * round_.antes[seat]) if calls else Noted(FOLD, seat))
        return len(round_.called) == len(round_.antes)

    def forced(self, round_: "CasinoHoldemRound", seat: int) -> actions.AnyAction:
        """Fold."""
        return actions.Fold()


class Showdown(Phase["CasinoHoldemRound"], frozen=True):
    """Turn and river are dealt where somebody called, and every bet is settled."""

    name: str = SHOWDOWN

    def begin(self, round_: "CasinoHoldemRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal on, show and settle."""
        payouts, result = round_.new_payouts(), None
        if any(round_.called.values()):
            log.append(happenings.Phase("river"))
            round_.board += round_.deal_open(None, BOARD, 2, log)
            round_.bank_hand.turn_up()
            log += [happenings.Phase(self.name), Shown(None, DEALER, round_.bank_hand.known())]
            result = showdown(round_.seven(round_.player_hand), round_.seven(round_.bank_hand))
        self.settle_antes(round_, payouts, result)
        odds = bonus_odds(round_.first_five())
        for seat, bonus in round_.bonuses.items():
            payouts.settled(seat, BONUS, bonus, -bonus if odds is None else bonus * odds)
        round_.finish(payouts, log)
        return False

    def settle_antes(self, round_: "CasinoHoldemRound", payouts: Payouts, result: Result | None) -> None:
        """Settle antes and calls; a seat that folded loses the ante. ``result`` is None where nobody called."""
        for seat, calls in round_.called.items():
            ante = round_.antes[seat]
            if not calls or result is None:
                payouts.lost(seat, ANTE, ante, ante, ANTE)
                continue
            for bet, amount, times in ((ANTE, ante, result.ante), (CALL, CALL_MULTIPLE * ante, result.call)):
                payouts.settled(seat, bet, amount, None if times is None else amount * times)


class CasinoHoldemRound(BankRound[CasinoHoldemRules], kw_only=True):
    """``antes``, ``bonuses`` by seat; ``called``: each decision by seat, True for a call.

    ``player_hand`` is that of all seats, ``bank_hand`` the dealer's.
    """

    apart = CALL
    phases = (Bets(), Deal(), Decision(), Showdown())

    antes: dict[int, int] = msgspec.field(default_factory=dict)
    bonuses: dict[int, int] = msgspec.field(default_factory=dict)
    called: dict[int, bool] = msgspec.field(default_factory=dict)
    player_hand: Hand = msgspec.field(default_factory=Hand)
    board: list[Card] = msgspec.field(default_factory=list)

    def lay(self, seat: int, spot: str, amount: int) -> None:
        """Add chips to the ante or the bonus of a seat."""
        super().lay(seat, spot, amount)
        laid = self.antes if spot == ANTE else self.bonuses
        laid[seat] = laid.get(seat, 0) + amount

    def reserved(self, seat: int) -> int:
        """Return the chips that a seat's bets need: the ante, what is held for the call until it folds, the bonus."""
        ante = self.antes.get(seat, 0)
        held = needed(ante, self.bonuses.get(seat, 0))
        return held - CALL_MULTIPLE * ante if self.called.get(seat) is False else held

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return a bet, and the call, which is a multiple of the ante."""
        return CALL_MULTIPLE * self.antes[seat] if isinstance(action, actions.Call) else super().cost(seat, action)

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

    def result(self, payouts: Payouts) -> dict[str, Any]:
        """Return the hands."""
        del payouts
        return self.facts()

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
        return of_seven(every, five_cards.plain(every), WORDS)

    def seat_view(self, seat: int) -> SeatView:
        """Show chips less those bet or held back, the bets made, and the status."""
        return SeatView(seat, self.carry[seat] - self.reserved(seat), self.staked_by(seat), self.status(seat))

    def staked_by(self, seat: int) -> int:
        """Count the bets, and the call."""
        return super().staked_by(seat) + (CALL_MULTIPLE * self.antes[seat] if self.called.get(seat) else 0)

    def status(self, seat: int) -> str:
        """Return the status of a seat."""
        if self.phase == BETS:
            return spots.status(self, seat)
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


class CasinoHoldem(BankerGame[CasinoHoldemRules, CasinoHoldemRound]):
    """賭場撲克."""

    id = "casino_holdem"
    most_actions = 20  # two spots, at tables of many seats
    name = Text("Casino hold'em", "賭場撲克", "赌场扑克")
    rules_type = CasinoHoldemRules
    round_type = CasinoHoldemRound
    case_keys = frozenset()
    summary = words.paragraphs(
        Text(
            "Seats place an ante, and may add a bonus of at most the ante; twice the ante is held back for the "
            "call. One player hand, shared by all seats, and the dealer get two cards each, then three table cards "
            "are turned. Every seat calls (twice the ante) or folds; a seat that does not decide in time folds. If "
            "anybody called, two more table cards follow and the best five of seven cards win. The dealer needs a "
            "pair of fours to qualify: otherwise the ante is paid and the call returned. A better hand wins ante "
            "and call; an equal one gets both back. The ante pays by the player's hand, the call 1:1. The bonus "
            "pays on the first five cards from a pair of aces on, whatever else happens.",
            "玩家下底注，可加獎金注（不超過底注），並預扣雙倍底注作叫牌。閒家（全桌共用）與莊家各發兩張，"
            "再翻三張公共牌。玩家叫牌（兩倍底注）"
            "或棄牌，逾時視為棄牌。有人叫牌則再發兩張，七張取最好五張比大小。莊家須有一對4或以上才合格："
            "不合格時賠付底注並退還叫牌。牌較大贏得底注與叫牌，"
            "完全相同則退還。底注按閒家牌型賠付，叫牌1賠1。獎金按前五張，一對A或以上即賠，與其他結果無關。",
            "玩家下底注，可加奖金注（不超过底注），并预扣双倍底注作叫牌。闲家（全桌共用）与庄家各发两张，"
            "再翻三张公共牌。玩家叫牌（两倍底注）"
            "或弃牌，逾时视为弃牌。有人叫牌则再发两张，七张取最好五张比大小。庄家须有一对4或以上才合格："
            "不合格时赔付底注并退还叫牌。牌较大赢得底注与叫牌，"
            "完全相同则退还。底注按闲家牌型赔付，叫牌1赔1。奖金按前五张，一对A或以上即赔，与其他结果无关。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.SPOT_BETS + Terms(
        phase="bets deal decision river showdown ended",
        zone="player dealer board",
        status="betting call done fold passed turn",
        reason="ante bonus call net",
        action="place_bet done call fold",
        argument="spot amount",
        word=" ".join(("ante", "bonus", "royal_flush", *five_cards.CATEGORIES)),
        happening="done fold no_bets",
        suggestion="min max",
        fact="house_banks bonus_hand dealer_hand player_hand qualified",
    )
    words = WORDS

    def seats(self, rules: CasinoHoldemRules) -> tuple[int, int]:
        """Return 1 and the greatest number that a table may be opened for."""
        return CasinoHoldemRules.players

    def limits(self, rules: CasinoHoldemRules) -> dict[str, Limit]:
        """Return also that the house banks."""
        return {**super().limits(rules), "banker": Only((BY_HOUSE,))}

    def open(self, rules: CasinoHoldemRules, table: Table, chance: Chance) -> tuple[CasinoHoldemRound, list[Happening]]:
        """Seat everybody at the table; refused where no seat holds the least ante [banker "Who is in"]."""
        if max(table.chips.values(), default=0) < rules.min_bet:
            message = f"no seat at this table holds the {rules.min_bet} chips of the least ante; add chips first"
            figures = {"seats": 0, "needed": 1, "chips": rules.min_bet}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        return seat_round(CasinoHoldemRound, rules, table, chance, banked=Bank(None), least=0)

    def strategy(
        self, round_: CasinoHoldemRound, seat: int, options: Sequence[Option], rng: Rng
    ) -> actions.Action | None:
        """Bet the least ante with an equal bonus, and call by ``call_strategy``."""
        del rng
        if round_.phase == DECISION:
            return actions.Call() if call_strategy.calls(round_.player_hand.cards, round_.board) else actions.Fold()
        for option in options:
            spot, amount = option.arguments.get("spot"), option.arguments.get("amount")
            if not isinstance(spot, OneOf) or not isinstance(amount, Between):
                continue
            name = str(spot.values[0])
            if seat not in (round_.antes if name == ANTE else round_.bonuses):
                least = max(amount.least, min(round_.antes.get(seat, 0), amount.most))
                return actions.PlaceBet(spot=name, amount=least)
        return actions.Done()

    def calls(self, own: Sequence[Card], board: Sequence[Card]) -> bool:
        """Return whether a hand is called by the published advice."""
        return call_strategy.calls(own, board)

    def best_returns(self, rules: CasinoHoldemRules) -> dict[str, Fraction]:
        """Return what ante with call and bonus return with best play."""
        del rules
        return {ANTE: Fraction(BEST_PLAY_RETURN), BONUS: Fraction(bonus_return(0))}

    def payouts(self, rules: CasinoHoldemRules) -> tuple[Payout, ...]:
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

    def greatest_win(self, rules: CasinoHoldemRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(
            "202", "per ante: a royal flush on the ante, the call and an equal bonus", "皇家同花順", "皇家同花顺"
        )


GAME = CasinoHoldem()
