"""Three-card Loo (tricks, ``loo``): a single pool and a double pool; a card of another suit ends the trick."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from services.rules import game
from services.rules.actions import Action, Exchange, Fold, Pass, Support
from services.rules.cards import Card, face_down
from services.rules.happenings import Happening, Noted, Shown
from services.rules.outcomes import POT
from services.rules.phases import Step
from services.rules.text import Text
from services.rules.tricks import deal, keys, texts
from services.rules.tricks.game import TrickGame
from services.rules.tricks.play import Tricks
from services.rules.tricks.questions import TwoWays
from services.rules.tricks.round import TrickRound
from services.rules.views import Zone
from services.rules.vocabulary import Terms

NAME: Final = Text("Three-card Loo", "單雙賭金", "单双赌金")

SUMMARY: Final = texts.summary(
    en=(
        "Five to eight players, three cards each, two pools. Single pool: the dealer puts in the stake and may "
        "change his hand for the Miss, three cards that lie apart. No trumps; each trick wins a third of the "
        "stake. Double pool: everybody puts in the stake, the carried pot is added, a card is turned for "
        "trumps, and new cards are dealt. Each opponent supports or folds; the dealer stays in. If the dealer "
        "left the Miss, a supporter may take it. Three trumps in one hand win the pot at once. Each trick wins "
        "a third of the pot; a player who stays in and gets no trick pays the stake into the next pot. Follow "
        "suit if you can; the first card of another suit ends the trick. A player who does not answer in time "
        "keeps the hand, or folds."
    ),
    zh_hant=(
        "5至8人，各發3張，分單、雙賭金兩段。單賭金：莊家放入賭注，可用手牌換「Miss」；無王牌，每勝一墩得賭注三分之一。"
        "雙賭金：每人放入賭注，併入累積彩池，翻一張定王牌，重新發牌。對手支持或放棄，莊家必須參加；莊家未換Miss時，支持者可依序交換。"
        "三張全是王牌為同花，立即贏得彩池。每勝一墩得彩池三分之一；參加而一墩未得者，放入賭注作下局雙賭金。"
        "須跟同花色；第一張不同花色的牌使該墩立即結束。逾時未答者視為不換或放棄。"
    ),
    zh_hans=(
        "5至8人，各发3张，分单、双赌金两段。单赌金：庄家放入赌注，可用手牌换“Miss”；无王牌，每胜一墩得赌注三分之一。"
        "双赌金：每人放入赌注，并入累积彩池，翻一张定王牌，重新发牌。对手支持或放弃，庄家必须参加；庄家未换Miss时，支持者可依序交换。"
        "三张全是王牌为同花，立即赢得彩池。每胜一墩得彩池三分之一；参加而一墩未得者，放入赌注作下局双赌金。"
        "须跟同花色；第一张不同花色的牌使该墩立即结束。逾时未答者视为不换或放弃。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **texts.COMMON,
    "pot": texts.POT,
    "pass": texts.PASS,
    "miss": Text("Miss", "Miss", "Miss"),
    "exchange": Text("change for the Miss", "換Miss", "换Miss"),
    "exchanged": Text("changed the hand for the Miss", "以手牌換Miss", "以手牌换Miss"),
    "single": Text("single pool", "單賭金", "单赌金"),
    "double": Text("double pool", "雙賭金", "双赌金"),
    "supporting": Text("support or fold", "支持或放棄", "支持或放弃"),
    "support": Text("support", "支持", "支持"),
    "fold": Text("fold", "放棄", "放弃"),
    "folded": Text("folded", "已放棄", "已放弃"),
    "all_fold": Text("all opponents folded", "對手全部放棄", "对手全部放弃"),
    "flush": Text("flush", "同花", "同花"),
    "looed": Text("no trick in the double pool", "雙賭金未得一墩", "双赌金未得一墩"),
    "turned": Text("turned card", "翻開的牌", "翻开的牌"),
}

TERMS: Final = texts.TERMS + Terms(
    phase="exchange single supporting miss double",
    zone="miss turned",
    status="folded",
    reason="single double looed flush all_fold",
    action="exchange support fold pass",
    word=texts.SUITS,
    happening="exchanged all_fold flush",
    fact="single double trump flush",
)


CARDS_EACH: Final = 3
MISS: Final = -1  # stands for the Miss where cards are dealt round


class LooRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``stake`` chips in each pool, a multiple of 3."""

    stake: keys.PoolStake = 3
    min_seats: int = 5
    max_seats: int = 8


def open_single_pool(round_: "LooRound", log: list[Happening]) -> None:
    """Take the dealer's stake, deal the hands, and the Miss apart [loo Play 1]."""
    round_.pool = round_.rules.stake
    round_.stake(round_.order[-1:], round_.pool, "single", log)
    round_.hands, record = deal.hands(round_.stock, (*round_.order, MISS), CARDS_EACH)
    round_.miss, apart = round_.hands.pop(MISS), record.pop()
    round_.miss_positions = apart.positions
    log += [*record, msgspec.structs.replace(apart, to=None, zone="miss")]


class Answers(TwoWays["LooRound"], frozen=True, kw_only=True):
    """The Miss for a hand, or the hand kept; in the double pool or out of it [loo Play 2, Play 5, Play 6]."""

    def seats(self, round_: "LooRound") -> Sequence[int]:
        """Ask the dealer for the Miss; all opponents for support; those in for the Miss, if it is there."""
        if self.name == "miss":
            return round_.order[-1:]
        return round_.opponents() if self.name == "supporting" or round_.miss else ()

    def answer(self, round_: "LooRound", seat: int, action: Action, log: list[Happening]) -> bool:
        """Change the hand for the Miss, which ends the asking; or note who folds."""
        if isinstance(action, Fold):
            round_.folded.append(seat)
        if not isinstance(action, Exchange):
            return False
        round_.hands[seat], round_.miss = round_.miss, []
        log += [Noted("exchanged", seat=seat), deal.dealt(seat, round_.stock, round_.miss_positions)]
        return True

    def answered(self, round_: "LooRound", log: list[Happening]) -> bool:
        """Let the dealer take the pot where all opponents folded [loo Play 5]."""
        if not round_.opponents():
            dealer = round_.order[-1]
            round_.owe(POT, dealer, round_.pool, "all_fold")
            log.append(Noted("all_fold", seat=dealer))
            round_.settle(log)
        return True


class Play(Tricks["LooRound"], frozen=True):
    """Three tricks of a pool; a card of another suit ends a trick."""

    def leader(self, round_: "LooRound") -> int:
        """Return the first seat in, from the dealer's left."""
        return self.players(round_)[0]

    def players(self, round_: "LooRound") -> list[int]:
        """Return the seats in a trick: all in the single pool, those that stayed in the double pool."""
        return round_.staying()

    def legal(self, round_: "LooRound", seat: int) -> list[Card]:
        """List the cards that may be played; the first lead of the double pool is a trump with two of them.

        Source: [loo Play 8, D6].
        """
        trumps = [card for card in round_.hands[seat] if card[1] == round_.trump]
        first_lead = round_.number == 0 and not round_.trick
        return trumps if first_lead and len(trumps) > 1 else super().legal(round_, seat)

    def cut_short(self, round_: "LooRound") -> bool:
        """Return whether a card of another suit ends the trick at once [loo Play 3, Play 8, D2]."""
        return round_.trick[-1].card[1] != self.led(round_)

    def won(self, round_: "LooRound", winner: int, log: list[Happening]) -> int | None:
        """Pay a third of the pool; after three tricks the pool is over."""
        del log  # the trick is noted
        round_.owe(POT, winner, round_.pool // CARDS_EACH, self.name)
        return winner if round_.number < CARDS_EACH else None


def open_double_pool(round_: "LooRound", log: list[Happening]) -> None:
    """Take all stakes, add the carried pot, turn trumps and deal anew from the stock [loo Play 4]."""
    round_.stake(round_.order, round_.rules.stake, "double", log)
    round_.pool = round_.table_pot
    round_.single, round_.tricks, round_.number, round_.last_trick = round_.tricks, {}, 0, []
    log.append(deal.turn(round_))
    log += deal.deal(round_, CARDS_EACH)


def look_for_flush(round_: "LooRound", log: list[Happening]) -> None:
    """End the round if a seat that stays has a flush; the first from the dealer's left wins [loo Play 7, D5]."""
    for seat in round_.staying():
        if all(card[1] == round_.trump for card in round_.hands[seat]):
            round_.flush = seat
            round_.owe(POT, seat, round_.pool, "flush")
            log += [Noted("flush", seat=seat), Shown(owner=seat, zone="hand", cards=tuple(round_.hands[seat]))]
            close(round_, log)
            return


def close(round_: "LooRound", log: list[Happening]) -> None:
    """Let the seats that stayed in and won nothing pay into the next double pool [loo Play 7, Play 9, D3]."""
    winners = {*round_.tricks, round_.flush}
    round_.stake([seat for seat in round_.staying() if seat not in winners], round_.rules.stake, "looed", log)
    round_.settle(log)


class LooRound(TrickRound[LooRules], kw_only=True):
    """A round of both pools; ``pool`` and ``tricks`` are those of the one that is played, ``single`` of the first.

    ``miss``: the cards apart, empty once taken; ``miss_positions``: their places in the stock. ``folded``: seats out of
    the double pool; ``flush``: its winner.
    """

    phases = (
        Step(run=open_single_pool),
        Answers(name="miss", yes=Exchange(), no=Pass()),
        Play("single"),
        Step(run=open_double_pool),
        Answers(name="supporting", yes=Support(), no=Fold()),
        Answers(name="exchange", yes=Exchange(), no=Pass()),
        Step(run=look_for_flush),
        Play("double"),
        Step(run=close),
    )

    miss: list[Card] = msgspec.field(default_factory=list)
    miss_positions: tuple[int, ...] = ()
    pool: int = 0
    single: dict[int, int] = msgspec.field(default_factory=dict)
    folded: list[int] = msgspec.field(default_factory=list)
    flush: int | None = None

    def staying(self) -> list[int]:
        """List the seats in the pool, from the dealer's left."""
        return [seat for seat in self.order if seat not in self.folded]

    def opponents(self) -> list[int]:
        """List the seats in the pool but the dealer."""
        return [seat for seat in self.staying() if seat != self.button]

    def facts(self) -> dict[str, Any]:
        """Return the tricks of both pools so far; a flush in place of the double pool's."""
        won = dict(sorted(self.tricks.items()))
        if self.turned is None:
            return {"single": won}
        second = {"double": won} if self.flush is None else {"flush": self.flush}
        return {"single": dict(sorted(self.single.items())), **second}

    def tricks_won(self) -> dict[int, int]:
        """Return no count of the round: each pool has its own."""
        return {}

    def status(self, seat: int, _viewer: int | None) -> str:
        """Return the status of a seat: folded, if it gave up the double pool."""
        return "folded" if seat in self.folded else "playing"

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Return whether a viewer sees a seat's hand: all see a flush."""
        return seat in {viewer, self.flush}

    def zones(self, viewer: int | None) -> list[Zone]:
        """Add the Miss and the turned card."""
        miss, turned = face_down(len(self.miss)), (self.turned,) if self.turned else ()
        return [*super().zones(viewer), Zone(None, "miss", miss), Zone(None, "turned", turned)]

    def in_words(self, seat: int) -> Text:
        """Return the tricks of a seat in both pools, or how it left the double one."""
        single, double = texts.tricks(self.single.get(seat, 0)), texts.tricks(self.tricks.get(seat, 0))
        if seat in (*self.folded, self.flush):
            double = WORDS["flush" if seat == self.flush else "folded"]
        return texts.listed(texts.said(WORDS["single"], single), texts.said(WORDS["double"], double))


class Loo(TrickGame[LooRules, LooRound]):
    """Three-card Loo (seed trick-and-pool-games.txt, 游戏九规则) [loo D1]."""

    id = "loo"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = LooRules
    round_type = LooRound
    carries = True
    fewest = 5
    most = 8

    def least_carry(self, rules: LooRules) -> int:
        """Return three stakes: both pools, and one for a seat without a trick."""
        return 3 * rules.stake

    def payouts(self, rules: LooRules) -> tuple[game.Payout, ...]:
        """List what a trick, a flush and a dealer left alone are paid."""
        pot = f"pot + {rules.stake} × seats"
        return (
            game.Payout(
                "single",
                Text("a trick in the single pool", "單賭金勝一墩", "单赌金胜一墩"),
                str(rules.stake // CARDS_EACH),
            ),
            game.Payout("double", Text("a trick in the double pool", "雙賭金勝一墩", "双赌金胜一墩"), f"({pot}) ÷ 3"),
            game.Payout("double", Text("three trumps in the double pool", "雙賭金同花", "双赌金同花"), pot),
            game.Payout("double", Text("the dealer, if all fold", "對手全部放棄，莊家勝", "对手全部放弃，庄家胜"), pot),
        )

    def greatest_win(self, rules: LooRules) -> Text:
        """Return both pools, less what the winner puts in himself."""
        seats, most = rules.max_seats, rules.stake * rules.max_seats
        won = Text(
            f"{most} chips with {seats} seats (both pools, less the winner's own stake), and the carried pot",
            f"{seats} 人時 {most} 籌碼（兩段賭金，扣除自己的賭注），另加彩池累積",
            f"{seats} 人时 {most} 筹码（两段赌金，扣除自己的赌注），另加彩池累积",
        )
        return texts.capped(won, rules)


GAME = Loo()
