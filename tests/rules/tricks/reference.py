"""A second reading of the rule sheet "tricks", written from its ranking and "Pays" lines alone.

It shares no code with the product. Every trick is judged by writing all cards down from the lowest to the highest, as
the sheet's ranking lines do, and looking which of the played ones stands last.
"""

from collections.abc import Callable, Sequence

HIGH = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
EVERY_SUIT = ["c", "d", "h", "s"]

Lying = list[tuple[int, str, bool]]
"""The cards of a trick in order: seat, card, and whether it is face down."""


def plain_line(suit: str) -> list[str]:
    """Write a suit as most games rank it (2 < 3 … < K < A)."""
    return [rank + suit for rank in HIGH]


def spoil_line(suit: str, trump: str) -> list[str]:
    """Write a suit of Spoil Five, from low to high."""
    if suit == trump:
        low = [rank + suit for rank in ["2", "3", "4", "6", "7", "8", "9", "T", "Q", "K", "A"]]
        return [card for card in low if card != "Ah"] + ["Ah", "J" + suit, "5" + suit]
    if suit in "hd":
        return [
            rank + suit
            for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
            if rank + suit != "Ah"
        ]
    return [rank + suit for rank in ["T", "9", "8", "7", "6", "5", "4", "3", "2", "A", "J", "Q", "K"]]


def line(game: str, suit: str, trump: str | None) -> list[str]:
    """Write one suit of a game from low to high, as it counts with these trumps."""
    if game == "spoil_five":
        assert trump is not None
        return spoil_line(suit, trump)
    if game == "napoleon":
        return [card for card in plain_line(suit) if card != "As"]
    return plain_line(suit)


def suit_counted(game: str, card: str, trump: str | None) -> str:
    """Return which suit a card counts as; the joker's own is no suit of the pack."""
    if game == "spoil_five" and card == "Ah":
        assert trump is not None
        return trump
    return card[1]


def winner(game: str, lying: Lying, trump: str | None) -> int:
    """Return the winner of a trick: the best card by led suit, trumps and (napoleon) joker and spade ace."""
    open_ = [(seat, card) for seat, card, down in lying if not down]
    led = suit_counted(game, open_[0][1], trump)
    ladder = list(line(game, led, trump)) if led in EVERY_SUIT else []
    if trump is not None and trump != led:
        ladder += line(game, trump, trump)
    if game == "napoleon":
        ladder += ["Xr", "As"]
    last = [seat for card in ladder for seat, played in open_ if played == card]
    return last[-1]


def follow(game: str, hand: Sequence[str], lying: Lying, trump: str | None) -> set[str]:
    """Return the cards that a seat may lay on a lead, by the rule of the suit alone."""
    led = suit_counted(game, next(card for _, card, down in lying if not down), trump)
    must = {card for card in hand if suit_counted(game, card, trump) == led}
    return must or set(hand)


def legal_endurance(hand: Sequence[str], lying: Lying, trump: str | None, _: dict[str, object]) -> set[str]:
    """Lead any card, follow suit, otherwise any."""
    return follow("endurance", hand, lying, trump) if lying else set(hand)


def legal_spoil_five(hand: Sequence[str], lying: Lying, trump: str | None, _: dict[str, object]) -> set[str]:
    """Let forced cards go before following suit."""
    assert trump is not None
    cards = {card for _, card, _ in lying}
    top = {"Ah", "A" + trump}
    if "5" + trump in cards and set(hand) & (top | {"J" + trump}):
        return set(hand) & (top | {"J" + trump})
    if "J" + trump in cards and set(hand) & top:
        return set(hand) & top
    return follow("spoil_five", hand, lying, trump) if lying else set(hand)


def legal_loo(hand: Sequence[str], lying: Lying, trump: str | None, more: dict[str, object]) -> set[str]:
    """Lead a trump first in the double pool where two are held."""
    if lying:
        return follow("loo", hand, lying, trump)
    trumps = {card for card in hand if card[1] == trump}
    return trumps if more["first_lead_of_double"] and len(trumps) >= 2 else set(hand)


def legal_napoleon(hand: Sequence[str], lying: Lying, trump: str | None, more: dict[str, object]) -> set[str]:
    """Return the cards that may be played face up; none where the leader of the first trick must lay one down."""
    if all(down for _, _, down in lying):
        if more["first_trick"] and len(lying) < int(str(more["seats"])) - 1:
            return {card for card in hand if card == "Xr" or card[1] not in ("s", trump)}
        return set(hand)
    lead = next(card for _, card, down in lying if not down)
    trumps = {card for card in hand if card != "Xr" and card[1] == trump}
    if lead == "Xr":
        return trumps if more["call"] == "trumps" and trumps else set(hand)
    if more["call"] == "joker":
        return {"Xr"} if "Xr" in hand else set(hand)
    same = {card for card in hand if card[1] == lead[1]}
    return (same | ({"Xr"} & set(hand))) if same else set(hand)


LEGAL: dict[str, Callable[[Sequence[str], Lying, str | None, dict[str, object]], set[str]]] = {
    "endurance": legal_endurance,
    "honeymoon": legal_endurance,
    "spoil_five": legal_spoil_five,
    "loo": legal_loo,
    "napoleon": legal_napoleon,
}


def weakest(game: str, legal: set[str], trump: str | None) -> str:
    """Find what a deadline plays, by writing all cards down in the order in which they go."""
    going: list[str] = []
    plain = [suit for suit in EVERY_SUIT if suit != trump]
    for suits in (plain, [trump] if trump else []):
        lines = [line(game, suit, trump) for suit in suits]
        for step in range(14):
            going += [whole[step] for whole in lines if step < len(whole)]
    going += ["Xr", "As"] if game == "napoleon" else []
    return next(card for card in going if card in legal)


def napoleon_points(cards: Sequence[str], trump: str) -> int:
    """Count card points by the lines of "Pays"."""
    value = {"As": 15}
    for suit in EVERY_SUIT:
        for rank in "AKQJT":
            value.setdefault(rank + suit, 10 if suit == trump else 1)
    return sum(value.get(card, 0) for card in cards)
