"""Only the holder of the private key can make tokens, and no process of the house holds it."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import grpc
import jwt
import psutil
import pytest
from pitboss import client
from pitboss.v1 import audit_pb2, audit_pb2_grpc, dealer_pb2, dealer_pb2_grpc, wallet_pb2, wallet_pb2_grpc

from services.cli import reach
from services.localhouse import local_house, secret_set
from services.runtime import key_holders, settings
from services.runtime.identity import Caller, Identity, Role

CALLS: Final[dict[str, tuple[Any, str, Any]]] = {
    "dealer": (dealer_pb2_grpc.DealerServiceStub, "ListTables", dealer_pb2.ListTablesRequest()),
    "settlement": (wallet_pb2_grpc.WalletServiceStub, "GetBalance", wallet_pb2.GetBalanceRequest(player="ann")),
    "audit": (audit_pb2_grpc.AuditServiceStub, "ListCheckpoints", audit_pb2.ListCheckpointsRequest()),
}


def environments(house: local_house.LocalHouse) -> dict[str, dict[str, str]]:
    """Return the settings of each process of the house."""
    return {name: psutil.Process(member.pid).environ() for name, member in house.members.items()}


def test_no_process_holds_what_makes_tokens(house: local_house.LocalHouse) -> None:
    """Only the owner's file holds the private key; dealers have a token of their own, settlement and audit none."""
    private = json.loads((house.folder / "secrets.json").read_text())["PITBOSS_JWT_PRIVATE_KEY"]
    for name, environment in environments(house).items():
        assert private not in environment.values(), name
        own = {name: environment[f"PITBOSS_{name.upper()}"] for name in ("jwt_algorithm", "jwt_public_key")}
        identity = Identity(settings.load(**own))
        assert not identity.can_mint()
        held = environment.get("PITBOSS_SERVICE_TOKEN_FILE")
        assert (held is not None) == name.startswith("dealer")
        if held is not None:
            assert stat.S_IMODE(Path(held).stat().st_mode) == 0o600
            assert identity.verify(Path(held).read_text()) == Caller("dealer", Role.SERVICE)


def test_each_process_holds_its_own_keys_only(house: local_house.LocalHouse) -> None:
    """Settlement and audit cannot open a deck; each process of a local house has the keys of its kind and no others."""
    kept = {name for name in json.loads((house.folder / "secrets.json").read_text()) if "JWT" not in name}
    for name, environment in environments(house).items():
        held = {f"PITBOSS_{one.upper()}" for one in key_holders.HELD[name.partition("-")[0]]}
        assert kept & environment.keys() == kept & held, name


@pytest.mark.parametrize("process", list(CALLS))
async def test_what_a_process_knows_forges_no_token(house: local_house.LocalHouse, process: str) -> None:
    """Tokens signed with any value that a process was given, by any way of signing that takes it, are refused."""
    found = reach.of_folder(house.folder)
    good = jwt.decode(found.token("boss", Role.OPERATOR), options={"verify_signature": False})
    known = {
        value for environment in environments(house).values() for value in environment.values() if len(value) >= 32
    }
    forged = [jwt.encode(good, value, "HS256") for value in sorted(known)]
    where = {"dealer": found.dealers[0], "settlement": found.settlement, "audit": found.audit}[process]
    stub, method, request = CALLS[process]
    async with client.open_channel(where) as channel:
        call = getattr(stub(channel), method)
        role = Role.AUDITOR if process == "audit" else Role.OPERATOR
        await call(request, metadata=(("authorization", f"Bearer {found.token('boss', role)}"),), timeout=60)
        for token in forged:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(request, metadata=(("authorization", f"Bearer {token}"),), timeout=60)
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_house_that_was_made_with_a_shared_secret_still_opens(
    tmp_path: Path, house_urls: Callable[[], tuple[str, str]]
) -> None:
    """An older house accepts its earlier tokens, and its dealers call settlement with their own."""
    made = {name: value for name, value in secret_set.make().items() if "JWT" not in name}
    old = {"PITBOSS_JWT_SECRET": "s" * 48} | made
    (tmp_path / "secrets.json").write_text(json.dumps(old), encoding="utf-8")
    database_url, redis_url = house_urls()
    with local_house.LocalHouse(tmp_path, database_url=database_url, redis_url=redis_url) as house:
        house.write_down()
        assert all("PITBOSS_JWT_SECRET" in environment for environment in environments(house).values())
        assert not (tmp_path / "dealer.token").exists()
        found = reach.of_folder(tmp_path)
        assert found.identity.verify(house.token("ann")).subject == "ann"
