"""Three-fold Honeymoon (tricks, ``honeymoon``): first trick, last trick and queens bring points from a common pot."""

from typing import Any, Final

import msgspec

from services.rules import chips, game, keys
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.happenings import Happening, Noted
from services.rules.outcomes import POT, Match, Stake
from services.rules.ranking import tricks as ladders
from services.rules.text import Text
from services.rules.tricks import deal, match
from services.rules.tricks import keys as tricks_keys
from services.rules.tricks.engine import TrickRound
from services.rules.tricks.match import Standing
from services.rules.tricks.texts import capped
from services.rules.tricks.texts import honeymoon as texts

PACK_32: Final[tuple[Card, ...]] = tuple(rank + suit for suit in "shdc" for rank in "A789TJQK")
REMOVED: Final = ("7s", "7c")
"""Cards that five and six seats play without [honeymoon D1]."""

MOST_POINTS: Final = {"any": 6, "club": 3}
"""Points of one round by the house rule ``queens``: first trick, last trick, the queens."""


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


class HoneymoonRound(TrickRound, kw_only=True):
    """``points``: points won by each seat; ``match_round`` counts the rounds of the match; ``leaving``: who will go."""

    rules: HoneymoonRules
    memory: dict[str, Any]
    match_round: int = 1
    points: dict[int, int] = msgspec.field(default_factory=dict)
    leaving: list[int] = msgspec.field(default_factory=list)

    ladder = ladders.HONEYMOON

    def leave_asked(self, seat: int) -> None:
        """Record a seat that leaves after this round; the match ends and it has no share of the rest [honeymoon D6]."""
        if seat in self.order and seat not in self.leaving:
            self.leaving.append(seat)

    def trick_won(self, winner: int) -> list[Happening]:
        """Pay the points of the trick at once [honeymoon Play 4, Play 5]; after the last trick the round has ended."""
        last = not self.hands[winner]
        value = int(self.number == 1) + int(last) + int(self._queen_fell())
        record: list[Happening] = []
        if value:
            self.points[winner] = self.points.get(winner, 0) + value
            paid = sum(self._pay_point(winner) for _ in range(value))
            record.append(Noted("points", seat=winner, facts={"points": value, "paid": paid}))
        if last:
            return [*record, *self._finish()]
        self.lead(winner)
        return record

    def _queen_fell(self) -> bool:
        wanted = ("Qc",) if self.rules.queens == "club" else ("Qs", "Qh", "Qd", "Qc")
        return any(laid.card in wanted for laid in self.last_trick)

    def _pay_point(self, winner: int) -> int:
        """Pay one point; give the chips that it brought (``point_from``; of the pot what is left of it)."""
        if self.rules.point_from == "pot":
            amount = min(self.rules.point, self.table_pot)
            self.owe(POT, winner, amount, "point")
            return amount
        others = [seat for seat in self.order if seat != winner]
        for seat in others:
            self.owe(seat, winner, self.rules.point, "point")
        return self.rules.point * len(others)

    def _finish(self) -> list[Happening]:
        if self.rules.point_from == "others":
            return self.settled(self.facts(), {})
        memory = {**self.memory, match.MATCH_ROUND: self.match_round + 1}
        if self.leaving:
            memory[match.OVER] = True
        played_out = 0 < self.rules.match_rounds <= self.match_round
        over = self.table_pot == 0 or played_out or bool(self.leaving)
        record = self.end_match() if over else []
        return [*record, *self.settled(self.facts(), memory)]

    def end_match(self) -> list[Happening]:
        """Pay out the rest of the pot to the seats that stay, odd chips from the left of the button on.

        Source: [honeymoon D6].
        """
        stay = [seat for seat in self.order if seat not in self.leaving]
        # Nobody stays: the pool keeps what all of them forfeit.
        for seat, part in (chips.split(self.table_pot, stay) if stay else {}).items():
            self.owe(POT, seat, part, "rest")
        return [Noted(match.OVER)]

    def at_stake(self) -> tuple[Stake, ...]:
        """List the stakes of the match, or with ``point_from: others`` a point of each seat for each point played."""
        if self.rules.point_from == "pot":
            return super().at_stake()
        played = self.rules.point * sum(self.points.values())
        amounts = {seat: min(played, self.carry[seat]) for seat in sorted(self.order)}
        return tuple(Stake(seat, "point", amount, amount) for seat, amount in amounts.items())

    def facts(self) -> dict[str, Any]:
        """Return the points won so far, paid or not."""
        return {"points": dict(sorted(self.points.items()))}

    def public_facts(self) -> dict[str, Any]:
        """Add the round's number in the match."""
        return {**super().public_facts(), match.MATCH_ROUND: self.match_round}


class Honeymoon(deal.TrickGame):
    """Three-fold Honeymoon, 三度蜜月 (seed trick-and-pool-games.txt, 游戏六)."""

    id = "honeymoon"
    name = texts.NAME
    summary = texts.SUMMARY
    terms = texts.TERMS
    words = texts.WORDS
    rules_type = HoneymoonRules
    round_type = HoneymoonRound
    case_keys = frozenset({match.MATCH_ROUND})
    fewest = 4
    most = 6

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return the stake, needed when a match starts; points from the other seats need none."""
        assert isinstance(rules, HoneymoonRules)
        return rules.stake if rules.point_from == "pot" else 0

    def pack(self, seats: int) -> tuple[Card, ...]:
        """Return 32 cards, or 30 for five or six seats [honeymoon D1]."""
        return PACK_32 if seats == self.fewest else tuple(card for card in PACK_32 if card not in REMOVED)

    def closed_match(self, rules: game.HouseRules, table: game.Table, *, in_round: bool) -> Match | None:
        """Return the running match [honeymoon Play 1]; one without any of its seats has ended."""
        assert isinstance(rules, HoneymoonRules)
        return None if rules.point_from == "others" else match.closed(table, rules.match_rounds, in_round=in_round)

    def ready(self, rules: game.HouseRules, table: game.Table) -> tuple[int, ...]:
        """Return the seats of the running match, whatever they hold; where none runs, those that can pay the stake."""
        closed = self.closed_match(rules, table, in_round=False)
        return super().ready(rules, table) if closed is None else tuple(match.stayed(table))

    def enough(self, rules: game.HouseRules, table: game.Table, ready: int) -> bool:
        """Return whether a round may start; a match goes on with its own seats, or ends where one of them has left."""
        return self.closed_match(rules, table, in_round=False) is not None or super().enough(rules, table, ready)

    def start(self, rules: game.HouseRules, table: game.Table, chance: Chance) -> deal.Begun:
        """Start a round: of a new match, of the running one with its seats, or none but the end of a match.

        Source: [honeymoon Play 1; honeymoon D6].
        """
        assert isinstance(rules, HoneymoonRules)
        stands = match.standing(table)
        if rules.point_from == "others" or stands is Standing.NEW:
            return super().start(rules, table, chance)
        if stands is Standing.BROKEN:
            return _broken_off(rules, table)
        return self.start_with(match.stayed(table), rules, table, chance)

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Deal all cards [honeymoon Play 2]; the first round of a match takes the stakes [honeymoon Play 1]."""
        assert isinstance(rules, HoneymoonRules)
        hands, record = deal.deal(stock, order, len(stock) // len(order))
        round_ = HoneymoonRound(
            rules=rules,
            carry=deal.carry_of(table, order),
            button=order[-1],
            order=order,
            hands=hands,
            stock=stock,
            table_pot=table.pot,
            memory=deal.last_seats(table, order),
            match_round=match.round_number(table),
        )
        staking = rules.point_from == "pot" and match.standing(table) is Standing.NEW
        staked = round_.stake(order, rules.stake, "stake") if staking else []
        return round_, [*staked, *record, *round_.begin_play(order[0])]

    def payouts(self, rules: game.HouseRules) -> tuple[game.Payout, ...]:
        """List what brings a point, and what a point pays."""
        assert isinstance(rules, HoneymoonRules)
        each = str(rules.point) if rules.point_from == "pot" else f"{rules.point} × (seats − 1)"
        return tuple(
            game.Payout(bet="point", wins=wins, pays=each)
            for wins in (texts.FIRST, texts.LAST, texts.QUEEN[rules.queens])
        )

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Return the whole pot, or all points from all other seats."""
        assert isinstance(rules, HoneymoonRules)
        if rules.point_from == "pot":
            return capped(texts.greatest_from_pot(rules.stake, rules.max_seats), rules)
        points = MOST_POINTS[rules.queens]
        return capped(texts.greatest_from_others(points * rules.point * (rules.max_seats - 1), points), rules)


def _broken_off(rules: HoneymoonRules, table: game.Table) -> deal.Begun:
    """End a match that a seat left between two rounds: without play the rest goes to those that stayed.

    Source: [honeymoon D6].
    """
    stayed = match.stayed(table)
    order = tuple(chips.to_the_left(stayed, -1 if table.button is None else table.button))
    memory = {**deal.last_seats(table, stayed), match.OVER: True}
    round_ = HoneymoonRound(
        rules=rules,
        carry=deal.carry_of(table, stayed),
        button=table.button,
        order=order,
        hands={seat: [] for seat in stayed},
        stock=Stock(number=0, cards=[]),
        table_pot=table.pot,
        memory=memory,
    )
    record = [*round_.end_match(), *round_.settled(round_.facts(), memory)]
    assert round_.outcome is not None, "the round has ended"
    round_.outcome = msgspec.structs.replace(round_.outcome, counts=False)
    return round_, record


GAME = Honeymoon()
