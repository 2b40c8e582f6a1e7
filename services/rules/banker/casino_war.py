"""Casino war (賭場戰爭): one card each against the banker's; on a tie a seat goes to war or surrenders."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Final, NamedTuple

import msgspec

from services.rules import actions, happenings
from services.rules.banker import keys as banker_keys
from services.rules.banker import spots, words
from services.rules.banker.bank import BetRules
from services.rules.banker.family import BankerGame, returned
from services.rules.banker.payouts import Payouts
from services.rules.banker.spots import SpotBets
from services.rules.banker.table import BETS, SHOWDOWN, BankRound
from services.rules.banker.windows import Deal
from services.rules.cards import PACK_52, RANKS, Card
from services.rules.chance import Chance, Rng
from services.rules.game import Payout
from services.rules.happenings import Happening, Noted, Staked
from services.rules.kinds import Limit, Range
from services.rules.offers import Between, OneOf, Option
from services.rules.phases import Phase
from services.rules.text import Text
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_card

ANTE: Final = "ante"
TIE: Final = "tie"
CALL: Final = "call"
FOLD: Final = "fold"
WAR: Final = "at_war"
SPOTS: Final = (ANTE, TIE)

TIE_PAYS: Final = 10
BONUS: Final = "bonus"
LEAST_COVER: Final = 2
"""A bet with so many times its chips behind it can always go to war."""
MOST_COVER: Final = 1000


class CasinoWarRules(BetRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 7)

    cover: int = LEAST_COVER
    decks: banker_keys.Decks = 6
    war_tie: banker_keys.WarTie = "raise"


def rank(card: Card) -> int:
    """Return a card's rank: A K Q J 10 … 2."""
    return RANKS.index(card[0])


class GoToWar(Phase["CasinoWarRound"], frozen=True):
    """Every seat with an ante and a card of the banker's rank goes to war or surrenders, all at once."""

    name: str = WAR

    def begin(self, round_: "CasinoWarRound", chance: Chance, log: list[Happening]) -> bool:
        """Open the window if any seat ties."""
        return bool(self.asked(round_)) and super().begin(round_, chance, log)

    def asked(self, round_: "CasinoWarRound") -> Sequence[int]:
        """List the seats that have still to decide."""
        return [seat for seat in round_.bettors() if round_.undecided(seat)]

    def options(self, round_: "CasinoWarRound", seat: int) -> list[Option]:
        """List war and surrender."""
        return [Option(CALL), Option(FOLD)] if round_.undecided(seat) else []

    def verify(self, round_: "CasinoWarRound", seat: int, action: actions.Action) -> None:
        """Test a decision."""
        if not isinstance(action, actions.Call | actions.Fold) or not round_.undecided(seat):
            raise round_.not_now(seat, action)

    def do(
        self, round_: "CasinoWarRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Write down a decision; the last one closes the window."""
        at_war = round_.at_war[seat] = isinstance(action, actions.Call)
        log.append(Staked(seat, CALL, round_.laid(seat, ANTE)) if at_war else Noted(FOLD, seat))
        return not self.asked(round_)

    def forced(self, round_: "CasinoWarRound", seat: int) -> actions.AnyAction:
        """Surrender [casino_war D4]."""
        return actions.Fold()


class Settle(Phase["CasinoWarRound"], frozen=True):
    """Seats at war and the banker get one more card each, and every bet is decided [casino_war "Pays"]."""

    name: str = SHOWDOWN

    def begin(self, round_: "CasinoWarRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal on and settle."""
        log.append(happenings.Phase(self.name))
        fighting = [(seat, round_.hands[seat]) for seat in round_.bettors() if round_.at_war.get(seat)]
        if fighting:
            round_.deal([*fighting, round_.bank_taker()], log, up=True)
        payouts = round_.new_payouts()
        for seat in round_.bettors():
            ante, tie = round_.laid(seat, ANTE), round_.laid(seat, TIE)
            if ante:
                self.settle_ante(round_, seat, ante, payouts)
            if tie:
                payouts.settled(seat, TIE, tie, TIE_PAYS * tie if round_.ties(seat) else -tie)
        round_.finish(payouts, log)
        return False

    def settle_ante(self, round_: "CasinoWarRound", seat: int, ante: int, payouts: Payouts) -> None:
        """Settle an ante, with the raise of a war."""
        own, bank = round_.hands[seat].cards, round_.bank_hand.cards
        if not round_.ties(seat):
            if rank(own[0]) > rank(bank[0]):
                payouts.won(seat, ANTE, ante, ante, "win")
            else:
                payouts.lost(seat, ANTE, ante, ante, "lose")
        elif not round_.at_war[seat]:
            payouts.lost(seat, ANTE, ante, ante - ante // 2, FOLD)
        elif rank(own[1]) < rank(bank[1]):
            payouts.lost(seat, ANTE, ante, ante, WAR)
            payouts.lost(seat, CALL, ante, ante, WAR)
        else:
            payouts.won(seat, CALL, ante, ante, WAR)
            if rank(own[1]) == rank(bank[1]) and round_.rules.war_tie == BONUS:
                payouts.won(seat, ANTE, ante, ante, WAR)
            else:
                payouts.returned(seat, ANTE, ante)


class CasinoWarRound(BankRound[CasinoWarRules], kw_only=True):
    """``at_war``: the decision of each seat that ties, True for a war."""

    apart = CALL
    phases = (SpotBets(spots=SPOTS), Deal(up=True), GoToWar(), Settle())

    at_war: dict[int, bool] = msgspec.field(default_factory=dict)

    def laid(self, seat: int, spot: str) -> int:
        """Return the chips of a seat on a spot."""
        return self.spots.get(seat, {}).get(spot, 0)

    def ties(self, seat: int) -> bool:
        """Return whether the first card of a seat has the rank of the banker's."""
        return rank(self.hands[seat].cards[0]) == rank(self.bank_hand.cards[0])

    def undecided(self, seat: int) -> bool:
        """Return whether a seat has still to decide between war and surrender."""
        return seat in self.hands and seat not in self.at_war and self.laid(seat, ANTE) > 0 and self.ties(seat)

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return a bet; to go to war takes the ante once more."""
        return self.laid(seat, ANTE) if isinstance(action, actions.Call) else super().cost(seat, action)

    def staked_by(self, seat: int) -> int:
        """Count the bets, and the raise of a war."""
        return self.bets.get(seat, 0) + (self.laid(seat, ANTE) if self.at_war.get(seat) else 0)

    def status(self, seat: int) -> str:
        """Return the status of a seat: banker, betting, done, still to decide, at war, surrendered, bet or passed."""
        if self.phase == BETS or seat == self.bank.seat:
            return spots.status(self, seat)
        if self.phase == WAR and self.undecided(seat):
            return "turn"
        if seat in self.at_war:
            return CALL if self.at_war[seat] else FOLD
        return "bet" if self.bets.get(seat) else "passed"

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the card that counts: the last one."""
        del owner, zone
        return of_card(cards[-1]) if cards else None


class Returns(NamedTuple):
    """What bets return for each chip, as fractions: an ante that always goes to war, and a tie bet."""

    ante: str
    tie: str


def returns(rules: CasinoWarRules) -> Returns:
    """Return what the bets return, counted over all orders of two cards, and of four where the first two tie."""
    size = len(PACK_52) * rules.decks
    alike = 4 * rules.decks  # cards of one rank
    ties, pairs = size * (alike - 1), size * (size - 1)
    rest = (size - 2) * (size - 3)
    again = (alike - 2) * (alike - 3) + (len(RANKS) - 1) * alike * (alike - 1)
    decided, won = (pairs - ties) // 2 * rest, ties * (rest - again) // 2
    results = {1: decided + won, -1: decided, -2: won}
    tied = 2 if rules.war_tie == BONUS else 1
    results[tied] = results.get(tied, 0) + ties * again
    tie_results = {TIE_PAYS: ties, -1: pairs - ties}
    return Returns(returned(results, pairs * rest, rules.fee_bps), returned(tie_results, pairs, rules.fee_bps))


class CasinoWar(BankerGame[CasinoWarRules, CasinoWarRound]):
    """賭場戰爭."""

    id = "casino_war"
    name = Text("Casino war", "賭場戰爭", "赌场战争")
    rules_type = CasinoWarRules
    round_type = CasinoWarRound
    open_cards = True
    summary = words.paragraphs(
        Text(
            "Seats bet an ante, and may bet on a tie. Each seat with a bet and the banker are dealt one card face "
            "up; aces are high and suits do not count. A higher card wins the ante, a lower one loses it. A seat "
            "whose card has the banker's rank goes to war or surrenders. A surrender loses half of the ante (an odd "
            "chip is lost); a seat that does not decide in time surrenders. A war takes the ante once more, and one "
            "more card each: a lower card loses both, a higher or an equal one wins the raise, and the ante comes "
            "back; some tables also pay the ante on a second tie. The tie bet wins ten times its chips if the first "
            "cards tie, else it is lost.",
            "各家下底注，並可押和局。有下注的各家與莊家各發一張明牌，A 最大，不計花色。牌大贏得底注，牌小輸掉底注。與莊"
            "家同點者選擇開戰或投降：投降輸掉一半底注（單數時多輸一枚），逾時視為投降；開戰須再下一份底注，雙方各再發一"
            "張：牌小兩份皆輸，牌大或再同點則贏得加注並取回底注，部分牌桌再同點時底注也賠一倍。押和局者，首張同點時贏十"
            "倍，否則輸掉。",
            "各家下底注，并可押和局。有下注的各家与庄家各发一张明牌，A 最大，不计花色。牌大赢得底注，牌小输掉底注。与庄"
            "家同点者选择开战或投降：投降输掉一半底注（单数时多输一枚），逾时视为投降；开战须再下一份底注，双方各再发一"
            "张：牌小两份皆输，牌大或再同点则赢得加注并取回底注，部分牌桌再同点时底注也赔一倍。押和局者，首张同点时赢十"
            "倍，否则输掉。",
        ),
        words.WINDOW,
        words.MALFUNCTION,
    )
    terms = words.SPOT_TERMS + Terms(
        phase=f"{WAR} {SHOWDOWN}",
        zone="hand bank",
        status=f"turn {CALL} {FOLD} bet passed",
        reason=f"{ANTE} {TIE} {CALL} {FOLD} {WAR} win lose",
        action=f"{CALL} {FOLD}",
        word=" ".join(SPOTS),
        happening=FOLD,
    )
    words = words.COMMON | {
        ANTE: Text("ante", "底注", "底注"),
        TIE: Text("tie", "和局", "和局"),
        CALL: Text("go to war", "開戰", "开战"),
        FOLD: Text("surrender", "投降", "投降"),
        WAR: Text("at war", "戰爭", "战争"),
    }

    def limits(self, rules: CasinoWarRules) -> dict[str, Limit]:
        """Return also the least chips behind a bet, with which a seat can go to war."""
        return {**super().limits(rules), "cover": Range(LEAST_COVER, MOST_COVER)}

    def cards(self, rules: CasinoWarRules) -> Sequence[Card]:
        """Return so many packs as the rules say."""
        return PACK_52 * rules.decks

    def strategy(self, round_: CasinoWarRound, seat: int, options: Sequence[Option], rng: Rng) -> actions.Action | None:
        """Bet the same chips on each spot once, and always go to war."""
        del rng
        for option in options:
            spot, amount = option.arguments.get("spot"), option.arguments.get("amount")
            if option.action == CALL:
                return actions.Call()
            if isinstance(spot, OneOf) and isinstance(amount, Between):
                for name in spot.values:
                    if not round_.laid(seat, str(name)):
                        return actions.PlaceBet(spot=str(name), amount=self.best_bet(round_, seat, amount))
        return actions.Done()

    def best_returns(self, rules: CasinoWarRules) -> dict[str, Fraction]:
        """Return what an ante returns that always goes to war, which is never worse than a surrender, and a tie bet."""
        found = returns(msgspec.structs.replace(rules, fee_bps=0))
        return {ANTE: Fraction(found.ante), TIE: Fraction(found.tie)}

    def payouts(self, rules: CasinoWarRules) -> tuple[Payout, ...]:
        """List what every bet pays; the ante's return is that of ante and raise, per ante."""
        exact = returns(rules)
        found = [
            Payout(ANTE, Text("a higher card than the banker's", "牌大於莊家", "牌大于庄家"), "1:1", exact.ante),
            Payout(CALL, Text("a higher or an equal card in the war", "開戰後牌大或同點", "开战后牌大或同点"), "1:1"),
            Payout(TIE, Text("the first cards have one rank", "首張同點", "首张同点"), f"{TIE_PAYS}:1", exact.tie),
        ]
        if rules.war_tie == BONUS:
            found.insert(
                2, Payout(ANTE, Text("an equal card in the war", "開戰後同點", "开战后同点"), "1:1", exact.ante)
            )
        return tuple(found)

    def greatest_win(self, rules: CasinoWarRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return words.per_bet(str(TIE_PAYS), "the tie bet", "押和局", "押和局")


GAME = CasinoWar()
