"""Tui tong zi (推筒子): two tiles each, four hands of which the dice say which is dealt first."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Final

import msgspec

from services.rules import cards, chips, happenings
from services.rules.banker import duels, keys, words
from services.rules.banker.bank import BY_SEAT, BetRules
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.banker.table import HAND, SHOWDOWN, BankRound, zone_of
from services.rules.banker.windows import OneBet, give_hands
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.game import Payout
from services.rules.happenings import Happening, Noted
from services.rules.phases import Phase
from services.rules.ranking import tui_tong_zi
from services.rules.ranking.pip_counts import Ranked
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_ranked

MULTIPLIERS: Final = {tui_tong_zi.LEOPARD: 3, tui_tong_zi.PAIR: 2, tui_tong_zi.TWO_EIGHT: 1, tui_tong_zi.POINTS: 1}
"""The multiplier of the winner's hand, seat or banker [tui_tong_zi D4]."""

HANDS: Final = 4
"""The banker's hand and three players', dealt whether anybody plays them or not."""

SPARE: Final = "spare"

WINS: Final = {
    tui_tong_zi.LEOPARD: 4212,
    tui_tong_zi.PAIR: 36_288,
    tui_tong_zi.TWO_EIGHT: 10_240,
    tui_tong_zi.POINTS: 220_160,
}
TIES: Final = {
    tui_tong_zi.LEOPARD: 6,
    tui_tong_zi.PAIR: 54,
    tui_tong_zi.TWO_EIGHT: 144,
    tui_tong_zi.POINTS: 6336,
}
"""In how many pairs of hands one hand wins with each category (the other as often), and in how many they are equal."""
PAIRS_OF_HANDS: Final = 548_340
"""Player's and banker's hands together: 780 × 703."""


class TuiTongZiRules(BetRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 3)

    banker: str = BY_SEAT
    fee_bps: int = ACTIVITY_FEE_BPS
    win_cap: str = "stake"
    white_single: keys.WhiteSingle = "half"
    equal_hands: keys.EqualHands = "push"


class DealTiles(Phase["TuiTongZiRound"], frozen=True):
    """All four hands get two open tiles, the one first that the dice name."""

    def begin(self, round_: "TuiTongZiRound", chance: Chance, log: list[Happening]) -> bool:
        """Throw the dice and deal."""
        round_.thrown = chance.dice(2)
        first = (sum(round_.thrown) - 1) % HANDS
        log += [happenings.Phase("deal"), Noted("dice", None, {"dice": list(round_.thrown), "hand": first})]
        give_hands(round_)
        places = round_.places()
        for place in (*range(first, HANDS), *range(first)):
            to, zone, hand = round_.hand_at(place, places[place])
            tiles = round_.deal_open(to, zone, tui_tong_zi.SIZE, log)
            for tile in tiles:
                hand.take(tile, up=True)
        return False


class Compare(Phase["TuiTongZiRound"], frozen=True):
    """Each player's tiles meet the banker's."""

    def begin(self, round_: "TuiTongZiRound", chance: Chance, log: list[Happening]) -> bool:
        """Settle."""
        payouts, ties_lose = round_.new_payouts(), round_.rules.equal_hands == "banker"
        bank = round_.ranked(round_.bank_hand.cards)
        for seat in round_.bettors():
            own, bet = round_.ranked(round_.hands[seat].cards), round_.bets[seat]
            if own.key > bank.key:
                payouts.won(seat, "bet", bet, bet * MULTIPLIERS[own.category], own.category)
            elif own.key < bank.key or ties_lose:
                payouts.lost(seat, "bet", bet, bet * MULTIPLIERS[bank.category], bank.category)
            else:
                payouts.returned(seat, "bet", bet)
        log.append(happenings.Phase(SHOWDOWN))
        round_.finish(payouts, log)
        return False


class TuiTongZiRound(BankRound[TuiTongZiRules], kw_only=True):
    """Bets, dice, tiles; ``spare``: hands 1 to 3 that nobody plays."""

    phases = (OneBet(), DealTiles(), Compare())

    thrown: tuple[int, ...] = ()
    spare: dict[int, Hand] = msgspec.field(default_factory=dict)

    def places(self) -> list[int | None]:
        """Return which seat has each of the four hands: the banker, then the seats to its left (None: nobody).

        Seats count whether they are in the round or not; with the house hand 1 is the first seat's.
        """
        order = self.seated if self.bank.seat is None else chips.to_the_left(self.seated, self.bank.seat)
        others: list[int | None] = [seat for seat in order if seat != self.bank.seat]
        return [self.bank.seat, *others, *[None] * HANDS][:HANDS]

    def hand_at(self, place: int, seat: int | None) -> tuple[int | None, str, Hand]:
        """Return to whom and into which zone the tiles of one of the four hands go, and the hand."""
        if place == 0:
            return seat, zone_of(seat), self.bank_hand
        if seat in self.hands:
            return seat, HAND, self.hands[seat]
        return None, f"{SPARE}_{place}", self.spare.setdefault(place, Hand())

    def ranked(self, tiles: Sequence[Card]) -> Ranked:
        """Rank two tiles as the table counts a white."""
        return tui_tong_zi.rank(tiles, white_half=self.rules.white_single == "half")

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return two tiles' category, or their points; a hand that nobody plays has none."""
        del owner
        return None if zone.startswith(SPARE) else of_ranked(self.ranked(cards))

    def zones(self, viewer: int | None) -> list[Zone]:
        """Show all four hands."""
        spare = [Zone(None, f"{SPARE}_{place}", hand.seen()) for place, hand in sorted(self.spare.items())]
        return super().zones(viewer) + spare


class TuiTongZi(BankerGame[TuiTongZiRules, TuiTongZiRound]):
    """推筒子."""

    id = "tui_tong_zi"
    name = Text("Tui tong zi", "推筒子", "推筒子")
    rules_type = TuiTongZiRules
    round_type = TuiTongZiRound
    pack = cards.TILES_40
    summary = words.paragraphs(
        Text(
            "Played with 40 tiles, 1 to 9 and white, four of each. Each player bets, two dice say which of the "
            "four hands is dealt first, and every hand gets two tiles. The last digit of the sum counts, and white "
            "counts half a point; at equal points the larger tile wins. 2 + 8 beats all points, a pair beats 2 + "
            "8, two whites beat everything. The winner gets the bet once, twice with a pair, three times with two "
            "whites; the same two tiles are a tie.",
            "用一至九筒及白板各四張，共40張。各閒家下注後擲兩顆骰子決定起牌方，每方兩張。點數取兩張相加的個位數，白"
            "板半點；同點時比較大的單張。二八大於所有點數，對子大於二八，豹子（一對白板）最大。贏家贏得一倍，對子兩"
            "倍，豹子三倍；牌完全相同為和局。",
            "用一至九筒及白板各四张，共40张。各闲家下注后掷两颗骰子决定起牌方，每方两张。点数取两张相加的个位数，白"
            "板半点；同点时比较大的单张。二八大于所有点数，对子大于二八，豹子（一对白板）最大。赢家赢得一倍，对子两"
            "倍，豹子三倍；牌完全相同为和局。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.BET_TERMS + Terms(
        zone=" ".join(f"{SPARE}_{place}" for place in range(1, HANDS)),
        reason="points two_eight pair leopard",
        word="points two_eight pair leopard",
        happening="dice",
        fact="dice first_hand",
    )
    words = words.COMMON | {
        "dice": words.same("dice", "骰子"),
        "first_hand": Text("hand dealt first", "先發的一家", "先发的一家"),
        "points": Text("points", "點數", "点数"),
        "two_eight": words.same("two and eight", "二八"),
        "pair": Text("pair", "對子", "对子"),
        "leopard": Text("leopard: two whites", "豹子：一對白板", "豹子：一对白板"),
        **{
            f"{SPARE}_{place}": Text(f"hand {place}, played by nobody", f"閒家{place}（無人）", f"闲家{place}（无人）")
            for place in range(1, HANDS)
        },
    }

    def best_returns(self, rules: TuiTongZiRules) -> dict[str, Fraction]:
        """Return what a bet returns; more than 1 where wins are not capped and the carry need not cover the loss."""
        ties = TIES if rules.equal_hands == "banker" else None
        return {"bet": duels.best_return(rules, MULTIPLIERS, WINS, PAIRS_OF_HANDS, cover=rules.cover, ties=ties)}

    def payouts(self, rules: TuiTongZiRules) -> tuple[Payout, ...]:
        """List what a win with each hand pays; the banker wins at the same multipliers."""
        del rules
        return tuple(Payout("bet", self.words[name], f"{times}:1") for name, times in MULTIPLIERS.items())

    def greatest_win(self, rules: TuiTongZiRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet("3", "two whites", "豹子", "豹子")


GAME = TuiTongZi()
