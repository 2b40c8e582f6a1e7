"""What random rounds pay is what the "Pays" lines of the rule sheet say, reckoned anew from the tricks."""

from collections import Counter
from typing import Any

import pytest

from services.house import pipeline
from services.rules import actions
from services.rules.happenings import Happening, Noted, Shown
from services.rules.tricks.loo import LooRound
from services.rules.tricks.napoleon import NapoleonRound
from services.rules.tricks.round import TrickRound
from tests.rules.tricks import playing, reference


class Book:
    """Writes down who took which cards; ``pools`` holds the winners of each pool's tricks."""

    def __init__(self) -> None:
        self.tricks: list[tuple[int, list[str]]] = []
        self.lying: list[str] = []
        self.pools: dict[str, list[int]] = {"single": [], "double": []}

    def __call__(self, round_: TrickRound, _action: actions.Action | None, record: list[Happening]) -> None:
        """Follow a round; cards laid face down are read from the state."""
        if not record:
            self.phase = round_.phase
            self.hands = {seat: list(hand) for seat, hand in round_.hands.items()}
            self.turn = round_.turn
            return
        assert self.turn is not None
        trick = [entry for entry in record if isinstance(entry, Noted) and entry.what == "trick"]
        shown = [entry for entry in record if isinstance(entry, Shown) and entry.owner == self.turn]
        if any(isinstance(entry, Noted) and entry.what == "down" for entry in record):
            assert isinstance(round_, NapoleonRound)
            self.lying.append(round_.laid_down[-1].card)
        elif shown and self.phase in {"play", "single", "double"}:
            self.lying.append(shown[0].cards[0])
        if trick and trick[0].seat is not None:
            self.tricks.append((trick[0].seat, self.lying))
            self.lying = []
            if self.phase in self.pools:
                self.pools[self.phase].append(trick[0].seat)
            at_once = [entry for entry in record if isinstance(entry, Shown) and entry.zone == "hand"][1:]
            for entry in at_once:
                assert entry.owner is not None
                self.tricks.append((entry.owner, list(entry.cards)))


def honeymoon(round_: TrickRound, book: Book, rules: dict[str, Any], pot: int) -> dict[int, int]:
    """First trick, last trick, tricks with queens: a point each, from the pot or from the others."""
    net: Counter[int] = Counter()
    wanted = {"Qc"} if rules.get("queens") == "club" else {"Qs", "Qh", "Qd", "Qc"}
    from_others = rules.get("point_from") == "others"
    if pot == 0 and not from_others:
        net.update(dict.fromkeys(round_.order, -10))
        pot = 10 * len(round_.order)
    for place, (seat, cards) in enumerate(book.tricks):
        points = (place == 0) + (place == len(book.tricks) - 1) + bool(wanted & set(cards))
        for _ in range(points):
            if from_others:
                net.update({other: -1 if other != seat else len(round_.order) - 1 for other in round_.order})
            elif pot:
                pot -= 1
                net[seat] += 1
    return net


def spoil_five(round_: TrickRound, book: Book, rules: dict[str, Any], pot: int) -> dict[int, int]:
    """Three tricks take the pot, five also an ante from everybody."""
    ante = rules["ante"]
    net = Counter(dict.fromkeys(round_.order, -ante))
    best, won = Counter(seat for seat, _ in book.tricks).most_common(1)[0]
    if won >= 3:
        net[best] += pot + ante * len(round_.order)
    if won == 5:
        net.update({seat: -ante if seat != best else ante * (len(round_.order) - 1) for seat in round_.order})
    return net


def loo(round_: TrickRound, book: Book, rules: dict[str, Any], pot: int) -> dict[int, int]:
    """Pay a third of the stake or of the pot for a trick; a seat that stays in and wins none pays."""
    assert isinstance(round_, LooRound)
    stake = rules["stake"]
    net: Counter[int] = Counter()
    net[round_.order[-1]] -= stake
    for seat in book.pools["single"]:
        net[seat] += stake // 3
    net.update(dict.fromkeys(round_.order, -stake))
    pool = pot + stake * len(round_.order)
    staying = [seat for seat in round_.order if seat not in round_.folded]
    winners = book.pools["double"]
    if staying == [round_.order[-1]]:
        net[staying[0]] += pool
        return net
    if not winners:
        first = next(seat for seat in staying if {card[1] for card in round_.hands[seat]} == {round_.trump})
        net[first] += pool
        winners = [first]
    else:
        for seat in winners:
            net[seat] += pool // 3
    for seat in staying:
        if seat not in winners:
            net[seat] -= stake
    return net


def napoleon(round_: TrickRound, book: Book, rules: dict[str, Any], pot: int) -> dict[int, int]:
    """Count what the army took and let one side pay the other."""
    assert isinstance(round_, NapoleonRound)
    assert pot == 0
    chief = round_.napoleon
    if chief is None:
        return {}
    assert round_.trump is not None
    army = {chief} if round_.adjutant is None else {chief, round_.adjutant}
    cards = [card for seat, trick in book.tricks if seat in army for card in trick]
    assert sum(len(trick) for _, trick in book.tricks) == 53 - {4: 1, 5: 3, 6: 5, 7: 4}[len(round_.order)]
    won = reference.napoleon_points(cards, round_.trump) >= round_.bid
    net: Counter[int] = Counter()
    for seat in army:
        amount = rules["base"] * (2 if seat == chief else 1)
        for ally in set(round_.order) - army:
            net[seat] += amount if won else -amount
            net[ally] -= amount if won else -amount
    return net


def endurance(round_: TrickRound, book: Book, rules: dict[str, Any], pot: int) -> dict[int, int]:
    """Return the winner of the last trick the antes of all others."""
    assert pot == 0
    winner = book.tricks[-1][0]
    ante = rules["ante"]
    return {seat: -ante if seat != winner else ante * (len(round_.order) - 1) for seat in round_.order}


RECKON = {"honeymoon": honeymoon, "spoil_five": spoil_five, "loo": loo, "napoleon": napoleon, "endurance": endurance}
VARIANTS: dict[str, list[tuple[dict[str, Any], int]]] = {
    "honeymoon": [({}, 0), ({}, 2), ({"queens": "club"}, 37), ({"point_from": "others"}, 0)],
    "spoil_five": [({"ante": 1}, 0), ({"ante": 7}, 21)],
    "loo": [({"stake": 3}, 0), ({"stake": 6}, 18), ({"stake": 3}, 7)],
    "napoleon": [({"base": 10}, 0), ({"base": 7, "draw": "winner", "min_bid": 20}, 0)],
    "endurance": [({"ante": 0}, 0), ({"ante": 10}, 0)],
}


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_random_rounds_pay_what_the_sheet_says(game_id: str) -> None:
    """Without limits the posting of a random round is what its tricks bring by the sheet, and it balances."""
    for seed in range(300):
        rules, pot = VARIANTS[game_id][seed % len(VARIANTS[game_id])]
        round_, _, dice = playing.start(game_id, 10_000 + seed, rules=rules, pot=pot)
        book = Book()
        done = playing.play_out(round_, dice, book)
        assert done.outcome is not None
        posting = pipeline.settle(done.outcome, done.rules, done.carry, pot)
        expected = RECKON[game_id](done, book, rules, pot)
        assert posting.net == {seat: expected.get(seat, 0) for seat in done.carry}
        assert posting.pot == -sum(posting.net.values())
