"""Nicknames · 綽號 (survival, nickname; seed: home-games.txt, 生存類 ２.綽號)."""

from typing import Any, Final

import msgspec

from services.rules import actions, cards, chips, game, illegal_actions
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import OneOf, Option
from services.rules.refusals import Reason, Refused
from services.rules.survival import nickname_rules, texts, windows
from services.rules.survival.engine import SurvivalRules
from services.rules.survival.windows import WindowGame, WindowRound, WindowRules
from services.rules.views import Zone

PILE: Final = "pile"


class NicknameRules(WindowRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: a hundred flips, windows of five seconds."""

    min_seats: int = 3
    max_seats: int = 6


class NicknameRound(WindowRound, kw_only=True):
    """One round; a pile lists the face-up cards in the order in which they were turned, the last one shows."""

    claim = actions.CallNickname
    rules: NicknameRules
    piles: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    nicknames: dict[int, str] = msgspec.field(default_factory=dict)

    def open(self, stock: Stock, table: Table, chance: Chance) -> list[Happening]:
        """Take over the nicknames and turn the first cards."""
        named = nickname_rules.nicknames(table)
        self.nicknames = {seat: named[seat] for seat in self.carry}
        self.piles = {seat: [] for seat in self.carry}
        return windows.opened() + self._flip()

    def _flip(self) -> list[Happening]:
        """Turn the top card of every seat that is in; a seat without one turns its pile over first."""
        self.open_window()
        happenings: list[Happening] = [Noted("flip", None, {"flip": self.flips})]
        for seat in chips.to_the_left(self.seats_in(), self.dealer):
            if not self.stacks[seat]:
                self._turn_over(seat, left=0)
                happenings.append(Noted("turned_over", seat))
            card = self.stacks[seat].pop(0)
            self.piles[seat].append(card)
            happenings.append(Shown(seat, PILE, (card,)))
        return happenings

    def _turn_over(self, seat: int, left: int) -> None:
        """Turn a pile over, all but the last ``left`` cards; it keeps the order in which they were turned."""
        pile = self.piles[seat]
        keep = len(pile) - left
        self.stacks[seat], self.piles[seat] = pile[:keep], pile[keep:]

    # -- questions

    def may_claim(self, seat: int) -> bool:
        """Return whether the seat may still call: its pile was not taken, and somebody is left to be called."""
        return super().may_claim(seat) and bool(self.piles[seat]) and bool(self._targets(seat))

    def _targets(self, seat: int) -> tuple[int, ...]:
        return tuple(other for other in self.seats_in() if other != seat and self.piles[other])

    def options(self, seat: int) -> list[Option]:
        """List the seats that can be called."""
        if self.outcome is not None or seat not in self.carry or not self.may_claim(seat):
            return []
        return self.claims({"target": OneOf(self._targets(seat))})

    def check(self, seat: int, action: actions.Action) -> None:
        """Refuse besides whose pile was taken, and calls of such a seat, of oneself or of nobody."""
        super().check(seat, action)
        assert isinstance(action, actions.CallNickname), "an unverified action"
        if not self.piles[seat]:
            raise illegal_actions.illegal(
                f"the pile of seat {seat} was taken; wait for the next flip", illegal_actions.PILE_TAKEN
            )
        targets = self._targets(seat)
        if action.target not in targets:
            message = f"seat {action.target} cannot be called; call one of {list(targets)}"
            seats = ", ".join(map(str, targets))
            raise illegal_actions.illegal(message, illegal_actions.CALL_SEATS, seats=seats)

    def holdings(self) -> dict[int, int]:
        """Count the cards of each seat, face down and face up together."""
        return {seat: len(held) + len(self.piles[seat]) for seat, held in self.stacks.items()}

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the face-up piles."""
        return (*super().zones(viewer), *(Zone(seat, PILE, tuple(pile)) for seat, pile in self.piles.items()))

    def keys(self) -> dict[str, Any]:
        """Return the number of the flip, the showing cards, and the names that are called."""
        tops = {seat: self.piles[seat][-1] for seat in self.seats_in() if self.piles[seat]}
        return {**super().keys(), "tops": tops, "nicknames": dict(self.nicknames)}

    # -- moves

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Work off a call: right, the called seat's pile goes under the caller's stack; wrong, it costs a card."""
        assert isinstance(action, actions.CallNickname), "an unverified action"
        self.claimed.append(seat)
        called = action.target
        facts = {"target": called, "flip": self.flips}
        if cards.rank(self.piles[seat][-1]) == cards.rank(self.piles[called][-1]):
            pile = self.piles[called]
            self.stacks[seat].extend(pile)
            self.piles[called] = []
            return [Noted("right_call", seat, {**facts, "cards": len(pile)})]
        if not self.stacks[seat]:
            self._turn_over(seat, left=1)
        paid = bool(self.stacks[seat])
        if paid:
            self.stacks[called].append(self.stacks[seat].pop(0))
        return [Noted("wrong_call", seat, {**facts, "cards": int(paid)})]

    def close(self) -> list[Happening]:
        """Put out seats without any card, then end the round or flip again."""
        happenings = self.drop_empty(self.dealer)
        happenings += self.finish_if_over(spent=self.flips, limit=self.rules.max_flips)
        return happenings if self.outcome is not None else happenings + self._flip()


class Nickname(WindowGame):
    """The game; nicknames are chosen between rounds and kept in the table's memory."""

    id = "nickname"
    name = texts.NICKNAME
    summary = texts.NICKNAME_SUMMARY
    terms = texts.NICKNAME_TERMS
    rules_type: type[SurvivalRules] = NicknameRules
    round_type = NicknameRound
    open_cards = True
    fewest, most = 3, 6
    wins = texts.MOST_CARDS

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Forget the nickname of a player who left."""
        return nickname_rules.left(memory, seat)

    def between(self, rules: game.HouseRules, table: Table, seat: int, action: actions.Action) -> dict[str, Any]:
        """Take a nickname, between rounds. Raises Refused for a name that is taken or not allowed."""
        if seat not in table.chips:
            message = f"seat {seat} is not taken; take a seat before you choose a nickname"
            raise Refused(Reason.NOT_SEATED, message, metadata={"seat": seat})
        if not isinstance(action, actions.SetNickname):
            return super().between(rules, table, seat, action)
        return nickname_rules.chosen(table, seat, action.name_)


GAME = Nickname()
