"""The composition root of a witness. It has an auditor's address, its own key and a file, but no database."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pitboss.v1 import audit_pb2_grpc

from services.audit.statements import SigningKey
from services.audit.witness import Witness
from services.audit.witness_state import StateFile
from services.runtime import channels, metrics
from services.runtime.identity import Role
from services.runtime.server import Process, Service
from services.runtime.service_token import ServiceToken
from services.runtime.settings import SettingsRefused


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build a witness. Raises SettingsRefused."""
    settings = process.settings
    if settings.witness_state is None or not settings.witness_house_keys:
        raise SettingsRefused(
            "a witness needs PITBOSS_WITNESS_STATE, a file of its own, and PITBOSS_WITNESS_HOUSE_KEYS, the house's keys"
        )
    key = SigningKey(settings.witness_seed())
    token = ServiceToken(settings, process.identity, process.name, Role.AUDITOR)
    metrics.WITNESS_REFUSED.set(0)
    async with channels.to_service(settings.audit_address, settings, token) as channel:
        audit = audit_pb2_grpc.AuditServiceStub(channel)
        witness = Witness(audit, key, settings.witness_house_keys, StateFile(settings.witness_state))
        process.background("witness", lambda: witness.serve(settings.witness_seconds))
        yield []
