"""A ledger entry without settlement's signature enters no checkpoint and is reported."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.audit import entry_signatures, ledgers, proofs, record_trees, statements
from services.leaves import records
from services.ledger import accounts, books, entries
from services.ledger.records import Entry
from services.ledger.signatures import EntryKey, EntryKeys
from services.rules.refusals import Refused
from tests.audit import signing
from tests.audit.signing import ENTRY_KEY, ENTRY_KEYS, House
from tests.support import ledger_entries as money

OTHER = EntryKey(bytes(32))


@pytest.fixture
async def house(fast_postgres_url: str) -> AsyncIterator[House]:
    """Yield a house of records that has signed its first checkpoint."""
    async with signing.house(fast_postgres_url) as found:
        await signing.live(found.owner, "ann")
        await found.signer.create()
        yield found


def deposit(amount: int = 100, player: str = "mallory", **fields: Any) -> Entry:
    """Make a deposit."""
    return money.entry(
        {accounts.cashier("CHIP", player): -amount, accounts.wallet("CHIP", player): amount}, kind="deposit", **fields
    )


async def refused(house: House) -> list[tuple[str, str, str]]:
    """Let the signer refuse, and return kind, record and key of its finding."""
    with pytest.raises(Refused, match="nothing is signed"):
        await house.signer.create()
    return [(one.kind, one.record, one.key) for one in house.signer.refused]


@pytest.mark.parametrize("key", [None, OTHER])
async def test_an_entry_without_settlements_signature_is_not_signed_for(house: House, key: EntryKey | None) -> None:
    """A consistent deposit without a valid signature is reported until it is removed."""
    forged = deposit()
    await books.post(house.owner, forged, key)
    kept = house.signer.last
    assert kept is not None
    named = [("forged", "entries", forged.entry_id)]
    assert await refused(house) == named
    await signing.live(house.owner, "bob")
    assert await refused(house) == named
    assert [(one.kind, one.record, one.key) for one in await house.held(kept)] == named
    async with house.pool.connection() as conn:
        [found] = await entry_signatures.of_posted(
            conn, ENTRY_KEYS, (await entries.named(conn, [forged.entry_id])).values()
        )
    assert found.entry_id == forged.entry_id
    for table in ("entries", "legs"):
        await house.tamper(f"DELETE FROM {table} WHERE entry_id = %s", forged.entry_id)
    await house.tamper("DELETE FROM accounts WHERE account = 'wallet:CHIP:mallory'")
    await house.signer.create()
    assert house.signer.refused == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE legs SET amount = amount * 2, balance_after = balance_after * 2 WHERE entry_id = %s",
        "UPDATE legs SET account = account || 'x' WHERE entry_id = %s AND account LIKE 'wallet:%%'",
        "UPDATE legs SET currency = 'TWD' WHERE entry_id = %s",
        "UPDATE entries SET actor = 'nobody' WHERE entry_id = %s",
        "UPDATE entries SET reason = 'nothing' WHERE entry_id = %s",
        "UPDATE entries SET request_key = 'another' WHERE entry_id = %s",
        "UPDATE entries SET kind = 'adjustment' WHERE entry_id = %s",
        "UPDATE entries SET \"table\" = 'a' WHERE entry_id = %s",
        "UPDATE entries SET round = 7 WHERE entry_id = %s",
        "UPDATE entries SET digest = sha256(digest) WHERE entry_id = %s",
        "DELETE FROM legs WHERE entry_id = %s",
        "UPDATE entries SET signature = NULL WHERE entry_id = %s",
        "UPDATE entries SET signature = (SELECT e.signature FROM entries e WHERE e.actor = 'eve') WHERE entry_id = %s",
    ],
)
async def test_a_signature_fits_its_own_entry_only(house: House, change: str) -> None:
    """A change of a signed entry, or of its signature, is reported before a checkpoint covers the entry."""
    other, own = deposit(7, "eve", actor="eve"), deposit()
    for entry in (other, own):
        await books.post(house.owner, entry, ENTRY_KEY)
    await house.tamper(change, own.entry_id)
    assert await refused(house) == [("forged", "entries", own.entry_id)]


async def test_a_leaf_put_in_by_hand_does_not_help(house: House) -> None:
    """A forged entry is reported even if the database's owner has stored its leaf."""
    forged = deposit()
    await books.post(house.owner, forged)
    async with house.pool.connection() as conn:
        one = (await records.named(conn, record_trees.KINDS["entries"], [forged.entry_id]))[forged.entry_id]
    await house.tamper("INSERT INTO proof_leaves VALUES ('entries', 1, %s, %s)", one.key, one.leaf)
    assert await refused(house) == [("forged", "entries", forged.entry_id)]


async def test_an_auditor_that_is_started_anew_knows_where_signing_began(house: House) -> None:
    """The signed text holds the leaf from which on entries are signed."""
    forged = deposit()
    await books.post(house.owner, forged)
    house.signer = house.auditor()
    assert await refused(house) == [("forged", "entries", forged.entry_id)]


async def test_an_entry_that_the_owner_vouches_for_is_signed_for(house: House) -> None:
    """An admitted entry enters its tree; every other one still needs its signature."""
    admitted, forged = deposit(), deposit(player="eve")
    await books.post(house.owner, admitted)
    house.signer = house.auditor(admitted.entry_id)
    await house.signer.create()
    await books.post(house.owner, forged)
    assert await refused(house) == [("forged", "entries", forged.entry_id)]


async def test_entries_from_before_signing_are_covered_as_they_were(fast_postgres_url: str) -> None:
    """Unsigned entries are accepted until the first signed one is seen; a later one is reported."""
    async with signing.house(fast_postgres_url) as house:
        early = deposit(player="ann")
        await books.post(house.owner, early)
        made = await house.signer.create()
        assert statements.read(made.body).signed_from is None
        await books.post(house.owner, deposit(player="bob"))
        await books.post(house.owner, deposit(player="eve"), ENTRY_KEY)
        made = await house.signer.create()
        assert statements.read(made.body).signed_from == 2
        assert await house.held(made) == []
        async with house.pool.connection() as conn:
            posted = await entries.named(conn, [early.entry_id])
            assert await entry_signatures.of_posted(conn, ENTRY_KEYS, posted.values()) == []
        late = deposit()
        await books.post(house.owner, late)
        assert await refused(house) == [("forged", "entries", late.entry_id)]


async def test_unsigned_and_signed_entries_mixed_are_told_apart_at_the_first_checkpoint(fast_postgres_url: str) -> None:
    """At the first checkpoint too, an unsigned entry after a signed one is reported."""
    async with signing.house(fast_postgres_url) as house:
        first, second, third = (deposit(player=player) for player in ("ann", "bob", "eve"))
        for entry, key in ((first, None), (second, ENTRY_KEY), (third, None)):
            await books.post(house.owner, entry, key)
        assert await refused(house) == [("forged", "entries", third.entry_id)]


async def test_a_rotated_key_checks_what_it_signed(house: House) -> None:
    """With both public keys in the settings, entries of the old and of the new key are valid."""
    await books.post(house.owner, deposit(), OTHER)
    keys = EntryKeys([OTHER.key_id, ENTRY_KEY.key_id])
    rows = [ledgers.line(one) for one in await entries.page(house.owner, entries.FIRST, 0, 1 << 60)]
    assert [entry_signatures.line_is_signed(keys, json.loads(row)) for row in rows] == [True, True]
    assert [entry_signatures.line_is_signed(ENTRY_KEYS, json.loads(row)) for row in rows] == [True, False]


async def test_a_signature_is_checked_offline(house: House) -> None:
    """The signature in a proof's text and in an export's line is valid, and invalid after any change."""
    entry = deposit(request_key=f"request {uuid.uuid4()}")
    await books.post(house.owner, entry, ENTRY_KEY)
    made = await house.signer.create()
    text = (await proofs.record(house.pool, made.number, "entries", entry.entry_id))["text"]
    assert entry_signatures.text_is_signed(ENTRY_KEYS, text)
    assert not entry_signatures.text_is_signed(EntryKeys([OTHER.key_id]), text)
    assert not entry_signatures.text_is_signed(ENTRY_KEYS, text.replace("100", "101"))
    told = json.loads(ledgers.line((await entries.named(house.owner, [entry.entry_id]))[entry.entry_id]))
    assert entry_signatures.line_is_signed(ENTRY_KEYS, told)
    for name in ("entry_id", "kind", "currency", "reason", "actor", "request_key", "digest", "signature"):
        assert not entry_signatures.line_is_signed(ENTRY_KEYS, told | {name: "00"})
    assert not entry_signatures.line_is_signed(ENTRY_KEYS, {})
