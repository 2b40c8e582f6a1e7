"""Which process is built by which composition root; each is loaded only where it is served."""

import importlib
from collections.abc import Sequence

from services.runtime import server, settings
from services.runtime.settings import SettingsRefused

PROCESSES = ("dealer", "settlement", "audit", "witness")
"""A witness is of another owner than the house; it is built by the room whose proofs it checks."""


def run(process: str, families: Sequence[str]) -> int:
    """Serve one process until it is told to stop; gives its exit code. Raises SettingsRefused."""
    if process not in PROCESSES:
        raise SettingsRefused(f"there is no process {process!r}; serve one of {', '.join(PROCESSES)}")
    root = importlib.import_module(
        "services.audit.witness_process" if process == "witness" else f"services.{process}.process"
    )
    build = root.build(families) if process == "dealer" else root.build
    return server.serve(process, settings.load(), build)
