"""The example of a front end: it plays every game in every language, and knows none of them."""

import asyncio
import random
import re
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

from services.rules import catalogue
from tests.support import people, play

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "terminal.py"
LATIN_WORD = re.compile(r"(?!Miss\b)\b[A-Za-z]{3,}|_")
"""A word that is not Chinese; the Miss of Loo has its English name in every language [loo Play 1]."""


def _terminal() -> ModuleType:
    spec = util.spec_from_file_location("terminal", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _most_seats(game: str) -> int:
    rules = catalogue.game(game).rules_type()
    return catalogue.game(game).seats(rules)[1]


TERMINAL = _terminal()
LANGUAGES = ("en", "zh-Hant", "zh-Hans")
GAMES = list(catalogue.FILES)
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
    table, players = await play.opened(crowd, game, title="1")
    languages = [LANGUAGES[(first + seat) % 3] for seat in range(len(players))]
    boards: list[list[str]] = [[] for _ in players]
    rng = random.Random(f"{game} {first}")
    described = await players[0].house.game(game)

    def ask(_title: str, entries: list[str]) -> int:
        return rng.randrange(len(entries))

    async with asyncio.timeout(90), asyncio.TaskGroup() as group:
        for player, language, written in zip(players, languages, boards, strict=True):
            drawn = TERMINAL.Terminal(described, language, ask)
            group.create_task(TERMINAL.play(player.house, table, drawn, written.append, until=1))
        await play.start(table, players)
    for language, written in zip(languages, boards, strict=True):
        last = written[-1].splitlines()
        assert len([line for line in last if re.search(r": [+-]\d+$", line)]) == len(players)
        if language != "en":
            nameless = [line for line in last if not re.match(r"#\d+ p\d", line)]
            assert not [line for line in nameless if LATIN_WORD.search(line)]
