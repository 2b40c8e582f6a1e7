"""Every action of every sheet, by the sheet's own name.

One class an action; its ``is`` tag is the word of the rule sheets and case files, its fields are that action's
arguments. The public contract has the same names in one typed ``oneof``. Amounts are whole chips.
"""

from typing import Any, ClassVar, Final

import msgspec

from services.rules.cards import Card


class Action(msgspec.Struct, frozen=True, tag_field="is", omit_defaults=True):
    """The action of a seat; the base of all actions."""

    stakes: ClassVar[bool] = False
    """Whether a seat itself decides by it to put more chips at stake."""
    repeats: ClassVar[bool] = False
    """Whether a seat may take it any number of times in a round, by the rules alone (``Game.most_actions``)."""
    between_rounds: ClassVar[bool] = False
    """Whether it is taken while no round is open."""

    @property
    def name(self) -> str:
        """The sheet's word for this action."""
        return str(self.__struct_config__.tag)


# Betting rounds (poker, section 0.3; casino_holdem uses Call and Fold too).
class Fold(Action, frozen=True, tag="fold"):
    """Give up the hand; in Loo, the round."""


class Check(Action, frozen=True, tag="check"):
    """Stay in without putting in chips."""


class Call(Action, frozen=True, tag="call"):
    """Put in what is missing to call."""

    stakes = True


class Bet(Action, frozen=True, tag="bet"):
    """Bet a number of chips."""

    stakes = repeats = True

    amount: int


class Raise(Action, frozen=True, tag="raise"):
    """Raise; ``to`` is the seat's total in this betting round after it."""

    stakes = repeats = True

    to: int


class AllIn(Action, frozen=True, tag="all_in"):
    """Put in all chips."""

    stakes = True


class BringIn(Action, frozen=True, tag="bring_in"):
    """Put in the forced first bet of a hand of stud."""

    stakes = True


class RunTwice(Action, frozen=True, tag="run_twice"):
    """Agree to deal the table cards still to come twice."""


class RunOnce(Action, frozen=True, tag="run_once"):
    """Refuse to deal the table cards still to come twice."""


class Straddle(Action, frozen=True, tag="straddle"):
    """Straddle, or no longer, whenever the seat is under the gun; chosen between rounds."""

    between_rounds = True

    active: bool


class Muck(Action, frozen=True, tag="muck"):
    """Keep a hand hidden that need not be shown."""


class Draw(Action, frozen=True, tag="draw"):
    """Exchange 0 to 5 own cards."""

    discards: tuple[Card, ...]


class Expose(Action, frozen=True, tag="expose"):
    """Turn up one of the own down cards."""

    card: Card


# Bets against a bank, and windows in which all act at once (banker, showdown).
class PlaceBet(Action, frozen=True, tag="place_bet"):
    """Add chips to a spot."""

    stakes = repeats = True

    spot: str
    amount: int


class Done(Action, frozen=True, tag="done"):
    """End one's own betting in this window."""


class BetMultiple(Action, frozen=True, tag="bet_multiple"):
    """Choose the multiple of the table's base stake."""

    stakes = True

    multiple: int


class Reveal(Action, frozen=True, tag="reveal"):
    """Lay the hand open."""


class BidBanker(Action, frozen=True, tag="bid_banker"):
    """Ask for the bank."""


class Hit(Action, frozen=True, tag="hit"):
    """Take a card."""


class Stand(Action, frozen=True, tag="stand"):
    """Take no more cards."""


class Split(Action, frozen=True, tag="split"):
    """Make two hands of two aces."""

    stakes = True


class Arrange(Action, frozen=True, tag="arrange"):
    """Lay four cards in two piles, the first not better than the second."""

    low: tuple[Card, ...]
    high: tuple[Card, ...]


class Guess(Action, frozen=True, tag="guess"):
    """Guess ``higher`` or ``lower``."""

    side: str


class Pass(Action, frozen=True, tag="pass"):
    """Decline."""


class Play(Action, frozen=True, tag="play"):
    """Play cards; the other arguments belong to single games and are None where they were not given."""

    cards: tuple[Card, ...]
    call: str | None = None
    sign: str | None = None
    next: int | None = None


class PlayDown(Action, frozen=True, tag="play_down"):
    """Lay a card face down."""

    card: Card


class Bid(Action, frozen=True, tag="bid"):
    """Bid points; in some games with a trump suit."""

    points: int
    trump: str | None = None


class CallLandlord(Action, frozen=True, tag="call_landlord"):
    """Be the first to ask for the landlord's part."""


class Rob(Action, frozen=True, tag="rob"):
    """Rob: the landlord's part (no argument), or the turned card for a discard."""

    discard: Card | None = None


class NameAdjutant(Action, frozen=True, tag="name_adjutant"):
    """Name the card whose holder is the adjutant."""

    card: Card


class Exchange(Action, frozen=True, tag="exchange"):
    """Take the Miss for the own hand."""


class Support(Action, frozen=True, tag="support"):
    """Stay in the double pool."""


class SetNickname(Action, frozen=True, tag="set_nickname"):
    """Choose a nickname, between rounds."""

    between_rounds = True

    name_: str = msgspec.field(name="name")


class CallNickname(Action, frozen=True, tag="call_nickname"):
    """Call another seat; ``flip`` is the flip that is meant, None the current one."""

    target: int
    flip: int | None = None


class Flip(Action, frozen=True, tag="flip"):
    """Turn the own top card."""


class Collect(Action, frozen=True, tag="collect"):
    """Take the matching cards and all between."""


class Slap(Action, frozen=True, tag="slap"):
    """Claim the cards on the table; ``flip`` is the card that is meant, None the one showing."""

    flip: int | None = None


AnyAction = (
    Fold
    | Check
    | Call
    | Bet
    | Raise
    | AllIn
    | BringIn
    | RunTwice
    | RunOnce
    | Straddle
    | Muck
    | Draw
    | Expose
    | PlaceBet
    | Done
    | BetMultiple
    | Reveal
    | BidBanker
    | Hit
    | Stand
    | Split
    | Arrange
    | Guess
    | Pass
    | Play
    | PlayDown
    | Bid
    | CallLandlord
    | Rob
    | NameAdjutant
    | Exchange
    | Support
    | SetNickname
    | CallNickname
    | Flip
    | Collect
    | Slap
)
"""The closed union of all actions, as records and clients name them."""

BY_NAME: Final[dict[str, type[Action]]] = {str(kind.__struct_config__.tag): kind for kind in Action.__subclasses__()}
"""The class of each action by the sheet's word."""


def build(name: str, arguments: dict[str, Any]) -> Action:
    """Make an action from the sheet's word and its arguments (lists may stand for tuples).

    Raises msgspec.ValidationError, which names the argument at fault, and KeyError for an unknown word.
    """
    if name not in BY_NAME:
        raise KeyError(name)
    return msgspec.convert({"is": name, **arguments}, BY_NAME[name])


def arguments(action: Action) -> dict[str, Any]:
    """Return an action's arguments by name, those left out excepted."""
    fields: dict[str, Any] = msgspec.to_builtins(action)
    fields.pop("is", None)
    return fields
