"""What seats put in before the first card: antes, blinds, and posts of seats that missed blinds [poker 0.1, 0.12]."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from services.rules.happenings import Happening, Staked
from services.rules.poker import blind_keys, keys, positions
from services.rules.poker.betting import BLINDS, LEFT, NOBODY, return_unmatched
from services.rules.poker.engine import PokerRound
from services.rules.poker.house_rules import AnteRules, WithBlinds
from services.rules.poker.positions import HEADS_UP, Blinds, Memory, Owed


class BlindRound(PokerRound, kw_only=True):
    """A hand with blinds [poker 0.1].

    ``before``: what the last round left; ``owed``: what positions must post beside the blinds; ``placed``: the seats of
    the blinds, where they do not follow from the button; ``straddler``: the position that straddles.
    """

    rules: WithBlinds
    owed: dict[int, Owed] = msgspec.field(default_factory=dict)
    before: Memory = Memory()
    placed: Blinds | None = None
    straddler: int = NOBODY

    def small_blind_position(self) -> int:
        """Return the position of the small blind, or NOBODY.

        It is left of the button; of two seats by the house rules [poker D7].
        """
        if self.placed is not None:
            return self.order.index(self.placed.small) if self.placed.small in self.order else NOBODY
        two = len(self.order) == HEADS_UP
        return 1 if two and self.rules.button_is_small else 0

    def big_blind_position(self) -> int:
        """Return the position of the big blind: left of the small blind."""
        if self.placed is not None:
            return self.order.index(self.placed.big)
        return 0 if len(self.order) == HEADS_UP and self.rules.button_is_small else 1

    def blinds(self) -> tuple[tuple[int, str, int], ...]:
        """List the blinds in the order in which they are posted: position, name, chips."""
        small = self.small_blind_position()
        big = (self.big_blind_position(), "big_blind", self.rules.minimum)
        return (big,) if small == NOBODY else ((small, "small_blind", self.rules.small), big)

    def recall(self, memory: Mapping[str, Any], blinds: Blinds | None) -> None:
        """Take over what seats owe, and where the blinds are."""
        self.placed = blinds
        if not memory:
            return
        self.before = positions.read(memory)
        owed = self.before.owed
        self.owed = {self.order.index(seat): due for seat, due in sorted(owed.items()) if seat in self.order}
        if len(self.order) > HEADS_UP and self.before.played is not None:
            self.owed |= self._missed()

    def remember(self) -> dict[str, Any]:
        """Leave what the next round needs to know of this one, as far as the house rules ask for it."""
        rules, before = self.rules, self.before
        if not rules.remembers:
            return {}
        asks = not rules.on_return == rules.on_entry == keys.NOTHING
        small, big = self._places()
        known = {*before.away, *(before.played or [])}
        away = sorted(known - set(self.order))
        passed = [seat for seat in away if seat in before.passed or positions.passes(before, seat, small)]
        posts, waits = rules.on_return == keys.POST, blind_keys.WAIT in {rules.on_return, rules.on_entry}
        return positions.write(
            Memory(
                played=sorted(self.order) if asks else None,
                small=small if posts or rules.button_is_dead else None,
                big=big if waits or rules.button_is_dead else None,
                away=away if asks else [],
                passed=passed if posts else [],
                straddles=before.straddles if rules.may_straddle else [],
            )
        )

    def _places(self) -> tuple[int, int]:
        """Return the seats of the blinds; that of the small one also where nobody is dealt in there."""
        big = self.order[self.big_blind_position()]
        if self.placed is not None and self.placed.small is not None:
            return self.placed.small, big
        return self.order[self.small_blind_position()], big

    def _missed(self) -> dict[int, Owed]:
        """Return the posts for missed blinds: with any blind of the seat a big one, and what it missed of the small."""
        blinds = {position: chips for position, _, chips in self.blinds()}
        posts = {}
        for position, seat in enumerate(self.order):
            if positions.duty(self.rules, self.before, seat) == keys.POST:
                dead = self.rules.small if seat in self.before.passed and position not in blinds else 0
                posts[position] = Owed(live=self.rules.minimum - blinds.get(position, 0), dead=dead)
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
        if self.owed:
            self._post_owed(log)
        if self.before.straddles:
            self._post_straddle(log)

    def opener(self, how: str) -> int:
        """Start left of the big blind or the straddle in the first betting round, then left of the button."""
        if how == LEFT:
            return 0
        assert how == BLINDS, f"{how} is not an opener of this game"
        return (self.big_blind_position() if self.straddler == NOBODY else self.straddler) + 1

    def _post_owed(self, log: list[Happening]) -> None:
        for position, due in self.owed.items():
            self._post_dead(position, "dead_blind", due.dead, log)
            self._post_live(position, "post", due.live, log)
            self.to_call = max(self.to_call, self.totals[position])

    def _post_straddle(self, log: list[Happening]) -> None:
        """Bring the bet of the seat under the gun to twice the big blind, if it straddles [poker 0.15]."""
        if not self.rules.may_straddle or len(self.order) <= HEADS_UP:
            return
        position, total = (self.big_blind_position() + 1) % len(self.order), 2 * self.rules.minimum
        if self.order[position] in self.before.straddles and self.totals[position] + self.stacks[position] >= total:
            self._post_live(position, "straddle", total - self.totals[position], log)
            self.straddler, self.to_call = position, total

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


class FirstBlindRound(BlindRound, kw_only=True):
    """A hand by version 1 of the games with blinds: it remembers only who was dealt in [poker D20]."""

    def remember(self) -> dict[str, Any]:
        """Leave who was dealt in to the next round, where missed blinds are posted."""
        return {"played": sorted(self.order)} if self.rules.on_return == keys.POST else {}


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
