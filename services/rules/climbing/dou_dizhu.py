"""Fight the Landlord · 鬥地主 (climbing, dou_dizhu; seed: online-casino-games.txt)."""

from typing import Any, Final

from services.rules import cards, chips, game, keys, seating
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.climbing import bidding, texts
from services.rules.climbing import keys as climbing_keys
from services.rules.climbing.engine import BIDDING, ENDED, HAND, PLAY, ClimbingRound
from services.rules.game import Payout, Table
from services.rules.happenings import Dealt, Happening, Noted, Phase, Shown, Shuffled
from services.rules.kinds import Limit, Range
from services.rules.outcomes import Claim, Outcome, Stake
from services.rules.ranking import climbing
from services.rules.ranking.climbing import BOMB, ROCKET, Combination, Shape
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone

SEATS: Final = 3
HAND_SIZE: Final = 17
LANDLORD: Final = "landlord"
FARMER: Final = "farmer"
EXTRA: Final = "landlord_cards"

MOST_BASE: Final = 10**9
"""With the greatest multiplier a claim stays below the most chips that the house takes at once."""

MOST_DOUBLINGS: Final = 13
"""Thirteen bombs, or twelve and the rocket: more do not fit into hands of 20, 17 and 17 cards."""


class DouDizhuRules(game.HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: ``base`` chips for each point of the multiplier; spring is not in the seed [dou_dizhu D8]."""

    min_seats: int = SEATS
    max_seats: int = SEATS
    base: keys.Base = 10
    bidding: climbing_keys.Bidding = "points"
    spring: climbing_keys.Spring = False
    equal_wings: climbing_keys.EqualWings = False


class DouDizhuRound(ClimbingRound, kw_only=True):
    """One round; ``first`` received the face-up card and bids first, ``extra`` are the landlord's cards."""

    rules: DouDizhuRules
    extra: tuple[Card, ...]
    face_up: Card
    first: int
    landlord: int | None = None

    def shapes(self) -> dict[str, Shape]:
        """Return the sheet's types; with ``equal_wings`` single kickers of a plane may repeat."""
        return climbing.EQUAL_WINGS if self.rules.equal_wings else climbing.SHAPES

    def seconds(self) -> int:
        """Return the time for one decision."""
        return self.rules.turn_seconds

    def bidding_over(self) -> list[Happening]:
        """Give the landlord the three cards and the lead; without one end the round, unpaid [dou_dizhu D11]."""
        assert self.bidding is not None, "there is no bidding to end"
        self.landlord, self.multiplier, self.bidding = self.bidding.candidate, self.bidding.multiplier, None
        if self.landlord is None:
            self.outcome = Outcome(facts=self.facts(), button=self.button)
            return [Noted("nobody_bid"), Phase(ENDED)]
        self.turn = self.landlord
        self.hands[self.landlord].extend(self.extra)
        positions = tuple(range(SEATS * HAND_SIZE, SEATS * HAND_SIZE + len(self.extra)))
        return [
            Noted(LANDLORD, self.landlord, {"multiplier": self.multiplier}),
            Shown(None, EXTRA, self.extra),
            Dealt(self.landlord, HAND, 0, positions, self.extra),
            Phase(PLAY),
        ]

    def after_play(self, reading: Combination) -> None:
        """Double the multiplier for a bomb or the rocket, also as a last play."""
        if reading.kind in (BOMB, ROCKET):
            self.multiplier *= 2

    def finish(self, winner: int) -> Outcome:
        """Return the claims: each farmer owes the landlord ``base × multiplier``, or the reverse."""
        landlord = self.landlord
        assert landlord is not None, "nobody plays without a landlord"
        if self.rules.spring and self._spring(winner):
            self.multiplier *= 2
        amount = self.rules.base * self.multiplier
        farmers = chips.to_the_left((seat for seat in self.carry if seat != landlord), landlord)
        claims = tuple(
            Claim(farmer, landlord, amount, FARMER) if winner == landlord else Claim(landlord, farmer, amount, LANDLORD)
            for farmer in farmers
        )
        stakes = [(landlord, LANDLORD, 2 * amount), *((farmer, FARMER, amount) for farmer in farmers)]
        return Outcome(
            claims=claims,
            stakes=tuple(Stake(seat, part, most := min(owed, self.carry[seat]), most) for seat, part, owed in stakes),
            facts=self.facts(),
            button=self.button,
        )

    def _spring(self, winner: int) -> bool:
        """Return whether only the winner's side played, but for the landlord's first lead."""
        if winner == self.landlord:
            return set(self.plays_made) == {self.landlord}
        assert self.landlord is not None, "nobody plays without a landlord"
        return self.plays_made[self.landlord] == 1

    def status(self, seat: int) -> str:
        """Return the seat's part: in the bidding nobody has one yet."""
        if self.landlord is None:
            return BIDDING
        return LANDLORD if seat == self.landlord else FARMER

    def in_words(self, seat: int) -> Text:
        """Return the seat's part, and the cards that it was left with."""
        if self.landlord is None:
            return texts.WORDS["nobody_bid"]
        part, left = texts.WORDS[self.status(seat)], len(self.hands[seat])
        return Text(
            f"{part.en}, {left} card{'' if left == 1 else 's'} left",
            f"{part.zh_hant}，剩{left}張",
            f"{part.zh_hans}，剩{left}张",
        )

    def table_zones(self) -> tuple[Zone, ...]:
        """Show the landlord's cards: face down until the landlord is known, afterwards face up for all."""
        hidden = self.landlord is None
        return (Zone(None, EXTRA, face_down(len(self.extra)) if hidden else self.extra),)

    def facts(self) -> dict[str, Any]:
        """Return the landlord and the multiplier as they are now, and the card that lay face up in the pack."""
        multiplier = self.multiplier if self.bidding is None else self.bidding.multiplier
        return {LANDLORD: self.landlord, "multiplier": multiplier, "face_up": self.face_up, "first": self.first}


class DouDizhu(game.Game):
    """The game; least carry is ``base``."""

    id = "dou_dizhu"
    family = "climbing"
    name = texts.NAME
    summary = texts.SUMMARY
    terms = texts.TERMS
    words = texts.WORDS
    rules_type: type[game.HouseRules] = DouDizhuRules
    round_type: type[game.Round] = DouDizhuRound
    fewest = most = SEATS

    def limits(self, rules: game.HouseRules) -> dict[str, Limit]:
        """Return also the bound of ``base``."""
        return {**super().limits(rules), "base": Range(1, MOST_BASE)}

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return the chips with which a seat is dealt in."""
        return _own(rules).base

    def start(self, rules: game.HouseRules, table: Table, chance: Chance) -> tuple[DouDizhuRound, list[Happening]]:
        """Deal 17 cards each, one at a time, and three to the table; one of the 51 is face up [dou_dizhu D2]."""
        own = _own(rules)
        carry = {seat: held for seat, held in table.chips.items() if held >= own.base}
        if len(carry) < SEATS:
            message = f"{len(carry)} seats hold {own.base} chips or more; this game needs {SEATS}"
            figures = {"seats": len(carry), "needed": SEATS, "chips": own.base}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, carry)
        order = chips.to_the_left(carry, button)
        stock = Stock(number=0, cards=chance.shuffle(cards.PACK_54))
        dealt = stock.cards[: SEATS * HAND_SIZE]
        face_up = chance.pick(dealt, "card")
        first = order[dealt.index(face_up) % SEATS]
        bidders = chips.to_the_left(carry, first)
        round_ = DouDizhuRound(
            carry=carry,
            button=button,
            turn=first,
            hands={seat: dealt[place::SEATS] for place, seat in enumerate(order)},
            bidding=bidding.begin(own.bidding, [first, *bidders[:-1]]),
            rules=own,
            extra=tuple(stock.cards[SEATS * HAND_SIZE :]),
            face_up=face_up,
            first=first,
        )
        return round_, _dealing(order, dealt, face_up, first)

    def payouts(self, rules: game.HouseRules) -> tuple[Payout, ...]:
        """List what either side wins."""
        base = _own(rules).base
        return (
            Payout(LANDLORD, texts.LANDLORD_WINS, f"2 × {base} × multiplier"),
            Payout(FARMER, texts.FARMER_WINS, f"{base} × multiplier"),
        )

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Bound the landlord's win by the greatest bid and all bombs there can be."""
        own = _own(rules)
        most = 2 * own.base * bidding.GREATEST[own.bidding] * 2**MOST_DOUBLINGS
        return texts.greatest_win(most, capped=own.win_cap == "stake")


def _own(rules: game.HouseRules) -> DouDizhuRules:
    assert isinstance(rules, DouDizhuRules), f"dou_dizhu cannot be played by {type(rules).__name__}"
    return rules


def _dealing(order: list[int], dealt: list[Card], face_up: Card, first: int) -> list[Happening]:
    happenings: list[Happening] = [Shuffled(0, len(cards.PACK_54))]
    for place, seat in enumerate(order):
        positions = tuple(range(place, len(dealt), SEATS))
        shown = tuple(card if card == face_up else cards.HIDDEN for card in dealt[place::SEATS])
        happenings.append(Dealt(seat, HAND, 0, positions, shown))
    extra = tuple(range(len(dealt), len(cards.PACK_54)))
    happenings.append(Dealt(None, EXTRA, 0, extra, face_down(len(extra))))
    return [*happenings, Noted("face_up", first, {"card": face_up}), Phase(BIDDING)]


GAME = DouDizhu()
