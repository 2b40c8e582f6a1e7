"""Stored events, findings and checkpoints as messages of the contract."""

from collections.abc import Sequence

import msgspec
from pitboss.v1 import audit_pb2 as pb

from services.audit import statements
from services.audit.findings import Finding
from services.contract import wire_tables
from services.eventlog.checkpoints import Checkpoint
from services.eventlog.records import StoredEvent


def stored_event(one: StoredEvent) -> pb.StoredEvent:
    """Return the message of a stored event."""
    return pb.StoredEvent(
        stream_id=one.stream_id,
        version=one.version,
        type=one.type,
        data=one.data,
        metadata=one.metadata,
        hash=one.hash.hex(),
        recorded_time=wire_tables.timestamp(one.recorded_at_ms),
        shard=one.shard,
        position=one.position,
    )


def mismatch(one: Finding) -> pb.Mismatch:
    """Return the message of a finding."""
    return pb.Mismatch(**msgspec.structs.asdict(one))


def checkpoint(one: Checkpoint, cosignatures: Sequence[tuple[str, bytes]] = ()) -> pb.Checkpoint:
    """Return the message of a checkpoint, with the keys and signatures of its witnesses."""
    statement = statements.read(one.body)
    return pb.Checkpoint(
        number=one.number,
        create_time=wire_tables.timestamp(statement.at_ms),
        streams=statement.streams,
        root=statement.root,
        key_id=one.key_id,
        signature=one.signature.hex(),
        text=one.body,
        cosignatures=[pb.Cosignature(key_id=key, signature=signed.hex()) for key, signed in cosignatures],
    )
