"""A round in words, line by line, in the languages of the house.

It shows the cards that the table showed; for auditors the last lines hold the cards of every seat.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pitboss.v1 import facts_pb2

from services.audit import narrative_hands
from services.audit.cast import Cast
from services.audit.narrative_lines import LINES
from services.contract import wire_facts
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.rules import actions, catalogue, personal
from services.rules.cards import HIDDEN
from services.rules.game import Round
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
from services.rules.ranking import ladder
from services.rules.text import Text
from services.table import events
from services.table.replay import Replay


def finished(replay: Replay) -> Round | None:
    """Return the replayed round once it has ended."""
    table = replay.table
    assert table is not None, "a replay has a table once it has taken an event"
    last = table.round or (table.ended.round if table.ended else None)
    return last if last is not None and last.outcome is not None else None


class Narrator:
    """Describes one round in one language; ``show`` opens sealed names.

    ``ended`` is to be set to the round as it ended, where it can be replayed: it knows what hands are worth.
    ``every_hand``: the reader may see the cards of all seats, also those that were never shown.
    """

    def __init__(self, language: str, show: Show = personal.veiled, *, every_hand: bool = False) -> None:
        self._language, self._show, self._every_hand = language, show, every_hand
        self.ended: Round | None = None
        self._cast = Cast(language, show)
        self._texts: Mapping[str, Text] = {}
        self._open: set[int] = set()

    def round(self, recorded: list[StoredEvent], again: Replay | None = None) -> Iterator[str]:
        """Yield the lines of a round from its stored events; ``again`` replays them, where their seed is known."""
        for one in recorded:
            event = log_rows.from_stored(one)
            if again is not None:
                again.take(one.version, event)
                self.ended = finished(again)
            yield from self.event(event, automatic=_is_automatic(one, event))

    def event(self, event: events.Event, *, automatic: bool = False) -> Iterator[str]:
        """Yield the lines of one event; events without meaning for players have none.

        ``automatic``: the house has topped up a seat, nobody asked for it.
        """
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
            case events.RulesMoved():
                yield self._line("moved", was=event.was, version=event.rules_version, reason=event.reason)
            case events.RoundVoided():
                yield self._line("voided", reason=self._show(event.reason))
                if event.seed_lost:
                    yield self._line("seed_lost")
            case events.TopUpSet() | events.TopUpFailed() if not self._every_hand:
                return  # that player's own affair
            case _:
                told = self._cast.told(event, automatic=automatic)
                if told is not None:
                    yield told

    def _started(self, event: events.RoundStarted) -> Iterator[str]:
        opening = event.table.opening
        game = opening.game
        try:
            played = catalogue.game(opening.game, opening.version)
        except catalogue.UnknownRules as unknown:
            self._texts = {}  # words of other rules could mean something else
            yield self._line("unknown_rules", version=opening.version, game=game, known=unknown.known)
        else:
            self._texts = {term.word: term.text for term in catalogue.vocabulary(played)}
            game = played.name.within(self._language)
        self._cast.begin(event.table.seats)
        players = ", ".join(
            self._line("seated", name=self._cast.presented(seat), chips=event.carry[seat.seat])
            for seat in event.table.seats
            if seat.seat in event.carry
        )
        yield self._line("started", number=event.round_number, game=game, players=players)
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

    def _shown(self, entry: Shown) -> str:
        if entry.owner is not None:
            self._open.add(entry.owner)
        return self._line("shown", who=self._who(entry.owner), cards=" ".join(entry.cards))

    def _noted(self, entry: Noted) -> str:
        if entry.what == "pot":
            return self._pot(entry.facts)
        if entry.what == "showdown" and entry.seat is not None:
            return self._showdown(entry.seat, entry.facts)
        details = wire_facts.noted(entry)
        facts = ", ".join(
            f"{self._word(field.name)} {self._detail(details, field.name, value)}"
            for field, value in details.ListFields()
            if field.name != "half"
        )
        who = "" if entry.seat is None else self._who(entry.seat)
        return " ".join(self._line("noted", what=self._word(entry.what), who=who, facts=facts).split())

    def _showdown(self, seat: int, facts: Mapping[str, Any]) -> str:
        hand = self._hand(seat) or self._word(facts["hand"])
        if "second_hand" not in facts:
            return self._line("hand", who=self._seat(seat), hand=hand)
        second = self._hand(seat, second=True) or self._word(facts["second_hand"])
        return self._line("two_hands", who=self._seat(seat), hand=hand, second=second)

    def _detail(self, details: facts_pb2.NotedFacts, name: str, value: Any) -> str:
        match name:
            case "winners" | "low_winners" | "second_winners" | "second_low_winners":
                return self._seats(value)
            case "other_seat":
                return self._who(value)
            case "total":
                return f"{value}½" if details.half else str(value)
            case "turned":
                return " ".join(f"{self._who(one.seat)} {one.card}" for one in value)
            case "hands" | "seat_points":
                return " ".join(f"{self._who(seat)} {self._value(value[seat])}" for seat in sorted(value))
            case _:
                return self._value(value if isinstance(value, int | str) else list(value))

    def _pot(self, facts: Mapping[str, Any]) -> str:
        number = facts["pot"]
        pot = self._line("side_pot" if number else "main_pot", number=number, amount=facts["amount"])
        if "second_winners" not in facts:
            return self._halves(pot, facts["winners"], facts.get("low_winners"))
        first = self._halves(self._line("first_board", pot=pot), facts["winners"], facts.get("low_winners"))
        lowest = facts.get("second_low_winners")
        second = self._halves(self._line("second_board"), facts["second_winners"], lowest, second=True)
        return self._line("halves", high=first, low=second)

    def _halves(self, pot: str, winners: Sequence[int], lowest: Sequence[int] | None, *, second: bool = False) -> str:
        """Return who won a pot, or one board's half of it, in words."""
        if not lowest:
            return self._won(pot, winners, ladder.HIGH, second=second)
        high = self._won(self._line("high_half", pot=pot), winners, ladder.HIGH, second=second)
        low = self._won(self._line("low_half"), lowest, ladder.LOW, second=second)
        return self._line("halves", high=high, low=low)

    def _won(self, pot: str, winners: Sequence[int], half: str, *, second: bool) -> str:
        hand = self._hand(winners[0], half, second=second) if winners[0] in self._open else None
        key = ("won" if len(winners) == 1 else "shared") + ("_with" if hand else "")
        return self._line(key, pot=pot, who=self._seats(winners), hand=hand)

    def _hand(self, seat: int, half: str = "", *, second: bool = False) -> str | None:
        """Return a seat's hand in words with the cards that count; None where that is not known."""
        if self.ended is None:
            return None
        return narrative_hands.in_words(self.ended, seat, self._language, self._word, half, second=second)

    def _cards(self, seat: int) -> str:
        """Return the cards of a seat at the end, as far as the reader may see them, before what follows them."""
        if self.ended is None or not (self._every_hand or seat in self._open):
            return ""
        found = " ".join(
            card for zone in narrative_hands.zones(self.ended, seat) for card in zone.cards if card != HIDDEN
        )
        return f"{found}, " if found else ""

    def _seats(self, seats: Iterable[int]) -> str:
        return self._line("and").join(self._seat(seat) for seat in seats)

    def _seat(self, seat: int) -> str:
        return self._line("seat", seat=seat, name=self._who(seat)) if self._cast.knows(seat) else str(seat)

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
            yield self._line(
                "result",
                who=self._seat(seat.seat),
                cards=self._cards(seat.seat),
                before=seat.before,
                after=seat.after,
                net=seat.after - seat.before,
            )
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
        known = self._texts.get(word)
        return known.within(self._language) if known else word

    def _who(self, seat: int | None) -> str:
        if seat is None:
            return self._line("table")
        return self._cast.name(seat)

    def _party(self, party: Party) -> str:
        if isinstance(party, int):
            return self._who(party)
        return self._line("house") if party == HOUSE else self._line("pot")

    def _line(self, key: str, **values: object) -> str:
        return LINES[key].within(self._language).format(**values)


def _is_automatic(one: StoredEvent, event: events.Event) -> bool:
    """Return whether chips were added by the house before a round, and nobody asked for it just then."""
    return isinstance(event, events.ChipsAdded) and log_rows.metadata_of(one).command == "ClearSeats"


_TELL: Final[dict[type[Happening], Callable[[Narrator, Any], str]]] = {
    Dealt: Narrator._dealt,
    Staked: Narrator._staked,
    Decided: Narrator._decided,
    Noted: Narrator._noted,
    Shown: Narrator._shown,
    Returned: lambda n, e: n._line("returned", who=n._who(e.seat), amount=e.amount),
    Phase: lambda n, e: n._line("phase", name=n._word(e.name)),
    Shuffled: lambda n, e: n._line("shuffled", size=e.size),
}
