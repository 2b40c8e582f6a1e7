"""Texts sealed under a player's key: opened with it, and with nothing else."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import seal
from services.privacy import texts
from services.privacy.texts import PlayerKey
from services.rules import personal

HELD = PlayerKey("0a1b", bytes(range(32)))


@given(st.text(max_size=80))
def test_what_is_sealed_opens_again(text: str) -> None:
    """Any text is opened again, is recognised as sealed, and names its key."""
    sealed = texts.seal_text(HELD, texts.NAME, text)
    assert texts.open_text(HELD, sealed) == text
    assert personal.is_sealed(sealed)
    assert personal.key_id_of(sealed) == HELD.key_id
    assert personal.sealed_within(f'{{"name":"{sealed}"}}') == [sealed]


def test_a_sealed_text_is_frozen() -> None:
    """The form never changes: what was sealed by an older release opens."""
    sealed = (
        "sealed:name:0a1b:"
        "ey2ijzcr6djug4set7q6dkezjpjy7ksc3lla4ewe7plpyilstwthscd4vi5wccqi7flendubvumq7tkcsi5c3ee34mf52bjp"
    )
    assert texts.open_text(HELD, sealed) == "Ann 安"
    assert texts.seal_text(HELD, texts.NAME, "Ann 安") == sealed


def test_the_same_text_is_the_same_for_one_key_and_field_only() -> None:
    """Equal texts of one player compare equal; those of another player, or of another kind, do not."""
    other = PlayerKey("0c1d", bytes(range(32)))
    sealed = {
        texts.seal_text(HELD, texts.NAME, "ann"),
        texts.seal_text(HELD, texts.NAME, "ann"),
        texts.seal_text(HELD, texts.TITLE, "ann"),
        texts.seal_text(other, texts.NAME, "ann"),
    }
    assert len({one.rpartition(":")[2] for one in sealed}) == 3


@given(st.text(max_size=80), st.sampled_from(["name", "title", "nickname", "reason"]))
def test_a_sealed_text_holds_no_word_of_a_card(text: str, field: str) -> None:
    """Between its colons stand letters and digits only, and none of these parts is as short as a card is written."""
    parts = texts.seal_text(HELD, field, text).split(":")
    assert all(part.isascii() and part.isalnum() and len(part) > 3 for part in parts)


@pytest.mark.parametrize("length", [1, 5, 31])
def test_the_length_tells_little(length: int) -> None:
    """Texts of up to 31 bytes are sealed at one length."""
    assert len(texts.seal_text(HELD, texts.NAME, "x" * length)) == len(texts.seal_text(HELD, texts.NAME, "y"))


def _changed(sealed: str) -> list[str]:
    head, _, body = sealed.rpartition(":")
    raw = bytearray(base64.b32decode(body.upper()))
    raw[-1] ^= 1
    return [
        sealed.replace(":name:", ":title:"),
        sealed.replace("0a1b", "0a1c"),
        sealed[:-8],
        f"{head}:{base64.b32encode(raw).decode().lower()}",
        f"{head}:{base64.urlsafe_b64encode(raw).decode()}",
        f"{head}:{body.upper()}",
        f"{sealed}======",
        f"{head}:",
        "sealed:",
        "sealed:name:0a1b:é",
    ]


@pytest.mark.parametrize("changed", _changed(texts.seal_text(HELD, texts.NAME, "ann")))
def test_a_changed_text_does_not_open(changed: str) -> None:
    """Another field, another key id, and cut or changed bytes are each reported, and no text is returned."""
    with pytest.raises(seal.TamperedError):
        texts.open_text(HELD, changed)


def test_a_printed_key_shows_nothing() -> None:
    """A key in a log line or traceback is its id."""
    assert repr(HELD) == "PlayerKey('0a1b')"


def test_sealed_texts_are_found_and_shown_however_deep() -> None:
    """In a value of JSON every sealed text is found and replaced, and nothing else."""
    sealed = texts.seal_text(HELD, texts.NAME, "ann")
    value = {"a": [[0, sealed], [1, "plain"]], "b": {"c": sealed, "n": 3}, "d": None}
    assert list(personal.sealed_in(value)) == [sealed, sealed]
    assert personal.shown_in(value, personal.veiled) == {
        "a": [[0, "erased"], [1, "plain"]],
        "b": {"c": "erased", "n": 3},
        "d": None,
    }
