"""Counting Off · 報數 (survival, count_off; seed: home-games.txt, 生存類 ７.報數)."""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, cards, happenings
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted, Shown
from services.rules.survival import texts
from services.rules.survival.table import SurvivalGame, SurvivalRound
from services.rules.survival.windows import WindowRules, Windows, next_flip
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

NUMBERS: Final = {rank: number for number, rank in enumerate("A23456789TJQK", start=1)}
"""A card's number, as it is counted."""
LAST_NUMBER: Final = 13
TABLE: Final = "table"


class CountOffRules(WindowRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: a thousand cards, windows of three seconds."""

    max_flips: int = 1000
    claim_seconds: int = 3


class Slaps(Windows["CountOffRound"], frozen=True, kw_only=True):
    """The server turns one card after the other and counts; all may slap."""

    claim: type[actions.Slap | actions.CallNickname] = actions.Slap

    def begin(self, round_: "CountOffRound", chance: Chance, log: list[Happening]) -> bool:
        """Turn the button's first card with the count 1."""
        log.append(happenings.Phase(self.name))
        self.turn_card(round_, round_.dealer, 1, log)
        return True

    def turn_card(self, round_: "CountOffRound", seat: int, count: int, log: list[Happening]) -> None:
        """Turn the top card of a seat onto the table."""
        next_flip(round_)
        card = round_.stacks[seat].pop(0)
        round_.table.append(card)
        round_.last, round_.count = seat, count
        log += [Shown(seat, TABLE, (card,)), Noted("count", seat, {"count": count, "flip": round_.flips})]

    def do(
        self, round_: "CountOffRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Work off a slap: right, the table's cards go under the slapper's stack; wrong, it costs a card."""
        round_.claimed.append(seat)
        if NUMBERS[cards.rank(round_.table[-1])] == round_.count:
            taken, round_.table = round_.table, []
            round_.stacks[seat].extend(taken)
            log.append(Noted("right_slap", seat, {"cards": len(taken), "flip": round_.flips}))
            self.go_on(round_, seat, 1, log)
            round_.clock += 1
            return round_.outcome is not None
        payee = round_.left_of(seat) if seat == round_.last else round_.last
        paid = bool(round_.stacks[seat])
        if paid:
            round_.stacks[payee].append(round_.stacks[seat].pop(0))
        log.append(Noted("wrong_slap", seat, {"to": payee, "cards": int(paid), "flip": round_.flips}))
        return False

    def close(self, round_: "CountOffRound", log: list[Happening]) -> None:
        """Close a match that nobody slapped; the next seat in turns the next card with the next count."""
        self.go_on(round_, None, round_.count % LAST_NUMBER + 1, log)

    def go_on(self, round_: "CountOffRound", seat: int | None, count: int, log: list[Happening]) -> None:
        """Put out seats without cards, then end the round or turn a card of a seat, or (None) of the next one."""
        round_.drop_empty(round_.dealer, log)
        if not round_.finish_if_over(log, spent=round_.flips, limit=round_.rules.max_flips):
            self.turn_card(round_, round_.left_of(round_.last) if seat is None else seat, count, log)


class CountOffRound(SurvivalRound[CountOffRules], kw_only=True):
    """One round; ``table`` lists the cards on it as they were turned, ``last`` turned the one that shows."""

    phases = (Slaps(),)

    table: list[Card] = msgspec.field(default_factory=list)
    count: int = 0
    last: int = 0

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the cards on the table."""
        return (*super().zones(viewer), Zone(None, TABLE, tuple(self.table)))

    def keys(self) -> dict[str, Any]:
        """Return the flip, the number of cards on the table, the count and the seat that turned the last card."""
        return {"flips": self.flips, "table": len(self.table), "count": self.count, "last": self.last}


class CountOff(SurvivalGame[CountOffRules, CountOffRound]):
    """The game."""

    id = "count_off"
    name = Text(en="Counting Off", zh_hant="報數", zh_hans="报数")
    summary = Text(
        en=(
            "Every seat stakes the ante; all 52 cards are dealt. From the button on the server turns one card "
            "after the other onto the table and counts 1 to 13, again and again. When a card's number (A 1, J 11, "
            "Q 12, K 13) is the count, the first slap takes all cards on the table under its stack and its next "
            "card is turned with count 1. A wrong slap costs the top card, which goes to the seat that turned. One "
            "slap a card. A seat without cards when the window closes is out. The last seat left takes the antes; "
            "at the limit of cards the most cards in hand win, equal numbers share. Deadline: the next card is "
            "turned; a lost connection only means no slap. If a malfunction occurs, the round is void and all "
            "chips are returned."
        ),
        zh_hant=(
            "每人付底注，52 張牌全部發出。從發牌者開始，系統依序翻牌至桌上並報數 1 至 13，周而復始。當牌的點數（A 為 1"
            "、J 11、Q 12、K 13）與所報數字一致時，最先放手者將桌上所有牌收回，置於自家手牌堆下方，並由其下一張牌從 1 "
            "開始。誤放手者付出最上面一張牌給出牌玩家。每張牌每人限放手一次。放手時間結束時無牌者退出。最後留下者贏得全"
            "部底注；達翻牌上限時手牌最多者勝，相同則平分。逾時：翻開下一張牌；斷線視同未放手。若系統故障，本局作廢，所"
            "有籌碼退回。"
        ),
        zh_hans=(
            "每人付底注，52 张牌全部发出。从发牌者开始，系统依序翻牌至桌上并报数 1 至 13，周而复始。当牌的点数（A 为 1"
            "、J 11、Q 12、K 13）与所报数字一致时，最先放手者将桌上所有牌收回，置于自家手牌堆下方，并由其下一张牌从 1 "
            "开始。误放手者付出最上面一张牌给出牌玩家。每张牌每人限放手一次。放手时间结束时无牌者退出。最后留下者赢得全"
            "部底注；达翻牌上限时手牌最多者胜，相同则平分。逾时：翻开下一张牌；断线视同未放手。若系统故障，本局作废，所"
            "有筹码退回。"
        ),
    )
    terms = texts.TERMS + Terms(
        phase="window",
        zone="stack table",
        action="slap",
        argument="flip",
        happening="count right_slap wrong_slap",
        fact="card_count count flip flips last other_seat table",
    )
    words: ClassVar[dict[str, Text]] = texts.WORDS | {
        "table": Text(en="cards on the table", zh_hant="桌上的牌", zh_hans="桌上的牌"),
        "slap": Text(en="slap", zh_hant="放手", zh_hans="放手"),
        "right_slap": Text(en="slaps correctly", zh_hant="搶到", zh_hans="抢到"),
        "wrong_slap": Text(en="slaps wrongly", zh_hant="誤放手", zh_hans="误放手"),
        "last": Text(en="turned the last card", zh_hant="出牌玩家", zh_hans="出牌玩家"),
    }
    rules_type = CountOffRules
    round_type = CountOffRound
    open_cards = True
    fewest, most = 2, 10
    limit = "max_flips"


GAME = CountOff()
