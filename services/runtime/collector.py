"""Python's collector of cyclic garbage, as it suits a process that serves calls."""

import gc
from typing import Final

THRESHOLDS: Final = (10_000, 20, 20)
"""New objects before the young are searched, and rounds before older ones are: a call makes hundreds of objects, which
are freed without a search once nobody refers to them."""


def relax() -> None:
    """Leave what the process was built of out of all searches, and search less often. Called once, when it serves."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
