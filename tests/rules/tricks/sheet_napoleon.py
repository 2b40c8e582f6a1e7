"""Napoleon by the sheet, see ``sheet_common``."""

from typing import Any

from tests.rules.tricks.sheet_common import ILLEGAL, SUITS, Move, Reading, left_of

HONOURS = "AKQJT"


class Napoleon(Reading):
    """``part``: bid, name, play; ``piles`` are the cards that each seat has taken."""

    def least(self) -> int:
        """Return twice the base."""
        return 2 * int(self.rules["base"])

    def begin(self) -> None:
        """Deal four each, ask for bids [napoleon Play 1, Play 2]."""
        self.pack = list(self.stock)
        self.deal(4, self.order)
        self.part, self.asked = "bid", list(self.order)
        self.bid = 0
        self.napoleon: int | None = None
        self.adjutant: int | None = None
        self.named: str | None = None
        self.call: str | None = None
        self.piles: dict[int, list[str]] = {seat: [] for seat in self.order}

    # -- bidding and naming

    def asked_refusal(self, seat: int, move: Move) -> str | None:
        """Test a bid or the naming of the adjutant [napoleon Play 2, Play 3]."""
        assert seat == self.asked[0], "whose turn it is was tested"
        if self.part == "name":
            if move["do"] != "name_adjutant":
                return ILLEGAL
            return None if move["card"] in self.pack else "ILLEGAL_CARDS"
        if move["do"] == "pass":
            return None
        if move["do"] != "bid" or move["trump"] not in list(SUITS):
            return ILLEGAL
        highest = 70 if move["trump"] == "s" else 79
        high_enough = self.rules["min_bid"] <= move["points"] <= highest and move["points"] > self.bid
        return None if high_enough else "AMOUNT_OUT_OF_RANGE"

    def answer(self, seat: int, move: Move) -> None:
        """Take a bid, a pass or a name; the highest bidder is Napoleon and leads [napoleon Play 2, Play 3, Play 4]."""
        self.asked.pop(0)
        if move["do"] == "bid":
            self.bid, self.trump, self.napoleon = move["points"], move["trump"], seat
        if move["do"] == "name_adjutant":
            self.named = move["card"]
            holders = [other for other in self.order if self.named in self.hands[other] and other != seat]
            self.adjutant = holders[0] if holders else None
        if self.asked:
            return
        self.done = self.napoleon is None
        if self.napoleon is not None:
            self.turn = self.napoleon
            if self.part == "bid" and len(self.order) >= 6:
                self.part, self.asked = "name", [self.napoleon]
            else:
                self.part = "play"

    def silent_answer(self) -> Move:
        """Pass, or name the first card of the list that Napoleon does not hold [napoleon Play 2, Play 3]."""
        if self.part == "bid":
            return {"do": "pass"}
        wanted = ["As", "Xr", *(f"{rank}{self.trump}" for rank in HONOURS)]
        return {"do": "name_adjutant", "card": next(card for card in wanted if card not in self.hands[self.asked[0]])}

    # -- play

    def points(self, card: str) -> int:
        """Count a card [napoleon "Pays"]."""
        if card == "As":
            return 15
        return 0 if card[0] not in HONOURS else 10 if card[1] == self.trump else 1

    def suit(self, card: str) -> str | None:
        """Return the suit; the joker belongs to none [napoleon Play 5]."""
        return None if card == "Xr" else card[1]

    def height(self, card: str) -> int:
        """Return the rank of a card within its suit."""
        return 0 if card == "Xr" else super().height(card)

    def strength(self, card: str) -> tuple[int, int]:
        """Put the ace of spades over the joker over all trumps [napoleon "Ranking"]."""
        return {"As": (4, 0), "Xr": (3, 0)}.get(card) or super().strength(card)

    def weakness(self, card: str) -> tuple[int, ...]:
        """Play the joker and then the ace of spades last of all [napoleon Play 8]."""
        return {"As": (3,), "Xr": (2,)}.get(card) or super().weakness(card)

    def leads(self) -> bool:
        """Return whether the seat in turn leads."""
        return all(down for _, _, down in self.lying)

    def legal(self, seat: int) -> list[str]:
        """List what may be played face up: empty where a card must lie face down (4 to 7)."""
        hand = self.hands[seat]
        first = next((card for _, card, down in self.lying if not down), None)
        if first is None:
            last_to_lead = len(self.lying) == len(self.players()) - 1
            free = self.tricks > 0 or last_to_lead
            return list(hand) if free else [card for card in hand if card == "Xr" or card[1] not in f"s{self.trump}"]
        if self.call == "joker":
            return ["Xr"] if "Xr" in hand else list(hand)
        if first == "Xr":
            trumps = [card for card in hand if card[1] == self.trump]
            return trumps if self.call == "trumps" and trumps else list(hand)
        if not any(card[1] == first[1] for card in hand):
            return list(hand)
        return [card for card in hand if card[1] == first[1] or card == "Xr"]

    def players(self) -> list[int]:
        """Return the seats of this trick: those with cards, or with a card in it."""
        laid = [seat for seat, _, _ in self.lying]
        return [seat for seat in self.order if self.hands[seat] or seat in laid]

    def downs(self, seat: int) -> list[str]:
        """List the cards that may lie face down [napoleon Play 4]."""
        return [card for card in self.hands[seat] if not self.points(card)] or list(self.hands[seat])

    def play_refusal(self, seat: int, move: Move) -> str | None:
        """Demand a card face down where none may be led, and the right card for a call.

        Source: [napoleon Play 4, Play 6, Play 7].
        """
        if self.leads() and not self.legal(seat):
            return self.card_refusal(seat, [move["card"]], self.downs(seat)) if move["do"] == "play_down" else ILLEGAL
        call = move.get("call")
        if call is not None:
            needed = {"trumps": ["Xr"], "joker": ["3c"]}.get(call)
            if move["do"] != "play" or not self.leads() or move["cards"] != needed:
                return ILLEGAL
        return super().play_refusal(seat, move)

    def act(self, seat: int, move: Move) -> None:
        """Carry out a move."""
        self.call = move.get("call") or self.call
        if move["do"] == "play_down":
            self.lay(seat, move["card"], down=True)
        else:
            super().act(seat, move)

    def late(self) -> None:
        """Let the deadline pass [napoleon Play 8]."""
        if not self.asked and self.leads() and not self.legal(self.turn):
            self.lay(self.turn, min(self.downs(self.turn), key=self.weakness), down=True)
        else:
            super().late()

    def draw(self, seat: int) -> None:
        """Draw the top card of the stock; a seat other than Napoleon that draws the named card is the adjutant.

        Source: [napoleon Play 3, Play 5].
        """
        card = self.stock.pop(0)
        self.hands[seat].append(card)
        if card == self.named and seat != self.napoleon:
            self.adjutant = seat

    def won(self, winner: int) -> None:
        """Take the trick, draw, and go on or count [napoleon Play 5, Play 8]."""
        self.piles[winner] += [card for _, card, _ in self.lying]
        self.call = None
        around = left_of(self.order, winner)
        for seat in [winner, *around[:-1]] if self.rules["draw"] == "each" else [winner]:
            if self.stock:
                self.draw(seat)
        holding = [seat for seat in self.order if self.hands[seat]]
        if self.rules["draw"] == "winner" and len(holding) == 1:
            while self.stock:
                self.draw(holding[0])
            self.piles[holding[0]] += self.hands[holding[0]]
            holding = []
        if holding:
            self.turn = winner if winner in holding else left_of(holding, winner)[0]
        else:
            self.count()

    def count(self) -> None:
        """Pay two units for Napoleon and one for the adjutant [napoleon "Pays"]."""
        self.done = True
        made = self.army_points() >= self.bid
        for seat in self.order:
            for leader, units in ((self.napoleon, 2), (self.adjutant, 1)):
                if leader is not None and seat not in (self.napoleon, self.adjutant):
                    amount = units * self.rules["base"]
                    self.pay(*((seat, leader) if made else (leader, seat)), amount)

    def army_points(self) -> int:
        """Count the points of Napoleon and his adjutant."""
        army = [seat for seat in (self.napoleon, self.adjutant) if seat is not None]
        return sum(self.points(card) for seat in army for card in self.piles[seat])

    def facts(self) -> dict[str, Any]:
        """Return Napoleon, adjutant, and the army's points."""
        return {"napoleon": self.napoleon, "adjutant": self.adjutant, "points": self.army_points()}
