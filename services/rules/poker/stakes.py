"""What seats put in before the first card: antes, blinds, and posts of seats that missed blinds [poker 0.1, 0.12]."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import msgspec

from services.rules.happenings import Happening, Staked
from services.rules.poker.betting import BLINDS, return_unmatched
from services.rules.poker.engine import PokerRound
from services.rules.poker.house_rules import AnteRules, WithBlinds

OWED: Final = "owed"
PLAYED: Final = "played"
"""The keys of a table's memory under which it holds what seats owe, and the seats of the last round."""
HEADS_UP: Final = 2


class Owed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat must post beside the blinds: ``live`` chips count as its bet, ``dead`` ones go into the main pot."""

    live: int = 0
    dead: int = 0


class BlindRound(PokerRound, kw_only=True):
    """A hand with blinds [poker 0.1]; ``owed``: what positions must post beside them."""

    rules: WithBlinds
    owed: dict[int, Owed] = msgspec.field(default_factory=dict)

    def small_blind_position(self) -> int:
        """Return the position of the small blind: left of the button, of two seats by the house rules [poker D7]."""
        two = len(self.order) == 2
        return 1 if two and self.rules.button_is_small else 0

    def big_blind_position(self) -> int:
        """Return the position of the big blind: left of the small blind."""
        return (self.small_blind_position() + 1) % len(self.order)

    def blinds(self) -> tuple[tuple[int, str, int], ...]:
        """List the blinds in the order in which they are posted: position, name, chips."""
        return (
            (self.small_blind_position(), "small_blind", self.rules.small),
            (self.big_blind_position(), "big_blind", self.rules.minimum),
        )

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Take over what seats owe."""
        owed = msgspec.convert(memory.get(OWED, {}), dict[int, Owed], strict=False)
        self.owed = {self.order.index(seat): due for seat, due in sorted(owed.items()) if seat in self.order}
        if self.rules.newcomers_post and PLAYED in memory and len(self.order) > HEADS_UP:
            self.owed |= self._posts_of_newcomers(memory[PLAYED])

    def remember(self) -> dict[str, Any]:
        """Leave who was dealt in to the next round, where newcomers post."""
        return {PLAYED: sorted(self.order)} if self.rules.newcomers_post else {}

    def _posts_of_newcomers(self, played: Collection[int]) -> dict[int, Owed]:
        """Return the posts of seats that the last round was played without: with any blind of theirs a big blind."""
        small = {position: chips for position, _, chips in self.blinds()}
        posts = {
            position: Owed(live=self.rules.minimum - small.get(position, 0))
            for position, seat in enumerate(self.order)
            if seat not in played
        }
        return {position: post for position, post in posts.items() if post.live > 0}

    def post(self, log: list[Happening]) -> None:
        """Post antes, blinds, and what is owed; a short stack posts all-in. The full big blind is to be called."""
        rules = self.rules
        if rules.blind_ante:
            self._post_antes(log)
        for position, what, blind in self.blinds():
            self._post_live(position, what, blind, log)
        self.to_call = rules.minimum
        self.raises = 1
        for position, due in self.owed.items():
            self._post_dead(position, "dead_blind", due.dead, log)
            self._post_live(position, "post", due.live, log)
            self.to_call = max(self.to_call, self.totals[position])

    def opener(self, how: str) -> int:
        """Start left of the big blind in the first betting round, then left of the button."""
        return self.big_blind_position() + 1 if how == BLINDS else super().opener(how)

    def _post_antes(self, log: list[Happening]) -> None:
        rules = self.rules
        if rules.antes_are_live:
            post_antes(self, rules.blind_ante, log)
            return
        who = [self.big_blind_position()] if rules.big_blind_antes else range(len(self.order))
        self.dead = _put_in_antes(self, who, rules.blind_ante, log)

    def _post_live(self, position: int, what: str, nominal: int, log: list[Happening]) -> None:
        self.totals[position] += _put_in(self, position, what, nominal, log)

    def _post_dead(self, position: int, what: str, nominal: int, log: list[Happening]) -> None:
        if amount := _put_in(self, position, what, nominal, log):
            self.dead = self.dead or [0] * len(self.order)
            self.dead[position] += amount


class AnteRound(PokerRound, kw_only=True):
    """A hand with antes [poker 0.1]; antes are not part of a betting round's totals."""

    rules: AnteRules

    def post(self, log: list[Happening]) -> None:
        """Post every ante; a short stack posts all-in. What no other seat matched is returned at once [poker 0.1]."""
        post_antes(self, self.rules.ante, log)

    def may_open_with_check(self) -> bool:
        """By the house rule ``open_check``."""
        return self.rules.open_check


def post_antes(hand: PokerRound, ante: int, log: list[Happening]) -> None:
    """Post every ante; a short stack posts all-in. What no other seat matched is returned at once [poker 0.1]."""
    return_unmatched(hand, _put_in_antes(hand, range(len(hand.order)), ante, log), log)


def _put_in_antes(hand: PokerRound, positions: Iterable[int], ante: int, log: list[Happening]) -> list[int]:
    """Post the antes of some positions, all-in where a stack is short; return what each position posted."""
    antes = [0] * len(hand.order)
    for position in positions:
        antes[position] = _put_in(hand, position, "ante", ante, log)
    return antes


def _put_in(hand: PokerRound, position: int, what: str, nominal: int, log: list[Happening]) -> int:
    """Put in chips of a position, all-in where its stack is short; return how many. None put in are not logged."""
    amount = min(nominal, hand.stacks[position])
    if amount:
        hand.put_in(position, amount)
        log.append(Staked(hand.order[position], what, amount))
    return amount
