"""Describes the JSON view of the contract as OpenAPI, made of the protos: ``generate.py`` writes ``openapi.json``."""  # noqa: INP001 - beside generate.py, which imports it

import json
import re
from collections.abc import Iterator
from typing import Any

from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor, descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

PACKAGE = "pitboss.v1"
INTERNAL = {"SettlementService"}
"""Services that processes of the house call among themselves; they have no paths of their own."""
SERVICES, METHODS, MESSAGES, FIELDS, ENUMS, VALUES = 6, 2, 4, 2, 5, 2
"""Numbers of the parts of a file, a service, a message and an enum in paths of source positions (descriptor.proto)."""

Kind = descriptor.FieldDescriptor
SCALARS: dict[int, dict[str, Any]] = {
    Kind.TYPE_BOOL: {"type": "boolean"},
    Kind.TYPE_STRING: {"type": "string"},
    Kind.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    Kind.TYPE_DOUBLE: {"type": "number", "format": "double"},
    Kind.TYPE_INT32: {"type": "integer", "format": "int32"},
    Kind.TYPE_INT64: {"type": "string", "format": "int64"},
}
KNOWN: dict[str, dict[str, Any]] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Struct": {"type": "object"},
}
REFUSAL: dict[str, Any] = {
    "type": "object",
    "description": "Why a call was refused: google.rpc.Status. The details hold an ErrorInfo with the `reason` of the "
    "closed list, and, where they apply, BadRequest, RetryInfo and LocalizedMessage.",
    "properties": {
        "code": {"type": "integer", "format": "int32"},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {"type": "object", "properties": {"@type": {"type": "string"}, "reason": {"type": "string"}}},
        },
    },
}


class NoPathError(Exception):
    """A method has no ``google.api.http`` option; the message names it."""


class Contract:
    """The protos with their comments."""

    def __init__(self, files: bytes) -> None:
        found = FileDescriptorSet.FromString(files).file
        pool = descriptor_pool.DescriptorPool()
        for one in found:
            pool.Add(one)
        self.files = [pool.FindFileByName(one.name) for one in found if one.package == PACKAGE]
        self._comments = {name: text for one in found for name, text in _comments(one)}

    def comment(self, name: str) -> str:
        """Return the comment of a service, method, message, field or enum, as one line for each paragraph."""
        text = self._comments.get(name, "")
        parts = re.split(r"\n\s*\n", text.strip())
        return "\n\n".join(" ".join(part.split()) for part in parts)


def document(files: bytes) -> str:
    """Return the OpenAPI document of a descriptor set with source positions, as JSON text. Raises NoPathError."""
    contract = Contract(files)
    paths: dict[str, dict[str, Any]] = {}
    needed: dict[str, Any] = {}
    tags = []
    for service in (one for file in contract.files for one in file.services_by_name.values()):
        if service.name in INTERNAL:
            continue
        tags.append({"name": service.name, "description": contract.comment(service.full_name)})
        for method in (one for one in service.methods if not one.server_streaming):
            for verb, path, body in _bindings(method):
                operation = _operation(contract, method, path, body, needed)
                if verb in paths.setdefault(path, {}):
                    raise NoPathError(f"{method.full_name}: {verb.upper()} {path} is another method's path already")
                paths[path][verb] = operation
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Pitboss",
            "version": "1",
            "description": "The JSON view of the contract. Numbers of 64 bits are text; names are those of the protos.",
        },
        "servers": [{"url": "http://127.0.0.1:7480", "description": "The gateway of `make run`."}],
        "security": [{"token": []}],
        "tags": tags,
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "parameters": _headers(),
            "responses": {"Refused": {"description": "The call was refused.", "content": _json(_ref("Status"))}},
            "schemas": {"Status": REFUSAL} | {name: needed[name] for name in sorted(needed)},
        },
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _bindings(method: Any) -> Iterator[tuple[str, str, bool]]:
    """Yield verb, path and whether there is a body, for each binding of a method."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    if not rule.WhichOneof("pattern"):
        raise NoPathError(f'{method.full_name} has no path for JSON; add option (google.api.http) = {{post: "/v1/…"}}')
    for one in (rule, *rule.additional_bindings):
        verb = one.WhichOneof("pattern")
        yield verb, getattr(one, verb), _has_body(one)


def _has_body(rule: http_pb2.HttpRule) -> bool:
    return bool(rule.body == "*")


def _operation(contract: Contract, method: Any, path: str, body: bool, needed: dict[str, Any]) -> dict[str, Any]:
    text = contract.comment(method.full_name)
    in_path = re.findall(r"\{(\w+)\}", path)
    fields = method.input_type.fields
    parameters: list[dict[str, Any]] = [
        _parameter(contract, field, "path" if field.name in in_path else "query", needed)
        for field in fields
        if field.name in in_path or (not body and _fits_a_query(field))
    ]
    made: dict[str, Any] = {
        "tags": [method.containing_service.name],
        "operationId": f"{method.containing_service.name}_{method.name}"
        + ("_post" if body and _is_read(method) else ""),
        "summary": re.split(r"(?<=\.)\s", text)[0],
        "description": text,
        "parameters": [*parameters, _ref("Language", "parameters"), _ref("Family", "parameters")],
    }
    if body:
        rest = {one.name: _field(contract, one, needed) for one in fields if one.name not in in_path}
        made["requestBody"] = {"required": True, "content": _json({"type": "object", "properties": rest})}
    answer = _message(contract, method.output_type, needed)
    made["responses"] = {
        "200": {"description": "Done.", "content": _json(answer)},
        "default": _ref("Refused", "responses"),
    }
    return made


def _is_read(method: Any) -> bool:
    return bool(method.GetOptions().Extensions[annotations_pb2.http].get)


def _fits_a_query(field: Any) -> bool:
    return field.message_type is None or field.message_type.full_name in KNOWN


def _parameter(contract: Contract, field: Any, where: str, needed: dict[str, Any]) -> dict[str, Any]:
    schema = _field(contract, field, needed)
    text = schema.pop("description", "")
    shown = {"name": field.name, "in": where, "required": where == "path", "schema": schema}
    return shown | ({"description": text} if text else {})


def _field(contract: Contract, field: Any, needed: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field, with its comment."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        schema: dict[str, Any] = {
            "type": "object",
            "additionalProperties": _single(contract, message.fields_by_name["value"], needed),
        }
    elif field.is_repeated:
        schema = {"type": "array", "items": _single(contract, field, needed)}
    else:
        schema = dict(_single(contract, field, needed))
    text = contract.comment(field.full_name)
    if field.containing_oneof is not None and len(field.containing_oneof.fields) > 1:
        text = f"{text} At most one of these: {', '.join(f.name for f in field.containing_oneof.fields)}.".strip()
    return schema | ({"description": text} if text else {})


def _single(contract: Contract, field: Any, needed: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None:
        return _message(contract, field.message_type, needed)
    if field.enum_type is not None:
        name = field.enum_type.name
        needed.setdefault(name, _enum(contract, field.enum_type))
        return _ref(name)
    return SCALARS[field.type]


def _message(contract: Contract, message: Any, needed: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to a message, whose schema is added to what is needed."""
    if message.full_name in KNOWN:
        return KNOWN[message.full_name]
    if message.name not in needed:
        schema: dict[str, Any] = {"type": "object"}
        needed[message.name] = schema  # before its fields: messages may hold themselves
        if text := contract.comment(message.full_name):
            schema["description"] = text
        schema["properties"] = {field.name: _field(contract, field, needed) for field in message.fields}
    return _ref(message.name)


def _enum(contract: Contract, enum: Any) -> dict[str, Any]:
    lines = [contract.comment(enum.full_name)]
    for value in enum.values:
        text = contract.comment(f"{enum.full_name}.{value.name}")
        lines += [f"`{value.name}`: {text}"] if text else []
    text = "\n\n".join(line for line in lines if line)
    return {"type": "string", "enum": [value.name for value in enum.values]} | ({"description": text} if text else {})


def _headers() -> dict[str, Any]:
    language = {"name": "accept-language", "description": "The language of the player's text in a refusal."}
    family = {
        "name": "x-pitboss-family",
        "description": "The family of the table, where families have dealers of their own; WRONG_FAMILY names it.",
    }
    return {
        name: {**header, "in": "header", "required": False, "schema": {"type": "string"}}
        for name, header in (("Language", language), ("Family", family))
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _ref(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _comments(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    """Yield the full name of every part of a file that has a comment, with the comment."""
    found = {tuple(one.path): one.leading_comments for one in file.source_code_info.location if one.leading_comments}
    for number, service in enumerate(file.service):
        yield f"{file.package}.{service.name}", found.get((SERVICES, number), "")
        for at, method in enumerate(service.method):
            path = (SERVICES, number, METHODS, at)
            yield f"{file.package}.{service.name}.{method.name}", found.get(path, "")
    for number, message in enumerate(file.message_type):
        yield f"{file.package}.{message.name}", found.get((MESSAGES, number), "")
        for at, field in enumerate(message.field):
            path = (MESSAGES, number, FIELDS, at)
            yield f"{file.package}.{message.name}.{field.name}", found.get(path, "")
    for number, enum in enumerate(file.enum_type):
        yield f"{file.package}.{enum.name}", found.get((ENUMS, number), "")
        for at, value in enumerate(enum.value):
            path = (ENUMS, number, VALUES, at)
            yield f"{file.package}.{enum.name}.{value.name}", found.get(path, "")
