"""Pages of reference that are made while the site is built: the contract, and the command line.

MkDocs calls ``on_files``. The pages are not stored, so they cannot fall behind the protos or the commands.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer.main
from google.api import annotations_pb2
from google.protobuf import descriptor_pb2
from grpc_tools import protoc
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
SERVICES, METHODS, MESSAGES, FIELDS, ENUMS, VALUES = 6, 2, 4, 2, 5, 2
"""Numbers of the parts of a file, a service, a message and an enum in paths of source positions (descriptor.proto)."""

GAME = re.compile(r"^#+ `(\w+)` ", re.MULTILINE)
"""Headings of the rule sheets that begin with a game's id."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those of the site."""
    files.append(File.generated(config, "reference/contract.md", content=contract()))
    files.append(File.generated(config, "reference/command-line.md", content=command_line()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page with an anchor before each heading of a game's sheet, which links name by the game's id."""
    return GAME.sub(r'<a id="\1"></a>\n\n\g<0>', markdown)


def contract() -> str:
    """Return a page with every service, method, message and field of the protos and what their comments say."""
    lines = ["# Contract", "", "The public contract, package `pitboss.v1`. Every method says which errors it raises."]
    for file in sorted(_protos(), key=lambda one: one.name):
        lines += ["", f"## {Path(file.name).name}", *_file(file)]
    return "\n".join(lines) + "\n"


def _protos() -> list[descriptor_pb2.FileDescriptorProto]:
    """Return the parsed protos with their comments."""
    found = sorted((ROOT / "protos" / "pitboss" / "v1").glob("*.proto"))
    with TemporaryDirectory() as folder:
        out = Path(folder) / "protos.binpb"
        include = Path(protoc.__file__).parent / "_proto"
        done = protoc.main(
            [
                "protoc",
                f"-I{ROOT / 'protos'}",
                f"-I{ROOT / 'protos' / 'third_party'}",
                f"-I{include}",
                "--include_source_info",
                f"--descriptor_set_out={out}",
                *map(str, found),
            ]
        )
        if done:
            raise RuntimeError(f"protoc ended with {done}")
        return list(descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file)


def _file(file: descriptor_pb2.FileDescriptorProto) -> Iterator[str]:
    notes = {tuple(place.path): " ".join(place.leading_comments.split()) for place in file.source_code_info.location}
    for at, service in enumerate(file.service):
        yield from (
            "",
            f"### {service.name}",
            "",
            notes.get((SERVICES, at), ""),
            "",
            "| method | request | response | |",
        )
        yield "|---|---|---|---|"
        for number, method in enumerate(service.method):
            asked = "stream of " if method.client_streaming else ""
            stream = "stream of " if method.server_streaming else ""
            note = notes.get((SERVICES, at, METHODS, number), "") + _as_json(method)
            types = f"{asked}{_type(method.input_type)} | {stream}{_type(method.output_type)}"
            yield f"| `{method.name}` | {types} | {_cell(note)} |"
    for at, message in enumerate(file.message_type):
        yield from ("", f"### {message.name}", "", notes.get((MESSAGES, at), ""))
        if message.field:
            yield from ("", "| field | type | |", "|---|---|---|")
        for number, field in enumerate(message.field):
            yield f"| `{field.name}` | {_kind(field)} | {_cell(notes.get((MESSAGES, at, FIELDS, number), ''))} |"
    for at, enum in enumerate(file.enum_type):
        yield from ("", f"### {enum.name}", "", notes.get((ENUMS, at), ""), "", "| value | |", "|---|---|")
        for number, value in enumerate(enum.value):
            yield f"| `{value.name}` | {_cell(notes.get((ENUMS, at, VALUES, number), ''))} |"


def _as_json(method: descriptor_pb2.MethodDescriptorProto) -> str:
    """Return the verb and the path of a method in the JSON view; empty if it has none."""
    rule = method.options.Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    return f" JSON: `{verb.upper()} {getattr(rule, verb)}`." if verb else ""


def _type(name: str) -> str:
    return f"`{name.removeprefix('.pitboss.v1.').removeprefix('.google.protobuf.')}`"


def _kind(field: descriptor_pb2.FieldDescriptorProto) -> str:
    label = "list of " if field.label == field.LABEL_REPEATED else "optional " if field.proto3_optional else ""
    name = (
        _type(field.type_name) if field.type_name else f"`{field.Type.Name(field.type).removeprefix('TYPE_').lower()}`"
    )
    return label + name


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def command_line() -> str:
    """Return a page with every command, its arguments and its options."""
    from services.cli import commands, main  # noqa: PLC0415 - loads every game, which only this page needs

    commands.register(main.app)
    lines = ["# Command line", "", "Written from the commands themselves; `pitboss COMMAND --help` says the same."]
    for name, one in _commands(typer.main.get_command(main.app), "pitboss"):
        lines += ["", f"## {name}", "", one.help or "", ""]
        lines += ["| argument or option | default | |", "|---|---|---|"] if one.params else []
        lines += [_parameter(parameter) for parameter in one.params if parameter.name != "help"]
    return "\n".join(lines) + "\n"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for word, one in sorted(command.commands.items()):
        yield from _commands(one, f"{name} {word}")


def _parameter(one: Any) -> str:
    words = one.opts if one.param_type_name == "option" else [str(one.name).upper()]
    default = "required" if one.required else "" if one.default in (None, "", False, ...) else f"`{one.default}`"
    name = ", ".join(f"`{word}`" for word in words)
    return f"| {name} | {default} | {_cell(getattr(one, 'help', '') or '')} |"
