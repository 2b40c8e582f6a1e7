"""Lists of tables by family: the same tables in every order, whatever way through the log finds them."""

import pytest

from services.dealer import table_list
from services.eventlog import log
from services.rules import catalogue
from tests.dealer.test_lobby import table
from tests.support.served import Connection


@pytest.mark.parametrize("order", table_list.ORDERS)
async def test_a_list_of_a_family_holds_its_open_tables_page_by_page(conn: Connection, order: str) -> None:
    """Every game of the family has a table in it, none of another family has, and closed ones are left out."""
    chosen = "survival"
    expected = [
        await table(conn, game=entry.id, family=entry.family) for entry in catalogue.games() if entry.family == chosen
    ]
    assert len(expected) > 2
    await table(conn, game="texas_holdem", family="poker")
    await table(conn, closed=True)
    by = table_list.ORDERS[order]
    after, got = by.first, list[str]()
    while page := await by.read(conn, {"closed": False, "family": chosen}, after, 2):
        got += [head.stream_id for head in page]
        after = by.key(page[-1])
    assert sorted(got) == sorted(expected)
    if order.startswith("create_time"):
        assert got == (expected[::-1] if order.endswith("desc") else expected)
    assert len(await log.list_streams(conn)) == len(expected) + 2
