"""Any game in a terminal: every word and button comes from the house. Start: terminal.py TABLE TOKEN [zh-Hant]."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pitboss import client, moves
from pitboss.v1 import catalogue_pb2, table_pb2

SEATS = "adjutant banker bidder chosen first flush landlord last low_winners napoleon next_banker out robbed rows seat"
SEATS += " second_low_winners second_winners turn winners"  # the facts that are seats; others are kept by seat


class Terminal:
    """Draws the views of one game in one language, and asks for actions. `#2` is a seat, `·` is the table."""

    def __init__(self, game: catalogue_pb2.GetGameResponse, language: str, ask: Callable[..., int]) -> None:
        self._ask, self._text = ask, lambda text: str(getattr(text, language.lower().replace("-", "_")))
        kinds = {number: name[10:].replace("REASON", "WORD") for name, number in catalogue_pb2.WordKind.items()}
        self._word = {(kinds[entry.kind], entry.word): self._text(entry.text) for entry in game.vocabulary}
        self._game = self._text(game.game.name)

    def board(self, view: table_pb2.TableView) -> Iterator[str]:
        shown, word, last, names = view.round, self._word, view.last_result, {one.seat: one.name for one in view.seats}
        yield f"== {self._game} {shown.round_number}: {word['PHASE', shown.phase]}"
        for one in shown.seats:
            yield f"#{one.seat} {names.get(one.seat, '')}: {word['STATUS', one.status]}, {one.chips} ({-one.staked})"
        cards = [(one, "owner", word["ZONE", one.name] + ":", one.cards) for one in shown.zones]
        cards += [(one, "seat", self._text(one.words), one.best) for one in shown.hands]
        for one, owner, text, held in cards:
            yield f"  {f'#{getattr(one, owner)}' if one.HasField(owner) else '·'} {text} {' '.join(held)}"
        yield from filter(None, [self._fact("", shown.facts)])
        for pot in shown.pot_results:  # amounts are absent until the round is settled
            yield f"  {pot.amount} → " + ", ".join(f"#{one.seat} {one.amount or ''}".rstrip() for one in pot.shares)
        for one in last.seats if last.round_number == shown.round_number else ():
            yield f"#{one.seat} {one.name}: {one.net:+}"

    def _fact(self, name: str, value: Any) -> str:
        if hasattr(value, "ListFields"):  # the facts of the family have no name of their own
            told = ((field.name, self._fact(field.name, part)) for field, part in value.ListFields())
            return ", ".join(f"{self._word.get(('FACT', name), '')} {part}".strip() for name, part in told if part)
        mark = "#" if name in SEATS.split() else ""
        if isinstance(value, Mapping):
            return " ".join(f"{'' if mark else '#'}{key} {self._fact(name, part)}" for key, part in value.items())
        if isinstance(value, str | int):
            return mark + ({"True": "✓", "False": "–"}.get(str(value)) or self._word.get(("WORD", value), str(value)))
        return " ".join(self._fact(name, part) for part in value)

    def choose(self, options: list[table_pb2.Option]) -> Any:
        choices = [option.arguments.values() for option in options]  # a button says what leaves none, such as a spot
        given = [[one.words.values or [" ".join(cs.cards) for cs in one.sets.sets] for one in few] for few in choices]
        said = [[self._word.get(("WORD", one[0]), one[0]) for one in words if len(one) == 1] for words in given]
        named = [[self._word["ACTION", one.action], *said[at], str(one.cost or "")] for at, one in enumerate(options)]
        option = options[self._ask("?", [" ".join(filter(None, words)) for words in named])]
        return moves.action(option.action, **{name: self._pick(name, one) for name, one in option.arguments.items()})

    def _pick(self, name: str, choice: table_pb2.Choice) -> Any:
        title, some, left, got = self._word["ARGUMENT", name], choice.some_of, list(choice.some_of.cards), list[str]()
        while len(got) < some.most and (at := self._ask(title, left + ["✓"] * (len(got) >= some.least))) < len(left):
            got.append(left.pop(at))
        plain = [*choice.numbers.values, *choice.words.values]
        values: dict[Any, str] = {one: self._word.get(("WORD", one), str(one)) for one in plain}
        values |= {tuple(one.cards): " ".join(one.cards) for one in choice.sets.sets}
        values |= {one.value: f"{self._word['SUGGESTION', one.word]} {one.value}" for one in choice.range.suggestions}
        return list(values)[self._ask(title, list(values.values())) if len(values) > 1 else 0] if values else got


async def play(house: client.House, table: str, terminal: Terminal, write: Callable[[str], None], until: int) -> None:
    shown: set[Any] = {""}  # a view of the same version is new only in who watches
    async for view in (one.view async for one in house.watch(table) if one.view.version not in shown):
        settled, ended = view.last_result.round_number, view.round.state > table_pb2.ROUND_STATE_RUNNING
        board = "\n".join(terminal.board(view) if view.HasField("round") else ())
        before, shown = shown, {view.version, board, (view.round.round_number, settled) if ended else board}
        if not before & shown:  # a round that has ended is shown before and after its chips are paid
            write(board)
        if settled >= until:
            return
        try:
            if view.round.options:
                await house.act(table, terminal.choose(list(view.round.options)), view.version)
        except client.Refused as refusal:  # another seat was faster, or the deadline: the next view says more
            write(refusal.text)


def ask(title: str, entries: list[str]) -> int:
    said = input(f"{title}  {'   '.join(f'{number}: {entry}' for number, entry in enumerate(entries))}  > ")
    return int(said) if said.isdecimal() and int(said) < len(entries) else ask(title, entries)


async def main(table: str, token: str, language: str = "en", address: str = "127.0.0.1:7400") -> None:
    async with client.connect(address, token, language=language) as house:
        view = await house.table(table)
        await (house.sit_in(table) if view.HasField("own_seat") else house.take_seat(table, view.table.least_buy_in))
        await play(house, table, Terminal(await house.game(view.table.game), language, ask), print, sys.maxsize)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
