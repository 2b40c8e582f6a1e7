"""Fetches checkpoints and writes them down; checks exports and the running house against one."""

import asyncio
from pathlib import Path
from typing import Any

import typer
from pitboss.v1 import audit_pb2 as pb

from services.audit import entry_signatures, kept_checkpoints, proofs, statements
from services.audit.kept_checkpoints import Kept
from services.cli import checkpoint_state, documents, reach
from services.cli.command_group import HouseRefuses
from services.ledger.signatures import EntryKeys
from services.rules.refusals import Refused


def checkpoint(tables: list[str], records: list[str], out: Path, number: int, folder: Path) -> None:
    """Fetch a checkpoint and write it to a file."""
    kept = asyncio.run(_fetched(folder, number, tables, records))
    with reach.opened(out) as file:
        file.write(kept_checkpoints.write(kept))
    statement = statements.read(kept.text)
    size = sum(statement.positions.values())
    typer.echo(f"checkpoint {statement.number}: {statement.streams} tables, {size} events, key {kept.key_id}", err=True)


async def _fetched(folder: Path, number: int, tables: list[str], records: list[str]) -> Kept:
    async with reach.auditor(folder) as (audit, metadata):
        if number:
            request = pb.ListCheckpointsRequest(page_size=1, number=number)
            page = (await reach.call(audit.ListCheckpoints, request, metadata)).checkpoints
            if not page:
                raise typer.BadParameter(f"there is no checkpoint {number}")
            found = page[0]
        else:
            found = (await reach.call(audit.CreateCheckpoint, pb.CreateCheckpointRequest(), metadata)).checkpoint
        heads = [await _head(audit, metadata, found.number, table) for table in tables]
        proven = [await _record(audit, metadata, found.number, record) for record in records]
    return Kept(
        form=kept_checkpoints.FORM,
        text=found.text,
        signature=found.signature,
        key_id=found.key_id,
        tables=heads,
        records=proven,
        cosignatures=[
            kept_checkpoints.Cosignature(key_id=one.key_id, signature=one.signature) for one in found.cosignatures
        ],
    )


async def _record(audit: Any, metadata: Any, number: int, record: str) -> kept_checkpoints.Record:
    kind, _, key = record.partition(":")
    request = pb.ProveRecordRequest(checkpoint_number=number, record=kind, key=key)
    proof = await reach.call(audit.ProveRecord, request, metadata)
    return kept_checkpoints.Record(record=kind, key=key, text=proof.text, index=proof.index, path=list(proof.path))


async def _head(audit: Any, metadata: Any, number: int, table: str) -> kept_checkpoints.Head:
    request = pb.ProveInclusionRequest(checkpoint_number=number, table_id=table)
    proof = await reach.call(audit.ProveInclusion, request, metadata)
    return kept_checkpoints.Head(
        table=table, version=proof.version, head_hash=proof.head_hash, index=proof.index, path=list(proof.path)
    )


def verify(
    files: list[Path],
    kept: Path | None,
    *,
    key: str,
    witness: str,
    ledger: Path | None,
    entry_key: list[str],
    live: bool,
    folder: Path,
) -> tuple[int, int]:
    """Check exports, a ledger and a checkpoint, and print each finding. Return how many checks passed and failed."""
    signers = _signers(entry_key)
    passed, failed = _rounds(files)
    if ledger is not None and signers is not None:
        more, wrong = _entries(ledger, signers)
        passed, failed = passed + more, failed + wrong
    if kept is not None:
        found = _read(kept)
        for fault in kept_checkpoints.unsigned(found, signers) if signers is not None else ():
            failed += 1
            typer.echo(f"FAIL  {fault}")
        more, wrong = _file(found, files, key, witness)
        passed, failed = passed + more, failed + wrong
        if live and more:
            lines = asyncio.run(_live(folder, found))
            passed, failed = passed + (not lines), failed + bool(lines)
            for line in lines or ["the house's log agrees with the checkpoint, and its newest checkpoint extends it"]:
                typer.echo(f"{'FAIL' if lines else 'ok  '}  {line}")
    return passed, failed


def _signers(key_ids: list[str]) -> EntryKeys | None:
    try:
        return EntryKeys(key_ids) if key_ids else None
    except ValueError as error:
        raise typer.BadParameter(f"--entry-key: {error}") from None


def _entries(file: Path, signers: EntryKeys) -> tuple[int, int]:
    """Check the signatures of an exported ledger; return the numbers of valid and of invalid entries."""
    entries = wrong = 0
    for entry in documents.read([file]):
        entries += 1
        if not entry_signatures.line_is_signed(signers, entry):
            wrong += 1
            typer.echo(f"FAIL  entry {entry.get('entry_id')}  forged: it is not signed by settlement")
    typer.echo(f"{'FAIL' if wrong else 'ok  '}  ledger {file}  {entries} entries, {wrong} not signed by settlement")
    return entries - wrong, wrong


def _rounds(files: list[Path]) -> tuple[int, int]:
    from services.audit import offline

    rounds = wrong = 0
    for document, findings in offline.check(documents.read(files)):
        rounds += 1
        wrong += bool(findings)
        for one in findings:
            typer.echo(f"FAIL  table {one.table} round {one.round}  {one.kind}: {one.detail}")
        if not findings:
            typer.echo(f"ok    table {document['table']} round {document['round']}  {len(document['events'])} events")
    return rounds - wrong, wrong


def _read(file: Path) -> Kept:
    try:
        return kept_checkpoints.read(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{file}: {error}") from None


def _file(kept: Kept, files: list[Path], key: str, witness: str) -> tuple[int, int]:
    """Check the checkpoint's file, and the exports against it. Return how many checks passed and failed."""
    try:
        faults = list(kept_checkpoints.faults(kept, key, witness))
    except Refused as refusal:
        faults = [str(refusal)]
    for fault in faults:
        typer.echo(f"FAIL  checkpoint: {fault}")
    if faults:
        return 0, 1
    statement = statements.read(kept.text)
    typer.echo(
        f"ok    checkpoint {statement.number} of key {kept.key_id}{'' if key else ' (compare the key yourself)'}"
    )
    for record in kept.records:
        typer.echo(f"ok    {record.record} {record.key}  {record.text}")
    passed, failed = 1 + len(kept.records), 0
    for table, finding in kept_checkpoints.against(kept, documents.read(files)):
        if finding is None:
            passed += 1
            typer.echo(f"ok    table {table} agrees with the checkpoint")
        else:
            failed += 1
            typer.echo(f"FAIL  table {table} round {finding.round}  {finding.kind}: {finding.detail}")
    return passed, failed


async def _live(folder: Path, kept: Kept) -> list[str]:
    """Check that the house's log agrees with the checkpoint and that its newest checkpoint extends it."""
    statement = statements.read(kept.text)
    own = pb.Checkpoint(number=statement.number, text=kept.text, signature=kept.signature, key_id=kept.key_id)
    async with reach.auditor(folder) as (audit, metadata):
        told = await reach.call(audit.CheckCheckpoint, pb.CheckCheckpointRequest(checkpoint=own), metadata)
        lines = [checkpoint_state.mismatch(one) for one in told.mismatches]
        try:
            request = pb.ProveConsistencyRequest(old_number=statement.number)
            proof = await reach.call(audit.ProveConsistency, request, metadata)
        except HouseRefuses as refusal:
            return [*lines, f"no proof that the newest checkpoint extends this one: {refusal}"]
    new = proof.new_checkpoint
    if new.key_id != kept.key_id or not statements.signed_by(new.text, bytes.fromhex(new.signature), new.key_id):
        return [
            *lines,
            f"checkpoint {new.number} is not signed with this key; ask the house whether and when it changed the key",
        ]
    nodes = {one.shard: [bytes.fromhex(node) for node in one.path] for one in proof.proofs}
    trees = {one.tree: [bytes.fromhex(node) for node in one.path] for one in proof.tree_proofs}
    return [*lines, *proofs.extends(statement, statements.read(new.text), nodes, trees)]
