"""Every method of the contract, called with every kind of credential: only the roles of ``access.yaml`` get in."""

import importlib
import pkgutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
import yaml
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from pitboss import calls, client, v1

from services.cli.reach import Reach
from services.runtime.identity import Role

ACCESS: dict[str, dict[str, list[str]]] = yaml.safe_load(Path(__file__).with_name("access.yaml").read_text("utf-8"))
SERVED_BY = {
    "DealerService": "dealer",
    "CatalogueService": "dealer",
    "AuditService": "audit",
    "WalletService": "settlement",
    "SettlementService": "settlement",
    "ReportService": "settlement",
    "BackOfficeService": "settlement",
    "PrivacyService": "settlement",
}
CALL_SECONDS = 20.0


def _methods() -> Iterator[MethodDescriptor]:
    for module in pkgutil.iter_modules(v1.__path__):
        if module.name.endswith("_pb2"):
            file = importlib.import_module(f"pitboss.v1.{module.name}").DESCRIPTOR
            for service in file.services_by_name.values():
                yield from service.methods


METHODS = {f"{method.containing_service.name}.{method.name}": method for method in _methods()}


def _forged(reached: Reach) -> dict[str, str]:
    """Return tokens that must open nothing, by what is wrong with them."""
    identity = reached.identity
    algorithm, key = vars(identity)["_algorithm"], vars(identity)["_sign"]
    good = jwt.decode(reached.token("mallory", Role.OPERATOR), options={"verify_signature": False})
    now = int(time.time())
    claims: dict[str, dict[str, Any]] = {
        "expired": good | {"exp": now - 60},
        "issued in the future": good | {"iat": now + 3600},
        "not valid yet": good | {"nbf": now + 3600},
        "other audience": good | {"aud": "elsewhere"},
        "other issuer": good | {"iss": "elsewhere"},
        "unknown role": good | {"role": "king"},
        "role in capitals": good | {"role": "OPERATOR"},
        "list of roles": good | {"role": ["operator"]},
        "no role": {name: value for name, value in good.items() if name != "role"},
        "no end": {name: value for name, value in good.items() if name != "exp"},
        "no subject": good | {"sub": ""},
        "subject with a colon": good | {"sub": "wallet:XTS"},
        "subject of another type": good | {"sub": 7},
    }
    tokens = {what: jwt.encode(one, key, algorithm) for what, one in claims.items()}
    signed = reached.token("mallory", Role.OPERATOR)
    return tokens | {
        "empty": "",
        "garbage": "a.b.c",
        "cut off": signed[:-4],
        "no signature": signed.rpartition(".")[0] + ".",
        "algorithm none": jwt.encode(good, "", "none"),
        "another key": jwt.encode(good, "a secret that is long enough to sign with", "HS256"),
        "another algorithm": jwt.encode(
            good, "a secret that is long enough to sign with, longer than 64 bytes of it", "HS512"
        ),
        "header of megabytes": "x" * 5000,
    }


def _address(reached: Reach, method: MethodDescriptor) -> str:
    where = SERVED_BY[method.containing_service.name]
    return reached.dealers[0] if where == "dealer" else str(getattr(reached, where))


async def _call(channel: grpc.aio.Channel, method: MethodDescriptor, authorization: list[str]) -> str:
    """Call a method with an empty request; return the refusal's reason, or an empty text for an answer."""
    return await ask(channel, method, message_factory.GetMessageClass(method.input_type)(), authorization)


def opened(channel: grpc.aio.Channel, method: MethodDescriptor) -> Any:
    """Return what calls a method of this kind."""
    if method.client_streaming:
        return channel.stream_stream
    return channel.unary_stream if method.server_streaming else channel.unary_unary


async def ask(channel: grpc.aio.Channel, method: MethodDescriptor, request: Any, authorization: list[str]) -> str:
    """Call a method; return the refusal's reason, or an empty text for an answer."""
    answer = message_factory.GetMessageClass(method.output_type)
    open_: Any = opened(channel, method)
    path = f"/{method.containing_service.full_name}/{method.name}"
    call = open_(path, request_serializer=lambda one: one.SerializeToString(), response_deserializer=answer.FromString)
    metadata = [("authorization", value) for value in authorization]
    try:
        asked = iter([request]) if method.client_streaming else request
        running = call(asked, timeout=CALL_SECONDS, metadata=metadata)
        if method.server_streaming:
            async for message in running:
                running.cancel()
                return _refusal_in(message)
        else:
            await running
    except grpc.RpcError as error:
        return client.refusal(error).reason
    return ""


def _refusal_in(message: Any) -> str:
    """Return the reason of a refusal that is a message of a stream; an empty text where there is none."""
    refusals = getattr(message, "refusals", ())
    return calls.refusal_in(refusals[0].status).reason if refusals else ""


def test_the_matrix_names_every_method() -> None:
    """``access.yaml`` lists the roles of exactly the methods of the contract."""
    written = {f"{service}.{name}" for service, methods in ACCESS.items() for name in methods}
    assert written == set(METHODS)


@pytest.mark.parametrize("name", sorted(METHODS))
async def test_a_bad_credential_opens_no_method(reached: Reach, name: str) -> None:
    """No token, a forged or ended one, and two at once are UNAUTHENTICATED at every method."""
    method = METHODS[name]
    good = f"Bearer {reached.token('mallory', Role.SERVICE)}"
    headers = {what: [f"Bearer {token}"] for what, token in _forged(reached).items()}
    headers |= {"none at all": [], "two at once": [good, good], "no scheme": [good.split()[1]]}
    async with client.open_channel(_address(reached, method)) as channel:
        answers = {what: await _call(channel, method, header) for what, header in headers.items()}
    assert answers == dict.fromkeys(headers, "UNAUTHENTICATED")


@pytest.mark.parametrize("name", sorted(METHODS))
async def test_a_role_reaches_its_own_methods_only(reached: Reach, name: str) -> None:
    """Each role may call the methods that the matrix lists for it; all others are PERMISSION_DENIED."""
    method = METHODS[name]
    allowed = ACCESS[method.containing_service.name][method.name]
    async with client.open_channel(_address(reached, method)) as channel:
        for role in Role:
            reason = await _call(channel, method, [f"Bearer {reached.token(f'mallory-{role}', role)}"])
            assert (reason != "PERMISSION_DENIED") == (role.value in allowed), f"{role}: {reason or 'answered'}"
            assert reason not in {"UNAUTHENTICATED", "INTERNAL"}, f"{role}: {reason}"
