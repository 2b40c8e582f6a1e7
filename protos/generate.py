"""Generates the stubs of the public contract beside its protos: ``python protos/generate.py`` (``make protos``).

With ``--check`` nothing is written; the exit status says whether the stubs beside the protos are current.
"""  # noqa: INP001 - a script beside the protos, not part of the package

import filecmp
import pathlib
import sys
import tempfile
from importlib import resources

from grpc_tools import protoc

ROOT = pathlib.Path(__file__).resolve().parent


def generate(into: pathlib.Path) -> int:
    """Write modules, typing stubs and service stubs below a folder; gives the compiler's exit status."""
    protos = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("pitboss/v1/*.proto"))
    include = str(resources.files("grpc_tools") / "_proto")
    outputs = [f"--{kind}_out={into}" for kind in ("python", "grpc_python")]
    outputs += [f"--{kind}_out=quiet:{into}" for kind in ("mypy", "mypy_grpc")]
    return int(protoc.main(["protoc", f"-I{ROOT}", f"-I{include}", *outputs, *protos]))


def outdated() -> list[str]:
    """Name the stubs that differ from what the protos give: missing, changed, or without a proto."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder)
        if generate(fresh) != 0:
            return ["the protos do not compile"]
        made, kept = ({path.relative_to(root) for path in root.glob("pitboss/v1/*_pb2*.py*")} for root in (fresh, ROOT))
        same = {path for path in made & kept if filecmp.cmp(fresh / path, ROOT / path, shallow=False)}
        return sorted(str(path) for path in (made | kept) - same)


def main(arguments: list[str]) -> int:
    """Generate beside the protos, or check."""
    if arguments != ["--check"]:
        return generate(pathlib.Path(arguments[0]) if arguments else ROOT)
    old = outdated()
    if old:
        sys.stderr.write(f"stubs are out of date, run `make protos`: {', '.join(old)}\n")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
