"""People at a table: opaque ids, names that differ, addresses of pictures."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract import wire_tables
from services.privacy import texts
from services.privacy.texts import PlayerKey
from services.rules import personal
from services.table import events, money, persons
from tests.support.sittings import Sitting

ANN = PlayerKey("0a1b2c3d4e5f6071", bytes(range(32)))
OTHER = PlayerKey("1a1b2c3d4e5f6072", bytes(range(1, 33)))


def seated(sitting: Sitting, key: PlayerKey, player: str, name: str, picture: str = "") -> None:
    """Seat a player under a sealed name."""
    taken = money.choose_seat(
        sitting.table.core,
        player=player,
        name=texts.seal_text(key, texts.NAME, name),
        test=True,
        seat=None,
        buy_in=500,
        avatar=texts.seal_text(key, texts.AVATAR, picture) if picture else "",
    )
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=taken)])


def opened(*held: PlayerKey) -> personal.Show:
    """Return what opens the texts of these keys; all others were erased."""
    keys = {key.key_id: key for key in held}

    def show(stored: str) -> str:
        if not personal.is_sealed(stored):
            return stored
        key = keys.get(personal.key_id_of(stored))
        return personal.ERASED.en if key is None else texts.open_text(key, stored)

    return show


def test_an_id_is_of_the_player_not_of_the_name() -> None:
    """All names of one key have one id, another key has another; neither key nor subject is in it."""
    one = persons.player_id(texts.seal_text(ANN, texts.NAME, "ann"))
    assert one == persons.player_id(texts.seal_text(ANN, texts.NAME, "Anna"))
    assert one != persons.player_id(texts.seal_text(OTHER, texts.NAME, "ann"))
    assert len(one) == persons.ID_CHARACTERS
    assert set(one) <= set(string.hexdigits)
    assert one not in ANN.key_id
    assert persons.player_id("a name of an old log") == ""


def test_two_players_of_one_name_are_told_apart() -> None:
    """Two are called ann, in whatever spelling: each is shown with the beginning of its own id, a third as it is."""
    sitting = Sitting("texas_holdem")
    seated(sitting, ANN, "p0", "ann")
    seated(sitting, OTHER, "p1", "ANN")
    seated(sitting, PlayerKey("2a1b2c3d4e5f6073", bytes(32)), "p2", "bob")
    view = wire_tables.view(sitting.table, 0, opened(ANN, OTHER, PlayerKey("2a1b2c3d4e5f6073", bytes(32))))
    ids = [seat.player_id for seat in view.seats]
    assert [seat.name for seat in view.seats] == [f"ann·{ids[0][:4]}", f"ANN·{ids[1][:4]}", "bob"]
    assert len(set(ids)) == 3


def test_results_show_the_same_names_as_seats() -> None:
    """The names of the last result are those of the seats."""
    sitting = Sitting("tongbi_san_gong")
    seated(sitting, ANN, "p0", "ann")
    seated(sitting, OTHER, "p1", "ann")
    sitting.start()
    sitting.on_timeout()
    while sitting.table.round is not None:
        sitting.on_timeout()
    sitting.settle()
    view = wire_tables.view(sitting.table, None, opened(ANN, OTHER))
    assert [seat.name for seat in view.last_result.seats] == [seat.name for seat in view.seats]


@given(
    st.dictionaries(
        st.integers(0, 9),
        st.tuples(
            st.sampled_from(["ann", "Ann", "ANN·aaaa", "ann·aaaa", "bob", ""]), st.sampled_from(["aaaa1", "aaaa2", ""])
        ),
    )
)
def test_no_two_seats_show_the_same_name(people: dict[int, tuple[str, str]]) -> None:
    """Whatever names people choose and however ids begin, the names shown at one table differ."""
    shown = persons.told_apart(people)
    assert shown.keys() == people.keys()
    assert len({persons.folded(name) for name in shown.values()}) == len(people)
    for seat, name in shown.items():
        assert name.startswith(people[seat][0])


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("https://pictures.example/ann.png", True),
        ("https://pictures.example:8443/a?size=64#x", True),
        ("http://pictures.example/ann.png", False),
        ("javascript:alert(1)", False),
        ("https://user:word@pictures.example/", False),
        ('https://pictures.example/"onload="x', False),
        ("https://pictures.example/\u202egnp.nna", False),
        ("https://pictures.example/" + "a" * 500, False),
        ("", False),
    ],
)
def test_an_avatar_is_a_plain_https_address(address: str, *, is_one: bool) -> None:
    """Only an address that a front end may load as it is counts."""
    assert persons.is_avatar(address) is is_one


def test_an_erased_player_shows_neither_name_nor_picture() -> None:
    """With the key gone the seat shows that the name was erased, and no picture."""
    sitting = Sitting("texas_holdem")
    seated(sitting, ANN, "p0", "ann", "https://pictures.example/ann.png")
    [shown] = wire_tables.view(sitting.table, 0, opened(ANN)).seats
    assert (shown.name, shown.avatar) == ("ann", "https://pictures.example/ann.png")
    [gone] = wire_tables.view(sitting.table, 0, opened()).seats
    assert (gone.name, gone.avatar) == (personal.ERASED.en, "")
    assert gone.player_id == shown.player_id


def test_a_seat_with_a_picture_is_replayed() -> None:
    """The log restates the sealed address with the seat, and replays to the same bytes."""
    sitting = Sitting("texas_holdem")
    seated(sitting, ANN, "p0", "ann", "https://pictures.example/ann.png")
    seated(sitting, OTHER, "p1", "bob")
    sitting.start()
    again = sitting.again()
    assert not again.differences
    assert again.table is not None
    assert again.table.core.seats == sitting.table.core.seats
