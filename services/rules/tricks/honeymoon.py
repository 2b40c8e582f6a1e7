"""Three-fold Honeymoon (tricks, ``honeymoon``): first trick, last trick and queens bring points from a common pot."""

from typing import Any, Final

import msgspec

from services.rules import chips, game, keys
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.happenings import Happening, Noted
from services.rules.outcomes import POT, Match, Stake
from services.rules.phases import Step
from services.rules.ranking import tricks as ladders
from services.rules.text import Text
from services.rules.tricks import keys as tricks_keys
from services.rules.tricks import match, texts
from services.rules.tricks.deal import Deal
from services.rules.tricks.game import TrickGame
from services.rules.tricks.match import Standing
from services.rules.tricks.play import Tricks
from services.rules.tricks.round import TrickRound
from services.rules.vocabulary import Terms

NAME: Final = Text("Three-fold Honeymoon", "三度蜜月", "三度蜜月")

SUMMARY: Final = texts.summary(
    en=(
        "Four to six players, 32 cards from seven to ace (30 with five or six players), no trumps. When the "
        "pot is empty a match starts: everybody puts in the stake. Follow suit if you can; the highest card of "
        "the led suit takes the trick and leads next. First trick, last trick and every trick with a queen in "
        "it bring a point, paid from the pot. The match is over when the pot is empty or, by house rule, after "
        "a number of rounds; then the rest is shared. A player who leaves during the match forfeits the share, "
        "and the match ends with that round."
    ),
    zh_hant=(
        "4至6人，用7至A的32張牌（5、6人時30張），無王牌。彩池為空時開始一場，每人放入賭注。須跟同花色，同花色最大者贏得該墩並先出下一墩。"
        "第一墩、最後一墩以及有Q出現的各墩各得1分，由彩池支付。彩池用完，或依房規打滿局數，該場即結束，餘額均分。"
        "中途離開者放棄其份，該場隨該局結束。"
    ),
    zh_hans=(
        "4至6人，用7至A的32张牌（5、6人时30张），无王牌。彩池为空时开始一场，每人放入赌注。须跟同花色，同花色最大者赢得该墩并先出下一墩。"
        "第一墩、最后一墩以及有Q出现的各墩各得1分，由彩池支付。彩池用完，或依房规打满局数，该场即结束，余额均分。"
        "中途离开者放弃其份，该场随该局结束。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **texts.COMMON,
    "pot": texts.POT,
    "stake": Text("stake", "賭注", "赌注"),
    "point": Text("point", "分", "分"),
    "points": Text("points", "得分", "得分"),
    "paid": Text("paid from the pot", "彩池支付", "彩池支付"),
    "rest": Text("rest of the pot", "彩池餘額", "彩池余额"),
}

TERMS: Final = texts.TERMS + Terms(
    phase="play",
    reason="stake point rest",
    happening="points match_over",
    fact="match_round match_over points paid tricks",
)

FIRST: Final = Text("the first trick", "第一墩", "第一墩")
LAST: Final = Text("the last trick", "最後一墩", "最后一墩")
QUEEN: Final = {
    "any": Text("a trick with a queen in it", "有Q出現的一墩", "有Q出现的一墩"),
    "club": Text(
        en="the trick with the queen of clubs in it", zh_hant="有梅花Q出現的一墩", zh_hans="有梅花Q出现的一墩"
    ),
}


def greatest_from_pot(stake: int, seats: int) -> Text:
    """Return what a match's pot can pay at most."""
    return Text(
        en=f"the whole pot: {stake} chips of each seat, {stake * seats} with {seats} seats",
        zh_hant=f"彩池全部：每人 {stake} 籌碼，{seats} 人共 {stake * seats} 籌碼",
        zh_hans=f"彩池全部：每人 {stake} 筹码，{seats} 人共 {stake * seats} 筹码",
    )


def greatest_from_others(most: int, points: int) -> Text:
    """Return what the other seats can owe at most."""
    return Text(
        en=f"{most} chips: {points} points from every other seat",
        zh_hant=f"{most} 籌碼：其他玩家每人 {points} 分",
        zh_hans=f"{most} 筹码：其他玩家每人 {points} 分",
    )


PACK_32: Final[tuple[Card, ...]] = tuple(rank + suit for suit in "shdc" for rank in "A789TJQK")
REMOVED: Final = ("7s", "7c")
"""Cards that five and six seats play without [honeymoon D1]."""

WANTED: Final = {"any": ("Qs", "Qh", "Qd", "Qc"), "club": ("Qc",)}
"""Queens that bring a point, by the house rule ``queens`` [honeymoon D2]."""


class HoneymoonRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules of Three-fold Honeymoon.

    ``stake``: chips of each seat in a match [honeymoon D5]; ``point``: chips for a point; ``point_from``: the pot or
    the others [honeymoon D3]; ``queens``: any or club [honeymoon D2]; ``match_rounds``: rounds after which a match ends
    (0: never) [honeymoon D4].
    """

    stake: tricks_keys.Stake = 10
    point: tricks_keys.Point = 1
    point_from: tricks_keys.PointFrom = "pot"
    queens: tricks_keys.Queens = "any"
    match_rounds: keys.MatchRounds = 0
    min_seats: int = 4
    max_seats: int = 6


def take_stakes(round_: "HoneymoonRound", log: list[Happening]) -> None:
    """Move the stakes into the pot, in the first round of a match [honeymoon Play 1]."""
    if round_.opens_match:
        round_.stake(round_.order, round_.rules.stake, "stake", log)


class Play(Tricks["HoneymoonRound"], frozen=True):
    """Tricks that bring points."""

    def won(self, round_: "HoneymoonRound", winner: int, log: list[Happening]) -> int | None:
        """Pay the points of the trick at once [honeymoon Play 4, Play 5]."""
        last = not round_.hands[winner]
        queen = any(laid.card in WANTED[round_.rules.queens] for laid in round_.last_trick)
        value = int(round_.number == 1) + int(last) + int(queen)
        if value:
            round_.points[winner] = round_.points.get(winner, 0) + value
            paid = sum(_pay_point(round_, winner) for _ in range(value))
            log.append(Noted("points", seat=winner, facts={"points": value, "paid": paid}))
        return None if last else winner


def _pay_point(round_: "HoneymoonRound", winner: int) -> int:
    """Pay one point; return the chips that it brought (``point_from``; of the pot what is left of it)."""
    point = round_.rules.point
    if round_.rules.point_from == "pot":
        amount = min(point, round_.table_pot)
        round_.owe(POT, winner, amount, "point")
        return amount
    others = [seat for seat in round_.order if seat != winner]
    for seat in others:
        round_.owe(seat, winner, point, "point")
    return point * len(others)


def close(round_: "HoneymoonRound", log: list[Happening]) -> None:
    """End the round, and the match where the pot is empty, all is played or a seat leaves [honeymoon D4, D6]."""
    rules = round_.rules
    if rules.point_from == "others":
        round_.memory = {}
    else:
        round_.memory[match.MATCH_ROUND] = round_.match_round + 1
        if round_.leaving:
            round_.memory[match.OVER] = True
        played_out = 0 < rules.match_rounds <= round_.match_round
        if round_.table_pot == 0 or played_out or round_.leaving:
            round_.end_match(log)
    round_.settle(log)


class HoneymoonRound(TrickRound[HoneymoonRules], kw_only=True):
    """``points``: points won by each seat; ``match_round`` counts the rounds of the match; ``leaving``: who will go."""

    ladder = ladders.HONEYMOON
    phases = (Step(run=take_stakes), Deal(), Play(), Step(run=close))

    match_round: int = 1
    opens_match: bool = False
    points: dict[int, int] = msgspec.field(default_factory=dict)
    leaving: list[int] = msgspec.field(default_factory=list)

    def leave_asked(self, seat: int) -> None:
        """Record a seat that leaves after this round; the match ends and it has no share of the rest [honeymoon D6]."""
        if seat in self.order and seat not in self.leaving:
            self.leaving.append(seat)

    def end_match(self, log: list[Happening]) -> None:
        """Pay out the rest of the pot to the seats that stay, odd chips from the left of the button on.

        Source: [honeymoon D6].
        """
        stay = [seat for seat in self.order if seat not in self.leaving]
        # Nobody stays: the pool keeps what all of them forfeit.
        for seat, part in (chips.split(self.table_pot, stay) if stay else {}).items():
            self.owe(POT, seat, part, "rest")
        log.append(Noted(match.OVER))

    def at_stake(self) -> tuple[Stake, ...]:
        """List the stakes of the match, or with ``point_from: others`` a point of each seat for each point played."""
        if self.rules.point_from == "pot":
            return super().at_stake()
        played = self.rules.point * sum(self.points.values())
        return self.most_owed("point", dict.fromkeys(self.order, played))

    def facts(self) -> dict[str, Any]:
        """Return the points won so far, paid or not."""
        return {"points": dict(sorted(self.points.items()))}

    def public_facts(self) -> dict[str, Any]:
        """Add the round's number in the match."""
        return {**super().public_facts(), match.MATCH_ROUND: self.match_round}

    def in_words(self, seat: int) -> Text:
        """Return the tricks and points of a seat."""
        return texts.listed(texts.tricks(self.tricks.get(seat, 0)), texts.points(self.points.get(seat, 0)))


class Honeymoon(TrickGame[HoneymoonRules, HoneymoonRound]):
    """Three-fold Honeymoon, 三度蜜月 (seed trick-and-pool-games.txt, 游戏六)."""

    id = "honeymoon"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = HoneymoonRules
    round_type = HoneymoonRound
    case_keys = frozenset({match.MATCH_ROUND})
    carries = True
    fewest = 4
    most = 6

    def least_carry(self, rules: HoneymoonRules) -> int:
        """Return the stake, needed when a match starts; points from the other seats need none."""
        return rules.stake if rules.point_from == "pot" else 0

    def pack(self, seats: int) -> tuple[Card, ...]:
        """Return 32 cards, or 30 for five or six seats [honeymoon D1]."""
        return PACK_32 if seats == self.fewest else tuple(card for card in PACK_32 if card not in REMOVED)

    def closed_match(self, rules: HoneymoonRules, table: game.Table, *, in_round: bool) -> Match | None:
        """Return the running match [honeymoon Play 1]; one without any of its seats has ended."""
        return None if rules.point_from == "others" else match.closed(table, rules.match_rounds, in_round=in_round)

    def ready(self, rules: HoneymoonRules, table: game.Table) -> tuple[int, ...]:
        """Return the seats of the running match, whatever they hold; where none runs, those that can pay the stake."""
        closed = self.closed_match(rules, table, in_round=False)
        return super().ready(rules, table) if closed is None else tuple(match.stayed(table))

    def enough(self, rules: HoneymoonRules, table: game.Table, ready: int) -> bool:
        """Return whether a round may start; a match goes on with its own seats, or ends where one of them has left."""
        return self.closed_match(rules, table, in_round=False) is not None or super().enough(rules, table, ready)

    def start(self, rules: HoneymoonRules, table: game.Table, chance: Chance) -> tuple[HoneymoonRound, list[Happening]]:
        """Start a round: of a new match, of the running one with its seats, or none but the end of a match.

        Source: [honeymoon Play 1; honeymoon D6].
        """
        stands = match.standing(table)
        if rules.point_from == "others" or stands is Standing.NEW:
            return super().start(rules, table, chance)
        if stands is Standing.BROKEN:
            return self._broken_off(rules, table)
        return self.start_with(match.stayed(table), rules, table, chance)

    def _broken_off(self, rules: HoneymoonRules, table: game.Table) -> tuple[HoneymoonRound, list[Happening]]:
        """End a match that a seat left between two rounds: without play the rest goes to those that stayed.

        Source: [honeymoon D6].
        """
        order = tuple(chips.to_the_left(match.stayed(table), -1 if table.button is None else table.button))
        round_ = self.new_round(rules, table, order, Stock(number=0, cards=[]))
        round_.button, round_.match_round = table.button, 1
        round_.memory[match.OVER] = True
        log: list[Happening] = []
        round_.end_match(log)
        round_.settle(log)
        assert round_.outcome is not None, "the round has ended"
        round_.outcome = msgspec.structs.replace(round_.outcome, counts=False)
        return round_, log

    def new_round(
        self, rules: HoneymoonRules, table: game.Table, order: tuple[int, ...], stock: Stock
    ) -> HoneymoonRound:
        """Return a round with its place in the match."""
        round_ = super().new_round(rules, table, order, stock)
        round_.match_round = match.round_number(table)
        round_.opens_match = rules.point_from == "pot" and match.standing(table) is Standing.NEW
        return round_

    def payouts(self, rules: HoneymoonRules) -> tuple[game.Payout, ...]:
        """List what brings a point, and what a point pays."""
        each = str(rules.point) if rules.point_from == "pot" else f"{rules.point} × (seats − 1)"
        return tuple(game.Payout(bet="point", wins=wins, pays=each) for wins in (FIRST, LAST, QUEEN[rules.queens]))

    def greatest_win(self, rules: HoneymoonRules) -> Text:
        """Return the whole pot, or all points from all other seats: first trick, last trick, the queens."""
        if rules.point_from == "pot":
            return texts.capped(greatest_from_pot(rules.stake, rules.max_seats), rules)
        points = 2 + len(WANTED[rules.queens])
        return texts.capped(greatest_from_others(points * rules.point * (rules.max_seats - 1), points), rules)


GAME = Honeymoon()
