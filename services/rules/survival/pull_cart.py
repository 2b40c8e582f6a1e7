"""Pull the Cart · 拉大車 (survival, pull_cart; seed: home-games.txt, 生存類 ４.拉大車)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, cards, happenings, illegal_actions, keys
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Option
from services.rules.survival import texts
from services.rules.survival.table import SurvivalGame, SurvivalRound, SurvivalRules
from services.rules.survival.turns import Turns
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

ROW: Final = "row"


class PullCartRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: a thousand flips, five seconds each."""

    turn_seconds: int = 5
    max_turns: keys.MaxTurns = 1000


class Flips(Turns["PullCartRound"], frozen=True):
    """Seats turn cards in turn; who turned a match may collect until the next card is turned."""

    def begin(self, round_: "PullCartRound", chance: Chance, log: list[Happening]) -> bool:
        """Begin with the seat left of the button [pull_cart D2]."""
        round_.turn = round_.left_of(round_.dealer)
        return super().begin(round_, chance, log)

    def asked(self, round_: "PullCartRound") -> Sequence[int]:
        """Return the seat on turn and the seat that may collect."""
        seats = {seat for seat in (None if round_.last else round_.turn, round_.right) if seat is not None}
        return sorted(seats)

    def options(self, round_: "PullCartRound", seat: int) -> list[Option]:
        """List collecting for the seat with the right to it, flipping for the seat on turn."""
        found = [Option("collect")] if seat == round_.right else []
        return [*found, Option("flip")] if seat == round_.turn and not round_.last else found

    def verify(self, round_: "PullCartRound", seat: int, action: actions.Action) -> None:
        """Refuse collecting with ``ILLEGAL_ACTION`` to all seats without the right to it, on turn or not."""
        if not isinstance(action, actions.Collect):
            round_.verify_turn(seat, round_.turn)
            self.check(round_, seat, action)
        elif seat != round_.right:
            raise illegal_actions.illegal(
                f"seat {seat} has no match to collect; the next card ends the right", illegal_actions.NO_MATCH
            )

    def check(self, round_: "PullCartRound", seat: int, action: actions.Action) -> None:
        """Refuse all but flipping, and that too after the last permitted card."""
        if not isinstance(action, actions.Flip):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; seat {seat} must flip", illegal_actions.FLIP
            )
        if round_.last:
            most = round_.rules.max_turns
            message = f"all {most} cards of this round have been turned"
            raise illegal_actions.illegal(message, illegal_actions.ALL_TURNED, most=most)

    def do(
        self, round_: "PullCartRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Turn a card, or collect; what follows has a deadline of its own."""
        if isinstance(action, actions.Collect):
            self.collect(round_, seat, log)
        else:
            self.flip(round_, seat, log)
        round_.clock += 1
        return round_.outcome is not None

    def flip(self, round_: "PullCartRound", seat: int, log: list[Happening]) -> None:
        """Turn a card, which ends an open right."""
        self.end_right(round_, log)
        if round_.outcome is not None:
            return
        card = round_.stacks[seat].pop(0)
        round_.turns += 1
        round_.right = seat if any(cards.rank(card) == cards.rank(other) for other in round_.row) else None
        round_.row.append(card)
        log.append(Shown(seat, ROW, (card,)))
        if round_.right is not None:
            log.append(Noted("match", seat))
        self.go_on(round_, round_.left_of(seat), log)

    def end_right(self, round_: "PullCartRound", log: list[Happening]) -> None:
        """End an open right to collect; seats without cards go out, and the round may be over."""
        if round_.right is not None:
            log.append(Noted("right_lapsed", round_.right))
            round_.right = None
            self.count_out(round_, log)

    def count_out(self, round_: "PullCartRound", log: list[Happening]) -> None:
        """Put out seats without cards; the last seat with cards wins, and takes the row too."""
        round_.drop_empty(round_.dealer, log)
        left = round_.seats_in()
        if len(left) == 1:
            round_.stacks[left[0]].extend(round_.row)
            round_.row = []
            round_.finish(left, log)

    def go_on(self, round_: "PullCartRound", seat: int, log: list[Happening]) -> None:
        """Put a seat on turn, unless the round is over; an open right is waited for."""
        if round_.right is None:
            self.count_out(round_, log)
            if round_.outcome is None and round_.last:
                round_.finish(round_.richest(), log)
        if round_.outcome is None:
            round_.turn = seat

    def collect(self, round_: "PullCartRound", seat: int, log: list[Happening]) -> None:
        """Take the nearest earlier card of the rank, the new one and all between, and be on turn again.

        Source: [pull_cart D1].
        """
        rank = cards.rank(round_.row[-1])
        at = max(place for place, card in enumerate(round_.row[:-1]) if cards.rank(card) == rank)
        taken, round_.row = round_.row[at:], round_.row[:at]
        round_.stacks[seat].extend(taken)
        round_.right = None
        log.append(Noted("collected", seat, {"cards": len(taken)}))
        self.go_on(round_, seat, log)

    def on_timeout(self, round_: "PullCartRound", chance: Chance, log: list[Happening]) -> bool:
        """Flip for the seat on turn; after the last permitted card let the right go."""
        if not round_.last:
            seat, action = round_.turn, actions.Flip()
            log.append(happenings.Decided(seat, action))
            return self.do(round_, seat, action, chance, log)
        self.end_right(round_, log)
        if round_.outcome is None:
            round_.finish(round_.richest(), log)
        return True


class PullCartRound(SurvivalRound[PullCartRules], kw_only=True):
    """One round; ``row``: cards on the table, first card first; ``right``: the seat that may collect now."""

    phases = (Flips(),)

    row: list[Card] = msgspec.field(default_factory=list)
    right: int | None = None

    @property
    def last(self) -> bool:
        """Return whether the last permitted card was turned; a right that is open may still be used."""
        return self.turns >= self.rules.max_turns

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the row."""
        return (*super().zones(viewer), Zone(None, ROW, tuple(self.row)))

    def keys(self) -> dict[str, Any]:
        """Return the row as a line, the number of cards turned, and whose turn it is."""
        return {"line": cards.show(self.row), "flips": self.turns, "turn": self.turn}


class PullCart(SurvivalGame[PullCartRules, PullCartRound]):
    """The game."""

    id = "pull_cart"
    name = Text(en="Pull the Cart", zh_hant="拉大車", zh_hans="拉大车")
    summary = Text(
        en=(
            "Every seat stakes the ante; all 52 cards are dealt. From the left of the button each seat in turn "
            "turns its top card to the end of the row. If the row already held the rank, that seat may collect "
            "until the next card is turned: the nearest earlier card of the rank, the new one and all between go "
            "under its stack, and it turns again. A seat without cards is out. The last seat with cards wins the "
            "row and the antes; at the limit of turns the most cards in hand win, equal numbers share. Deadline: "
            "the card is turned for the seat; a lost connection is treated the same way. If a malfunction occurs, "
            "the round is void and all chips are returned."
        ),
        zh_hant=(
            "每人付底注，52 張牌全部發出。由發牌者左手邊開始，輪流將最上方的牌翻開置於桌面牌列末端。若牌列中已有相同點"
            "數，翻牌者可在下一張牌翻開前收牌：最近一張相同點數的牌、新翻的牌及其間所有牌，置於自家牌堆下方，並再翻一張。"
            "無牌者退出。最後唯一持有手牌者贏得牌列與全部底注；達上限時手牌最多者勝，相同則平分。逾時：系統代為翻牌；斷線"
            "亦同。若系統故障，本局作廢，所有籌碼退回。"
        ),
        zh_hans=(
            "每人付底注，52 张牌全部发出。由发牌者左手边开始，轮流将最上方的牌翻开置于桌面牌列末端。若牌列中已有相同点"
            "数，翻牌者可在下一张牌翻开前收牌：最近一张相同点数的牌、新翻的牌及其间所有牌，置于自家牌堆下方，并再翻一张。"
            "无牌者退出。最后唯一持有手牌者赢得牌列与全部底注；达上限时手牌最多者胜，相同则平分。逾时：系统代为翻牌；断线"
            "亦同。若系统故障，本局作废，所有筹码退回。"
        ),
    )
    terms = texts.TERMS + Terms(
        phase="play",
        zone="row stack",
        action="collect flip",
        happening="collected match right_lapsed",
        fact="card_count flips line turn",
    )
    words: ClassVar[dict[str, Text]] = texts.WORDS | {
        "row": Text(en="row", zh_hant="卡牌列", zh_hans="卡牌列"),
        "line": Text(en="row", zh_hant="卡牌列", zh_hans="卡牌列"),
        "collect": Text(en="collect", zh_hant="收牌", zh_hans="收牌"),
        "collected": Text(en="collects", zh_hant="收牌", zh_hans="收牌"),
        "match": Text(en="match", zh_hant="點數相同", zh_hans="点数相同"),
        "right_lapsed": Text(en="loses the right to collect", zh_hant="失去收牌機會", zh_hans="失去收牌机会"),
    }
    rules_type = PullCartRules
    round_type = PullCartRound
    open_cards = True
    fewest, most = 2, 10
    limit = "max_turns"


GAME = PullCart()
