"""Hands in words, and who won which pot with what: what a viewer sees of them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from pitboss.v1 import catalogue_pb2
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_texts
from services.house import pots as house_pots
from services.house.settlement import Posting
from services.rules.cards import HIDDEN
from services.rules.game import Game, Round
from services.rules.outcomes import BOARDS, SECOND_BOARD, Outcome, Pot
from services.rules.ranking.ladder import LOW
from services.rules.views import View, Zone
from services.rules.worth import Worth


def hands(game: Game, round_: Round, seen: View, viewer: int | None) -> list[pb.Hand]:
    """Write what the hands are worth that lie open to a viewer; at the end also how those compare that all see."""
    found = _worths(round_, seen)
    public = found if viewer is None or round_.outcome is None else _worths(round_, round_.view(None))
    ended = public if round_.outcome is not None else []
    first, second = _Ranks(ended), _Ranks([(zone, worth.second) for zone, worth in ended if worth.second])
    return [_hand(game, zone, worth, first, second) for zone, worth in found]


def _worths(round_: Round, seen: View) -> list[tuple[Zone, Worth]]:
    open_ = [zone for zone in seen.zones if zone.cards and HIDDEN not in zone.cards]
    worths = [(zone, round_.worth(zone.owner, zone.name, zone.cards)) for zone in open_]
    return [(zone, worth) for zone, worth in worths if worth is not None]


class _Ranks:
    """The places of the hands that all see, with one board: for the pot or its high half, and for its low half."""

    def __init__(self, shown: list[tuple[Zone, Worth]]) -> None:
        self._high = _ranks(shown)
        self._low = _ranks([(zone, worth.low) for zone, worth in shown if worth.low])

    def put(self, hand: pb.Hand, zone: Zone) -> None:
        """Set the places of a hand; 0 where it has none."""
        hand.rank = self._high.get((zone.owner, zone.name), 0)
        if hand.HasField("low"):
            hand.low.rank = self._low.get((zone.owner, zone.name), 0)


def _ranks(shown: list[tuple[Zone, Worth]]) -> dict[tuple[int | None, str], int]:
    keys: list[Any] = [worth.key for _, worth in shown if worth.key is not None]
    return {
        (zone.owner, zone.name): 1 + sum(key > worth.key for key in keys)
        for zone, worth in shown
        if worth.key is not None
    }


def _hand(game: Game, zone: Zone, worth: Worth, first: _Ranks, second: _Ranks) -> pb.Hand:
    hand = _worth(game, worth)
    hand.MergeFrom(pb.Hand(seat=zone.owner, zone=zone.name, cards=zone.cards))
    first.put(hand, zone)
    if worth.second is not None:
        hand.second_board.CopyFrom(_worth(game, worth.second))
        second.put(hand.second_board, zone)
    return hand


def _worth(game: Game, worth: Worth) -> pb.Hand:
    return pb.Hand(
        best=worth.best,
        category=worth.category,
        words=_words(game, worth),
        points=worth.points,
        low=_low(worth.low),
    )


def _low(worth: Worth | None) -> pb.LowHand | None:
    """Write what a hand is worth for the low half of the pots; None where it is worth nothing there."""
    if worth is None:
        return None
    return pb.LowHand(best=worth.best, words=wire_texts.text(worth.words) if worth.words else None)


def _words(game: Game, worth: Worth) -> catalogue_pb2.Text:
    known = worth.words or game.words[worth.category]
    return wire_texts.text(known)


class Pots(msgspec.Struct, frozen=True):
    """What pots are shown from: the outcome, the posting if the round is settled, and the hands in words by seat."""

    outcome: Outcome
    posting: Posting | None
    hands: Mapping[int, pb.Hand]

    def shown(self) -> Iterable[pb.PotResult]:
        """Write each pot, main pot first."""
        for number, pot in enumerate(self.outcome.pots):
            yield pb.PotResult(
                pot=number,
                amount=pot.amount,
                rake=self.posting.rake[number] if self.posting else None,
                shares=self._parts(number, pot) if pot.parts else self._whole(number, pot),
            )

    def _whole(self, number: int, pot: Pot) -> Iterable[pb.PotShare]:
        return (self._share(number, seat) for seat in sorted(pot.winners))

    def _share(self, number: int, seat: int) -> pb.PotShare:
        amount = None
        if self.posting:
            paid = (_POT.format(number), seat)
            amount = sum(claim.amount for claim in self.posting.claims if (claim.payer, claim.payee) == paid)
        hand = self.hands.get(seat)
        return pb.PotShare(seat=seat, amount=amount, words=hand.words if hand else None)

    def _parts(self, number: int, pot: Pot) -> Iterable[pb.PotShare]:
        """Write the shares of each part of a divided pot."""
        rake = self.posting.rake[number] if self.posting else 0
        for names, shares in house_pots.divided(pot, pot.amount - rake):
            board = next((name for name in names if name in BOARDS), "")
            half = next((name for name in names if name not in BOARDS), "")
            for seat in sorted(shares):
                amount = shares[seat] if self.posting else None
                words = self._words(seat, board, half)
                yield pb.PotShare(seat=seat, amount=amount, words=words, half=half, board=board)

    def _words(self, seat: int, board: str, half: str) -> catalogue_pb2.Text | None:
        """Return the hand in words by which a seat won a part; None where it was not shown."""
        hand = self.hands.get(seat)
        if hand is None:
            return None
        worth = hand.second_board if board == SECOND_BOARD else hand
        return worth.low.words if half == LOW else worth.words


_POT: Final = "pot:{}"
"""How claims name a pot of the round."""


def pots(outcome: Outcome, posting: Posting | None, shown: Iterable[pb.Hand]) -> Iterable[pb.PotResult]:
    """Write who shares each pot of an ended round, and with what; the amounts once the round is settled."""
    ranked = {hand.seat: hand for hand in shown if hand.HasField("seat") and hand.rank}
    return Pots(outcome, posting, ranked).shown()
