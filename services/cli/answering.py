"""Which processes of a house the doctor knows of, and what each answers to a health check."""

import json
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime import tls
from services.runtime.settings import Settings

SECONDS: Final = 3.0


class NoAnswer(Exception):  # noqa: N818 - no error of the set-up: it may not have been started yet
    """A process that is named does not answer."""


def named(folder: Path, settings: Settings) -> dict[str, str]:
    """Give the addresses of the processes that a local house wrote down, else of those that the settings name."""
    written = folder / "house.json"
    if written.exists():
        return dict(sorted(json.loads(written.read_text(encoding="utf-8")).items()))
    families = {f"dealer of {family}": where for family, where in sorted(settings.dealer_addresses.items())}
    others = {name: f"{name}_address" for name in ("settlement", "audit")}
    return families | {
        name: getattr(settings, field) for name, field in others.items() if field in settings.model_fields_set
    }


def ask(address: str, settings: Settings) -> str:
    """Ask a process whether it serves. Raises NoAnswer, and ValueError where it runs but does not serve."""
    credentials = tls.channel_credentials(settings)
    with grpc.secure_channel(address, credentials) if credentials else grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            status = stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS).status
        except grpc.RpcError as error:
            raise NoAnswer(f"{address} does not answer ({error.code().name}); is it started?") from None
    if status != health_pb2.HealthCheckResponse.SERVING:
        raise ValueError(f"{address} runs but does not serve; its /healthz names what is missing")
    return f"{address} serves"
