"""Any game in a terminal: every word and button comes from the house. Start: terminal.py TABLE TOKEN [zh-Hant]."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing
from typing import Any

from google.protobuf.message import Message
from pitboss import client
from pitboss.moves import action
from pitboss.v1 import catalogue_pb2 as pb
from pitboss.v1 import table_pb2


class Terminal:
    """Draws the views of one game in one language, and asks for actions. `#2` is a seat, `·` is the table."""

    def __init__(self, game: pb.GetGameResponse, language: str, ask: Callable[[str, list[str]], int]) -> None:
        self._ask, self._text = ask, lambda text: str(getattr(text, language.lower().replace("-", "_")))
        self._word = {(entry.kind, entry.word): self._text(entry.text) for entry in game.vocabulary}

    def board(self, view: table_pb2.TableView) -> Iterator[str]:
        shown, word, names = view.round, self._word, {seat.seat: seat.name for seat in view.seats}
        yield f"== {view.table.title} {shown.round_number}: {word[pb.WORD_KIND_PHASE, shown.phase]}"
        for seat in shown.seats:
            status = f"{word[pb.WORD_KIND_STATUS, seat.status]}, {seat.chips} ({-seat.staked})"
            yield f"#{seat.seat} {names.get(seat.seat, '')}: {status}"
        for zone in shown.zones:
            owner = f"#{zone.owner}" if zone.HasField("owner") else "·"
            yield f"  {owner} {word[pb.WORD_KIND_ZONE, zone.name]}: {' '.join(zone.cards)}"
        for field, value in shown.facts.ListFields():  # the facts of the family have no name of their own
            yield f"  {word.get((pb.WORD_KIND_FACT, field.name), '')} {self._fact(value)}"
        for hand in shown.hands:
            owner = f"#{hand.seat}" if hand.HasField("seat") else "·"
            yield f"  {owner} {self._text(hand.words)} {' '.join(hand.best)}"
        for pot in shown.pot_results:
            yield f"  {pot.amount} → " + ", ".join(f"#{share.seat} {share.amount}" for share in pot.shares)
        for result in view.last_result.seats if shown.state == table_pb2.ROUND_STATE_ENDED else ():
            yield f"#{result.seat} {result.name}: {result.net:+}"

    def _fact(self, value: Any) -> str:
        if isinstance(value, Message):
            named = ((self._word[pb.WORD_KIND_FACT, field.name], part) for field, part in value.ListFields())
            return ", ".join(f"{name} {self._fact(part)}" for name, part in named)
        if isinstance(value, Mapping):
            return " ".join(f"#{seat} {self._fact(part)}" for seat, part in value.items())
        if isinstance(value, str | int):
            return {"True": "✓", "False": "–"}.get(str(value)) or self._word.get((pb.WORD_KIND_WORD, value), str(value))
        return " ".join(self._fact(part) for part in value)

    def choose(self, options: list[table_pb2.Option]) -> Any:
        buttons = [f"{self._word[pb.WORD_KIND_ACTION, one.action]} {one.cost or ''}".rstrip() for one in options]
        option = options[self._ask("?", buttons)]
        return action(option.action, **{name: self._pick(name, option.arguments[name]) for name in option.arguments})

    def _pick(self, name: str, choice: table_pb2.Choice) -> Any:
        some, title, cards = choice.some_of, self._word[pb.WORD_KIND_ARGUMENT, name], list[str]()
        if choice.HasField("some_of"):
            left = list(some.cards)
            while len(cards) < some.most:
                picked = self._ask(title, left + ["✓"] * (len(cards) >= some.least))
                if picked == len(left):
                    break
                cards.append(left.pop(picked))
            return cards
        values: dict[Any, str] = {value: str(value) for value in choice.numbers.values}
        values |= {tuple(one.cards): " ".join(one.cards) for one in choice.sets.sets}
        values |= {one: self._word.get((pb.WORD_KIND_WORD, one), one) for one in choice.words.values}
        for one in choice.range.suggestions:
            values[one.value] = f"{self._word[pb.WORD_KIND_SUGGESTION, one.word]} {one.value}"
        return list(values)[self._ask(title, list(values.values()))]


async def play(house: client.House, table: str, terminal: Terminal, write: Callable[[str], None], until: int) -> None:
    async with aclosing(house.watch(table)) as messages:
        async for message in messages:
            if message.view.HasField("round"):
                write("\n".join(terminal.board(message.view)))
            if message.view.last_result.round_number >= until:
                return
            if message.view.round.options:
                try:
                    chosen = terminal.choose(list(message.view.round.options))
                    await house.act(table, chosen, message.view.version)
                except client.Refused as refusal:  # another seat was faster, or the deadline: the next view says more
                    write(refusal.text)


async def main(table: str, token: str, language: str = "en", address: str = "127.0.0.1:7400") -> None:
    async with client.connect(address, token, language=language) as house:
        told = (await house.table(table)).table
        await house.take_seat(table, told.least_buy_in)
        terminal = Terminal(await house.game(told.game), language, lambda *menu: int(input(f"{menu} ")))
        await play(house, table, terminal, print, sys.maxsize)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
