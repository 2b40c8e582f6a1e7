"""Cards as text, and the packs."""

import pytest

from services.rules import cards


def test_parse_reads_from_the_top_whatever_the_spaces() -> None:
    """Spaces and line breaks are free, jokers and tiles are cards."""
    assert cards.parse(" As Td\n2c  XrXb 0t9t ") == ["As", "Td", "2c", "Xr", "Xb", "0t", "9t"]


def test_parse_of_nothing_is_no_card() -> None:
    """An empty deck is written as an empty text."""
    assert cards.parse("  \n") == []


@pytest.mark.parametrize("text", ["1s", "10h", "as", "A", "Xs", "At", "??", "A s d", "Ass"])
def test_parse_names_the_first_piece_that_is_no_card(text: str) -> None:
    """Text that is not a card is refused, and the piece at fault is named."""
    with pytest.raises(ValueError, match="is not a card"):
        cards.parse(text)


def test_packs_hold_what_their_names_say() -> None:
    """52 different cards, two jokers more, and four each of ten tiles."""
    assert len(set(cards.PACK_52)) == len(cards.PACK_52) == 52
    assert set(cards.PACK_54) == {*cards.PACK_52, "Xr", "Xb"}
    assert len(cards.PACK_54) == 54
    assert {tile: cards.TILES_40.count(tile) for tile in cards.TILES_40} == {f"{n}t": 4 for n in range(10)}


def test_every_card_is_written_and_read_alike() -> None:
    """Show and parse are inverse for all packs; a hidden card is not a card."""
    for pack in (cards.PACK_52, cards.PACK_54, cards.TILES_40):
        assert cards.parse(cards.show(pack)) == list(pack)
        assert all(cards.is_card(card) for card in pack)
    assert not cards.is_card(cards.HIDDEN)


def test_rank_and_suit_are_the_two_letters() -> None:
    """A card is its rank, then its suit."""
    assert (cards.rank("Td"), cards.suit("Td")) == ("T", "d")


def test_suit_orders_are_those_of_the_sheets() -> None:
    """Low to high: c d h s in the home games, d c h s in the online games [rules "Cards"]."""
    assert cards.SUITS == "cdhs"
    assert cards.ONLINE_SUITS == "dchs"
