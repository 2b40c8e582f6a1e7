"""Predetermined chance, for case files and recorded hands.

Only a house started with scripted decks accepts it, only at test tables, and the log records it permanently.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from services.fairness.chance import Used
from services.rules.cards import Card

T = TypeVar("T")


class Script(msgspec.Struct, kw_only=True, frozen=True):
    """The results of the next uses of chance, in order.

    ``stocks``: for each shuffle the cards on top; the pack's other cards follow in the pack's order. ``picks``: for
    each kind of pick (``seat``, ``card``) the values. ``dice``: each throw. Beyond the script, the first option is
    picked and every die shows 1.
    """

    stocks: tuple[tuple[Card, ...], ...] = ()
    picks: dict[str, tuple[int | str, ...]] = {}
    dice: tuple[tuple[int, ...], ...] = ()


class ScriptError(ValueError):
    """A script is impossible: its card is not in the pack, or its pick is not one of the options."""


class ScriptedChance:
    """Chance from a script; ``used`` counts shuffles, picks by kind and throws, so that it can be resumed.

    ``seed`` decides no draw; only the nonces of the commitments to the orders come from it.
    """

    def __init__(
        self,
        script: Script,
        shuffles: int = 0,
        picks: Mapping[str, int] | None = None,
        throws: int = 0,
        seed: bytes = bytes(32),
    ) -> None:
        self.script = script
        self.seed = seed
        self.made: list[tuple[int, list[Card]]] = []
        self.packs: dict[int, list[Card]] = {}
        self.shuffles = shuffles
        self.picks = dict(picks or {})
        self.throws = throws

    @classmethod
    def resume(cls, script: Script, seed: bytes, used: Used) -> "ScriptedChance":
        """Resume a round's chance from its counts."""
        return cls(script, used.shuffles, used.picks, used.throws, seed)

    @property
    def used(self) -> Used:
        """The counts so far."""
        return Used(self.shuffles, dict(self.picks), self.throws)

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the scripted cards first, then the rest of the pack in its own order. Raises ScriptError."""
        stocks = self.script.stocks
        top = list(stocks[self.shuffles]) if self.shuffles < len(stocks) else []
        self.shuffles += 1
        rest = list(pack)
        for card in top:
            if card not in rest:
                raise ScriptError(f"the script deals {card} more often than the pack holds it")
            rest.remove(card)
        order = top + rest
        self.made.append((self.shuffles - 1, list(order)))
        self.packs[self.shuffles - 1] = list(pack)
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return the scripted option, or the first where the script names none. Raises ScriptError."""
        values = self.script.picks.get(what, ())
        place = self.picks.get(what, 0)
        self.picks[what] = place + 1
        if place >= len(values):
            return options[0]
        for option in options:
            if option == values[place]:
                return option
        raise ScriptError(f"the script picks {values[place]!r}, which is not one of {list(options)!r}")

    def dice(self, count: int) -> tuple[int, ...]:
        """Return the scripted throw, or all ones where the script names none."""
        throws = self.script.dice
        place = self.throws
        self.throws += 1
        return throws[place] if place < len(throws) else (1,) * count
