"""Facts of a round that are public besides cards, chips and the course of play, typed for each family.

A round keeps its facts under the sheet's "Case keys"; ``of`` turns them into these records, whose fields are those of
``facts.proto``. What is not known yet, or means nothing in a game, is None or empty.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from services.rules.cards import Card
from services.rules.outcomes import HOUSE


class PlayedCard(msgspec.Struct, frozen=True):
    """A card of the current trick, ``??`` if it is face down, and the seat that played it."""

    seat: int
    card: Card


class PotWinners(msgspec.Struct, frozen=True):
    """A pot, in chips, and the seats that won it; of a divided one those of the high and of the low half.

    Where the board was run twice, ``second_winners`` and ``second_low_winners`` won the second board's half.
    """

    amount: int
    winners: tuple[int, ...]
    low_winners: tuple[int, ...] = ()
    second_winners: tuple[int, ...] = ()
    second_low_winners: tuple[int, ...] = ()


class Poker(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a hand of poker; dictionaries run over seats."""

    pots: tuple[PotWinners, ...] = ()
    returned: dict[int, int] = {}
    drawn: dict[int, int] = {}
    lows: dict[int, str] = {}
    second_hands: dict[int, str] = {}
    second_lows: dict[int, str] = {}
    chosen: tuple[int, ...] = ()
    exposes: Card | None = None


class Showdown(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a game in which hands are compared; dictionaries run over seats."""

    multiples: dict[int, int] = {}
    points: dict[int, int] = {}


class SpotBet(msgspec.Struct, frozen=True):
    """Chips that a seat has bet on a spot in this round; where there are no spots, by the word of the bet."""

    seat: int
    spot: str
    amount: int


class Banker(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a game against a bank; ``turnover`` runs over seats; ``rows`` holds the seat of each row, from 1."""

    turnover: dict[int, int] = {}
    limit: int | None = None
    left: int | None = None
    rows: dict[int, int] = {}
    pool: int | None = None
    guess: str | None = None
    player_hand: str | None = None
    dealer_hand: str | None = None
    bonus_hand: str | None = None
    qualified: bool | None = None
    match_over: bool | None = None
    next_banker: int | None = None
    spot_bets: tuple[SpotBet, ...] = ()


class Tricks(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a trick game; dictionaries run over seats."""

    turned: Card | None = None
    match_round: int | None = None
    points: dict[int, int] = {}
    army_points: int | None = None
    bid: int | None = None
    bid_trump: str | None = None
    bidder: int | None = None
    napoleon: int | None = None
    adjutant: int | None = None
    named: Card | None = None
    call: str | None = None
    robbed: int | None = None
    flush: int | None = None
    single: dict[int, int] = {}
    double: dict[int, int] = {}
    side_tricks: dict[int, int] = {}


class Climbing(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a climbing game; ``held`` runs over seats."""

    face_up: Card | None = None
    first: int | None = None
    landlord: int | None = None
    held: dict[int, int] = {}


class Survival(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a survival game; dictionaries run over seats."""

    held: dict[int, int] = {}
    stock: int | None = None
    table: int | None = None
    direction: int | None = None
    turn: int | None = None
    flips: int | None = None
    battles: int | None = None
    nicknames: dict[int, str] = {}
    tops: dict[int, Card] = {}
    line: tuple[Card, ...] = ()
    last: int | None = None


Family = Poker | Showdown | Banker | Tricks | Climbing | Survival
FAMILIES: Final[dict[str, type[Family]]] = {
    "poker": Poker,
    "showdown": Showdown,
    "banker": Banker,
    "tricks": Tricks,
    "climbing": Climbing,
    "survival": Survival,
}


class Common(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that several families have; dictionaries run over seats."""

    banker: int | None = None
    house_banks: bool = False
    trump: str | None = None
    multiplier: int | None = None
    count: int | None = None
    tricks_completed: int | None = None
    trick: tuple[PlayedCard, ...] = ()
    tricks: dict[int, int] = {}
    sides: dict[int, int] = {}
    winners: tuple[int, ...] = ()
    hands: dict[int, str] = {}
    out: tuple[int, ...] = ()


class Facts(Common, frozen=True, kw_only=True):
    """All facts of a round: the common ones and those of its family."""

    family: Family


_RENAMED: Final = {"winner": "winners", "eliminated": "out", "number": "tricks_completed", "trump_card": "turned"}
"""Keys of the sheets and the names of their fields, where a field has the same meaning in several games."""


_POT_WINNERS: Final = ("winners", "low_winners", "second_winners", "second_low_winners")
"""The sheet's keys of the seats that won each pot, in the order of the fields of ``PotWinners``."""


def _poker(keys: dict[str, Any]) -> None:
    amounts = keys.pop("pots", ())
    rows = [keys.pop(name, None) or [()] * len(amounts) for name in _POT_WINNERS]
    keys["pots"] = [PotWinners(amount, *map(tuple, won)) for amount, *won in zip(amounts, *rows, strict=True)]
    keys.pop("button", None)  # the view and the table show it


def _banker(keys: dict[str, Any]) -> None:
    if keys.get("banker") == HOUSE:
        keys.update(banker=None, house_banks=True)
    if keys.get("next_banker") == HOUSE:
        keys.update(next_banker=None, house_banks=True)


def _tricks(keys: dict[str, Any]) -> None:
    if isinstance(keys.get("tricks"), int):
        keys["tricks_completed"] = keys.pop("tricks")
    if isinstance(keys.get("points"), int):
        keys["army_points"] = keys.pop("points")


def _survival(keys: dict[str, Any]) -> None:
    if "hands" in keys:
        keys["held"] = keys.pop("hands")
    if "total" in keys:
        keys["count"] = keys.pop("total")
    if "line" in keys:
        keys["line"] = keys["line"].split()


_FITTED: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "poker": _poker,
    "banker": _banker,
    "tricks": _tricks,
    "survival": _survival,
}
_COMMON: Final = frozenset(Common.__struct_fields__)


def of(family: str, values: Mapping[str, Any], **more: Any) -> Facts:
    """Return facts under the sheets' keys as a record; keys of JSON, which are text, become seats again.

    ``more`` are fields of ``Facts`` that no sheet names. Raises msgspec.ValidationError for a key without a field.
    """
    keys = dict(values)
    if family in _FITTED:
        _FITTED[family](keys)
    for old, new in _RENAMED.items():
        if old in keys:
            keys[new] = keys.pop(old)
    if isinstance(keys.get("winners"), int):
        keys["winners"] = [keys["winners"]]
    common = msgspec.convert({**{key: keys.pop(key) for key in _COMMON & set(keys)}, **more}, Common, strict=False)
    unknown = set(keys) - set(FAMILIES[family].__struct_fields__)
    if unknown:
        raise msgspec.ValidationError(f"{family} has no facts {sorted(unknown)}")
    own = msgspec.convert(keys, FAMILIES[family], strict=False)
    return Facts(**msgspec.structs.asdict(common), family=own)
