"""Signatures of witnesses, stored with the checkpoints that they sign."""

from collections.abc import Collection

from services.audit import proofs, statements
from services.eventlog import checkpoints
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import metrics
from services.runtime.pools import Pool


async def add(pool: Pool, keys: Collection[str], number: int, key_id: str, signature: str) -> None:
    """Store a signature over a checkpoint by one of the witnesses' ``keys``; repeating it changes nothing.

    Raises Refused (``PERMISSION_DENIED`` for another key; ``INVALID_ARGUMENT``; ``NOT_FOUND``).
    """
    if number < 1:
        raise invalid("number", "a checkpoint's number, from 1 on")
    if key_id not in keys:
        raise Refused(Reason.PERMISSION_DENIED, f"the house knows no witness of key {key_id[:64]!r}")
    async with pool.connection() as conn:
        one = await proofs.numbered(conn, number)
        try:
            signed = bytes.fromhex(signature)
        except ValueError:
            signed = b""
        if not statements.signed_by(statements.cosigned(one.body), signed, key_id):
            raise invalid("cosignature", f"a signature of key {key_id} over checkpoint {number}")
        await checkpoints.store_cosignature(conn, number, key_id, signed)
    metrics.WITNESSED.set_to_current_time()
