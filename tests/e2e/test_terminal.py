"""The example of a front end: it plays every game in every language, and knows none of them."""

import asyncio
import itertools
import operator
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import ParseDict
from pitboss import client
from pitboss.v1 import catalogue_pb2, dealer_pb2, facts_pb2, table_pb2

from services.cli import reach
from services.rules import catalogue
from tests.support import people, play, scripts

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "terminal.py"
LATIN_WORD = re.compile(r"(?!Miss\b)\b[A-Za-z]{3,}|_")
"""A word that is not Chinese; the Miss of Loo has its English name in every language [loo Play 1]."""


def _most_seats(game: str) -> int:
    rules = catalogue.game(game).rules_type()
    return catalogue.game(game).seats(rules)[1]


TERMINAL = scripts.load(EXAMPLE)
LANGUAGES = ("en", "zh-Hant", "zh-Hans")
GAMES = list(catalogue.FILES)
OTHER_FACTS = (
    "amount army_points battles bid count direction drawn flips held left limit match_round multiplier multiples points"
    " pool returned side_tricks sides single double stock table tricks tricks_completed turnover"
)
"""The facts that are numbers, or numbers by seat, and no seats."""
FOR_TWO = [game for game in GAMES if _most_seats(game) == 2]


def test_the_example_is_short() -> None:
    """The whole client has fewer than 100 lines."""
    assert len(EXAMPLE.read_text().splitlines()) < 100


@pytest.mark.parametrize(("game", "first"), [(game, 0) for game in GAMES] + [(game, 2) for game in FOR_TWO])
async def test_a_round_of_every_game_is_played_from_words_and_options(
    game: str, first: int, crowd: people.Crowd
) -> None:
    """Players with the example alone, each in a language, end a round; the last boards show results in that language.

    A game for two is played twice, so that each language has its turn.
    """
    table, players = await play.opened(crowd, game, title="a title in English")
    languages = [LANGUAGES[(first + seat) % 3] for seat in range(len(players))]
    boards: list[list[str]] = [[] for _ in players]
    rng = random.Random(f"{game} {first}")
    described = await players[0].house.game(game)

    def ask(title: str, entries: list[str]) -> int:
        assert title != "?" or len(set(entries)) == len(entries), f"these look alike: {entries}"
        return rng.randrange(len(entries))

    async with asyncio.timeout(90), asyncio.TaskGroup() as group:
        for player, language, written in zip(players, languages, boards, strict=True):
            drawn = TERMINAL.Terminal(described, language, ask)
            group.create_task(TERMINAL.play(player.house, table, drawn, written.append, until=1))
        await play.start(table, players)
    for language, written in zip(languages, boards, strict=True):
        last = written[-1].splitlines()
        name = getattr(described.game.name, language.lower().replace("-", "_"))
        assert last[0].startswith(f"== {name} 1: ")
        assert [line for board in written for line in board.splitlines() if not line.strip()] == []
        drawn_boards = [board for board in written if board.startswith("== ")]  # the others are refusals
        assert all(now != before for before, now in itertools.pairwise(drawn_boards))
        assert len([line for line in last if re.search(r": [+-]\d+$", line)]) == len(players)
        if language != "en":
            nameless = [line for line in last if not re.match(r"#\d+ p\d", line)]
            assert not [line for line in nameless if LATIN_WORD.search(line)]


def _numbers(of: Any) -> set[str]:
    """Return the names of the fields of a message, and of those below it, that hold whole numbers."""
    found = set()
    for field in of.fields:
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        value = field.message_type.fields_by_name["value"] if is_map else field
        if value.message_type is not None:
            found |= _numbers(value.message_type)
        elif value.cpp_type in {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64}:
            found.add(field.name)
    return found


def test_the_example_knows_which_facts_are_seats() -> None:
    """Each number among the facts is a seat or is not: a new one is put on a list, here or in the example."""
    seats, others = set(TERMINAL.SEATS.split()), set(OTHER_FACTS.split())
    assert not seats & others
    assert _numbers(facts_pb2.RoundFacts.DESCRIPTOR) == seats | others


WORDS = [
    ("PHASE", "bet"),
    ("STATUS", "in"),
    ("ACTION", "fold"),
    ("FACT", "winners"),
    ("FACT", "out"),
    ("FACT", "turnover"),
]
DESCRIBED: Any = {
    "game": {"name": {"en": "Poker"}},
    "vocabulary": [{"kind": f"WORD_KIND_{kind}", "word": word, "text": {"en": word}} for kind, word in WORDS],
}


def _view(state: str, shares: list[dict[str, Any]], settled: int, names: tuple[str, ...] = ("ann", "bob")) -> Any:
    return {
        "seats": [{"seat": seat, "name": name} for seat, name in enumerate(names)],
        "round": {
            "roundNumber": 7,
            "phase": "bet",
            "state": f"ROUND_STATE_{state}",
            "seats": [{"seat": 0, "status": "in", "chips": 90, "staked": 10}],
            "facts": {"winners": [0, 1], "out": [2], "bankerGame": {"turnover": {"1": 20}}},
            "potResults": [{"amount": 120, "shares": shares}],
        },
        "lastResult": {"roundNumber": settled, "seats": [{"seat": 0, "name": "ann", "net": 110}]},
    }


async def _written(*views: Any) -> list[str]:
    """Return what the example writes while such views of a table come, each of a new version unless it names one.

    It takes the first option that it is offered, and is refused, for another seat was faster.
    """

    class House:
        async def watch(self, _table: str) -> AsyncIterator[dealer_pb2.WatchTableResponse]:
            for version, view in enumerate(views, 1):
                shown = ParseDict({"version": str(version), **view}, table_pb2.TableView())
                yield dealer_pb2.WatchTableResponse(view=shown)

        async def act(self, _table: str, _action: Any, version: int) -> None:
            raise client.Refused(grpc.StatusCode.ABORTED, "STALE_VERSION", "", {}, f"not {version} any more")

    written: list[str] = []
    described = ParseDict(DESCRIBED, catalogue_pb2.GetGameResponse())
    drawn = TERMINAL.Terminal(described, "en", lambda *_: 0)
    await TERMINAL.play(House(), "table", drawn, written.append, until=8)
    return written


async def test_a_round_that_has_ended_is_written_before_and_after_it_is_paid() -> None:
    """Messages that bring nothing new, or new neighbours of an old round, write nothing again."""
    running = _view("RUNNING", [], 6)
    ended, paid = _view("ENDED", [{"seat": 0}], 6), _view("ENDED", [{"seat": 0, "amount": "114"}], 7)
    left = _view("ENDED", [{"seat": 0, "amount": "114"}], 7, ("ann",))
    written = await _written({}, running, running, ended, ended, paid, paid, left)
    assert len(written) == 3
    assert [board.splitlines()[0] for board in written] == ["== Poker 7: bet"] * 3


async def test_a_board_that_shows_nothing_new_is_not_written() -> None:
    """Neither an end of the round that changes nothing on the board, nor who watches, writes the board again."""
    running, ended = _view("RUNNING", [], 6), _view("ENDED", [], 6)
    for view in (running, ended):
        del view["round"]["potResults"]
    assert len(await _written(running, ended, ended)) == 1
    assert len(await _written(running, running | {"spectators": 1}, running | {"version": "2"})) == 1


async def test_a_player_is_asked_once_for_each_version() -> None:
    """A view that was sent again because of who watches asks for no second action, which could only be refused."""
    asked = _view("RUNNING", [], 6)
    asked["round"]["options"] = [{"action": "fold"}]
    again = [asked | {"version": "4"}, asked | {"version": "4", "spectators": 1}, asked | {"version": "5"}]
    board, *refusals = await _written(*again)
    assert board.startswith("== Poker 7: bet")
    assert refusals == ["not 4 any more", "not 5 any more"]


async def test_amounts_are_written_once_they_are_known() -> None:
    """Before settlement a pot names its winner without chips, and no result of an earlier round is shown."""
    ended, paid = _view("ENDED", [{"seat": 0}], 6), _view("ENDED", [{"seat": 0, "amount": "114"}], 7)
    before, after = [board.splitlines() for board in await _written(ended, paid)]
    assert before[-1] == "  120 → #0"
    assert after[-2:] == ["  120 → #0 114", "#0 ann: +110"]


async def test_facts_mark_seats_and_leave_out_what_is_empty() -> None:
    """A seat has its mark as a value and as a key; facts without content write no line."""
    view = _view("RUNNING", [], 6)
    assert "winners #0 #1, out #2, turnover #1 20" in (await _written(view))[0].splitlines()
    view["round"]["facts"] = {"bankerGame": {}}
    assert [line for line in (await _written(view))[0].splitlines() if not line.strip()] == []


@pytest.mark.parametrize(
    ("options", "words", "entries", "field", "chosen"),
    [
        (
            [
                {"action": "place_bet", "cost": "1", "arguments": {"spot": {"words": {"values": [spot]}}}}
                for spot in "ab"
            ],
            [("ACTION", "place_bet"), ("ARGUMENT", "spot"), ("WORD", "a"), ("WORD", "b")],
            ["PLACE_BET A 1", "PLACE_BET B 1"],
            "place_bet.spot",
            "b",
        ),
        (
            [
                {"action": "arrange", "arguments": {"low": {"sets": {"sets": [{"cards": cards}]}}}}
                for cards in (["2s", "3s"], ["2s", "4s"])
            ],
            [("ACTION", "arrange"), ("ARGUMENT", "low")],
            ["ARRANGE 2s 3s", "ARRANGE 2s 4s"],
            "arrange.low",
            ["2s", "4s"],
        ),
    ],
    ids=["bets on a spot each", "ways to lay a hand"],
)
def test_an_option_says_what_leaves_no_choice(
    options: list[Any], words: list[tuple[str, str]], entries: list[str], field: str, chosen: Any
) -> None:
    """Options differ by the spots or the cards that they name; what has one value is not asked for."""
    told = [{"kind": f"WORD_KIND_{kind}", "word": word, "text": {"en": word.upper()}} for kind, word in words]
    described = ParseDict({"vocabulary": told}, catalogue_pb2.GetGameResponse())
    asked: list[list[str]] = []

    def ask(_title: str, entries: list[str]) -> int:
        asked.append(entries)
        return 1

    made = TERMINAL.Terminal(described, "en", ask).choose([ParseDict(one, table_pb2.Option()) for one in options])
    assert (asked, operator.attrgetter(field)(made)) == ([entries], chosen)


def test_an_entry_is_asked_for_until_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The menu numbers its entries; what is no number of it is asked for again."""
    asked: list[str] = []
    said = iter(["", "x", "-1", "2", "1"])

    def read(menu: str) -> str:
        asked.append(menu)
        return next(said)

    monkeypatch.setattr("builtins.input", read)
    assert TERMINAL.ask("trumps", ["♠", "♥"]) == 1
    assert set(asked) == {"trumps  0: ♠   1: ♥  > "}


async def test_a_second_start_carries_on_from_the_own_seat(
    crowd: people.Crowd, reached: reach.Reach, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who starts the example again, even after sitting out, watches from the same seat and is dealt in."""
    table, _ = await crowd.table("tongbi_san_gong", ("ann", "bob"), buy_in=1000)
    cid = await crowd.player("cid")
    seen: list[table_pb2.TableView] = []

    async def watched(house: Any, table_id: str, *_: Any) -> None:
        seen.append(await house.table(table_id))

    monkeypatch.setattr(TERMINAL, "play", watched)
    for _ in range(2):
        await TERMINAL.main(table, cid.token, "en", reached.dealers[0])
    await cid.house.sit_out(table)
    await TERMINAL.main(table, cid.token, "en", reached.dealers[0])
    assert [view.own_seat for view in seen] == [2, 2, 2]
    assert not any(seat.sitting_out for seat in seen[-1].seats)
