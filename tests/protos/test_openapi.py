"""The JSON view of the contract: each method has its path, and a foreign tool reads the OpenAPI document."""

import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from google.api import annotations_pb2
from openapi_spec_validator import validate

from services.gateway import contract
from tests.support import scripts

PROTOS = Path(__file__).parents[2] / "protos"
DOCUMENT: dict[str, Any] = json.loads((PROTOS / "openapi.json").read_text(encoding="utf-8"))
OPERATIONS = {
    operation["operationId"]: (verb, path, operation)
    for path, verbs in DOCUMENT["paths"].items()
    for verb, operation in verbs.items()
}


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script that generates what is made of the protos."""
    monkeypatch.syspath_prepend(str(PROTOS))
    return scripts.load(PROTOS / "generate.py")


def methods() -> dict[str, Any]:
    """Return the unary methods that callers of the JSON view may use, by operation."""
    return {
        f"{service.name}_{method.name}": method
        for file in contract.FILES
        for service in file.services_by_name.values()
        if service.name != "SettlementService"
        for method in service.methods
        if not method.server_streaming
    }


def test_a_foreign_validator_accepts_the_document() -> None:
    """The document is valid OpenAPI, references included."""
    validate(DOCUMENT)


def test_every_unary_method_has_its_own_path() -> None:
    """Each method but those among processes is an operation, and no two share verb and path."""
    assert set(methods()) == {name.removesuffix("_post") for name in OPERATIONS}
    assert max(Counter((verb, path) for verb, path, _ in OPERATIONS.values()).values()) == 1


@pytest.mark.parametrize("name", sorted(methods()))
def test_commands_are_posted_and_reads_are_got(name: str) -> None:
    """A method with a request id, and only such a one, is sent by POST with a body; lists and reads by GET."""
    method = methods()[name]
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    is_command = "request_id" in method.input_type.fields_by_name
    is_read = method.name.startswith(("Get", "List", "Prove"))
    assert (rule.WhichOneof("pattern") == "get") == is_read
    assert not (is_command and is_read)
    assert (rule.body == "*") == (not is_read)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_field_of_a_request_can_be_sent(name: str) -> None:
    """Path, query and body together hold each field of the request once; a read whose map needs a body has one."""
    _, _, operation = OPERATIONS[name]
    fields = set(methods()[name.removesuffix("_post")].input_type.fields_by_name)
    sent = [one["name"] for one in operation["parameters"] if "name" in one]
    body = operation.get("requestBody", {"content": {"application/json": {"schema": {"properties": {}}}}})
    sent += list(body["content"]["application/json"]["schema"]["properties"])
    left = {"house_rules"} if name == "CatalogueService_GetGame" else set()
    assert Counter(sent) == Counter(fields - left)


def test_a_method_without_a_path_is_named(generate: ModuleType) -> None:
    """The generator refuses a contract with such a method, and says which and what to add."""
    module = sys.modules["openapi"]
    files = module.FileDescriptorSet.FromString(generate.described())
    for file in files.file:
        if file.name == "pitboss/v1/report.proto":
            file.service[0].method[0].ClearField("options")
    with pytest.raises(module.NoPathError, match=r"GetHouseReport has no path for JSON; add option"):
        module.document(files.SerializeToString())
