"""Napoleon (tricks, ``napoleon``): a bidder and his adjutant against all others, for card points."""

from typing import Any

import msgspec

from services.rules import actions, chips, game, illegal_actions
from services.rules.cards import BIG_JOKER, HIDDEN, Card
from services.rules.chance import Chance, Stock
from services.rules.happenings import Happening, Noted, Shown
from services.rules.kinds import Limit, Range
from services.rules.offers import OneOf, Option
from services.rules.outcomes import Stake
from services.rules.ranking import tricks as ladders
from services.rules.text import Text
from services.rules.tricks import deal
from services.rules.tricks import napoleon_auction as auction
from services.rules.tricks.answers import card_of, one_card
from services.rules.tricks.napoleon_auction import BIDDING, AuctionRound
from services.rules.tricks.state import Laid
from services.rules.tricks.texts import capped
from services.rules.tricks.texts import napoleon as texts


class NapoleonRound(AuctionRound, kw_only=True):
    """A whole round: auction, play, and the count of the army's points.

    ``call``: what the leader of this trick called; ``taken``: cards in the tricks of each seat, those that were laid
    face down apart in ``taken_down``; ``laid_down``: who laid which card face down.
    """

    call: str | None = None
    taken: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    taken_down: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    laid_down: list[Laid] = msgspec.field(default_factory=list)

    ladder = ladders.NAPOLEON

    # -- what may be played -----------------------------------------------------------------------------------

    def leads(self) -> bool:
        """Return whether the seat in turn leads: no card is face up in the trick."""
        return all(laid.down for laid in self.trick)

    def bound(self) -> bool:
        """Return whether the seat in turn leads the first trick and is not the last to do so: no trump, no spade.

        Source: [napoleon Play 4].
        """
        return self.number == 0 and self.leads() and len(self.to_play) > 1

    def must_lay_down(self, seat: int) -> bool:
        """Return whether the seat in turn leads, and holds no card that may be led [napoleon Play 4]."""
        return self.bound() and not self.legal(seat)

    def legal(self, seat: int) -> list[Card]:
        """List the cards that may be played face up (4 to 7)."""
        hand = self.hands[seat]
        if self.bound():
            return [card for card in hand if card[1] not in {self.trump, "s"}]
        if self.leads():
            return list(hand)
        if self.call == "trumps":
            return [card for card in hand if card[1] == self.trump] or list(hand)
        if self.call == "joker":
            return [BIG_JOKER] if BIG_JOKER in hand else list(hand)
        led = self.led()
        if not any(card[1] == led for card in hand):
            return list(hand)
        return [card for card in hand if card[1] == led or card == BIG_JOKER]

    def downs(self, seat: int) -> list[Card]:
        """List the cards that may be laid face down: those worth no points, or any if all count [napoleon Play 4]."""
        hand = self.hands[seat]
        return [card for card in hand if not auction.points([card], self.trump)] or list(hand)

    def plays(self, seat: int) -> list[Option]:
        """List the cards that may be played, with the calls that go with them."""
        if self.must_lay_down(seat):
            return [Option("play_down", {"card": card_of(self.downs(seat))})]
        legal = self.legal(seat)
        calls = [
            Option("play", {"cards": one_card([card]), "call": OneOf((call,))})
            for call, card in auction.CALLS.items()
            if self.leads() and card in legal
        ]
        return [Option("play", {"cards": one_card(legal)}), *calls]

    def check_play(self, seat: int, action: actions.Action) -> None:
        """Refuse a card face up where one must lie face down, and the other way round."""
        if not self.must_lay_down(seat):
            super().check_play(seat, action)
            return
        if not isinstance(action, actions.PlayDown):
            wrong = f"{action.name} is not possible now: you hold no card that may be led to the first trick"
            raise illegal_actions.illegal(f"{wrong}; lay one face down (play_down)", illegal_actions.LAY_DOWN)
        self.check_card(seat, (action.card,), self.downs(seat))

    def check_extras(self, _seat: int, action: actions.Play) -> None:
        """Refuse a call that does not go with the card led [napoleon Play 6, Play 7]."""
        if action.sign is not None or action.next is not None:
            raise illegal_actions.illegal(
                "Napoleon has no sign and no next; play one card without them", illegal_actions.CARDS_ALONE
            )
        if action.call is None:
            return
        if action.call not in auction.CALLS:
            raise illegal_actions.illegal(
                f"{action.call!r} cannot be called; it must be trumps or joker", illegal_actions.CALLS
            )
        needed = auction.CALLS[action.call]
        if not self.leads() or action.cards != (needed,):
            raise illegal_actions.illegal(
                f"{action.call} can be called only by leading {needed}", illegal_actions.CALL_BY_LEADING, card=needed
            )

    def silence(self, seat: int) -> actions.AnyAction:
        """Play the weakest card, face down where that is demanded [napoleon Play 8]."""
        if not self.asking and self.must_lay_down(seat):
            return actions.PlayDown(card=self.ladder.weakest(self.downs(seat), self.trump))
        return super().silence(seat)

    def secret(self, action: actions.Action) -> bool:
        """Return whether the card is face down."""
        return isinstance(action, actions.PlayDown)

    def masked(self, action: actions.AnyAction) -> actions.AnyAction:
        """Hide a card that is face down."""
        return actions.PlayDown(card=HIDDEN) if isinstance(action, actions.PlayDown) else action

    # -- what follows -----------------------------------------------------------------------------------------

    def lead(self, leader: int) -> None:
        """Begin a trick; nothing has been called."""
        self.call = None
        super().lead(leader)

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Lay a card face down, or play it with what is called."""
        if isinstance(action, actions.PlayDown):
            self.laid_down.append(Laid(seat, action.card, down=True))
            return [Noted("down", seat=seat), *self.play_card(seat, action.card, down=True)]
        if isinstance(action, actions.Play) and action.call is not None:
            self.call = action.call
            return [Noted("call", seat=seat, facts={"call": action.call}), *super().do(seat, action, chance)]
        return super().do(seat, action, chance)

    def trick_won(self, winner: int) -> list[Happening]:
        """Collect the trick and draw; the winner leads, or the next seat to the left that holds cards.

        Source: [napoleon Play 5, Play 8].
        """
        for laid in self.last_trick:
            (self.taken_down if laid.down else self.taken).setdefault(winner, []).append(laid.card)
        record = self._draw_after(winner)
        holding = self.players()
        if len(holding) == 1 and self.rules.draw == "winner":
            record += self._take_all(holding[0])
            holding = []
        if not holding:
            return [*record, *self.count()]
        self.lead(winner if winner in holding else chips.to_the_left(holding, winner)[0])
        return record

    def _draw_after(self, winner: int) -> list[Happening]:
        """Draw for every seat, the winner first, or for the winner alone [napoleon Play 5, D5]."""
        others = chips.to_the_left(self.order, winner)[:-1] if self.rules.draw == "each" else []
        record: list[Happening] = []
        for seat in [winner, *others]:
            if self.stock:
                record += self.draw_one(seat)
        if self.stock_open():
            record.append(Shown(owner=None, zone="stock", cards=self.stock_shown()[:1]))
        return record

    def _take_all(self, seat: int) -> list[Happening]:
        """Draw the whole stock for the last seat with cards; all its cards count for it at once [napoleon Play 8]."""
        record: list[Happening] = []
        while self.stock:
            record += self.draw_one(seat)
        hand = self.hands[seat]
        self.taken.setdefault(seat, []).extend(hand)
        record.append(Shown(owner=seat, zone="hand", cards=tuple(hand)))
        self.hands[seat] = []
        return record

    # -- the end ---------------------------------------------------------------------------------------------

    def count(self) -> list[Happening]:
        """Count the army's points and record the claims [napoleon "Pays", D4]."""
        self.known = True
        got = sum(auction.points(pile.get(seat, ()), self.trump) for seat in self.army() for pile in self._piles())
        won = got >= self.bid
        allies = [seat for seat in self.order if seat not in self.army()]
        for seat, amount in zip(self.army(), (2 * self.rules.base, self.rules.base), strict=False):
            for ally in allies:
                payer, payee = (ally, seat) if won else (seat, ally)
                self.owe(payer, payee, amount, "napoleon" if seat == self.napoleon else "adjutant")
        shown = [Shown(owner=laid.seat, zone="down", cards=(laid.card,)) for laid in self.laid_down]
        who = Noted("alone", seat=self.napoleon)
        if self.adjutant is not None:
            who = Noted("adjutant", seat=self.adjutant)
        result = Noted("won" if won else "lost", seat=self.napoleon, facts={"points": got, "bid": self.bid})
        facts = {"napoleon": self.napoleon, "adjutant": self.adjutant, "points": got}
        return [*shown, who, result, *self.settled(facts, {})]

    def _piles(self) -> tuple[dict[int, list[Card]], dict[int, list[Card]]]:
        return self.taken, self.taken_down

    def at_stake(self) -> tuple[Stake, ...]:
        """List what each seat would have lost, as far as it could pay: nothing where nobody bid."""
        if self.napoleon is None:
            return ()
        base, army = self.rules.base, self.army()
        allies = len(self.order) - len(army)
        risks = {seat: base * (2 + (len(army) > 1)) for seat in self.order}
        risks.update(zip(army, (2 * base * allies, base * allies), strict=False))
        amounts = {seat: min(risk, self.carry[seat]) for seat, risk in sorted(risks.items())}
        return tuple(Stake(seat, "napoleon", amount, amount) for seat, amount in amounts.items())

    # -- showing ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return Napoleon and what is public of adjutant and points; cards face down do not count yet."""
        if self.outcome is not None:
            return dict(self.outcome.facts)
        army = [seat for seat in self.army() if seat == self.napoleon or self.known]
        seen = sum(auction.points(self.taken.get(seat, ()), self.trump) for seat in army)
        return {"napoleon": self.napoleon, "adjutant": army[1] if len(army) > 1 else None, "points": seen}

    def public_facts(self) -> dict[str, Any]:
        """Add what the leader of this trick called."""
        return {**super().public_facts(), "call": self.call}

    def pots(self) -> tuple[int, ...]:
        """Return no pot."""
        return ()


class Napoleon(deal.TrickGame):
    """Napoleon, 拿破仑 (seed trick-and-pool-games.txt, 游戏七)."""

    id = "napoleon"
    name = texts.NAME
    summary = texts.SUMMARY
    terms = texts.TERMS
    words = texts.WORDS
    rules_type = auction.NapoleonRules
    round_type = NapoleonRound
    fewest = 4
    most = 7

    def limits(self, rules: game.HouseRules) -> dict[str, Limit]:
        """Return also that a bid cannot be higher than all points that there are."""
        return {**super().limits(rules), "min_bid": Range(1, auction.highest_bid("h"))}

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return twice the base, what an ally may owe Napoleon."""
        assert isinstance(rules, auction.NapoleonRules)
        return 2 * rules.base

    def pack(self, seats: int) -> tuple[Card, ...]:
        """Return the pack with the joker, less some low cards [napoleon D1]."""
        return auction.PACKS[seats]

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Deal four cards each [napoleon Play 1] and ask for bids from the left of the button [napoleon Play 2]."""
        assert isinstance(rules, auction.NapoleonRules)
        hands, record = deal.deal(stock, order, auction.CARDS_EACH)
        round_ = NapoleonRound(
            rules=rules,
            carry=deal.carry_of(table, order),
            button=order[-1],
            order=order,
            hands=hands,
            stock=stock,
            table_pot=table.pot,
        )
        return round_, [*record, *round_.ask(BIDDING, order)]

    def payouts(self, rules: game.HouseRules) -> tuple[game.Payout, ...]:
        """List what a bid made and a bid missed pay."""
        assert isinstance(rules, auction.NapoleonRules)
        pays = f"{2 * rules.base} Napoleon, {rules.base} adjutant, × allies"
        return (
            game.Payout(bet="napoleon", wins=texts.WON, pays=pays),
            game.Payout(bet="napoleon", wins=texts.LOST, pays=pays),
        )

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Return what Napoleon wins alone against all others."""
        assert isinstance(rules, auction.NapoleonRules)
        return capped(texts.greatest(rules.base, rules.max_seats), rules)


GAME = Napoleon()
