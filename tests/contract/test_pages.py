"""Pages: their size, their order, and tokens that hold for one list and one filter."""

import base64
from typing import Any

import msgspec
import pytest
from pitboss.v1 import back_office_pb2, dealer_pb2, wallet_pb2

from services.contract import pages
from services.rules.refusals import Reason, Refused

MOST = 100
TABLE = "00000000-0000-0000-0000-00000000000a"
PLACE = tuple[pages.Number, pages.Id]


def listing(**wanted: Any) -> dealer_pb2.ListTablesRequest:
    """Return a request for tables."""
    return dealer_pb2.ListTablesRequest(**wanted)


@pytest.mark.parametrize(("asked", "rows"), [(0, 50), (1, 1), (100, 100), (101, 100), (2**31 - 1, 100)])
def test_a_size_above_the_bound_is_the_bound(asked: int, rows: int) -> None:
    """No size is the default, a large one the bound [AIP-158]."""
    assert pages.size(listing(page_size=asked), MOST) == rows


@pytest.mark.parametrize("asked", [-1, -(2**31)])
def test_a_negative_size_is_refused(asked: int) -> None:
    """The refusal names the field."""
    with pytest.raises(Refused, match="page_size") as caught:
        pages.size(listing(page_size=asked), MOST)
    assert caught.value.reason is Reason.INVALID_ARGUMENT


def test_a_token_leads_to_the_next_page_of_the_same_filter_only() -> None:
    """It holds whatever the size of the pages, and for no other filter, and no other list."""
    token = pages.token(listing(game="war", page_size=3), (5, TABLE))
    assert pages.after(listing(game="war", page_size=9, page_token=token), PLACE, (0, TABLE)) == (5, TABLE)
    others: list[Any] = [
        listing(game="loo", page_token=token),
        listing(game="war", stake=0, page_token=token),
        listing(page_token=token),
        wallet_pb2.ListStatementLinesRequest(page_token=token),
    ]
    for other in others:
        with pytest.raises(Refused, match="page_token"):
            pages.after(other, PLACE, (0, TABLE))


def test_the_first_page_has_no_token() -> None:
    """Without a token the list begins with the first row."""
    assert pages.after(listing(), pages.Number, 7) == 7


@pytest.mark.parametrize(
    "key", [(-1, TABLE), (2**63, TABLE), (1, "x"), (1, TABLE + "\n"), (1,), 1, "1", None, (1, TABLE, 1)]
)
def test_a_key_that_no_row_has_is_refused(key: Any) -> None:
    """Numbers beyond 64 bits, and ids that are not one, never reach the database."""
    request = listing()
    request.page_token = pages.token(request, key)
    with pytest.raises(Refused, match="page_token"):
        pages.after(request, PLACE, (0, TABLE))


@pytest.mark.parametrize(
    ("kind", "number"),
    [(pages.Number, 0), (pages.Number, 2**63 - 1), (pages.Integer, -(2**63)), (pages.Integer, 2**63 - 1)],
)
def test_every_number_that_a_row_can_have_is_a_key(kind: Any, number: int) -> None:
    """The least and the greatest number of 64 bits lead to the next page like any other."""
    request = listing()
    request.page_token = pages.token(request, number)
    assert pages.after(request, kind, 7) == number


def test_a_text_with_a_zero_is_refused() -> None:
    """Postgres stores no such text."""
    request = back_office_pb2.ListGamePerformanceRequest()
    request.page_token = pages.token(request, "a\0b")
    with pytest.raises(Refused, match="page_token"):
        pages.after(request, pages.Word, "")


def test_a_token_has_one_form() -> None:
    """Padding, other alphabets, trailing bytes and cut tokens are refused."""
    request = listing()
    good = pages.token(request, 5)
    packed = base64.urlsafe_b64decode(good + "=" * (-len(good) % 4))
    trailing = base64.urlsafe_b64encode(packed + b"\0").decode().rstrip("=")
    for token in (good + "=", good + "\n", " " + good, good[:-1], trailing, "é", "x" * 10_000, "_", "\0"):
        request.page_token = token
        with pytest.raises(Refused, match="page_token"):
            pages.after(request, pages.Number, 0)
    request.page_token = good
    assert pages.after(request, pages.Number, 0) == 5
    assert msgspec.msgpack.decode(packed)[1] == 5


def test_a_page_is_cut_where_more_rows_were_found() -> None:
    """The last page has no token."""
    request = listing()
    shown, token = pages.cut(request, [1, 2, 3], 2, lambda row: row)
    request.page_token = token
    assert (shown, pages.after(request, pages.Number, 0)) == ([1, 2], 2)
    assert pages.cut(request, [1, 2], 2, lambda row: row) == ([1, 2], "")
    assert pages.cut(request, [], 2, lambda row: row) == ([], "")
