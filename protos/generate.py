"""Generates the stubs of the public contract beside its protos, and ``openapi.json``: ``make protos``.

With ``--check`` nothing is written; the exit status says whether they are current.
"""  # noqa: INP001 - a script beside the protos, not part of the package

import filecmp
import pathlib
import sys
import tempfile
from importlib import resources

import openapi
from grpc_tools import protoc

ROOT = pathlib.Path(__file__).resolve().parent
OPENAPI = "openapi.json"


def generate(into: pathlib.Path) -> int:
    """Write modules, stubs and the description of the JSON view below a folder; returns the compiler's exit status."""
    outputs = [f"--{kind}_out={into}" for kind in ("python", "grpc_python")]
    outputs += [f"--{kind}_out=quiet:{into}" for kind in ("mypy", "mypy_grpc")]
    status = compiled(*outputs)
    if status == 0:
        (into / OPENAPI).write_text(openapi.document(described()), encoding="utf-8")
    return status


def described() -> bytes:
    """Return the protos and all that they import as a descriptor set with their comments."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "set.binpb"
        if compiled("--include_imports", "--include_source_info", f"--descriptor_set_out={out}") != 0:
            raise SystemExit("the protos do not compile")
        return out.read_bytes()


def compiled(*words: str) -> int:
    """Run the compiler on all protos of the contract; returns its exit status."""
    protos = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("pitboss/v1/*.proto"))
    include = str(resources.files("grpc_tools") / "_proto")
    return int(protoc.main(["protoc", f"-I{ROOT}", f"-I{ROOT / 'third_party'}", f"-I{include}", *words, *protos]))


def outdated() -> list[str]:
    """Name the stubs that differ from what the protos give: missing, changed, or without a proto."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder)
        if generate(fresh) != 0:
            return ["the protos do not compile"]
        made, kept = (
            {path.relative_to(root) for pattern in ("pitboss/v1/*_pb2*.py*", OPENAPI) for path in root.glob(pattern)}
            for root in (fresh, ROOT)
        )
        same = {path for path in made & kept if filecmp.cmp(fresh / path, ROOT / path, shallow=False)}
        return sorted(str(path) for path in (made | kept) - same)


def main(arguments: list[str]) -> int:
    """Generate beside the protos, or check."""
    if arguments != ["--check"]:
        return generate(pathlib.Path(arguments[0]) if arguments else ROOT)
    try:
        old = outdated()
    except openapi.NoPathError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if old:
        sys.stderr.write(f"generated files are out of date, run `make protos`: {', '.join(old)}\n")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
