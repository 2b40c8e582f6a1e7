"""The protos of refusals' details are shipped beside ours: a client in any language needs nothing else."""

from importlib import resources
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.rpc import status_pb2
from grpc_tools import protoc

from services.rules.refusals import Reason, Refused
from services.runtime import errors

SHIPPED = Path(__file__).parents[2] / "protos" / "third_party"
NAMES = ("google/rpc/code.proto", "google/rpc/error_details.proto", "google/rpc/status.proto")
HTTP = ("google/api/annotations.proto", "google/api/http.proto")


@pytest.mark.parametrize("name", [*NAMES, *HTTP])
def test_shipped_protos_are_those_of_the_library_with_their_licence(name: str) -> None:
    """Each file is byte for byte the one that the house itself uses, and says under which licence it stands."""
    own = (SHIPPED / name).read_bytes()
    assert own == (Path(status_pb2.__file__).parents[2] / name).read_bytes()
    assert b"Licensed under the Apache License, Version 2.0" in own
    assert "Apache License" in (SHIPPED / "google" / "LICENSE").read_text(encoding="utf-8")


def test_a_refusal_is_read_with_the_shipped_protos_alone(tmp_path: Path) -> None:
    """Compiled by themselves they read reason, metadata, violations and text of a status."""
    made = tmp_path / "set.binpb"
    include = str(resources.files("grpc_tools") / "_proto")
    words = ["protoc", f"-I{SHIPPED}", f"-I{include}", "--include_imports", f"--descriptor_set_out={made}", *NAMES]
    assert protoc.main(words) == 0
    pool = descriptor_pool.DescriptorPool()
    for one in descriptor_pb2.FileDescriptorSet.FromString(made.read_bytes()).file:
        pool.Add(one)
    kinds = message_factory.GetMessageClassesForFiles(
        ["google/rpc/status.proto", "google/rpc/error_details.proto"], pool
    )
    figures = {"least": 20, "greatest": 1000}
    refusal = Refused(Reason.AMOUNT_OUT_OF_RANGE, "no", metadata=figures, fields=[("buy_in", "1 is too little")])
    status = kinds["google.rpc.Status"].FromString(errors.to_status(refusal, "en").SerializeToString())
    details = {}
    for detail in status.details:  # type: ignore[attr-defined]  # made at run time
        name = detail.type_url.rpartition("/")[2]
        details[name] = kinds[name].FromString(detail.value)
    info, bad = details["google.rpc.ErrorInfo"], details["google.rpc.BadRequest"]
    assert dict(info.metadata) == {"least": "20", "greatest": "1000"}  # type: ignore[attr-defined]  # as above
    assert [one.field for one in bad.field_violations] == ["buy_in"]  # type: ignore[attr-defined]  # as above
    assert "1000" in details["google.rpc.LocalizedMessage"].message  # type: ignore[attr-defined]  # as above
