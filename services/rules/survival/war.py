"""War · 戰爭 (survival, war; seed: home-games.txt, 生存類 ６.戰爭)."""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, cards, chips, happenings, illegal_actions, keys
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Option
from services.rules.survival import keys as survival_keys
from services.rules.survival import texts
from services.rules.survival.table import SurvivalGame, SurvivalRound, SurvivalRules
from services.rules.survival.turns import Turns
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

SEATS: Final = 4
BATTLE: Final = "battle"
MOST_BATTLES: Final = 2000
"""A round is played within one move when the server turns the cards, so its length is bounded more tightly."""


class WarRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: with ``auto_flip`` the server turns all cards and nobody has a decision."""

    min_seats: int = SEATS
    max_seats: int = SEATS
    turn_seconds: int = 5
    auto_flip: survival_keys.AutoFlip = True
    max_turns: keys.MaxTurns = 500


class Turned(msgspec.Struct, frozen=True, array_like=True):
    """A card that a seat turned in this battle."""

    seat: int
    card: Card


class Battles(Turns["WarRound"], frozen=True):
    """Battles are fought until the round has ended; with ``auto_flip`` all at once."""

    def begin(self, round_: "WarRound", chance: Chance, log: list[Happening]) -> bool:
        """Begin with the button [war D5]."""
        log.append(happenings.Phase(self.name))
        self.muster(round_, round_.dealer)
        while round_.rules.auto_flip and round_.outcome is None:
            round_.turn_card()
            self.judge(round_, log)
        return round_.outcome is None

    def muster(self, round_: "WarRound", first: int) -> None:
        """Begin a battle: ``first`` turns, then the other seats in, clockwise."""
        round_.turned = []
        others = (seat for seat in chips.to_the_left(round_.seats_in(), first) if seat != first)
        round_.call_up([first, *others])

    def judge(self, round_: "WarRound", log: list[Happening]) -> None:
        """Once all have turned, find the winner, or let the tied seats that have cards turn one more each."""
        if round_.queue:
            round_.turn = round_.queue[0]
            return
        fighting = round_.turned[-round_.compared :]
        best = max(cards.RANKS.index(cards.rank(one.card)) for one in fighting)
        tied = [one.seat for one in fighting if cards.RANKS.index(cards.rank(one.card)) == best]
        able = [seat for seat in tied if round_.stacks[seat]]
        if len(tied) > 1 and len(able) > 1:
            round_.call_up(able)
            return
        # One tied seat with cards wins without turning; where none has any, the first that turned [war D2].
        self.won(round_, able[0] if len(tied) > 1 and able else tied[0], log)

    def won(self, round_: "WarRound", winner: int, log: list[Happening]) -> None:
        """Put all cards of the battle under the winner's stack, in the order in which they were turned [war D3]."""
        round_.stacks[winner].extend(one.card for one in round_.turned)
        round_.turns += 1
        turned = [(one.seat, one.card) for one in round_.turned]
        log.append(Noted("battle_won", winner, {"battle": round_.turns, "turned": turned}))
        round_.drop_empty(winner, log)
        round_.turned = []
        if not round_.finish_if_over(log, spent=round_.turns, limit=round_.rules.max_turns):
            self.muster(round_, winner)

    def offered(self, round_: "WarRound", seat: int) -> list[Option]:
        """List the flip."""
        return [Option("flip")]

    def check(self, round_: "WarRound", seat: int, action: actions.Action) -> None:
        """Refuse all but flipping."""
        if not isinstance(action, actions.Flip):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; seat {seat} must flip", illegal_actions.FLIP
            )

    def do(self, round_: "WarRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Turn a card; the next one has a deadline of its own."""
        turned = round_.turn_card()
        assert turned.seat == seat, f"seat {turned.seat} is on turn, not {seat}"
        log.append(Shown(seat, BATTLE, (turned.card,)))
        self.judge(round_, log)
        round_.clock += 1
        return round_.outcome is not None

    def forced(self, round_: "WarRound", seat: int) -> actions.AnyAction:
        """Flip."""
        return actions.Flip()


class WarRound(SurvivalRound[WarRules], kw_only=True):
    """One round; ``turned`` are the cards of this battle in their order, the last ``compared`` of them are compared.

    ``queue`` lists the seats that still turn a card before the next comparison.
    """

    phases = (Battles(),)

    turned: list[Turned] = msgspec.field(default_factory=list)
    queue: list[int] = msgspec.field(default_factory=list)
    compared: int = 0

    def call_up(self, seats: list[int]) -> None:
        """Let these seats turn a card each."""
        self.queue, self.compared, self.turn = seats, 0, seats[0]

    def turn_card(self) -> Turned:
        """Turn the top card of the seat on turn."""
        seat = self.queue.pop(0)
        turned = Turned(seat, self.stacks[seat].pop(0))
        self.turned.append(turned)
        self.compared += 1
        return turned

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the cards of the battle, by the seat that turned them."""
        in_front = {seat: tuple(one.card for one in self.turned if one.seat == seat) for seat in self.carry}
        return (*super().zones(viewer), *(Zone(seat, BATTLE, shown) for seat, shown in in_front.items()))

    def keys(self) -> dict[str, Any]:
        """Return the number of battles fought, and whose turn it is."""
        return {"battles": self.turns, "turn": self.turn}


class War(SurvivalGame[WarRules, WarRound]):
    """The game."""

    id = "war"
    name = Text(en="War", zh_hant="戰爭", zh_hans="战争")
    summary = Text(
        en=(
            "Four seats stake the ante and hold 13 cards each. In every battle the button (later the last winner) "
            "turns its top card, then the others clockwise; the highest rank (ace high) takes all of them under "
            "its stack. Those tied for the highest turn one more each, until one is highest. A seat without cards "
            "is out. The last seat with cards takes the antes; at the limit of battles the most cards win, equal "
            "numbers share. The server turns the cards unless the house lets the seats do it; then at the "
            "deadline, or when the connection is lost, the card is turned for the seat. If a malfunction occurs, "
            "the round is void and all chips are returned."
        ),
        zh_hant=(
            "四人付底注，每人 13 張牌。每輪由發牌者（其後為上輪贏家）先翻開最上方的牌，其他玩家依順時針翻牌；牌面最大者"
            "（A 最大）將所有翻開的牌置於手牌堆最下方。最大點數平手者各再翻一張，直到分出勝負。無牌者退出。最後唯一持有"
            "手牌者贏得全部底注；達輪數上限時持牌最多者勝，相同則平分。除房規另訂外由系統翻牌；若由玩家翻牌，逾時或斷線"
            "時系統代為翻牌。若系統故障，本局作廢，所有籌碼退回。"
        ),
        zh_hans=(
            "四人付底注，每人 13 张牌。每轮由发牌者（其后为上轮赢家）先翻开最上方的牌，其他玩家依顺时针翻牌；牌面最大者"
            "（A 最大）将所有翻开的牌置于手牌堆最下方。最大点数平手者各再翻一张，直到分出胜负。无牌者退出。最后唯一持有"
            "手牌者赢得全部底注；达轮数上限时持牌最多者胜，相同则平分。除房规另订外由系统翻牌；若由玩家翻牌，逾时或断线"
            "时系统代为翻牌。若系统故障，本局作废，所有筹码退回。"
        ),
    )
    terms = texts.TERMS + Terms(
        phase="play",
        zone="battle stack",
        action="flip",
        happening="battle_won",
        fact="battle battles seat card turn turned",
    )
    words: ClassVar[dict[str, Text]] = texts.WORDS | {
        "battle": Text(en="battle", zh_hant="較量", zh_hans="较量"),
        "battles": Text(en="battles", zh_hant="輪數", zh_hans="轮数"),
        "battle_won": Text(en="wins the battle", zh_hant="贏得此輪", zh_hans="赢得此轮"),
        "turned": Text(en="cards turned", zh_hant="翻出的牌", zh_hans="翻出的牌"),
    }
    rules_type = WarRules
    round_type = WarRound
    open_cards = True
    fewest = most = SEATS
    limit = "max_turns"
    most_turns = MOST_BATTLES


GAME = War()
