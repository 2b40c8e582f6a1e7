"""What the gateway knows of the contract: its services, and descriptors by which JSON becomes messages."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from google.api import annotations_pb2
from google.protobuf import descriptor_pb2
from google.rpc import error_details_pb2, status_pb2
from pitboss.v1 import (
    audit_pb2,
    back_office_pb2,
    catalogue_pb2,
    dealer_pb2,
    privacy_pb2,
    report_pb2,
    settlement_pb2,
    wallet_pb2,
)

FILES: Final[tuple[Any, ...]] = tuple(
    module.DESCRIPTOR
    for module in (
        audit_pb2,
        back_office_pb2,
        catalogue_pb2,
        dealer_pb2,
        privacy_pb2,
        report_pb2,
        settlement_pb2,
        wallet_pb2,
    )
)
"""The files of the contract that define services."""

_DETAILS: Final[tuple[Any, ...]] = (error_details_pb2.DESCRIPTOR, status_pb2.DESCRIPTOR)
"""Files of refusals' details, which answers in JSON spell out."""

AUDIT: Final = "pitboss.v1.AuditService"
DEALERS: Final = ("pitboss.v1.DealerService", "pitboss.v1.CatalogueService")
"""Services that dealers serve; settlement serves all others but that of audit."""


def services() -> list[str]:
    """Return the full names of all services."""
    return [service.full_name for file in FILES for service in file.services_by_name.values()]


def streams() -> list[str]:
    """Return the paths of the methods that may be silent for long: those that watch, and streams of play."""
    return [path for path, method in _methods() if re.match("Watch[A-Z]", method.name) or method.client_streaming]


def conversations() -> list[str]:
    """Return the paths of the methods that answer while their caller still sends."""
    return [path for path, method in _methods() if method.client_streaming]


def _methods() -> Iterator[tuple[str, Any]]:
    """Yield the path of each method with its descriptor."""
    for file in FILES:
        for service in file.services_by_name.values():
            for method in service.methods:
                yield f"/{service.full_name}/{method.name}", method


def descriptors() -> bytes:
    """Return the contract and all that it needs as a FileDescriptorSet, each file after those that it imports.

    Beside the paths of its options each method has one of its own name, which Envoy makes up only where there is no
    option.
    """
    found: dict[str, descriptor_pb2.FileDescriptorProto] = {}
    _collect((*FILES, *_DETAILS), found)
    for file in found.values():
        for service in file.service:
            for method in service.method:
                rule = method.options.Extensions[annotations_pb2.http]
                path = f"/{file.package}.{service.name}/{method.name}"
                named = rule.additional_bindings.add() if rule.WhichOneof("pattern") else rule
                named.post, named.body = path, "*"
    return descriptor_pb2.FileDescriptorSet(file=found.values()).SerializeToString(deterministic=True)


def _collect(files: Iterable[Any], found: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    for file in files:
        if file.name not in found:
            _collect(file.dependencies, found)
            found[file.name] = descriptor_pb2.FileDescriptorProto.FromString(file.serialized_pb)
