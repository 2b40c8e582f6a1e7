"""A witness of another owner co-signs only checkpoints that extend the last one that it saw."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import audit_pb2_grpc

from services.audit import kept_checkpoints, statements, witness_process
from services.audit.kept_checkpoints import Cosignature, Kept
from services.audit.signer import Signer
from services.audit.statements import SigningKey
from services.audit.witness import Witness, WitnessRefuses
from services.audit.witness_state import StateFile
from services.runtime import channels, metrics
from services.runtime.identity import Identity, Role
from services.runtime.service_token import ServiceToken
from tests.audit import signing
from tests.audit.signing import House
from tests.support import served
from tests.support.served import Served

SEED = bytes(range(96, 128))
KEY = SigningKey(SEED)


@pytest.fixture
async def house(fast_postgres_url: str) -> AsyncIterator[House]:
    """Yield a house of records."""
    async with signing.house(fast_postgres_url) as found:
        yield found


@pytest.fixture
async def audit(fast_postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve an auditor that knows the witness."""
    settings = served.given(fast_postgres_url, redis_url, witness_keys=[KEY.key_id], audit_workers=1)
    async with served.serve("audit", settings) as process:
        yield process


@asynccontextmanager
async def witnessing(audit: Served, folder: Path, house_key: str = signing.KEY.key_id) -> AsyncIterator[Witness]:
    """Open a witness of this auditor."""
    token = ServiceToken(audit.settings, Identity(audit.settings), "witness", Role.AUDITOR)
    async with channels.to_service(f"127.0.0.1:{audit.running.port}", audit.settings, token) as channel:
        yield Witness(audit_pb2_grpc.AuditServiceStub(channel), KEY, [house_key], StateFile(folder / "seen.json"))


async def newest(audit: Served) -> pb.Checkpoint:
    """Return the newest checkpoint as the auditor shows it."""
    request = pb.ListCheckpointsRequest(page_size=1)
    found: pb.Checkpoint = (await audit.call(audit.audit.ListCheckpoints, request, Role.AUDITOR)).checkpoints[0]
    return found


def kept(one: pb.Checkpoint) -> Kept:
    """Return a checkpoint as a file keeps it."""
    return Kept(
        form=kept_checkpoints.FORM,
        text=one.text,
        signature=one.signature,
        key_id=one.key_id,
        cosignatures=[Cosignature(key_id=each.key_id, signature=each.signature) for each in one.cosignatures],
    )


async def test_it_co_signs_what_extends_what_it_saw(house: House, audit: Served, tmp_path: Path) -> None:
    """Every checkpoint carries the witness's signature, which can be checked offline with its key."""
    async with witnessing(audit, tmp_path) as witness:
        for _ in range(3):
            await signing.live(house.owner)
            made = await house.signer.create()
            assert await witness.look() == made.number
            assert await witness.look() == made.number
    one = kept(await newest(audit))
    assert list(kept_checkpoints.faults(one, signing.KEY.key_id, KEY.key_id)) == []
    assert list(kept_checkpoints.faults(one, witness="00" * 32)) == [f"witness {'00' * 32} has not co-signed it"]
    [cosignature] = one.cosignatures
    assert not statements.signed_by(one.text, bytes.fromhex(cosignature.signature), KEY.key_id)
    text = one.text.replace('"streams":', '"streams":1')
    forged = Kept(
        form=one.form,
        text=text,
        signature=signing.KEY.sign(text).hex(),
        key_id=one.key_id,
        cosignatures=one.cosignatures,
    )
    assert [fault for fault in kept_checkpoints.faults(forged) if "co-signature" in fault]


async def test_it_refuses_a_house_that_was_rolled_back(house: House, audit: Served, tmp_path: Path) -> None:
    """Removed checkpoints, or another history signed with the house's key, are refused, also after a restart."""
    for _ in range(2):
        await signing.live(house.owner)
        made = await house.signer.create()
    async with witnessing(audit, tmp_path) as witness:
        await witness.look()
        for table in ("checkpoint_cosignatures", "checkpoint_heads", "checkpoints"):
            await house.tamper(f"DELETE FROM {table} WHERE number = {made.number}")
        with pytest.raises(WitnessRefuses, match=f"{made.number} was seen before"):
            await witness.look()
    await house.tamper("UPDATE limits SET amount = 1 WHERE number = 2")
    await house.tamper("DELETE FROM proof_leaves WHERE tree = 'limits' AND position = 1")
    again = Signer(house.pool, signing.KEY)
    await again.create()
    async with witnessing(audit, tmp_path) as witness:
        with pytest.raises(WitnessRefuses, match="says something else"):
            await witness.look()
    await again.create()
    async with witnessing(audit, tmp_path) as witness:
        with pytest.raises(WitnessRefuses, match="says something else"):
            await witness.look()
    assert (await newest(audit)).cosignatures == []


async def test_it_refuses_a_key_that_is_not_the_houses(house: House, audit: Served, tmp_path: Path) -> None:
    """A checkpoint signed by a stranger is not co-signed."""
    await house.signer.create()
    async with witnessing(audit, tmp_path, house_key="00" * 32) as witness:
        with pytest.raises(WitnessRefuses, match="not signed with a key of the house"):
            await witness.look()


async def test_only_known_witnesses_and_good_signatures_are_taken(house: House, audit: Served) -> None:
    """A stranger's key, a wrong signature and an unknown number are refused; a valid co-signature may be repeated."""
    made = await house.signer.create()
    good = KEY.sign(statements.cosigned(made.body)).hex()
    stranger = SigningKey(bytes(32))

    def asked(**fields: Any) -> pb.AddCosignatureRequest:
        sound: dict[str, Any] = {"key_id": KEY.key_id, "signature": good, **fields}
        number = sound.pop("number", made.number)
        return pb.AddCosignatureRequest(number=number, cosignature=pb.Cosignature(**sound))

    method = audit.audit.AddCosignature
    theirs = stranger.sign(statements.cosigned(made.body)).hex()
    await audit.refused("PERMISSION_DENIED", method, asked(key_id=stranger.key_id, signature=theirs), Role.AUDITOR)
    for wrong in ("zz", "", theirs, KEY.sign(made.body).hex()):
        await audit.refused("INVALID_ARGUMENT", method, asked(signature=wrong), Role.AUDITOR)
    await audit.refused("NOT_FOUND", method, asked(number=99), Role.AUDITOR)
    await audit.refused("INVALID_ARGUMENT", method, asked(number=0), Role.AUDITOR)
    await audit.refused("PERMISSION_DENIED", method, asked(), Role.PLAYER, "ann")
    for _ in range(2):
        await audit.call(method, asked(), Role.AUDITOR)


def test_a_damaged_state_is_not_taken_for_none(tmp_path: Path) -> None:
    """A witness with a damaged file reports it and does not begin anew."""
    file = tmp_path / "seen.json"
    file.write_text("{}")
    with pytest.raises(ValueError, match="is not a valid witness state"):
        StateFile(file).read()


async def test_the_process_looks_by_itself(house: House, audit: Served, redis_url: str, tmp_path: Path) -> None:
    """``pitboss serve witness`` needs neither the database nor keys of the house."""
    await house.signer.create()
    settings = served.given(
        "",
        redis_url,
        audit_address=f"127.0.0.1:{audit.running.port}",
        witness_state=tmp_path / "seen.json",
        witness_key=base64.b64encode(SEED).decode(),
        witness_house_keys=[signing.KEY.key_id],
        witness_seconds=0.1,
        checkpoint_key="",
    )
    async with served.serve("witness", settings, witness_process.build):
        for _ in range(1000):
            if (await newest(audit)).cosignatures:
                break
    assert (await newest(audit)).cosignatures[0].key_id == KEY.key_id
    assert metrics.REGISTRY.get_sample_value("pitboss_witness_refused") == 0
