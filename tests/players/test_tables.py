"""How many house players a table needs: company for people, and room for them."""

import pytest
from pitboss.v1 import table_pb2

from services.players import tables

MOST = 3


def summary(game: str, places: int, house_players: int, people: int = 0, waiting: int = 0) -> table_pb2.TableSummary:
    """Return a test table as a list shows it."""
    return table_pb2.TableSummary(
        game=game,
        max_seats=places,
        seats_taken=house_players + people,
        house_players=house_players,
        waiting=waiting,
        test=True,
        template_id=game,
        title=tables.title(game),
    )


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        (summary("texas_holdem", 10, 0), 3),
        (summary("texas_holdem", 10, 3, people=2), 3),
        (summary("texas_holdem", 10, 3, people=7), 2),
        (summary("texas_holdem", 10, 0, people=10), 0),
        (summary("dou_dizhu", 3, 0), 3),
        (summary("dou_dizhu", 3, 3, waiting=1), 2),
        (summary("dou_dizhu", 3, 2, people=1), 2),
        (summary("dou_dizhu", 3, 0, people=3), 0),
    ],
)
def test_a_kept_table_is_played_at_and_has_room(table: table_pb2.TableSummary, wanted: int) -> None:
    """A seat stays free where a round takes fewer than all; where they do, the person who waits in line gets one."""
    assert tables.is_kept(table, table.game)
    assert tables.wanted_at_kept(table, MOST) == wanted


def test_a_table_of_people_gets_what_its_game_lacks() -> None:
    """Nobody joins an empty table or one with enough people; somebody alone gets as many as a round takes."""
    counts = [tables.wanted_at_helped(summary("dou_dizhu", 3, 0, people=people)) for people in range(4)]
    assert counts == [0, 2, 1, 0]


@pytest.mark.parametrize("change", [{"test": False}, {"private": True}, {"template_id": ""}, {"switched_off": True}])
def test_other_tables_are_left_alone(change: dict[str, bool | str]) -> None:
    """House players join no table of real money, no private one, and none with rules of its own."""
    table = summary("war", 4, 0, people=1)
    assert tables.is_open(table)
    for name, value in change.items():
        setattr(table, name, value)
    assert not tables.is_open(table)


def test_every_title_fits() -> None:
    """The title of each game's table is in three languages and as long as titles may be."""
    for game in ("texas_holdem", "tongbi_niu_niu", "blackjack", "spoil_five", "dou_dizhu"):
        assert tables.title(game).count(" · ") == 2
