"""Fight the Landlord of RLCard, imported by one process at a time: its first import unpacks tables beside its code."""

import fcntl
from importlib.util import find_spec
from pathlib import Path

_spec = find_spec("rlcard")
assert _spec is not None, "RLCard is not installed"
assert _spec.origin is not None, "RLCard has no file"

with Path(_spec.origin).open() as _locked:
    fcntl.flock(_locked, fcntl.LOCK_EX)
    from rlcard.games.doudizhu import Game, judger, utils

__all__ = ["Game", "judger", "utils"]
