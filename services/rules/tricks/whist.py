"""Whist (tricks, ``whist``): two partnerships, thirteen tricks, each trick beyond six is paid."""

from typing import Any, Final

import msgspec

from services.rules import game, keys, partnerships
from services.rules.happenings import Happening
from services.rules.kinds import Limit, Range
from services.rules.outcomes import Stake
from services.rules.phases import Step
from services.rules.text import Text
from services.rules.tricks import deal, texts
from services.rules.tricks.game import TrickGame
from services.rules.tricks.play import Tricks
from services.rules.tricks.round import TrickRound
from services.rules.vocabulary import Terms

SEATS: Final = 4
CARDS_EACH: Final = 13
BOOK: Final = 6
"""Tricks that a side wins for nothing; each one beyond them is an odd trick."""
MOST_ODD: Final = CARDS_EACH - BOOK
MOST_BASE: Final = 10**12
"""With all odd tricks a claim stays below the most chips that the house takes at once."""

WORDS: Final[dict[str, Text]] = {
    **texts.COMMON,
    **partnerships.WORDS,
    "odd_tricks": Text("odd tricks", "額外墩", "额外墩"),
    "turned": Text("card that shows trumps", "王牌指示牌", "王牌指示牌"),
}


class WhistRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``base`` chips for an odd trick, from each seat of one side to each of the other [whist D5]."""

    base: keys.Base = 10
    min_seats: int = SEATS
    max_seats: int = SEATS


def open_round(round_: "WhistRound", log: list[Happening]) -> None:
    """Seat partners opposite each other, deal, and show the dealer's last card [whist Play 1, Play 2]."""
    round_.sides = partnerships.opposite(round_.order)
    log += deal.deal(round_, CARDS_EACH)
    deal.show_last(round_, log)


class Play(Tricks["WhistRound"], frozen=True):
    """Thirteen tricks [whist Play 3]."""

    def won(self, round_: "WhistRound", winner: int, log: list[Happening]) -> int | None:
        """Let the winner lead, up to the last trick."""
        del log  # the trick is noted
        return winner if round_.hands[winner] else None


def pay(round_: "WhistRound", log: list[Happening]) -> None:
    """End the round: each seat of the side with fewer tricks owes each of the other for the odd tricks."""
    side, odd = round_.result()
    for payer in round_.order:
        if round_.sides[payer] != side:
            for payee in partnerships.members(round_.sides, side):
                round_.owe(payer, payee, odd * round_.rules.base, "odd_tricks")
    round_.settle(log)


class WhistRound(TrickRound[WhistRules], kw_only=True):
    """A deal of whist."""

    phases = (Step(run=open_round), Play(), Step(run=pay))

    def result(self) -> tuple[int, int]:
        """Return the side with more tricks, and its odd tricks so far."""
        tricks = self.side_tricks()
        side = max(tricks, key=lambda one: tricks[one])
        return side, max(0, tricks[side] - BOOK)

    def at_stake(self) -> tuple[Stake, ...]:
        """List what each seat could have lost at these odd tricks, as far as it could pay."""
        _, odd = self.result()
        return self.most_owed("odd_tricks", dict.fromkeys(self.order, 2 * odd * self.rules.base))

    def facts(self) -> dict[str, Any]:
        """Return the sides, and the tricks of the seats; the winners once all are played."""
        won = {"winner": partnerships.members(self.sides, self.result()[0])} if self.number == CARDS_EACH else {}
        return {"sides": self.sides, "tricks": self.tricks_won(), **won}

    def public_facts(self) -> dict[str, Any]:
        """Add the card that the dealer showed."""
        return {**super().public_facts(), "turned": self.turned}

    def status(self, seat: int, _viewer: int | None) -> str:
        """Return the seat's side."""
        return partnerships.status(self.sides, seat)

    def pots(self) -> tuple[int, ...]:
        """Return no pot."""
        return ()

    def in_words(self, seat: int) -> Text:
        """Return the tricks of a seat and of its side, and whose the odd tricks are."""
        own, together = self.tricks.get(seat, 0), self.side_tricks()[self.sides[seat]]
        side, odd = self.result()
        won, many = side == self.sides[seat], "" if odd == 1 else "s"
        ended = Text(
            f"{odd} odd trick{many} {'won' if won else 'lost'}",
            f"{'贏' if won else '輸'}{odd}額外墩",
            f"{'赢' if won else '输'}{odd}额外墩",
        )
        return texts.listed(
            texts.tricks(own), Text(f"{together} with the partner", f"與同伴共{together}", f"与同伴共{together}"), ended
        )


class Whist(TrickGame[WhistRules, WhistRound]):
    """Whist."""

    id = "whist"
    name = Text("Whist", "惠斯特", "惠斯特")
    summary = texts.summary(
        en=(
            "Four players in two partnerships; partners sit opposite each other. Each gets thirteen cards; the "
            "dealer's last card is shown, its suit is trumps. The player left of the dealer leads. Follow suit if "
            "you can, otherwise play any card. The highest trump, else the highest card of the led suit, wins the "
            "trick and leads next. A side wins the base for each trick beyond six: each of its players from each "
            "opponent."
        ),
        zh_hant=(
            "四人分兩方，對坐者為同伴。每人發十三張；發牌者亮出最後一張，其花色為王牌，隨即收回。由發牌者左鄰先出。"
            "須跟同花色，無則任意出牌。王牌最大者、否則同花色最大者贏得該墩並先出下一墩。一方每贏超過六墩的一墩，"
            "其每位玩家各向每位對手收一份底注。"
        ),
        zh_hans=(
            "四人分两方，对坐者为同伴。每人发十三张；发牌者亮出最后一张，其花色为王牌，随即收回。由发牌者左邻先出。"
            "须跟同花色，无则任意出牌。王牌最大者、否则同花色最大者赢得该墩并先出下一墩。一方每赢超过六墩的一墩，"
            "其每位玩家各向每位对手收一份底注。"
        ),
    )
    terms = msgspec.structs.replace(texts.TERMS, status="") + Terms(
        phase="play",
        status=" ".join(partnerships.STATUS),
        reason="odd_tricks",
        word=texts.SUITS,
        happening="trump",
        fact="trump turned tricks sides side_tricks winners",
    )
    words = WORDS
    rules_type = WhistRules
    round_type = WhistRound
    fewest = most = SEATS

    def limits(self, rules: WhistRules) -> dict[str, Limit]:
        """Return also the bound of ``base``."""
        return {**super().limits(rules), "base": Range(1, MOST_BASE)}

    def least_carry(self, rules: WhistRules) -> int:
        """Return twice the base, what a seat owes for one odd trick."""
        return 2 * rules.base

    def payouts(self, rules: WhistRules) -> tuple[game.Payout, ...]:
        """List what an odd trick pays."""
        wins = Text("each trick of a side beyond six", "一方超過六墩的每一墩", "一方超过六墩的每一墩")
        return (game.Payout(bet="odd_tricks", wins=wins, pays=f"2 × {rules.base}"),)

    def greatest_win(self, rules: WhistRules) -> Text:
        """Return what all thirteen tricks bring to a seat."""
        most = 2 * MOST_ODD * rules.base
        won = Text(
            f"{most} chips: all thirteen tricks, from both opponents",
            f"{most} 籌碼：贏得全部十三墩，兩名對手各付",
            f"{most} 筹码：赢得全部十三墩，两名对手各付",
        )
        return texts.capped(won, rules)


GAME = Whist()
