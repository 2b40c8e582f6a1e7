"""A checkpoint kept in a file, and what it proves later about an export or the house's answers. Pure.

The file is JSON: ``form``, ``text`` (exactly as signed), ``signature`` and ``key_id`` in hex. ``tables`` holds for each
requested table its head and the path to the root; ``records`` holds for each requested record its text and path.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from services.audit import entry_signatures, proofs, statements
from services.audit.offline import Finding
from services.audit.statements import Statement
from services.eventlog import verify
from services.ledger.signatures import EntryKeys

FORM: Final = "pitboss checkpoint file v1"


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A table's head at the checkpoint, and the path from it to the root."""

    table: str
    version: int
    head_hash: str
    index: int
    path: list[str]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record (a ledger entry, a limit …): its kind, key and text, and the path from its leaf to the kind's root."""

    record: str
    key: str
    text: str
    index: int
    path: list[str]


class Cosignature(msgspec.Struct, frozen=True, kw_only=True):
    """A witness's signature (hex) over the text, and its key."""

    key_id: str
    signature: str


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the file."""

    form: str
    text: str
    signature: str
    key_id: str
    tables: list[Head] = msgspec.field(default_factory=list)
    records: list[Record] = msgspec.field(default_factory=list)
    cosignatures: list[Cosignature] = msgspec.field(default_factory=list)


def write(kept: Kept) -> str:
    """Return a file's text."""
    return msgspec.json.format(msgspec.json.encode(kept), indent=2).decode() + "\n"


def read(text: str) -> Kept:
    """Parse a file's text. Raises ValueError."""
    try:
        kept = msgspec.json.decode(text, type=Kept)
    except msgspec.DecodeError as error:
        raise ValueError(f"this is not a checkpoint file: {error}") from None
    if kept.form != FORM:
        raise ValueError(f"the file's form is {kept.form!r}; it should be {FORM!r}")
    return kept


def faults(kept: Kept, key: str = "", witness: str = "") -> Iterator[str]:
    """Yield the faults of the file itself: of its signatures and proofs.

    ``key`` is the house's key and ``witness`` its witness's, known from another source; if ``witness`` is given, its
    co-signature is required.
    """
    if key and key != kept.key_id:
        yield f"it is signed with key {kept.key_id}, the house's is {key}"
    try:
        signature = bytes.fromhex(kept.signature)
    except ValueError:
        signature = b""
    if not statements.signed_by(kept.text, signature, kept.key_id):
        yield f"the signature is not one of key {kept.key_id} over this text"
        return
    statement = statements.read(kept.text)
    if statement.key != kept.key_id:
        yield f"the text names key {statement.key}"
    yield from _cosigned(kept, witness)
    for head in kept.tables:
        if not _covered(statement, head):
            yield f"table {head.table}: version {head.version} and its hash are not in the checkpoint"
    for record in kept.records:
        if not _held(statement, record):
            yield f"{record.record} {record.key}: the record is not in the checkpoint"


def _cosigned(kept: Kept, witness: str) -> Iterator[str]:
    for one in kept.cosignatures:
        try:
            signature = bytes.fromhex(one.signature)
        except ValueError:
            signature = b""
        if not statements.signed_by(statements.cosigned(kept.text), signature, one.key_id):
            yield f"the co-signature is not one of witness {one.key_id} over this text"
    if witness and witness not in {one.key_id for one in kept.cosignatures}:
        yield f"witness {witness} has not co-signed it"


def unsigned(kept: Kept, entry_keys: EntryKeys) -> Iterator[str]:
    """Report the ledger entries in the file that are not signed by settlement."""
    for record in kept.records:
        if record.record == entry_signatures.TREE and not entry_signatures.text_is_signed(entry_keys, record.text):
            yield f"{record.record} {record.key}: it is not signed by settlement"


def _held(statement: Statement, record: Record) -> bool:
    try:
        kind, key = proofs.named_in(record.text)
        proven = proofs.holds(statement, record.record, msgspec.structs.asdict(record))
    except (ValueError, KeyError):
        return False
    return proven and (kind, key) == (record.record, record.key)


def _covered(statement: Statement, head: Head) -> bool:
    try:
        return proofs.covers(statement, head.table, msgspec.structs.asdict(head))
    except ValueError:
        return False


def against(kept: Kept, documents: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Finding | None]]:
    """Check exported rounds against the checkpoint; yield a finding for each of its tables, None where it holds.

    A table's head is in an export that contains the round in which the checkpoint was made. An export without that
    round yields a finding, because nothing can be checked.
    """
    wanted = {head.table: head for head in kept.tables}
    spans: dict[str, list[tuple[int, int]]] = {table: [] for table in wanted}
    found: dict[str, Finding | None] = {}
    for document in documents:
        head = wanted.get(str(document.get("table")))
        if head is None:
            continue
        events: Sequence[dict[str, Any]] = document["events"]
        spans[head.table].append((events[0]["version"], events[-1]["version"]))
        for event in events:
            if event["version"] == head.version:
                same = event["hash"] == head.head_hash
                detail = f"version {head.version}, hash: {head.head_hash} at the checkpoint, {event['hash']} here"
                found[head.table] = None if same else Finding(head.table, int(document["round"]), verify.FORK, detail)
    for table, head in wanted.items():
        if table in found:
            yield table, found[table]
        elif spans[table]:
            covers = f"versions {spans[table][0][0]} to {spans[table][-1][1]}"
            detail = f"the checkpoint's head, version {head.version}, is not among what was exported ({covers})"
            yield table, Finding(table, 0, verify.GAP, detail)
