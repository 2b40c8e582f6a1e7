"""The witness: a process of another owner that co-signs only checkpoints that extend the last one it saw.

It asks the auditor for the newest checkpoint and for the proof that it extends the last one seen. It checks both,
stores the checkpoint, and only then signs. Its state is in a file of its own, out of reach of the owners of the house's
database or signing key.
"""

import asyncio
from collections.abc import Collection
from typing import Any, Final

import grpc
from pitboss import client
from pitboss.v1 import audit_pb2 as pb

from services.audit import proofs, statements
from services.audit.statements import SigningKey
from services.audit.witness_state import Seen, StateFile
from services.rules.refusals import Refused
from services.runtime import logs, metrics

CALL_SECONDS: Final = 600.0

trace = logs.get("witness")


class WitnessRefuses(Exception):
    """The house's checkpoint does not extend the one that the witness saw; the message holds the reason."""


class Witness:
    """Co-signs the checkpoints of one house, whose signing keys are ``house_keys`` (hex)."""

    def __init__(self, audit: Any, key: SigningKey, house_keys: Collection[str], state: StateFile) -> None:
        self._audit = audit
        self._key = key
        self._house_keys = frozenset(house_keys)
        self._state = state

    async def look(self) -> int:
        """Check the newest checkpoint once; return its number, 0 where there is none yet.

        Raises WitnessRefuses, and grpc.RpcError if the auditor does not answer.
        """
        page = await self._audit.ListCheckpoints(pb.ListCheckpointsRequest(page_size=1), timeout=CALL_SECONDS)
        seen = self._state.read()
        if not page.checkpoints:
            if seen is not None:
                raise WitnessRefuses(f"checkpoint {seen.number} was seen, now there is none")
            return 0
        newest: pb.Checkpoint = page.checkpoints[0]
        self._require_signed(newest)
        if seen is None or newest.number != seen.number:
            if seen is not None:
                await self._require_extended(seen, newest)
            self._state.write(Seen(newest.number, newest.text, newest.key_id, newest.signature))
        elif newest.text != seen.text:
            raise WitnessRefuses(f"checkpoint {seen.number} says something else than it did when it was seen")
        if self._key.key_id not in {one.key_id for one in newest.cosignatures}:
            await self._cosign(newest)
        return int(newest.number)

    async def serve(self, every_seconds: float) -> None:
        """Check repeatedly, until cancelled."""
        while True:
            try:
                await self.look()
            except WitnessRefuses as refusal:
                metrics.WITNESS_REFUSED.set(1)
                trace.error("nothing is co-signed", reason=str(refusal))
            else:
                metrics.WITNESS_REFUSED.set(0)
            await asyncio.sleep(every_seconds)

    def _require_signed(self, one: pb.Checkpoint) -> None:
        try:
            statement, signature = statements.read(one.text), bytes.fromhex(one.signature)
        except (Refused, ValueError) as error:
            raise WitnessRefuses(f"checkpoint {one.number} cannot be read: {error}") from None
        if one.key_id not in self._house_keys or not statements.signed_by(one.text, signature, one.key_id):
            raise WitnessRefuses(f"checkpoint {one.number} is not signed with a key of the house ({one.key_id})")
        if (statement.number, statement.key) != (one.number, one.key_id):
            raise WitnessRefuses(f"checkpoint {one.number} says that it is number {statement.number}")

    async def _require_extended(self, seen: Seen, newest: pb.Checkpoint) -> None:
        if newest.number < seen.number:
            raise WitnessRefuses(f"the newest checkpoint is {newest.number}, {seen.number} was seen before")
        request = pb.ProveConsistencyRequest(old_number=seen.number, new_number=newest.number)
        try:
            proof = await self._audit.ProveConsistency(request, timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            if (refusal := client.refusal(error)).reason == "HISTORY_CHANGED":
                raise WitnessRefuses(f"no proof from {seen.number} to {newest.number}: {refusal.message}") from None
            raise
        if proof.old_checkpoint.text != seen.text:
            raise WitnessRefuses(f"checkpoint {seen.number} says something else than it did when it was seen")
        shards = {one.shard: [bytes.fromhex(node) for node in one.path] for one in proof.proofs}
        trees = {one.tree: [bytes.fromhex(node) for node in one.path] for one in proof.tree_proofs}
        old, new = statements.read(seen.text), statements.read(newest.text)
        if wrong := list(proofs.extends(old, new, shards, trees)):
            raise WitnessRefuses("; ".join(wrong[:3]))

    async def _cosign(self, newest: pb.Checkpoint) -> None:
        signature = self._key.sign(statements.cosigned(newest.text)).hex()
        request = pb.AddCosignatureRequest(
            number=newest.number, cosignature=pb.Cosignature(key_id=self._key.key_id, signature=signature)
        )
        await self._audit.AddCosignature(request, timeout=CALL_SECONDS)
        metrics.WITNESSED.set_to_current_time()
        trace.info("a checkpoint was co-signed", number=newest.number)
