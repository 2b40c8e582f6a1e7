"""A round in words, line by line, in the languages of the house; it shows only the cards that the table showed."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.rules import actions, catalogue, personal
from services.rules.cards import HIDDEN
from services.rules.game import Game
from services.rules.happenings import (
    AnyHappening,
    Dealt,
    Decided,
    Happening,
    Noted,
    Phase,
    Returned,
    Shown,
    Shuffled,
    Staked,
)
from services.rules.outcomes import HOUSE, Party
from services.rules.personal import Show
from services.rules.text import Text
from services.table import events, persons

_LINES: Final[dict[str, Text]] = {
    "started": Text(
        "Round {number} of {game}: {players}", "第 {number} 局 {game}：{players}", "第 {number} 局 {game}：{players}"
    ),
    "seated": Text("{name} with {chips}", "{name} 帶入 {chips}", "{name} 带入 {chips}"),
    "dealt": Text("{who} gets {cards} ({zone})", "{who} 得牌 {cards}（{zone}）", "{who} 得牌 {cards}（{zone}）"),
    "shown": Text("{who} shows {cards}", "{who} 亮牌 {cards}", "{who} 亮牌 {cards}"),
    "staked": Text("{who} puts in {amount} ({what})", "{who} 下注 {amount}（{what}）", "{who} 下注 {amount}（{what}）"),
    "returned": Text("{who} gets back {amount}", "退回 {who} {amount}", "退回 {who} {amount}"),
    "phase": Text("— {name} —", "— {name} —", "— {name} —"),
    "acts": Text("{who}: {action}", "{who}：{action}", "{who}：{action}"),
    "sealed": Text("sealed", "密封", "密封"),
    "timeout": Text(
        "{who}: {action} (decided by the system, the time was up)",
        "{who}：{action}（逾時，系統代為決定）",
        "{who}：{action}（超时，系统代为决定）",
    ),
    "deadline": Text("The time is up", "時間到", "时间到"),
    "noted": Text("{what} {who} {facts}", "{what} {who} {facts}", "{what} {who} {facts}"),
    "shuffled": Text("{size} cards are shuffled", "洗牌 {size} 張", "洗牌 {size} 张"),
    "claim": Text(
        "{payer} pays {payee} {amount} ({why})",
        "{payer} 付 {payee} {amount}（{why}）",
        "{payer} 付 {payee} {amount}（{why}）",
    ),
    "result": Text("{name}: {net:+d}, now {after}", "{name}：{net:+d}，餘 {after}", "{name}：{net:+d}，余 {after}"),
    "fee": Text("Fees and rake: {fee}", "手續費與抽成：{fee}", "手续费与抽成：{fee}"),
    "voided": Text(
        "The round is void, all stakes are back: {reason}",
        "本局作廢，籌碼全數退回：{reason}",
        "本局作废，筹码全数退回：{reason}",
    ),
    "seed_lost": Text(
        "Its cards stay hidden: the key to its seed was gone",
        "本局的牌無法公開：種子的金鑰已遺失",
        "本局的牌无法公开：种子的密钥已遗失",
    ),
    "house": Text("the house", "莊家（賭場）", "庄家（赌场）"),
    "table": Text("the table", "牌桌", "牌桌"),
    "pot": Text("the pot", "底池", "底池"),
}


class Narrator:
    """Describes one round in one language; ``show`` opens sealed names."""

    def __init__(self, language: str, show: Show = personal.veiled) -> None:
        self._language, self._show = language, show
        self._names: dict[int, str] = {}
        self._game: Game | None = None

    def round(self, recorded: list[StoredEvent]) -> Iterator[str]:
        """Yield the lines of a round from its stored events."""
        for one in recorded:
            yield from self.event(log_rows.from_stored(one))

    def event(self, event: events.Event) -> Iterator[str]:
        """Yield the lines of one event; events without meaning for players have none."""
        match event:
            case events.RoundStarted():
                yield from self._started(event)
            case events.ActionTaken():
                yield self._line("acts", who=self._who(event.seat), action=self._action(event.action))
                yield from self._happened(event.happenings)
            case events.DeadlinePassed():
                yield self._line("deadline")
                yield from self._happened(event.happenings)
            case events.RoundSettled():
                yield from self._settled(event)
            case events.RoundVoided():
                yield self._line("voided", reason=self._show(event.reason))
                if event.seed_lost:
                    yield self._line("seed_lost")
            case _:
                return

    def _started(self, event: events.RoundStarted) -> Iterator[str]:
        self._game = catalogue.game(event.table.opening.game)
        people = {seat.seat: (self._show(seat.name), persons.player_id(seat.name)) for seat in event.table.seats}
        self._names = persons.told_apart(people)
        players = ", ".join(
            self._line("seated", name=self._names[seat.seat], chips=event.carry[seat.seat])
            for seat in event.table.seats
            if seat.seat in event.carry
        )
        yield self._line(
            "started", number=event.round_number, game=self._game.name.within(self._language), players=players
        )
        yield from self._happened(event.happenings)

    def _happened(self, happened: tuple[AnyHappening, ...]) -> Iterator[str]:
        for entry in happened:
            yield self._happening(entry)

    def _happening(self, entry: AnyHappening) -> str:
        return _TELL[type(entry)](self, entry)

    def _dealt(self, entry: Dealt) -> str:
        face_up = any(face != HIDDEN for face in entry.cards)
        cards = " ".join(entry.cards) if face_up else f"{len(entry.cards)}×{HIDDEN}"
        return self._line("dealt", who=self._who(entry.to), cards=cards, zone=self._word(entry.zone))

    def _staked(self, entry: Staked) -> str:
        return self._line("staked", who=self._who(entry.seat), amount=entry.amount, what=self._word(entry.what))

    def _decided(self, entry: Decided) -> str:
        recorded = {"is": entry.action.name, **actions.arguments(entry.action)}
        return self._line("timeout", who=self._who(entry.seat), action=self._action(recorded))

    def _noted(self, entry: Noted) -> str:
        facts = ", ".join(f"{self._word(key)} {self._value(value)}" for key, value in entry.facts.items())
        who = "" if entry.seat is None else self._who(entry.seat)
        return " ".join(self._line("noted", what=self._word(entry.what), who=who, facts=facts).split())

    def _settled(self, event: events.RoundSettled) -> Iterator[str]:
        for claim in event.posting.claims:
            yield self._line(
                "claim",
                payer=self._party(claim.payer),
                payee=self._party(claim.payee),
                amount=claim.amount,
                why=self._word(claim.why),
            )
        for seat in event.seats:
            yield self._line("result", name=self._who(seat.seat), net=seat.after - seat.before, after=seat.after)
        if event.posting.fee:
            yield self._line("fee", fee=event.posting.fee)

    def _action(self, recorded: dict[str, Any]) -> str:
        given = [self._value(value) for key, value in recorded.items() if key not in ("is", "sealed")]
        if "sealed" in recorded:
            given = [f"({self._line('sealed')})"]
        return " ".join([self._word(recorded["is"]), *given])

    def _value(self, value: Any) -> str:
        if isinstance(value, str):
            return self._show(value) if personal.is_sealed(value) else self._word(value)
        if isinstance(value, list | tuple):
            return " ".join(self._value(entry) for entry in value)
        if isinstance(value, dict):
            return " ".join(f"{self._seat_or_word(key)} {self._value(entry)}" for key, entry in value.items())
        return str(value)

    def _seat_or_word(self, key: object) -> str:
        text = str(key)
        return self._who(int(text)) if text.isdigit() else self._word(text)

    def _word(self, word: str) -> str:
        known = self._game.words.get(word) if self._game else None
        return known.within(self._language) if known else word

    def _who(self, seat: int | None) -> str:
        if seat is None:
            return self._line("table")
        return self._names.get(seat, str(seat))

    def _party(self, party: Party) -> str:
        if isinstance(party, int):
            return self._who(party)
        return self._line("house") if party == HOUSE else self._line("pot")

    def _line(self, key: str, **values: object) -> str:
        return _LINES[key].within(self._language).format(**values)


_TELL: Final[dict[type[Happening], Callable[[Narrator, Any], str]]] = {
    Dealt: Narrator._dealt,
    Staked: Narrator._staked,
    Decided: Narrator._decided,
    Noted: Narrator._noted,
    Shown: lambda n, e: n._line("shown", who=n._who(e.owner), cards=" ".join(e.cards)),
    Returned: lambda n, e: n._line("returned", who=n._who(e.seat), amount=e.amount),
    Phase: lambda n, e: n._line("phase", name=n._word(e.name)),
    Shuffled: lambda n, e: n._line("shuffled", size=e.size),
}
