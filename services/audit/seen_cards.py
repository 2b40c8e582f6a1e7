"""The cards that one player saw in a round, by the places that they were dealt from, and the proofs of them."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from pitboss.v1 import dealer_pb2, table_pb2

from services.fairness import commitment
from services.rules.cards import HIDDEN, Card
from services.table.full_table import Dealing

Place = tuple[int, int]
"""Stock and position."""

MOST_PROOFS: Final = 1000
"""Maximum number of proofs of one round; a round deals fewer cards."""


class SeenCards:
    """Collects the cards that a player saw, by the places that they were dealt from."""

    def __init__(self) -> None:
        self.faces: dict[Place, Card] = {}
        self._dealt: dict[Place, tuple[int | None, str]] = {}
        """Places by the seat that they were dealt to, if any, and its zone."""
        self._in_sight: Counter[Card] = Counter()
        self._dealing: Dealing | None = None

    def take(self, event: table_pb2.TableEvent, view: table_pb2.TableView, dealing: Dealing | None) -> None:
        """Note what an event and the view after it show to the player.

        A card may come into sight without its place, such as a hand that another seat shows. Then it is that of the
        newest stock that dealt this face; where several places of it did, the proof would show which of them it is, so
        none counts.
        """
        for entry in event.happenings:
            if entry.HasField("dealt"):
                self._take_dealt(entry.dealt)
            elif entry.HasField("shown") and dealing is not None:
                self._take_shown(entry.shown, dealing)
        if dealing is None:
            return
        self._dealing = dealing
        in_sight = Counter(card for zone in view.round.zones for card in zone.cards if card != HIDDEN)
        for card in in_sight - self._in_sight:
            places = [place for place in self._dealt if dealing.orders[place[0]][place[1]] == card]
            newest = [place for place in places if place[0] == max(stock for stock, _ in places)]
            if len(newest) == 1:
                self.faces.setdefault(newest[0], card)
        self._in_sight = in_sight

    def _take_dealt(self, dealt: table_pb2.DealtHappening) -> None:
        for position, card in zip(dealt.positions, dealt.cards, strict=True):
            place = dealt.stock, position
            self._dealt[place] = (dealt.to if dealt.HasField("to") else None), dealt.zone
            if card != HIDDEN:
                self.faces.setdefault(place, card)

    def _take_shown(self, shown: table_pb2.ShownHappening, dealing: Dealing) -> None:
        """Note cards that were turned up where they were dealt to: all of a face, or none."""
        owner = shown.owner if shown.HasField("owner") else None
        held = [place for place, at in self._dealt.items() if at == (owner, shown.zone)]
        for card, count in Counter(shown.cards).items():
            places = [place for place in held if dealing.orders[place[0]][place[1]] == card]
            if len(places) == count:
                self.faces.update(dict.fromkeys(places, card))

    def proofs(self) -> Iterator[dealer_pb2.GetCardProofResponse]:
        """Yield the proof of each card that was seen, stock by stock."""
        dealing = self._dealing
        if dealing is None:
            return
        by_stock: dict[int, list[int]] = defaultdict(list)
        for stock, position in list(self.faces)[:MOST_PROOFS]:
            by_stock[stock].append(position)
        for stock, positions in by_stock.items():
            order = dealing.orders[stock]
            root = commitment.root(dealing.round_seed, stock, order).hex()
            for proof in commitment.prove_all(dealing.round_seed, stock, order, positions):
                yield dealer_pb2.GetCardProofResponse(
                    stock=stock,
                    position=proof.position,
                    card=proof.card,
                    nonce=proof.nonce.hex(),
                    path=[node.hex() for node in proof.path],
                    root=root,
                    size=proof.size,
                )
