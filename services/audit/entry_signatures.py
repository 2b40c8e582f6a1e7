"""Check of settlement's signature on ledger entries: an entry that the database's owner adds by hand has none.

Signing begins at a leaf of the entries' tree that checkpoints name (``signed_from``). Every entry from there on must be
signed; earlier ones are covered by the checkpoints of their time.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from services.audit import record_trees, statements
from services.audit.findings import FORGED, Finding, of_record
from services.audit.statements import Statement
from services.eventlog import checkpoints, verify
from services.leaves import records, store
from services.leaves.records import Record
from services.ledger.entries import PostedEntry
from services.ledger.signatures import EntryKeys
from services.runtime.pools import Connection

TREE: Final = "entries"
PAGE: Final = 1000
AT_ONCE: Final = 50
"""Signatures checked before the event loop gets control; each takes about a tenth of a millisecond."""
EXPECTED: Final = "settlement's signature"


class ForgedEntries(Exception):
    """Some new entries are not signed by settlement."""

    def __init__(self, found: Sequence[Finding]) -> None:
        super().__init__(f"{len(found)} entries are not signed by settlement")
        self.found = list(found)


class EntryWatch:
    """Checks entries before they enter their tree, and remembers the checked ones until a checkpoint covers them."""

    def __init__(self, keys: EntryKeys) -> None:
        self._keys = keys
        self._seen: set[bytes] = set()
        self._begun = False

    async def admit(self, new: Sequence[Record], before: Statement | None) -> None:
        """Check records that are about to become leaves. Raises ForgedEntries; then none of them becomes one."""
        begun = self._begun or (before is not None and before.signed_from is not None)
        found: list[Finding] = []
        good: list[bytes] = []
        for at, one in enumerate(new):
            begun = begun or signature_of(one) is not None
            if begun:
                found += fault(self._keys, one)
                good.append(one.leaf)
            if at % AT_ONCE == 0:
                await asyncio.sleep(0)
        if found:
            raise ForgedEntries(found)
        self._begun = begun
        self._seen.update(good)

    async def of_leaves(
        self, conn: Connection, before: Statement | None, size: int
    ) -> tuple[int | None, list[Finding]]:
        """Return the leaf from which on entries are signed, and the leaves since the last checkpoint that are not."""
        held = before.trees.get(TREE) if before is not None else None
        first = at = held.size if held is not None else 0
        begins = before.signed_from if before is not None else None
        found: list[Finding] = []
        while at < size and (page := await store.keyed_leaves(conn, TREE, at, size, PAGE)):
            unseen = [key for _, key, leaf in page if bytes(leaf) not in self._seen]
            there = await records.named(conn, record_trees.KINDS[TREE], unseen) if unseen else {}
            for position, key, leaf in page:
                if bytes(leaf) in self._seen:
                    begins = position if begins is None else begins
                    continue
                one = there.get(key)
                if begins is None and one is not None and signature_of(one) is not None:
                    begins = position
                if begins is not None:
                    found += _of_leaf(self._keys, key, bytes(leaf), one)
            at += len(page)
            await asyncio.sleep(0)
        return (size if begins is None and first == size else begins), found

    def signed_for(self) -> None:
        """Forget the entries that a checkpoint covers now."""
        self._seen.clear()


def signature_of(record: Record) -> str | None:
    """Return the signature (hex) in an entry's text; None where it has none."""
    found: str | None = msgspec.json.decode(record.text, type=dict[str, Any]).get("signature")
    return found


def text_is_signed(keys: EntryKeys, text: str) -> bool:
    """Return whether the text of an entry, as in proofs, is signed; False for a text that is not a whole entry."""
    try:
        told = msgspec.json.decode(text, type=dict[str, Any])
        legs = list(zip(told["accounts"], told["amounts"], strict=True))
        fits = len(legs) == told["size"] and set(told["currencies"]) == {told["currency"]}
        return fits and keys.signed(told, legs, bytes.fromhex(told["signature"]))
    except (ValueError, KeyError, TypeError, msgspec.MsgspecError):
        return False


def line_is_signed(keys: EntryKeys, told: Mapping[str, Any]) -> bool:
    """Return whether an entry, as in the ledger's export, is signed; False for a text that is not a whole entry."""
    try:
        legs = [(str(leg["account"]), int(leg["amount"])) for leg in told["legs"]]
        return keys.signed(told, legs, bytes.fromhex(told["signature"]))
    except (ValueError, KeyError, TypeError):
        return False


def fault(keys: EntryKeys, record: Record) -> list[Finding]:
    """Return what is wrong with the signature of an entry's record; empty where it is valid."""
    if text_is_signed(keys, record.text) or keys.admits(record.key):
        return []
    return [of_record(TREE, record.key, FORGED, "signature", EXPECTED, said(signature_of(record)))]


def said(signature: str | None) -> str:
    """Describe what is wrong with the signature of an entry."""
    return "none: it was put in past settlement" if signature is None else "one of no key of settlement over this entry"


async def of_keys(conn: Connection, keys: EntryKeys, ids: Sequence[str]) -> list[Finding]:
    """Return those of these entries that are not signed."""
    found: list[Finding] = []
    for at in range(0, len(ids), AT_ONCE):
        there = await records.named(conn, record_trees.KINDS[TREE], ids[at : at + AT_ONCE])
        for one in there.values():
            found += fault(keys, one)
        await asyncio.sleep(0)
    return found


async def of_posted(conn: Connection, keys: EntryKeys, posted: Iterable[PostedEntry]) -> list[PostedEntry]:
    """Return the unsigned entries among those since signing began."""
    suspects = [
        one for one in posted if not line_is_signed(keys, msgspec.to_builtins(one)) and not keys.admits(one.entry_id)
    ]
    found: list[PostedEntry] = []
    begins = await _begins(conn) if suspects else None
    for one in suspects:
        place = await store.position(conn, TREE, one.entry_id)
        before = place is not None and begins is not None and place[0] < begins
        if one.signature is not None or not (before or begins is None):
            found.append(one)
    return found


async def _begins(conn: Connection) -> int | None:
    last = await checkpoints.last(conn)
    return None if last is None else statements.read(last.body).signed_from


def _of_leaf(keys: EntryKeys, key: str, leaf: bytes, record: Record | None) -> list[Finding]:
    if record is None:
        return [of_record(TREE, key, verify.GAP, "record", leaf.hex(), "it is missing")]
    if record.leaf != leaf:
        return [of_record(TREE, key, verify.EDIT, "record", leaf.hex(), f"{record.leaf.hex()}: it was changed")]
    return fault(keys, record)
