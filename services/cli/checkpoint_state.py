"""The check of ``pitboss doctor`` for checkpoints: whether the auditor signs them, and why not."""

from typing import Final

import grpc
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import audit_pb2_grpc

from services.cli.reach import SECONDS, NoAnswer
from services.runtime import tls
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import Settings

TOKEN_SECONDS: Final = 30.0
MOST_NAMED: Final = 3


def ask(address: str, settings: Settings) -> str:
    """Return a line about the auditor's newest checkpoint. Raises NoAnswer, and ValueError if it signs nothing."""
    identity = Identity(settings)
    if not identity.can_mint():
        return f"{address} was not asked: this machine cannot make an auditor's token"
    token = identity.mint(Caller(subject="doctor", role=Role.AUDITOR), TOKEN_SECONDS)
    credentials = tls.channel_credentials(settings)
    with grpc.secure_channel(address, credentials) if credentials else grpc.insecure_channel(address) as channel:
        stub = audit_pb2_grpc.AuditServiceStub(channel)
        request, metadata = pb.ListCheckpointsRequest(page_size=1), (("authorization", f"Bearer {token}"),)
        try:
            told: pb.ListCheckpointsResponse = stub.ListCheckpoints(request, metadata=metadata, timeout=SECONDS)
        except grpc.RpcError as error:
            raise NoAnswer(f"{address} does not answer ({error.code().name}); is it started?") from None
    if told.refused:
        words = "; ".join(mismatch(one) for one in told.refused[:MOST_NAMED])
        more = f"; and {len(told.refused) - MOST_NAMED} more" if len(told.refused) > MOST_NAMED else ""
        raise ValueError(f"no checkpoint is signed, because recorded data changed: {words}{more}")
    newest = told.checkpoints[0] if told.checkpoints else None
    return "no checkpoint has been signed yet" if newest is None else f"the newest is number {newest.number}"


def mismatch(one: pb.Mismatch) -> str:
    """Return one line that describes a mismatch."""
    where = f"table {one.stream_id} version {one.version}" if one.stream_id else f"{one.record} {one.key}".strip()
    return f"{where}  {one.kind} of {one.field}: expected {one.expected or '-'}, found {one.found}".strip()
