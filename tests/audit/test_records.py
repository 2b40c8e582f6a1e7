"""No ledger entry, record of the registry or stored answer changes unnoticed under signed checkpoints."""

from collections.abc import AsyncIterator

import psycopg
import pytest

from services.audit import proofs, record_trees, statements, watch
from services.audit.record_trees import KINDS
from services.eventlog import log
from services.leaves import records
from services.ledger import accounts, books, checks
from services.registry import figures
from services.rules.refusals import Refused
from tests.audit import signing
from tests.audit.signing import House
from tests.support import ledger_entries as money
from tests.support import log_events

CHANGES = {
    "entries": "reason = reason || '!'",
    "requests": "answer = 'other'",
    "switches": "off = false",
    "limits": "amount = 1",
    "adjustments": "amount = amount + 1",
    "adjustment_decisions": "decided_by = 'carla'",
    "void_requests": "at_risk = at_risk + 1",
    "void_decisions": "approved = false",
    "erasure_requests": "reason = 'another'",
    "erasure_decisions": "decided_by = 'carla'",
    "player_erasures": "asked_by = 'nobody'",
    "templates": "terms = terms || ' '",
    "template_decisions": "approved = false",
    "template_retirements": "retired_by = 'nobody'",
    "significant_events": "actor = 'nobody'",
    "rounds": "rake = rake + 1",
    "round_seats": "staked = staked - 1, chips_after = chips_after + 1",
    "pool_shares": "chips = chips + 1",
}
"""A change of each kind of record; the first test fails for a kind without one."""


@pytest.fixture
async def house(fast_postgres_url: str) -> AsyncIterator[House]:
    """Yield a house of records."""
    async with signing.house(fast_postgres_url) as found:
        yield found


def test_every_kind_of_record_has_its_attack() -> None:
    """Every proven kind of record has an attack here."""
    assert set(CHANGES) == set(KINDS)


async def test_one_of_each_kind_is_proven_offline(house: House) -> None:
    """The text of every record leads to the signed root by a few hashes; another text does not."""
    keys = [await signing.live(house.owner, player) for player in ("ann", "bob", "eve")]
    made = await house.signer.create()
    statement = statements.read(made.body)
    assert {tree: grown.size for tree, grown in statement.trees.items()} == dict.fromkeys(KINDS, 3)
    for tree in KINDS:
        for which in range(3):
            proof = await proofs.record(house.pool, made.number, tree, keys[which][tree])
            assert keys[which][tree] in proof["text"]
            assert proofs.holds(statement, tree, proof)
            assert not proofs.holds(statement, tree, proof | {"text": proof["text"] + " "})
            assert not proofs.holds(statement, tree, proof | {"index": (which + 1) % 3})
    assert await house.held(made) == []
    with pytest.raises(Refused, match="covers no record"):
        await proofs.record(house.pool, made.number, "limits", "99")


async def test_the_answer_to_a_request_that_changed_nothing_is_proven(house: House) -> None:
    """It belongs to no event, and is under the signed root as every answer: proven, and missed where it is gone."""
    stream = log_events.stream()
    await log.append(house.owner, [log_events.one(stream, 0, key="first")])
    await log.append(house.owner, [log_events.nothing(stream, 1, "idle", answer=b"as before")])
    made = await house.signer.create()
    proof = await proofs.record(house.pool, made.number, "requests", "idle")
    assert proofs.holds(statements.read(made.body), "requests", proof)
    assert b"as before".hex() in proof["text"]
    assert await house.held(made) == []
    await house.tamper("UPDATE requests SET answer = 'other' WHERE request_key = %s", "idle")
    assert [(one.kind, one.record, one.key) for one in await house.held(made)] == [("edit", "requests", "idle")]
    await house.tamper("DELETE FROM requests WHERE request_key = %s", "idle")
    assert [(one.kind, one.record, one.key) for one in await house.held(made)] == [("gap", "requests", "idle")]


@pytest.mark.parametrize("tree", CHANGES)
async def test_a_changed_record_is_named(house: House, tree: str) -> None:
    """A changed field of one record is reported with kind and key, and nothing else is."""
    keys = [await signing.live(house.owner, player) for player in ("ann", "bob", "eve")]
    made = await house.signer.create()
    key = keys[1][tree]
    await house.tamper(f"UPDATE {KINDS[tree].table} SET {CHANGES[tree]} WHERE {KINDS[tree].key}::text = %s", key)
    [found] = await house.held(made)
    assert (found.kind, found.record, found.key) == ("edit", tree, key)
    with pytest.raises(Refused, match="was changed since it was signed"):
        await proofs.record(house.pool, made.number, tree, key)


@pytest.mark.parametrize("tree", CHANGES)
async def test_a_deleted_record_is_named(house: House, tree: str) -> None:
    """A removed record is a gap with its key."""
    keys = [await signing.live(house.owner, player) for player in ("ann", "bob")]
    made = await house.signer.create()
    await house.tamper(f"DELETE FROM {KINDS[tree].table} WHERE {KINDS[tree].key}::text = %s", keys[0][tree])
    found = await house.held(made)
    assert ("gap", tree, keys[0][tree]) in {(one.kind, one.record, one.key) for one in found}
    assert {one.record for one in found} <= {tree, "accounts"}


@pytest.mark.parametrize("tree", CHANGES)
async def test_a_record_with_a_moment_of_the_past_is_named(house: House, tree: str) -> None:
    """A record that is inserted among past ones is not in its tree and is reported as inserted."""
    await signing.live(house.owner, "ann")
    made = await house.signer.create()
    late = await signing.live(house.owner, "bob")
    kind = KINDS[tree]
    await house.tamper(f"UPDATE {kind.table} SET at = at - interval '1 hour' WHERE {kind.key}::text = %s", late[tree])
    found = await house.held(made)
    assert [(one.kind, one.record, one.key) for one in found] == [("inserted", tree, late[tree])]
    await house.tamper(f"UPDATE {kind.table} SET at = '-infinity' WHERE {kind.key}::text = %s", late[tree])
    assert [(one.kind, one.key) for one in await house.held(made)] == [("inserted", late[tree])]


async def test_the_stakes_behind_a_reached_limit_do_not_vanish_unseen(house: House) -> None:
    """A round deleted to lift a stake limit is reported by check and watch, and nothing is signed."""
    keys = [await signing.live(house.owner, player) for player in ("ann", "bob")]
    made = await house.signer.create()
    assert await figures.staked_and_lost(house.owner, "ann", "CHIP", 0) == (signing.STAKED, signing.STAKED)
    await house.tamper("DELETE FROM round_seats WHERE player = 'ann'")
    assert await figures.staked_and_lost(house.owner, "ann", "CHIP", 0) == (0, 0)
    [found] = await house.held(made)
    assert (found.kind, found.record, found.key) == ("gap", "round_seats", keys[0]["round_seats"])
    await watch.Watch(house.pool, house.signer, signing.ENTRY_KEYS).once()
    with pytest.raises(Refused, match="nothing is signed"):
        await house.signer.create()
    assert found in house.signer.refused


async def test_figures_made_again_from_the_log_are_those_that_were_signed(house: House) -> None:
    """Lost rows that are rebuilt at a later moment pass the check."""
    await signing.live(house.owner, "ann")
    made = await house.signer.create()
    for table in ("round_seats", "rounds", "pool_shares"):
        await house.tamper(f"DELETE FROM {table}")
    assert {one.record for one in await house.held(made)} == {"round_seats", "rounds", "pool_shares"}
    await signing.play(house.owner, "ann")
    assert await house.held(made) == []


async def test_leaves_that_are_changed_with_their_record_do_not_help(house: House) -> None:
    """The signed root exposes a record that was rewritten together with its kept leaf."""
    keys = await signing.live(house.owner, "ann")
    made = await house.signer.create()
    kind = KINDS["limits"]
    await house.tamper("UPDATE limits SET amount = 1 WHERE number::text = %s", keys["limits"])
    async with house.pool.connection() as conn:
        changed = (await records.named(conn, kind, [keys["limits"]]))[keys["limits"]]
    await house.tamper("UPDATE proof_leaves SET hash = %s WHERE tree = 'limits' AND position = 0", changed.leaf)
    [found] = await house.held(made)
    assert (found.kind, found.field, "with them the records" in found.found) == ("checkpoint", "records limits", True)
    await house.tamper("UPDATE proof_leaves SET key = 'no number' WHERE tree = 'limits' AND position = 0")
    assert ("gap", "limits", "no number") in {(one.kind, one.record, one.key) for one in await house.held(made)}


async def test_a_record_that_is_committed_late_is_not_left_out(house: House, fast_postgres_url: str) -> None:
    """An entry posted before a checkpoint and committed after it enters with the next one, behind younger ones."""
    async with await psycopg.AsyncConnection.connect(fast_postgres_url, autocommit=True) as late:
        async with late.transaction():
            early = money.entry({accounts.cashier("CHIP", "zoe"): -5, accounts.wallet("CHIP", "zoe"): 5})
            await books.post(late, early, signing.ENTRY_KEY)
            await signing.live(house.owner, "ann")
            first = statements.read((await house.signer.create()).body)
            assert first.trees["entries"].size == 1
        await signing.live(house.owner, "ann")
        made = await house.signer.create()
    assert statements.read(made.body).trees["entries"].size == 3
    proof = await proofs.record(house.pool, made.number, "entries", early.entry_id)
    assert proofs.holds(statements.read(made.body), "entries", proof)
    assert await house.held(made) == []


async def test_a_house_made_before_is_taken_in_whole(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first checkpoint with trees adds all earlier records, page by page."""
    monkeypatch.setattr(record_trees, "PAGE", 2)
    for player in ("ann", "bob", "eve"):
        await signing.live(house.owner, player)
    for kind in KINDS.values():
        await house.tamper(f"UPDATE {kind.table} SET at = at - interval '3 years'")
    made = await house.signer.create()
    assert {grown.size for grown in statements.read(made.body).trees.values()} == {3}
    assert await house.held(made) == []


async def test_chips_moved_between_accounts_are_named(house: House) -> None:
    """Chips moved between legs are reported with the entry, even if all later balances add up."""
    for player in ("ann", "bob"):
        await signing.live(house.owner, player)
    ann, bob = (accounts.wallet("CHIP", player) for player in ("ann", "bob"))
    moved = money.entry({ann: -50, bob: 50})
    await books.post(house.owner, moved, signing.ENTRY_KEY)
    made = await house.signer.create()
    for account, by in ((ann, 20), (bob, -20)):
        change = "UPDATE legs SET amount = amount + %s, balance_after = balance_after + %s"
        await house.tamper(f"{change} WHERE entry_id = %s AND account = %s", by, by, moved.entry_id, account)
        await house.tamper("UPDATE accounts SET balance = balance + %s WHERE account = %s", by, account)
    assert await checks.imbalance(house.owner) == 0
    [found] = await house.held(made)
    assert (found.kind, found.record, found.key) == ("edit", "entries", moved.entry_id)


async def test_an_account_that_its_legs_deny_is_named(house: House) -> None:
    """A changed balance or kind of account, and legs without an entry, are reported with account and line."""
    await signing.live(house.owner, "ann")
    ann = accounts.wallet("CHIP", "ann")
    made = await house.signer.create()
    await house.tamper("UPDATE accounts SET balance = balance + 5 WHERE account = %s", ann)
    assert [(one.key, one.field, one.kind) for one in await house.held(made)] == [(ann, "balance", "ledger")]
    await house.tamper("UPDATE accounts SET balance = balance - 5, may_be_negative = true WHERE account = %s", ann)
    assert [(one.key, one.field, one.kind) for one in await house.held(made)] == [(ann, "balance", "ledger")]
    await house.tamper("UPDATE accounts SET may_be_negative = false, lines = 2, balance = 150 WHERE account = %s", ann)
    await house.tamper(
        "INSERT INTO legs SELECT gen_random_uuid(), line, account, 2, currency, 50, 150, size FROM legs"
        " WHERE account = %s",
        ann,
    )
    assert [(one.key, one.field, one.kind) for one in await house.held(made)] == [(ann, "line 2", "ledger")]


async def test_nobody_but_the_auditor_writes_leaves_and_nobody_changes_them(house: House) -> None:
    """The roles of dealer and settlement cannot store a leaf, and nobody can change one."""
    await signing.live(house.owner, "ann")
    await house.signer.create()
    for role in ("pitboss_dealer", "pitboss_settlement"):
        await house.owner.execute(f"SET ROLE {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await house.owner.execute("SELECT store_leaves('limits', 1, '{x}', '{x}')")
        await house.owner.execute("RESET ROLE")
    for change in ("UPDATE proof_leaves SET key = 'x'", "DELETE FROM proof_leaves", "TRUNCATE proof_nodes"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            await house.owner.execute(change.encode())
