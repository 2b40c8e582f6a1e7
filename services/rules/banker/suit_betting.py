"""Suits and halves (黑紅梅方): bets on the suit, the half, the parity or the seven of one card."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final

import msgspec

from services.rules import cards, happenings, keys
from services.rules.banker import spots, words
from services.rules.banker.bank import BetRules
from services.rules.banker.family import BankerGame, returned
from services.rules.banker.payouts import Payouts
from services.rules.banker.spots import SpotBets
from services.rules.banker.table import BankRound
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.game import Payout
from services.rules.happenings import Happening
from services.rules.phases import Phase
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_card

ODDS: Final = {
    "spade": 3,
    "heart": 3,
    "club": 3,
    "diamond": 3,
    "small": 1,
    "big": 1,
    "odd": 1,
    "even": 1,
    "seven": 12,
}
"""The fair odds of every spot [suit_betting D2]."""

WINNERS: Final = {
    "spade": "s",
    "heart": "h",
    "club": "c",
    "diamond": "d",
    "small": "A23456",
    "big": "89TJQK",
    "odd": "A359JK",
    "even": "2468TQ",
    "seven": "7",
}
"""The suit or the ranks on which each spot wins [suit_betting D1]."""

HALVES: Final = ("small", "big", "odd", "even")
"""Spots that are returned on a seven."""


class SuitBettingRules(BetRules, frozen=True, kw_only=True):
    """House rules; odds that are left out keep the sheet's value."""

    players: ClassVar[tuple[int, int]] = (1, 50)
    widest: ClassVar[int | None] = 1000

    fee_bps: int = ACTIVITY_FEE_BPS
    odds: Annotated[dict[str, int], keys.odds(ODDS)] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill in the sheet's odds."""
        super().__post_init__()
        msgspec.structs.force_setattr(self, "odds", {**ODDS, **self.odds})


def win(spot: str, card: Card, odds: int, stake: int = 1) -> int | None:
    """Return the chips that a bet on a spot wins on a card, negative if it is lost; None: the bet is returned."""
    if spot in HALVES and cards.rank(card) == "7":
        return None
    hits = cards.rank(card) in WINNERS[spot] or cards.suit(card) in WINNERS[spot]
    return odds * stake if hits else -stake


class Turn(Phase["SuitBettingRound"], frozen=True):
    """One card is turned and decides every bet."""

    def begin(self, round_: "SuitBettingRound", chance: Chance, log: list[Happening]) -> bool:
        """Turn the card and settle."""
        log.append(happenings.Phase("deal"))
        (card,) = round_.deal_open(None, "card", 1, log)
        round_.card = card
        payouts = round_.new_payouts()
        for seat, laid in round_.spots.items():
            for spot, amount in laid.items():
                payouts.settled(seat, spot, amount, win(spot, card, round_.rules.odds[spot], amount))
        round_.finish(payouts, log)
        return False


class SuitBettingRound(BankRound[SuitBettingRules], kw_only=True):
    """One card for all."""

    phases = (SpotBets(spots=tuple(ODDS)), Turn())

    card: Card | None = None

    def result(self, payouts: Payouts) -> dict[str, Any]:
        """Return the turnover of all seats: the sum of the bets that were decided."""
        turnover = dict.fromkeys(self.seated, 0)
        for stake in payouts.stakes:
            turnover[stake.seat] += stake.turnover
        return {"turnover": turnover}

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the card in words."""
        del owner, zone
        return of_card(cards[0])

    def status(self, seat: int) -> str:
        """Return the status of a seat."""
        return spots.status(self, seat)

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show the card."""
        del viewer
        return [] if self.card is None else [Zone(None, "card", (self.card,))]


class SuitBetting(BankerGame[SuitBettingRules, SuitBettingRound]):
    """黑紅梅方."""

    id = "suit_betting"
    name = Text("Suits and halves", "黑紅梅方", "黑红梅方")
    rules_type = SuitBettingRules
    round_type = SuitBettingRound
    open_cards = True
    summary = words.paragraphs(
        Text(
            "Seats bet on the suit of one card, or on small (A to 6), big (8 to K), odd, even or seven. A winning "
            "spot pays its odds; a losing bet is lost. On a seven the bets on small, big, odd and even are "
            "returned and do not count as turnover. Betting closes when the time is up or every seat is done. The "
            "fee is taken from the net win of all spots together.",
            "押一張牌的花色、小（A至6）、大（8至K）、單、雙或7。押中按賠率賠付，未中輸掉注金。開出7時，大、小、單、"
            "雙的注金全部退還"
            "且不計有效投注。下注時間結束或所有玩家完成下注後開牌。活動費按各注合計的淨贏收取。",
            "押一张牌的花色、小（A至6）、大（8至K）、单、双或7。押中按赔率赔付，未中输掉注金。开出7时，大、小、单、"
            "双的注金全部退还"
            "且不计有效投注。下注时间结束或所有玩家完成下注后开牌。活动费按各注合计的净赢收取。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.SPOT_TERMS + Terms(zone="card", reason=" ".join(ODDS), word=" ".join(ODDS), fact="turnover")
    words = words.COMMON | {
        "card": Text("the card", "開出的牌", "开出的牌"),
        "turnover": Text("turnover", "有效投注", "有效投注"),
        "spade": words.same("spades", "黑桃"),
        "heart": Text("hearts", "紅心", "红心"),
        "club": words.same("clubs", "梅花"),
        "diamond": Text("diamonds", "方塊", "方块"),
        "small": Text("small: A to 6", "小：A至6", "小：A至6"),
        "big": Text("big: 8 to K", "大：8至K", "大：8至K"),
        "odd": Text("odd: A 3 5 9 J K", "單：A 3 5 9 J K", "单：A 3 5 9 J K"),
        "even": Text("even: 2 4 6 8 10 Q", "雙：2 4 6 8 10 Q", "双：2 4 6 8 10 Q"),
        "seven": Text("any seven", "任意7", "任意7"),
    }

    def payouts(self, rules: SuitBettingRules) -> tuple[Payout, ...]:
        """List the odds of every spot with its exact return, the fee taken off."""
        return tuple(
            Payout(spot, self.words[spot], f"{odds}:1", exact_return(spot, odds, rules.fee_bps))
            for spot, odds in rules.odds.items()
        )

    def greatest_win(self, rules: SuitBettingRules) -> Text:
        """Return what a seat can win at most."""
        return words.per_bet(str(max(rules.odds.values())), "the best odds", "最高賠率", "最高赔率")


def exact_return(spot: str, odds: int, fee_bps: int) -> str:
    """Enumerate the return to player of a bet on one spot over the 52 cards."""
    nets = Counter(win(spot, card, odds) or 0 for card in cards.PACK_52)
    return returned(nets, len(cards.PACK_52), fee_bps)


GAME = SuitBetting()
