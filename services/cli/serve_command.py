"""Maps processes to their composition roots, which are imported only when served."""

import importlib
from collections.abc import Sequence

from services.runtime import key_holders, server, settings
from services.runtime.settings import SettingsRefused

PROCESSES = ("dealer", "settlement", "audit", "witness", "players", "gateway", "web", "console")
"""A witness has another owner than the house. The room ``audit`` builds it, since it checks audit's proofs."""


def run(process: str, families: Sequence[str]) -> int:
    """Serve one process until SIGTERM or SIGINT. Return its exit code. Raises SettingsRefused.

    A process refuses to start with a key that only another process holds.
    """
    if process not in PROCESSES:
        raise SettingsRefused(f"there is no process {process!r}; serve one of {', '.join(PROCESSES)}")
    loaded = settings.load()
    key_holders.verify(process, loaded)
    if process == "gateway":  # no gRPC server of ours: Envoy serves
        return int(importlib.import_module("services.gateway.process").serve(loaded))
    root = importlib.import_module(
        "services.audit.witness_process" if process == "witness" else f"services.{process}.process"
    )
    build = root.build(families) if process == "dealer" else root.build
    return server.serve(process, loaded, build)
