"""The composition root of an audit process."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pitboss.v1 import audit_pb2, audit_pb2_grpc

from services.audit import findings, publication, unseal, worker_pool
from services.audit.service import ACCESS, SECONDS, AuditService
from services.audit.signer import Signer
from services.audit.statements import SigningKey
from services.audit.watch import Watch
from services.contract import schema
from services.eventlog import verify
from services.ledger.signatures import EntryKeys
from services.registry.incidents import Incidents
from services.runtime import metrics, pools
from services.runtime.server import Process, Service

ROLE = "pitboss_audit"
KINDS = (
    verify.EDIT,
    verify.GAP,
    verify.DUPLICATE,
    verify.FORK,
    "decision",
    findings.CHECKPOINT,
    findings.INSERTED,
    findings.FORGED,
    findings.LEDGER,
)


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build an audit process."""
    settings = process.settings
    for kind in KINDS:  # starts at 0, so that the first finding is an increase
        metrics.REPLAY_MISMATCHES.labels(kind)
    ring, key = unseal.ring_of(settings), SigningKey(settings.checkpoint_seed())
    entry_keys = EntryKeys(settings.ledger_key_ids(), settings.ledger_admitted_entries)
    metrics.CHECKPOINT_REFUSED.set(0)
    incidents = Incidents(process.name)
    process.observer = incidents.happened
    async with (
        pools.postgres(process, ROLE) as pool,
        worker_pool.opened(settings, ring, ROLE, settings.audit_workers) as workers,
    ):
        await schema.check(pool)
        signer = Signer(pool, key, settings.checkpoint_former_keys, entry_keys)
        watch = Watch(pool, signer, entry_keys)
        auditor = AuditService(pool, signer, workers, settings.witness_keys)
        process.background("checkpoints", signer.serve)
        process.background("past", watch.serve)
        process.background("incidents", lambda: incidents.serve(pool.connection))
        if settings.witness_keys:
            metrics.WITNESSED.set_to_current_time()  # the time of a witness begins now
        if found := publication.places(settings):
            publisher = await publication.open_publisher(pool, found)
            process.background("publication", publisher.serve)
        yield [
            Service(
                audit_pb2.DESCRIPTOR.services_by_name["AuditService"],
                lambda server: audit_pb2_grpc.add_AuditServiceServicer_to_server(auditor, server),
                ACCESS,
                SECONDS,
            )
        ]
