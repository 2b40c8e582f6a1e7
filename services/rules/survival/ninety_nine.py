"""Ninety-nine · 九十九 (survival, ninety_nine; seed: home-games.txt, 生存類 １.九十九)."""

from typing import Any, Final

import msgspec

from services.rules import actions, cards, chips, illegal_actions, keys
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Dealt, Happening, Noted, Shown, Shuffled
from services.rules.offers import Choice, OneOf, Option, Sets
from services.rules.refusals import Reason, Refused
from services.rules.survival import keys as survival_keys
from services.rules.survival import texts, turns
from services.rules.survival.engine import OUT, SurvivalGame, SurvivalRules
from services.rules.survival.turns import TurnRound
from services.rules.views import Zone

MOST: Final = 99
ADDS: Final = {"A": 1, "2": 2, "3": 3, "6": 6, "7": 7, "8": 8, "9": 9}
"""Ranks that only add; the ace counts 1 [ninety_nine D2]."""
SIGNED: Final = {"T": 10, "Q": 20}
"""Ranks that add or take away; never below 0 [ninety_nine D4]."""
TURN: Final = "4"
SKIP: Final = "5"
FULL: Final = "K"
PLUS: Final = "plus"
MINUS: Final = "minus"
HAND: Final = "hand"
PILE: Final = "pile"


class NinetyNineRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: ``five`` skips the next seat, or lets its player choose who goes next [ninety_nine D1]."""

    min_seats: int = 3
    max_seats: int = 6
    five: survival_keys.Five = "skip"
    max_turns: keys.MaxTurns = 500


class NinetyNineRound(TurnRound, kw_only=True):
    """One round; a stack is a hand here, in the order of receipt. ``direction`` is 1 (clockwise) or -1."""

    rules: NinetyNineRules
    total: int = 0
    direction: int = 1
    stock: Stock = msgspec.field(default_factory=lambda: Stock(0, []))
    pile: list[Card] = msgspec.field(default_factory=list)

    def open(self, stock: Stock, table: Table, chance: Chance) -> list[Happening]:
        """Turn the top card of the stock as if the button had played it; a five always skips."""
        self.stock = stock
        place, card = stock.next, stock.deal()
        happenings: list[Happening] = [Dealt(None, PILE, stock.number, (place,), (card,)), *turns.opened()]
        after = self._effect(self.dealer, actions.Play(cards=(card,), sign=PLUS))
        return happenings + self._look_at(after)

    # -- effects

    def sum_after(self, card: Card, sign: str | None) -> int:
        """Return the total after a card; above 99 it may not be played."""
        rank = cards.rank(card)
        if rank == FULL:
            return MOST
        step = SIGNED.get(rank, 0)
        return max(0, self.total + ADDS.get(rank, 0) + (-step if sign == MINUS else step))

    def signs(self, card: Card) -> tuple[str | None, ...]:
        """List the signs with which a card may be played now; a card that needs none has ``None``."""
        signs = (PLUS, MINUS) if cards.rank(card) in SIGNED else (None,)
        return tuple(sign for sign in signs if self.sum_after(card, sign) <= MOST)

    def beside(self, seat: int) -> int:
        """Return the next seat in, in the direction of play."""
        ring = [other for other in chips.to_the_left(self.seats_in(), seat) if other != seat]
        return ring[0 if self.direction > 0 else -1] if ring else seat

    def chooses(self, card: Card) -> bool:
        """Return whether this card's player names the next seat."""
        return cards.rank(card) == SKIP and self.rules.five == "choose"

    def _effect(self, seat: int, action: actions.Play) -> int:
        card = action.cards[0]
        self.pile.append(card)
        self.total = self.sum_after(card, action.sign)
        if cards.rank(card) == TURN:
            self.direction = -self.direction
        if action.next is not None:
            return action.next
        after = self.beside(seat)
        return self.beside(after) if cards.rank(card) == SKIP else after

    def _look_at(self, seat: int) -> list[Happening]:
        """Put the first seat on turn that can play; those before it are out, and the last one left wins."""
        happenings: list[Happening] = []
        while len(self.seats_in()) > 1:
            if any(self.signs(card) for card in self.stacks[seat]):
                self.begin(seat)
                return happenings
            hand = tuple(self.stacks[seat])
            self.stacks[seat] = []
            self.pile.extend(hand)
            self.out.append(seat)
            happenings += [Shown(seat, HAND, hand), Noted(OUT, seat)]
            seat = self.beside(seat)
        return happenings + self.finish(self.seats_in())

    # -- questions

    def options(self, seat: int) -> list[Option]:
        """List the playable cards: those that need nothing, with each sign, and fives that name a seat."""
        if self.outcome is not None or seat != self.turn:
            return []
        hand = self.stacks[seat]
        found: list[Option] = []
        for sign in (None, PLUS, MINUS):
            fit = tuple((card,) for card in hand if sign in self.signs(card) and not self.chooses(card))
            if fit:
                signed: dict[str, Choice] = {} if sign is None else {"sign": OneOf((sign,))}
                found.append(Option("play", {"cards": Sets(fit), **signed}))
        naming = tuple((card,) for card in hand if self.chooses(card))
        if naming:
            others = tuple(other for other in self.seats_in() if other != seat)
            found.append(Option("play", {"cards": Sets(naming), "next": OneOf(others)}))
        return found

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Test sign and next, then whether the card is held, then whether it may be played."""
        if not isinstance(action, actions.Play) or action.call is not None:
            raise illegal_actions.illegal(f"{action.name} is not possible now; play one card", illegal_actions.PLAY_ONE)
        if len(action.cards) == 1 and cards.is_card(action.cards[0]):
            self._check_words(seat, action, action.cards[0])
        for card in action.cards:
            if card not in self.stacks[seat]:
                raise Refused(Reason.CARD_NOT_HELD, f"{card} is not in the hand; play a card that you hold")
        if len(action.cards) != 1:
            raise Refused(Reason.ILLEGAL_CARDS, f"{len(action.cards)} cards were named; play exactly one")
        after = self.sum_after(action.cards[0], action.sign)
        if after > MOST:
            message = f"{action.cards[0]} makes {after}; play a card that leaves the total at {MOST} or below"
            raise Refused(Reason.ILLEGAL_CARDS, message)

    def _check_words(self, seat: int, action: actions.Play, card: Card) -> None:
        signed = cards.rank(card) in SIGNED
        if action.sign not in ((PLUS, MINUS) if signed else (None,)):
            right = f"needs sign {PLUS} or {MINUS}" if signed else "takes no sign"
            text = illegal_actions.NEEDS_SIGN if signed else illegal_actions.NO_SIGN
            raise illegal_actions.illegal(f"{card} {right}; the sign given is {action.sign}", text, card=card)
        others = [other for other in self.seats_in() if other != seat]
        if action.next not in (others if self.chooses(card) else (None,)):
            right = f"must name one of the seats {others}" if self.chooses(card) else "names no next seat"
            text = illegal_actions.NEEDS_NEXT if self.chooses(card) else illegal_actions.NO_NEXT
            seats = ", ".join(map(str, others))
            raise illegal_actions.illegal(
                f"{card} {right}; the seat named is {action.next}", text, card=card, seats=seats
            )

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the own hand and the face-up pile."""
        return (
            Zone(None, PILE, tuple(self.pile)),
            *(
                Zone(seat, HAND, tuple(hand) if seat == viewer else face_down(len(hand)))
                for seat, hand in self.stacks.items()
            ),
        )

    def keys(self) -> dict[str, Any]:
        """Return total, direction, and what is left of the stock."""
        return {"total": self.total, "direction": self.direction, "stock": len(self.stock)}

    # -- moves

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Play a card, draw one, and look at the next seat."""
        assert isinstance(action, actions.Play), "an unverified action"
        self.stacks[seat].remove(action.cards[0])
        after = self._effect(seat, action)
        self.turns += 1
        facts = {"cards": action.cards, "total": self.total, "direction": self.direction}
        happenings: list[Happening] = [Noted("played", seat, facts), *self._draw(seat, chance)]
        if self.turns >= self.rules.max_turns:
            return happenings + self.finish(self.seats_in())
        return happenings + self._look_at(after)

    def _draw(self, seat: int, chance: Chance) -> list[Happening]:
        """Draw a card; where the stock is empty all face-up cards make a new one, the one just played too.

        Source: [ninety_nine D6].
        """
        happenings: list[Happening] = []
        if not len(self.stock):
            self.stock = Stock(self.stock.number + 1, chance.shuffle(self.pile))
            happenings.append(Shuffled(self.stock.number, len(self.stock)))
            self.pile = []
        place = self.stock.next
        self.stacks[seat].append(self.stock.deal())
        return [*happenings, Dealt(seat, HAND, self.stock.number, (place,), face_down(1))]

    def forced(self) -> actions.AnyAction:
        """Play the playable card held longest: plus where it fits; a choosing five names the next seat."""
        card = next(card for card in self.stacks[self.turn] if self.signs(card))
        named = self.beside(self.turn) if self.chooses(card) else None
        return actions.Play(cards=(card,), sign=self.signs(card)[0], next=named)


class NinetyNine(SurvivalGame):
    """The game."""

    id = "ninety_nine"
    name = texts.NINETY_NINE
    summary = texts.NINETY_NINE_SUMMARY
    terms = texts.NINETY_NINE_TERMS
    rules_type: type[SurvivalRules] = NinetyNineRules
    round_type = NinetyNineRound
    fewest, most = 3, 6
    limit = "max_turns"
    hand_size = 5
    wins = texts.LAST_ABLE


GAME = NinetyNine()
