"""What holds at every moment of every trick game: offers, refusals, hidden cards, words."""

import random
import re
from typing import Any

import msgspec
import pytest

from services.rules import actions
from services.rules.cards import HIDDEN, PACK_52
from services.rules.happenings import Dealt, Happening, Shown
from services.rules.refusals import Reason, Refused
from services.rules.tricks.loo import LooRound
from services.rules.tricks.napoleon import NapoleonRound
from services.rules.tricks.round import Laid, TrickRound
from tests.rules.tricks import playing
from tests.support.seeded import Seeded

CARDS = (*PACK_52, "Xr", "Xb", "??", "5t")
UNIVERSE: list[actions.Action] = [
    *(actions.Play(cards=(card,)) for card in CARDS),
    *(actions.Play(cards=(card,), call=call) for card in ("Xr", "3c", "As", "2d") for call in ("trumps", "joker", "x")),
    *(actions.Play(cards=(card,), sign="plus") for card in PACK_52[::5]),
    *(actions.Play(cards=(card,), next=1) for card in PACK_52[::5]),
    *(actions.Play(cards=(one, other)) for one in PACK_52[::7] for other in PACK_52[::9]),
    *(actions.PlayDown(card=card) for card in CARDS),
    *(actions.NameAdjutant(card=card) for card in CARDS),
    *(actions.Rob(discard=card) for card in (*CARDS, None)),
    *(
        actions.Bid(points=points, trump=trump)
        for points in (-1, 0, 1, 20, *range(38, 82))
        for trump in ("s", "h", "d", "c", "r", "", None)
    ),
    actions.Play(cards=()),
    actions.Pass(),
    actions.Fold(),
    actions.Support(),
    actions.Exchange(),
    actions.Check(),
    actions.Hit(),
    actions.CallLandlord(),
]
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "napoleon": [{}, {"draw": "winner"}, {"min_bid": 1}],
    "honeymoon": [{}, {"point_from": "others", "queens": "club"}],
}


def rounds_of(game_id: str, count: int, first: int = 0) -> list[tuple[TrickRound, list[Happening], Seeded]]:
    """Start ``count`` random rounds, of all variants in turn."""
    variants = VARIANTS.get(game_id, [{}])
    return [
        playing.start(game_id, seed, rules=variants[seed % len(variants)], pot=seed % 5)
        if game_id not in {"napoleon", "endurance"}
        else playing.start(game_id, seed, rules=variants[seed % len(variants)])
        for seed in range(first, first + count)
    ]


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_exactly_the_offered_actions_are_accepted(game_id: str) -> None:
    """Of all actions that there are, those offered to the seat in turn are accepted; the others change nothing."""

    def watch(round_: TrickRound, _action: actions.Action | None, record: list[Happening]) -> None:
        if record:
            return
        seat = round_.turn
        assert seat is not None
        offered = playing.offered(round_, seat)
        assert offered
        assert len(set(offered)) == len(offered)
        before = msgspec.msgpack.encode(round_)
        assert all(round_.can(seat, action) for action in offered)
        accepted = {action for action in UNIVERSE if round_.can(seat, action)}
        assert accepted <= set(offered)
        for other in round_.order:
            if other != seat:
                assert not round_.options(other)
                with pytest.raises(Refused) as refusal:
                    round_.verify(other, offered[0])
                assert refusal.value.reason == Reason.OUT_OF_TURN
        assert msgspec.msgpack.encode(round_) == before

    for round_, _, dice in rounds_of(game_id, 15):
        playing.play_out(round_, dice, watch)


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_strangers_and_latecomers_are_refused(game_id: str) -> None:
    """A seat outside the round is not seated, before anything else; a round that has ended is not open."""
    round_, _, dice = playing.start(game_id, 5)
    for action in (actions.Pass(), actions.Play(cards=("As",))):
        with pytest.raises(Refused) as refusal:
            round_.verify(99, action)
        assert refusal.value.reason == Reason.NOT_SEATED
    done = playing.play_out(round_, dice)
    with pytest.raises(Refused) as refusal:
        done.verify(99, actions.Pass())
    assert refusal.value.reason == Reason.NOT_SEATED
    with pytest.raises(Refused) as refusal:
        done.verify(done.order[0], actions.Pass())
    assert refusal.value.reason == Reason.ROUND_NOT_OPEN
    assert done.waiting() is None
    assert not any(done.options(seat) for seat in done.order)


# -- hidden cards ---------------------------------------------------------------------------------------------


def hidden_from(round_: TrickRound, viewer: int | None) -> list[str]:
    """List the cards that a viewer cannot see: other hands, the stock, the Miss, what others laid face down."""
    hidden = [card for seat, hand in round_.hands.items() if seat != viewer for card in hand]
    rest = round_.stock.rest()
    if isinstance(round_, NapoleonRound):
        rest = rest[1:] if round_.stock_open() else rest
        if round_.outcome is None:
            hidden += [laid.card for laid in round_.laid_down if laid.seat != viewer]
    if isinstance(round_, LooRound):
        hidden += round_.miss
        if round_.flush is not None:
            hidden = [card for card in hidden if card not in round_.hands[round_.flush]]
    return hidden + rest


def swapped(round_: TrickRound, viewer: int | None, rng: random.Random) -> TrickRound:
    """Return the same round with all cards that are hidden from the viewer in other places."""
    hidden = hidden_from(round_, viewer)
    moved = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    other: TrickRound = msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=type(round_))

    def move(cards: list[str]) -> list[str]:
        return [moved.get(card, card) for card in cards]

    def move_laid(trick: list[Laid]) -> list[Laid]:
        return [Laid(laid.seat, moved.get(laid.card, laid.card), laid.down) if laid.down else laid for laid in trick]

    other.hands = {seat: hand if seat == viewer else move(hand) for seat, hand in other.hands.items()}
    other.stock.cards = move(other.stock.cards)
    other.trick, other.last_trick = move_laid(other.trick), move_laid(other.last_trick)
    if isinstance(other, LooRound):
        other.miss = move(other.miss)
    if isinstance(other, NapoleonRound):
        other.laid_down = move_laid(other.laid_down)
        other.taken_down = {seat: move(cards) for seat, cards in other.taken_down.items()}
        if other.named in hidden and not other.known:
            holders = [seat for seat, hand in other.hands.items() if other.named in hand]
            holders += [laid.seat for laid in other.laid_down if laid.card == other.named]
            other.adjutant = holders[0] if holders and holders[0] != other.napoleon else None
    return other


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_views_do_not_depend_on_hidden_cards(game_id: str) -> None:
    """Two rounds that differ only in cards hidden from a viewer give that viewer equal bytes, at every moment."""
    rng = random.Random(7)
    changed = 0

    def watch(round_: TrickRound, _action: actions.Action | None, _record: list[Happening]) -> None:
        nonlocal changed
        viewer = rng.choice([None, *round_.order])
        other = swapped(round_, viewer, rng)
        changed += msgspec.msgpack.encode(other) != msgspec.msgpack.encode(round_)
        assert msgspec.json.encode(other.view(viewer)) == msgspec.json.encode(round_.view(viewer))
        # facts are the same for everybody, and nothing hidden from a spectator is in them
        if viewer is None:
            assert other.facts() == round_.facts()
        if viewer == round_.turn and viewer is not None:
            assert other.options(viewer) == round_.options(viewer)

    for round_, _, dice in rounds_of(game_id, 60, first=500):
        watch(playing.play_out(round_, dice, watch), None, [])
    assert changed > 500


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_a_view_shows_no_hidden_card(game_id: str) -> None:
    """The bytes for a viewer name no card that is hidden from it, but what was shown before and taken up again."""

    def watch(round_: TrickRound, _action: actions.Action | None, _record: list[Happening]) -> None:
        shown = {str(getattr(round_, name, "")) for name in ("trump_card", "named", "turned")}
        for viewer in (None, *round_.order):
            text = msgspec.json.encode(round_.view(viewer)).decode()
            named = set(re.findall(r'"([2-9TJQKAX][shdcr])"', text))
            assert not named & set(hidden_from(round_, viewer)) - shown

    for round_, _, dice in rounds_of(game_id, 20, first=900):
        playing.play_out(round_, dice, watch)


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_only_hidden_cards_are_sealed(game_id: str) -> None:
    """A discard for the turned card and a card laid face down are sealed in the log; every other action is open."""
    round_, _, _ = playing.start(game_id, 1)
    sealed = {type(action) for action in UNIVERSE if round_.secret(action)}
    expected: dict[str, set[type[actions.Action]]] = {"spoil_five": {actions.Rob}, "napoleon": {actions.PlayDown}}
    assert sealed == expected.get(game_id, set())


def seen_in(round_: TrickRound, record: list[Happening]) -> set[str]:
    """List the cards that a record shows to everybody: shown, drawn from an open stock, turned, named."""
    seen = {str(getattr(round_, name, "")) for name in ("named", "turned")}
    for entry in record:
        if isinstance(entry, Shown):
            assert entry.zone in {"hand", "stock", "down"}
            seen.update(entry.cards)
        if isinstance(entry, Dealt) and entry.zone != "turned":
            open_ = isinstance(round_, NapoleonRound) and entry.positions[0] > 4 * len(round_.order)
            assert open_ or set(entry.cards) == {"??"}
            seen.update(entry.cards)
    return seen


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_the_record_names_no_card_that_lies_hidden(game_id: str) -> None:
    """No happening names a card that after it lies in a hand, the stock or face down, but what all have seen."""
    seen: set[str] = set()

    def watch(round_: TrickRound, _action: actions.Action | None, record: list[Happening]) -> None:
        seen.update(seen_in(round_, record))
        named = set(re.findall(r'"([2-9TJQKAX][shdcr])"', msgspec.json.encode(record).decode()))
        assert not (named & set(hidden_from(round_, None))) - seen

    for round_, record, dice in rounds_of(game_id, 20, first=1300):
        seen.clear()
        watch(round_, None, record)
        playing.play_out(round_, dice, watch)


def test_a_flush_of_loo_is_shown_and_no_other_hand_is() -> None:
    """After a flush everybody sees its hand; of every other hand only the owner sees the cards."""
    shown = 0
    for seed in range(400):
        round_, _, dice = playing.start("loo", seed)
        done = playing.play_out(round_, dice)
        assert isinstance(done, LooRound)
        if done.flush is None:
            continue
        shown += 1
        for viewer in (None, *done.order):
            hands = {zone.owner: zone.cards for zone in done.view(viewer).zones if zone.name == "hand"}
            for seat, hand in done.hands.items():
                visible = seat in {viewer, done.flush}
                assert hands[seat] == (tuple(hand) if visible else (HIDDEN,) * len(hand)), (seed, viewer, seat)
    assert shown, "no flush came"
