"""The cache of opened names: no repeated reads, and no erased name."""

import pytest

from services.privacy import names as privacy_names
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.privacy.names import Connect, Names
from tests.privacy.destroying import destroy
from tests.support.served import Connection


async def test_names_are_shown_in_the_viewers_language(conn: Connection, keys: PlayerKeys, connect: Connect) -> None:
    """A sealed name is opened, a plain one stays; once its key is destroyed, each language has its word."""
    names = Names(keys, connect)
    sealed = await keys.seal(conn, "ann", texts.NAME, "Ann 安")
    stored = {"seats": [[0, sealed], [1, "Bob"]]}
    assert await names.shown(stored) == {"seats": [[0, "Ann 安"], [1, "Bob"]]}
    await destroy(conn, "ann")
    await names.refresh()
    words = [(await names.shown([sealed], language))[0] for language in ("", "zh-Hant", "zh-Hans")]
    assert words == ["erased", "已刪除", "已删除"]


async def test_an_opened_name_is_not_asked_for_again(conn: Connection, keys: PlayerKeys, connect: Connect) -> None:
    """A cached name is shown without the registry, until a beat reports that its key was destroyed."""
    names = Names(keys, connect)
    sealed = await keys.seal(conn, "ann", texts.NAME, "Ann")
    assert await names.shown(sealed) == "Ann"
    await destroy(conn, "ann")
    assert await names.shown(sealed) == "Ann", "the beat has not come yet"
    await names.refresh()
    assert await names.shown(sealed) == "erased"


async def test_old_knowledge_is_renewed_before_a_name_is_shown(
    conn: Connection, keys: PlayerKeys, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After too long without a beat a name is shown only after the erasures are read."""
    names = Names(keys, connect)
    sealed = await keys.seal(conn, "ann", texts.NAME, "Ann")
    assert await names.shown(sealed) == "Ann"
    await destroy(conn, "ann")
    monkeypatch.setattr(privacy_names, "OLDEST_SECONDS", 0.0)
    assert await names.shown(sealed) == "erased"


async def test_what_does_not_open_is_told_from_what_is_erased(
    conn: Connection, keys: PlayerKeys, connect: Connect
) -> None:
    """A changed text, and a key that this process cannot unwrap, are unreadable and not erased."""
    sealed = await keys.seal(conn, "ann", texts.NAME, "Ann")
    names = Names(keys, connect)
    assert await names.shown(sealed.replace(":name:", ":title:")) == "unreadable"
    await conn.execute("UPDATE player_keys SET wrapped = wrapped || '\\x00'::bytea")
    assert await Names(keys, connect).shown(sealed) == "unreadable"


async def test_what_is_kept_is_bounded(
    conn: Connection, keys: PlayerKeys, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond the bound the key that was used longest ago is forgotten, and every name is still shown."""
    monkeypatch.setattr(privacy_names, "MOST_KEYS", 3)
    monkeypatch.setattr(privacy_names, "MOST_TEXTS", 2)
    names = Names(keys, connect)
    players = [f"p{number}" for number in range(6)]
    sealed = [await keys.seal(conn, who, texts.NAME, f"Name of {who}") for who in players]
    assert await names.shown(sealed) == [f"Name of {who}" for who in players]
    own = [await keys.seal(conn, "p0", texts.NICKNAME, f"nick {number}") for number in range(5)]
    assert await names.shown(own) == [f"nick {number}" for number in range(5)]
    assert len(names._kept) <= 3
    assert max(len(kept.texts) for kept in names._kept.values()) <= 2
