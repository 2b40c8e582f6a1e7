"""Generates the stubs of the public contract beside its protos: ``python protos/generate.py`` (``make protos``)."""

import pathlib
import sys
from importlib import resources

from grpc_tools import protoc

ROOT = pathlib.Path(__file__).resolve().parent


def generate(into: pathlib.Path) -> int:
    """Write modules, typing stubs and service stubs below a folder; gives the compiler's exit status."""
    protos = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("pitboss/v1/*.proto"))
    include = str(resources.files("grpc_tools") / "_proto")
    return int(
        protoc.main(
            [
                "protoc", f"-I{ROOT}", f"-I{include}", f"--python_out={into}", f"--grpc_python_out={into}",
                f"--mypy_out=quiet:{into}", f"--mypy_grpc_out=quiet:{into}", *protos,
            ]  # fmt: skip
        )
    )


if __name__ == "__main__":
    sys.exit(generate(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
