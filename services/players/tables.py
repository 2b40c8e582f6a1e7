"""Which tables house players keep alive, which they join, and how many of them each needs."""

from typing import Final

from pitboss.v1 import table_pb2

from services.rules import catalogue

TITLE: Final = "Demo: {name.en} · {name.zh_hant} · {name.zh_hans}"
LONGEST_TITLE: Final = 60
PLACES: Final = 8
"""Seats that count at a table without a bound."""


def title(game: str) -> str:
    """Return the title of the table that is kept alive for a game, in the three languages."""
    return TITLE.format(name=catalogue.game(game).name)[:LONGEST_TITLE]


def is_kept(table: table_pb2.TableSummary, game: str) -> bool:
    """Return whether a table is the one that house players keep alive for a game."""
    return table.game == game and table.title == title(game) and is_open(table)


def is_open(table: table_pb2.TableSummary) -> bool:
    """Return whether house players may join a table at all: a test table of a template that anybody may join."""
    ended = table.state == table_pb2.TABLE_STATE_CLOSED
    return table.test and bool(table.template_id) and not (ended or table.private or table.switched_off)


def people(table: table_pb2.TableSummary) -> int:
    """Return the seats that people have taken."""
    return int(table.seats_taken - table.house_players)


def needed(game: str) -> int:
    """Return the seats that a round of a game takes by its standard rules."""
    rules = catalogue.game(game).standard_rules()
    return max(2, rules.min_seats, rules.least_ready)


def wanted_at_kept(table: table_pb2.TableSummary, most: int) -> int:
    """Return how many house players a kept table should have: one seat stays free for people wherever it can be.

    Where a round takes every seat, one is freed as soon as somebody waits in line for it.
    """
    places = table.max_seats or PLACES
    humans, least = people(table) + table.waiting, needed(table.game)
    free = max(0, places - humans)
    return min(free, max(least - humans, min(most, free - 1), 0))


def wanted_at_helped(table: table_pb2.TableSummary) -> int:
    """Return how many house players a table of people needs to be played at; none without people."""
    humans = people(table)
    return max(0, needed(table.game) - humans) if humans else 0
