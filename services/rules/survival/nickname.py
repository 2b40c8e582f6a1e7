"""Nicknames · 綽號 (survival, nickname; seed: home-games.txt, 生存類 ２.綽號).

The table's memory keeps a nickname with the player who chose it, so that who takes the seat later does not inherit it.
A nickname has 1 to 20 characters and is unique; it is the player's name until another is chosen [nickname Play 1].
"""

import unicodedata
from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, cards, chips, happenings, illegal_actions, personal
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Choice, OneOf
from services.rules.refusals import Reason, Refused
from services.rules.survival import texts
from services.rules.survival.table import SurvivalGame, SurvivalRound
from services.rules.survival.windows import WindowRules, Windows, next_flip
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

PILE: Final = "pile"
MEMORY: Final = "nicknames"
MOST_CHARACTERS: Final = 20


def nicknames(table: Table) -> dict[int, str]:
    """Return the nickname of every taken seat; a player's name that somebody chose before gets the seat's number."""
    named = _chosen(table)
    taken = {_sound(name) for name in named.values()}
    for seat in table.chips:
        if seat not in named:
            name = table.names.get(seat, f"seat {seat}")
            named[seat] = f"{name} ({seat})" if _sound(name) in taken else name
            taken.add(_sound(named[seat]))
    return named


def chosen_by(table: Table, seat: int, name: str) -> dict[str, Any]:
    """Return the memory after a seat chose a nickname. Raises Refused (``ILLEGAL_ACTION``).

    A sealed nickname was checked before it was sealed; here it is only stored.
    """
    if not personal.is_sealed(name):
        _refuse(table, seat, name)
    kept = dict(table.memory.get(MEMORY, {}))
    kept[str(seat)] = {"player": table.names.get(seat, ""), "name": name}
    return {**table.memory, MEMORY: kept}


def _refuse(table: Table, seat: int, name: str) -> None:
    if not 1 <= len(name) <= MOST_CHARACTERS:
        message = f"a nickname has 1 to {MOST_CHARACTERS} characters; {name[:MOST_CHARACTERS]!r} has {len(name)}"
        raise illegal_actions.illegal(message, illegal_actions.NICKNAME_LENGTH, most=MOST_CHARACTERS)
    if not name.isprintable() or name != name.strip():
        message = f"{name!r} is not allowed; write letters that can be seen, without a space at either end"
        raise illegal_actions.illegal(message, illegal_actions.NICKNAME_LETTERS)
    others = (other for at, other in nicknames(table).items() if at != seat)
    if _sound(name) in map(_sound, others):
        message = f"{name!r} is taken at this table; choose another nickname"
        raise illegal_actions.illegal(message, illegal_actions.NICKNAME_TAKEN)


def forgotten(memory: dict[str, Any], seat: int) -> dict[str, Any]:
    """Forget the nickname of a player who left, so that a namesake who takes the seat does not inherit it."""
    kept = {at: chosen for at, chosen in memory.get(MEMORY, {}).items() if at != str(seat)}
    return {**memory, MEMORY: kept} if MEMORY in memory else memory


def _chosen(table: Table) -> dict[int, str]:
    kept = table.memory.get(MEMORY, {})
    return {
        seat: kept[str(seat)]["name"]
        for seat in table.chips
        if str(seat) in kept and kept[str(seat)]["player"] == table.names.get(seat, "")
    }


def _sound(name: str) -> str:
    """Bring names that sound alike when called into one form."""
    return unicodedata.normalize("NFKC", name).casefold()


class NicknameRules(WindowRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: a hundred flips, windows of five seconds."""

    min_seats: int = 3
    max_seats: int = 6


class Calls(Windows["NicknameRound"], frozen=True, kw_only=True):
    """All seats turn a card at the same time; who shows the rank of another may call its nickname."""

    claim: type[actions.Slap | actions.CallNickname] = actions.CallNickname

    def begin(self, round_: "NicknameRound", chance: Chance, log: list[Happening]) -> bool:
        """Turn the first cards."""
        log.append(happenings.Phase(self.name))
        self.flip(round_, log)
        return True

    def flip(self, round_: "NicknameRound", log: list[Happening]) -> None:
        """Turn the top card of every seat that is in; a seat without one turns its pile over first."""
        next_flip(round_)
        log.append(Noted("flip", None, {"flip": round_.flips}))
        for seat in chips.to_the_left(round_.seats_in(), round_.dealer):
            if not round_.stacks[seat]:
                round_.turn_over(seat, left=0)
                log.append(Noted("turned_over", seat))
            card = round_.stacks[seat].pop(0)
            round_.piles[seat].append(card)
            log.append(Shown(seat, PILE, (card,)))

    def may_claim(self, round_: "NicknameRound", seat: int) -> bool:
        """Return whether the seat may still call: its pile was not taken, and somebody is left to be called."""
        if seat in round_.out or seat in round_.claimed or not round_.piles[seat]:
            return False
        return any(other not in round_.out and other != seat and pile for other, pile in round_.piles.items())

    def claims(self, round_: "NicknameRound", seat: int) -> dict[str, Choice]:
        """Return the seats that can be called."""
        return {"target": OneOf(round_.targets(seat))}

    def verify(self, round_: "NicknameRound", seat: int, action: actions.Action) -> None:
        """Refuse besides whose pile was taken, and calls of such a seat, of oneself or of nobody."""
        super().verify(round_, seat, action)
        if not round_.piles[seat]:
            raise illegal_actions.illegal(
                f"the pile of seat {seat} was taken; wait for the next flip", illegal_actions.PILE_TAKEN
            )
        targets = round_.targets(seat)
        if isinstance(action, actions.CallNickname) and action.target not in targets:
            message = f"seat {action.target} cannot be called; call one of {list(targets)}"
            seats = ", ".join(map(str, targets))
            raise illegal_actions.illegal(message, illegal_actions.CALL_SEATS, seats=seats)

    def do(
        self, round_: "NicknameRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Work off a call: right, the called seat's pile goes under the caller's stack; wrong, it costs a card."""
        if isinstance(action, actions.CallNickname):
            round_.claimed.append(seat)
            facts = {"target": action.target, "flip": round_.flips}
            if cards.rank(round_.piles[seat][-1]) == cards.rank(round_.piles[action.target][-1]):
                pile, round_.piles[action.target] = round_.piles[action.target], []
                round_.stacks[seat].extend(pile)
                log.append(Noted("right_call", seat, {**facts, "cards": len(pile)}))
                return False
            if not round_.stacks[seat]:
                round_.turn_over(seat, left=1)
            paid = bool(round_.stacks[seat])
            if paid:
                round_.stacks[action.target].append(round_.stacks[seat].pop(0))
            log.append(Noted("wrong_call", seat, {**facts, "cards": int(paid)}))
        return False

    def close(self, round_: "NicknameRound", log: list[Happening]) -> None:
        """Put out seats without any card, then end the round or flip again."""
        round_.drop_empty(round_.dealer, log)
        if not round_.finish_if_over(log, spent=round_.flips, limit=round_.rules.max_flips):
            self.flip(round_, log)


class NicknameRound(SurvivalRound[NicknameRules], kw_only=True):
    """One round; a pile lists the face-up cards in the order in which they were turned, the last one shows."""

    phases = (Calls(),)

    piles: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    nicknames: dict[int, str] = msgspec.field(default_factory=dict)

    def targets(self, seat: int) -> tuple[int, ...]:
        """Return the seats that a seat can call."""
        return tuple(other for other in self.seats_in() if other != seat and self.piles[other])

    def turn_over(self, seat: int, left: int) -> None:
        """Turn a pile over, all but the last ``left`` cards; it keeps the order in which they were turned."""
        pile = self.piles[seat]
        keep = len(pile) - left
        self.stacks[seat], self.piles[seat] = pile[:keep], pile[keep:]

    def holdings(self) -> dict[int, int]:
        """Count the cards of each seat, face down and face up together."""
        return {seat: len(held) + len(self.piles[seat]) for seat, held in self.stacks.items()}

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the face-up piles."""
        return (*super().zones(viewer), *(Zone(seat, PILE, tuple(pile)) for seat, pile in self.piles.items()))

    def keys(self) -> dict[str, Any]:
        """Return the number of the flip, the showing cards, and the names that are called."""
        tops = {seat: self.piles[seat][-1] for seat in self.seats_in() if self.piles[seat]}
        return {"flips": self.flips, "tops": tops, "nicknames": dict(self.nicknames)}


class Nickname(SurvivalGame[NicknameRules, NicknameRound]):
    """The game; nicknames are chosen between rounds and kept in the table's memory."""

    id = "nickname"
    name = Text(en="Nicknames", zh_hant="綽號", zh_hans="绰号")
    summary = Text(
        en=(
            "Every seat stakes the ante and chooses a nickname before the round. All 52 cards are dealt. Every "
            "seat turns its top card at the same time; a seat that shows the same rank as another may call that "
            "seat's nickname, and the first right call takes the called seat's whole face-up pile under its stack. "
            "A wrong call costs the top face-down card. Each seat has one call a flip. A seat without any card is "
            "out. The last seat left takes the antes, or after the last flip the seat with the most cards; equal "
            "numbers share. Deadline: the window closes and the next cards are turned; a lost connection only "
            "means no call. If a malfunction occurs, the round is void and all chips are returned."
        ),
        zh_hant=(
            "每人付底注，並於開始前選定一個綽號。52 張牌全部發出。所有玩家同時翻開最上面一張牌；與他人牌面點數相同者立"
            "刻喊出對方綽號，最先喊對者將對方翻開的牌全部取走，置於自己疊牌的下方。喊錯者付出蓋著的最上面一張牌給對方。"
            "每次翻牌每人限喊一次。無牌可翻者退出。最後留下者，或最後一次翻牌後持牌最多者，贏得全部底注；相同則平分。逾"
            "時：喊牌時間結束，翻開下一張牌；斷線視同未喊。若系統故障，本局作廢，所有籌碼退回。"
        ),
        zh_hans=(
            "每人付底注，并于开始前选定一个绰号。52 张牌全部发出。所有玩家同时翻开最上面一张牌；与他人牌面点数相同者立"
            "刻喊出对方绰号，最先喊对者将对方翻开的牌全部取走，置于自己叠牌的下方。喊错者付出盖着的最上面一张牌给对方。"
            "每次翻牌每人限喊一次。无牌可翻者退出。最后留下者，或最后一次翻牌后持牌最多者，赢得全部底注；相同则平分。逾"
            "时：喊牌时间结束，翻开下一张牌；断线视同未喊。若系统故障，本局作废，所有筹码退回。"
        ),
    )
    terms = texts.TERMS + Terms(
        phase="window",
        zone="pile stack",
        action="call_nickname set_nickname",
        argument="target flip name",
        happening="flip right_call wrong_call turned_over",
        fact="card_count flip flips nicknames other_seat tops",
    )
    words: ClassVar[dict[str, Text]] = texts.WORDS | {
        "tops": Text(en="showing cards", zh_hant="牌面", zh_hans="牌面"),
        "turned_over": Text(en="turns its pile over", zh_hant="將翻開的牌蓋回", zh_hans="将翻开的牌盖回"),
        "set_nickname": Text(en="choose a nickname", zh_hant="選定綽號", zh_hans="选定绰号"),
        "nicknames": Text(en="nicknames", zh_hant="綽號", zh_hans="绰号"),
        "name": Text(en="name", zh_hant="名字", zh_hans="名字"),
        "call_nickname": Text(en="call", zh_hant="喊綽號", zh_hans="喊绰号"),
        "target": Text(en="called seat", zh_hant="被喊者", zh_hans="被喊者"),
        "right_call": Text(en="calls correctly", zh_hant="喊對", zh_hans="喊对"),
        "wrong_call": Text(en="calls wrongly", zh_hant="喊錯", zh_hans="喊错"),
    }
    rules_type = NicknameRules
    round_type = NicknameRound
    open_cards = True
    fewest, most = 3, 6
    limit = "max_flips"
    wins = Text(
        en="the last seat left, or the most cards after the last flip (equal numbers share)",
        zh_hant="最後留下者，或最後一次翻牌後持牌最多者（相同則平分）",
        zh_hans="最后留下者，或最后一次翻牌后持牌最多者（相同则平分）",
    )

    def own_fields(self, table: Table, seats: list[int], stock: Stock) -> dict[str, Any]:
        """Take over the nicknames, and lay an empty pile before each seat."""
        del stock
        named = nicknames(table)
        return {"nicknames": {seat: named[seat] for seat in seats}, "piles": {seat: [] for seat in seats}}

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Forget the nickname of a player who left."""
        return forgotten(memory, seat)

    def between(self, rules: NicknameRules, table: Table, seat: int, action: actions.Action) -> dict[str, Any]:
        """Take a nickname, between rounds. Raises Refused for a name that is taken or not allowed."""
        if seat not in table.chips:
            message = f"seat {seat} is not taken; take a seat before you choose a nickname"
            raise Refused(Reason.NOT_SEATED, message, metadata={"seat": seat})
        if not isinstance(action, actions.SetNickname):
            return super().between(rules, table, seat, action)
        return chosen_by(table, seat, action.name_)


GAME = Nickname()
