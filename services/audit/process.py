"""The composition root of an audit process."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pitboss.v1 import audit_pb2, audit_pb2_grpc

from services.audit import checkpointing, unsealing
from services.audit.checkpointing import Signer
from services.audit.service import ACCESS, SECONDS, AuditService
from services.registry.incidents import Incidents
from services.runtime import pools
from services.runtime.server import Process, Service

ROLE = "pitboss_audit"


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build an audit process."""
    settings = process.settings
    ring, signer = unsealing.ring_of(settings), Signer(settings.checkpoint_seed())
    incidents = Incidents(process.name)
    process.observer = incidents.happened
    async with pools.postgres(process, ROLE) as pool:
        auditor = AuditService(pool, ring, signer)
        process.background("checkpoints", lambda: checkpointing.keep_signing(pool, signer))
        process.background("incidents", lambda: incidents.serve(pool.connection))
        yield [
            Service(
                audit_pb2.DESCRIPTOR.services_by_name["AuditService"],
                lambda server: audit_pb2_grpc.add_AuditServiceServicer_to_server(auditor, server),
                ACCESS,
                SECONDS,
            )
        ]
